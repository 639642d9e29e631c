"""Kernels, and search modules specialised for a game."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable
from functools import cache
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

from numba.core.errors import NumbaWarning

from tengen.engine.jit.cache import KernelCache, cache_folder, portable_folder
from tengen.engine.jit.dispatcher import dispatcher_of
from tengen.engine.jit.intrinsics import COMPILED
from tengen.engine.jit.sources import home, module_path

if TYPE_CHECKING:
    from tengen.engine.contract import Rules

warnings.filterwarnings("ignore", category=NumbaWarning, message=".*cannot cache.*")


def _game_of(function: Any) -> str:
    """Return the package of the game for which `function` is compiled; empty for shared helpers."""
    bound = function.__globals__.get("game")
    return home(bound.__name__ if isinstance(bound, ModuleType) else function.__module__)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` at its first call: it releases the GIL, divides as C does, checks no bounds.

    The compiled code is cached on disk for kernels of a game and of modules made by `specialise`, but not for
    shared helpers, which become part of their callers. Set ``NUMBA_BOUNDSCHECK=1`` to check indices.
    """
    if not COMPILED:
        return function
    game = _game_of(function)
    if game:
        bound = function.__globals__.get("game")  # the game, or one of the modules that stand for it
        name = bound.__name__ if isinstance(bound, ModuleType) else game
        function.__qualname__ = f"{name[game.rfind('.') + 1 :]}.{function.__qualname__}"
        function.__game__ = game  # type: ignore[attr-defined]
    dispatcher = dispatcher_of(function)
    if game and (cache_folder(game) or portable_folder(game)):
        dispatcher._cache = KernelCache(function)
    return dispatcher


@cache
def specialise(module: str, game: Rules | ModuleType) -> ModuleType:
    """Return a copy of the search module called `module` whose global ``game`` is bound to `game`.

    The source is executed again under the name ``module[game]``, so that ``game.do_move(...)`` compiles to a
    direct call. The qualified names of its kernels contain the game, so that kernels of two games with the
    same signature do not share a cache entry. If `game` names other ``__kernels__``, it is the copy of these.
    """
    if shared := vars(game).get("__kernels__"):
        return specialise(module, shared)
    path = module_path(module.split("."))
    if path is None:
        raise ModuleNotFoundError(f"no module is called {module!r}")
    name = f"{module}[{game.__name__}]"
    loader = SourceFileLoader(name, str(path))  # it keeps the compiled source, as for any module
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    made = importlib.util.module_from_spec(spec)
    made.__dict__["game"] = game
    sys.modules[name] = made
    loader.exec_module(made)
    return made


def overloads(dispatcher: Any) -> int:
    """Return for how many signatures a kernel has been compiled or loaded; 0 for plain functions."""
    return len(getattr(dispatcher, "signatures", ()))
