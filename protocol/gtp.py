"""The Go Text Protocol, version 2, for every game: GoGui, Sabaki, tournament managers.

Commands and their replies are described in docs/protocols.md. One second a turn unless the controller sends
time_settings.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from engine import __version__
from engine.errors import IllegalTurnError, NotationError, OptionError, PositionError, TengenError, quoted
from engine.game import GameSpec, Outcome
from protocol.candidates import Request, parse_request, report
from protocol.clocks import Remaining, TimeSettings
from protocol.dialogue import Commands, Dialogue, add_engine_arguments, converse
from protocol.lines import Line
from protocol.numbers import MOST_SECONDS, parse_integer, parse_number
from protocol.session import Refusal, Session
from search.info import Info, Result
from search.limits import Limits

if TYPE_CHECKING:
    from engine.position import Position

SLICE = 0.05  # seconds between looks at what has happened, while an analysis runs
MOST_KOMI = 10**6
STATUSES = ("alive", "seki", "dead")
GOGUI_ANALYSES = (
    "string/Game/gogui-rules_game_id",
    "string/Board Size/gogui-rules_board_size",
    "string/Board/gogui-rules_board",
    "plist/Legal Moves/gogui-rules_legal_moves",
    "string/Side to Move/gogui-rules_side_to_move",
    "string/Final Result/gogui-rules_final_result",
    "string/Position/tengen-position",
    "string/Options/tengen-options",
)


class Gtp(Dialogue):
    """A GTP engine. A command's method returns the text of its reply, or raises why there is none."""

    commands = Commands()
    _id = ""  # of the command that is obeyed
    _open = False  # its reply has begun, and will come line by line

    # ------------------------------------------------------------------------------------------------ replies

    def obey(self, line: Line) -> None:
        """Reply to one line; blank lines and comments have no reply."""
        words = line.text.partition("#")[0].split()
        if not words:
            return
        self._id = words.pop(0) if re.fullmatch(r"[0-9]+", words[0]) else ""
        self._open = False
        try:
            self.require_whole(line)
            self._reply(self._result(words))
        except TengenError as error:
            self._fail(message(error))
        except Exception as error:  # a defect of ours must not end the game in progress
            self._fail(f"internal error: {type(error).__name__}: {error}")

    def _result(self, words: list[str]) -> str:
        """Obey the command in `words` and return the text of its reply."""
        name, *arguments = words or [""]
        command = self.command(name, arguments)
        if command is None:
            raise Refusal("unknown command")
        return str(command.handler(self, arguments))

    def _reply(self, text: str) -> None:
        """Write the reply `text`, or what is still missing of a reply that is open."""
        if self._open:
            self.writer.write(*([text] if text else []), "")
        else:
            self._write_response("=", text)

    def _fail(self, text: str) -> None:
        """Write the error message `text`; a reply that is open can only be ended."""
        if self._open:
            complain(text)
            self.writer.write("")
        else:
            self._write_response("?", text)

    def _write_response(self, status: str, text: str) -> None:
        """Write a whole response; no line within it may be empty, which would end it."""
        first, *others = text.split("\n")
        self.writer.write(f"{status}{self._id} {first}".rstrip(), *(other or " " for other in others), "")

    def _open_reply(self) -> None:
        """Write the beginning of a reply that will come line by line."""
        self.writer.write(f"={self._id}")
        self._open = True

    # ----------------------------------------------------------------------------------------- administration

    @commands.add("protocol_version")
    def protocol_version(self, arguments: list[str]) -> str:
        """Return the version of GTP."""
        return "2"

    @commands.add("name")
    def name(self, arguments: list[str]) -> str:
        """Return the engine's name."""
        return "tengen"

    @commands.add("version")
    def version(self, arguments: list[str]) -> str:
        """Return the engine's version."""
        return __version__

    @commands.add("known_command NAME")
    def known_command(self, arguments: list[str]) -> str:
        """Return whether there is a command of that name."""
        return "true" if arguments[0] in self._names() else "false"

    @commands.add("list_commands")
    def list_commands(self, arguments: list[str]) -> str:
        """Return the names of all commands of this game."""
        return "\n".join(self._names())

    def _names(self) -> list[str]:
        square = self.session.spec.game.square
        return [name for name, command in self.commands.by_name.items() if square or not command.square]

    @commands.add("quit")
    def quit(self, arguments: list[str]) -> str:
        """End the dialogue."""
        self.over = True
        return ""

    # --------------------------------------------------------------------------------------- setting up, play

    @commands.add("boardsize SIZE")
    def boardsize(self, arguments: list[str]) -> str:
        """Set the size of the board and clear it."""
        size = parse_integer("SIZE", arguments[0])
        try:
            spec = self.session.spec.with_option("size", size)
        except OptionError as error:
            raise Refusal("unacceptable size") from error
        self._begin(spec)
        return ""

    @commands.add("clear_board")
    def clear_board(self, arguments: list[str]) -> str:
        """Begin the game anew."""
        self._begin(self.session.spec)
        return ""

    def _begin(self, spec: GameSpec, text: str = "") -> None:
        """Begin a game of `spec` from the position `text`, with fresh clocks."""
        self.session.set_up(spec, text)
        self.session.clocks.restart()

    @commands.add("komi KOMI")
    def komi(self, arguments: list[str]) -> str:
        """Store the komi."""
        self.session.komi = parse_number("KOMI", arguments[0], -MOST_KOMI, MOST_KOMI)
        return ""

    @commands.add("play COLOR TURN")
    def play(self, arguments: list[str]) -> str:
        """Play a turn."""
        color, turn = arguments
        self.session.play(turn, self._side(color))
        return ""

    @commands.add("undo")
    def undo(self, arguments: list[str]) -> str:
        """Take a turn back."""
        try:
            self.session.undo()
        except PositionError as error:
            raise Refusal("cannot undo") from error
        return ""

    def _side(self, color: str) -> int:
        return self.session.spec.game.side(color)

    # -------------------------------------------------------------------------------------- the engine's turn

    @commands.add("genmove COLOR")
    def genmove(self, arguments: list[str]) -> str:
        """Search, play the turn found, and return it."""
        side = self._side(arguments[0])
        position = self._open_position(side)
        return self._play_found(side, lambda: self._search(position, self._limits(side)))

    @commands.add("reg_genmove COLOR")
    def reg_genmove(self, arguments: list[str]) -> str:
        """Search and return the turn found, without playing it."""
        side = self._side(arguments[0])
        return found(self._search(self._open_position(side), self._limits(side)))

    def _open_position(self, side: int) -> Position:
        """Return the position with `side` to move; Refusal when it may not move."""
        if self.session.position.outcome() != Outcome.ONGOING:
            raise Refusal("game is over")
        return self.session.as_side(side)

    def _limits(self, side: int, multipv: int = 1) -> Limits:
        """Return what a turn of `side` may cost; without a clock, once the search is compiled."""
        clock = self.session.clocks.clock(side)
        if clock is None:
            self.session.prepare(complain)
        return Limits(clock=clock, movetime=None if clock else self.session.movetime, multipv=multipv)

    def _search(self, position: Position, limits: Limits) -> Result:
        """Search to the end; lines that arrive meanwhile wait for their turn."""
        self.session.go(position, limits, on_notice=complain)
        return self._outcome()

    def _outcome(self) -> Result:
        """Wait for the search and return its result."""
        result = self.session.wait()
        assert result is not None
        return result

    def _play_found(self, side: int, search: Callable[[], Result]) -> str:
        """Call `search`, play what it found for `side`, take the time off the clock, and return the turn."""
        began = time.monotonic()
        turn = found(search())
        self.session.clocks.spend(side, time.monotonic() - began)
        return self.session.play(turn, side)

    # ------------------------------------------------------------------------------------------------- clocks

    @commands.add("time_settings MAIN BYOYOMI STONES")
    def time_settings(self, arguments: list[str]) -> str:
        """Set both clocks."""
        main = parse_number("MAIN", arguments[0], 0, MOST_SECONDS)
        byoyomi = parse_number("BYOYOMI", arguments[1], 0, MOST_SECONDS)
        self.session.clocks.set(TimeSettings(main, byoyomi, parse_integer("STONES", arguments[2])))
        return ""

    @commands.add("time_left COLOR TIME STONES")
    def time_left(self, arguments: list[str]) -> str:
        """Set one clock."""
        seconds = parse_number("TIME", arguments[1], 0, MOST_SECONDS)
        remaining = Remaining(seconds, parse_integer("STONES", arguments[2]))
        self.session.clocks.report(self._side(arguments[0]), remaining)
        return ""

    # -------------------------------------------------------------------------------------- the end of a game

    @commands.add("final_score")
    def final_score(self, arguments: list[str]) -> str:
        """Return the result."""
        position = self.session.position
        if position.outcome() == Outcome.ONGOING:
            raise Refusal("cannot score: the game is not over")
        return position.result()

    @commands.add("final_status_list STATUS")
    def final_status_list(self, arguments: list[str]) -> str:
        """Refuse: stones live or die in no game yet."""
        if arguments[0] not in STATUSES:
            raise NotationError(f"STATUS: expected one of {', '.join(STATUSES)}, got {quoted(arguments[0])}")
        raise Refusal(f"no stones live or die in {self.session.spec.game.title}")

    # ------------------------------------------------------------------------------------------------ records

    @commands.add("showboard")
    def showboard(self, arguments: list[str]) -> str:
        """Return the board, from the line after the first on, so that its columns agree."""
        return "\n" + self.session.position.board().strip("\n")

    @commands.add("loadsgf FILE [MOVE]")
    def loadsgf(self, arguments: list[str]) -> str:
        """Take over a game record, up to the position before turn MOVE."""
        from engine import sgf

        end = parse_integer("MOVE", arguments[1], 1) - 1 if len(arguments) > 1 else None
        try:
            record = sgf.read_file(arguments[0])
            self.session.set_up(record.spec, record.start or "", record.turns[:end])
        except TengenError as error:
            raise Refusal(f"cannot load file: {error}") from error
        self.session.clocks.restart()
        return ""

    @commands.add("printsgf [FILE]")
    def printsgf(self, arguments: list[str]) -> str:
        """Return the game record, or write it to a file."""
        from engine import sgf

        session = self.session
        turns = list(zip(session.movers, session.position.turns_played, strict=True))
        properties = {"RE": [session.position.result()]} if session.position.outcome() else {}
        text = sgf.write(sgf.Record(session.spec, session.setup or None, turns, properties))
        if not arguments:
            return text.strip()
        try:
            Path(arguments[0]).write_text(text, "utf-8")
        except OSError as error:
            raise Refusal(f"cannot save file: {error.strerror or error}") from error
        return ""

    # ----------------------------------------------------------------------------------------------- analysis

    @commands.add("lz-analyze [COLOR] [INTERVAL] [KEY VALUE...]")
    def lz_analyze(self, arguments: list[str]) -> str:
        """Report what is found, as Leela Zero does, until the next line of input."""
        return self._analyze("lz", arguments)

    @commands.add("kata-analyze [COLOR] [INTERVAL] [KEY VALUE...]")
    def kata_analyze(self, arguments: list[str]) -> str:
        """Report what is found, as KataGo does, until the next line of input."""
        return self._analyze("kata", arguments)

    @commands.add("lz-genmove_analyze [COLOR] [INTERVAL] [KEY VALUE...]")
    def lz_genmove_analyze(self, arguments: list[str]) -> str:
        """Report what is found, as Leela Zero does, and play."""
        return self._genmove_analyze("lz", arguments)

    @commands.add("kata-genmove_analyze [COLOR] [INTERVAL] [KEY VALUE...]")
    def kata_genmove_analyze(self, arguments: list[str]) -> str:
        """Report what is found, as KataGo does, and play."""
        return self._genmove_analyze("kata", arguments)

    def _request(self, arguments: list[str], lines: int) -> tuple[Position, Request]:
        """Return the position to analyze and what of it is asked for."""
        side, rest = self.session.position.turn, arguments
        if arguments and not arguments[0][0].isdigit():
            with contextlib.suppress(OptionError):  # no colour: the keys begin
                side, rest = self._side(arguments[0]), arguments[1:]
        position = self._open_position(side)
        return position, parse_request(position, rest, lines)

    def _analyze(self, style: str, arguments: list[str]) -> str:
        """Search and report until the next line of input."""
        position, request = self._request(arguments, self.session.option("MultiPV"))
        limits = Limits(infinite=True, multipv=request.multipv)
        self._report_until(self.reader.wait, style, position, request, limits)
        self.session.stop()
        return ""

    def _genmove_analyze(self, style: str, arguments: list[str]) -> str:
        """Search, report, and play the best turn that the request permits."""
        position, request = self._request(arguments, 1)
        side = position.turn
        limits = self._limits(side, request.multipv)

        def search() -> Result:
            self._report_until(self._done, style, position, request, limits)
            return request.permitted(position, self._outcome())

        return f"play {self._play_found(side, search)}"

    def _done(self, seconds: float) -> bool:
        """Return whether the search has ended, within `seconds`."""
        return self.session.wait(seconds) is not None

    def _report_until(
        self,
        arrived: Callable[[float], bool],
        style: str,
        position: Position,
        request: Request,
        limits: Limits,
    ) -> None:
        """Search `position` and write what is found, until the search ends or `arrived` says true.

        Parameters
        ----------
        arrived : callable
            Takes seconds to wait, returns whether to end.
        style : str
            ``lz`` or ``kata``.
        """
        scale = position.foreground.spec.game.scale
        lines: dict[str, Info] = {}
        written: list[Info] = []
        due = time.monotonic() + request.interval
        self._open_reply()
        self.session.go(position, limits, lambda info: lines.update({info.pv[0]: info}), on_notice=complain)
        ended = False
        while not ended:
            ended = arrived(min(SLICE, request.interval)) or not self.session.searching
            candidates = request.candidates(list(lines.values()))
            if (ended or time.monotonic() >= due) and candidates != written:
                self.writer.write(report(style, candidates, scale))
                written, due = candidates, time.monotonic() + request.interval

    # ------------------------------------------------------------------------------------------ GoGui's rules

    @commands.add("gogui-analyze_commands", square=True)
    def gogui_analyze_commands(self, arguments: list[str]) -> str:
        """Return what GoGui is to offer in its menu."""
        return "\n".join(GOGUI_ANALYSES)

    @commands.add("gogui-rules_game_id", square=True)
    def gogui_rules_game_id(self, arguments: list[str]) -> str:
        """Return the name of the game as GoGui knows it."""
        return self.session.spec.game.title

    @commands.add("gogui-rules_board", square=True)
    def gogui_rules_board(self, arguments: list[str]) -> str:
        """Return the stones, rows from the top."""
        rows = self.session.position.text().split()[0].split("/")
        return "\n".join(" ".join(row) for row in rows)

    @commands.add("gogui-rules_board_size", square=True)
    def gogui_rules_board_size(self, arguments: list[str]) -> str:
        """Return the size of the board."""
        return str(self.session.spec.values["size"])

    @commands.add("gogui-rules_legal_moves", square=True)
    def gogui_rules_legal_moves(self, arguments: list[str]) -> str:
        """Return all legal turns; none when the game is over."""
        return " ".join(self.session.position.turns())

    @commands.add("gogui-rules_side_to_move", square=True)
    def gogui_rules_side_to_move(self, arguments: list[str]) -> str:
        """Return the side to move."""
        return self.session.position.side

    @commands.add("gogui-rules_final_result", square=True)
    def gogui_rules_final_result(self, arguments: list[str]) -> str:
        """Return the result in words; nothing while the game goes on."""
        winner = self.session.position.winner()
        return {"": "", "draw": "Draw"}.get(winner, f"{winner.capitalize()} wins")

    # ----------------------------------------------------------------------------------------- our extensions

    @commands.add("tengen-game [SPEC]")
    def tengen_game(self, arguments: list[str]) -> str:
        """Return the game spec, or begin another game."""
        if arguments:
            self._begin(GameSpec.parse(arguments[0]))
            return ""
        return str(self.session.spec)

    @commands.add("tengen-position [TEXT...]")
    def tengen_position(self, arguments: list[str]) -> str:
        """Return the text of the position, or begin a game from one."""
        if arguments:
            self._begin(self.session.spec, " ".join(arguments))
            return ""
        return self.session.position.text()

    @commands.add("tengen-challenge")
    def tengen_challenge(self, arguments: list[str]) -> str:
        """Return how a challenge stands."""
        return self.session.position.challenge

    @commands.add("tengen-options [NAME] [VALUE]")
    def tengen_options(self, arguments: list[str]) -> str:
        """Return the engine's options, or one of them, or set one."""
        if len(arguments) == 2:
            self.session.set_option(*arguments)
            return ""
        values = self.session.option_texts()
        if not arguments:
            return "\n".join(f"{name} {value}" for name, value in values.items())
        return values[self.session.option_name(arguments[0])]


