"""Hints: the turn that the engine would play, and why."""

from __future__ import annotations

from tengen.engine.play.position import Position
from tengen.engine.play.steps import effects
from tengen.search.info import Info, Result

LINES = 2  # turns that are compared
CLOSE = 0.03  # a difference in win rate that decides nothing
EXPECTED = 4  # turns of the expected line that are shown
FEW = 6  # places that are named


def judged(position: Position, result: Result) -> str:
    """Return the turn of `result`, not yet played, with its value for the side that plays it."""
    if not result.lines:
        return f"{result.turn}"
    best = result.lines[0]
    return f"{result.turn} ({best.score}, wins {100 * best.win_rate(position.scale):.0f}%)"


def reasons(position: Position, result: Result) -> list[str]:
    """Return why the turn of `result` is good: what it does, what follows, what the next best is worth."""
    assert result.turn is not None
    found = [done] if (done := captures(position, result.turn)) else []
    if not result.lines:
        return [*found, "it was chosen without a search"]
    best, *others = result.lines
    if len(best.pv) > 1:
        found.append(f"expected: {' '.join(best.pv[:EXPECTED])}")
    if best.score.turns_to_win is not None:
        end = "it wins by force" if best.score.value > 0 else "all turns lose; this one holds out longest"
        return [*found, end]
    return [*found, _compared(position, best, others[0])] if others else found


def _compared(position: Position, best: Info, other: Info) -> str:
    """Return how much better a turn is than another one."""
    scale = position.scale
    better, worse = best.win_rate(scale), other.win_rate(scale)
    if other.score.turns_to_win is not None and other.score.value < 0:
        return f"anything else loses, such as {other.pv[0]}"
    if better - worse < CLOSE:
        return f"{other.pv[0]} is as good: it wins {100 * worse:.0f}%"
    return f"the next best, {other.pv[0]}, wins {100 * worse:.0f}%"


def captures(position: Position, turn: str) -> str:
    """Return what a turn does to the pieces of the board, in words; empty if it takes nothing."""
    done = effects(position, turn)
    if not done.taken:
        return ""
    named = ", ".join(done.taken[:FEW]) + (" ..." if len(done.taken) > FEW else "")
    return f"{named} {'is' if len(done.taken) == 1 else 'are'} {done.verb}"
