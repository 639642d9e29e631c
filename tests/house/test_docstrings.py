"""What docstrings name is there, and those of the library describe every parameter."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from itertools import pairwise

import pytest

import tengen
from tests.house.test_architecture import FILES, module_name, parsed

Function = ast.FunctionDef | ast.AsyncFunctionDef
ENTRY = re.compile(r"^([*\w][*\w, /]*?)(?: :.*)?$")  # of a section, at its margin
NOT_MADE = {"Analysis", "MatchResult"}  # by callers: methods and functions return them


def entries(docstring: str | None, section: str) -> dict[str, str]:
    """Return the names in a section of a docstring, each with what is said of it."""
    said: dict[str, str] = {}
    names: list[str] = []
    inside = False
    lines = (docstring or "").split("\n")
    for line, below in pairwise([*lines, ""]):
        if re.fullmatch("-{3,}", below):
            names, inside = [], line == section
        elif inside and (entry := ENTRY.match(line)):
            names = [name.strip(" *") for name in entry[1].split(",")]
            said |= dict.fromkeys(names, "")
        elif line.startswith(" "):
            said |= {name: said[name] + line for name in names}
    return said


def parameters(node: Function) -> set[str]:
    """Return the names of a function's parameters."""
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return {each.arg for each in [*named, arguments.vararg, arguments.kwarg] if each}


def taken(node: Function | ast.ClassDef) -> set[str] | None:
    """Return what a function or a class takes; None for a class that inherits it."""
    if isinstance(node, Function):
        return parameters(node)
    made = [each for each in node.body if isinstance(each, Function) and each.name in ("__init__", "__new__")]
    fields = {
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    return parameters(made[0]) if made else fields or None


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_documented_parameters_exist(path):
    for node in ast.walk(parsed(path)):
        if isinstance(node, Function | ast.ClassDef) and (known := taken(node)) is not None:
            named = entries(ast.get_docstring(node), "Parameters")
            assert named.keys() <= known, f"{path.name}: {node.name}"


def public_callables() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the functions, classes and methods of the library by name, without those of other libraries."""
    for name in tengen.__all__:
        each = getattr(tengen, name)
        members = dir(each) if inspect.isclass(each) else []
        yield from ((f"{name}.{member}", getattr(each, member)) for member in members if member[0] != "_")
        if name not in NOT_MADE:
            yield name, each


def test_every_parameter_of_the_library_is_described():
    checked = 0
    for name, each in public_callables():
        made = each.__init__ if inspect.isclass(each) else each
        if inspect.isroutine(made) and str(getattr(made, "__module__", "")).startswith("tengen"):
            described = entries(inspect.getdoc(each), "Parameters")
            if is_dataclass(each):
                described |= entries(inspect.getdoc(each), "Attributes")
            wanted = inspect.signature(each).parameters.keys() - {"self", "_"}
            assert wanted <= {entry for entry, text in described.items() if text}, name
            checked += len(wanted)
    assert checked > 200
