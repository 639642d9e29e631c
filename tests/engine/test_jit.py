"""Faults of compiled code: stale callees, shared cache entries, damaged or forbidden folders."""

import ast
import copy
import importlib
import os
import pickle
import re
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numba
import numpy as np
import pytest

from tengen.engine import jit
from tengen.engine.jit import (
    COMPILED,
    StopFlag,
    is_stopped,
    kernel,
    load_word,
    lsb,
    popcount,
    prefetch,
    record,
    store_word,
    zeros,
)
from tengen.engine.jit.dispatcher import is_inner, uses_inner_parts
from tengen.engine.jit.records import CACHE_LINE, Record
from tests import ROOT
from tests.processes import PATIENCE

needs_compiler = pytest.mark.skipif(not COMPILED, reason="nothing is compiled with NUMBA_DISABLE_JIT=1")
needs_inner_parts = pytest.mark.skipif(
    not COMPILED or not uses_inner_parts(), reason="numba compiles every kernel by itself"
)


def build(root: Path) -> Path:
    """Return a small project of its own: two games with equal state types, and a search for them."""
    package = root / "tengen"
    for folder in ("engine/red", "engine/blue", "search"):
        (package / folder).mkdir(parents=True)
        (package / folder / "__init__.py").touch()
    (package / "__init__.py").touch()
    shutil.copy(ROOT / "engine/__init__.py", package / "engine/__init__.py")
    for folder in ("jit", "storage"):
        shutil.copytree(ROOT / "engine" / folder, package / "engine" / folder)
    for name in ("errors.py", "system.py"):
        shutil.copy(ROOT / "engine" / name, package / "engine" / name)
    for name, answer in (("red", 1), ("blue", 2)):
        (package / "engine" / name / "helper.py").write_text(
            textwrap.dedent(f"""
            from tengen.engine.jit import kernel
            @kernel
            def answer(x):
                return x + {answer}
            """)
        )
        (package / "engine" / name / "rules.py").write_text(
            textwrap.dedent("""
            from tengen.engine.jit import kernel
            from tengen.engine.%s.helper import (
                answer,
            )
            @kernel
            def value(x):
                return 10 * answer(x)
            """)
            % name
        )
    (package / "search" / "sum.py").write_text(
        textwrap.dedent("""
        import numpy as np
        from tengen.engine.jit import kernel
        @kernel
        def total(depth, x):
            if depth <= 0:
                return np.int64(game.value(x))
            return total(depth - 1, x) + total(depth - 1, x + 1)
        """)
    )
    return root


@pytest.fixture
def house(tmp_path):
    return build(tmp_path)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A project in which the kernels of one game have been stored."""
    made = build(tmp_path_factory.mktemp("compiled"))
    ask(made, "red")
    return made


@pytest.fixture
def warm(compiled, tmp_path):
    """A copy of that."""
    return Path(shutil.copytree(compiled, tmp_path / "warm"))


ASK = """
import logging, sys
logging.basicConfig(format="%(message)s")
from tengen.engine.jit import specialise, overloads
import importlib
for name in sys.argv[1:]:
    total = specialise("tengen.search.sum", importlib.import_module(f"tengen.engine.{name}.rules")).total
    print(name, total(2, 5), sum(total.stats.cache_hits.values()) if hasattr(total, "stats") else "plain")
"""


def ask(
    house: Path, *names: str, cache: Path | None = None, then: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Sum with every named game in a process of its own; lines `game value cache-hits`. Run `then` last."""
    settings = {
        **os.environ,
        "TENGEN_CACHE_DIR": str(cache or house / "cache"),
        "PYTHONPATH": str(house),
        "PYTHONDONTWRITEBYTECODE": "1",  # Python itself takes a change of the same size and time for none
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-c", ASK + then, *names],
        cwd=house,
        env=settings,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )


@needs_compiler
def test_two_games_with_equal_types_keep_their_own_code(house):
    assert ask(house, "red", "blue").stdout.split() == ["red", "280", "0", "blue", "320", "0"]
    assert ask(house, "blue", "red").stdout.split() == ["blue", "320", "1", "red", "280", "1"]


@needs_inner_parts
def test_stored_kernels_run_without_what_numba_needs_to_compile(warm):
    modules = 'print("numba.np.linalg" in sys.modules)'
    stored, compiled = ask(warm, "red", then=modules), ask(warm, "red", "blue", then=modules)
    assert stored.stdout.split() == ["red", "280", "1", "False"]
    assert compiled.stdout.split() == ["red", "280", "1", "blue", "320", "0", "True"]