def message(error: TengenError) -> str:
    """Return the GTP error message for `error`, in the draft's words where it has any."""
    if isinstance(error, IllegalTurnError):
        return f"illegal move: {error.reason}"
    if isinstance(error, NotationError | OptionError):
        return f"syntax error: {error}"
    return str(error)


def found(result: Result) -> str:
    """Return the turn that a search has found, after saying aloud what was wrong with it.

    Raises
    ------
    Refusal
        When there is none.
    """
    if result.notice:
        complain(result.notice)
    if result.turn is None:
        raise Refusal("no turn was found")
    return result.turn


def complain(text: str) -> None:
    """Tell people, not the controller: stdout is for replies."""
    sys.stderr.write(f"tengen: {text}\n")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen gtp``."""
    parser.epilog = "examples:\n  tengen gtp --game gomoku\n  tengen gtp --game dvonn --time 3 --threads 2"
    parser.add_argument(
        "--game", metavar="SPEC", required=True, help="what to play, such as dvonn or gomoku,size=19"
    )
    add_engine_arguments(parser)
    parser.add_argument(
        "--time", metavar="S", default="1", help="seconds a turn without time settings (default 1)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Speak GTP until the controller quits."""
    session = Session(GameSpec.parse(arguments.game))
    session.movetime = parse_number("--time", arguments.time, 0.001, MOST_SECONDS)
    return converse(Gtp, session, arguments)
