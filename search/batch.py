"""Many games of one spec at once, as arrays."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tengen.engine.arrays import action_space
from tengen.engine.errors import (
    ArgumentError,
    IllegalTurnError,
    OptionError,
    TengenError,
    argument_error,
    whole_number,
)
from tengen.engine.game import Game
from tengen.engine.jit import specialise
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.xorshift import seed_word
from tengen.search.binding import bound

# Least games of a thread: to start it takes about 35 us, an action of a game 0.02 to 0.6 us.
MIN_SHARE = 1024
MIN_PLAYOUTS = 32
MAX_GAMES = 1 << 24
MAX_THREADS = 256
ROOM = 64  # keys of earlier positions of a game, at first


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
        game = GameSpec.of(spec)
        if not 1 <= whole_number(games, "games") <= MAX_GAMES:
            raise OptionError(f"games: expected 1 to {MAX_GAMES}, got {games}")
        start = _start(game)
        states = np.zeros(games, start.dtype)
        states[:] = start
        self._set_up(game, states, threads, seed)

    def _set_up(self, spec: GameSpec, states: NDArray[Any], threads: int | None, seed: int) -> None:
        if threads is not None and not 1 <= whole_number(threads, "threads") <= MAX_THREADS:
            raise OptionError(f"threads: expected 1 to {MAX_THREADS}, got {threads}")
        self.spec, self.states = spec, states
        self._threads = threads or os.cpu_count() or 1
        self._prepare()
        self._scratch = np.zeros(self._threads, self._kernels.SCRATCH)
        for number, scratch in enumerate(self._scratch):
            scratch["random"] = seed_word(whole_number(seed, "seed") * self._threads + number)
        if spec.repetition:
            self._turn_keys = states["key"].copy()
            self._past = np.zeros((len(states), ROOM), np.uint64)
            self._counts = np.zeros(len(states), np.int32)

    def _prepare(self) -> None:
        """Load what a pickle or a copy does not hold."""
        self._space = action_space(self.spec)
        self._kernels = specialise("tengen.search.batch_kernels", bound(self.spec.game))
        self._pool: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle or a copy holds: the games and their random numbers."""
        made_anew = {"_space", "_kernels", "_pool", "_process"}
        return {name: value for name, value in self.__dict__.items() if name not in made_anew}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        if self.states.dtype != _start(self.spec).dtype:
            raise TengenError("batch: expected one that this version has pickled, got one of another version")
        self._prepare()

    @classmethod
    def of(cls, positions: Sequence[Position], *, threads: int | None = None, seed: int = 0) -> Self:
        """Return a batch of games that go on from positions, without the turns before.

        Parameters
        ----------
        positions : sequence of Position
            At least one, all of one spec; also within a turn.
        threads, seed
            As for `Batch`.
        """
        if not isinstance(positions, Sequence):
            raise argument_error(positions, "positions", "a sequence of tengen.Position")
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
            states[index] = position.stepped_state
        return cls.of_states(spec, states, threads=threads, seed=seed)

    @classmethod
    def of_states(
        cls, spec: GameSpec, states: NDArray[Any], *, threads: int | None = None, seed: int = 0
    ) -> Self:
        """Return a batch of games that go on from states of kernels.

        Parameters
        ----------
        spec : GameSpec
            Without challenges.
        states : structured ndarray, shape (games,)
            As the game's rules lay them out; they are played on in place.
        threads, seed
            As for `Batch`.
        """
        batch = cls.__new__(cls)
        batch._set_up(spec, states, threads, seed)
        return batch

    @property
    def num_actions(self) -> int:
        """The number of different actions of this game."""
        return self._space.size

    @property
    def planes(self) -> tuple[str, ...]:
        """What the planes of an observation hold."""
        return self._space.planes

    @property
    def side_to_move(self) -> NDArray[np.int8]:
        """Whose turn it is in every game: 0 the first side's, 1 the second's."""
        return np.array(self.states["side_to_move"], np.int8)  # a copy: a step changes the states

    @property
    def outcomes(self) -> NDArray[np.int8]:
        """The `Outcome` of every game as a number; 0 while it goes on."""
        results = np.empty(len(self), np.int8)
        self._share(lambda t, a, b: self._kernels.outcomes(self.states, results, a, b))
        return results

    def legal_mask(self) -> NDArray[np.bool_]:
        """Return which actions are legal, bool, shape (games, num_actions); none in finished games."""
        mask = np.empty((len(self), self.num_actions), np.bool_)
        self._share(lambda t, a, b: self._kernels.mark_legal(t, self.states, self._space.dense, mask, a, b))
        return mask

    def observation(self) -> NDArray[np.float32]:
        """Return all positions as planes for their sides to move, shape (games, planes, rows, columns)."""
        return self._space.observe(self.states)

    def sample(self) -> NDArray[np.int32]:
        """Return a random legal action of every game; -1 for finished ones."""
        chosen = np.empty(len(self), np.int32)
        self._share(lambda t, a, b: self._kernels.sample(t, self.states, self._space.dense, chosen, a, b))
        return chosen

    def step(self, actions: ArrayLike, *, check: bool = True) -> None:
        """Play one action in every game; those of finished games are ignored.

        Parameters
        ----------
        actions : array of int, shape (games,)
            As `legal_mask` numbers them.
        check : bool
            Whether to look first whether all are legal. Without it, illegal actions have undefined results.

        Raises
        ------
        IllegalTurnError
            If an action is not legal; nothing has been played then.
        """
        given = np.asarray(actions)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            got = f"{given.dtype} of shape {given.shape}"
            raise ArgumentError(f"actions: expected {len(self)} whole numbers, got {got}")
        raw = self._space.raw
        within = (given >= 0) & (given < self._space.size)
        chosen = np.where(within, given, -1).astype(np.int32)
        if check:
            ends = self._share(
                lambda t, a, b: (self._kernels.find_illegal(t, self.states, raw, chosen, a, b), b)
            )
            for found, end in ends:
                if found != end:
                    raise IllegalTurnError(str(int(given[found])), f"expected a legal action in game {found}")
        self._share(lambda t, a, b: self._kernels.step(self.states, raw, chosen, a, b))
        if self.spec.repetition:
            self._draw_repetitions()

    def _draw_repetitions(self) -> None:
        """End the games in which a position has come about for the third time."""
        if int(self._counts.max(initial=0)) + 1 >= self._past.shape[1]:
            self._past = np.concatenate([self._past, np.zeros_like(self._past)], axis=1)
        drawn = np.empty(len(self.states), np.bool_)
        keys, past, counts = self._turn_keys, self._past, self._counts
        note = self._kernels.note_repetition
        self._share(lambda t, a, b: note(self.states, keys, past, counts, drawn, a, b))
        for index in np.flatnonzero(drawn):
            self.spec.game.rules.draw_by_repetition(self.states[index])

    def reset(self, games: ArrayLike | None = None) -> None:
        """Begin games anew.

        Parameters
        ----------
        games : array of bool, shape (games,), optional
            Those where it is true; by default all finished ones.
        """
        chosen = self.outcomes != 0 if games is None else np.asarray(games)
        if chosen.shape != (len(self),) or chosen.dtype != np.bool_:
            raise ArgumentError(
                f"games: expected {len(self)} booleans, got {chosen.dtype} of shape {chosen.shape}"
            )
        start = _start(self.spec)
        self.states[chosen] = start
        if self.spec.repetition:
            self._turn_keys[chosen] = start["key"]
            self._counts[chosen] = 0

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
        shape = (len(self), count)
        results, lengths = np.empty(shape, np.int8), np.empty(shape, np.int32)
        play = self._kernels.playouts
        self._share(lambda t, a, b: play(t, self.states, results, lengths, a, b), MIN_PLAYOUTS)
        return results, lengths

    def position(self, index: int) -> Position:
        """Return one of the positions, without the turns that led to it, at the beginning of a turn.

        Parameters
        ----------
        index : int
            Of the game, from 0; negative ones count from the end.

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

    def _share(self, work: Callable[[Any, int, int], Any], least: int = MIN_SHARE) -> list[Any]:
        """Return ``work(scratch, first, last)`` for parts of at least `least` games, each in a thread."""
        games = len(self.states)
        parts = max(1, min(self._threads, games // least))
        ends = [games * number // parts for number in range(parts + 1)]
        jobs = [(self._scratch[n], ends[n], ends[n + 1]) for n in range(parts)]
        if parts == 1:
            return [work(*jobs[0])]
        if self._pool is None or self._process != os.getpid():  # threads do not outlive a fork
            self._pool, self._process = ThreadPoolExecutor(self._threads, "tengen batch"), os.getpid()
        return list(self._pool.map(lambda job: work(*job), jobs))

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} games of {self.spec}>"


def _start(spec: GameSpec) -> Any:
    """Return the first state of a game; raise OptionError if it has challenges."""
    if spec.challenge:
        raise OptionError(f"batch: expected a game without challenges, got {spec}")
    return spec.game.rules.start(spec.values)
