"""Many games of one spec, played side by side."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.arrays import action_space
from tengen.engine.errors import IllegalTurnError
from tengen.engine.game import GameSpec
from tengen.engine.jit import specialise
from tengen.engine.xorshift import seed_word
from tengen.search.binding import bound

# Least games of a thread: to start it takes about 35 us, an action of a game 0.02 to 0.6 us.
MIN_SHARE = 1024
MIN_PLAYOUTS = 32
ROOM = 64  # keys of earlier positions of a game, at first


class Games:
    """Many games of one spec, played side by side, in threads.

    Parameters
    ----------
    spec : GameSpec
        Without challenges.
    states : ndarray of STATE
        One for each game; it is played on in place.
    threads : int
        None for one on each processor.
    seed : int
        Of random actions.
    """

    def __init__(
        self, spec: GameSpec, states: NDArray[Any], threads: int | None = None, seed: int = 0
    ) -> None:
        self.spec, self.states = spec, states
        self.space = action_space(spec)
        self._bound = bound(spec.game)
        self._kernels = specialise("tengen.search.batch_kernels", self._bound)
        self._threads = threads or os.cpu_count() or 1
        self._scratch = np.zeros(self._threads, self._kernels.SCRATCH)
        self._pool: ThreadPoolExecutor | None = None
        self._process = os.getpid()
        self.seed(seed)
        if spec.repetition:
            self._turn_keys = states["key"].copy()
            self._past = np.zeros((len(states), ROOM), np.uint64)
            self._counts = np.zeros(len(states), np.int32)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle or a copy holds: the games and their random numbers."""
        own = {"space", "_bound", "_kernels", "_pool", "_process"}  # made anew
        return {name: value for name, value in self.__dict__.items() if name not in own}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        Games.__init__(self, kept["spec"], kept["states"], kept["_threads"])
        self.__dict__.update(kept)

    def seed(self, seed: int) -> None:
        """Seed the random actions; they also depend on the number of threads."""
        for number, scratch in enumerate(self._scratch):
            scratch["random"] = seed_word(seed * len(self._scratch) + number)

    def _share(self, work: Callable[[Any, int, int], Any], least: int = MIN_SHARE) -> list[Any]:
        """Call ``work(scratch, first, last)`` for parts of at least `least` games, each in a thread.

        Returns
        -------
        list
            What it returns for each part.
        """
        games = len(self.states)
        parts = max(1, min(self._threads, games // least))
        ends = [games * number // parts for number in range(parts + 1)]
        jobs = [(self._scratch[n], ends[n], ends[n + 1]) for n in range(parts)]
        if parts == 1:
            return [work(*jobs[0])]
        if self._pool is None or self._process != os.getpid():  # threads do not outlive a fork
            self._pool, self._process = ThreadPoolExecutor(self._threads, "tengen batch"), os.getpid()
        return list(self._pool.map(lambda job: work(*job), jobs))

    def legal_mask(self) -> NDArray[np.bool_]:
        """Return which actions are legal, bool, shape (games, actions); none in finished games."""
        mask = np.empty((len(self.states), self.space.size), np.bool_)
        self._share(lambda t, a, b: self._kernels.mark_legal(t, self.states, self.space.dense, mask, a, b))
        return mask

    def sample(self) -> NDArray[np.int32]:
        """Return a random legal action of every game; -1 for finished ones."""
        chosen = np.empty(len(self.states), np.int32)
        self._share(lambda t, a, b: self._kernels.sample(t, self.states, self.space.dense, chosen, a, b))
        return chosen

    def step(self, actions: NDArray[Any], check: bool) -> None:
        """Play an action (any integers) in every game; those of finished games are ignored.

        Raises
        ------
        IllegalTurnError
            If one is not legal, with `check`; nothing has been played then. Without it, illegal actions are
            undefined.
        """
        raw = self.space.raw
        within = (actions >= 0) & (actions < self.space.size)
        chosen = np.where(within, actions, -1).astype(np.int32)
        if check:
            ends = self._share(
                lambda t, a, b: (self._kernels.find_illegal(t, self.states, raw, chosen, a, b), b)
            )
            for found, end in ends:
                if found != end:
                    raise IllegalTurnError(
                        str(int(actions[found])), f"expected a legal action in game {found}"
                    )
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

    def replace(self, chosen: NDArray[np.bool_], state: Any) -> None:
        """Begin the chosen games anew, at `state`."""
        self.states[chosen] = state
        if self.spec.repetition:
            self._turn_keys[chosen] = state["key"]
            self._counts[chosen] = 0

    def outcomes(self) -> NDArray[np.int8]:
        """Return the Outcome of every game."""
        results = np.empty(len(self.states), np.int8)
        self._share(lambda t, a, b: self._kernels.outcomes(self.states, results, a, b))
        return results

    def playouts(self, count: int) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """Return the outcomes and the lengths of random games from every state, shape (games, count)."""
        shape = (len(self.states), count)
        results, lengths = np.empty(shape, np.int8), np.empty(shape, np.int32)
        play = self._kernels.playouts
        self._share(lambda t, a, b: play(t, self.states, results, lengths, a, b), MIN_PLAYOUTS)
        return results, lengths
