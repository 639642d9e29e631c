"""Where the packages of games are, and their modules: folders of ``engine/``, or entry points of others."""

from __future__ import annotations

import functools
import importlib
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "tengen.games"  # of the entry points by which other packages offer games


@functools.cache  # games ask for their modules at every turn
def import_module(name: str) -> ModuleType:
    """Return the module of this dotted name."""
    return importlib.import_module(name)


@functools.cache
def find_module(part: str, *packages: str) -> str:
    """Return the dotted name of the first module `part` in these packages; empty if there is none.

    It is not imported for that.
    """
    names = (f"{package}.{part}" for package in packages if package)
    return next(filter(find_spec, names), "")


@functools.cache
def folder_of(package: str) -> Path:
    """Return the folder of a package."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations, f"expected a package, got {package}"
    return Path(spec.submodule_search_locations[0])


@functools.cache
def entry_points_by_name() -> dict[str, list[EntryPoint]]:
    """Return the entry points by which other packages offer games, by name."""
    from importlib.metadata import entry_points  # here, since it takes longer than a built-in game

    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        listed = found.setdefault(entry.name, [])
        if entry.value not in [other.value for other in listed]:  # one package may be found twice
            listed.append(entry)
    return dict(sorted(found.items()))
