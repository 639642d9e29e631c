"""The modules of the page's script, read as text: no build checks their names."""

import re
from pathlib import PurePosixPath

import pytest

from tengen.apps.web.server import STATIC

MODULES = {
    path.relative_to(STATIC).as_posix(): path.read_text("utf-8") for path in sorted(STATIC.rglob("*.js"))
}
EXPORT = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.M)
DEFINED = re.compile(r"(?:function|class|const|let) (\w+)")
IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "\./([\w./]+)";', re.M)
METHOD = re.compile(r"^  (?:static |async |get )*\w+\([^;]*\) \{$", re.M)
PARAMETERS = re.compile(r"\(([\w, ={}\[\]]*)\) (?:=>|\{)")
CALLED = re.compile(r"(?<![.\w])(\w+)\(")
EXPORTED = {name for text in MODULES.values() for name in EXPORT.findall(text)}


def imported(text: str) -> list[tuple[str, str]]:
    """Return the names that a module imports, each with its module."""
    found = IMPORT.findall(text)
    return [(name.strip(), module) for names, _, module in found for name in names.split(",") if name]


@pytest.mark.parametrize("module", MODULES)
def test_functions_of_other_modules_are_imported_before_they_are_called(module):
    text = MODULES[module]
    known = {name for name, _ in imported(text)} | {*DEFINED.findall(text)}
    known |= {name for names in PARAMETERS.findall(text) for name in re.findall(r"\w+", names)}
    called = {*CALLED.findall(METHOD.sub("", text))} & EXPORTED
    assert called <= known


@pytest.mark.parametrize("module", MODULES)
def test_every_import_is_offered_and_used(module):
    text = MODULES[module]
    body = IMPORT.sub("", text)
    for name, source in imported(text):
        path = (PurePosixPath(module).parent / source).as_posix()
        assert name in EXPORT.findall(MODULES[path])
        assert re.search(rf"\b{name}\b", body), f"{name} is not used"


def test_page_asks_for_all_modules_at_once():
    """Those that others import would else be found one after another."""
    page = (STATIC / "index.html").read_text("utf-8")
    assert {*re.findall(r'<link rel="modulepreload" href="(.+?)">', page), "app.js"} == {*MODULES}
