"""The Go Text Protocol, version 2, for every game: GoGui, Sabaki, tournament managers.

Commands and replies are described in docs/protocols.md. Without time_settings a turn takes one second.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen import __version__
from tengen.engine.errors import NotationError, OptionError, PositionError, TengenError, quoted
from tengen.engine.play.trials import join_results
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import replace_file
from tengen.protocol.arguments import option
from tengen.protocol.candidates import (
    KATAGO,
    LEELA_ZERO,
    MOVES_OWNERSHIP,
    AnalyzeRequest,
    SearchReports,
    owners_after,
    parse_request,
    report,
)
from tengen.protocol.dialogue import Commands, run_protocol
from tengen.protocol.engine_options import OPENING, EngineOptions
from tengen.protocol.errors import CommandError
from tengen.protocol.gtp.dialogue import turn_or_error, without_handicap
from tengen.protocol.gtp.go import KOMI, GoCommands
from tengen.protocol.gtp.gogui import GoguiCommands
from tengen.protocol.gtp.kata import KataCommands
from tengen.protocol.numbers import MAX_SECONDS, parse_integer, parse_number, parse_time
from tengen.protocol.output import plain, print_notice
from tengen.protocol.session import Session, turns_of
from tengen.protocol.swap2 import choose_color, choose_opening, supports_swap2, swap2_stage
from tengen.search.info import Info
from tengen.search.limits.limit import MAX_LEVEL, Clock, Limit

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

ENGINE_NAME = "tengen"
MAX_NAME = 100  # characters
POLL_INTERVAL = 0.05  # seconds between polls while an analysis runs
OWNERS_SIMULATIONS = 1000  # at most, for the owners after all candidates of an analysis that has ended
MAX_KOMI = 10**6
MCTS_LINES = 10  # default number of turns that an analysis by MCTS reports: it has them anyway
ANALYSIS = "[COLOR] [INTERVAL] [KEY VALUE...]"  # arguments of an analysis
STATUSES = ("alive", "seki", "dead")


class Gtp(GoguiCommands, GoCommands, KataCommands):
    """A GTP engine. A command's method returns the text of the reply, or raises an error."""

    commands = Commands()

    def __init__(self, *arguments: Any, engine_name: str = ENGINE_NAME, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.engine_name = engine_name

    # ----------------------------------------------------------------------------------------- administration

    commands.add("protocol_version")(lambda engine, arguments: "2")
    commands.add("name")(lambda engine, arguments: engine.engine_name)
    commands.add("version")(lambda engine, arguments: __version__)

    @commands.add("known_command NAME")
    def known_command(self, arguments: list[str]) -> str:
        """Return whether a command exists."""
        return "true" if arguments[0] in self.commands.names(self.session.spec.game) else "false"

    @commands.add("list_commands")
    def list_commands(self, arguments: list[str]) -> str:
        """Return the names of all commands in this game."""
        return "\n".join(self.commands.names(self.session.spec.game))

    commands.add("cputime")(lambda engine, arguments: f"{time.process_time():.3f}")

    @commands.add("quit")
    def quit(self, arguments: list[str]) -> None:
        """End the dialogue."""
        self.quit_requested = True

    # --------------------------------------------------------------------------------------- setting up, play

    commands.add("boardsize SIZE")(lambda engine, words: engine.resize(parse_integer("SIZE", words[0])))
    commands.add("clear_board")(lambda engine, words: engine._begin(without_handicap(engine.session.spec)))

    @commands.add("komi KOMI")
    def komi(self, arguments: list[str]) -> None:
        """Change the komi; in games without komi, only check it."""
        spec = self.session.spec
        if KOMI in spec.values:
            komi = parse_number("KOMI", arguments[0], *spec.game.option(KOMI).range)
            self.session.replace_spec(spec.with_option(KOMI, round(komi, 2)))
        else:
            parse_number("KOMI", arguments[0], -MAX_KOMI, MAX_KOMI)

    @commands.add("play COLOR TURN [WINNER]")
    def play(self, arguments: list[str]) -> None:
        """Play a turn; only ``result``, which tells how a challenge has ended, has a second word."""
        color, *words = arguments
        turn, *more = join_results(words)
        if more:
            raise NotationError(f"expected play COLOR TURN, got {len(arguments)} arguments")
        self.session.position.push(turn, self._side(color))

    @commands.add("undo")
    def undo(self, arguments: list[str]) -> None:
        """Take back the last turn."""
        try:
            self.session.position.pop()
        except PositionError as error:
            raise CommandError("cannot undo") from error

    # -------------------------------------------------------------------------------------- the engine's turn

    @commands.add("genmove COLOR")
    def genmove(self, arguments: list[str]) -> str:
        """Search, play the best turn, and return it."""
        side = self._side(arguments[0])
        position = self._require_ongoing(side)
        return self._play_result(side, self._search(position, self._limits(side)))

    @commands.add("reg_genmove COLOR")
    def reg_genmove(self, arguments: list[str]) -> str:
        """Search and return the best turn without playing it."""
        side = self._side(arguments[0])
        return turn_or_error(self._search(self._require_ongoing(side), self._limits(side)))

    # ------------------------------------------------------------------------------------------------- clocks

    @commands.add("time_settings MAIN BYOYOMI STONES")
    def time_settings(self, arguments: list[str]) -> None:
        """Set both clocks."""
        main = parse_number("MAIN", arguments[0], 0, math.inf)
        byoyomi = parse_number("BYOYOMI", arguments[1], 0, math.inf)
        stones = parse_integer("STONES", arguments[2])
        self.clocks.set(Clock(main, byoyomi=byoyomi, byoyomi_stones=stones))
        self.session.start_compiling()

    @commands.add("time_left COLOR TIME STONES")
    def time_left(self, arguments: list[str]) -> None:
        """Set one clock."""
        seconds = parse_time("TIME", arguments[1])
        stones = parse_integer("STONES", arguments[2])
        self.clocks.report(self._side(arguments[0]), seconds, stones)

    # -------------------------------------------------------------------------------------- the end of a game

    @commands.add("final_score")
    def final_score(self, arguments: list[str]) -> str:
        """Return the result."""
        position = self.session.position
        if not (position.outcome() or position.spec.game.ends_by_agreement):
            raise CommandError("cannot score: the game is not over")
        return str(position.spec.game.text.result(position.state))  # of Go also before its end

    @commands.add("final_status_list STATUS")
    def final_status_list(self, arguments: list[str]) -> str:
        """Return the chains with this status, one a line."""
        position, status = self.session.position, arguments[0]
        if status not in STATUSES:
            raise NotationError(f"STATUS: expected one of {', '.join(STATUSES)}, got {quoted(status)}")
        game = position.spec.game
        if not game.ends_by_agreement:
            raise CommandError(f"no stones live or die in {plain(game.title)}")
        return "\n".join(map(" ".join, game.module("agreement").chains_by_status(position.state, status)))

    # ------------------------------------------------------------------------------------------------ records

    @commands.add("showboard")
    def showboard(self, arguments: list[str]) -> str:
        """Return the board, beginning on a new line, so that its columns align."""
        return "\n" + self.session.position.board().strip("\n")

    @commands.add("loadsgf FILE [MOVE]")
    def loadsgf(self, arguments: list[str]) -> None:
        """Load a game record, up to the position before turn MOVE."""
        from tengen.engine.formats.files import read_file

        end = parse_integer("MOVE", arguments[1], 1) - 1 if len(arguments) > 1 else None
        try:
            record = read_file(Path(arguments[0]))
            start, turns = record.segment(end)
            self.session.set_up(record.spec, start or "", turns)
        except (TengenError, OSError) as error:
            raise CommandError(f"cannot load file: {error}") from error
        self.clocks.restart()

    @commands.add("printsgf [FILE]")
    def printsgf(self, arguments: list[str]) -> str:
        """Return the game record, or write it to a file."""
        from tengen.engine import sgf

        session = self.session
        turns = turns_of(session.position)
        properties = {"RE": [session.position.result()]} if session.position.outcome() else {}
        text = sgf.write(sgf.Record(session.spec, session.setup or None, turns, properties))
        if not arguments:
            return text.strip()
        try:
            replace_file(Path(arguments[0]), text.encode("utf-8", "replace"))
        except OSError as error:
            raise CommandError(f"cannot save file: {error.strerror or error}") from error
        return ""

    # ----------------------------------------------------------------------------------------------- analysis

    # Search and report until the next line of input; with genmove also play, with search return the turn.
    commands.add(f"lz-analyze {ANALYSIS}")(lambda engine, words: engine._analyze(LEELA_ZERO, words))
    commands.add(f"kata-analyze {ANALYSIS}")(lambda engine, words: engine._analyze(KATAGO, words))
    commands.add(f"lz-genmove_analyze {ANALYSIS}")(lambda engine, words: engine._choose(LEELA_ZERO, words))
    commands.add(f"kata-genmove_analyze {ANALYSIS}")(lambda engine, words: engine._choose(KATAGO, words))
    commands.add("kata-search COLOR")(reg_genmove)
    commands.add(f"kata-search_analyze {ANALYSIS}")(
        lambda engine, words: engine._choose(KATAGO, words, plays=False)
    )

    def _request(self, arguments: list[str], lines: int) -> tuple[Position, AnalyzeRequest]:
        """Return the position to analyze, and the parsed request."""
        side, rest = self.session.position.side_to_move, arguments
        if arguments and not arguments[0][0].isdigit():
            with contextlib.suppress(OptionError):  # no colour: the keys come first
                side, rest = self._side(arguments[0]), arguments[1:]
        position = self._require_ongoing(side)
        return position, parse_request(position, rest, lines)

    def _analyze(self, style: str, arguments: list[str]) -> str:
        """Search and report until the next line of input, or until a limit that has been set is reached."""
        lines, game = self.session.option("MultiPV"), self.session.spec.game
        position, request = self._request(
            arguments, max(lines, MCTS_LINES) if self.session.uses_mcts(game) else lines
        )
        nodes, seconds = self.max_nodes, self.max_time
        if seconds is not None:  # it does not run while the search is compiled
            self.session.ensure_compiled(print_notice)
        endless = nodes is None and seconds is None
        limits = request.limits(
            Limit(nodes=nodes, time=seconds, infinite=endless, multipv=request.lines, level=MAX_LEVEL)
        )
        candidates = self._report_until(self.reader.wait, style, position, request, limits)
        if candidates and style == KATAGO and MOVES_OWNERSHIP in request.extras:
            most = OWNERS_SIMULATIONS // len(candidates)
            owners = owners_after(self.session, position, request, candidates, most=most)
            self.writer.write(report(style, candidates, position.scale, request.extras, owners))
        return ""

    def _choose(self, style: str, arguments: list[str], plays: bool = True) -> str:
        """Search, report, and play or only return the best turn that is not avoided."""
        position, request = self._request(arguments, 1)
        side = position.side_to_move
        limits = request.limits(self._limits(side, request.lines))
        self._report_until(lambda seconds: bool(self.session.wait(seconds)), style, position, request, limits)
        result = self.session.wait()
        assert result is not None
        return f"play {self._play_result(side, result) if plays else turn_or_error(result)}"

    def _report_until(
        self,
        arrived: Callable[[float], bool],
        style: str,
        position: Position,
        request: AnalyzeRequest,
        limits: Limit,
    ) -> list[Info]:
        """Search and report until the search ends, or `arrived`, which waits; return the last candidates."""
        scale, reports = position.scale, SearchReports()
        candidates: list[Info] = []
        written = candidates
        due = time.monotonic() + request.interval
        self.writer.write(f"={self._id}")
        self._multiline = True
        self.session.go(position, limits, reports.add, reports.finish, print_notice)
        ended = False
        while not ended:
            ended = arrived(min(POLL_INTERVAL, request.interval)) or not self.session.searching
            if ended:
                self.session.stop_and_wait()
            candidates = request.candidates(reports.infos)
            if (ended or time.monotonic() >= due) and candidates and candidates != written:
                self.writer.write(report(style, candidates, scale, request.extras))
                written, due = candidates, time.monotonic() + request.interval
        return candidates

    # ------------------------------------------------------------------ commands of Go, of GoGui, of KataGo

    commands.by_name |= GoCommands.commands.by_name
    commands.by_name |= GoguiCommands.commands.by_name
    commands.by_name |= KataCommands.commands.by_name

    # ----------------------------------------------------------------------------------------- our extensions

    @commands.add("tengen-game [SPEC]")
    def tengen_game(self, arguments: list[str]) -> str:
        """Return the game spec, or start another game."""
        if arguments:
            self._begin(GameSpec.parse(arguments[0]))
            return ""
        return str(self.session.spec)

    @commands.add("tengen-position [TEXT...]")
    def tengen_position(self, arguments: list[str]) -> str:
        """Return the text of the position, or start a game from one."""
        if arguments:
            self._begin(self.session.spec, " ".join(arguments))
            return ""
        return self.session.position.text()

    commands.add("tengen-challenge")(lambda engine, arguments: engine.session.position.challenge)

    @commands.add("tengen-swap2", available=supports_swap2)
    def tengen_swap2(self, arguments: list[str]) -> str:
        """Return the answer to Swap2: three stones, White's next turn, or ``swap`` to take Black."""
        session = self.session
        if not swap2_stage(session.position, str(session.options[OPENING])):
            return " ".join(choose_opening(int(session.spec.values["size"]), session.rng))
        side = session.position.side_to_move
        result = self._search(session.position, self._limits(side))
        turn_or_error(result)
        return choose_color(result, session.position.scale)

    @commands.add("tengen-options [NAME] [VALUE]")
    def tengen_options(self, arguments: list[str]) -> str:
        """Return all engine options, or one of them, or set one."""
        if len(arguments) == 2:
            self.session.set_option(*arguments)
            return ""
        values = self.session.option_texts()
        if not arguments:
            return "\n".join(f"{name} {value}" for name, value in values.items())
        return values[self.session.option_name(arguments[0])]


EXAMPLES = """examples:
  tengen gtp --game gomoku
  tengen gtp --game dvonn --time 3 --threads 2"""


def _engine_name(text: str) -> str:
    """Return the name in `text`, for argparse: one line."""
    if not (text.strip() and text.isprintable() and len(text) <= MAX_NAME):
        expected = f"expected 1 to {MAX_NAME} printable characters"
        raise argparse.ArgumentTypeError(f"{expected}, got {quoted(text)}")
    return text


@dataclass(frozen=True, kw_only=True)
class Arguments(EngineOptions):
    """The options of ``tengen gtp``."""

    game: str = option("game to play, such as dvonn or gomoku,size=19", "SPEC", required=True)
    time: str = option("seconds a turn without time_settings (default 1)", "S", default="1")
    name: str = option(
        f"name to give, for clients that know an engine by its name (default {ENGINE_NAME})",
        "NAME",
        _engine_name,
        default=ENGINE_NAME,
    )


def run(options: Arguments) -> int:
    """Speak GTP until the controller quits."""
    session = Session(GameSpec.parse(options.game))
    session.movetime = parse_number("--time", options.time, 0.001, MAX_SECONDS)
    return run_protocol(partial(Gtp, engine_name=options.name), session, options)
