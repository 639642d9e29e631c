"""The options of commands whose work is shared out among workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.engine.errors import OptionError
from tengen.engine.system import processors
from tengen.protocol.arguments import Options, int_in_range, option

if TYPE_CHECKING:
    from tengen.tuning.workers.pool import WorkerPool
    from tengen.tuning.workers.processes import Initializer


@dataclass(frozen=True, kw_only=True)
class WorkerOptions(Options):
    """Processes on this machine, or a Dask cluster."""

    GROUP = "workers"

    workers: int | None = option("processes (default: one per core)", "N", int_in_range(1, 256))
    dask: str | None = option("use the workers of this Dask scheduler instead", "ADDRESS")

    def check_workers(self) -> None:
        """Raise OptionError if both are given."""
        if self.dask and self.workers:
            raise OptionError("--workers and --dask exclude each other")

    def pool(self, initializer: Initializer | None = None) -> WorkerPool:
        """Return the workers, each of which calls `initializer` first."""
        from tengen.tuning.workers.pool import WorkerPool

        return WorkerPool(self.workers or len(processors()), self.dask, initializer)
