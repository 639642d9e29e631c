"""External engines that speak UGI."""

import re

from tengen.engine.errors import OptionError, nearest, quoted
from tengen.engine.options import Option
from tengen.engine.play.position import Position
from tengen.search.info import PROVEN, WIN, Info, Result, Score
from tengen.search.limits.limit import Limit
from tengen.tuning.players.base import SearchReport, TurnTime
from tengen.tuning.players.external.engine import (
    Answer,
    EnginePlayer,
    OnInfo,
    RunningSearch,
    ignore,
    milliseconds,
)
from tengen.tuning.players.external.process import Deadline, EngineProcess, StartDeadline

NO_TURN = "none"  # the bestmove of a finished game
GAME, LINES, PROCESSOR_TIME = "Game", "MultiPV", "CpuTime"  # options
_NUMBER = r"([+-]?[0-9]{1,15})"
_OPTION = re.compile(r"option name (?P<name>\S.*?) type (?P<type>\w+)(?: (?P<rest>.*))?", re.DOTALL)
_VALUES = re.compile(r"\b(default|min|max|var)\b ?(.*?)(?=\s+(?:default|min|max|var)\b|$)")


class UgiPlayer(EnginePlayer):
    """An engine that speaks UGI. It is told the game if it offers the option ``Game``.

    With processor time on the clock, it is told so if it offers the option ``CpuTime``.
    """

    NAME = "UGI"

    _lines = 1  # value of the option MultiPV

    def _handshake(self, engine: EngineProcess, deadline: StartDeadline) -> str:
        engine.send("ugi", deadline)
        identity, self._lines = self._command[0], 1
        declared: dict[str, Option] = {}
        while (line := engine.receive(deadline)).split() != ["ugiok"]:
            words = line.split()
            if words[:2] == ["id", "name"]:
                identity = " ".join(words[2:])
            if option := parse_option(line):
                declared[option.name] = option
        self.options = declared
        if GAME in self.options:
            self._set(engine, GAME, str(self._spec), deadline)
        if PROCESSOR_TIME in self.options and self._counts_processor_time:
            self._set(engine, PROCESSOR_TIME, "true", deadline)
        for name, value in self._settings.options:
            self._set(engine, name, value, deadline)
        self._wait_ready(engine, deadline)
        return identity

    def _send_option(self, engine: EngineProcess, name: str, value: str) -> None:
        if name not in self.options:
            known = ", ".join(self.options)
            raise OptionError(
                f"option: expected one of {known}, got {quoted(name)}{nearest(name, self.options)}"
            )
        self.options[name].parse(value, self._identity)
        self._set(engine, name, value, self._startup_deadline(engine))

    def _set(self, engine: EngineProcess, name: str, value: str, deadline: Deadline) -> None:
        engine.send(f"setoption name {name} value {value}", deadline)
        if name == LINES and value.isdecimal():
            self._lines = int(value)

    def _new_game(self, engine: EngineProcess) -> None:
        deadline = self._startup_deadline(engine)
        engine.send("uginewgame", deadline)
        self._wait_ready(engine, deadline)

    def _wait_ready(self, engine: EngineProcess, deadline: Deadline) -> None:
        engine.send("isready", deadline)
        while engine.receive(deadline).strip() != "readyok":
            pass

    def _genmove(self, search: RunningSearch, position: Position, turn_time: TurnTime) -> str:
        self.report = None

        def note(info: Info) -> None:
            self.report = SearchReport.of(info) or self.report

        search.on_line = note
        return self._go(search, position, turn_time)[0] or NO_TURN

    def choose(self, position: Position, turn_time: TurnTime, on_info: OnInfo | None = None) -> Result:
        """Ask the engine for its turn, and return it with what the engine says of it."""
        return self.search(position, turn_time, on_info or ignore)

    def check_search(self, limits: Limit) -> None:
        """Check whether the program can report several lines, if `limits` ask for them."""
        if limits.multipv > 1 and LINES not in self.options:
            raise OptionError(f"multipv: expected 1, since {self._identity} has no option {LINES}")

    def _search(self, search: RunningSearch, position: Position, turn_time: TurnTime) -> Answer:
        lines = turn_time.limits.multipv
        if lines != self._lines:
            self._send_option(search.engine, LINES, str(lines))
        return self._go(search, position, turn_time)

    def _go(self, search: RunningSearch, position: Position, turn_time: TurnTime) -> Answer:
        """Search and return the answer."""
        start = "startpos" if self._start_text is None else f"fen {self._start_text}"
        moves = " moves " + " ".join(position.turns_played) if position.turns_played else ""
        search.engine.send(f"position {start}{moves}", search.deadline)
        search.stop_command = "stop"
        self._begin_search(search, go_command(turn_time))
        while True:
            line = self._listen(search)
            words = line.split()
            if words[:1] == ["bestmove"]:
                self._end_search()
                turn = words[1] if len(words) > 1 and words[1] != NO_TURN else None
                return turn, words[3] if words[2:3] == ["ponder"] and len(words) > 3 else None
            if words[:1] == ["info"] and (info := parse_info(line)):
                search.on_line(info)


