"""The modules of the page's script, read as text: no build checks their names."""

import re
from pathlib import PurePosixPath

import pytest

from tengen.apps.web.server import STATIC, script

MODULES = {
    path.relative_to(STATIC).as_posix(): path.read_text("utf-8") for path in sorted(STATIC.rglob("*.js"))
}
EXPORT = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.M)
TOP = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", re.M)
DEFINED = re.compile(r"(?:function|class|const|let) (\w+)")
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w./]+)";', re.M)
METHOD = re.compile(r"^  (?:static |async |get )*\w+\([^;]*\) \{$", re.M)
PARAMETERS = re.compile(r"\(([\w, ={}\[\]]*)\) (?:=>|\{)")
CALLED = re.compile(r"(?<![.\w])(\w+)\(")
EXPORTED = {name for text in MODULES.values() for name in EXPORT.findall(text)}


def imported(text: str) -> list[tuple[str, str]]:
    """Return the names that a module imports, each with its module."""
    return [(name.strip(), module) for names, module in IMPORT.findall(text) for name in names.split(",")]


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


def test_the_script_has_all_modules_and_each_name_once():
    """They are sent as one: what two of them defined, or another name for an import, would be a fault."""
    names = [name for text in MODULES.values() for name in TOP.findall(text)]
    assert sorted(names) == sorted({*names})
    assert all(re.fullmatch(r"\w+", name) for text in MODULES.values() for name, _ in imported(text))
    sent = script()
    assert sorted(TOP.findall(sent)) == sorted(names)
    assert not re.search(r"^(import|export)\b", sent, re.M)
