"""Turns of Gomoku and Gobang in steps: a point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tengen.engine.board.goban import moves as moves
from tengen.engine.board.goban import removable_places as removable_places
from tengen.engine.board.goban import stone_words
from tengen.engine.gomoku.rules import stones
from tengen.engine.gomoku.text import format_turn
from tengen.engine.play.steps import Choice

VERB = "captured"


def choices(s: Any, legal: Sequence[int]) -> dict[int, Choice]:
    """Return how each of the `legal` actions is chosen in state `s`."""
    return {action: _choice(s, action) for action in legal}


def _choice(s: Any, action: int) -> Choice:
    text = str(format_turn(s, (action,)))
    return Choice(text, ((text,),))


def contents(s: Any) -> dict[str, str]:
    """Return the stones by point, in words."""
    return stone_words(stones(s))
