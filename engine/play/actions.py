"""Turns as actions, and listed; what a position offers to programs that learn: numbered actions, planes.

NumPy is imported when it is first needed, as in `engine.play.history`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self, overload

from tengen.engine.errors import IllegalTurnError, OptionError, TengenError, refusals, require, whole_number
from tengen.engine.game import Outcome
from tengen.engine.play.turns import legal_actions, turn_sequences, without_padding
from tengen.engine.spec import GameSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tengen.engine.arrays import ActionSpace
    from tengen.engine.play.position import Position


class Actions:
    """The part of `engine.play.position.Position` that knows turns as actions; the rest is declared here.

    In games whose turns have several actions, `step` begins a turn, which `push` and `pop` drop.
    """

    spec: GameSpec
    state: Any
    _steps: tuple[int, ...] = ()  # actions of a turn that `step` has begun, as the rules number them
    _partial: Any = None  # the state after them
    # State, text and actions of the turn that `LegalTurns` has named last, so that `push` need not parse it;
    # copies share the list, of which they are the only item
    _named: list[Any]

    if TYPE_CHECKING:

        def copy(self) -> Self: ...  # noqa: D102
        def push(self, turn: str, side: int | str | None = None) -> str: ...  # noqa: D102
        def parse_turn(self, text: str) -> tuple[int, ...]: ...  # noqa: D102
        def end_reason(self) -> str: ...  # noqa: D102

    @property
    def action_space(self) -> ActionSpace:
        """The numbering of the actions from 0, and the planes of observations.

        Raises
        ------
        OptionError
            If the game has challenges.
        """
        from tengen.engine.arrays import action_space

        if self.spec.challenge:
            raise OptionError(f"actions: expected a game without challenges, got {self.spec}")
        return action_space(self.spec)

    @property
    def num_actions(self) -> int:
        """The number of different actions of this game: they are numbered from 0."""
        return self.action_space.size

    @property
    def steps(self) -> tuple[int, ...]:
        """The actions, so far, of a turn that `step` has begun, as the rules number them."""
        return self._steps

    @property
    def stepped_state(self) -> Any:
        """The state as kernels see it, a record, after the actions of `step`; treat as read-only."""
        return self.state if self._partial is None else self._partial

    def turn_actions(self) -> Iterator[tuple[int, ...]]:
        """Yield every legal turn as its actions; of turns to the same position only the canonical one."""
        game = self.spec.game
        if game.rules.MERGES_TRANSPOSITIONS:
            return game.text.canonical_turns(self.state)
        if game.rules.MULTI_ACTION_TURNS:
            return (actions for actions, _ in turn_sequences(game.rules, self.state))
        return zip(legal_actions(game.rules, self.state))

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
        """Return the text of a turn.

        Parameters
        ----------
        actions : tuple of int
            Those of a legal turn, as the rules number them.
        """
        known, text, named = self._named[0]
        if named == actions and known.tobytes() == self.state.tobytes():
            return str(text)
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

        Parameters
        ----------
        actions : sequence of int
            Legal ones, as the rules number them; a turn that is begun at the end is left out.
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

    def legal_actions(self) -> list[int]:
        """Return the actions that can be played next: of most games a turn is one, of others several."""
        state, rules = self.stepped_state, self.spec.game.rules
        if self.end_reason() or rules.outcome(state):
            return []
        listed: list[int] = self.action_space.dense[legal_actions(rules, state)].tolist()
        return listed

    def step(self, action: int) -> str:
        """Play one action; return the text of the turn that it completes, or an empty text.

        Parameters
        ----------
        action : int
            One of `legal_actions`.

        Raises
        ------
        IllegalTurnError
            If it is another one.
        """
        number = whole_number(action, "action")
        with refusals(action, self):
            legal = self.legal_actions()
            if number not in legal:
                raise IllegalTurnError(str(number), f"expected one of {len(legal)} legal actions")
        state = self.stepped_state.copy()
        raw = int(self.action_space.raw[number])
        self.spec.game.rules.do_move(state, raw)
        steps = (*self._steps, raw)
        if not state["partial"]:
            return self.push(self.format(steps))
        self._steps, self._partial = steps, state
        return ""

    def action_of(self, turn: str) -> tuple[int, ...]:
        """Return the actions of a turn: one, or several in games whose turns have parts.

        Parameters
        ----------
        turn : str
            In any spelling that `push` accepts.

        Raises
        ------
        NotationError, IllegalTurnError
            If it cannot be played.
        """
        require(turn, str, "turn", "a turn as text")
        with refusals(turn, self):
            return tuple(int(self.action_space.dense[action]) for action in self.parse_turn(turn))

    def turn_of(self, actions: int | Sequence[int]) -> str:
        """Return the text of a legal turn.

        Parameters
        ----------
        actions : int or sequence of int
            All that it consists of, in order, numbered as `action_of` does.

        Raises
        ------
        IllegalTurnError
            If they are not a legal turn.
        """
        listed = [actions] if not isinstance(actions, Sequence) else list(actions)
        twin = self.copy()
        twin._steps, twin._partial = (), None
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

    def observation(self, side: int | str | None = None) -> NDArray[np.float32]:
        """Return the position as planes for a side, float32, shape (planes, rows, columns).

        Row 0 and column 0 are those of the first point of the board.

        Parameters
        ----------
        side : int or str, optional
            0, 1, a name or a letter; by default the side to move.

        Raises
        ------
        ArgumentError, OptionError
            If the game offers none, or has no such side.
        """
        import numpy as np

        states = np.array([self.stepped_state], self.spec.game.rules.STATE)
        if side is not None:
            states["side_to_move"] = self.spec.game.side(side).number
        planes: NDArray[np.float32] = self.action_space.observe(states)[0]
        return planes


class LegalTurns(Sequence[str]):
    """The legal turns of a position at the moment of asking, in a fixed order.

    They are found when first needed, and each becomes a text when it is asked for. The index of a turn here
    is its number as a single action, if a turn has several (`docs/python.md`).
    """

    __hash__ = None  # type: ignore[assignment]  # equal to a list

    def __init__(self, position: Position) -> None:
        self._position = position
        self._turns: Sequence[Sequence[int]] | None = None  # their actions, and `NO_ACTION` behind them

    def _listed(self) -> Sequence[Sequence[int]]:
        if self._turns is None:
            position, rules = self._position, self._position.game.rules
            if position.outcome() != Outcome.ONGOING:
                self._turns = []
            elif position.awaits_answer or not rules.MULTI_ACTION_TURNS or rules.MERGES_TRANSPOSITIONS:
                self._turns = list(position.turn_actions())
            else:
                from tengen.engine.jit import specialise  # here: it imports numba

                kernels = specialise("tengen.engine.play.turn_table", rules)
                self._turns = kernels.turn_table(position.current.state)[0]
        return self._turns

    def _text(self, turn: Sequence[int]) -> str:
        position, actions = self._position, without_padding(turn)
        text = position.format(actions)
        if not position.awaits_answer:
            position.current._named[0] = position.current.state, text, actions
        return text

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return list(map(self._text, self._listed()[index]))
        return self._text(self._listed()[index])

    def __len__(self) -> int:
        return len(self._listed())

    def __iter__(self) -> Iterator[str]:
        return map(self._text, self._listed())

    def __eq__(self, other: object) -> bool:
        """Return whether `other`, perhaps a list, has the same turns in the same order."""
        return list(self) == list(other) if isinstance(other, LegalTurns | list) else NotImplemented

    def __contains__(self, turn: object) -> bool:
        """Return whether `turn` is legal, in any spelling; faster than to list all turns."""
        return isinstance(turn, str) and is_playable(self._position, turn)

    def count(self, turn: object) -> int:
        """Return 1 if `turn`, in any spelling, is in the list, else 0."""
        return int(turn in self)

    def index(self, turn: str, start: int = 0, stop: int | None = None) -> int:
        """Return the place of `turn`, in any spelling, in the list.

        Raises
        ------
        NotationError, IllegalTurnError
            If the turn is not legal.
        """
        turns = list(map(without_padding, self._listed()))
        return turns.index(self._position.parse_turn(turn), start, len(turns) if stop is None else stop)

    def __repr__(self) -> str:
        return f"<LegalTurns {' '.join(self)}>"


def is_playable(position: Position, turn: str) -> bool:
    """Return whether `turn` can be played in `position`."""
    try:
        if position.outcome() != Outcome.ONGOING:
            return False
        position.parse_turn(turn)
    except TengenError:
        return False
    return True
