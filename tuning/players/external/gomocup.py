"""External engines that speak the Gomocup protocol."""

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from tengen.engine.board.goban import parse_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import OptionError
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search import warmup
from tengen.search.info import Info, Score
from tengen.search.limits.limit import Limit
from tengen.tuning.players.base import EndReason, PlayerFailure, TurnTime
from tengen.tuning.players.external.engine import (
    NO_SETTINGS,
    Answer,
    EnginePlayer,
    EngineSettings,
    RunningSearch,
    ignore,
    milliseconds,
    stones_of,
)
from tengen.tuning.players.external.process import Deadline, EngineProcess, StartDeadline
from tengen.tuning.players.external.ugi import estimated, proven

TIDYING = 0.01  # seconds after its answer in which a brain may lose a command: Rapfi does
UNLIMITED = 2**31 - 1  # ms, of INFO time_left: a game without a limit
_SCORE = re.compile(
    r"\b(?:score|eval|ev|value)[\s:=]+"
    r"(?:(?P<end>win|loss) in (?P<turns>\d{1,3})|(?P<sign>[+-]?)M(?P<mate>\d{1,3})"
    r"|(?P<number>[+-]?\d{1,9}(?P<decimals>\.\d+)?)\b)",
    re.IGNORECASE,
)
_DEPTH = re.compile(r"\b(?:depth|d)[\s:=]+(\d{1,3})(?:[-/](\d{1,3}))?", re.IGNORECASE)
_NODES = re.compile(r"\b(?:nodes?|n)[\s:=]+(\d{1,15}(?:\.\d+)?)([KMG]?)\b", re.IGNORECASE)
_TIME = re.compile(r"\b(?:time|tm)[\s:=]+(\d{1,12}) ?(?:ms)?\b", re.IGNORECASE)
_LINE = re.compile(r"\bpv[\s:=]+((?:\d{1,2},\d{1,2}\s*)+)", re.IGNORECASE)
_THOUSANDS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