@needs_inner_parts
def test_kernel_for_other_kernels_gets_machine_code_when_python_calls_it():
    @kernel
    def inner(x):
        if x < 0:
            raise ValueError("below zero")
        return x + 1

    @kernel
    def outer(x):
        return 2 * inner(x)

    assert outer(20) == 42
    with pytest.raises(ValueError, match="below zero"):
        outer(-1)
    (before,) = inner.overloads.values()
    assert is_inner(before)
    assert inner(20) == 21
    assert outer(21) == 44
    (after,) = inner.overloads.values()
    assert not is_inner(after)


@needs_inner_parts
def test_literals_are_values_like_others():
    @kernel
    def shifted(x, by):
        return x + by

    @kernel
    def calls(x):
        return shifted(x, 1) + shifted(x, 2) + shifted(x, x)

    assert calls(10) == 11 + 12 + 20
    assert jit.overloads(shifted) == 1


def test_a_kernel_may_call_itself_with_literals():
    @kernel
    def count(n, last):
        if n == 0:
            return 1
        return count(n - 1, 0) + (count(0, 1) if last else 0)

    assert count(3, 1) == 2


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize("index", [3, -4, 2**40])
def test_an_index_out_of_range_is_found_where_bounds_are_checked(index):
    @kernel
    def pick(values, index):
        return values[index]

    values = np.arange(3)
    assert pick(values, 2) == pick(values, -1) == 2
    if not COMPILED or numba.config.BOUNDSCHECK:
        with pytest.raises(IndexError):
            pick(values, index)


def test_kernels_that_are_called_while_they_are_compiled_have_code():
    @kernel
    def leaves(n, depth):  # calls itself with other types than those of its first call
        if n == 0:
            return 1
        total = 0
        for child in range(n):
            total += leaves(n - 1, depth + child)
        return total

    @kernel
    def tree(n):
        return leaves(n, 0)

    @kernel
    def forest(n):
        return leaves(n, 0) + tree(n)

    assert tree(4) == 24
    assert forest(3) == 12
    assert leaves(3, 0) == 6


def test_kernels_that_call_each_other_have_code():
    @kernel
    def is_even(n):
        return True if n == 0 else is_odd(n - 1)

    @kernel
    def is_odd(n):
        return False if n == 0 else is_even(n - 1)

    @kernel
    def count_even(n):
        count = 0
        for number in range(n):
            if is_even(number):
                count += 1
        return count

    assert is_odd(7)
    assert count_even(10) == 5
    assert not is_even(7)


@needs_compiler
def test_a_version_of_numba_that_was_not_tested_compiles_every_kernel_as_numba_does(house):
    path = house / "tengen/engine/jit/dispatcher.py"
    text = path.read_text()
    path.write_text(re.sub(r"TESTED = \{.*\}", "TESTED = set()", text))
    assert path.read_text() != text
    assert ask(house, "red", "blue").stdout.split() == ["red", "280", "0", "blue", "320", "0"]
    assert ask(house, "red", "blue").stdout.split() == ["red", "280", "1", "blue", "320", "1"]
    names = {file.name.split("-")[0] for file in (house / "cache").rglob("*.nbi")}
    assert any("answer" in name for name in names)  # the kernel for another one is stored, too


@needs_inner_parts
def test_only_kernels_that_python_calls_are_stored(warm):
    stored = [file.name for file in (warm / "cache").rglob("*.nbi")]
    assert len(stored) == 1, stored
    assert "total" in stored[0]


@needs_compiler
def test_changed_callee_in_another_file_is_noticed_and_the_other_game_untouched(warm):
    ask(warm, "red", "blue")
    helper = warm / "tengen" / "engine" / "red" / "helper.py"
    stamp = helper.stat().st_mtime
    helper.write_text(helper.read_text().replace("x + 1", "x + 7"))
    os.utime(helper, (stamp, stamp))  # same time, same size: only the text tells
    assert ask(warm, "red", "blue").stdout.split() == ["red", "520", "0", "blue", "320", "1"]


@pytest.mark.posix
@needs_compiler
def test_cache_that_can_only_be_read_is_used(warm):
    folder = warm / "cache"
    for path in [*folder.rglob("*"), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        reply = ask(warm, "red")
    finally:
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755)
    assert reply.stdout.split() == ["red", "280", "1"]


