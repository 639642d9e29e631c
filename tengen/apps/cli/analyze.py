"""Evaluate a position and list the best turns, as a table or as JSON lines; or review a whole record.

Scores are points of the game's evaluation for the side to move, or turns until a proven win or loss. A win
rate counts a draw as one half. On a terminal the table is updated during the search; Ctrl-C ends it early.
The search ends at the first limit it reaches; without any it takes 5 seconds.

JSON: a line for every line of play as soon as it is found, with depth and seldepth in actions, multipv
(rank), score ({"cp": hundredths of a point}, {"win": turns} or {"loss": turns}), bound ("lower" or "upper",
if the score is only a bound), winrate (0 to 1), nodes, nps, hashfull (per mille), time (seconds) and pv
(turns). The last line has bestturn, ponder (the expected reply), nodes, time, and a notice if the search
could not do as asked.

FILE.sgf without --turn is reviewed: every position is analysed, 1 second each by default, and every turn is
judged by the win rate it loses: ?! from 5 %, ? from 10 %, ?? from 20 %. Win rates and scores are those of the
first side. FILE.analyzed.sgf is the annotated record. Results are saved to FILE.analyzed.jsonl as they come;
after an interruption the same command resumes. JSON has one line a turn, for the side to move. Several
records, or folders of them, are all reviewed, each in a process, and one table sums them up. So are the games
of a file with several; FILE.sgf#3 is the third. All formats that tengen convert reads are records, too;
reviews of game.psq are named game.psq.analyzed.sgf and so on.
See docs/review.md.
"""

from __future__ import annotations

import inspect
import json
import os
import queue
import shutil
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.apps.review.options import ReviewOptions
from tengen.engine.columns import columns
from tengen.engine.errors import OptionError
from tengen.engine.notation import shown
from tengen.engine.play.trials import AWAITS_RESULT
from tengen.protocol.arguments import int_in_range, option, switch
from tengen.protocol.candidates import AnalyzeRequest, SearchReports
from tengen.protocol.engine_options import set_engine_options
from tengen.protocol.errors import CommandError
from tengen.protocol.interrupts import EXIT_INTERRUPTED, stop_on_sigint
from tengen.protocol.output import print_notice
from tengen.protocol.positions import position_and_turns
from tengen.protocol.session import Session
from tengen.protocol.values import score_report
from tengen.search.info import Info, Result
from tengen.search.limits.limit import MAX_MULTIPV, Limit

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

EXAMPLES = """examples:
  tengen analyze --game dvonn --time 10 --multipv 3
  tengen analyze --game gomoku,size=19 --moves "K10 L11 K11" --depth 8 --json
  tengen analyze --game zertz --time 10 --multipv 5 --group
  tengen analyze game.sgf --turn 30 --multipv 5
  tengen analyze game.sgf --turn last --multipv 3 --svg position.svg
  tengen analyze game.sgf --time 10 --plot game.png
  tengen analyze game.sgf --nodes 100000 --json --out reviewed.sgf > turns.jsonl
  tengen analyze games/ --nodes 20000 --parallel 2
  tengen analyze games/ --nodes 20000 --dask tcp://192.168.1.5:8786"""
DEFAULT_TIME = 5.0
REFRESH = 0.1  # seconds between two updates of the table
POSITION_OPTIONS = ("moves", "multipv", "group", "svg", "png")  # for one position only
RECORD_OPTIONS = tuple(inspect.get_annotations(ReviewOptions))  # for whole records only
HEADINGS = ("", "depth", "score", "win %", "turns")
BOUNDS = {"lower": ">= ", "upper": "<= ", "": ""}  # before a score


@dataclass(frozen=True, kw_only=True)
class Arguments(ReviewOptions):
    """The options of ``tengen analyze``."""

    multipv: int = option(
        "number of different turns to report (default 1)", "K", int_in_range(1, MAX_MULTIPV), default=1
    )
    group: bool = switch("report only the best of the turns that differ in the ring taken (ZÈRTZ)")
    svg: Path | None = option("draw the board with candidates and win rates as SVG", "FILE", Path)
    png: Path | None = option("the same as PNG (needs Pillow: the extra png)", "FILE", Path)


