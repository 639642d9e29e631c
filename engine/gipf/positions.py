"""Texts of GIPF positions: columns, reserves, side to move, rights, such as ``b..w/...../... 12 12 w --``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from tengen.engine.errors import NotationError, PositionError, quoted
from tengen.engine.gipf.board.checks import check, position_faults
from tengen.engine.gipf.rules import begin_turn, empty_state
from tengen.engine.gipf.state import (
    BLACK,
    COORDINATES,
    HEIGHT_BITS,
    KINDS,
    POTENTIAL_NAMES,
    POTENTIALS,
    SPOT_NAMES,
    STANDARD,
    TOURNAMENT,
    WHITE,
    ZERTZ,
)

FORM = "columns b to h such as b..w between slashes, two reserves, w or b to move, rights such as -- or gg"
LEFT = [f"{name.upper()} potentials left" for name in POTENTIAL_NAMES]
COLUMNS = [[index for index in SPOT_NAMES if COORDINATES[index][0] == x] for x in range(1, 8)]
PIECE = r"\.|[WB]|[wb](?:[+*^y]|[du]?(?:[1-9][0-9]?)?)"
USED_MARK, CHARGED_MARKS = "^", "+*dyu"  # the latter by kind


def format_position(s: Any) -> str:
    """Return the canonical text of a state at the beginning of a turn."""
    texts = piece_texts(s)
    board = "/".join("".join(texts.get(index, ".") for index in column) for column in COLUMNS)
    rights = "".join(_right(s, side) for side in (WHITE, BLACK))
    words = [board, str(s.reserve[WHITE]), str(s.reserve[BLACK]), "wb"[s.side_to_move], rights]
    for _, numbers in _numbers(s):
        words += [str(n) for n in numbers]
    return " ".join(words)


def _numbers(s: Any) -> list[tuple[str, Any]]:
    """Return what the pairs of numbers at the end of a position count, and the fields (White, Black)."""
    left = [(LEFT[kind], s.left[:, kind]) for kind in range(KINDS)]
    others = [left[kind] for kind in range(KINDS) if kind != ZERTZ and s.each[kind]]
    return [left[ZERTZ], ("challenges left", s.challenges), *others] if s.kinds else []


def piece_texts(s: Any) -> dict[int, str]:
    """Return the texts of the pieces on the board, by bit number."""
    white, black = (int(pieces) for pieces in s.pieces)
    return {
        index: piece_text(s, index, "w" if white >> index & 1 else "b")
        for index in SPOT_NAMES
        if (white | black) >> index & 1
    }


def piece_text(s: Any, index: int, letter: str) -> str:
    """Return the text of the piece on a spot's bit number: colour on top, mark, potentials stacked on it."""
    if int(s.gipf) >> index & 1:
        return letter.upper()
    marks = ((USED_MARK, s.used), *zip(CHARGED_MARKS, s.charged, strict=True))
    mark = next((mark for mark, plane in marks if int(plane) >> index & 1), "")
    height = stack_height(s, index)
    return f"{letter}{mark}{height or ''}"


def stack_height(s: Any, index: int) -> int:
    """Return how many used potentials lie on the piece on a spot's bit number [PD-3]."""
    return sum((int(plane) >> index & 1) << i for i, plane in enumerate(s.stacked))


