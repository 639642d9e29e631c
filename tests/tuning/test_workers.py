"""Workers that work, and workers that are lost."""

import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
from multiprocessing.connection import Pipe
from pathlib import Path

import pytest

from tengen.engine.errors import TengenError
from tengen.tuning.workers import pool as dask_cluster
from tengen.tuning.workers import processes
from tengen.tuning.workers.pool import WorkerPool
from tengen.tuning.workers.processes import WorkerPoolError
from tests import ROOT
from tests.processes import alive, eventually
from tests.tuning import pool_jobs


@pytest.fixture(scope="module")
def pair():
    with WorkerPool(2, initializer=pool_jobs.prepare) as workers:
        yield workers


@pytest.fixture(params=[1, 2])
def workers(request, pair):
    pool_jobs.PREPARED.clear()
    return pair if request.param == 2 else WorkerPool(1, initializer=pool_jobs.prepare)


def test_every_job_is_done_once_by_workers_that_are_prepared_once(workers, pair):
    for _ in range(2):  # the same workers do whatever comes
        results = dict(workers.run(pool_jobs.double, range(20)))
        assert {job: twice for job, (twice, _, _) in results.items()} == {n: 2 * n for n in range(20)}
        assert {prepared for _, _, prepared in results.values()} == {1}
        processes = {process for _, process, _ in results.values()}
        assert (os.getpid() in processes) == (workers is not pair)


def test_jobs_are_drawn_as_workers_become_free(pair):
    drawn = itertools.count()
    run = pair.run(pool_jobs.double, drawn)
    next(run)
    assert next(drawn) <= 6
    run.close()


def test_large_jobs_and_results_do_not_get_stuck(pair):
    sizes = [len(result) for _, result in pair.run(pool_jobs.echo, [bytes(10**6)] * 8)]
    assert sizes == [10**6] * 8


@pytest.mark.posix
def test_a_worker_whose_parent_dies_as_it_starts_it_says_nothing():
    ours, theirs = Pipe()
    code = f"from tengen.tuning.workers.processes import main; main({theirs.fileno()})"
    worker = subprocess.Popen(
        [sys.executable, "-c", code], pass_fds=[theirs.fileno()], stderr=subprocess.PIPE, cwd=ROOT
    )
    theirs.close()
    ours.close()
    assert worker.communicate()[1] == b""


def test_a_worker_that_dies_costs_only_time(pair, tmp_path):
    jobs = [(number, str(tmp_path / "died") if number == 3 else "") for number in range(10)]
    assert sorted(result for _, result in pair.run(pool_jobs.die_at_first, jobs)) == list(range(10))


def test_a_job_that_kills_its_workers_is_named(pair):
    complaint = r"job \"'deadly'\": expected a result, got 3 dead workers \(exit code -9\)"
    with pytest.raises(WorkerPoolError, match=complaint):
        list(pair.run(pool_jobs.die, ["a", "b", "deadly", "c"]))


def test_errors_come_back_in_words(workers):
    with pytest.raises(TengenError, match=r"illegal turn 'a1': there is no a1 \[X-1\]"):
        list(workers.run(pool_jobs.refuse, range(3)))
    assert len(list(workers.run(pool_jobs.double, range(3)))) == 3  # the pool goes on


@pytest.mark.parametrize("count", [1, 2])
def test_workers_that_cannot_get_ready_say_why(count):
    with WorkerPool(count, initializer=pool_jobs.fail) as workers, pytest.raises(ZeroDivisionError):
        list(workers.run(pool_jobs.double, range(3)))


@pytest.mark.posix
def test_a_job_winds_up_when_its_run_is_interrupted(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "SHUTDOWN_GRACE", 60.0)  # a busy machine may take longer than two seconds
    notes = [tmp_path / "one", tmp_path / "two"]
    begun = [note.with_suffix(".begun") for note in notes]
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
    threading.Thread(
        target=lambda: (
            eventually(lambda: all(map(Path.exists, begun))),
            os.kill(os.getpid(), signal.SIGALRM),
        )
    ).start()
    with WorkerPool(2) as workers, pytest.raises(KeyboardInterrupt):
        list(workers.run(pool_jobs.wait_and_wind_up, map(str, notes)))
    assert all(map(Path.exists, notes))
    assert not any(alive(int(path.read_text())) for path in begun)


def test_sigint_waits_until_a_result_is_dealt_with(workers):
    dealt = []

    def deal(error: type[Exception] | None = None) -> None:
        for number, _ in workers.run(pool_jobs.double, range(5)):
            signal.raise_signal(signal.SIGINT)
            if error:
                raise error
            dealt.append(number)
            if len(dealt) == 2:
                return

    with pytest.raises(KeyboardInterrupt):
        deal()
    assert len(dealt) == 1
    with pytest.raises(ZeroDivisionError):
        deal(ZeroDivisionError)
    deal()  # nothing goes on that could be interrupted
    assert len(dealt) == 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_no_worker_survives_a_parent_that_is_killed(tmp_path):
    code = (
        "from tengen.tuning.workers.pool import WorkerPool; from tests.tuning import pool_jobs\n"
        f"jobs = [r'{tmp_path}/1', r'{tmp_path}/2']\n"
        "with WorkerPool(2) as pool: list(pool.run(pool_jobs.wait_for_ever, jobs))"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    notes = [tmp_path / "1", tmp_path / "2"]
    eventually(lambda: all(note.exists() and note.read_text() for note in notes))
    parent.kill()
    parent.wait()
    eventually(lambda: not any(alive(int(note.read_text())) for note in notes))


# -------------------------------------------------------------------------------------------- a Dask cluster


def test_a_cluster_does_the_same(cluster):
    with WorkerPool(dask=cluster.address, initializer=pool_jobs.prepare) as workers:
        results = dict(workers.run(pool_jobs.double, range(20)))
        assert {job: twice for job, (twice, _, _) in results.items()} == {n: 2 * n for n in range(20)}
        assert {prepared for _, _, prepared in results.values()} == {1}
        with pytest.raises(TengenError, match=r"illegal turn 'a1': there is no a1 \[X-1\]"):
            list(workers.run(pool_jobs.refuse, range(3)))


def test_a_cluster_that_loses_a_worker_goes_on(cluster, tmp_path):
    jobs = [(number, str(tmp_path / "died") if number == 3 else "") for number in range(10)]
    with WorkerPool(dask=cluster.address) as workers:
        assert sorted(result for _, result in workers.run(pool_jobs.die_at_first, jobs)) == list(range(10))
    cluster.complete()


@pytest.mark.parametrize("address", ["nowhere", "ftp://a:1", "tcp://127.0.0.1:{port}"])
def test_no_scheduler_is_one_clear_line(address, monkeypatch):
    monkeypatch.setattr(dask_cluster, "CONNECT_TIMEOUT", 0.5)
    with socket.socket() as silent:  # listens, never answers
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = address.format(port=silent.getsockname()[1])
        with pytest.raises(
            WorkerPoolError, match=f"dask: expected a scheduler at '{address}', got none"
        ) as refusal:
            WorkerPool(dask=address).__enter__()
        assert "\n" not in str(refusal.value)


def test_without_the_package_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkerPoolError, match=r"dask needs distributed: .*distributed>="):
        WorkerPool(dask="tcp://127.0.0.1:8786").__enter__()
