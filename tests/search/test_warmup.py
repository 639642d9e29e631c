"""Waiting for kernels: whoever waits is told why, and only if something is really compiled."""

import contextlib
import subprocess
import threading
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tengen.engine import jit, system
from tengen.engine.game import Game
from tengen.engine.games import find
from tengen.search import warmup
from tengen.search.binding import bound
from tests.processes import eventually

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


def test_each_part_that_is_compiled_says_how_many_there_are(game, folder):
    first, last = fresh_kernel(game), fresh_kernel(game)
    parts = {"first": lambda: first(1), "loaded": lambda: None, "last": lambda: last(1.5)}
    notices: list[str] = []
    warmup.Compilation(game, partial(warmup.run_parts, game, parts)).wait(notices.append)
    said = [warmup.PART.format("gomoku", *place) for place in (("first", 1, 3), ("last", 3, 3))]
    assert notices == [warmup.COMPILING.format("gomoku"), *said]


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
            (folder / "compile.compiler").write_text("0")
        waiting.start()
        waiting.join(5 * warmup.POLL)
        assert waiting.is_alive()
    waiting.join(10)
    assert notices == [warmup.WAITING.format("gomoku")] * compiles
    assert not (folder / "compile.compiler").exists()


def test_parts_that_another_process_compiles_are_put_off(game, folder):
    order: list[str] = []
    parts = {name: partial(order.append, name) for name in ("first", "second", "third")}
    with contextlib.ExitStack() as held:
        held.enter_context(jit.folder_lock(folder, "first.lock"))
        parts["third"] = lambda: (order.append("third"), held.close())
        warmup.run_parts(game, parts)
    assert order == ["second", "third", "first"]
    assert not parts


def test_an_error_of_a_part_is_raised_and_frees_its_lock(game, folder):
    def fail():
        raise BlockingIOError("no lock, but a part")

    with pytest.raises(BlockingIOError, match="no lock, but a part"):
        warmup.run_parts(game, {"part": fail})
    warmup.run_parts(game, {"part": lambda: None})


@pytest.mark.parametrize(("command", "processors", "helpers"), [(True, 2, 1), (True, 1, 0), (False, 2, 0)])
def test_a_command_has_help_on_several_processors(game, folder, monkeypatch, command, processors, helpers):
    started = []
    monkeypatch.setattr(system, "is_command", command)
    monkeypatch.setattr(system, "processors", lambda: [*range(processors)])
    monkeypatch.setattr(jit, "keeps_kernels", lambda package: True)
    monkeypatch.setattr(warmup, "_helpers", {})
    monkeypatch.setattr(subprocess, "Popen", lambda command, **options: started.append(command))
    kernels = [fresh_kernel(game) for _ in range(2)]
    warmup.run_parts(game, {"part": lambda: [kernel(1) for kernel in kernels]}, helped=True)
    warmup.run_parts(game, {"part": lambda: None}, helped=True)
    assert len(started) == helpers


def test_nobody_is_called_where_nothing_is_compiled(game, folder, monkeypatch):
    monkeypatch.setattr(system, "is_command", True)
    monkeypatch.setattr(warmup, "_helpers", {})
    monkeypatch.setattr(subprocess, "Popen", None)
    warmup.run_parts(game, {"part": lambda: None}, helped=True)


@pytest.mark.parametrize("ends", ["with its master", "when all is done"])
def test_who_helps_ends(game, tmp_path, monkeypatch, ends):
    monkeypatch.setenv("TENGEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(system, "is_command", True)
    monkeypatch.setattr(system, "processors", lambda: [0, 1])
    monkeypatch.setattr(warmup, "_helpers", {})
    warmup._call_helper(game)
    (helper,) = warmup._helpers.values()
    eventually(lambda: list(tmp_path.glob("*/*.compiler")))  # it has begun
    assert helper.poll() is None
    if ends == "with its master":
        helper.stdin.close()
        assert helper.wait(60) == 0
    warmup._dismiss_helper(game)
    assert helper.returncode is not None


def test_who_helps_compiles_what_nobody_else_does_the_search_and_then_the_last_first(
    game, folder, monkeypatch
):
    order: list[str] = []
    parts = {name: partial(order.append, name) for name in ("first", "search", "second", "third")}
    monkeypatch.setattr(warmup, "parts", lambda game: parts)
    monkeypatch.setattr("sys.stdin", Endless())
    with jit.folder_lock(folder, "second.lock"):
        warmup.help_compile("gomoku")
    assert order == ["search", "third", "first"]


def test_a_part_that_who_helps_compiles_is_announced_as_a_part(game, folder, monkeypatch):
    monkeypatch.setattr(warmup, "_helpers", {game.kernel_package: SimpleNamespace(pid=7)})
    notices: list[str] = []
    parts = {name: lambda: None for name in ("first", "second")}
    compilation = warmup.Compilation(game, partial(warmup.run_parts, game, parts))
    waiting = threading.Thread(target=compilation.wait, args=(notices.append,))
    with jit.folder_lock(folder, "second.lock"):
        (folder / "second.compiler").write_text("7")
        waiting.start()
        eventually(lambda: notices)
    waiting.join(10)
    assert notices == [warmup.PART.format("gomoku", "second", 2, 2)]


class Endless:
    """A standard input that never ends."""

    def read(self) -> None:
        """Wait for ever."""
        threading.Event().wait()


@pytest.mark.parametrize("name", ["dvonn", "gomoku", "go"])
def test_parts_have_names(name):
    game = find(name)
    found = list(warmup.parts(game))
    assert found[0] == warmup.RULES
    assert set(found) < set(warmup.parts(game, tools=True))
    assert {"search", "proofs"} <= set(found) if name != "go" else "tree" in found


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
