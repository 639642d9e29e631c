"""Decide whether new weights are better than old ones, by a match with a sequential test.

The test (SPRT) accepts the new weights if they are E1 Elo better, and rejects them if they are not even E0
better; each decision is wrong in 5% of gates. Both players are the same engine. Results name the hashes of
its sources and weights, so a change of either is detected. The same command resumes an interrupted gate. All
other options are those of tengen match.

exit status: 0 accepted, 1 rejected or undecided after all games, 2 bad input, 130 interrupted
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.apps.cli.tuning.conduct import GATE, conduct
from tengen.apps.cli.tuning.match import (
    add_limit_arguments,
    add_match_arguments,
    add_output,
    match_games,
    parse_settings,
)
from tengen.engine.errors import OptionError, quoted

if TYPE_CHECKING:
    from tengen.engine.game import Game
    from tengen.tuning.match.settings import MatchSettings

EXAMPLES = """examples:
  tengen gate --game dvonn --new candidate.npz --movetime 0.1
  tengen gate --game gipf --new candidate.npz --old best.npz --nodes 5000 --sprt 0,5 --concurrency 4 && \\
      cp candidate.npz best.npz"""
PLAYER = "tengen"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen gate``: those of a match of two, with weights in place of players."""
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--game", metavar="SPEC", required=True, help="the game to play, such as gipf:tournament")
    add("--new", metavar="FILE", required=True, help="the new weights")
    add("--old", metavar="FILE", help="the weights to beat (default: those that the game ships with)")
    add(
        "--games",
        metavar="N",
        type=match_games,
        default=10_000,
        help="maximum number of games (default: 10000)",
    )
    add_limit_arguments(parser)
    add_match_arguments(parser, sprt="0,10")
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the match of the new weights against the old ones, or what is left of it."""
    settings = parse_settings(arguments, [player(arguments.new), player(arguments.old)])
    if not settings.openings.varied:
        raise OptionError("--openings: expected at least 1 turn, for games that differ, got 0")
    weights = weights_of(settings.game.game, arguments)
    return conduct(arguments, settings, arguments.out or default_path(settings, weights), command=GATE)


def player(file: str | None) -> str:
    """Return the engine with the weights of `file`, or the shipped ones, as a player."""
    if file and "," in file:
        raise OptionError(f"weights: expected a name without a comma, got {quoted(file, 200)}")
    return PLAYER if file is None else f"{PLAYER},weights={file}"


def weights_of(game: Game, arguments: argparse.Namespace) -> dict[str, str]:
    """Return the fingerprints of the new and the old weights.

    Raises
    ------
    TengenError
        If a file does not hold weights of `game`, or both are the same.
    """
    from tengen.engine.weights import read_weights

    new = read_weights(game, arguments.new)
    old = read_weights(game, arguments.old) or (game.evaluation and game.evaluation.shipped())
    assert new
    assert old
    if new.fingerprint == old.fingerprint:
        names = f"{arguments.new} and {arguments.old or 'those that the game ships with'}"
        raise OptionError(f"weights: expected different ones, got {names}, both {new.fingerprint}")
    return {"new": new.fingerprint, "old": old.fingerprint}


def default_path(settings: MatchSettings, weights: dict[str, str]) -> Path:
    """Return the file of a gate. It depends on the contents of the weights, not only on their file names."""
    from tengen.tuning.identity import fingerprint

    return Path(f"gate-{fingerprint({**settings.identity(), **weights})}.sqlite")