def run(options: Arguments) -> int:
    """Search the position, or every position of one or several records, and print the results."""
    several = _names_several(options)
    if options.turn is not None and not options.record:
        raise OptionError("--turn requires FILE.sgf")
    record = options.record if options.turn is None else None  # that is reviewed as a whole
    if record:
        options = options.refusing("{} requires --turn, which names a position", *POSITION_OPTIONS)
    else:
        options = options.refusing("{} requires FILE.sgf without --turn", *RECORD_OPTIONS)
    if several:
        from tengen.apps.review import batch

        if options.turn is not None:
            raise OptionError("--turn requires a single record")
        options = options.prefer_typed("dask", "parallel")
        if options.dask and options.parallel > 1:
            raise OptionError("--parallel and --dask exclude each other")
        return batch.run(options)
    if record:
        if options.dask:
            raise OptionError("--dask requires several records")
        from tengen.apps.review import review

        return review.run(options, record)
    return analyze(options)


def _names_several(options: Arguments) -> bool:
    """Return whether the options name several games: files, a folder, or a file with several."""
    if len(options.records) > 1 or any(path.is_dir() for path in options.records):
        if options.number is not None:
            raise OptionError("--record requires a single file")
        return True
    if not options.record or options.number is not None or options.turn is not None:
        return False
    from tengen.apps.review.batch import games_of

    return len(games_of(options.records, options.game)) > 1


def analyze(options: Arguments) -> int:
    """Search one position and print the results."""
    from tengen.apps.review.pages import diagram
    from tengen.engine.game import Outcome

    diagram.require(options.svg, options.png, options.records)
    position = position_and_turns(options)[0]
    game = position.spec.game
    if options.group and not game.has_details:
        raise OptionError(
            f"--group: expected a game whose turns can be grouped, such as zertz, got {game.name}"
        )
    if position.awaits_result:
        raise CommandError(AWAITS_RESULT)
    session = Session(position.spec)
    set_engine_options(session, options)
    view = AnalysisJson(position) if options.json else AnalysisTable(position, options.multipv)
    if position.outcome() != Outcome.ONGOING:
        view.game_over()
        diagram.write(options.svg, options.png, position)
        return 0
    session.ensure_compiled(print_notice)
    limits = replace(options.limits(DEFAULT_TIME), multipv=options.multipv, grouped=options.group)
    result = search(session, position, limits, view)
    view.end(result)
    diagram.write(options.svg, options.png, position, result.lines)
    if result.notice:
        print_notice(result.notice)
    if session.interrupted:
        print_notice(f"interrupted after {result.seconds:.2f} s")
        return EXIT_INTERRUPTED
    return 0


def search(session: Session, position: Position, limits: Limit, view: AnalysisJson | AnalysisTable) -> Result:
    """Search `position`, show its reports in `view`, and return the result.

    Only this thread writes: the search must not fail if the reader of our output is gone.
    """
    events: queue.SimpleQueue[Info | Result] = queue.SimpleQueue()
    with stop_on_sigint(session):
        session.go(position, limits, events.put, events.put, print_notice)
        try:
            while True:
                try:
                    event = events.get(timeout=REFRESH)
                except queue.Empty:
                    view.refresh()
                    continue
                if isinstance(event, Result):
                    return event
                view.add(event)
        finally:
            session.stop_and_wait()


