"""Turns of Go in steps: a point, or a pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tengen.engine.board.goban import stone_choices, stone_words
from tengen.engine.go.rules import stones_of
from tengen.engine.go.text import NAMES, format_turn
from tengen.engine.play.steps import Choice

VERB = "captured"


def prompts(s: Any) -> list[str]:
    """Return what to do next in state `s`."""
    return [f"{NAMES[1 - s.side_to_move]} has passed: a second pass ends the game."] if s.passes else []


def choices(s: Any, legal: Sequence[int]) -> dict[int, Choice]:
    """Return how each of the `legal` actions is chosen in state `s`."""
    return stone_choices({action: format_turn(s, (action,)) for action in legal})


def contents(s: Any) -> dict[str, str]:
    """Return the stones by point, in words."""
    return stone_words(stones_of(s))
