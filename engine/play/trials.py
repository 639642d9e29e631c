"""Trials: what decides a challenge where no game of this engine is played for it [P-11].

``outside``
    The players settle it elsewhere: at chess, darts, a quiz. The controller tells the result as a turn.
``coin``, ``die``
    A lot is drawn. The seed, the position and the announced turn determine it, so that all programs and all
    replays of a record agree. The face is a turn of its own.

A trial has a spec like a game, and a `Game` that declares its name and its options, but no board.
"""

import hashlib
from dataclasses import dataclass

from tengen.engine.errors import IllegalTurnError, NotationError, quoted
from tengen.engine.games import CHALLENGER, COIN, DIE, DIE_FACES, OUTSIDE, OWNER
from tengen.engine.spec import GameSpec

RULE = "P-11"
DRAW = "draw"  # which lets the turn be made
WINNERS = (CHALLENGER, OWNER, DRAW)
RESULT = "result"  # the first word of a turn that tells a result
AWAITS_RESULT = (
    f"the controller tells how the challenge has ended: expected {RESULT} challenger, owner or draw"
)
TASKS = {  # what the players do, in words that follow "to"
    OUTSIDE.name: "settle it outside",
    COIN.name: "toss a coin for it",
    DIE.name: "roll a die for it",
}


@dataclass(frozen=True)
class Trial:
    """A trial that is held for an announced turn."""

    spec: GameSpec  # of one of `TRIALS`
    occasion: str = ""  # the text of the position and the announced turn; with the seed, it determines a draw

    @property
    def told(self) -> bool:
        """Whether the result is told by the controller, not drawn."""
        return self.spec.game.name == OUTSIDE.name

    @property
    def _tossed(self) -> bool:
        """Whether a coin is tossed."""
        return self.spec.game.name == COIN.name

    @property
    def chance(self) -> float | None:
        """The probability that the challenger wins; None if nobody knows it."""
        if self.told:
            return None
        return sum(winner == CHALLENGER for winner in self.outcomes.values()) / len(self.outcomes)

    @property
    def outcomes(self) -> dict[str, str]:
        """Who wins, one of `WINNERS`, by the text of each turn that can end the trial."""
        if self.told:
            return {f"{RESULT}-{winner}": winner for winner in WINNERS}
        if self._tossed:
            return {"heads": CHALLENGER, "tails": OWNER}
        least = int(self.spec.values["least"])
        return {f"die-{n}": CHALLENGER if n >= least else OWNER for n in range(1, DIE_FACES + 1)}

    @property
    def turns(self) -> tuple[str, ...]:
        """The legal turns: every result that can be told, or the face that is drawn."""
        turns = tuple(self.outcomes)
        if self.told:
            return turns
        digest = hashlib.sha256(f"{self.spec.values['seed']} {self.occasion}".encode()).digest()
        return (turns[int.from_bytes(digest[:8], "big") % len(turns)],)

    def parse_turn(self, text: str) -> str:
        """Return the canonical text of the turn `text`; a blank may stand for its hyphen.

        Raises NotationError when it is no turn of this trial; IllegalTurnError when another face is drawn.
        """
        turn = "-".join(text.lower().split())
        if turn not in self.outcomes:
            raise NotationError(f"turn: expected {' or '.join(self.outcomes)}, got {quoted(text)}")
        if turn not in self.turns:
            raise IllegalTurnError(text, f"expected {self.turns[0]}, which is drawn", RULE)
        return turn

    # --------------------------------------------------------------------------------------------- for people

    @property
    def task(self) -> str:
        """What the players do, in words that follow "to"."""
        return TASKS[self.spec.game.name]

    def description(self, owner: str, challenger: str, turn: str) -> str:
        """Return what is going on in words: the names are those of the players, `turn` is announced."""
        if self.told:
            told = ", ".join(f"{RESULT} {winner}" for winner in WINNERS[:-1])
            return (
                f"{owner}'s {turn} is settled outside: {challenger} must win, or else it is made."
                f" Expected {told} or {RESULT} {WINNERS[-1]}."
            )
        lot, needed = ("coin is tossed", "heads")
        if not self._tossed:
            lot, needed = "die is rolled", f"{self.spec.values['least']} or more"
        return f"A {lot} for {owner}'s {turn}: {challenger} needs {needed}, or else it is made."

    def verdict(self, challenger: str, turn: str) -> str:
        """Return in words how the trial has ended with `turn`."""
        if self.told:
            return f"{challenger} has {'' if self.outcomes[turn] == CHALLENGER else 'not '}won outside"
        return f"The coin shows {turn}" if self._tossed else f"The die shows {turn.partition('-')[2]}"


def join_results(words: list[str]) -> list[str]:
    """Return the turns in `words`, a list divided at blanks: ``result`` belongs to the word that follows."""
    turns: list[str] = []
    for word in words:
        if turns and turns[-1].lower() == RESULT:
            turns[-1] += f"-{word}"
        else:
            turns.append(word)
    return turns
