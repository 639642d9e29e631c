"""How positions of GIPF are set up."""

from collections.abc import Iterator, Mapping
from typing import Any

from tengen.engine.gipf.board.checks import piece_total
from tengen.engine.gipf.rules import empty_state
from tengen.engine.gipf.state import (
    BASIC,
    BLACK,
    DVONN,
    POTENTIAL_NAMES,
    POTENTIALS,
    PUNCT,
    SPOT_NAMES,
    TOURNAMENT,
    WHITE,
    ZERTZ,
)
from tengen.engine.gipf.text import CHARGED_MARKS, COLUMNS, PIECE, USED_MARK
from tengen.engine.play.editor import Field, Layout, Piece

SIDES = ("White", "Black")


def layout(options: Mapping[str, Any]) -> Layout:
    """Return how the position texts of a game with these options are built.

    Pieces come from the reserve of their side, charged ones also from the potentials left.
    """
    s = empty_state(options)
    pieces = [piece for side in (WHITE, BLACK) for piece in _pieces(s, side)]
    return Layout(
        rows=tuple(tuple(SPOT_NAMES[index] for index in column) for column in COLUMNS),
        pieces=(Piece(".", "Empty"), *pieces),
        fields=tuple(_fields(s)),
        features=(Field("above", "Used potentials in the stack", low=1, high=2 * POTENTIALS),),
        cell=PIECE,
        note=_note,
    )


def _pieces(s: Any, side: int) -> Iterator[Piece]:
    """Yield the pieces of a side."""
    letter, who = "wb"[side], SIDES[side]
    reserve = f"reserve {who}"
    yield Piece(letter, f"{who} piece", {reserve: 1})
    if s.rules != BASIC:
        yield Piece(letter.upper(), f"{who} GIPF-piece", {reserve: 2})
    for kind, name in enumerate(POTENTIAL_NAMES):
        if s.each[kind]:
            stock = {reserve: 1, f"{name} {who}": 1}
            yield Piece(letter + CHARGED_MARKS[kind], f"{who} {name.upper()}-charged piece", stock)
    if s.kinds:
        yield Piece(letter + USED_MARK, f"{who} used potential")
    if s.each[DVONN] or s.each[PUNCT]:
        yield Piece(f"{letter}{{above}}", f"Stack with {who} on top")
    for kind in (DVONN, PUNCT):
        if s.each[kind]:
            on = f"on a {POTENTIAL_NAMES[kind].upper()}-charged piece"
            yield Piece(f"{letter}{CHARGED_MARKS[kind]}{{above}}", f"Stack {on} with {who} on top")


def _fields(s: Any) -> Iterator[Field]:
    """Yield what follows the board."""
    for who in SIDES:
        yield Field(f"reserve {who}", f"{who}: in reserve", high=int(s.total[SIDES.index(who)]))
    yield Field("side", "To move", {"w": "White", "b": "Black"})
    rights = {
        **({"g": "also GIPF-pieces"} if s.rules == TOURNAMENT else {}),
        **({"z": "potentials"} if s.kinds else {}),
        "-": "basic pieces only",
    }
    for side, who in enumerate(SIDES):
        yield Field(f"rights {who}", f"{who}: may bring in", rights, before="" if side else " ")
    if not s.kinds:
        return
    numbers = [(name, f"{name.upper()} potentials", int(s.each[k])) for k, name in enumerate(POTENTIAL_NAMES)]
    others = [number for number in numbers if number[0] != POTENTIAL_NAMES[ZERTZ] and number[2]]
    for name, what, most in (numbers[ZERTZ], ("challenges", "challenges", int(s.challenges_each)), *others):
        for who in SIDES:
            none = {} if most else {"0": "none"}
            yield Field(f"{name} {who}", f"{who}: {what} left", none, high=most)


def _note(s: Any) -> str:
    """Return how many pieces have been captured: those that are neither on the board nor in reserve."""
    lost = [max(0, int(s.total[side]) - piece_total(s, side)) for side in (WHITE, BLACK)]
    return f"Pieces that the opponent has captured: White {lost[WHITE]}, Black {lost[BLACK]}."
