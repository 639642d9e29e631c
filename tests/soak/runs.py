"""Runs that are killed at random moments, or meet a full disk: in the end they have made the same."""

import os
import random
import signal
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests import ROOT
from tests.processes import eventually
from tests.soak.parts import PATIENCE, Report, complaint, contents, run, tengen
from tests.tuning.cluster import Cluster

MATCH = {"game": "gomoku,size=5", "nodes": 50, "concurrency": 2}
LOST_SCHEDULERS = 0.3  # share of what is killed in a cluster
GAMES = "SELECT number, first_side, opening, turns, outcome, result, reason, detail FROM game ORDER BY number"


@dataclass(frozen=True)
class Work:
    """A command that can be resumed."""

    command: Callable[[Path], list[str]]  # takes the folder to work in; returns the command line
    result: Callable[[Path], object]  # takes the folder; returns what the command has made


def games_of(folder: Path) -> list[tuple[object, ...]]:
    """Return the games of a match, without the times that were taken."""
    with sqlite3.connect(folder / "match.sqlite") as connection:
        return connection.execute(GAMES).fetchall()


def selfplay(folder: Path) -> list[str]:
    options = {"game": "gomoku,size=5", "games": 120, "depth": 2, "shard": 3, "workers": 2}
    return tengen("selfplay", **options, out=folder / "games")


def match(folder: Path) -> list[str]:
    return tengen(
        "match", "--first", "tengen", "--second", "greedy", **MATCH, games=40, out=folder / "match.sqlite"
    )


def tournament(folder: Path) -> list[str]:
    players = ("--player", "tengen", "--player", "greedy", "--player", "random")
    return tengen("match", *players, **MATCH, games=20, out=folder / "match.sqlite")


WORKS = {
    "self-play": Work(selfplay, lambda folder: contents(folder / "games", "*.npz")),
    "match": Work(match, games_of),
    "tournament": Work(tournament, games_of),
}


def killed_after(command: Sequence[str], seconds: float, folder: Path) -> bool:
    """Run a command with its family, and kill the leader after some seconds; return whether it still ran."""
    errors = folder / "errors"
    with errors.open("ab") as file:
        running = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=file, start_new_session=True
        )
        try:
            running.wait(seconds)
        except subprocess.TimeoutExpired:
            os.kill(running.pid, signal.SIGKILL)  # only the parent: its workers have to notice
            running.wait()
        group = running.pid
    eventually(lambda: not group_lives(group))
    return running.returncode == -signal.SIGKILL


def group_lives(group: int) -> bool:
    """Return whether a process of a group still runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    listed = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return any(int(row[0]) == group and row[1][0] != "Z" for row in rows)


def finish(name: str, work: Work, folder: Path, wanted: object, report: Report) -> None:
    """Run a command to its end; its result must be the one that is wanted."""
    ran = run(work.command(folder))
    if text := complaint(ran):
        report.faults.append(f"{name}: {text}")
    elif work.result(folder) != wanted:
        report.faults.append(f"{name}: another result than without interruptions")


@cache
def undisturbed(work: Work) -> object:
    """Return the result of a command that nothing disturbs, which is always the same."""
    with tempfile.TemporaryDirectory() as folder:
        run(work.command(Path(folder)))
        return work.result(Path(folder))


def kills(seed: int, share: float) -> Report:
    """Kill one of the works until it has been killed often enough, then let it end."""
    chance, report = random.Random(seed), Report()
    name, work = list(WORKS.items())[seed % len(WORKS)]
    wanted = undisturbed(work)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for _ in range(max(1, round(5 * share))):
            report.cases += killed_after(work.command(folder), chance.uniform(0.8, 4.0), folder)
        if text := (folder / "errors").read_text("utf-8", "replace"):
            report.faults.append(f"{name}, seed {seed}: a killed run says {text[-300:]!r}")
        finish(f"{name}, seed {seed}, after kills", work, folder, wanted, report)
    return report


def disks(seed: int, share: float) -> Report:
    """Let one of the works meet a full disk again and again, then let it end on a free one."""
    chance, report = random.Random(seed), Report()
    name, work = list(WORKS.items())[seed % len(WORKS)]
    wanted = undisturbed(work)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for _ in range(max(1, round(2 * share))):
            ran = run(work.command(folder), limit=chance.choice((0, 100, 600, 1_500, 5_000, 30_000)))
            report.cases += ran.returncode == 2
            if text := complaint(ran):
                report.faults.append(f"{name}, seed {seed}, disk full: {text}")
        finish(f"{name}, seed {seed}, after full disks", work, folder, wanted, report)
    return report


def cluster(seed: int, share: float) -> Report:
    """Play a tournament or self-play on a Dask cluster whose workers and scheduler are killed."""
    chance, report = random.Random(seed), Report()
    name = ("tournament", "self-play")[seed % 2]
    work = WORKS[name]
    wanted = undisturbed(work)
    with tempfile.TemporaryDirectory() as place, Cluster(Path(place)) as cluster:
        folder = Path(place) / "work"
        folder.mkdir()
        command = [*without_workers(work.command(folder)), "--dask", cluster.address]
        for _ in range(max(1, round(3 * share))):
            fault, killed = disturbed(command, cluster, chance)
            report.cases += killed
            report.faults += [f"{name} on a cluster, seed {seed}: {fault}"] if fault else []
        finish(
            f"{name} on a cluster, seed {seed}", Work(lambda _: command, work.result), folder, wanted, report
        )
    return report


def disturbed(command: list[str], cluster: Cluster, chance: random.Random) -> tuple[str, int]:
    """Run a command on a cluster, kill workers or its scheduler; return what is wrong, and how many died."""
    running = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    killed, lost = 0, False
    while not lost:
        try:
            running.wait(chance.uniform(0.5, 3.0))
            break
        except subprocess.TimeoutExpired:
            lost = chance.random() < LOST_SCHEDULERS
            if lost:
                cluster.restart_scheduler()
            else:
                cluster.kill_worker(chance.randrange(len(cluster.workers)))
                cluster.complete()
            killed += 1
    _, errors = running.communicate(timeout=PATIENCE)
    refused = lost and running.returncode == 2 and errors.startswith("tengen: error: dask: ")
    if running.returncode and not (refused and errors.count("\n") == 1):
        return f"exit code {running.returncode}: {errors[-300:]!r}", killed
    return "", killed


def without_workers(command: list[str]) -> list[str]:
    """Return a command line without its number of processes on this machine."""
    places = [at for at, word in enumerate(command) if word in ("--workers", "--concurrency")]
    gone = {place for at in places for place in (at, at + 1)}
    return [word for at, word in enumerate(command) if at not in gone]
