"""Reviews of many records: each in a process of its own, here or on a cluster, and one table about all.

A record that cannot be reviewed does not keep the others from it. Every review has its own journal: the
same command goes on with what is missing.
"""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tengen.apps.review.assessment import MISTAKES, ReviewSummary
from tengen.apps.review.journal import MAX_BYTES
from tengen.apps.review.options import ReviewOptions
from tengen.apps.review.pages import page, summary
from tengen.apps.review.pages.summary import ReviewedSide
from tengen.engine.columns import columns
from tengen.engine.errors import OptionError, TengenError, quoted
from tengen.engine.formats import files
from tengen.engine.notation import shown
from tengen.engine.storage.files import read_bytes, replace_file
from tengen.engine.storage.parsing import parse_json
from tengen.engine.system import interrupt
from tengen.protocol.archive import REVIEWED, result_path
from tengen.protocol.arguments import command_line, command_words
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.output import print_notice

ONLY_ONE = ("out", "plot")  # options about a single record
HEADINGS = ("file", "side", "player", "turns", "mean loss", *MISTAKES, "as the engine")
LEFT = range(3)  # columns that are aligned to the left
Finished = subprocess.CompletedProcess[str]  # the process of a review: what it has written, and its exit code


def record_files(paths: Iterable[Path]) -> list[Path]:
    """Return the records that `paths` name: files, and those in folders that are no results of reviews.

    In folders texts count if they begin as records do.
    """
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        inside = [
            file
            for file in sorted(path.rglob("*"))
            if files.is_record(file) and not file.name.endswith(REVIEWED) and not file.is_dir()
        ]
        if not inside:
            raise OptionError(f"there are no records in the folder {quoted(str(path), 200)}")
        found += inside
    return list(dict.fromkeys(found))


def games_of(paths: Iterable[Path], game: str | None) -> list[Path]:
    """Return the games in files: of several in a file each one as ``FILE#1``."""
    found: list[Path] = []
    for path in paths:
        try:
            number = 1 if files.split_number(path)[1] else len(files.read_all(path, game))
        except (TengenError, OSError):  # is said when it is reviewed
            number = 1
        found += [path] if number == 1 else [files.numbered(path, each) for each in range(1, number + 1)]
    return found


def run(options: ReviewOptions) -> int:
    """Review all records and print the table; return 2 if one of them could not be reviewed."""
    for name in ONLY_ONE:
        if getattr(options, name):
            raise OptionError(f"--{name} requires a single record")
    if options.html:
        page.require(options.html)
    every, results = games_of(record_files(options.records), options.game), dict[Path, Path]()
    for file in every:
        if (other := results.setdefault(result_path(file, REVIEWED), file)) != file:
            print_notice(f"{file}: expected a name whose review does not take the place of that of {other}")
    listed = list(results.values())
    rows: list[ReviewedSide] = []
    failed = len(every) - len(listed)
    try:
        with closing((_on_cluster if options.dask else _in_processes)(listed, options)) as finished:
            for file, process in finished:
                found = _rows(file, options, process)
                failed += found is None
                rows += found or []
                if found and options.json:
                    sides = {row.side: {"player": row.player, **vars(row.summary)} for row in found}
                    print(json.dumps({"file": found[0].file, "summary": sides}), flush=True)
    except KeyboardInterrupt:
        print_notice("interrupted; to go on:", f"  {command_line('analyze', options)}")
        return EXIT_INTERRUPTED
    order = {str(file): place for place, file in enumerate(listed)}
    rows.sort(key=lambda row: order[row.file])
    if not options.json:
        cells = [(row.file, row.side, row.player, *row.summary.cells) for row in (*rows, *players(rows))]
        print("\n".join(columns([HEADINGS, *cells], left=LEFT)))
    if options.html:
        summary.write(options.html, rows)
    return 2 if failed else 0


def _in_processes(listed: list[Path], options: ReviewOptions) -> Generator[tuple[Path, Finished]]:
    """Review records on this machine, some at a time, and yield what their processes have written."""
    running: set[subprocess.Popen[str]] = set()
    with ThreadPoolExecutor(options.parallel) as pool:
        jobs = {pool.submit(_review, file, options, running): file for file in listed}
        try:
            for job in as_completed(jobs):
                yield jobs[job], job.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(running):
                interrupt(process)
            raise


