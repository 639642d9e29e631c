"""The expected owners of the points after each candidate of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.protocol.candidates import AnalyzeRequest, visits
from tengen.protocol.output import print_notice
from tengen.search.info import Info
from tengen.search.limits.limit import Limit

if TYPE_CHECKING:
    from tengen.engine.play.position import Position
    from tengen.protocol.session import Session

POLL_INTERVAL = 0.05  # seconds between two questions whether to stop
MAX_VISITS = 1 << 40  # more than any search has


def owners_after(
    session: Session,
    position: Position,
    request: AnalyzeRequest,
    candidates: Sequence[Info],
    stopped: Callable[[], bool] = lambda: False,
    most: int = MAX_VISITS,
) -> dict[str, tuple[float, ...]]:
    """Return the owners of the points after each candidate, by turn, as far as the search knows them.

    The simulations of a search are counted for all candidates together. So each is searched alone, with as
    many simulations as it has had.

    Parameters
    ----------
    session : Session
        Its search has ended.
    position : Position
    request : AnalyzeRequest
        What was searched.
    candidates : sequence of Info
    stopped : callable
        Returns whether to stop.
    most : int
        The greatest number of simulations for a candidate.
    """
    found: dict[str, tuple[float, ...]] = {}
    for info in candidates if candidates and candidates[0].ownership else ():
        if stopped():
            break
        limits = request.limits(Limit(nodes=max(1, min(visits(info), most))))
        session.go(position, replace(limits, searchmoves=(info.pv[0],)), on_notice=print_notice)
        if stopped():  # before the search could be stopped
            session.stop()
        while (result := session.wait(POLL_INTERVAL)) is None:
            pass
        if result.lines and result.lines[0].ownership:
            found[info.pv[0]] = result.lines[0].ownership
    return found