@needs_compiler
def test_without_a_place_for_the_cache_kernels_still_run_and_it_is_said_once(house, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    reply = ask(house, "red", cache=blocked / "cache")
    assert reply.stdout.split() == ["red", "280", "0"]
    assert reply.stderr.count("not kept") == 1
    assert "Traceback" not in reply.stderr


@needs_compiler
def test_a_kernel_that_numba_does_not_store_runs(house):
    """One with an array of over a megabyte is an example."""
    helper = house / "tengen/engine/red/helper.py"
    source = helper.read_text().replace("return x + 1", "return x + TABLE[0]")
    helper.write_text(f"import numpy as np\nTABLE = np.ones(200_000, np.int64)\n{source}")
    for _ in range(2):
        assert ask(house, "red").stdout.split() == ["red", "280", "0"]


@needs_compiler
def test_truncated_cache_files_are_compiled_again(warm):
    for path in (warm / "cache").rglob("*.nb*"):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    reply = ask(warm, "red")
    assert reply.stdout.split() == ["red", "280", "0"]
    assert "Traceback" not in reply.stderr
    assert ask(warm, "red").stdout.split() == ["red", "280", "1"], "what was compiled again was kept"


@needs_compiler
def test_full_disk_costs_only_the_cache(house):
    (house / "sitecustomize.py").write_text(
        "import numba.core.caching as c\n"
        "def refuse(*a): raise OSError(28, 'No space left on device')\n"
        "c.IndexDataCacheFile.save = refuse\n"
    )
    reply = ask(house, "red", "blue")
    assert reply.stdout.split() == ["red", "280", "0", "blue", "320", "0"]
    assert reply.stderr.count("No space left on device") == 1


@needs_compiler
def test_processes_that_compile_at_the_same_time_do_not_spoil_the_cache(house):
    settings = {**os.environ, "TENGEN_CACHE_DIR": str(house / "cache"), "PYTHONPATH": str(house)}
    command = [sys.executable, "-c", ASK, "red", "blue"]
    running = [
        subprocess.Popen(command, cwd=house, env=settings, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in running:
        values = process.communicate(timeout=PATIENCE)[0].split()
        assert values[1::3] == ["280", "320"]
    assert ask(house, "red", "blue").stdout.split() == ["red", "280", "1", "blue", "320", "1"]


@needs_compiler
def test_old_cache_folders_are_pruned_and_others_left_alone(house):
    old, recent, foreign = (
        house / "cache" / name for name in ("red-" + "0" * 16, "red-" + "1" * 16, "notes")
    )
    for folder in (old, recent, foreign):
        folder.mkdir(parents=True)
    long_ago = time.time() - 90 * 86400
    for folder in (old, foreign):
        os.utime(folder, (long_ago, long_ago))
    ask(house, "red")
    assert not old.exists()
    assert recent.exists()
    assert foreign.exists()


def test_settings_of_numba_name_another_folder(monkeypatch):
    before = jit.source_hash("tengen.engine.dvonn")
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert jit.source_hash("tengen.engine.dvonn") != before


def test_one_game_is_not_made_of_another():
    names = {name.removeprefix("tengen.") for name, _ in jit.sources("tengen.engine.dvonn")}
    assert {"engine.dvonn.rules", "engine.jit", "engine.board.grids"} <= names
    assert {
        "search.info",
        "search.alphabeta.search",
        "search.alphabeta.table",
        "search.mcts.search",
    } <= names
    assert not [name for name in names if name.startswith("engine.gomoku")]


def test_every_import_of_a_source_is_found():
    reader = importlib.import_module("tengen.engine.jit.sources")
    for folder in ("engine", "search"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text("utf-8")
            imports = {ast.unparse(node) for node in ast.parse(text).body if hasattr(node, "names")}
            assert imports <= {ast.unparse(node) for node in reader._import_statements(text)}, path


@pytest.mark.parametrize(
    "text",
    [
        "from a import (  # which (see there)\n    b,\n    c,\n)\n",
        "from a import b, \\\n    c\n",
        '"""Words\nimport from elsewhere.\n"""\nfrom a import b, c\n',
        "import os; from a import b, c\n",
    ],
)
def test_imports_are_found_however_they_are_written(text):
    reader = importlib.import_module("tengen.engine.jit.sources")
    names = {alias.name for node in reader._import_statements(text) for alias in getattr(node, "names", ())}
    assert {"b", "c"} <= names


def test_only_jit_imports_numba():
    for package in ("engine", "search", "protocol", "tuning"):
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text("utf-8")
            if path.parent.name != "jit":
                assert "import numba" not in text, path
                assert "from numba" not in text, path


@pytest.mark.interpreted
@pytest.mark.checked
@pytest.mark.parametrize("bits", [1, 2, 0b1011000, 1 << 63, (1 << 64) - 1, 0x8000000100000000])
def test_bit_primitives(bits):
    @kernel
    def both(x):
        return popcount(x), lsb(x)

    count, index = both(np.uint64(bits))
    assert count == bits.bit_count()
    assert index == (bits & -bits).bit_length() - 1


@pytest.mark.interpreted
@pytest.mark.checked
def test_words_of_memory():
    memory = np.zeros(2, np.uint64)

    @kernel
    def swap(address):
        prefetch(address)
        prefetch(np.uint64(0))  # may be any address
        store_word(address, load_word(address) + np.uint64(5))
        return load_word(address)

    memory[1] = 37
    assert swap(np.uint64(memory.ctypes.data + 8)) == 42
    assert memory.tolist() == [0, 42]


@needs_compiler
def test_a_running_kernel_sees_the_stop_flag():
    import threading

    @kernel
    def spin(address):
        turns = 0
        while not load_word(address):
            turns += 1
        return turns

    flag = StopFlag()
    flag.set()
    assert spin(flag.address) == 0
    flag.clear()
    threading.Timer(0.05, flag.set).start()
    assert spin(flag.address) > 0


@needs_compiler
@pytest.mark.parametrize(("processor_time", "now"), [(False, time.monotonic), (True, time.process_time)])
def test_a_running_kernel_looks_at_the_clock_itself(processor_time, now):
    @kernel
    def spin(address):
        steps = 0
        while not is_stopped(address, steps, steps + 1):
            steps += 1
        return steps

    flag = StopFlag()
    began = now()
    flag.set_after(0.05, processor_time)
    assert spin(flag.address) > 0
    assert now() >= began + 0.05
    assert flag, "others see that time is up"
    flag.clear()
    flag.set_after(-1.0)
    assert spin(flag.address) == 255, "the clock is looked at whenever 256 steps are complete"


def test_clocks_below_zero_have_deadlines(monkeypatch):
    monkeypatch.setattr(time, "clock_gettime_ns", lambda clock: -(10**18))
    flag = StopFlag()
    flag.set_after(1.0)
    assert not flag


@pytest.mark.skipif(not hasattr(time, "clock_gettime_ns"), reason="this system has no clock for kernels")
def test_a_flag_is_set_when_its_time_is_up_though_no_kernel_runs():
    flag = StopFlag()
    flag.set_after(3600.0)
    assert not flag
    flag.set_after(0.0)
    assert flag
    flag.clear()
    assert not flag


def test_large_fields_begin_at_cache_lines():
    inner = record([("few", "i4"), ("rows", "i2", (3, 32))], cache_lines=True)
    fields = [("one", "i1"), ("many", "u8", (9,)), ("two", "i4"), ("inner", inner)]
    made = zeros(record(fields, cache_lines=True))
    offsets = {name: field[1] for name, field in made.dtype.fields.items()}
    assert offsets == {"one": 0, "many": 64, "two": 136, "inner": 192}
    assert inner.fields["rows"][1] == made.dtype["inner"].fields["rows"][1] == 64
    for memory in (made, *(zeros(made.dtype) for _ in range(20))):
        assert memory.ctypes.data % CACHE_LINE == 0
        assert memory.shape == (1,)
        assert not memory.view(np.uint8).any()


@pytest.mark.parametrize("duplicate", [Record.copy, copy.copy, copy.deepcopy])
def test_records_are_read_written_and_copied(duplicate):
    inner = record([("few", "i4")])
    made = np.zeros(2, record([("one", "i1"), ("inner", inner), ("rows", "i2", (3,)), ("each", inner, (2,))]))
    first = made[0]
    first.one, first.rows[1], first.inner.few = 5, 3, 7
    assert made["one"].tolist() == [5, 0]
    assert made["rows"].tolist() == [[0, 3, 0], [0, 0, 0]]
    first.each[1].few = 9
    assert (first.one, made[0].inner.few, first["inner"].few, made[0].each[1].few) == (5, 7, 7, 9)
    twin = duplicate(first)
    assert twin == first == pickle.loads(pickle.dumps(first))
    assert type(twin) is type(first) is type(twin.inner) is Record
    twin.inner.few = 8
    assert (first.inner.few, twin.inner.few, twin.one) == (7, 8, 5)


def test_what_a_record_lacks_is_named():
    first = np.zeros(1, record([("one", "i1")]))[0]
    assert not hasattr(first, "two")
    with pytest.raises(AttributeError, match="no field of name two"):
        _ = first.two


def test_fields_must_not_hide_attributes_of_arrays():
    with pytest.raises(ValueError, match="size"):
        record([("size", "i4")])