class AnalysisJson:
    """An analysis as JSON lines; see the head of this file."""

    def __init__(self, position: Position) -> None:
        self._position = position

    def game_over(self) -> None:
        """Write the last line; it is the only one."""
        self.end(Result(None, None, (), 0, 0.0, f"the game is over: {outcome_text(self._position)}"))

    def add(self, info: Info) -> None:
        """Write a line of play."""
        line = {
            "depth": info.depth,
            "seldepth": info.seldepth,
            "multipv": info.rank,
            "score": score_report(info.score),
            **({"bound": info.bound} if info.bound else {}),
            "winrate": round(info.win_rate(self._position.scale), 4),
            "nodes": info.nodes,
            "nps": info.nps,
            "hashfull": info.hashfull,
            "time": round(info.seconds, 3),
            "pv": list(info.pv),
        }
        print(json.dumps(line), flush=True)

    def refresh(self) -> None:
        """Do nothing: every line is written when it comes."""

    def end(self, result: Result) -> None:
        """Write the last line."""
        report = {"bestturn": result.choice, "ponder": result.ponder, "nodes": result.nodes}
        notice = {"notice": result.notice} if result.notice else {}
        print(json.dumps({**report, "time": round(result.seconds, 3), **notice}), flush=True)


class AnalysisTable:
    """An analysis as a table, updated in place on a terminal."""

    def __init__(self, position: Position, multipv: int) -> None:
        self._position = position
        self._request = AnalyzeRequest(REFRESH, multipv)
        self._reports = SearchReports()
        self._latest: Info | None = None
        self._redraws = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self._drawn = 0  # lines at the end of the terminal, which are redrawn in place
        self._shown_at = 0.0
        self._changed = False
        print(f"{position.spec}\n\n{shown(position.spec, position.board())}\n", flush=True)

    def game_over(self) -> None:
        """Print the result of the game."""
        print(outcome_text(self._position))

    def add(self, info: Info) -> None:
        """Add a line of play, and draw the table if it is due."""
        self._reports.add(info)
        self._latest = info
        self._changed = True
        if time.monotonic() - self._shown_at >= REFRESH:
            self.refresh()

    def refresh(self) -> None:
        """Redraw the table on a terminal, cut to fit it; the last line is always shown."""
        if self._redraws and self._changed and (last := self._latest):
            rows = self._rows(self._request.candidates(self._reports.infos))
            lines = [*rows, self._footer(last.nodes, last.seconds)]
            width, height = shutil.get_terminal_size()
            fitting = lines if len(lines) < height else [*lines[: height - 2], lines[-1]]
            self._erase()
            print("\n".join(line[: width - 1] for line in fitting), flush=True)
            self._drawn = len(fitting)
            self._shown_at = time.monotonic()
            self._changed = False

    def end(self, result: Result) -> None:
        """Print the final table, with lines of any length."""
        rows = self._rows(result.lines)
        if not result.lines:
            rows.append(shown(self._position.spec, f"best turn, not searched: {result.choice}"))
        self._erase()
        print("\n".join([*rows, self._footer(result.nodes, result.seconds)]))

    def _erase(self) -> None:
        """Erase the lines drawn last."""
        if self._drawn:
            sys.stdout.write(f"\r\x1b[{self._drawn}A\x1b[J")  # to the first column, up, clear to the end
            self._drawn = 0

    def _rows(self, infos: Iterable[Info]) -> list[str]:
        scale = self._position.scale
        rows = [HEADINGS]
        for rank, info in enumerate(infos, 1):
            bound, win_rate = BOUNDS[info.bound], f"{100 * info.win_rate(scale):.1f}"
            depths = f"{info.depth}/{info.seldepth}"
            rows.append((f"{rank}", depths, f"{bound}{info.score}", win_rate, " ".join(info.pv)))
        return columns(shown(self._position.spec, rows), left=(len(HEADINGS) - 1,))

    def _footer(self, nodes: int, seconds: float) -> str:
        """Return the line under the table."""
        speed = int(nodes / seconds) if seconds > 0 else 0
        hashfull = self._latest.hashfull / 10 if self._latest else 0.0
        return f"{nodes:,} nodes   {speed:,} nodes/s   hash {hashfull:.1f}% full   {seconds:.2f} s"


def outcome_text(position: Position) -> str:
    """Return the result of a finished game in words."""
    winner = position.winner()
    if winner == "draw":
        return ", ".join(filter(None, ("a draw", position.end_reason())))
    return f"{winner} wins, {position.result()}"
