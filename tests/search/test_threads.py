"""The threads that searches keep: few of them, none that is lost, and none shared with a forked process."""

import signal
import subprocess
import sys
import threading

import pytest

from tengen.engine.play.position import Position
from tengen.search.limits.limit import Limit
from tengen.search.threads import NAME, run_in_thread
from tengen.search.worker import Worker
from tests import ROOT
from tests.processes import PATIENCE

FORKING = """
import multiprocessing, os, sys
from tengen.engine.play.position import Position
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker

position = Position.start("dvonn")

def found(worker):
    return worker.search(position, Limit(depth=2)).turn

def ask(queue):
    queue.put((found(Worker(hash_mb=1)), found(used)))

used = Worker(hash_mb=1)
turn = found(used)
context = multiprocessing.get_context("fork")
queue = context.SimpleQueue()
children = [context.Process(target=ask, args=(queue,)) for _ in range(2)]
for child in children:
    child.start()
answers = [queue.get() for _ in children]
for child in children:
    child.join()
print(answers == [(turn, turn)] * 2, found(used) == turn, flush=True)
if os.fork() == 0:
    print(found(used) == turn, flush=True)
    sys.exit()
os.wait()
"""

LEAVING = """
import os, signal, sys, threading
from tengen.engine.play.position import Position
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker

worker, position, first = Worker(hash_mb=1), Position.start("dvonn"), threading.Event()
worker.search(position, Limit(depth=2))  # its thread waits for more
worker.go(position, Limit(infinite=True), on_info=lambda info: first.set())
first.wait()
print("searching", flush=True)
sys.stdin.read()
"""


def running() -> set[threading.Thread]:
    """Return the threads that searches have started."""
    return {thread for thread in threading.enumerate() if thread.name == NAME}


def test_many_searches_share_few_threads():
    worker, position = Worker(hash_mb=1), Position.start("dvonn")
    worker.search(position, Limit(depth=1))
    before = running()
    for _ in range(100):
        assert worker.search(position, Limit(depth=1)).turn is not None
    assert len(running() - before) <= 2  # a thread may still be busy when the next search begins


def test_searches_at_the_same_time_have_threads_of_their_own():
    workers, position = [Worker(hash_mb=1) for _ in range(3)], Position.start("dvonn")
    for worker in workers:
        worker.warm_up(position.spec.game)
        worker.go(position, Limit(infinite=True))
    assert all(worker.searching for worker in workers)
    for worker in workers:
        worker.stop()
        assert worker.wait(PATIENCE) is not None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, RuntimeError])
def test_work_that_raises_takes_no_later_work_with_it(error):
    def fail() -> None:
        raise error

    for _ in range(3):
        run_in_thread(fail)
        done = threading.Event()
        run_in_thread(done.set)
        assert done.wait(PATIENCE)


@pytest.mark.posix
def test_a_forked_process_searches_with_threads_of_its_own():
    done = subprocess.run(
        [sys.executable, "-c", FORKING], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.stdout.split(), done.returncode) == (["True"] * 3, 0), done.stderr


@pytest.mark.parametrize("way", ["end of input", "interrupt"])
def test_idle_and_searching_threads_do_not_keep_a_process(way):
    process = subprocess.Popen(
        [sys.executable, "-c", LEAVING],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "searching\n"
    if way == "interrupt":
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode == 0) == (way == "end of input"), errors
    assert errors == "" or errors.splitlines()[-1] == "KeyboardInterrupt"
