"""What docstrings name is there: every parameter in a section Parameters is one of the function or class."""

from __future__ import annotations

import ast
import re

import pytest

from tests.house.test_architecture import FILES, module_name

Function = ast.FunctionDef | ast.AsyncFunctionDef
ENTRY = re.compile(r"^([*\w, /]+?)(?: :.*)?$")  # of a section, at its margin


def documented(node: ast.AST) -> set[str]:
    """Return the names in the section Parameters of a docstring."""
    lines = (ast.get_docstring(node) or "").split("\n")  # type: ignore[arg-type]
    if "Parameters" not in lines:
        return set()
    names: set[str] = set()
    for number in range(lines.index("Parameters") + 2, len(lines)):
        line = lines[number]
        if number + 1 < len(lines) and re.fullmatch("-{3,}", lines[number + 1]):
            break
        if line and not line.startswith(" ") and (entry := ENTRY.match(line)):
            names |= {name.strip(" *") for name in entry[1].split(",")}
    return names


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
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, Function | ast.ClassDef) and (known := taken(node)) is not None:
            assert documented(node) <= known, f"{path.name}: {node.name}"
