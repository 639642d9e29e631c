"""Waiting for kernels: whoever waits is told why, and only if something is really compiled."""

from __future__ import annotations

import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tengen.engine import jit
from tengen.engine.game import Game
from tengen.engine.games import find
from tengen.search import warmup
from tengen.search.binding import bound

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is compiled with NUMBA_DISABLE_JIT=1")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The folder of a game's compiled kernels, and of its lock."""
    for module in (jit, jit.cache, jit.kernels):
        monkeypatch.setattr(module, "cache_folder", lambda package: tmp_path)
    return tmp_path


@pytest.fixture
def game() -> Game:
    return find("gomoku")


def fresh_kernel(game: Game):
    """Return a kernel of `game` that is not compiled yet."""
    names = {"game": bound(game), "np": np}
    exec("def more(x):\n    return np.int64(x + 1)", names)
    return jit.kernel(names["more"])


def test_compiling_is_announced_once_and_calling_a_compiled_kernel_is_not(game, folder):
    kernels, notices = [fresh_kernel(game) for _ in range(2)], []

    def call():
        for kernel in kernels:
            kernel(1)

    warmup.Compilation(game, partial(warmup.run_step, game, call)).wait(notices.append)
    assert notices == [warmup.COMPILING.format("gomoku")]
    warmup.Compilation(game, partial(warmup.run_step, game, call)).wait(notices.append)
    assert len(notices) == 1


def test_compiling_is_not_called_the_first_time_where_kernels_cannot_be_kept(game, folder, monkeypatch):
    monkeypatch.setattr(jit, "keeps_kernels", lambda package: False)
    notices: list[str] = []
    kernel = fresh_kernel(game)
    warmup.Compilation(game, partial(warmup.run_step, game, lambda: kernel(1))).wait(notices.append)
    assert notices == [warmup.COMPILING_ALWAYS.format("gomoku")]


def test_other_games_and_slow_work_are_not_announced(game, folder):
    notices: list[str] = []
    other = fresh_kernel(find("dvonn"))
    warmup.Compilation(game, lambda: (other(1), time.sleep(0.6))).wait(notices.append)
    assert notices == []


def test_who_comes_while_a_kernel_is_compiled_is_told_at_once(game):
    told = []
    jit.events._compiling.append(game.package)
    try:
        with jit.on_compile(game.package, partial(told.append, True)):
            assert told == [True]
    finally:
        jit.events._compiling.remove(game.package)


@pytest.mark.parametrize("compiles", [True, False])
def test_waiting_for_another_process_is_announced_if_that_compiles(game, folder, compiles):
    notices: list[str] = []
    compilation = warmup.Compilation(game, partial(warmup.run_step, game, lambda: None))
    waiting = threading.Thread(target=compilation.wait, args=(notices.append,))
    with jit.folder_lock(folder, "compile.lock"):
        if compiles:
            (folder / "compiler").write_text("0")
        waiting.start()
        waiting.join(5 * warmup.POLL)
        assert waiting.is_alive()
    waiting.join(10)
    assert notices == [warmup.WAITING.format("gomoku")] * compiles
    assert not (folder / "compiler").exists()


def test_a_failure_is_raised_by_who_waits(game, folder):
    def fail():
        raise RuntimeError("out of cheese")

    with pytest.raises(RuntimeError, match="out of cheese"):
        warmup.Compilation(game, fail).wait()


def test_abandoned_work_goes_on(game, folder):
    may_finish, finished = threading.Event(), threading.Event()
    compilation = warmup.Compilation(game, lambda: (may_finish.wait(10), finished.set()))
    compilation.abandon()
    compilation.wait()
    assert not finished.is_set()
    may_finish.set()
    assert finished.wait(10)