def _on_cluster(listed: list[Path], options: ReviewOptions) -> Generator[tuple[Path, Finished]]:
    """Review records on a Dask cluster, and keep what is written there beside them."""
    from tengen.tuning.workers.pool import WorkerPool

    jobs = ((file, options, _sent(file)) for file in listed)
    with WorkerPool(dask=options.dask) as pool:
        for (file, *_), (process, written) in pool.run(review_sent, jobs):
            for name, contents in written.items():
                replace_file(file.with_name(name), contents)
            yield file, process


def _sent(file: Path) -> dict[str, bytes]:
    """Return the files that a review elsewhere needs, by name: the record, and a journal if there is one."""
    path, journal = files.split_number(file)[0], result_path(file, REVIEWED).with_suffix(".jsonl")
    return {each.name: read_bytes(each, MAX_BYTES) for each in (path, journal) if each.is_file()}


def review_sent(job: tuple[Path, ReviewOptions, dict[str, bytes]]) -> tuple[Finished, dict[str, bytes]]:
    """Review a record in a folder of its own; return what the process has written, and the files by name."""
    file, options, sent = job
    with TemporaryDirectory(prefix="tengen-") as name:
        folder = Path(name)
        for each, contents in sent.items():
            replace_file(folder / each, contents)
        found = _review(folder / file.name, options, set())
        written = {path.name: read_bytes(path, MAX_BYTES) for path in folder.iterdir()}
    written.pop(files.split_number(file)[0].name, None)
    found.stderr = found.stderr.replace(f"{folder}{os.sep}", str(file).removesuffix(file.name))
    return found, written


def _review(file: Path, options: ReviewOptions, running: set[subprocess.Popen[str]]) -> Finished:
    """Review one record in a process."""
    page = result_path(file, summary.PAGE) if options.html else None  # beside its record
    own = replace(options, records=[file], html=page, json=True, parallel=1, dask=None)
    command = [sys.executable, "-m", "tengen", *command_words("analyze", own)]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=environment
    ) as process:
        running.add(process)
        out, err = process.communicate()
        running.discard(process)
    return Finished(command, process.returncode, out, err)


def _rows(file: Path, options: ReviewOptions, process: Finished) -> list[ReviewedSide] | None:
    """Return a row for each side of a reviewed record, or tell why there are none."""
    err = process.stderr
    try:
        if process.returncode:
            last_words = err.strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
            raise TengenError(*last_words)
        for line in err.splitlines():
            if str(file) in line:
                print_notice(line.removeprefix("tengen: "))
        record = files.read_file(file, options.game)
    except (TengenError, OSError) as error:
        text = str(error).removeprefix("tengen: ")
        print_notice(text if str(file) in text else f"{file}: {text}")
        return None
    *turns, last = map(parse_json, process.stdout.splitlines())
    game, date = record.spec.game, record.value("DT")
    return [
        ReviewedSide(
            str(file),
            side,
            record.value(f"P{letter.upper()}"),
            ReviewSummary(**last["summary"][side]),
            date,
            tuple(shown(record.spec, t) for t in turns if t.get("side") == side and "variation" not in t),
        )
        for side, letter in zip(game.sides, game.letters, strict=True)
    ]


def players(rows: Sequence[ReviewedSide]) -> Iterator[ReviewedSide]:
    """Yield how every player with several games has played in all of them."""
    for name in dict.fromkeys(row.player for row in rows if row.player):
        own = [row.summary for row in rows if row.player == name]
        if len(own) > 1:
            counts = [(each.turns, each.agreed, each.judged) for each in own]
            turns, agreed, judged = map(sum, zip(*counts, strict=True))
            loss = sum(each.loss * each.judged for each in own) / judged if judged else 0.0
            mistakes = {mark: sum(each.mistakes[mark] for each in own) for mark in MISTAKES}
            total = ReviewSummary(turns, agreed, judged, loss, mistakes)
            yield ReviewedSide(f"{len(own)} games", "", name, total)
