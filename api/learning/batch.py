"""Many games of one spec at once, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tengen.api.arguments import spec_of, whole_number
from tengen.api.errors import ArgumentError, argument_error
from tengen.api.position import Position
from tengen.engine.errors import OptionError
from tengen.engine.game import Game, GameSpec

if TYPE_CHECKING:
    from tengen.search.batch import Games

MAX_GAMES = 1 << 24
MAX_THREADS = 256


class Batch:
    """Many games of one spec, played side by side in compiled code, over all cores and without the GIL.

    In games whose turns have several actions, a step is one of them, and the same side stays to move until
    its turn is complete. In games that end by agreement (Go), all stones count as alive at the end.

    Parameters
    ----------
    spec : GameSpec, Game or str
        Without challenges.
    games : int
        Their number.
    threads : int, optional
        By default one on each processor.
    seed : int
        Of `sample` and `playouts`.
    """

    def __init__(
        self, spec: GameSpec | Game | str, games: int, *, threads: int | None = None, seed: int = 0
    ) -> None:
        game = spec_of(spec)
        if not 1 <= whole_number(games, "games") <= MAX_GAMES:
            raise OptionError(f"games: expected 1 to {MAX_GAMES}, got {games}")
        start = _start(game)
        states = np.zeros(games, start.dtype)
        states[:] = start
        self._set_up(game, states, threads, seed)

    def _set_up(self, spec: GameSpec, states: NDArray[Any], threads: int | None, seed: int) -> None:
        from tengen.search.batch import Games

        if threads is not None and not 1 <= whole_number(threads, "threads") <= MAX_THREADS:
            raise OptionError(f"threads: expected 1 to {MAX_THREADS}, got {threads}")
        self._games: Games = Games(spec, states, threads, whole_number(seed, "seed"))

    @classmethod
    def of(cls, positions: Sequence[Position], *, threads: int | None = None, seed: int = 0) -> Batch:
        """Return a batch of games that go on from `positions`, all of one spec, without the turns before."""
        if not positions:
            raise OptionError("positions: expected at least one, got none")
        for position in positions:
            if not isinstance(position, Position):
                raise argument_error(position, "positions", "tengen.Position objects")
            if position.spec != positions[0].spec:
                raise OptionError(
                    f"positions: expected all of {positions[0].spec}, got one of {position.spec}"
                )
        spec = positions[0].spec
        states = np.zeros(len(positions), _start(spec).dtype)
        for index, position in enumerate(positions):
            states[index] = position.state
        batch = cls.__new__(cls)
        batch._set_up(spec, states, threads, seed)
        return batch

    @property
    def spec(self) -> GameSpec:
        """The game with its variant and options."""
        return self._games.spec

    @property
    def states(self) -> NDArray[Any]:
        """The states, a structured array; treat as read-only."""
        return self._games.states

    @property
    def num_actions(self) -> int:
        """The number of different actions of this game."""
        return self._games.space.size

    @property
    def planes(self) -> tuple[str, ...]:
        """What the planes of an observation hold."""
        return self._games.space.planes

    @property
    def side_to_move(self) -> NDArray[np.int8]:
        """Whose turn it is in every game: 0 the first side's, 1 the second's."""
        return np.asarray(self.states["side_to_move"], np.int8)

    @property
    def outcomes(self) -> NDArray[np.int8]:
        """The `Outcome` of every game as a number; 0 while it goes on."""
        return self._games.outcomes()

    def legal_mask(self) -> NDArray[np.bool_]:
        """Return which actions are legal, bool, shape (games, num_actions); none in finished games."""
        return self._games.legal_mask()

    def observation(self) -> NDArray[np.float32]:
        """Return all positions as planes for their sides to move, shape (games, planes, rows, columns)."""
        return self._games.space.observe(self.states)

    def sample(self) -> NDArray[np.int32]:
        """Return a random legal action of every game; -1 for finished ones."""
        return self._games.sample()

    def step(self, actions: ArrayLike, *, check: bool = True) -> None:
        """Play one action in every game; those of finished games are ignored.

        Parameters
        ----------
        actions : array of int, shape (games,)
        check : bool
            Whether to look first whether all are legal. Without it, illegal actions have undefined results.

        Raises
        ------
        IllegalTurnError
            If an action is not legal; nothing has been played then.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (len(self),) or chosen.dtype.kind not in "iu":
            got = f"{chosen.dtype} of shape {chosen.shape}"
            raise ArgumentError(f"actions: expected {len(self)} whole numbers, got {got}")
        self._games.step(chosen, check)

    def reset(self, games: ArrayLike | None = None) -> None:
        """Begin games anew: those where `games` (bool) is true, by default all finished ones."""
        chosen = self.outcomes != 0 if games is None else np.asarray(games)
        if chosen.shape != (len(self),) or chosen.dtype != np.bool_:
            raise ArgumentError(
                f"games: expected {len(self)} booleans, got {chosen.dtype} of shape {chosen.shape}"
            )
        self._games.replace(chosen, _start(self.spec))

    def playouts(self, count: int = 1) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """Play random games from every position to the end; the positions stay as they are.

        A playout of more than 4096 actions is a draw. Repeated positions do not end one.

        Parameters
        ----------
        count : int
            Playouts from each position.

        Returns
        -------
        outcomes : ndarray of int8, shape (games, count)
        lengths : ndarray of int32, shape (games, count)
            Actions played.
        """
        if whole_number(count, "count") < 1:
            raise OptionError(f"count: expected at least 1, got {count}")
        return self._games.playouts(count)

    def position(self, index: int) -> Position:
        """Return one of the positions, without the turns that led to it, at the beginning of a turn.

        Raises
        ------
        OptionError
            If there is no such game, or a turn is unfinished there.
        """
        if not -len(self) <= whole_number(index, "index") < len(self):
            raise OptionError(f"index: expected a game from 0 to {len(self) - 1}, got {index}")
        state = self.states[index]
        if state["partial"]:
            raise OptionError(f"index: expected a game between two turns, got {index}, within a turn")
        return Position.parse(self.spec, str(self.spec.game.text.format_position(state)))

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} games of {self.spec}>"


def _start(spec: GameSpec) -> Any:
    """Return the first state of a game.

    Raises
    ------
    OptionError
        If it has challenges.
    """
    if spec.challenge:
        raise OptionError(f"batch: expected a game without challenges, got {spec}")
    return spec.game.rules.start(spec.values)
