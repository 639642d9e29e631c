"""Checks of GIPF states: invariants, faults of set-up positions, and the symmetries of the board."""

import functools
import operator
from typing import Any

import tengen.engine.gipf.state as state
from tengen.engine.board.grids import image


def bases(s: Any, side: int) -> int:
    """Return the spots with a piece of `side`, also below the potentials of a stack [PD-3]."""
    odd = int(s.stacked[0])
    return int(s.pieces[side]) & ~odd | int(s.pieces[1 - side]) & odd


def stacked(s: Any, side: int, spots: int) -> int:
    """Return how many potentials of `side` lie in the stacks on `spots`; their colours alternate."""
    high = sum((int(s.stacked[i]) & spots).bit_count() << i - 1 for i in range(1, state.HEIGHT_BITS))
    return high + (int(s.stacked[0] & s.pieces[side]) & spots).bit_count()


def piece_total(s: Any, side: int) -> int:
    """Return the pieces of `side` on the board and in reserve; a GIPF-piece counts as two."""
    own = bases(s, side)
    return (own & ~int(s.used)).bit_count() + (own & int(s.gipf)).bit_count() + int(s.reserve[side])


def check(s: Any) -> list[str]:
    """Return the invariants that `s` breaks, in words; empty if it is consistent."""
    faults = []
    white, black = int(s.pieces[state.WHITE]), int(s.pieces[state.BLACK])
    kinds = [int(plane) for plane in (s.gipf, s.used, *s.charged)]
    heights = int(state.stacks(s))
    if white & black:
        faults.append("a spot holds both a white and a black piece")
    if (white | black) & ~int(state.BOARD):
        faults.append("a piece lies outside the board")
    if sum(kinds) != functools.reduce(operator.or_, kinds) or kinds[0] & ~(white | black):
        faults.append("the kinds of pieces overlap, or one has no piece")
    if (functools.reduce(operator.or_, kinds[1:]) | heights) & ~(white | black):
        faults.append("a potential has no piece")
    if heights & functools.reduce(
        operator.or_, (kinds[0], kinds[1], *(int(s.charged[k]) for k in state.POOLED))
    ):
        faults.append("a stack lies on a piece that no potential can jump onto")
    for side, colour in ((state.WHITE, "white"), (state.BLACK, "black")):
        if s.reserve[side] < 0 or piece_total(s, side) > s.total[side]:
            faults.append(f"expected at most {s.total[side]} {colour} pieces, got {piece_total(s, side)}")
    if s.partial and s.result:
        faults.append("a turn goes on after the end of the game")
    if int(s.key) != int(state.recompute_key(s)):
        faults.append("the key is not that of the position")
    return faults


def position_faults(s: Any) -> list[str]:
    """Return in words why no game can reach the position `s`; invariants and key are left to `check`."""
    faults = []
    for side, colour in ((state.WHITE, "white"), (state.BLACK, "black")):
        own = int(s.pieces[side])
        gipf = own & int(s.gipf)
        if piece_total(s, side) > s.total[side]:
            faults.append(
                f"expected at most {s.total[side]} {colour} pieces on the board and in reserve,"
                f" got {piece_total(s, side)}"
            )
        if gipf and s.rules == state.BASIC:
            faults.append(f"expected no {colour} GIPF-pieces in the basic game, got {gipf.bit_count()}")
        if gipf.bit_count() > 3 and s.rules == state.STANDARD:
            faults.append(
                f"expected at most 3 {colour} GIPF-pieces in the standard game, got {gipf.bit_count()}"
            )
        others = (own | bases(s, side)) & ~gipf or stacked(s, side, int(state.BOARD))
        if s.placing[side] and (others or s.left[side].tolist() != s.each.tolist()):
            faults.append(
                f"{colour} may bring in GIPF-pieces: expected none but GIPF-pieces on the board so far"
                " and all potentials left"
            )
        if s.placing[side] and s.rules != state.TOURNAMENT:
            faults.append(f"{colour} may bring in GIPF-pieces: expected in the tournament game only")
        faults += _potential_faults(s, side, colour)
        if s.challenges[side] > s.challenges_each:
            faults.append(
                f"expected at most {s.challenges_each} {colour} challenges, got {s.challenges[side]}"
            )
    return faults


def _potential_faults(s: Any, side: int, colour: str) -> list[str]:
    """Return the faults of the numbers of potentials of a side."""
    own = bases(s, side)
    numbers = [
        (own & int(s.charged[kind])).bit_count() + int(s.left[side, kind]) for kind in range(state.KINDS)
    ]
    punct = int(s.charged[state.PUNCT])
    numbers[state.DVONN] += stacked(s, side, ~punct)
    numbers[state.PUNCT] += stacked(s, side, punct)
    faults = [
        f"expected at most {each} {colour} {name.upper()} potentials, got {number}"
        for name, number, each in zip(state.POTENTIAL_NAMES, numbers, s.each.tolist(), strict=True)
        if number > each
    ]
    used = int(s.pieces[side] & s.used).bit_count()
    total, most = sum(numbers[k] for k in state.POOLED) + used, sum(int(s.each[k]) for k in state.POOLED)
    if used and total > most:  # used ones that lie on no piece look alike
        faults.append(f"expected at most {most} {colour} potentials, got {total}")
    return faults


def symmetries(s: Any) -> list[Any]:
    """Return the images of `s` under the twelve symmetries of the board, `s` itself first."""
    states = []
    lines = [{*spots} for spots in state.LINE_SPOTS]
    for table in state.SYMMETRIES:
        t = image(s, table, "gipf", "used", "pieces", "charged", "stacked")
        images = [lines.index({table[spot] for spot in line}) for line in lines]
        t.resolved = sum(1 << images[line] for line in range(state.LINES) if int(s.resolved) >> line & 1)
        t.key = state.recompute_key(t)
        states.append(t)
    return states