def _right(s: Any, side: int) -> str:
    """Return what a side may bring in besides basic pieces: ``g``, ``z`` or ``-``."""
    return "g" if s.placing[side] else "z" if s.left[side].any() else "-"


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes.

    Raise NotationError when it is malformed, PositionError with all faults when no game can reach it.
    """
    s = empty_state(options)
    words = text.split()
    if len(words) != 5 + 2 * len(_numbers(s)):
        form = ", ".join([FORM, *(f"{what} (White, Black)" for what, _ in _numbers(s))])
        raise NotationError(f"position: expected {form}, got {quoted(text, 60)}")
    columns = words[0].split("/")
    if len(columns) != len(COLUMNS):
        raise NotationError(
            f"position: expected {len(COLUMNS)} columns, got {len(columns)} in {quoted(words[0])}"
        )
    malformed = [fault for i, column in enumerate(columns) for fault in _put_column(s, i, column)]
    if words[3] not in ("w", "b"):
        malformed.append(f"expected w or b to move, got {quoted(words[3])}")
    if not re.fullmatch("[gz-]{2}", words[4]):
        malformed.append(
            f"expected g, z or - for White and for Black, what each may bring in, got {quoted(words[4])}"
        )
    numbers = [words[1], words[2], *words[5:]]
    for i, (what, field) in enumerate([("reserve", s.reserve), *_numbers(s)]):
        for side, number in enumerate(numbers[2 * i : 2 * i + 2]):
            if re.fullmatch("[0-9]{1,2}", number):
                field[side] = int(number)
            else:
                malformed.append(
                    f"expected a number as {('White', 'Black')[side]}'s {what}, got {quoted(number)}"
                )
    if malformed:
        raise NotationError("position: " + "; ".join(malformed))
    s.side_to_move = "wb".index(words[3])
    for side in (WHITE, BLACK):
        s.placing[side] = words[4][side] == "g"
        s.begun[side] = s.rules == STANDARD or (s.rules == TOURNAMENT and not _untouched(s, side))
    faults = position_faults(s) + [
        f"expected {_right(s, side)} as what {('White', 'Black')[side]} may bring in, by the potentials left,"
        f" got {words[4][side]}"
        for side in (WHITE, BLACK)
        if words[4][side] != _right(s, side)
    ]
    if faults:
        raise PositionError(faults, s)
    begin_turn(s)
    return s


def _put_column(s: Any, column: int, text: str) -> list[str]:
    """Put the pieces `text` on a column of `s`; return the faults of the text."""
    pieces = re.findall(PIECE, text)
    letter = "bcdefgh"[column]
    if "".join(pieces) != text:
        return [f"expected spots such as . w B w+ in column {letter}, got {quoted(text)}"]
    if len(pieces) != len(COLUMNS[column]):
        return [
            f"expected {len(COLUMNS[column])} spots in column {letter}, got {len(pieces)} in {quoted(text)}"
        ]
    for index, piece in zip(COLUMNS[column], pieces, strict=True):
        spot = np.uint64(1 << index)
        if piece == ".":
            continue
        s.pieces["wb".index(piece[0].lower())] |= spot
        if piece.isupper():
            s.gipf |= spot
        mark, height = piece[1:2].strip("123456789"), int(piece.strip("wbWB+*^dyu") or 0)
        if mark == USED_MARK:
            s.used |= spot
        elif mark:
            s.charged[CHARGED_MARKS.index(mark)] |= spot
        if height > 2 * POTENTIALS:
            return [f"expected at most {2 * POTENTIALS} potentials on a piece, got {quoted(piece)}"]
        for i in range(HEIGHT_BITS):
            if height >> i & 1:
                s.stacked[i] |= spot
    return []


def _untouched(s: Any, side: int) -> bool:
    """Return whether a side of the tournament game has not played yet (docs/gipf.md, Positions)."""
    white, black = (int(pieces) for pieces in s.pieces)
    if not s.placing[side] or (white, black)[side] or s.reserve[side] != s.total[side]:
        return False
    if s.side_to_move == WHITE:
        return not white and not black and bool(s.placing[WHITE]) and s.reserve[WHITE] == s.total[WHITE]
    return (
        side == BLACK
        and s.reserve[WHITE] == s.total[WHITE] - 2
        and white.bit_count() == 1
        and white == s.gipf
    )


def status(s: Any) -> list[str]:
    """Return all reasons in words why no game can reach the state `s`; empty if none is known."""
    return check(s) + position_faults(s)
