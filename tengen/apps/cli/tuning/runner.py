"""Runs a match or a gate: plays what is left of it, prints the report, and decides on the exit status."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.apps.cli.tuning.conditions import MatchOptions
from tengen.engine.errors import OptionError, nearest, quoted
from tengen.protocol.arguments import print_resume_command
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.numbers import parse_number
from tengen.protocol.output import print_notice
from tengen.tuning.match.report import JsonDict, game_report, score_text, summary, table

if TYPE_CHECKING:
    from tengen.tuning.match.records import FinishedGame
    from tengen.tuning.match.settings import MatchSettings
    from tengen.tuning.match.tournament import Match

MATCH, GATE = "match", "gate"
VERDICTS = {"H1": "accepted", "H0": "rejected", "": "undecided"}  # of a gate, by the accepted hypothesis
EXIT_REFUSED = 1
MAX_ANCHOR = 10_000  # Elo


def run_match(
    options: MatchOptions,
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
    options : MatchOptions
        They are printed again to resume.
    settings : MatchSettings
    path : Path
        The file of the match.
    command : str
        The subcommand. `GATE` reports a verdict, and succeeds only if the SPRT accepts H1.
    text : callable
        Returns the report for people.
    """
    from tengen.tuning.match.records import Store
    from tengen.tuning.match.tournament import Match, write_pgn

    anchors = parse_anchors(options.anchor or [], settings)
    store = Store(path, settings.identity())
    try:
        match = Match(settings, store, print_notice)

        def report_on() -> JsonDict:
            return summary(match, path, anchors, options.los)

        finished = play(match, options, lambda: text(report_on()))
    finally:
        store.close()
    if options.pgn:
        write_pgn(options.pgn, match)
    if not finished:
        print_resume_command(command, replace(options, out=path))
    report = report_on()
    if command == GATE:
        report["verdict"] = VERDICTS[report["sprt"]["accepted"]]
    print(json.dumps(report) if options.json else text(report))
    if not finished:
        return EXIT_INTERRUPTED
    return EXIT_REFUSED if command == GATE and report["verdict"] != VERDICTS["H1"] else 0


def parse_anchors(texts: Sequence[str], settings: MatchSettings) -> dict[int, float]:
    """Return the Elo of players, by number, that texts such as ``greedy=1200`` give.

    Raises
    ------
    OptionError
        If there is no such player, or no such number; or in a match of two, which has no ratings.
    """
    names = [player.text for player in settings.players]
    anchors: dict[int, float] = {}
    for text in texts:
        name, _, elo = text.rpartition("=")
        if name not in names or not settings.tournament:
            expected = f"PLAYER=ELO with one of {', '.join(names)}" if settings.tournament else "a tournament"
            raise OptionError(f"--anchor: expected {expected}, got {quoted(text)}{nearest(name, names)}")
        anchors[names.index(name)] = parse_number("--anchor", elo, -MAX_ANCHOR, MAX_ANCHOR)
    return anchors


@contextlib.contextmanager
def finishing(match: Match) -> Iterator[None]:
    """Let the first SIGINT finish the running games, and the second one end them."""

    def stop(number: int, frame: object) -> None:
        if match.stopping:
            raise KeyboardInterrupt
        match.stopping = True
        print_notice("the running games are finished first; Ctrl-C again ends them now")

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def play(match: Match, options: MatchOptions, table: Callable[[], str]) -> bool:
    """Play the pending games with a progress bar; return False if interrupted.

    `table` returns the report so far.
    """
    from tqdm import tqdm

    from tengen.tuning.match.records import write_sgf

    total, quiet = match.settings.total, not sys.stderr.isatty()
    bar = tqdm(total=total, initial=len(match.games), unit="game", disable=quiet)

    def on_game(game: FinishedGame) -> None:
        if options.sgf:
            write_sgf(options.sgf, match.settings.game, match.names(game.number), game)
        if options.json:
            print(json.dumps(game_report(game, match)), flush=True)
        if not match.settings.tournament:
            bar.set_postfix_str(score_text(match.score), refresh=False)
        bar.update()
        if options.table and len(match.games) % options.table == 0 and match.pending():
            print(f"\n{table()}\n", file=sys.stderr, flush=True)

    with bar, finishing(match):
        try:
            if options.sgf:
                for game in match.games:
                    write_sgf(options.sgf, match.settings.game, match.names(game.number), game)
            match.run(on_game)
        except KeyboardInterrupt:
            return False
    return not (match.stopping and match.pending())
