"""Challenges: an announced turn is suspended while another game, or a trial, decides about it.

One list holds all turns: those of the game itself, `ACCEPT` and `CHALLENGE`, and those of the other game or
the trial (`engine.play.trials`). The ``challenge`` module of a game says which turns can be challenged and
what is at stake. It offers ``RULE``, the number of the rule, and

``challenges_left(s, side)``
    Number of challenges that a side has left.
``answered(s, side, challenged, options)``
    The state after a side has answered an announced turn: with one challenge fewer if it has `challenged`.
``stake(s, actions, options)``
    What is at stake in a turn (int); None if it cannot be challenged.
``forfeit(s, stake)``
    The state at the beginning of the turn after the stake was lost; ``name(stake)``, its name.
``max_stakes(s, side, options)``
    Upper bound of the number of turns of a side that can still be challenged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tengen.engine.errors import IllegalTurnError, NotationError, OptionError
from tengen.engine.game import Game, Outcome
from tengen.engine.games import CHALLENGER
from tengen.engine.play.history import Keys
from tengen.engine.play.position import Position
from tengen.engine.play.trials import Trial
from tengen.engine.spec import GameSpec

ACCEPT, CHALLENGE = ANSWERS = "accept", "challenge"  # their actions are their indices


class ChallengeGame(Position):
    """A game whose turns may be challenged.

    `state` and `text` describe the game itself at the beginning of a turn, with the challenges left. They
    stay the same while a turn is announced. The side to move and the legal turns depend on the stage: the
    game itself, the answer to an announced turn, and the other game or the trial.

    White also plays White in the other game. If the other game has no such names, the first side of the one
    is the first side of the other. The other game is played from its start and without challenges. A trial is
    one turn of the challenger. If its result is told, either side may tell it.
    """

    plays_challenges = True

    def __init__(self, spec: GameSpec | Game | str, text: str | None = None) -> None:
        super().__init__(spec, text)
        for other in self.spec.games[1:]:
            try:
                Position(other)
            except OptionError as error:
                raise OptionError(f"the game for challenges, {other}: {error}") from error

    def _set_up(self, spec: GameSpec, state: Any, first: Any = None) -> None:
        super()._set_up(spec, state, first)
        assert spec.challenge
        self._challenge_rules = spec.game.module("challenge")
        self._other_spec = spec.challenge
        self._announced: tuple[int, ...] = ()
        self._other: Position | None = None  # never changed in place
        self.trial: Trial | None = None  # that decides about the announced turn
        self._remark = ""
        self._own_turns = 0  # turns of the game itself

    # ---------------------------------------------------------------------------------------------- the stage

    @property
    def current(self) -> Position:
        """The game that is played for an announced turn, or this one."""
        return self._other or self

    @property
    def awaits_answer(self) -> bool:
        """Whether the next turn answers an announced turn, or ends a trial."""
        return bool(self._announced) and self._other is None

    @property
    def challenge(self) -> str:
        """The state of a challenge: ``none``, ``announced TURN`` or ``playing GAME for TURN``."""
        if self._other or self.trial:
            return f"playing {self._other_spec} for {self.announced}"
        return f"announced {self.announced}" if self._announced else "none"

    @property
    def announced(self) -> str:
        """The announced turn; empty when there is none."""
        return super().format(self._announced) if self._announced else ""

    @property
    def own_turns(self) -> int:
        """Number of turns played in the game itself, by both sides."""
        return self._own_turns

    @property
    def challenger(self) -> int:
        """The side that may challenge, or has challenged, a turn of the side to move in the game itself."""
        return 1 - int(self.state.side_to_move)

    @property
    def challenges_left(self) -> int:
        """Number of challenges that the challenger has left."""
        return int(self._challenge_rules.challenges_left(self.state, self.challenger))

    @property
    def stakes(self) -> int:
        """Upper bound of the number of turns of the challenger's opponent that can still be challenged."""
        return int(self._challenge_rules.max_stakes(self.state, 1 - self.challenger, self.spec.values))

    @property
    def may_announce(self) -> bool:
        """Whether the side to move in the game itself may have a turn that can be challenged."""
        return not self._announced and self.challenges_left > 0 and self.stakes > 0

    @property
    def chance(self) -> float | None:
        """The probability that a challenger wins, if the rules of what is played determine it; else None."""
        return Trial(self._other_spec).chance if self._other_spec.is_trial else None

    @property
    def side_to_move(self) -> int:
        """The side to play or to answer: 0 the first side of the game, 1 the second."""
        if self._other:
            return self._own_side(self._other.side_to_move)
        return self.challenger if self._announced else int(self.state.side_to_move)

    def _own_side(self, side: int) -> int:
        """Return the side of this game that plays `side` in the other game."""
        name, sides = self._other_spec.game.sides[side], self.spec.game.sides
        return sides.index(name) if name in sides else side

    def accepted(self) -> ChallengeGame:
        """Return the position, without history, in which the announced turn has been accepted."""
        return self._decided(self._answered(challenged=False), won=False)

    def denied(self) -> ChallengeGame:
        """Return the position, without history, in which the announced turn was challenged with success."""
        return self._decided(self._answered(challenged=True), won=True)

    def judged(self, won: bool) -> ChallengeGame:
        """Return the position, without history, in which the trial that is held has been decided."""
        return self._decided(self.state, won)

    def _answered(self, challenged: bool) -> Any:
        """Return the state of the game itself after the challenger's answer."""
        return self._challenge_rules.answered(self.state, self.challenger, challenged, self.spec.values)

    def _decided(self, state: Any, won: bool) -> ChallengeGame:
        twin = ChallengeGame.of_state(self.spec, state)
        twin._announced = self._announced
        twin._decide(won)
        return twin

    # -------------------------------------------------------------------------------------------------- turns

    def turn_actions(self) -> Iterator[tuple[int, ...]]:
        """Yield every legal turn of the active game, answer, or result, as its tuple of actions."""
        if self._other:
            yield from self._other.turn_actions()
        elif self.trial:
            yield from (self._result(turn) for turn in self.trial.turns)
        elif self._announced:
            yield from ((answer,) for answer in range(len(ANSWERS)))
        else:
            yield from super().turn_actions()

    def _result(self, turn: str) -> tuple[int, ...]:
        """Return the action of a turn that ends the trial."""
        assert self.trial
        return (list(self.trial.outcomes).index(turn),)

    def has_choice(self) -> bool:
        """Return whether there is more than one legal turn that matters."""
        if self._other:
            return self._other.has_choice()
        if self._announced:
            return self.trial is None or self.trial.told
        return super().has_choice()

    def format(self, actions: tuple[int, ...]) -> str:
        """Return the text of the turn, answer or result made of `actions`."""
        if self._other:
            return self._other.format(actions)
        if self.trial:
            return list(self.trial.outcomes)[actions[0]]
        return ANSWERS[actions[0]] if self._announced else super().format(actions)

    def expected_turns(self, before: Any, actions: Sequence[int], after: Any) -> tuple[tuple[str, ...], Any]:
        """Return the texts that a line of turns has for a turn, with the expected answer, and its end."""
        texts, after = super().expected_turns(before, actions, after)
        if not self._may_be_challenged(before, actions):
            return texts, after
        challenger = 1 - int(before.side_to_move)
        after = self._challenge_rules.answered(after, challenger, False, self.spec.values)
        return (*texts, ACCEPT), after

    def parse_turn(self, text: str) -> tuple[int, ...]:
        """Return the actions of the turn, answer or result `text`; what is refused names the stage."""
        answer = text.lower() in ANSWERS
        if self._other or self.trial:
            return self._parse_other(text, answer)
        if not self._announced:
            if not answer:
                return super().parse_turn(text)
            over = self.outcome() != Outcome.ONGOING
            reason = "the game is over" if over else "no turn is announced that could be challenged"
            raise IllegalTurnError(text, reason, self._challenge_rules.RULE)
        if not answer:
            mover, answerer = self._names()
            expected = f"expected {ACCEPT} or {CHALLENGE} from {answerer}"
            reason = f"{mover} has announced {self.announced}: {expected}"
            raise IllegalTurnError(text, reason, self._challenge_rules.RULE)
        return (ANSWERS.index(text.lower()),)

    def _parse_other(self, text: str, answer: bool) -> tuple[int, ...]:
        """Return the actions of a turn of the other game or the trial; errors say that it is being played."""
        title = self._other_spec.game.title
        where = f"{title} is played for {self.announced}"
        if answer:
            raise IllegalTurnError(text, f"{where}, and knows no challenges", self._challenge_rules.RULE)
        try:
            if self.trial:
                return self._result(self.trial.parse_turn(text))
            assert self._other
            return self._other.parse_turn(text)
        except IllegalTurnError as error:
            reason = error.reason.removesuffix(f" [{error.rule}]")
            raise IllegalTurnError(error.turn, f"{where}: {reason}", error.rule) from error
        except NotationError as error:
            raise NotationError(f"{where}: {error}") from error

    def _may_be_challenged(self, state: Any, actions: Sequence[int]) -> bool:
        left = self._challenge_rules.challenges_left(state, 1 - int(state.side_to_move))
        return left > 0 and self._challenge_rules.stake(state, actions, self.spec.values) is not None

    def make(self, actions: Sequence[int]) -> None:
        """Play the actions of a legal turn, answer or result."""
        self._remark = ""
        if self._other:
            self._make_other(actions)
        elif self.trial:
            turn, trial = self.format(tuple(actions)), self.trial
            self._judge(trial.outcomes[turn] == CHALLENGER, trial.verdict(self._names()[1], turn))
        elif self._announced:
            challenged, left = ANSWERS[actions[0]] == CHALLENGE, self.challenges_left
            self.state = self._answered(challenged)
            if self.challenges_left < left:
                self.past_keys = Keys()  # with as many challenges, no position occurs again
            if challenged:
                if self._other_spec.is_trial:
                    self.trial = Trial(self._other_spec, f"{self.text()} {self.announced}")
                else:
                    self._other = Position(self._other_spec)
            else:
                self._decide(won=False)
        elif self._may_be_challenged(self.state, actions):
            self._announced = tuple(actions)
        else:
            self._make_own(actions)

    def _make_own(self, actions: Sequence[int]) -> None:
        super().make(actions)
        self._own_turns += 1

    def _make_other(self, actions: Sequence[int]) -> None:
        """Play a turn of the other game; its result decides about the announced turn."""
        assert self._other
        other = self._other.copy()
        other.push(other.format(tuple(actions)))
        self._other = other
        outcome = other.outcome()
        if outcome == Outcome.ONGOING:
            return
        won = outcome != Outcome.DRAW and self._own_side(outcome - Outcome.FIRST_WINS) == self.challenger
        score = other.result() if other.spec.game.ends_by_agreement else ""
        title = f"{self._other_spec.game.title}{score and f' ({score})'}"
        self._judge(won, f"{self._names()[1]} has {'' if won else 'not '}won at {title}")

    def _judge(self, won: bool, verdict: str) -> None:
        """Decide about the announced turn; `verdict` says how the contest has ended."""
        mover, announced = self._names()[0], self.announced
        stake = self._challenge_rules.stake(self.state, self._announced, self.spec.values)
        self._decide(won)
        over = self.outcome() != Outcome.ONGOING
        lost = f"{mover} loses {self._challenge_rules.name(stake)}"
        if not won:
            self._remark = f"{verdict}: {mover} makes the turn {announced}."
        elif over:
            self._remark = f"{verdict}: {lost}, and has no other turn [{self._challenge_rules.RULE}]."
        else:
            self._remark = f"{verdict}: {lost}, and has the turn again."

    def _decide(self, won: bool) -> None:
        """Play the announced turn; if the challenger has `won`, cancel it and forfeit its stake."""
        actions, self._announced, self._other, self.trial = self._announced, (), None, None
        if won:
            stake = self._challenge_rules.stake(self.state, actions, self.spec.values)
            self.state = self._challenge_rules.forfeit(self.state, stake)
        else:
            self._make_own(actions)

    def _snapshot(self) -> Any:
        contest = self._announced, self._other, self.trial
        return super()._snapshot(), contest, self._remark, self._own_turns

    def _restore(self, state: Any, snapshot: Any) -> None:
        own, contest, self._remark, self._own_turns = snapshot
        self._announced, self._other, self.trial = contest
        super()._restore(state, own)

    # --------------------------------------------------------------------------------------------- for people

    def board(self) -> str:
        """Return the board in plain text, the state of a challenge, and the board of the other game."""
        board = super().board()
        if self._announced:  # its last line names the side to move
            board = board[: board.rindex("\n")]
        other = f"\n{self._other.board()}" if self._other else ""
        return "\n".join(filter(None, (board, self.explanation(), other)))

    def explanation(self) -> str:
        """Return the state or the result of a challenge in words; empty if there is none."""
        mover, challenger = self._names()
        title = self._other_spec.game.title
        if self._other:
            return (
                f"{title} is played for {mover}'s {self.announced}:"
                f" {challenger} must win, or else it is made. {self.side.capitalize()} to move."
            )
        if self.trial:
            return self.trial.description(mover, challenger, self.announced)
        if self._announced:
            task = Trial(self._other_spec).task if self._other_spec.is_trial else f"play {title} for it"
            return (
                f"{mover} announces {self.announced}. {challenger} may {ACCEPT} it, or {CHALLENGE} it"
                f" to {task} ({self.challenges_left} left)."
            )
        return self._remark

    def _names(self) -> tuple[str, str]:
        """Return the names of the side to move in the game itself and of the challenger, capitalised."""
        mover, challenger = (self.spec.game.sides[side] for side in (1 - self.challenger, self.challenger))
        return mover.capitalize(), challenger.capitalize()