class GomocupPlayer(EnginePlayer):
    """A brain, as Gomocup calls an engine. It plays five in a row.

    It gets the size of the board by START, and the rule and the time by INFO. If the opponent's last turn is
    all that it has not seen, TURN sends that turn, otherwise BOARD sends all stones. Every SUGGEST is
    accepted. DEBUG lines are skipped, and so are MESSAGE lines but in a search; any other line is its answer.

    A search is a turn that is asked for with BOARD. YXSTOP stops it in brains that know this command.
    """

    NAME = "Gomocup's protocol"
    QUIT_COMMAND = "END"
    TENGEN_NAME = "tengen"
    RULES: ClassVar[dict[str, int]] = {"exactly-five": 1, "renju": 4}  # bits of INFO rule
    TOURNAMENT = 2  # of INFO game_type
    LINES = 2  # of INFO show_detail: the lines of play during the search
    STOP_COMMAND = "YXSTOP"

    def __init__(
        self, spec: GameSpec, command: tuple[str, ...], settings: EngineSettings = NO_SETTINGS
    ) -> None:
        super().__init__(spec, command, settings)
        if not spec.game.five_in_a_row:
            raise OptionError(f"player: expected a game of five in a row for a brain, got {spec}")
        self._just_started = False  # whether no game has been played since START
        self._sent_moves: list[str] | None = []  # turns on the brain's board; None if it is not known
        self._sent_info: dict[str, int] = {}  # INFO values sent in this game
        self._answered = 0.0  # when the brain has last named a turn

    def _handshake(self, engine: EngineProcess, deadline: StartDeadline) -> str:
        engine.send("ABOUT", deadline)
        about = dict(re.findall(r'(\w+)\s*=\s*"([^"]*)"', self._receive(engine, deadline)))
        if about.get("name") == self.TENGEN_NAME:  # compile its kernels before a game begins
            warmup.compile_kernels(self._spec.game)
            deadline.renew()
        self._start(engine, f"START {self._size}", deadline)
        return f"{about.get('name', self._command[0])} {about.get('version', '')}".strip()

    def _new_game(self, engine: EngineProcess) -> None:
        if not self._just_started:
            try:
                self._start(engine, "RESTART", self._startup_deadline(engine))
            except PlayerFailure as failure:
                if failure.reason != EndReason.PROTOCOL:
                    raise
                self.close()  # a brain without RESTART is started again
                engine = self._running_engine()
        self._just_started = False
        bits = sum(bit for name, bit in self.RULES.items() if self._spec.values.get(name))
        self._send_info(engine, self._startup_deadline(engine), rule=bits, game_type=self.TOURNAMENT)
        for name, value in self._settings.options:
            self._send_option(engine, name, value)
        if self._start_text is not None:
            self._sent_moves = None

    def _send_option(self, engine: EngineProcess, name: str, value: str) -> None:
        engine.send(f"INFO {name} {value}", self._startup_deadline(engine))

    def _start(self, engine: EngineProcess, command: str, deadline: Deadline) -> None:
        """Send `command`, which empties the board, and wait for OK."""
        engine.send(command, deadline)
        while not re.match(r"OK\b", answer := self._receive(engine, deadline), re.I):
            self._refuse_errors(command, answer)
        self._just_started, self._sent_moves, self._sent_info = True, [], {}

    def check_search(self, limits: Limit) -> None:
        """Check whether the protocol has words for a search within `limits`."""
        self._require_time(limits)
        if limits.time is None:
            raise OptionError(f"limit: expected a time, which {self.NAME} needs, got none")
        if limits.multipv > 1 or limits.searchmoves:
            asked = "several lines" if limits.multipv > 1 else "root turns"
            raise OptionError(f"analysis: expected one line of all turns by {self.NAME}, got {asked}")

    def _search(self, search: RunningSearch, position: Position, turn_time: TurnTime) -> Answer:
        search.stop_command, search.grace = self.STOP_COMMAND, float("inf")
        return self._genmove(search, position, turn_time), None

    def _genmove(self, search: RunningSearch, position: Position, turn_time: TurnTime) -> str:
        """Ask for the turn in `position` and return it."""
        engine = search.engine
        time.sleep(max(0.0, self._answered + TIDYING - time.monotonic()))
        if search.on_line is not ignore:
            self._send_info(engine, search.deadline, show_detail=self.LINES)
        if self._sent_moves and not position.turns_played and self._start_text is None:
            self._start(engine, "RESTART", search.deadline)
        command, *rest = self._move_request(position)
        self._tell_time(engine, turn_time, search.deadline)
        self._begin_search(search, "\n".join([command, *rest]))
        answer = self._answer(search)
        while suggested := re.fullmatch(r"SUGGEST\s+(\S.*)", answer, re.I):
            engine.send(f"PLAY {suggested[1]}", search.deadline)
            answer = self._answer(search)
        if self._end_search():  # what a brain says of a command that it need not know comes before this
            engine.send("ABOUT", search.deadline)
            while "name" not in self._receive(engine, search.deadline):
                pass
        self._refuse_errors(command, answer)
        self._answered = time.monotonic()
        point = re.fullmatch(r"(\d{1,3})\s*,\s*(\d{1,3})", answer)
        x, y = (int(point[1]), self._size - 1 - int(point[2])) if point else (-1, -1)
        if not 0 <= x < self._size or y < 0:
            return answer  # no turn: the match ends the game
        self._sent_moves = [*position.turns_played, vertex(x, y)]
        return self._sent_moves[-1]

    def _answer(self, search: RunningSearch) -> str:
        """Return the brain's answer; what it says before is reported."""
        details: dict[str, str] = {}  # of a line of play, by which Rapfi tells it besides a message
        while True:
            line = self._listen(search).strip()
            if detail := re.fullmatch(r"INFO +(\w+) +(.*)", line, re.I):
                details[detail[1].upper()] = detail[2]
                if details.get("PV", "").upper() == "DONE" and (info := parse_details(details, self._size)):
                    search.on_line(info)
            elif self._is_message(line):
                if not details and (info := parse_message(line, self._size)):
                    search.on_line(info)
            elif line and not (search.stopped and self._is_error(line)):  # who does not know how to stop
                return line

    def _move_request(self, position: Position) -> list[str]:
        """Return the command that asks for the turn in `position`, with its lines."""
        turns, side = position.turns_played, position.side_to_move
        if self._sent_moves is not None and turns and list(turns[:-1]) == self._sent_moves:
            return [f"TURN {self._point(turns[-1])}"]
        played = [(number % 2, turn) for number, turn in enumerate(turns)]
        if self._start_text is not None:
            played = [
                (colour - 1, vertex(*place)) for place, colour in stones_of(position, self.NAME).items()
            ]
        stones = [f"{self._point(turn)},{1 if owner == side else 2}" for owner, turn in played]
        return ["BOARD", *stones, "DONE"] if stones else ["BEGIN"]

    def _point(self, turn: str) -> str:
        """Return ``x,y`` for a turn: from 0, x from the left, y from the top."""
        x, y = parse_vertex(turn, self._size)
        return f"{x},{self._size - 1 - y}"

    @property
    def _size(self) -> int:
        return int(self._spec.values["size"])

    def _tell_time(self, engine: EngineProcess, turn_time: TurnTime, deadline: Deadline) -> None:
        """Send the time for the turn, and for the game if the match has clocks."""
        limits = turn_time.limits
        clock = limits.clock
        left = milliseconds(clock.remaining + clock.byoyomi / clock.byoyomi_stones) if clock else None
        turn = left if limits.time is None else milliseconds(limits.time)
        assert turn is not None  # see `PlayerSpec.unsupported_limits`
        match = 0 if left is None else self._sent_info.get("timeout_match", left)
        self._send_info(engine, deadline, timeout_turn=turn, timeout_match=match)
        engine.send(f"INFO time_left {UNLIMITED if left is None else left}", deadline)

    def _send_info(self, engine: EngineProcess, deadline: Deadline, **values: int) -> None:
        """Send the INFO values that the brain does not have yet."""
        for key, value in values.items():
            if self._sent_info.get(key) != value:
                engine.send(f"INFO {key} {value}", deadline)
        self._sent_info |= values

    def _receive(self, engine: EngineProcess, deadline: Deadline) -> str:
        """Return the next line that is not a message."""
        while True:
            line = engine.receive(deadline).strip()
            if line and not self._is_message(line):
                return line

    @staticmethod
    def _is_message(line: str) -> bool:
        """Return whether a line is for people."""
        return bool(re.match(r"(MESSAGE|DEBUG)\b", line, re.I))

    @staticmethod
    def _is_error(line: str) -> bool:
        """Return whether a line says that the brain cannot execute a command."""
        return bool(re.match(r"(ERROR|UNKNOWN)\b", line, re.I))

    def _refuse_errors(self, command: str, answer: str) -> None:
        """Raise PlayerFailure if the brain answers that it cannot execute `command`."""
        if self._is_error(answer):
            raise self._refused(command, answer)


