"""Checks of GIPF states: invariants, faults of set-up positions, and the symmetries of the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tengen.engine.board.grids import map_bits
from tengen.engine.gipf.state import (
    BASIC,
    BLACK,
    BOARD,
    LINE_CELLS,
    LINE_LENGTH,
    LINES,
    STANDARD,
    SYMMETRIES,
    TOURNAMENT,
    WHITE,
    recompute_key,
)


def piece_total(s: Any, side: int) -> int:
    """Return the pieces of `side` on the board and in reserve; a GIPF-piece counts as two."""
    own = int(s.pieces[side])
    return (own & ~int(s.used)).bit_count() + (own & int(s.gipf)).bit_count() + int(s.reserve[side])


def check(s: Any) -> list[str]:
    """Return the invariants that `s` breaks, in words; empty if it is consistent."""
    faults = []
    white, black = int(s.pieces[WHITE]), int(s.pieces[BLACK])
    kinds = [int(plane) for plane in (s.gipf, s.zertz, s.tamsk, s.used)]
    if white & black:
        faults.append("a spot holds both a white and a black piece")
    if (white | black) & ~int(BOARD):
        faults.append("a piece lies outside the board")
    if sum(kinds) != kinds[0] | kinds[1] | kinds[2] | kinds[3] or kinds[0] & ~(white | black):
        faults.append("the kinds of pieces overlap, or one has no piece")
    if (kinds[1] | kinds[2] | kinds[3]) & ~(white | black):
        faults.append("a potential has no piece")
    for side, colour in ((WHITE, "white"), (BLACK, "black")):
        if s.reserve[side] < 0 or piece_total(s, side) > s.total[side]:
            faults.append(f"expected at most {s.total[side]} {colour} pieces, got {piece_total(s, side)}")
    if s.partial and s.result:
        faults.append("a turn goes on after the end of the game")
    if int(s.key) != int(recompute_key(s)):
        faults.append("the key is not that of the position")
    return faults


def position_faults(s: Any) -> list[str]:
    """Return in words why no game can reach the position `s`; invariants and key are left to `check`."""
    faults = []
    for side, colour in ((WHITE, "white"), (BLACK, "black")):
        own = int(s.pieces[side])
        gipf, used = own & int(s.gipf), own & int(s.used)
        if piece_total(s, side) > s.total[side]:
            faults.append(
                f"expected at most {s.total[side]} {colour} pieces on the board and in reserve,"
                f" got {piece_total(s, side)}"
            )
        if gipf and s.rules == BASIC:
            faults.append(f"expected no {colour} GIPF-pieces in the basic game, got {gipf.bit_count()}")
        if gipf.bit_count() > 3 and s.rules == STANDARD:
            faults.append(
                f"expected at most 3 {colour} GIPF-pieces in the standard game, got {gipf.bit_count()}"
            )
        left = int(s.zertz_left[side]), int(s.tamsk_left[side])
        if s.placing[side] and (own & ~gipf or left != (s.zertz_each, s.tamsk_each)):
            faults.append(
                f"{colour} may bring in GIPF-pieces: expected none but GIPF-pieces on the board so far"
                " and all potentials left"
            )
        if s.placing[side] and s.rules != TOURNAMENT:
            faults.append(f"{colour} may bring in GIPF-pieces: expected in the tournament game only")
        zertz, tamsk = (own & int(s.zertz)).bit_count(), (own & int(s.tamsk)).bit_count()
        for what, number, each in (
            ("ZERTZ", zertz + int(s.zertz_left[side]), int(s.zertz_each)),
            ("TAMSK", tamsk + int(s.tamsk_left[side]), int(s.tamsk_each)),
        ):
            if number > each:
                faults.append(f"expected at most {each} {colour} {what} potentials, got {number}")
        number = zertz + tamsk + used.bit_count() + int(s.zertz_left[side]) + int(s.tamsk_left[side])
        if used and number > s.zertz_each + s.tamsk_each:
            faults.append(f"expected at most {s.zertz_each + s.tamsk_each} {colour} potentials, got {number}")
        if s.challenges[side] > s.challenges_each:
            faults.append(
                f"expected at most {s.challenges_each} {colour} challenges, got {s.challenges[side]}"
            )
    return faults


def symmetries(s: Any) -> list[Any]:
    """Return the images of `s` under the twelve symmetries of the board, `s` itself first."""
    states = []
    for table in SYMMETRIES:
        t = s.copy()
        for field in ("gipf", "zertz", "tamsk", "used"):
            t[field] = map_bits(int(s[field]), table)
        for side in (WHITE, BLACK):
            t.pieces[side] = map_bits(int(s.pieces[side]), table)
        t.resolved = _mapped_lines(int(s.resolved), table)
        t.key = recompute_key(t)
        states.append(t)
    return states


def _mapped_lines(lines: int, table: Mapping[int, int]) -> int:
    spots = [frozenset(LINE_CELLS[line, : LINE_LENGTH[line]].tolist()) for line in range(LINES)]
    images = [spots.index(frozenset(table[spot] for spot in line)) for line in spots]
    return sum(1 << images[line] for line in range(LINES) if lines >> line & 1)
