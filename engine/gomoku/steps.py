"""Turns of Gomoku and Gobang in steps: a point."""

import itertools
from collections.abc import Sequence
from typing import Any

from tengen.engine.board.goban import BLACK, WHITE, stone_choices, stone_words
from tengen.engine.board.grids import vertex
from tengen.engine.game import Outcome
from tengen.engine.gomoku.rules import outcome, stones
from tengen.engine.gomoku.text import format_turn
from tengen.engine.play.steps import Choice

VERB = "captured"
FIVE = 5


def choices(s: Any, legal: Sequence[int]) -> dict[int, Choice]:
    """Return how each of the `legal` actions is chosen in state `s`."""
    return stone_choices({action: format_turn(s, (action,)) for action in legal})


def ending(s: Any) -> tuple[str, list[str]]:
    """Return why the game is over, and the points of the five."""
    if outcome(s) == Outcome.DRAW:
        full = "the board is full" if len(stones(s)) == s.width**2 else "only forbidden points are left"
        return f"{full} [{'M-2' if full.endswith('full') else 'R-7'}]", []
    winner = int(outcome(s)) - Outcome.FIRST_WINS
    own = {place for place, colour in stones(s).items() if colour == (BLACK, WHITE)[winner]}
    rows = []
    for (x, y), (dx, dy) in itertools.product(own, ((1, 0), (0, 1), (1, 1), (1, -1))):
        if (x - dx, y - dy) not in own:
            line = ((x + i * dx, y + i * dy) for i in range(s.width))
            rows.append([vertex(*place) for place in itertools.takewhile(own.__contains__, line)])
    fives = sorted((row for row in rows if len(row) >= FIVE), key=len)
    if not fives:
        return f"{s.pairs_to_win} pairs captured [B-3]", []
    row = fives[0]
    return f"{len(row)} in a row, from {row[0]} to {row[-1]} [M-2]", row


def contents(s: Any) -> dict[str, str]:
    """Return the stones by point, in words."""
    return stone_words(stones(s))