def go_command(turn_time: TurnTime) -> str:
    """Return the UGI command that searches within `turn_time`; times in milliseconds."""
    limits = turn_time.limits
    words = ["go"]
    for number, clock in enumerate(turn_time.clocks or (), 1):
        words.append(f"p{number}time {milliseconds(clock.remaining + clock.byoyomi / clock.byoyomi_stones)}")
        words.append(f"p{number}inc {milliseconds(clock.increment)}")
    if limits.clock and limits.clock.moves_to_go:
        words.append(f"movestogo {limits.clock.moves_to_go}")
    if limits.time is not None:
        words.append(f"movetime {milliseconds(limits.time)}")
    if limits.depth is not None:
        words.append(f"depth {limits.depth}")
    if limits.nodes is not None:
        words.append(f"nodes {limits.nodes}")
    if limits == Limit(multipv=limits.multipv, searchmoves=limits.searchmoves):
        words.append("infinite")
    if limits.searchmoves:
        words += ["searchmoves", *limits.searchmoves]
    return " ".join(words)


def parse_info(line: str) -> Info | None:
    """Return what an ``info`` line says of a line of play; None without a score.

    A ``mate`` counts turns. Without a ``pv`` the line of play is empty.
    """
    text, _, pv = " ".join(line.split()).partition(" pv ")
    found = re.search(r" score (cp|mate) ([+-]?[0-9]{1,9})\b(?: (lower|upper)bound)?", text)
    if text.startswith("info string") or not found:
        return None

    def number(name: str, otherwise: int = 0) -> int:
        match = re.search(rf" {name} {_NUMBER}\b", text)
        return int(match[1]) if match else otherwise

    depth = number("depth")
    return Info(
        rank=max(1, number("multipv", 1)),
        depth=depth,
        seldepth=number("seldepth", depth),
        score=proven(int(found[2])) if found[1] == "mate" else estimated(int(found[2])),
        bound=found[3] or "",
        nodes=number("nodes"),
        seconds=number("time") / 1000,
        hashfull=number("hashfull"),
        pv=tuple(pv.split()),
    )


def estimated(value: int) -> Score:
    """Return the score of a program's estimate, centi-points, which proves nothing."""
    return Score(max(1 - PROVEN, min(PROVEN - 1, value)))


def proven(turns: int) -> Score:
    """Return the score of a win in so many turns; if they are not positive, of a loss."""
    turns = max(PROVEN - WIN, min(WIN - PROVEN, turns))
    return Score(WIN - turns if turns > 0 else -WIN - turns)


def parse_option(line: str) -> Option | None:
    """Return the option that a line declares; None if it declares none that has a value.

    A ``spin`` is a whole number, a ``check`` is true or false, a ``combo`` has choices, all others are texts.
    """
    match = _OPTION.fullmatch(" ".join(line.split()))
    if not match or match["type"] == "button":
        return None
    values = [(name, value) for name, value in _VALUES.findall(match["rest"] or "")]
    given = dict(values)
    default, kind, name = given.get("default", ""), match["type"], match["name"]
    if kind == "check":
        return Option(name, default == "true", "")
    if kind == "combo":
        return Option(name, default, "", choices=tuple(value for key, value in values if key == "var"))
    bounds = [given.get(key, "") for key in ("default", "min", "max")]
    if kind == "spin" and all(re.fullmatch(_NUMBER, bound) for bound in bounds):
        start, low, high = map(int, bounds)
        return Option(name, start, "", low, high)
    return Option(name, default, "")
