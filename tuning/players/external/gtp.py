"""External engines that speak GTP 2."""

import contextlib
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, takewhile

from tengen.engine.board.grids import vertex
from tengen.engine.errors import OptionError
from tengen.engine.options import Option, Value
from tengen.engine.play.position import Position
from tengen.search import warmup
from tengen.search.info import Info, Score
from tengen.search.limits.limit import Clock, Limit
from tengen.tuning.players.base import EndReason, PlayerFailure, TurnTime
from tengen.tuning.players.external.engine import Answer, EnginePlayer, RunningSearch, ignore, stones_of
from tengen.tuning.players.external.process import Deadline, EngineProcess, StartDeadline

LEELA_ZERO, KATAGO = "lz-analyze", "kata-analyze"  # commands
GENMOVE = {kind: kind.replace("-", "-genmove_") for kind in (KATAGO, LEELA_ZERO)}  # reports as `kind` does
UNITS = {LEELA_ZERO: 10_000.0, KATAGO: 1.0}  # of their win rates and priors
OWNERSHIP = "ownership"


class GtpPlayer(EnginePlayer):
    """An engine that speaks GTP 2.

    It is told the game by our own command ``tengen-game`` if it knows that one, otherwise by ``boardsize``,
    ``komi``, the handicap stones and, if known, KataGo's ``kata-set-rules``. Other rules must be set on the
    engine's command line. GTP has no depth or node limits: only time is sent, by ``time_settings`` and
    ``time_left``, in whole seconds if the engine refuses fractions. An analysis needs ``kata-analyze`` or
    ``lz-analyze``, and is stopped when its time is over.
    """

    NAME = "GTP"
    TENGEN_COMMAND = "tengen-game"
    TENGEN_POSITION = "tengen-position"
    SET_POSITION = "set_position"
    UNDO = "undo"
    INTERVAL = 10  # between two reports of an analysis, centiseconds
    RULES = "kata-set-rules"
    HANDICAP = "set_free_handicap"
    KATA_CLOCK = "kata-time_settings"
    KGS_CLOCK = "kgs-time_settings"
    PARAMETERS = "kata-list-params"

    _number = 0  # id of the last command
    _known: frozenset[str] = frozenset()  # optional commands that the engine knows
    _fractions: bool  # whether it accepts fractions of seconds
    _limits: Limit | None  # sent last
    _engine_position: Position  # the position on the engine's board

    def _handshake(self, engine: EngineProcess, deadline: StartDeadline) -> str:
        identity = f"{self._ask(engine, 'name', deadline)} {self._ask(engine, 'version', deadline)}".strip()
        optional = {  # commands that not every engine knows, and whether this game needs them
            self.TENGEN_COMMAND: True,
            self.RULES: self._spec.game.offers("katago"),
            self.HANDICAP: bool(self._spec.values.get("handicap")),
            self.KATA_CLOCK: True,
            self.KGS_CLOCK: self._spec.game.ends_by_agreement,
            self.UNDO: True,
            KATAGO: True,
            LEELA_ZERO: True,
            **dict.fromkeys(GENMOVE.values(), True),
            self.PARAMETERS: True,
            self.SET_POSITION: self._spec.game.square,
        }
        wanted = frozenset(name for name, needed in optional.items() if needed)
        # not known_command: Pachi 11.99 crashes when asked for a command that it knows
        self._known = wanted.intersection(self._ask(engine, "list_commands", deadline).split())
        self._limits, self._fractions = None, True
        names = self._ask(engine, self.PARAMETERS, deadline).split() if self.PARAMETERS in self._known else ()
        values = {name: self._ask(engine, f"kata-get-param {name}", deadline) for name in names}
        self.options = {name: Option(name, typed(value), "") for name, value in values.items()}
        for name, value in self._settings.options:
            self._send_option(engine, name, value)
        if self._is_tengen:  # its first search loads the kernels, which must not cost time of a game
            for spec in reversed(self._spec.games):  # the game of the match comes last and stays
                warmup.compile_kernels(spec.game)
                deadline.renew()
                self._ask(engine, f"{self.TENGEN_COMMAND} {spec}", deadline)
                self._ask(engine, "time_settings 0 1 1", deadline)
                self._ask(engine, f"reg_genmove {spec.game.letters[0]}", deadline)
        return identity

    def _send_option(self, engine: EngineProcess, name: str, value: str) -> None:
        command = f"kata-set-param {name}" if name in self.options else name
        self._ask(engine, f"{command} {value}", self._startup_deadline(engine))

    @property
    def _is_tengen(self) -> bool:
        """Whether the engine is a Tengen."""
        return self.TENGEN_COMMAND in self._known

    def _new_game(self, engine: EngineProcess) -> None:
        deadline = self._startup_deadline(engine)
        position = Position(self._spec, self._start_text)
        for command in list(self._setup_commands(position)):
            self._ask(engine, command, deadline)
        self._engine_position, self._limits = position, None

    def _setup_commands(self, position: Position) -> Iterator[str]:
        """Yield the commands that tell an engine which game begins, and with which `position`.

        Raises OptionError if the position is more than stones on a board.
        """
        values = self._spec.values
        if self._is_tengen:
            yield f"{self.TENGEN_COMMAND} {self._spec}"
            if self._start_text is not None:
                yield f"{self.TENGEN_POSITION} {self._start_text}"
            return
        stones: list[tuple[str, str]] = []  # by letter and point
        if self._start_text is not None or values.get("handicap"):
            places = stones_of(position, self.NAME).items()
            stones = [(self._letter(colour - 1), vertex(*place)) for place, colour in places]
        if "size" in values:
            yield f"boardsize {values['size']}"
        yield "clear_board"
        if "komi" in values:
            yield f"komi {values['komi']}"
        if self.RULES in self._known:
            rules = self._spec.game.module("katago").katago_rules(values)
            yield f"{self.RULES} {json.dumps(rules)}"
        if not stones:
            return
        if self._start_text is None and self.HANDICAP in self._known:
            yield f"{self.HANDICAP} {' '.join(point for _, point in stones)}"
        elif self._start_text is not None and self.SET_POSITION in self._known:
            yield f"{self.SET_POSITION} {' '.join(f'{letter} {point}' for letter, point in stones)}"
        else:
            yield from (f"play {letter} {point}" for letter, point in stones)

    def _genmove(self, search: RunningSearch, position: Position, turn_time: TurnTime) -> str:
        engine, deadline = search.engine, search.deadline
        self._send_moves(engine, position, deadline)
        letter = self._letter(position.side_to_move)
        self._tell_time(engine, letter, turn_time.limits, deadline)
        kind = next((kind for kind, name in GENMOVE.items() if name in self._known), None)
        if kind is None or search.on_line is ignore:
            answer = self._ask(engine, f"genmove {letter}", deadline)
        else:
            answer = self._genmove_analyze(search, kind, letter, position.scale)
        if answer.lower() == "resign":
            raise PlayerFailure(EndReason.RESIGNATION, "resigned")
        with contextlib.suppress(ValueError):  # the match ends the game if the turn is illegal
            self._engine_position.push(answer)
        return answer

    def _genmove_analyze(self, search: RunningSearch, kind: str, letter: str, scale: float) -> str:
        """Ask for a turn by a command that reports as `kind` does, and return the turn."""
        self._number += 1
        request = f"{GENMOVE[kind]} {letter} {self.INTERVAL}"
        search.engine.send(f"{self._number} {request}", search.deadline)
        self._require_success(self._status(partial(self._listen, search), self._number), request)
        answer = ""
        while line := self._listen(search).strip():
            if line.startswith("play "):
                answer = line.removeprefix("play ").strip()
            for info in parse_candidates(line, kind, scale):
                search.on_line(info)
        return answer

    @property
    def _analyze_command(self) -> str | None:
        """The command for analyses; None if the engine has none."""
        return next((name for name in (KATAGO, LEELA_ZERO) if name in self._known), None)

    def check_search(self, limits: Limit) -> None:
        """Check whether the engine knows analyses, and GTP has words for this one."""
        if self._analyze_command is None:
            expected = f"expected a program that knows {KATAGO} or {LEELA_ZERO}"
            raise OptionError(f"analysis: {expected}, got {self._identity}")
        self._require_time(limits)
        if len(limits.searchmoves) > 1 and self._spec.game.commas:
            raise OptionError(f"root_turns: expected one in {self._spec.game.title} by GTP, got several")

    def _search(self, search: RunningSearch, position: Position, turn_time: TurnTime) -> Answer:
        limits, engine, command = turn_time.limits, search.engine, self._analyze_command
        read = partial(self._listen, search)
        assert command is not None
        request = self._request(command, position, limits)
        self._send_moves(engine, position, self._startup_deadline(engine))
        points = int(self._spec.values["size"]) ** 2 if OWNERSHIP in request else 0
        begun, ended = self._number + 1, self._number + 2  # numbers of the request, and of what ends it
        self._number = ended
        search.stop_command = f"{ended} name"
        if limits.time is not None:
            search.stop_at = time.perf_counter() + limits.time
        self._begin_search(search, f"{begun} {request}")
        self._require_success(self._status(read, begun), request)
        while line := read().strip():
            for info in parse_candidates(line, command, position.scale, points):
                search.on_line(info)
        if self._end_search():
            self._status(read, ended)
            while read().strip():
                pass
        return None, None

    def _request(self, command: str, position: Position, limits: Limit) -> str:
        """Return the command that analyses `position`."""
        letter = self._letter(position.side_to_move)
        words = [command, letter, str(self.INTERVAL)]
        if limits.multipv > 1:
            words.append(f"minmoves {limits.multipv}")
        if limits.searchmoves:
            words.append(f"allow {letter} {','.join(limits.searchmoves)} 1")
        if command == KATAGO and self._spec.game.ends_by_agreement:
            words.append(f"{OWNERSHIP} true")
        return " ".join(words)

    @staticmethod
    def _status(read: Callable[[], str], number: int) -> tuple[str, str]:
        """Return the sign, and the rest of the line, with which the response to a command begins."""
        while True:
            status, _, text = read().partition(" ")
            if status in (f"={number}", f"?{number}"):
                return status[0], text.strip()

    def _send_moves(self, engine: EngineProcess, position: Position, deadline: Deadline) -> None:
        """Lead the engine's board to `position`: take back turns that are not its own, send the others."""
        wanted, played = position.turns_played, self._engine_position.turns_played
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(wanted, played, strict=False)))
        if len(played) > common and self.UNDO not in self._known:
            self._new_game(engine)
        for _ in range(len(self._engine_position.turns_played) - common):
            self._ask(engine, self.UNDO, deadline)
            self._engine_position.pop()
        for turn in wanted[len(self._engine_position.turns_played) :]:
            self._ask(engine, f"play {self._letter(self._engine_position.side_to_move)} {turn}", deadline)
            self._engine_position.push(turn)

    def _tell_time(self, engine: EngineProcess, letter: str, limits: Limit, deadline: Deadline) -> None:
        """Send the time that is left, as far as the engine does not know it."""
        if clock := limits.clock:
            if self._limits is None:
                self._tell_control(engine, clock, deadline)
            turns = clock.periods if clock.periods and not clock.byoyomi else clock.moves_to_go or 0
            self._ask_in_seconds(engine, f"time_left {letter} {{}} {turns}", deadline, clock.remaining)
        elif limits.time is not None and limits != self._limits:
            self._ask_in_seconds(engine, "time_settings 0 {} 1", deadline, limits.time)
        self._limits = limits

    def _tell_control(self, engine: EngineProcess, clock: Clock, deadline: Deadline) -> None:
        """Send the time control of a game, as far as the engine has commands for it."""
        seconds: tuple[float, ...] = (clock.remaining,)
        if clock.increment and self.KATA_CLOCK in self._known:
            command, seconds = f"{self.KATA_CLOCK} fischer {{}} {{}}", (clock.remaining, clock.increment)
        elif clock.periods and self.KGS_CLOCK in self._known:
            main, period = (clock.remaining, clock.byoyomi) if clock.byoyomi else (0.0, clock.remaining)
            command, seconds = f"{self.KGS_CLOCK} byoyomi {{}} {{}} {clock.periods}", (main, period)
        elif clock.byoyomi:
            command = f"time_settings {{}} {{}} {clock.byoyomi_stones}"
            seconds = (clock.remaining, clock.byoyomi)
        elif clock.moves_to_go:
            command = f"time_settings 0 {{}} {clock.moves_to_go}"
        else:
            command = "time_settings {} 0 0"
        self._ask_in_seconds(engine, command, deadline, *seconds)

    def _ask_in_seconds(
        self, engine: EngineProcess, command: str, deadline: Deadline, *seconds: float
    ) -> None:
        """Send a command with `seconds` in it, rounded down but at least 1 if fractions are refused."""
        whole = [str(max(1, int(second)) if second else 0) for second in seconds]
        if self._fractions and whole != [f"{second:.10g}" for second in seconds]:
            try:
                self._ask(engine, command.format(*(f"{second:.3f}" for second in seconds)), deadline)
            except PlayerFailure as failure:
                if failure.reason != EndReason.PROTOCOL:
                    raise
                self._fractions = False
            else:
                return
        self._ask(engine, command.format(*whole), deadline)

    def _letter(self, side: int) -> str:
        """Return the letter of `side`, ``b`` or ``w``."""
        return self._spec.game.letters[side]

    def _ask(self, engine: EngineProcess, command: str, deadline: Deadline) -> str:
        """Send a command and return its response; lines that do not belong to it are skipped."""
        self._number += 1
        engine.send(f"{self._number} {command}", deadline)
        read = partial(engine.receive, deadline)
        sign, first = self._status(read, self._number)
        answer = [first, *iter(lambda: read().strip(), "")]
        self._require_success((sign, " ".join(answer)), command)
        return "\n".join(answer).strip()

    def _require_success(self, response: tuple[str, str], command: str) -> None:
        """Raise PlayerFailure if a `response`, its sign and its text, says that the command has failed."""
        sign, text = response
        if sign == "?":
            raise self._refused(command, text)


