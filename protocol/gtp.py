"""The Go Text Protocol, version 2, for every game: GoGui, Sabaki, tournament managers.

Commands and their replies are described in docs/protocols.md. One second a turn unless the controller sends
time_settings.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine import __version__
from engine.errors import IllegalTurnError, NotationError, OptionError, PositionError, TengenError, quoted
from engine.game import GameSpec, Outcome
from protocol.analysis import FIELDS, Request, parse_request, report
from protocol.clocks import Remaining, TimeSettings
from protocol.dialogue import Commands, Dialogue, add_engine_arguments, converse
from protocol.lines import Line
from protocol.session import GAME, Refusal, Session
from search.info import Info, Result
from search.limits import Limits

if TYPE_CHECKING:
    from engine.position import Position

SLICE = 0.05  # seconds between looks at what has happened, while an analysis runs
MAX_SECONDS = 10**9  # of a clock: more is a mistake of the controller
MAX_SGF = 1 << 24  # bytes of a game record
ALIVE, SEKI, DEAD = STATUSES = ("alive", "seki", "dead")
GOGUI_ANALYSES = (
    "string/Game/gogui-rules_game_id",
    "string/Board Size/gogui-rules_board_size",
    "string/Board/gogui-rules_board",
    "pointlist/Legal Moves/gogui-rules_legal_moves",
    "string/Side to Move/gogui-rules_side_to_move",
    "string/Final Result/gogui-rules_final_result",
    "string/Position/tengen-position",
    "string/Options/tengen-options",
)


class Gtp(Dialogue):
    """A GTP engine. A command's method returns the text of its reply, or raises why there is none."""

    commands = Commands()
    movetime = 1.0  # seconds a turn without time settings

    # ------------------------------------------------------------------------------------------------------- replies

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

    # ------------------------------------------------------------------------------------------------ administration

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

    # ----------------------------------------------------------------------------------------------- setting up, play

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
        self.session.komi = parse_number("KOMI", arguments[0], -MAX_SECONDS)
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

    # ------------------------------------------------------------------------------------------------ the engine's turn

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
        turn = self._search(self._open_position(side), self._limits(side)).turn
        return turn or ""

    def _open_position(self, side: int) -> Position:
        """Return the position with `side` to move; Refusal when it may not move."""
        if self.session.position.outcome() != Outcome.ONGOING:
            raise Refusal("game is over")
        return self.session.as_side(side)

    def _limits(self, side: int, multipv: int = 1) -> Limits:
        """Return what a turn of `side` may cost."""
        clock = self.session.clocks.clock(side)
        return Limits(clock=clock, movetime=None if clock else self.movetime, multipv=multipv)

    def _search(self, position: Position, limits: Limits) -> Result:
        """Search to the end; lines that arrive meanwhile wait for their turn."""
        self.session.go(position, limits, on_notice=complain)
        return self._outcome()

    def _outcome(self) -> Result:
        """Wait for the search and return its result, saying aloud what was wrong with it."""
        result = self.session.wait()
        assert result is not None
        if result.notice:
            complain(result.notice)
        return result

    def _play_found(self, side: int, search: Callable[[], Result]) -> str:
        """Call `search`, play what it has found for `side`, take the time off its clock, and return the turn."""
        began = time.monotonic()
        turn = search().turn
        if turn is None:
            raise Refusal("no turn was found")
        self.session.clocks.spend(side, time.monotonic() - began)
        return self.session.play(turn, side)

    # ---------------------------------------------------------------------------------------------------------- clocks

    @commands.add("time_settings MAIN BYOYOMI STONES")
    def time_settings(self, arguments: list[str]) -> str:
        """Set both clocks."""
        main, byoyomi = (
            parse_number(what, text) for what, text in zip(("MAIN", "BYOYOMI"), arguments[:2], strict=True)
        )
        self.session.clocks.set(TimeSettings(main, byoyomi, parse_integer("STONES", arguments[2])))
        return ""

    @commands.add("time_left COLOR TIME STONES")
    def time_left(self, arguments: list[str]) -> str:
        """Set one clock."""
        remaining = Remaining(parse_number("TIME", arguments[1]), parse_integer("STONES", arguments[2]))
        self.session.clocks.report(self._side(arguments[0]), remaining)
        return ""

    # ----------------------------------------------------------------------------------------------- the end of a game

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
            raise Refusal(f"syntax error: STATUS: expected one of {', '.join(STATUSES)}, got {quoted(arguments[0])}")
        raise Refusal(f"no stones live or die in {self.session.spec.game.title}")

    # --------------------------------------------------------------------------------------------------------- records

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
            with open(arguments[0], encoding="utf-8") as file:
                text = file.read(MAX_SGF + 1)
            if len(text) > MAX_SGF:
                raise Refusal(f"expected a record of at most {MAX_SGF} bytes")
            record = sgf.parse(text)
            self.session.set_up(record.spec, record.position, record.turns[:end])
        except (OSError, ValueError) as error:
            raise Refusal(f"cannot load file: {reason(error)}") from error
        return ""

    @commands.add("printsgf [FILE]")
    def printsgf(self, arguments: list[str]) -> str:
        """Return the game record, or write it to a file."""
        text = self.session.record()
        if not arguments:
            return text
        try:
            with open(arguments[0], "w", encoding="utf-8") as file:
                file.write(text)
        except (OSError, ValueError) as error:
            raise Refusal(f"cannot save file: {reason(error)}") from error
        return ""

    # -------------------------------------------------------------------------------------------------------- analysis

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
            try:
                side, rest = self._side(arguments[0]), arguments[1:]
            except OptionError:
                pass  # no colour: the keys begin
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
            self._report_until(lambda seconds: False, style, position, request, limits)
            return request.permitted(self._outcome())

        return f"play {self._play_found(side, search)}"

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
            Key of `FIELDS`.
        """
        found: dict[int, Info] = {}
        scale = position.spec.game.scale
        self._open_reply()
        self.session.go(position, limits, lambda info: found.__setitem__(info.rank, info), on_notice=complain)
