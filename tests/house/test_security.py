"""What would let input run code: nothing evaluates, unpickles or asks a shell, wherever input comes from."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests import ROOT
from tests.house.test_architecture import FILES, modules_imported, parsed

UNPICKLING = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "multiprocessing", "xmlrpc"}
PIPES = {  # between a command and the worker processes that it has started itself
    "engine/system.py": {"multiprocessing"},
    "tuning/workers/processes.py": {"pickle", "multiprocessing"},
}
NESTING = {  # parsers that a nested text takes to the end of the stack, and who knows that
    "json.loads": {"engine/storage/parsing.py"},
    "tomllib.loads": {"protocol/settings.py"},
}
EVALUATING = {"eval", "exec", "__import__"}
EVALUATED = {"tuning/workers/pool.py": {"exec"}}  # a constant text: cluster workers import us
SHELLS = {"os.system", "os.popen", "os.execl", "os.spawnl", "commands.getoutput", "subprocess.getoutput"}
FILES_OF_OURS = {  # read or written: sources, pages, kernels, what the system tells; never what a user names
    "engine/extras.py",
    "engine/jit/portable.py",
    "engine/jit/sources.py",
    "engine/rulebook.py",
    "engine/system.py",
    "tengen/apps/language.py",
    "tengen/apps/quiz/collection.py",
    "tengen/apps/review/pages/page.py",
    "tengen/apps/web/server.py",
    "search/bench.py",
    "search/warmup.py",
    "tuning/version.py",
}
OPENING = {"read_bytes", "read_text", "write_bytes", "write_text"}  # methods of a path
READERS = {"np.load", "numpy.load", "np.fromfile", "torch.load", "numpy.fromfile", "yaml.load"}


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(parsed(path))


@cache
def names(path: Path) -> set[str]:
    """Return all names and attributes that a file mentions, as in its source."""
    return {ast.unparse(node) for node in nodes(path) if isinstance(node, ast.Name | ast.Attribute)}


def packages_imported(path: Path) -> set[str]:
    return {name.split(".")[0] for name in modules_imported(path)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_runs_what_it_reads(path):
    place = path.relative_to(ROOT).as_posix()
    assert packages_imported(path) & UNPICKLING <= PIPES.get(place, set())
    mentioned = names(path)
    assert mentioned & EVALUATING <= EVALUATED.get(place, set())
    assert not mentioned & (SHELLS | READERS)
    options = [node for node in nodes(path) if isinstance(node, ast.keyword)]
    assert not [node.lineno for node in options if node.arg == "shell"]
    pickled = [node for node in options if node.arg == "allow_pickle"]
    assert all(ast.unparse(node.value) == "False" for node in pickled)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_a_user_names_go_through_one_module(path):
    """`engine.storage.files` refuses devices and pipes, limits how much is read, and replaces as a whole."""
    called = {
        node.func.attr
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and not (isinstance(node.func.value, ast.Name) and node.func.value.id == "files")
    }
    builtin = {
        node.func.id
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"
    }
    ours = path.relative_to(ROOT).as_posix() in FILES_OF_OURS
    assert bool(called & OPENING or builtin) == ours
    assert "resolve" not in called or "__file__" in names(path)  # it fails for a circle of links


@pytest.mark.parametrize("parser", NESTING)
def test_texts_that_may_be_nested_are_parsed_in_one_place(parser):
    using = {path.relative_to(ROOT).as_posix() for path in FILES if parser in names(path)}
    assert using == NESTING[parser]
    assert not any(f"{parser.partition('.')[0]}.load" in names(path) for path in FILES)


def test_the_exceptions_are_still_needed():
    """A list of exceptions that outlives them would let others in."""
    for place, allowed in EVALUATED.items():
        assert names(ROOT / place) & EVALUATING == allowed
    for place, allowed in PIPES.items():
        assert packages_imported(ROOT / place) >= allowed
