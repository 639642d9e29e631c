"""The options of an analysis: of a position, or of whole records."""

from dataclasses import dataclass
from pathlib import Path

from tengen.protocol.arguments import Options, int_in_range, option, positive_int, positive_seconds, switch
from tengen.protocol.engine_options import SearchOptions
from tengen.protocol.positions import PositionOptions
from tengen.search.limits.limit import MAX_DEPTH, MAX_THREADS, Limit


@dataclass(frozen=True, kw_only=True)
class LimitOptions(Options):
    """How long a position is searched."""

    time: float | None = option("seconds to search (default 5; review 1)", "S", positive_seconds)
    nodes: int | None = option("positions to search", "N", positive_int)
    depth: int | None = option("depth to search to, in actions", "D", int_in_range(1, MAX_DEPTH))

    def limits(self, seconds: float) -> Limit:
        """Return the limits of a search; without any, it takes `seconds`."""
        return search_limits(seconds, self.time, self.nodes, self.depth)


@dataclass(frozen=True, kw_only=True)
class AnalysisOptions(SearchOptions, LimitOptions, PositionOptions):
    """What is analysed, and how that is printed."""

    json: bool = switch("print JSON lines instead of a table")


@dataclass(frozen=True, kw_only=True)
class ReviewOptions(AnalysisOptions):
    """The options of a review."""

    GROUP = "records"

    out: Path | None = option("annotated record (default: FILE.analyzed.sgf)", "FILE.sgf", Path)
    plot: Path | None = option(
        "draw the win rates as PNG or SVG (needs matplotlib: the extra plot)", "FILE", Path
    )
    html: Path | None = option(
        "write a page with boards, graph and mistakes; of several records, one about all, too", "FILE", Path
    )
    variations: bool = switch("review the variations of the record, too")
    restart: bool = switch("drop earlier results of the review")
    parallel: int = option(
        "records to review at a time, of several (default 1)", "N", int_in_range(1, MAX_THREADS), default=1
    )
    dask: str | None = option("review several records by the workers of this Dask scheduler", "ADDRESS")


def search_limits(seconds: float, time: float | None, nodes: int | None, depth: int | None = None) -> Limit:
    """Return the limits of a search; without any, it takes `seconds`."""
    return Limit(seconds if time is nodes is depth is None else time, nodes, depth)
