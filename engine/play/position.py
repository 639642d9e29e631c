"""A game in progress: turns as texts and as actions, undo, outcome, faults, pictures."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

from tengen.engine.errors import (
    IllegalTurnError,
    NotationError,
    OptionError,
    PositionError,
    TengenError,
    refusals,
    require,
)
from tengen.engine.game import Game, Outcome, Side
from tengen.engine.packages import import_module
from tengen.engine.play.actions import Actions, LegalTurns, is_playable
from tengen.engine.play.history import Difference, Keys, apply, difference
from tengen.engine.spec import GameSpec

if TYPE_CHECKING:
    from tengen.engine.board.picture import Picture
    from tengen.engine.play.trials import Trial

MAX_TURNS = 10_000  # far more than a game takes, so that no record or client fills the memory
MAX_TURN_TEXT = 4096  # characters, far more than a turn has
OCCURRENCES = 3  # of a position that make it a draw, in games with `GameSpec.repetition`


class Position(Actions):
    """A position of a game, with the turns that led to it.

    It works like a board of python-chess: `push` plays a turn, `pop` takes it back, `legal_turns` lists what
    can be played. Turns are texts, in the notation of the game. A method that raises leaves the position as
    it was. Positions can be compared, copied and pickled. A position belongs to one thread.

    Parameters
    ----------
    spec : GameSpec, Game or str
        The game, such as ``"go,size=9"`` or ``"gipf:tournament,zertz=3"``. With challenges, the position is
        an `engine.play.challenge.ChallengeGame`.
    text : str, optional
        The position to begin with, as `text` writes it; by default the start of the game.

    Attributes
    ----------
    spec : GameSpec
    state : numpy.record
        The state at the beginning of the turn, as kernels see it; treat as read-only.
    turns_played : tuple of str
        The turns since the start, canonical.
    sides_played : tuple of Side
        Who played each of them.
    past_keys : Keys
        Where repetition draws: the keys of the earlier positions, as far back as one of them may occur again.

    Raises
    ------
    OptionError
        If the spec names no game, or the game for challenges does not go together with its options.
    NotationError, PositionError
        If the text is malformed, or describes an impossible position (all faults are listed).
    """

    plays_challenges: ClassVar[bool] = False
    trial: Trial | None = None  # that decides about an announced turn
    __hash__ = None  # type: ignore[assignment]  # positions change

    def __new__(cls, spec: GameSpec | Game | str, text: str | None = None) -> Self:
        """Return a position that plays with challenges if the spec has any."""
        if not GameSpec.of(spec).challenge or cls.plays_challenges:
            return object.__new__(cls)
        if cls is not Position:
            raise OptionError(f"{cls.__name__}: expected a game without challenges, got {spec}")
        return cast(Self, object.__new__(import_module("tengen.engine.play.challenge").ChallengeGame))

    def __init__(self, spec: GameSpec | Game | str, text: str | None = None) -> None:
        game = GameSpec.of(spec)
        with refusals(spec if text is None else text):
            if text is None:
                self._set_up(game, game.game.rules.start(game.values))
            else:
                require(text, str, "text", "a position as text")
                state = game.game.text.parse_position(game.values, text)
                self._set_up(game, state, state)

    def _set_up(self, spec: GameSpec, state: Any, first: Any = None) -> None:
        """Begin at `state`; `first` is the same unless that is the start of the game."""
        self.spec = spec
        self.state = state
        self.turns_played: tuple[str, ...] = ()
        self.sides_played: tuple[Side, ...] = ()
        self.past_keys = Keys()
        self._first = first
        self._history: list[tuple[Difference, Any]] = []  # by turn: how to go back, see `pop`
        self._named = [(None, None, None)]
        self._lock = threading.Lock()  # held while it changes

    @classmethod
    def of_state(cls, spec: GameSpec, state: Any) -> Self:
        """Return the position at the beginning of a turn that a state of kernels describes.

        Parameters
        ----------
        spec : GameSpec
            The game.
        state : numpy.record
            As the game's rules lay it out; it is kept, not copied.
        """
        made = object.__new__(cls)
        made._set_up(spec, state, state)
        return made

    @classmethod
    def start(cls, spec: GameSpec | Game | str) -> Self:
        """Return the start of a game.

        Parameters
        ----------
        spec
            As for `Position`.
        """
        return cls(spec)

    @classmethod
    def parse(cls, spec: GameSpec | Game | str, text: str) -> Self:
        """Return the position that a text describes.

        Parameters
        ----------
        spec, text
            As for `Position`, which also says what is raised.
        """
        return cls(spec, require(text, str, "text", "a position as text"))

    # -------------------------------------------------------------------------------------- copies and such

    def copy(self) -> Self:
        """Return an independent copy, with its turns."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.copy()
        twin._history = list(self._history)
        twin._lock = threading.Lock()
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same position of the same game, however they came about."""
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.spec == other.spec
            and self.key == other.key
            and self.side_to_move == other.side_to_move
            and (self.challenge, self.text(), self._steps) == (other.challenge, other.text(), other._steps)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the start, and the turns and actions since."""
        played = self.turns_played, self.sides_played, self._steps, self.outcome() == Outcome.ONGOING
        return _replayed, (type(self), str(self.spec), self.start_text, *played)

    # ------------------------------------------------------------------------------------------- what it is

    @property
    def start_text(self) -> str | None:
        """The text of the position to begin with; None for the start of the game."""
        return None if self._first is None else str(self.spec.game.text.format_position(self._first))

    @property
    def ply(self) -> int:
        """The number of turns played since the start."""
        return len(self.turns_played)

    @property
    def key(self) -> int:
        """The Zobrist key of the position, 64 bits, without the turns that led to it."""
        return int(self.state.key)

    @property
    def current(self) -> Position:
        """The position of the game that is on the table: this one, or the one played for a challenge."""
        return self

    @property
    def game(self) -> Game:
        """The game that is on the table."""
        return self.current.spec.game

    @property
    def awaits_answer(self) -> bool:
        """Whether the next turn is none of a game: it answers an announced turn, or ends a trial."""
        return False

    @property
    def in_trial(self) -> bool:
        """Whether the next turn ends a trial (see `engine.play.challenge`)."""
        return self.trial is not None

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
        evaluation = self.game.evaluation
        if evaluation is None or not evaluation.features:
            return self.game.scale
        module = self.game.module("evaluate")
        return evaluation.scale(module.WEIGHTS, int(module.phase(self.current.state)))

    @property
    def side(self) -> Side:
        """The side to move, such as ``white``."""
        return self.spec.game.side(self.side_to_move)

    def outcome(self) -> Outcome:
        """Return the outcome; `Outcome.ONGOING`, which is false, while the game goes on.

        In games that end by agreement (Go) dead stones are removed first.
        """
        game = self.spec.game
        outcome = Outcome(int(game.rules.outcome(self.state)))
        if outcome and game.ends_by_agreement:
            return Outcome(game.module("agreement").agreed_score(self.state).outcome)
        return outcome

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
        return int(self.game.module("evaluate").evaluate(self.current.state))

    def is_over(self) -> bool:
        """Return whether the game is over."""
        return bool(self.spec.game.rules.outcome(self.state))

    def result(self) -> str:
        """Return the final score in GTP notation, such as ``B+5`` or ``0``; ``*`` while the game goes on."""
        return str(self.spec.game.text.result(self.state)) if self.is_over() else "*"

    def winner(self) -> Side | Literal["draw"] | None:
        """Return the side that has won, ``draw``, or None while the game goes on."""
        outcome = self.outcome()
        if outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
            return self.spec.game.side(outcome - Outcome.FIRST_WINS)
        return "draw" if outcome == Outcome.DRAW else None

    def text(self) -> str:
        """Return the canonical text of the position; `parse` reads it back."""
        return str(self.spec.game.text.format_position(self.state))

    def board(self) -> str:
        """Return the board in plain text, several lines."""
        return str(self.spec.game.picture.board(self.state))

    def svg(self) -> str:
        """Return a drawing of the board as SVG."""
        return self.draw().to_svg()

    _repr_svg_ = svg  # shows the board in a notebook

    def __str__(self) -> str:
        return self.board()

    def __repr__(self) -> str:
        return f"Position({str(self.spec)!r}, {self.text()!r})"

    def draw(self) -> Picture:
        """Return the picture of the board of `game`."""
        return self.game.picture.draw(self.current.state)

    def status(self) -> list[str]:
        """Return all faults of the position, in words; empty when it can come about in a game."""
        return list(self.spec.game.text.status(self.state))

    def is_valid(self) -> bool:
        """Return whether `status` finds no fault."""
        return not self.status()

    # ------------------------------------------------------------------------------------------------ turns

    @property
    def legal_turns(self) -> LegalTurns:
        """All legal turns: a sequence that also answers ``turn in position.legal_turns`` quickly."""
        return LegalTurns(self.copy())

    def is_legal(self, turn: str) -> bool:
        """Return whether a turn can be played.

        Parameters
        ----------
        turn : str
            In any spelling that `push` accepts.

        Raises
        ------
        ArgumentError
            If it is not a text.
        """
        return is_playable(self, require(turn, str, "turn", "a turn as text"))

    def peek(self) -> str:
        """Return the last turn.

        Raises
        ------
        PositionError
            If no turn has been played.
        """
        if not self.turns_played:
            raise PositionError(["no turn has been played"])
        return self.turns_played[-1]

    def parse_turn(self, text: str) -> tuple[int, ...]:
        """Return the actions of a turn, as the rules number them.

        Parameters
        ----------
        text : str
            In any spelling that `push` accepts.

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
        known, named, actions = self._named[0]
        if named != text or known.tobytes() != self.state.tobytes():
            actions = self.spec.game.text.parse_turn(self.state, text)
        return tuple(actions)

    def resumed(self) -> Self:
        """Return a copy in which a game that ended by agreement goes on."""
        return self.copy()._resume()

    def _resume(self) -> Self:
        """Resume the game if it ended by agreement."""
        if self.spec.game.ends_by_agreement and self.outcome() != Outcome.ONGOING:
            self.state = self.state.copy()
            self.spec.game.rules.resume(self.state)
        return self

    def push(self, turn: str, side: int | str | None = None) -> str:
        """Play `turn` and return its canonical text; actions of `step` are dropped.

        Parameters
        ----------
        turn : str
            In any spelling that the game's page in docs/ accepts.
        side : int or str, optional
            Who plays it. Only games with set-up play (Go, five in a row) allow the side that is not to move.
            A game that ended by agreement is resumed, as the players may disagree.

        Raises
        ------
        NotationError, IllegalTurnError
            If it cannot be played.
        """
        require(turn, str, "turn", "a turn as text")
        with self._changing(turn) as (state, before):
            if len(self.turns_played) >= MAX_TURNS:
                raise IllegalTurnError(turn, f"expected at most {MAX_TURNS:,} turns in a game")
            mover = self.side if side is None else self._let_play(side, turn)
            actions = self.parse_turn(turn)
            canonical = self.format(actions)
            self.make(actions)
            self._history.append((difference(state, self.state), before))
            self.turns_played += (canonical,)
            self.sides_played += (mover,)
        return canonical

    def _let_play(self, named: int | str, turn: str) -> Side:
        """Return a side, which plays `turn`: the next one, or one more in a game that ended by agreement."""
        game, side = self.spec.game, self.spec.game.side(named)
        if self.awaits_result:
            return side  # either side may tell it
        self._resume()
        if side != self.side and self.outcome() == Outcome.ONGOING:
            if not game.out_of_turn:
                raise IllegalTurnError(turn, f"it is {self.side}'s turn")
            self.state = self.state.copy()
            game.rules.set_side_to_move(self.state, side.number)
        return side

    @contextmanager
    def _changing(self, value: object) -> Iterator[tuple[Any, Any]]:
        """Hold the lock in a block that changes the position by `value`; undo all of it when that raises."""
        if not self._lock.acquire(blocking=False):
            raise TengenError("position: expected one thread to change it, got two at once")
        state, before = self.state, self._snapshot()
        try:
            yield state, before
            self._steps, self._partial = (), None
        except BaseException as error:
            self._restore(state, before)
            if isinstance(error, TengenError):
                error.value, error.position = value, self.copy()
            raise
        finally:
            self._lock.release()

    def _snapshot(self) -> Any:
        """Return what `_restore` needs besides the state; its parts are never changed in place."""
        return self.past_keys

    def _restore(self, state: Any, snapshot: Any) -> None:
        self.state, self.past_keys = state, snapshot

    @property
    def own_turns(self) -> int:
        """Number of turns played in this game itself, by both sides."""
        return len(self.turns_played)

    def make(self, actions: Sequence[int]) -> None:
        """Play a turn, which then cannot be taken back; `push` is for people.

        Parameters
        ----------
        actions : sequence of int
            Those of a legal turn, as the rules number them; they are not checked.
        """
        rules, moved = self.spec.game.rules, self.state.copy()
        for action in actions:
            rules.do_move(moved, action)
        if self.spec.repetition:
            self.past_keys = self.past_keys.appended(self.key) if rules.may_repeat(moved) else Keys()
            if self.past_keys.count(int(moved.key)) >= OCCURRENCES - 1:
                rules.draw_by_repetition(moved)
        self.state = moved

    def pop(self) -> str:
        """Take the last turn back and return its text; actions of `step` are dropped.

        Raises
        ------
        PositionError
            If no turn has been played.
        """
        with self._changing(None):
            if not self._history:
                raise PositionError(["there is no turn to take back"])
            changes, before = self._history.pop()
            self._restore(apply(changes, self.state), before)
            turn = self.turns_played[-1]
            self.turns_played, self.sides_played = self.turns_played[:-1], self.sides_played[:-1]
        return turn


def _replayed(kind: type[Position], spec: str, text: str | None, *played: Any) -> Any:
    """Return the position that was pickled, perhaps by version 0.2.0, which did not tell `goes_on`."""
    position, (turns, sides, steps, *goes_on) = kind(spec, text), played
    for side, turn in zip(sides, turns, strict=True):
        position.push(turn, side if position.spec.game.out_of_turn else None)
    position.sides_played = tuple(position.spec.game.side(side) for side in sides)
    for action in steps:
        position.step(int(position.action_space.dense[action]))
    return position._resume() if any(goes_on) else position
