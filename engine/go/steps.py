"""Turns of Go in steps: a point, or a pass."""

from collections.abc import Collection, Sequence
from typing import Any

from tengen.engine.board.goban import stone_choices, stone_words
from tengen.engine.go.agreement import counted
from tengen.engine.go.rules import stones_of
from tengen.engine.go.state import BLACK, TERRITORY, WHITE
from tengen.engine.go.text import NAMES, format_turn, points_text
from tengen.engine.play.steps import Choice

VERB = "captured"


def prompts(s: Any) -> list[str]:
    """Return what to do next in state `s`."""
    return [f"{NAMES[1 - s.side_to_move]} has passed: a second pass ends the game."] if s.passes else []


def choices(s: Any, legal: Sequence[int]) -> dict[int, Choice]:
    """Return how each of the `legal` actions is chosen in state `s`."""
    return stone_choices({action: format_turn(s, (action,)) for action in legal})


def ending(s: Any, dead: Collection[str]) -> tuple[str, list[str]]:
    """Return how the points are counted with these dead stones [O-5]."""
    score = counted(s, dead)
    points = [list(score.owner.values()).count(owner) for owner in (1, -1)]
    said = [f"{name} {number}" for name, number in zip(NAMES, points, strict=True)]
    what = "points owned"
    if s.rules == TERRITORY:
        what = "points of territory and prisoners"
        lost = [sum(s.board.stones[p] == colour for p in score.dead) for colour in (WHITE, BLACK)]
        taken = [int(own) + int(more) for own, more in zip(s.board.prisoners, lost, strict=True)]
        said = [f"{each} and {number}" for each, number in zip(said, taken, strict=True)]
    return f"{what}: {', '.join(said)}; komi {points_text(int(s.komi))} [O-5]", []


def contents(s: Any) -> dict[str, str]:
    """Return the stones by point, in words."""
    return stone_words(stones_of(s))
