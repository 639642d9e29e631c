"""tengen: AI opponent and analysis engine for GIPF, ZÈRTZ, DVONN, Go, Gomoku and Gobang.

>>> import tengen
>>> position = tengen.Position("gomoku,size=9")
>>> with tengen.Engine() as engine:
...     position.push(engine.play(position, tengen.Limit(nodes=1000)).turn)

Importing it is light: neither NumPy nor numba is loaded before something computes. The names in `__all__` are
the library; docs/python.md describes them. Everything else may change without notice.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # the module `typing` takes longer than all else here

if TYPE_CHECKING:
    from tengen.api.engines.analysis import Analysis as Analysis
    from tengen.api.engines.base import BaseEngine as BaseEngine
    from tengen.api.engines.engine import Engine as Engine
    from tengen.api.engines.external import ExternalEngine as ExternalEngine
    from tengen.api.engines.external import external as external
    from tengen.api.engines.match import MatchResult as MatchResult
    from tengen.api.engines.match import match as match
    from tengen.api.errors import ArgumentError as ArgumentError
    from tengen.api.errors import EngineError as EngineError
    from tengen.api.learning.batch import Batch as Batch
    from tengen.api.learning.guided import GuidedResult as GuidedResult
    from tengen.api.learning.guided import GuidedSearch as GuidedSearch
    from tengen.api.learning.gymnasium import gymnasium as gymnasium
    from tengen.api.learning.openspiel import openspiel as openspiel
    from tengen.api.learning.pettingzoo import pettingzoo as pettingzoo
    from tengen.api.limit import Limit as Limit
    from tengen.api.position import Position as Position
    from tengen.api.record import Node as Node
    from tengen.api.record import Record as Record
    from tengen.api.score import Info as Info
    from tengen.api.score import PlayResult as PlayResult
    from tengen.api.score import Score as Score
    from tengen.engine.errors import IllegalTurnError as IllegalTurnError
    from tengen.engine.errors import NotationError as NotationError
    from tengen.engine.errors import OptionError as OptionError
    from tengen.engine.errors import PositionError as PositionError
    from tengen.engine.errors import TengenError as TengenError
    from tengen.engine.game import Game as Game
    from tengen.engine.game import GameSpec as GameSpec
    from tengen.engine.game import Outcome as Outcome
    from tengen.search.limits.limit import Clock as Clock

__version__ = "0.1.0"

_MODULES = {  # where the names of the library are, which are imported when they are first used
    "api.learning.batch": ("Batch",),
    "api.engines.analysis": ("Analysis",),
    "api.engines.base": ("BaseEngine",),
    "api.engines.engine": ("Engine",),
    "api.errors": ("ArgumentError", "EngineError"),
    "api.engines.external": ("ExternalEngine", "external"),
    "api.learning.guided": ("GuidedResult", "GuidedSearch"),
    "api.learning.gymnasium": ("gymnasium",),
    "api.learning.openspiel": ("openspiel",),
    "api.learning.pettingzoo": ("pettingzoo",),
    "api.limit": ("Limit",),
    "api.engines.match": ("MatchResult", "match"),
    "api.position": ("Position",),
    "api.record": ("Node", "Record"),
    "api.score": ("Info", "PlayResult", "Score"),
    "engine.errors": ("IllegalTurnError", "NotationError", "OptionError", "PositionError", "TengenError"),
    "engine.game": ("Game", "GameSpec", "Outcome"),
    "search.limits.limit": ("Clock",),
}
_HOMES = {name: f"tengen.{module}" for module, names in _MODULES.items() for name in names}

__all__ = [
    "Analysis",
    "ArgumentError",
    "BaseEngine",
    "Batch",
    "Clock",
    "Engine",
    "EngineError",
    "ExternalEngine",
    "Game",
    "GameSpec",
    "GuidedResult",
    "GuidedSearch",
    "IllegalTurnError",
    "Info",
    "Limit",
    "MatchResult",
    "Node",
    "NotationError",
    "OptionError",
    "Outcome",
    "PlayResult",
    "Position",
    "PositionError",
    "Record",
    "Score",
    "TengenError",
    "__version__",
    "external",
    "games",
    "gymnasium",
    "match",
    "openspiel",
    "pettingzoo",
]


def games() -> tuple[str, ...]:
    """Return the names of all games that can be played, sorted."""
    from tengen.engine.game import names

    return names()


def __getattr__(name: str) -> object:
    """Import a name of the library when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tengen' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the names of the library."""
    return sorted(__all__)
