"""A game in progress, as the library offers it: turns as texts, actions as numbers, pictures."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from tengen.api.arguments import side_number, spec_of, whole_number
from tengen.api.errors import refusals, require
from tengen.api.legal_turns import LegalTurns, is_playable
from tengen.engine.errors import IllegalTurnError, OptionError, PositionError, TengenError
from tengen.engine.game import Game, GameSpec, Outcome

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Position:
    """A position of a game, with the turns that led to it.

    It works like a board of python-chess: `push` plays a turn, `pop` takes it back, `legal_turns` lists what
    can be played. Turns are texts, in the notation of the game. A method that raises leaves the position as
    it was. Positions can be compared, copied and pickled. A position belongs to one thread.

    Parameters
    ----------
    spec : GameSpec, Game or str
        The game, such as ``"go,size=9"`` or ``"gipf:tournament,zertz=3"``.
    text : str, optional
        The position to begin with, as `text` writes it; by default the start of the game.

    Raises
    ------
    OptionError
        If the spec names no game.
    NotationError, PositionError
        If the text is malformed, or describes an impossible position.
    """

    __hash__ = None  # type: ignore[assignment]  # positions change

    def __init__(self, spec: GameSpec | Game | str, text: str | None = None) -> None:
        from tengen.engine.play.challenge import begin

        game = spec_of(spec)
        if text is not None:
            require(text, str, "text", "a position as text")
        with refusals(text if text is not None else spec):
            self._inner = begin(game, text)
        self._lock = threading.Lock()  # held while it changes
        self._text = text
        self._sides: list[int] = []
        self._steps: list[int] = []  # actions of a turn that has been begun
        self._partial: Any = None  # the state after them

    @classmethod
    def start(cls, spec: GameSpec | Game | str) -> Self:
        """Return the start of the game that `spec` names."""
        return cls(spec)

    @classmethod
    def parse(cls, spec: GameSpec | Game | str, text: str) -> Self:
        """Return the position that `text` describes."""
        return cls(spec, require(text, str, "text", "a position as text"))

    # ------------------------------------------------------------------------------------------- what it is

    @property
    def spec(self) -> GameSpec:
        """The game with its variant and options."""
        return self._inner.spec

    @property
    def game(self) -> Game:
        """The game."""
        return self._inner.spec.game

    @property
    def side_to_move(self) -> int:
        """The side to move: 0 the first side, 1 the second."""
        return self._inner.side_to_move

    @property
    def side(self) -> str:
        """The name of the side to move, such as ``white``."""
        return self._inner.side

    @property
    def turns_played(self) -> tuple[str, ...]:
        """The turns since the start, canonical."""
        return tuple(self._inner.turns_played)

    @property
    def sides_played(self) -> tuple[int, ...]:
        """Who played each of `turns_played`, 0 or 1."""
        return tuple(self._sides)

    @property
    def start_text(self) -> str | None:
        """The text of the position to begin with; None for the start of the game."""
        return self._text

    @property
    def ply(self) -> int:
        """The number of turns played since the start."""
        return len(self._inner.turns_played)

    @property
    def key(self) -> int:
        """The Zobrist key of the position, 64 bits, without the turns that led to it."""
        return int(self._inner.state.key)

    @property
    def challenge(self) -> str:
        """The state of a challenge: ``none``, ``announced TURN`` or ``playing GAME for TURN``."""
        return self._inner.challenge

    def text(self) -> str:
        """Return the canonical text of the position; `parse` reads it back."""
        return self._inner.text()

    def status(self) -> list[str]:
        """Return all faults of the position, in words; empty when it can come about in a game."""
        return self._inner.status()

    def is_valid(self) -> bool:
        """Return whether `status` finds no fault."""
        return not self.status()

    def outcome(self) -> Outcome:
        """Return the outcome; `Outcome.ONGOING`, which is false, while the game goes on.

        In games that end by agreement (Go) dead stones are removed first.
        """
        return self._inner.outcome()

    def is_over(self) -> bool:
        """Return whether the game is over."""
        return self.outcome() != Outcome.ONGOING

    def winner(self) -> str | None:
        """Return the name of the side that has won, ``draw``, or None while the game goes on."""
        return self._inner.winner() or None

    def result(self) -> str:
        """Return the final score in GTP notation, such as ``B+5`` or ``0``; ``*`` while the game goes on."""
        return self._inner.result() if self.is_over() else "*"

    def evaluate(self) -> int:
        """Return the static evaluation, centi-points for the side to move; nothing is searched."""
        return self._inner.evaluate()

    # ------------------------------------------------------------------------------------------------ turns

    @property
    def legal_turns(self) -> LegalTurns:
        """All legal turns: a sequence that also answers ``turn in position.legal_turns`` quickly."""
        return LegalTurns(self._inner.copy())

    def is_legal(self, turn: str) -> bool:
        """Return whether `turn` can be played.

        Raises
        ------
        ArgumentError
            If it is not a text.
        """
        return is_playable(self._inner, require(turn, str, "turn", "a turn as text"))

    def push(self, turn: str, side: int | str | None = None) -> str:
        """Play `turn`, in any spelling, and return its canonical text; actions of `step` are dropped.

        Parameters
        ----------
        turn : str
        side : int or str, optional
            Who plays it. Only games with set-up play (Go, five in a row) allow the side that is not to move.

        Raises
        ------
        NotationError, IllegalTurnError
            If it cannot be played.
        """
        require(turn, str, "turn", "a turn as text")
        with refusals(turn, self):
            number = None if side is None else side_number(self.game, side)
            with self._changing():
                mover = self.side_to_move if number is None else number
                played = self._inner.play(turn, number)
                self._sides.append(mover)
                self._drop_steps()
        return played

    def pop(self) -> str:
        """Take the last turn back and return its text; actions of `step` are dropped.

        Raises
        ------
        PositionError
            If no turn has been played.
        """
        with refusals(None, self), self._changing():
            turn = self._inner.undo()
            self._sides.pop()
            self._drop_steps()
        return turn

    def peek(self) -> str:
        """Return the last turn.

        Raises
        ------
        PositionError
            If no turn has been played.
        """
        if not self._sides:
            raise PositionError(["no turn has been played"])
        return self._inner.turns_played[-1]

    # ---------------------------------------------------------------------------------------------- actions

    @property
    def num_actions(self) -> int:
        """The number of different actions of this game: they are numbered from 0."""
        return int(self._space.size)

    @property
    def steps(self) -> tuple[int, ...]:
        """The actions, so far, of a turn that `step` has begun."""
        return tuple(self._steps)

    def legal_actions(self) -> list[int]:
        """Return the actions that can be played next: of most games a turn is one, of others several."""
        import numpy as np

        state, rules = self.state, self.game.rules
        if self._inner.end_reason() or rules.outcome(state):
            return []
        actions = np.empty(rules.MAX_ACTIONS, np.int32)
        count = rules.generate(state, actions)
        listed: list[int] = self._space.dense[actions[:count]].tolist()
        return listed

    def step(self, action: int) -> str:
        """Play one action; return the text of the turn that it completes, or an empty text.

        Raises
        ------
        IllegalTurnError
            If the action is not among `legal_actions`.
        """
        number = whole_number(action, "action")
        with refusals(action, self):
            legal = self.legal_actions()
            if number not in legal:
                raise IllegalTurnError(str(number), f"expected one of {len(legal)} legal actions")
        state, rules = self.state.copy(), self.game.rules
        raw = int(self._space.raw[number])
        rules.do_move(state, raw)
        steps = [*self._steps, raw]
        if state["partial"]:
            self._steps, self._partial = steps, state
            return ""
        return self.push(self._inner.format(tuple(steps)))

    def action_of(self, turn: str) -> tuple[int, ...]:
        """Return the actions of `turn`: one, or several in games whose turns have parts.

        Raises
        ------
        NotationError, IllegalTurnError
            If it cannot be played.
        """
        require(turn, str, "turn", "a turn as text")
        with refusals(turn, self):
            return tuple(int(self._space.dense[action]) for action in self._inner.parse_turn(turn))

    def turn_of(self, actions: int | Sequence[int]) -> str:
        """Return the text of the legal turn that consists of `actions`.

        Raises
        ------
        IllegalTurnError
            If they are not a legal turn.
        """
        listed = [actions] if not isinstance(actions, Sequence) else list(actions)
        twin = self.copy()
        twin._drop_steps()
        turn = ""
        with refusals(actions, self):
            for action in listed:
                if turn:
                    raise IllegalTurnError(str(action), "the turn is complete")
                turn = twin.step(action)
            if not turn:
                raise IllegalTurnError(" ".join(map(str, listed)), "the turn is not complete")
        return turn

    def legal_mask(self) -> NDArray[np.bool_]:
        """Return which actions can be played next, bool, shape (num_actions,)."""
        import numpy as np

        mask = np.zeros(self.num_actions, np.bool_)
        mask[self.legal_actions()] = True
        return mask

    def observation(self) -> NDArray[np.float32]:
        """Return the position as planes for the side to move, float32, shape (planes, rows, columns).

        `observation_planes` names them; row 0 and column 0 are those of the first point of the board.

        Raises
        ------
        OptionError
            If the game offers none.
        """
        import numpy as np

        states = np.array([self.state], self.game.rules.STATE)
        planes: NDArray[np.float32] = self._space.observe(states)[0]
        return planes

    @property
    def _space(self) -> Any:
        """The numbering of the actions."""
        from tengen.engine.arrays import action_space

        if self.spec.challenge:
            raise OptionError(f"actions: expected a game without challenges, got {self.spec}")
        return action_space(self.spec)

    @property
    def state(self) -> Any:
        """The state as kernels see it, a record, after the actions of `step`; treat as read-only."""
        return self._inner.state if self._partial is None else self._partial

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Change the position in the block, which one thread at a time may do."""
        if not self._lock.acquire(blocking=False):
            raise TengenError("position: expected one thread to change it, got two at once")
        try:
            yield
        finally:
            self._lock.release()

    def _drop_steps(self) -> None:
        self._steps, self._partial = [], None

    # ------------------------------------------------------------------------------------------- for people

    def board(self) -> str:
        """Return the board in plain text, several lines."""
        return self._inner.board()

    def svg(self) -> str:
        """Return a drawing of the board as SVG."""
        return self._inner.draw().to_svg()

    def _repr_svg_(self) -> str:
        """Show the board in a notebook."""
        return self.svg()

    def __str__(self) -> str:
        return self.board()

    def __repr__(self) -> str:
        return f"Position({str(self.spec)!r}, {self.text()!r})"

    # -------------------------------------------------------------------------------------- copies and such

    def copy(self) -> Self:
        """Return an independent copy, with its turns."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._lock = threading.Lock()
        twin._inner = self._inner.copy()
        twin._sides = list(self._sides)
        twin._steps = list(self._steps)
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

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle holds: the start, and the turns since."""
        turns = list(zip(self._sides, self._inner.turns_played, strict=True))
        return {
            "spec": str(self.spec),
            "text": self._text,
            "turns": turns,
            "steps": list(self._steps),
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        Position.__init__(self, kept["spec"], kept["text"])
        for side, turn in kept["turns"]:
            self._inner.play(turn, side if self.game.out_of_turn else None)
            self._sides.append(side)
        for action in kept["steps"]:
            self.step(int(self._space.dense[action]))
