"""Games that are compiled in advance, on all cores."""

import sys
from collections.abc import Sequence

Job = tuple[str, str]  # a game, and one of its parts; all of them where none is named


def compile_games(names: Sequence[str]) -> None:
    """Compile, with a progress bar on a terminal: each core another game, or another part of the only one."""
    from tqdm import tqdm

    from tengen.engine.games import find
    from tengen.engine.system import processors
    from tengen.search import warmup
    from tengen.tuning.workers.pool import WorkerPool

    jobs: list[Job] = [(name, "") for name in {find(name).kernel_package: name for name in names}.values()]
    if len(names) == 1:
        jobs = [(names[0], part) for part in warmup.parts(find(names[0]), tools=True)]
    with (
        WorkerPool(min(len(jobs), len(processors())), prefetch=1) as pool,
        tqdm(total=len(jobs), unit="job", disable=not sys.stderr.isatty()) as bar,
    ):
        bar.set_description(f"compiling {', '.join(names)}")
        for (name, part), _ in pool.run(compile_job, jobs):
            bar.set_description(f"{' '.join(filter(None, (name, part)))} ready")
            bar.update()


def compile_job(job: Job) -> None:
    """Compile all of a game, or a part of it, in this process."""
    from tengen.engine.games import find
    from tengen.search import warmup

    name, part = job
    parts = warmup.parts(find(name), tools=True)
    warmup.run_parts(find(name), {part: parts[part]} if part else parts)
