"""A Dask cluster that changes: its jobs give the same results as without one."""

import shutil
import threading
from dataclasses import replace

import pytest

from tengen.apps.cli.main import main
from tengen.engine.spec import GameSpec
from tengen.search.limits.limit import Limit
from tengen.tuning.learn.selfplay import SelfplaySettings
from tengen.tuning.learn.selfplay_run import SelfplayRun
from tengen.tuning.match.records import Store
from tengen.tuning.match.tournament import Match
from tengen.tuning.version import package_version
from tengen.tuning.workers import pool as dask_cluster
from tengen.tuning.workers.pool import WorkerPool
from tengen.tuning.workers.processes import WorkerPoolError
from tests import ROOT
from tests.processes import eventually
from tests.tuning import pool_jobs
from tests.tuning.matches.playing import played, settings

SETTINGS = SelfplaySettings(GameSpec.parse("gomoku,size=5"), depth=1, nodes=None, openings=4, shard=3)
GAMES = 60


@pytest.fixture(scope="module")
def other_version(tmp_path_factory):
    """Return a folder with this package, as installed, one file of which differs."""
    root = tmp_path_factory.mktemp("other")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "tengen", root / "tengen", ignore=ignored)
    with (root / "tengen" / "tuning" / "openings.py").open("a") as file:
        file.write("# another version\n")
    return root


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Return the shards of the run that no cluster takes part in."""
    folder = tmp_path_factory.mktemp("alone")
    with SelfplayRun(SETTINGS, GAMES, folder) as run:
        run.play(WorkerPool())
    return shards(folder)


def shards(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.npz")}


def test_a_worker_of_another_version_gets_no_jobs(tmp_path, cluster, other_version, alone):
    cluster.add_foreign_worker(other_version)
    with SelfplayRun(SETTINGS, GAMES, tmp_path) as run, WorkerPool(dask=cluster.address) as workers:
        places = {place for _, (_, place, _) in workers.run(pool_jobs.double, range(30))}
        run.play(workers)
    assert places == {worker.pid for worker in cluster.workers.values()}
    assert shards(tmp_path) == alone
    cluster.dismiss_foreign_workers()


@pytest.mark.nightly
def test_a_worker_of_another_version_that_joins_gets_no_jobs(tmp_path, cluster, other_version):
    """The first workers are killed, the other version waits for work, and workers of ours do it."""

    def replace_workers() -> None:
        eventually(note.exists)
        cluster.add_foreign_worker(other_version)
        for number in range(len(cluster.workers)):
            cluster.kill_worker(number)
        cluster.complete()
        note.with_suffix(".go").touch()

    note = tmp_path / "begun"
    change = threading.Thread(target=replace_workers)
    change.start()
    with WorkerPool(dask=cluster.address) as workers:
        places = {place for _, (_, place) in workers.run(pool_jobs.wait_until_told, [str(note)] * 6)}
    change.join()
    assert places <= {worker.pid for worker in cluster.workers.values()}
    cluster.dismiss_foreign_workers()


def test_a_cluster_of_another_version_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(dask_cluster, "package_version", lambda: "tengen 9")
    with pytest.raises(WorkerPoolError) as refusal:
        WorkerPool(dask=cluster.address).__enter__()
    where = f"on the workers at '{cluster.address}'"
    assert str(refusal.value) == f"dask: expected tengen 9 {where}, got '{package_version()}'"


@pytest.mark.nightly
def test_a_run_whose_scheduler_is_lost_goes_on_with_the_next_one(tmp_path, cluster, alone):
    def restart() -> None:
        eventually(note.exists)
        cluster.restart_scheduler()

    note, folder = tmp_path / "begun", tmp_path / "games"
    change = threading.Thread(target=restart)
    change.start()
    with WorkerPool(dask=cluster.address) as workers:
        with SelfplayRun(SETTINGS, GAMES // 2, folder) as run:
            run.play(workers)
        with pytest.raises(WorkerPoolError, match=r"lost the scheduler at '.*'"):
            list(workers.run(pool_jobs.wait_until_told, [str(note)] * 6))
    change.join()
    with SelfplayRun(SETTINGS, GAMES, folder) as run, WorkerPool(dask=cluster.address) as workers:
        run.play(workers)
    assert shards(folder) == alone


def test_reviews_lose_nothing_with_a_worker_and_are_those_of_one_machine(tmp_path, cluster, capsys):
    def kill_one() -> None:
        eventually(lambda: any(there.glob("*.jsonl")))
        cluster.kill_worker()

    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        for number, turns in enumerate((";B[dd];W[cc]", ";B[dd];W[ee];B[ed]", ";B[ca];W[ff]", ";B[aa]")):
            (folder / f"{number}.sgf").write_text(f"(;GM[4]SZ[7]RU[Freestyle]PB[Ann]{turns})")
        (folder / "bad.sgf").write_text("(;GM[4]SZ[8:9];B[dd])")
        (folder / "two.sgf").write_text("(;GM[4]SZ[7];B[dd];W[cc])(;GM[4]SZ[7];B[dd])")
    shown = {}
    change = threading.Thread(target=kill_one)
    change.start()
    for folder, options in ((there, ["--dask", cluster.address]), (here, [])):
        assert main(["analyze", str(folder), "--depth", "1", *options]) == 2
        out, err = capsys.readouterr()
        shown[folder] = [line.replace(str(folder), "").split() for line in out.splitlines()]
        assert f"'{folder / 'bad.sgf'}': record: expected SZ of a square board" in err
    change.join()
    cluster.complete()
    assert shown[there] == shown[here]
    written = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in (here, there)]
    assert written[0] == written[1]
    assert {"0.analyzed.sgf", "two#2.analyzed.jsonl"} <= written[0].keys()


def test_matches_lose_nothing_with_workers_and_schedulers_and_are_those_of_one_machine(tmp_path, cluster):
    def disturb(_: object) -> None:
        if len(match.games) == 2:
            cluster.kill_worker()
        if len(match.games) == 5:
            cluster.restart_scheduler()

    alone = played(
        settings("tengen,level=1", "greedy", games=20, limits=Limit(nodes=100)), tmp_path / "alone"
    )
    wanted, path = replace(alone.settings, dask=cluster.address), tmp_path / "there"
    store = Store(path, wanted.identity())
    match = Match(wanted, store)
    with pytest.raises(WorkerPoolError, match=r"lost the scheduler at '.*'"):
        match.run(disturb)
    store.close()
    kept = {game.number: game for game in match.games}
    assert 5 <= len(kept) < 20
    match = played(wanted, path)
    games = {game.number: game for game in match.games}
    assert kept.items() <= games.items()
    assert {n: game.turns for n, game in games.items()} == {game.number: game.turns for game in alone.games}
