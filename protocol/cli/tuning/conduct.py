"""Conducts a match or a gate: plays what is left of it, prints the report, and decides on the exit status."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.protocol.cli.tuning.interruption import print_resume_command
from tengen.protocol.cli.tuning.results import JsonDict, game_report, score_text, summary, table
from tengen.protocol.common.interrupts import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from tengen.tuning.match.records import FinishedGame
    from tengen.tuning.match.settings import MatchSettings
    from tengen.tuning.match.tournament import Match

MATCH, GATE = "match", "gate"
VERDICTS = {"H1": "accepted", "H0": "rejected", "": "undecided"}  # of a gate, by the accepted hypothesis
EXIT_REFUSED = 1


def conduct(
    arguments: argparse.Namespace,
    settings: MatchSettings,
    path: Path,
    *,
    command: str = MATCH,
    text: Callable[[JsonDict], str] = table,
) -> int:
    """Play the pending games of a match and print its report; return the exit status.

    If interrupted, print the command that resumes it to stderr.

    Parameters
    ----------
    arguments : argparse.Namespace
        The command line, which is printed again to resume.
    settings : MatchSettings
    path : Path
        The file of the match.
    command : str
        The subcommand. `GATE` reports a verdict, and succeeds only if the SPRT accepts H1.
    text : callable
        Returns the report for people.
    """
    from tengen.tuning.match.records import Store
    from tengen.tuning.match.tournament import Match

    store = Store(path, settings.identity())
    try:
        match = Match(settings, store, print_notice)
        finished = play(match, arguments)
    finally:
        store.close()
    if not finished:
        print_resume_command(command, {**vars(arguments), "out": path})
    report = summary(match, path)
    if command == GATE:
        report["verdict"] = VERDICTS[report["sprt"]["accepted"]]
    print(json.dumps(report, ensure_ascii=False) if arguments.json else text(report))
    if not finished:
        return EXIT_INTERRUPTED
    return EXIT_REFUSED if command == GATE and report["verdict"] != VERDICTS["H1"] else 0


def play(match: Match, arguments: argparse.Namespace) -> bool:
    """Play the pending games with a progress bar; return False if interrupted."""
    from tqdm import tqdm

    from tengen.tuning.match.records import write_sgf

    total, quiet = match.settings.total, not sys.stderr.isatty()
    bar = tqdm(total=total, initial=len(match.games), unit="game", disable=quiet)

    def on_game(game: FinishedGame) -> None:
        if arguments.sgf:
            write_sgf(arguments.sgf, match.settings.game, match.names(game.number), game)
        if arguments.json:
            print(json.dumps(game_report(game, match), ensure_ascii=False), flush=True)
        if not match.settings.tournament:
            bar.set_postfix_str(score_text(match.score), refresh=False)
        bar.update()

    with bar:
        try:
            if arguments.sgf:
                for game in match.games:
                    write_sgf(arguments.sgf, match.settings.game, match.names(game.number), game)
            match.run(on_game)
        except KeyboardInterrupt:
            return False
    return True


def print_notice(text: str) -> None:
    """Print to stderr what the match is waiting for."""
    print(text, file=sys.stderr, flush=True)
