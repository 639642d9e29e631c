"""tengen: AI opponent and analysis engine for GIPF, ZÈRTZ, DVONN, Go, Gomoku and Gobang.

>>> import tengen
>>> position = tengen.Position("gomoku,size=9")
>>> with tengen.Engine() as engine:
...     position.push(engine.play(position, tengen.Limit(nodes=1000)).turn)

Importing it is light: neither NumPy nor numba is loaded before something computes. The names in `__all__` are
the library; docs/python.md describes them. Everything else may change without notice.
"""

from importlib import import_module

TYPE_CHECKING = False  # the module `typing` takes longer than all else here

if TYPE_CHECKING:
    from tengen.analyses import Analysis as Analysis
    from tengen.engine.errors import ArgumentError as ArgumentError
    from tengen.engine.errors import EngineError as EngineError
    from tengen.engine.errors import FileError as FileError
    from tengen.engine.errors import IllegalTurnError as IllegalTurnError
    from tengen.engine.errors import MissingFileError as MissingFileError
    from tengen.engine.errors import MissingPackageError as MissingPackageError
    from tengen.engine.errors import NotationError as NotationError
    from tengen.engine.errors import OptionError as OptionError
    from tengen.engine.errors import PositionError as PositionError
    from tengen.engine.errors import TengenError as TengenError
    from tengen.engine.game import Game as Game
    from tengen.engine.game import Outcome as Outcome
    from tengen.engine.game import Side as Side
    from tengen.engine.play.position import Position as Position
    from tengen.engine.spec import GameSpec as GameSpec
    from tengen.engines import BaseEngine as BaseEngine
    from tengen.engines import Engine as Engine
    from tengen.environments.factories import gymnasium as gymnasium
    from tengen.environments.factories import openspiel as openspiel
    from tengen.environments.factories import pettingzoo as pettingzoo
    from tengen.guided import GuidedResult as GuidedResult
    from tengen.guided import GuidedSearch as GuidedSearch
    from tengen.matches import MatchResult as MatchResult
    from tengen.matches import match as match
    from tengen.nets import export_onnx as export_onnx
    from tengen.nets import net_inputs as net_inputs
    from tengen.programs import ExternalEngine as ExternalEngine
    from tengen.programs import external as external
    from tengen.records import Node as Node
    from tengen.records import Record as Record
    from tengen.records import from_numpy as from_numpy
    from tengen.records import to_numpy as to_numpy
    from tengen.search.batch import Batch as Batch
    from tengen.search.info import Info as Info
    from tengen.search.info import PlayResult as PlayResult
    from tengen.search.info import Score as Score
    from tengen.search.limits.limit import Clock as Clock
    from tengen.search.limits.limit import Limit as Limit
    from tengen.tuning.players.own import Player as Player
    from tengen.tuning.theory import KnownTurn as KnownTurn
    from tengen.tuning.theory import Theory as Theory
    from tengen.value_search import ValueResult as ValueResult
    from tengen.value_search import ValueSearch as ValueSearch

__version__ = "0.2.0"

_MODULES = {  # where the names of the library are, which are imported when they are first used
    "analyses": ("Analysis",),
    "engine.errors": (
        "ArgumentError",
        "EngineError",
        "FileError",
        "IllegalTurnError",
        "MissingFileError",
        "MissingPackageError",
        "NotationError",
        "OptionError",
        "PositionError",
        "TengenError",
    ),
    "engine.game": ("Game", "Outcome", "Side"),
    "engine.play.position": ("Position",),
    "engine.spec": ("GameSpec",),
    "engines": ("BaseEngine", "Engine"),
    "environments.factories": ("gymnasium", "openspiel", "pettingzoo"),
    "guided": ("GuidedResult", "GuidedSearch"),
    "matches": ("MatchResult", "match"),
    "nets": ("export_onnx", "net_inputs"),
    "programs": ("ExternalEngine", "external"),
    "records": ("Node", "Record", "from_numpy", "to_numpy"),
    "search.batch": ("Batch",),
    "search.info": ("Info", "PlayResult", "Score"),
    "search.limits.limit": ("Clock", "Limit"),
    "tuning.players.own": ("Player",),
    "tuning.theory": ("KnownTurn", "Theory"),
    "value_search": ("ValueResult", "ValueSearch"),
}
_HOMES = {name: f"tengen.{module}" for module, names in _MODULES.items() for name in names}

__all__ = sorted([*_HOMES, "__version__", "games"])


def games() -> tuple[str, ...]:
    """Return the names of all games that can be played, sorted."""
    from tengen.engine.games import names

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
    return list(__all__)
