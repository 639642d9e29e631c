"""How positions of ZÈRTZ are set up."""

from collections.abc import Mapping
from typing import Any

from tengen.engine.play.editor import Field, Layout, Piece
from tengen.engine.zertz import GAME
from tengen.engine.zertz.rules import empty_state
from tengen.engine.zertz.state import COLOURS, MAX_MARBLES, RING_NAMES
from tengen.engine.zertz.text import WORDS, columns

OWNERS = {"pool": "Pool", **dict(zip(GAME.sides, GAME.titles, strict=True))}
PASSES = {"": "none", " pass": "one", " pass pass": "two"}


def layout(options: Mapping[str, Any]) -> Layout:
    """Return how the position texts of a game with these options are built.

    Marbles that are put on the board or given to a player come from the pool.
    """
    board = empty_state(options).board
    return Layout(
        rows=tuple(tuple(RING_NAMES[board][index] for index in column) for column in columns(board)),
        pieces=(
            Piece(".", "Vacant ring"),
            *(
                Piece(letter.lower(), f"{word.capitalize()} marble", {f"pool {word}": 1})
                for letter, word in zip(COLOURS, WORDS, strict=True)
            ),
            Piece("-", "No ring"),
        ),
        fields=(
            *(_marbles(owner, word) for owner in OWNERS for word in WORDS),
            Field("side", "To move", dict(zip("12", GAME.titles, strict=True))),
            Field("passes", "Passes in a row", PASSES, before=""),
        ),
    )


def _marbles(owner: str, word: str) -> Field:
    """Return the number of marbles of a colour that an owner has."""
    return Field(
        f"{owner} {word}",
        f"{OWNERS[owner]}: {word}",
        high=MAX_MARBLES,
        before=" " if word == WORDS[0] else ",",
        stock="" if owner == "pool" else f"pool {word}",
    )
