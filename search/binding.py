"""Binds a game: gathers its rules, evaluation and simulation in the one module that searches see."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from tengen.engine.contract import PARTS
from tengen.engine.game import Game
from tengen.engine.jit import specialise


def bound(game: Game) -> ModuleType:
    """Return the module with every name of `engine.contract` that `game` offers, and defaults for others."""
    return _bound(game.package)


@cache
def _bound(package: str) -> ModuleType:
    """Return the bound module of the game in `package`; the same one every time."""
    module = ModuleType(f"{package}.bound", f"What searches see of {package}.")
    names = vars(module)
    for part, offered in PARTS.items():
        if find_spec(f"{package}.{part}"):
            found = vars(import_module(f"{package}.{part}"))
            names.update({name: found[name] for name in offered if name in found})
    defaults = vars(specialise("tengen.search.defaults", module))
    for offered in PARTS.values():
        for name in offered:
            if name in defaults:
                names.setdefault(name, defaults[name])
    return module