def typed(text: str) -> Value:
    """Return the value of a parameter: a truth value or a number if it looks like one, else the text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def parse_candidates(line: str, command: str, scale: float, points: int = 0) -> list[Info]:
    """Return the candidates that a line reports, the best one first; none if it reports nothing.

    The command is `LEELA_ZERO` or `KATAGO`. By the logistic `scale` win rates become scores. `points` are
    those of the board, if the program was asked for their ownership.
    """
    words = line.split()
    starts = [n for n, pair in enumerate(pairwise(words)) if pair == ("info", "move")]
    parts = [words[start + 1 : end] for start, end in pairwise([*starts, len(words)])]
    found = [info for part in parts if (info := _candidate(part, UNITS[command], scale))]
    found.sort(key=lambda info: info.rank)
    total = sum(info.visits or 0 for info in found)
    owners = _ownership(words, points)
    return [replace(info, rank=n, nodes=total, ownership=owners) for n, info in enumerate(found, 1)]


def _candidate(words: Sequence[str], unit: float, scale: float) -> Info | None:
    """Return the candidate whose report begins with ``move``; None if it has no win rate."""
    end = words.index("pv") if "pv" in words else len(words)
    fields = dict(zip(words[:end:2], words[1:end:2], strict=False))
    pv = tuple(words[end + 1 :]) or (fields.get("move", ""),)

    def number(name: str) -> float | None:
        try:
            value = float(fields[name])
        except (KeyError, ValueError):
            return None
        return value if math.isfinite(value) else None

    def fraction(name: str) -> float | None:
        value = number(name)
        return None if value is None else min(1.0, max(0.0, value / unit))

    rate = fraction("winrate")
    if rate is None:
        return None
    return Info(
        rank=int(number("order") or 0),
        depth=len(pv),
        seldepth=len(pv),
        score=Score.of_rate(rate, scale),
        bound="",
        nodes=0,
        seconds=0.0,
        hashfull=0,
        pv=pv,
        visits=max(0, int(number("visits") or 0)),
        rate=rate,
        low=fraction("lcb"),
        prior=fraction("prior"),
        lead=number("scoreLead"),
    )


def _ownership(words: Sequence[str], points: int) -> tuple[float, ...]:
    """Return the ownership of all points; empty if it is not reported whole."""
    if OWNERSHIP not in words or not points:
        return ()
    start = words.index(OWNERSHIP) + 1
    try:
        owners = tuple(float(word) for word in words[start : start + points])
    except ValueError:
        return ()
    return owners if len(owners) == points else ()
