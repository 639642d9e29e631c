"""Checks of ZÈRTZ states: invariants, and the symmetries of the board."""

from __future__ import annotations

from typing import Any

from tengen.engine.board.grids import map_bits
from tengen.engine.zertz.state import BOARDS, COLOURS, JUMP_STAGE, MARBLES, SYMMETRIES, recompute_key


def check(s: Any) -> list[str]:
    """Return the invariants that `s` breaks, in words; empty if it is consistent."""
    faults = []
    planes = [int(plane) for plane in s.marbles]
    if sum(planes) != planes[0] | planes[1] | planes[2]:
        faults.append("a ring holds two marbles")
    if (planes[0] | planes[1] | planes[2]) & ~int(s.rings):
        faults.append("a marble lies on no ring")
    if int(s.rings) & ~int(BOARDS[s.board]):
        faults.append("a ring lies outside the board")
    for colour, plane in enumerate(planes):
        expected = MARBLES[s.rules][colour]
        off_board = int(s.pool[colour]), *(int(captured[colour]) for captured in s.captured)
        total = plane.bit_count() + sum(off_board)
        if min(off_board) < 0 or total != expected:
            word = ("white", "grey", "black")[colour]
            faults.append(f"expected {expected} {word} marbles in all, got {total}")
    if s.partial and s.result:
        faults.append("a turn goes on after the end of the game")
    if int(s.claimable) & ~(planes[0] | planes[1] | planes[2]):
        faults.append("a vacant ring is claimable")
    if not s.partial and (s.claimable or s.hand or s.jumper):
        faults.append("something is left of the turn before")
    if int(s.key) != int(recompute_key(s)):
        faults.append("the key is not that of the position")
    return faults


def symmetries(s: Any) -> list[Any]:
    """Return the images of `s` under the symmetries of the board, `s` itself first: 12, with 48 rings 6."""
    states = []
    for table in SYMMETRIES[s.board]:
        t = s.copy()
        for field in ("rings", "claimable"):
            t[field] = map_bits(int(s[field]), table)
        for colour in range(len(COLOURS)):
            t.marbles[colour] = map_bits(int(s.marbles[colour]), table)
        if s.stage == JUMP_STAGE:
            t.jumper = table[int(s.jumper)]
        t.key = recompute_key(t)
        states.append(t)
    return states
