"""Position texts of GIPF."""

import re
from collections.abc import Mapping, Sequence
from typing import cast

from tests.reference.words import number, one_of

from .board import COLUMNS, Point
from .pieces import CHARGED, SIDES, SUFFIX, Agreement, Hand, Kind, Letter, Piece, Side

_KIND: Mapping[str, Kind] = {suffix: kind for kind, suffix in SUFFIX.items()}
_CELL = re.compile(r"[.WB]|[wb](?:[+*^y]|[du]?(?:[1-9][0-9]*)?)")


def parse(agreement: Agreement, text: str) -> tuple[dict[Point, Piece], dict[Side, Hand], Side]:
    """Read pieces, hands and side to move; raise `ValueError` if the text is malformed."""
    fields = text.split(" ")
    expected = 5 + len(_numbered(agreement))
    if len(fields) != expected:
        raise ValueError(f"expected {expected} fields, got {len(fields)} in {text!r}")
    board, *reserves, side, letters = fields[:5]
    numbers = {
        name: number("a number", field)
        for name, field in zip(
            [*((side, "reserve") for side in SIDES), *_numbered(agreement)],
            (*reserves, *fields[5:]),
            strict=True,
        )
    }
    hands = {
        owner: Hand(
            numbers[owner, "reserve"],
            letter,
            tuple(numbers.get((owner, kind), 0) for kind in CHARGED),
            numbers.get((owner, "challenges"), agreement.challenges),
        )
        for owner, letter in zip(SIDES, _parse_letters(letters), strict=True)
    }
    return _parse_board(board), hands, one_of("side", side, *SIDES)


def format_position(
    agreement: Agreement, pieces: Mapping[Point, Piece], hands: Mapping[Side, Hand], side: Side
) -> str:
    """Return the canonical position text."""
    board = "/".join(
        "".join(pieces[spot].text if spot in pieces else "." for spot in column) for column in COLUMNS
    )
    white, black = hands["w"], hands["b"]
    numbers = {
        (owner, name): count
        for owner in SIDES
        for name, count in (
            *zip(CHARGED, hands[owner].potentials, strict=True),
            ("challenges", hands[owner].challenges),
        )
    }
    words = [board, str(white.reserve), str(black.reserve), side, white.letter + black.letter]
    return " ".join([*words, *(str(numbers[each]) for each in _numbered(agreement))])


def _numbered(agreement: Agreement) -> Sequence[tuple[Side, str]]:
    """Return what the numbers after the letters count: ZÈRTZ potentials and challenges come first."""
    if not any(agreement.potentials):
        return []
    agreed = [kind for kind, count in zip(CHARGED, agreement.potentials, strict=True) if count]
    names = ["zertz", "challenges", *(kind for kind in agreed if kind != "zertz")]
    return [(side, name) for name in names for side in SIDES]


def _parse_board(text: str) -> dict[Point, Piece]:
    """Read the seven columns of a position text."""
    columns = text.split("/")
    if len(columns) != len(COLUMNS):
        raise ValueError(f"expected {len(COLUMNS)} columns, got {len(columns)} in {text!r}")
    pieces = {}
    for column, spots in zip(columns, COLUMNS, strict=True):
        cells = _CELL.findall(column)
        if "".join(cells) != column:
            raise ValueError(f"expected '.' and pieces such as 'w', 'B', 'w+' or 'wd1', got {column!r}")
        if len(cells) != len(spots):
            name = spots[0].name[0]
            raise ValueError(f"expected {len(spots)} spots in column {name}, got {len(cells)} in {column!r}")
        for spot, cell in zip(spots, cells, strict=True):
            if cell != ".":
                pieces[spot] = _parse_piece(cell)
    return pieces


def _parse_piece(text: str) -> Piece:
    """Read a piece, of a form that is right."""
    side = cast(Side, text[0].lower())
    if text.isupper():
        return Piece(side, "gipf")
    suffix = text[1:].rstrip("0123456789")
    return Piece(side, _KIND[suffix], int(text[1 + len(suffix) :] or 0))


def _parse_letters(text: str) -> tuple[Letter, Letter]:
    """Read what White and Black may bring in besides basic pieces."""
    if not re.fullmatch("[gz-]{2}", text):
        raise ValueError(f"expected two of 'g', 'z' and '-', got {text!r}")
    return text[0], text[1]  # type: ignore[return-value]
