"""A game in progress: turns as texts, undo, outcome, faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from tengen.engine.errors import IllegalTurnError, NotationError, PositionError
from tengen.engine.game import Game, GameSpec, Outcome
from tengen.engine.play.history import Difference, Keys, apply, difference
from tengen.engine.play.turns import legal_actions, turn_sequences

if TYPE_CHECKING:
    from tengen.engine.board.picture import Picture
    from tengen.engine.play.trials import Trial

MAX_TURNS = 10_000  # far more than a game takes, so that no record or client fills the memory
MAX_TURN_TEXT = 4096  # characters, far more than a turn has
OCCURRENCES = 3  # of a position that make it a draw, in games with `GameSpec.repetition`


class Position:
    """A state of a game, and the turns that led to it.

    This class handles a single game; use `engine.play.challenge.begin` for games with challenges. A method
    that raises leaves the position unchanged.

    Attributes
    ----------
    spec : GameSpec
    state : numpy.record
        The state as kernels see it; treat as read-only.
    turns_played : list of str
        Canonical texts of the turns since the start.
    past_keys : Keys
        Where repetition draws: the keys of the earlier positions, as far back as one of them may occur again.
    """

    def __init__(self, spec: GameSpec, state: Any) -> None:
        self.spec = spec
        self.state = state
        self.turns_played: list[str] = []
        self.past_keys = Keys()
        self._history: list[tuple[Difference, Any]] = []  # by turn: how to go back, see `undo`

    @classmethod
    def start(cls, spec: GameSpec | str) -> Position:
        """Return the initial position of the game that `spec` names."""
        spec = GameSpec.parse(spec) if isinstance(spec, str) else spec
        return cls(spec, spec.game.rules.start(spec.values))

    @classmethod
    def parse(cls, spec: GameSpec | str, text: str) -> Position:
        """Return the position that `text` describes.

        Raises
        ------
        NotationError, PositionError
            When the text is malformed, or describes no possible position (all faults are listed).
        """
        spec = GameSpec.parse(spec) if isinstance(spec, str) else spec
        return cls(spec, spec.game.text.parse_position(spec.values, text))

    def copy(self) -> Self:
        """Return an independent copy, history included."""
        twin = type(self)(self.spec, self.state.copy())
        twin.turns_played = list(self.turns_played)
        twin.past_keys = self.past_keys
        twin._history = list(self._history)
        return twin

    @property
    def active(self) -> Position | None:
        """The position in which the next turn is played: this one, or that of a game played for a challenge.

        None if an announced turn has to be answered, or a trial decides about it.
        """
        return self

    @property
    def foreground(self) -> Position:
        """The position to show: the active one, or this one while an announced turn waits to be decided."""
        return self.active or self

    @property
    def game(self) -> Game:
        """The game that is being played: the one in the foreground."""
        return self.foreground.spec.game

    @property
    def trial(self) -> Trial | None:
        """The trial that the next turn ends (see `engine.play.challenge`); None if there is none."""
        return None

    @property
    def awaits_result(self) -> bool:
        """Whether the next turn tells the result of a trial, which no engine can know."""
        return self.trial is not None and self.trial.told

    @property
    def challenge(self) -> str:
        """The state of a challenge: ``none``, ``announced TURN`` or ``playing GAME for TURN``."""
        return "none"

    def explanation(self) -> str:
        """Return the state or the result of a challenge in words; empty if there is none."""
        return ""

    @property
    def side_to_move(self) -> int:
        """The side to move: 0 the first side, 1 the second."""
        return int(self.state.side_to_move)

    @property
    def scale(self) -> float:
        """Logistic scale of scores in `game`, centi-points: win rate = 1 / (1 + exp(-score / scale))."""
        game = self.game
        evaluation = game.evaluation
        if evaluation is None or not evaluation.features:
            return game.scale
        module = game.module("evaluate")
        return evaluation.scale(module.WEIGHTS, int(module.phase(self.foreground.state)))

    @property
    def side(self) -> str:
        """Name of the side to move, such as ``white``."""
        return self.spec.game.sides[self.side_to_move]

    def outcome(self) -> Outcome:
        """Return the outcome; in games that end by agreement, the result without dead stones."""
        game = self.spec.game
        outcome = Outcome(int(game.rules.outcome(self.state)))
        return (
            game.module("agreement").agreed_score(self.state).outcome
            if outcome and game.ends_by_agreement
            else outcome
        )

    @property
    def drawn_keys(self) -> list[int]:
        """The keys of all positions that would be a draw if they occurred again, sorted."""
        occurrences = Counter((*self.past_keys, int(self.state.key)))
        return sorted(key for key, number in occurrences.items() if number >= OCCURRENCES - 1)

    def end_reason(self) -> str:
        """Return why the game is over, in words, where the board does not show it; else an empty text."""
        if self.past_keys.count(int(self.state.key)) < OCCURRENCES - 1:
            return ""
        return f"the position has occurred three times [{self.spec.repetition}]"

    def evaluate(self) -> int:
        """Return the static evaluation in `game`, centi-points for its side to move."""
        return int(self.game.module("evaluate").evaluate(self.foreground.state))

    def result(self) -> str:
        """Return the final score in GTP notation: ``B+5``, ``W+1``, ``0``; meaningful at the end only."""
        return str(self.spec.game.text.result(self.state))

    def winner(self) -> str:
        """Return the name of the winner, ``draw``, or empty while the game goes on."""
        outcome = self.outcome()
        if outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
            return self.spec.game.sides[outcome - Outcome.FIRST_WINS]
        return "draw" if outcome == Outcome.DRAW else ""

    def text(self) -> str:
        """Return the canonical text of the position; `parse` reads it back."""
        return str(self.spec.game.text.format_position(self.state))

    def board(self) -> str:
        """Return the board in plain text, several lines."""
        return str(self.spec.game.picture.board(self.state))

    def draw(self) -> Picture:
        """Return the picture of the board of `game`."""
        drawn: Picture = self.game.picture.draw(self.foreground.state)
        return drawn

    def status(self) -> list[str]:
        """Return all faults of the position in words; empty when it is sound."""
        return list(self.spec.game.text.status(self.state))

    def turn_actions(self) -> Iterator[tuple[int, ...]]:
        """Yield every legal turn as its actions; of turns to the same position only the canonical one."""
        game = self.spec.game
        if game.rules.MERGES_TRANSPOSITIONS:
            yield from game.text.canonical_turns(self.state)
        elif game.rules.MULTI_ACTION_TURNS:
            yield from (actions for actions, _ in turn_sequences(game.rules, self.state))
        else:
            yield from ((action,) for action in legal_actions(game.rules, self.state))

    def has_choice(self) -> bool:
        """Return whether there are legal turns to at least two positions."""
        ends = set()
        for _, end in turn_sequences(self.spec.game.rules, self.state):
            ends.add(int(end.key))
            if len(ends) > 1:
                return True
        return False

    def turns(self) -> list[str]:
        """Return the canonical texts of all legal turns; empty only when the game is over."""
        return [self.format(actions) for actions in self.turn_actions()]

    def format(self, actions: tuple[int, ...]) -> str:
        """Return the text of the turn made of `actions`."""
        return str(self.spec.game.text.format_turn(self.state, actions))

    def expected_turns(self, before: Any, actions: Sequence[int], after: Any) -> tuple[tuple[str, ...], Any]:
        """Return the texts that a line of turns has for a turn, usually one, and the state that it leads to.

        Parameters
        ----------
        before, after : numpy.record
            The states before and after the turn.
        actions : sequence of int
            The turn.
        """
        return (str(self.spec.game.text.format_turn(before, actions)),), after

    def whole_turns(self, actions: Sequence[int]) -> tuple[str, ...]:
        """Return the texts of the turns that `actions` complete, one after another from this position.

        A turn that may be challenged is assumed to be accepted; the acceptance follows it.
        """
        rules = self.spec.game.rules
        before, state = self.state.copy(), self.state.copy()
        turns: list[str] = []
        begun: list[int] = []
        for action in actions:
            rules.do_move(state, action)
            begun.append(action)
            if not state["partial"]:
                texts, state = self.expected_turns(before, begun, state)
                turns += texts
                before, begun = state.copy(), []
        return tuple(turns)

    def parse_turn(self, text: str) -> tuple[int, ...]:
        """Return the actions of the turn `text`.

        Raises
        ------
        NotationError, IllegalTurnError
            When the text is malformed, or the rules refuse the turn.
        """
        if reason := self.end_reason():
            reason = reason.removesuffix(f" [{self.spec.repetition}]")
            raise IllegalTurnError(text, f"the game is over, {reason}", self.spec.repetition)
        if len(text) > MAX_TURN_TEXT:
            raise NotationError(f"turn: expected at most {MAX_TURN_TEXT:,} characters, got {len(text):,}")
        return tuple(self.spec.game.text.parse_turn(self.state, text))

    def resumed(self) -> Self:
        """Return a copy in which a game that ended by agreement goes on."""
        twin = self.copy()
        twin._resume()
        return twin

    def _resume(self) -> None:
        """Resume the game if it ended by agreement."""
        game = self.spec.game
        if game.ends_by_agreement and self.outcome() != Outcome.ONGOING:
            self.state = self.state.copy()
            game.rules.resume(self.state)

    def play(self, text: str, side: int | None = None) -> str:
        """Play the turn `text` and return its canonical text.

        Parameters
        ----------
        text : str
            A turn in any spelling that the game's page in docs/ accepts.
        side : int, optional
            The side that plays it. Only games with set-up play allow the side that is not to move. A game
            that ended by agreement is resumed, as the players may disagree.

        Raises
        ------
        NotationError, IllegalTurnError
            When the turn cannot be played.
        """
        if len(self.turns_played) >= MAX_TURNS:
            raise IllegalTurnError(text, f"expected at most {MAX_TURNS:,} turns in a game")
        state, before = self.state, self._snapshot()
        if side is not None:
            self._resume()
        if side is not None and side != self.side_to_move and self.outcome() == Outcome.ONGOING:
            game = self.spec.game
            if not game.out_of_turn:
                raise IllegalTurnError(text, f"it is {self.side}'s turn")
            self.state = self.state.copy()
            game.rules.set_side_to_move(self.state, side)
        try:
            actions = self.parse_turn(text)
        except Exception:
            self._restore(state, before)
            raise
        canonical = self.format(actions)
        self.make(actions)
        self._history.append((difference(state, self.state), before))
        self.turns_played.append(canonical)
        return canonical

    @property
    def own_turns(self) -> int:
        """Number of turns played in this game itself, by both sides."""
        return len(self.turns_played)

    def make(self, actions: Sequence[int]) -> None:
        """Play the actions of a legal turn, which then cannot be taken back; `play` is for people."""
        rules, moved = self.spec.game.rules, self.state.copy()
        for action in actions:
            rules.do_move(moved, action)
        if self.spec.repetition:
            self.past_keys = (
                self.past_keys.appended(int(self.state.key)) if rules.may_repeat(moved) else Keys()
            )
            if self.past_keys.count(int(moved.key)) >= OCCURRENCES - 1:
                rules.draw_by_repetition(moved)
        self.state = moved

    def _snapshot(self) -> Any:
        """Return what `_restore` needs besides the state; its parts are never changed in place."""
        return self.past_keys

    def _restore(self, state: Any, snapshot: Any) -> None:
        self.state, self.past_keys = state, snapshot

    def undo(self) -> str:
        """Take the last turn back and return its text.

        Raises
        ------
        PositionError
            When no turn has been played since the start.
        """
        if not self._history:
            raise PositionError(["there is no turn to take back"])
        changes, before = self._history.pop()
        self._restore(apply(changes, self.state), before)
        return self.turns_played.pop()
