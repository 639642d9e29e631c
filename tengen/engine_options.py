"""The options of tengen's own engine in the library: their ranges, their types, and their checks."""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from tengen.engine.errors import OptionError, nearest, quoted, refusals
from tengen.engine.game import Value
from tengen.engine.options import Option, is_retired
from tengen.search.levels import MAX_SEED
from tengen.search.limits.limit import AUTO, MAX_LEVEL, MAX_THREADS, METHODS, max_hash_mb

OPTIONS = {
    option.name: option
    for option in (
        Option("threads", 1, "search threads", 1, MAX_THREADS),
        Option("hash", 64, "size of the table or the tree, MB", 1, max_hash_mb()),
        Option("method", AUTO, "how to search", choices=METHODS),
        Option("level", MAX_LEVEL, "level of play; the highest is full strength", 1, MAX_LEVEL),
        Option("level_seed", 0, "seed of the choices of weaker levels", 0, MAX_SEED),
    )
}


class EngineOptions(TypedDict, total=False):
    """The types of `OPTIONS`, for those who check their programs."""

    threads: int
    hash: int
    method: Literal["auto", "alphabeta", "mcts"]
    level: int
    level_seed: int


def checked_options(options: Mapping[str, object]) -> dict[str, Value]:
    """Return `options` with their values checked."""
    checked: dict[str, Value] = {}
    for name, value in options.items():
        if is_retired(name):
            continue
        with refusals(value):
            if name not in OPTIONS:
                known, meant = ", ".join(OPTIONS), nearest(name, OPTIONS)
                raise OptionError(f"engine: expected one of {known}, got {quoted(name)}{meant}")
            option = OPTIONS[name]
            if isinstance(value, bool):
                raise OptionError(f"option {name}: expected {option.domain}, got {value}")
            checked[name] = option.parse(str(value), "the engine's options")
    return checked


def worker_options(options: Mapping[str, Value]) -> dict[str, Any]:
    """Return options as `Worker.configure` names them."""
    return {"hash_mb" if name == "hash" else name: value for name, value in options.items()}
