"""Turns of Gomoku and Gobang in steps: a point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tengen.engine.board.goban import stone_choices, stone_words
from tengen.engine.gomoku.rules import stones
from tengen.engine.gomoku.text import format_turn
from tengen.engine.play.steps import Choice

VERB = "captured"


def choices(s: Any, legal: Sequence[int]) -> dict[int, Choice]:
    """Return how each of the `legal` actions is chosen in state `s`."""
    return stone_choices({action: format_turn(s, (action,)) for action in legal})


def contents(s: Any) -> dict[str, str]:
    """Return the stones by point, in words."""
    return stone_words(stones(s))
