"""Motifs of Go: stones that are captured, saved from atari or caught in it, or that a proof shows to be dead.

Escapes are read by playing every defence. The search of `engine.go.life` proves that a chain dies, ko aside:
its owner may win every ko. What needs more than its budget is not told.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tengen.engine.board.grids import vertex
from tengen.engine.go.life import solver
from tengen.engine.go.rules import chain_points, do_move, is_legal, stones_of
from tengen.engine.go.state import BOARD, EMPTY, PASS, STEPS, liberties_of, name_of
from tengen.engine.play.motifs import Motif, counted, listed, most_important

MAX_READ = 600  # positions that are looked at to see whether a chain escapes
MAX_STEPS = 80  # of an escape: a ladder crosses the largest board in fewer
LADDER_STEPS = 2  # extensions from which on a chase is called a ladder
MAX_EMPTY = 14  # empty points of a region in which a chain may live
BUDGET = 6_000  # nodes of a proof
LEAST_DEAD = 2  # stones of a chain that is worth a proof


def motifs(s: Any, actions: Sequence[int]) -> list[Motif]:
    """Return what the turn made of `actions` does in state `s`."""
    p, side = int(actions[0]), int(s.side_to_move)
    if p == PASS:
        return []
    after = s.copy()
    do_move(after, p)
    found = []
    if taken := sorted(vertex(*place) for place in stones_of(s).keys() - stones_of(after).keys()):
        words = f"captures {counted(len(taken), 'stone')}: {listed(taken)}"
        found.append(Motif("capture", words, len(taken), tuple(taken)))
    if after.result:
        return found
    gone = [_named(s)[name] for name in taken]
    for stones in _beside(s, [p, *gone], side + 1):
        if _escapes(s, after, stones):
            found.append(_motif("escape", "saves", stones, " from atari", defends=True))
    for stones in _attacked(after, p, side):
        if motif := _caught(after, stones) or _killed(s, after, stones):
            found.append(motif)
    return most_important(found)


def candidates(s: Any, motif: Motif) -> Iterator[tuple[int, ...]]:
    """Yield the turns that may have `motif` on the same places: those near them."""
    near = {_named(s)[place] for place in motif.places if place in _named(s)}
    for _ in range(2):
        near |= {q for p in near for q in _around(p)}
    yield from ((p,) for p in sorted(near) if s.board.stones[p] == EMPTY and is_legal(s, np.uint64(p)))


def _named(s: Any) -> dict[str, int]:
    """Return the points of the board by name."""
    points = np.flatnonzero(s.board.stones <= 2).tolist()
    return {name_of(p): p for p in points}


def _around(p: int) -> Iterator[int]:
    return (p + step for step in STEPS)


def _attacked(after: Any, p: int, side: int) -> Iterator[list[int]]:
    """Yield the enemy chains next to the stone on `p`, or next to its liberties."""
    yield from _beside(after, [p, *sorted(liberties_of(after.board, [p]))], 2 - side)


def _beside(s: Any, places: Sequence[int], colour: int) -> Iterator[list[int]]:
    """Yield the chains of a colour next to any of `places`."""
    seen: set[int] = set()
    for q in (q for place in places for q in _around(place)):
        if s.board.stones[q] == colour and q not in seen:
            stones = chain_points(s.board, q)
            seen.update(stones)
            yield sorted(stones)


def _motif(kind: str, verb: str, stones: Sequence[int], how: str = "", defends: bool = False) -> Motif:
    places = tuple(map(name_of, stones))
    what = f"{counted(len(stones), 'stone')}{how}: {listed(places)}"
    return Motif(kind, f"{verb} {what}", len(stones), places, defends=defends)


# --------------------------------------------------------------------------------------------------- escapes


def _caught(after: Any, stones: Sequence[int]) -> Motif | None:
    """Return the motif of a chain in atari that cannot escape, its side to move; None if it may escape."""
    if len(liberties_of(after.board, stones)) != 1:
        return None
    read = _Reader()
    steps = read.chase(after, stones[0], 0)
    if steps is None:
        return None
    if steps >= LADDER_STEPS:
        return _motif("ladder", "catches", stones, " in a ladder")
    return _motif("atari", "catches", stones)


def _escapes(s: Any, after: Any, stones: Sequence[int]) -> bool:
    """Return whether a move has saved a chain from atari, and no ataris catch it any more."""
    if len(liberties_of(s.board, stones)) != 1:
        return False
    read = _Reader()
    return read.chased_on(after, stones[0], 0) is None and read.left >= 0


class _Reader:
    """Reads whether a chain in atari can escape."""

    def __init__(self) -> None:
        self.left = MAX_READ  # positions

    def chase(self, s: Any, stone: int, steps: int) -> int | None:
        """Return how often the chain of `stone`, to move, can extend before its end; None if it may live.

        All extensions and all captures of chains in atari next to it are tried, against both ataris.
        """
        self.left -= 1
        if self.left < 0 or steps == MAX_STEPS:
            return None
        longest = steps
        for defence in self._defences(s, stone):
            played = s.copy()
            do_move(played, defence)
            extended = self.chased_on(played, stone, steps + 1)
            if extended is None:
                return None
            longest = max(longest, extended)
        return longest

    def _defences(self, s: Any, stone: int) -> list[int]:
        """Return the legal moves that may save a chain in atari."""
        stones = chain_points(s.board, stone)
        foe = 3 - int(s.board.stones[stone])
        found = liberties_of(s.board, stones)
        for q in {q for p in stones for q in _around(p) if s.board.stones[q] == foe}:
            liberties = liberties_of(s.board, chain_points(s.board, q))
            if len(liberties) == 1:
                found |= liberties
        return [p for p in sorted(found) if is_legal(s, np.uint64(p))]

    def chased_on(self, s: Any, stone: int, steps: int) -> int | None:
        """Return the same after a defence, the attacker to move."""
        liberties = sorted(liberties_of(s.board, chain_points(s.board, stone)))
        if len(liberties) == 1:
            return steps if is_legal(s, np.uint64(liberties[0])) else None
        if len(liberties) > 2:
            return None
        for atari in liberties:
            if not is_legal(s, np.uint64(atari)):
                continue
            played = s.copy()
            do_move(played, atari)
            if (found := self.chase(played, stone, steps)) is not None:
                return found
        return None


# ---------------------------------------------------------------------------- life and death


def _killed(s: Any, after: Any, stones: Sequence[int]) -> Motif | None:
    """Return the motif of a chain that is dead after a move, and was not proven to be so before."""
    before, now = s.board.tobytes(), after.board.tobytes()
    if len(stones) < LEAST_DEAD or not _is_dead(now, stones[0]) or _is_dead(before, stones[0]):
        return None
    return _motif("kill", "kills", stones)


@functools.lru_cache(maxsize=256)
def _is_dead(board: bytes, stone: int) -> bool:
    """Return whether a proof shows that a chain dies even if its owner moves first and wins every ko."""
    b = np.frombuffer(board, BOARD)[0]
    return solver.try_to_save(b, stone, MAX_EMPTY, BUDGET) == solver.CAPTURED
