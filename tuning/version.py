"""The version of the engine that results of matches, self-play and analyses are labelled with."""

from __future__ import annotations

from tengen import __version__
from tengen.engine.game import Game, GameSpec
from tengen.engine.jit import source_hash


def engine_version(spec: GameSpec) -> str:
    """Return the release, and hashes of the sources and the shipped weights of every game of `spec`."""
    hashes = " ".join(_hashes(game.game) for game in spec.games)
    return f"tengen {__version__} ({hashes})"


def _hashes(game: Game) -> str:
    """Return the hash of the sources of `game`, and the fingerprint of its shipped weights, if any."""
    if game.evaluation is None:
        return source_hash(game.package)
    return f"{source_hash(game.package)}-{game.evaluation.shipped().fingerprint}"