def parse_details(details: Mapping[str, str], size: int) -> Info | None:
    """Return what lines ``INFO KEY VALUE`` say of a line of play; None without a depth and a score."""
    words = {"depth": "DEPTH", "ev": "EVAL", "n": "TOTALNODES", "tm": "TOTALTIME", "pv": "BESTLINE"}
    told = (f"{word} {details[key]}" for word, key in words.items() if key in details)
    info = parse_message(" ".join(("MESSAGE", *told)), size)
    deepest = details.get("SELDEPTH", "")
    return replace(info, seldepth=int(deepest)) if info and deepest.isdecimal() else info


def parse_message(line: str, size: int) -> Info | None:
    """Return what a line says of the brain's line of play; None without a depth and a score.

    A score with decimals is in points, one without in centi-points; ``win in 3`` and ``+M3`` are proven. The
    line of play is read if it consists of points ``x,y``, otherwise it is empty.
    """
    depth, score = _DEPTH.search(line), _SCORE.search(line)
    if not (depth and score and line[:7].upper() == "MESSAGE"):
        return None
    nodes, time, points = _NODES.search(line), _TIME.search(line), _LINE.search(line)
    places = re.findall(r"(\d+),(\d+)", points[1]) if points else []
    return Info(
        rank=1,
        depth=int(depth[1]),
        seldepth=int(depth[2] or depth[1]),
        score=_score(score),
        bound="",
        nodes=int(float(nodes[1]) * _THOUSANDS[nodes[2].upper()]) if nodes else 0,
        seconds=int(time[1]) / 1000 if time else 0.0,
        hashfull=0,
        pv=tuple(vertex(int(x), size - 1 - int(y)) for x, y in places if int(x) < size and int(y) < size),
    )


def _score(found: re.Match[str]) -> Score:
    """Return the score that `_SCORE` has found."""
    if found["number"]:
        value = float(found["number"])
        return estimated(round(100 * value) if found["decimals"] else int(value))
    turns = int(found["turns"] or found["mate"])
    lost = (found["end"] or "").lower() == "loss" or found["sign"] == "-"
    return proven(-turns if lost else turns)
