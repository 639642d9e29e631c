"""Binds a game: gathers its rules, evaluation and simulation in the one module that searches see."""

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import cast

from tengen.engine.contract import PARTS, Kernels
from tengen.engine.game import Game
from tengen.engine.jit import specialise


@cache
def bound(game: Game) -> Kernels:
    """Return the module with every name of `engine.contract` that `game` offers, and defaults for others.

    It is the same module every time. Searches are specialised for the module ``__kernels__`` in its place, if
    it has one.
    """
    module = ModuleType(f"{game.package}.bound", f"What searches see of {game.package}.")
    names = vars(module)
    for part, offered in PARTS.items():
        if game.offers(part):
            found = vars(game.module(part))
            names.update({name: found[name] for name in offered if name in found})
    if game.shares_kernels:
        names["__kernels__"] = defaults_of = bound(import_module(game.base).GAME)
    else:
        defaults_of = specialise("tengen.search.defaults", module)
    defaults = vars(defaults_of)
    for offered in PARTS.values():
        for name in offered:
            if name in defaults:
                names.setdefault(name, defaults[name])
    return cast("Kernels", module)


def with_selection(game: ModuleType, selection: str, **more: object) -> ModuleType:
    """Return a module for which `search.mcts.search` leaves the evaluation of leaves to others.

    It has the names of `game`, what searches see of a game, that of the module that selects, and `more` such
    as ``utility``, a kernel that returns the value of a finished game.
    """
    module = ModuleType(f"{game.__name__}.{selection.rpartition('.')[2]}")
    offered = {name: value for name, value in vars(game).items() if not name.startswith("__")}
    vars(module).update(offered, SELECTION=selection, **more)
    return module
