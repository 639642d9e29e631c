"""Decide whether new weights are better than old ones: a match of both, which ends when that is proven.

A sequential test (SPRT) accepts the new weights when they are E1 Elo better, and rejects them when they are
not even E0 better, each falsely in 5% of gates. Both versions are otherwise the same engine; the result names
them by the hashes of their sources and weights, so that nothing that changes meanwhile goes unnoticed. The
same command goes on with a gate that was broken off. All else is as in tengen match.

exit status: 0 accepted, 1 rejected or undecided after all games, 2 bad input, 130 interrupted
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.errors import OptionError, quoted
from tengen.protocol.cli.tuning.match import (
    add_limit_arguments,
    add_match_arguments,
    add_output,
    match_games,
    parse_settings,
    run_match,
)
from tengen.protocol.cli.tuning.results import JsonDict, summary, table
from tengen.protocol.common.interrupts import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from tengen.engine.game import Game
    from tengen.tuning.match.settings import MatchSettings

EXAMPLES = """examples:
  tengen gate --game dvonn --new candidate.npz --movetime 0.1
  tengen gate --game gipf --new candidate.npz --old best.npz --nodes 5000 --sprt 0,5 --concurrency 4 && \\
      cp candidate.npz best.npz"""
VERDICTS = {"H1": "accepted", "H0": "rejected", "": "undecided"}
EXIT_REFUSED = 1
PLAYER = "tengen"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen gate``."""
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--game", metavar="SPEC", required=True, help="what is played, such as gipf:tournament")
    add("--new", metavar="FILE", required=True, help="weights that want to be accepted")
    add("--old", metavar="FILE", help="weights to be beaten (default: those that the game ships with)")
    add("--sprt", metavar="E0,E1", default="0,10", help="Elo differences to decide between (default: 0,10)")
    add("--games", metavar="N", type=match_games, default=10_000, help="at most (default: 10000)")
    add_limit_arguments(parser)
    add_match_arguments(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the match, or what is left of it, and say what became of the new weights."""
    players = [player(file) for file in (arguments.new, arguments.old)]
    named = dict(zip(("first", "second"), players, strict=True))
    settings = parse_settings(argparse.Namespace(**vars(arguments), **named, player=None, gauntlet=False))
    if settings.openings == 0:
        raise OptionError("--openings: expected at least 1 turn, for games that differ, got 0")
    weights = weights_of(settings.game.game, arguments)
    path = arguments.out or default_path(settings, weights)
    match, finished = run_match("gate", settings, path, arguments)
    report = summary(match, path)
    report["verdict"] = VERDICTS[report["sprt"]["accepted"]]
    print(json.dumps(report, ensure_ascii=False) if arguments.json else f"{table(report)}\n{said(report)}")
    if not finished:
        return EXIT_INTERRUPTED
    return 0 if report["verdict"] == "accepted" else EXIT_REFUSED


def player(file: str | None) -> str:
    """Return the engine with the weights of `file` as a player; None for those that the game ships with."""
    if file and "," in file:
        raise OptionError(f"weights: expected a name without a comma, got {quoted(file, 200)}")
    return PLAYER if file is None else f"{PLAYER},weights={file}"


def weights_of(game: Game, arguments: argparse.Namespace) -> dict[str, str]:
    """Return the hashes of both versions' weights.

    Raises
    ------
    TengenError
        When a file does not hold weights of `game`, or both are the same.
    """
    from tengen.tuning.players.specs import read_weights

    new = read_weights(game, arguments.new)
    old = read_weights(game, arguments.old) or (game.evaluation and game.evaluation.shipped())
    assert new
    assert old
    if new.fingerprint == old.fingerprint:
        names = f"{arguments.new} and {arguments.old or 'those that the game ships with'}"
        raise OptionError(f"weights: expected different ones, got {names}, both {new.fingerprint}")
    return {"new": new.fingerprint, "old": old.fingerprint}


def default_path(settings: MatchSettings, weights: dict[str, str]) -> Path:
    """Return where a gate is kept: other weights in the same files make another gate."""
    from tengen.tuning.match.records import fingerprint

    return Path(f"gate-{fingerprint({**settings.identity(), **weights})}.sqlite")


def said(report: JsonDict) -> str:
    """Return what became of the new weights, in one line."""
    sprt = report["sprt"]
    new, old = (f"{player['name']} ({player['version'] or 'not played'})" for player in report["players"])
    evidence = f"LLR {sprt['llr']:+.2f} after {report['games']} games, {report['openings']} openings"
    return f"{report['verdict']}: {new} against {old}: {evidence}"
