"""The page about the library: its examples run, and it names what there is."""

import ast
import json
import os
import re
import subprocess
import sys

import pytest

import tengen
from tests import ROOT

PAGE = (ROOT / "docs" / "python.md").read_text("utf-8")
NETS = (ROOT / "docs" / "nets.md").read_text("utf-8")
COMING = (ROOT / "docs" / "coming-from.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


def examples(page: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", page, re.S))


@pytest.mark.parametrize("page", [PAGE, COMING, README], ids=["python.md", "coming-from.md", "README.md"])
def test_the_examples_run(page, tmp_path):
    code = examples(page)
    assert "import tengen" in code
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_reference_has_every_public_name_once():
    """It names them where they are defined, as documentation that is read from the source needs it."""
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    named = re.findall(r"^::: (\S+)$", page, re.M)
    public = {name: getattr(tengen, name) for name in tengen.__all__ if name != "__version__"}
    assert sorted(named) == sorted(f"{each.__module__}.{each.__qualname__}" for each in public.values())
    renamed = re.findall(r"`(\w+)` as `(\w+)`", page)
    assert renamed == [(each.__name__, name) for name, each in public.items() if each.__name__ != name]


def test_the_notebook_runs_and_shows_boards_and_a_graph(tmp_path):
    notebook = json.loads((ROOT / "docs" / "tour.ipynb").read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    shown = {kind for cell in code for output in cell["outputs"] for kind in output.get("data", {})}
    assert {"image/svg+xml", "image/png"} <= shown
    done = subprocess.run(
        [sys.executable, "-c", "\n".join("".join(cell["source"]) for cell in code)],
        cwd=tmp_path, env={**os.environ, "MPLBACKEND": "Agg"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "W - D - L" in done.stdout


def test_the_page_about_nets_names_every_plane():
    words = " ".join(NETS.split())
    for game in tengen.games():
        for number, plane in enumerate(tengen.Batch(game, 1).planes):
            assert f"{number} {plane}" in words


def test_the_public_names_are_listed_and_exist():
    imports = [
        node
        for node in ast.walk(ast.parse((ROOT / "tengen" / "__init__.py").read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("tengen.")
    ]
    declared = {alias.asname: node.module for node in imports for alias in node.names}
    assert {name: module for name, module in declared.items() if name} == tengen._HOMES
    assert {*tengen.__all__} == {*tengen._HOMES, "__version__", "games"}
    assert dir(tengen) == sorted(tengen.__all__)
    for name in tengen.__all__:
        assert getattr(tengen, name).__doc__ or name == "__version__"
    with pytest.raises(AttributeError, match="no attribute 'Positon'"):
        _ = tengen.Positon


def test_all_public_names_can_be_looked_at_without_the_extras():
    code = (
        "import sys; sys.modules |= dict.fromkeys(('gymnasium', 'pettingzoo', 'pyspiel'))\n"
        "import inspect, pydoc, tengen\n"
        "from tengen import *\n"
        "names = {name for name, _ in inspect.getmembers(tengen)}\n"
        "page = pydoc.render_doc(tengen, renderer=pydoc.plaintext)\n"
        "print(set(tengen.__all__) <= names & set(globals()), 'pettingzoo(spec' in page)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


def test_the_face_is_light_until_something_computes():
    code = (
        "import sys, tengen; tengen.Engine; tengen.Limit(time=1.0); tengen.GameSpec.parse('go');"
        "tengen.Engine(); tengen.external('gnugo', 'gtp'); tengen.Record; tengen.match; tengen.Score;"
        "print({'numpy', 'numba'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
