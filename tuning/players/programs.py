"""Foreign programs as players: a process that is talked to in lines, in UGI, GTP or Gomocup's protocol.

A program is never trusted: it may hang, die, flood us or talk rubbish at any moment. Whatever it does ends as
a `PlayerFailure` within the time it was given, and its process group is killed when it is done with, or when
this process is no more, however it has ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import threading
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from typing import IO, ClassVar

from tengen.engine.board.goban import parse_rows, parse_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.challenge import begin
from tengen.engine.errors import OptionError, quoted
from tengen.engine.game import GameSpec
from tengen.engine.position import Position
from tengen.search import warmup
from tengen.search.limits import Limits
from tengen.tuning.players.base import Allowance, Player, PlayerFailure, Reason

STARTUP = 120.0  # seconds for a program to get ready: it may have to compile or to load a net
PARTING = 1.0  # seconds between asking a program to quit and killing it
GRACE = 0.5  # seconds that a late answer is waited for: a program that is merely slow need not be killed
MAX_LINE = 1 << 16  # bytes; what a line has beyond is read as another line
MAX_WAITING = 10_000  # lines read ahead
UNLIMITED = 2**31 - 1  # ms, of INFO time_left: a game without a limit
WATCH = 'read -r line; kill -s KILL -- "-$0"'  # for sh: input ends with whoever holds its other end


class Program:
    """A running process whose standard input and output are lines of text.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.

    Raises
    ------
    OptionError
        When there is no such program.
    """

    def __init__(self, command: tuple[str, ...]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # a group of its own: killed as a whole, deaf to our SIGINT
            )
        except OSError as error:
            reason = error.strerror or error
            raise OptionError(f"player: expected a program, got {quoted(command[0])} ({reason})") from None
        self._watch = _watch(self._process.pid)
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_WAITING)
        self._complaints: deque[str] = deque(maxlen=1)
        self._closing = False
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read_output(self) -> None:
        """Queue the lines of stdout, then None."""
        assert self._process.stdout
        for line in _lines(self._process.stdout):
            if not self._queue(line):
                return
        self._queue(None)

    def _queue(self, line: str | None) -> bool:
        """Wait until there is room for `line`; return False when nobody will read it any more."""
        while True:
            try:
                self._lines.put(line, timeout=0.1)
                return True
            except queue.Full:
                if self._closing:
                    return False

    def _read_errors(self) -> None:
        """Keep the last line of stderr that says something."""
        assert self._process.stderr
        for line in _lines(self._process.stderr):
            if line.strip():
                self._complaints.append(line.strip())

    def send(self, line: str) -> None:
        """Write one line.

        Raises
        ------
        PlayerFailure
            When the program no longer listens.
        """
        assert self._process.stdin
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._death() from None

    def receive(self, deadline: float) -> str:
        """Return the next line of output, without its end.

        Parameters
        ----------
        deadline : float
            When to stop waiting, as `time.perf_counter` tells it.

        Raises
        ------
        PlayerFailure
            When the program has died, or the deadline passes.
        """
        left = deadline - time.perf_counter()
        if left <= 0:
            raise PlayerFailure(Reason.TIME, "no answer among what it prints" + self._last_words())
        try:
            line = self._lines.get(timeout=left)
        except queue.Empty:
            raise PlayerFailure(Reason.TIME, "no answer" + self._last_words()) from None
        if line is None:
            raise self._death()
        return line

    def _death(self) -> PlayerFailure:
        """Return the failure that says how the program died."""
        try:
            code = self._process.wait(PARTING)
        except subprocess.TimeoutExpired:
            return PlayerFailure(Reason.CRASH, "its output has ended" + self._last_words())
        self._readers[1].join(PARTING)
        how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        return PlayerFailure(Reason.CRASH, how + self._last_words())

    def _last_words(self) -> str:
        """Return what stderr said last, as a clause."""
        return f"; stderr ends with {quoted(self._complaints[-1], 200)}" if self._complaints else ""

    def kill(self) -> None:
        """End the process and all that it has started, at once."""
        self._closing = True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def close(self, farewell: str = "") -> None:
        """Ask the program to quit with the line `farewell`, if any; kill what does not."""
        self._closing = True
        if farewell:
            with contextlib.suppress(PlayerFailure, subprocess.TimeoutExpired):
                self.send(farewell)
                self._process.wait(PARTING)
        self.kill()
        if self._watch:  # before the group's number may become that of another
            self._watch.kill()
            self._watch.communicate()
        self._process.wait()
        with contextlib.suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()
        streams = self._process.stdout, self._process.stderr
        for reader, stream in zip(self._readers, streams, strict=True):
            reader.join(PARTING)
            # Closing would wait for a reader, and that for whatever has left the group with our output.
            if stream and not reader.is_alive():
                stream.close()


def _watch(group: int) -> subprocess.Popen[bytes] | None:
    """Return a process that kills the process group when this one ends; None where there are no groups."""
    if not hasattr(os, "killpg"):
        return None
    return subprocess.Popen(
        ["/bin/sh", "-c", WATCH, str(group)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a stream, decoded leniently, without their ends."""
    while line := stream.readline(MAX_LINE):
        yield line.decode("utf-8", "replace").rstrip("\r\n")


class ProgramPlayer(Player):
    """A program that plays: started when first needed, and again after it has failed.

    Parameters
    ----------
    spec : GameSpec
        What is played.
    command : tuple of str
        The program and its arguments.
    """

    FAREWELL = "quit"

    def __init__(self, spec: GameSpec, command: tuple[str, ...]) -> None:
        self._spec = spec
        self._command = command
        self._program: Program | None = None
        self._identity = command[0]

    def start(self) -> str:
        """Start the program and greet it."""
        with self._guarded():
            self._ensure()
        return self._identity

    def new_game(self, seed: int) -> None:
        """Have the program begin a new game; one that has failed is started again."""
        with self._guarded():
            self._begin(self._ensure())

    def play(self, position: Position, allowance: Allowance) -> str:
        """Ask the program for its turn."""
        with self._guarded():
            deadline = time.perf_counter() + allowance.patience + GRACE
            return self._answer(self._ensure(), position, allowance, deadline)

    def interrupt(self) -> None:
        """Kill the program: whoever waits for it is told that it has died."""
        program = self._program
        if program:
            program.kill()

    def close(self) -> None:
        """End the program, which may say goodbye."""
        if self._program:
            self._program.close(self.FAREWELL)
        self._program = None

    def _ensure(self) -> Program:
        """Return the running program, started and greeted if it was not."""
        if self._program is None:
            self._program = Program(self._command)
            self._identity = self._greet(self._program, time.perf_counter() + STARTUP)
        return self._program

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """End the program when it fails: nobody knows what state it is in."""
        try:
            yield
        except PlayerFailure as failure:
            if self._program and failure.reason != Reason.RESIGNATION:
                self._program.close()
                self._program = None
            raise

    @abstractmethod
    def _greet(self, program: Program, deadline: float) -> str:
        """Agree on the game; return the program's name and version."""

    @abstractmethod
    def _begin(self, program: Program) -> None:
        """Begin a new game."""

    @abstractmethod
    def _answer(self, program: Program, position: Position, allowance: Allowance, deadline: float) -> str:
        """Return the program's turn in `position`."""


class UgiPlayer(ProgramPlayer):
    """A program that speaks UGI. It is told the game if it offers the option ``Game``."""

    def _greet(self, program: Program, deadline: float) -> str:
        program.send("ugi")
        identity, offers_game = self._command[0], False
        while (line := program.receive(deadline).split()) != ["ugiok"]:
            if line[:2] == ["id", "name"]:
                identity = " ".join(line[2:])
            offers_game |= line[:4] == ["option", "name", "Game", "type"]
        if offers_game:
            program.send(f"setoption name Game value {self._spec}")
        self._synchronise(program, deadline)
        return identity

    def _begin(self, program: Program) -> None:
        program.send("uginewgame")
        self._synchronise(program, time.perf_counter() + STARTUP)

    def _synchronise(self, program: Program, deadline: float) -> None:
        """Wait until the program is ready."""
        program.send("isready")
        while program.receive(deadline).strip() != "readyok":
            pass

    def _answer(self, program: Program, position: Position, allowance: Allowance, deadline: float) -> str:
        moves = " moves " + " ".join(position.turns_played) if position.turns_played else ""
        program.send(f"position startpos{moves}")
        program.send(go_command(allowance))
        while True:
            line = program.receive(deadline).split()
            if line[:1] == ["bestmove"]:
                return " ".join(line[1:2])


def go_command(allowance: Allowance) -> str:
    """Return the UGI command that searches within `allowance`; times in milliseconds."""
    limits = allowance.limits
    words = ["go"]
    for number, clock in enumerate(allowance.clocks or (), 1):
        words.append(f"p{number}time {_milliseconds(clock.remaining)}")
        words.append(f"p{number}inc {_milliseconds(clock.increment)}")
    if limits.movetime is not None:
        words.append(f"movetime {_milliseconds(limits.movetime)}")
    if limits.depth is not None:
        words.append(f"depth {limits.depth}")
    if limits.nodes is not None:
        words.append(f"nodes {limits.nodes}")
    return " ".join(words)


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000)) if seconds > 0 else 0


class GtpPlayer(ProgramPlayer):
    """A program that speaks GTP 2.

    It is told the game by our own command ``tengen-game`` if it knows that, else by ``boardsize``, ``komi``,
    the handicap stones, and KataGo's ``kata-set-rules`` if it knows that; what else it is to play by stands
    on its command line. Its limit is always a time, told by ``time_settings`` and ``time_left``: GTP knows no
    depth and no nodes. A program that refuses fractions of seconds is told whole ones.
    """

    OWN = "tengen-game"
    RULES = "kata-set-rules"
    HANDICAP = "set_free_handicap"

    def __init__(self, spec: GameSpec, command: tuple[str, ...]) -> None:
        super().__init__(spec, command)
        self._number = 0  # of the last command
        self._known: set[str] = set()  # those of its commands that we use if they are there
        self._fractions = True  # of seconds are taken
        self._limits: Limits | None = None  # that the program was told last
        self._shown = begin(spec)  # what the program has before it

    def _greet(self, program: Program, deadline: float) -> str:
        identity = f"{self._ask(program, 'name', deadline)} {self._ask(program, 'version', deadline)}".strip()
        wanted = [name for name, needed in self._wishes().items() if needed]
        self._known = {
            name for name in wanted if self._ask(program, f"known_command {name}", deadline) == "true"
        }
        self._limits = None
        self._fractions = True
        if self._own:  # its first search loads what it needs, which is not to be part of a game
            for spec in reversed(self._spec.games):  # that of the match last: it stays
                warmup.prepare(spec.game)
                self._ask(program, f"{self.OWN} {spec}", deadline)
                self._ask(program, "time_settings 0 1 1", deadline)
                self._ask(program, f"reg_genmove {spec.game.letters[0]}", deadline)
        return identity

    def _wishes(self) -> dict[str, bool]:
        """Return commands that not every program knows, and whether they would be of use."""
        values = self._spec.values
        return {
            self.OWN: True,
            self.RULES: self._spec.game.offers("katago"),
            self.HANDICAP: bool(values.get("handicap")),
        }

    @property
    def _own(self) -> bool:
        """Whether the program is one of ours."""
        return self.OWN in self._known

    def _begin(self, program: Program) -> None:
        deadline = time.perf_counter() + STARTUP
        self._shown = begin(self._spec)
        for command in [f"{self.OWN} {self._spec}"] if self._own else self._introduction():
            self._ask(program, command, deadline)
        self._limits = None

    def _introduction(self) -> Iterator[str]:
        """Yield the commands that tell a program which game begins."""
        values = self._spec.values
        if "size" in values:
            yield f"boardsize {values['size']}"
        yield "clear_board"
        if "komi" in values:
            yield f"komi {values['komi']}"
        if self.RULES in self._known:
            rules = self._spec.game.module("katago").described(values)
            yield f"{self.RULES} {json.dumps(rules)}"
        if values.get("handicap"):
            rows = self._shown.text().split()[0]
            stones = [vertex(*place) for place in parse_rows(rows, int(values["size"]))[0]]
            if self.HANDICAP in self._known:
                yield f"{self.HANDICAP} {' '.join(stones)}"
            else:
                yield from (f"play {self._letter(1 - self._shown.turn)} {stone}" for stone in stones)

    def _answer(self, program: Program, position: Position, allowance: Allowance, deadline: float) -> str:
        self._show(program, position, deadline)
        letter = self._letter(position.turn)
        self._tell_time(program, letter, allowance.limits, deadline)
        answer = self._ask(program, f"genmove {letter}", deadline)
        if answer.lower() == "resign":
            raise PlayerFailure(Reason.RESIGNATION, "resigned")
        with contextlib.suppress(ValueError):  # the match will refuse an illegal turn: the game is over
            self._shown.play(answer)
        return answer

    def _show(self, program: Program, position: Position, deadline: float) -> None:
        """Play the turns of `position` that the program has not seen."""
        for turn in position.turns_played[len(self._shown.turns_played) :]:
            self._ask(program, f"play {self._letter(self._shown.turn)} {turn}", deadline)
            self._shown.play(turn)

    def _tell_time(self, program: Program, letter: str, limits: Limits, deadline: float) -> None:
        """Say how much time there is, as far as the program does not know it."""
        if limits.clock:
            if self._limits is None:
                self._ask_in_seconds(program, "time_settings {} 0 0", limits.clock.remaining, deadline)
            self._ask_in_seconds(program, f"time_left {letter} {{}} 0", limits.clock.remaining, deadline)
        elif limits.movetime is not None and limits != self._limits:
            self._ask_in_seconds(program, "time_settings 0 {} 1", limits.movetime, deadline)
        self._limits = limits

    def _ask_in_seconds(self, program: Program, command: str, seconds: float, deadline: float) -> None:
        """Send a command with `seconds` in it: whole ones, at least 1, where fractions are refused."""
        whole = str(max(1, int(seconds)))
        if self._fractions and whole != f"{seconds:.10g}":
            try:
                self._ask(program, command.format(f"{seconds:.3f}"), deadline)
            except PlayerFailure as failure:
                if failure.reason != Reason.PROTOCOL:
                    raise
                self._fractions = False
            else:
                return
        self._ask(program, command.format(whole), deadline)

    def _letter(self, side: int) -> str:
        """Return the letter of `side`, ``b`` or ``w``."""
        return self._spec.game.letters[side]

    def _ask(self, program: Program, command: str, deadline: float) -> str:
        """Send a command and return the text of its answer; lines that are no answer to it are skipped."""
        self._number += 1
        program.send(f"{self._number} {command}")
        while True:
            status, _, text = program.receive(deadline).partition(" ")
            if status in (f"={self._number}", f"?{self._number}"):
                break
        answer = [text.strip()]
        while line := program.receive(deadline).strip():
            answer.append(line)
        if status[0] == "?":
            complaint = quoted(" ".join(answer), 120)
            raise PlayerFailure(Reason.PROTOCOL, f"refused {quoted(command)} with {complaint}")
        return "\n".join(answer).strip()


class GomocupPlayer(ProgramPlayer):
    """A brain of Gomocup: it plays five in a row.

    It is told the size of the board, and by INFO the rule and how much time there is. The opponent's turn is
    told by itself if that is all the brain has not seen, else the whole board is. What it suggests is agreed
    to. Messages are skipped; any other line is its answer.
    """

    FAREWELL = "END"
    OWN = "tengen"
    RULES: ClassVar[dict[str, int]] = {"exactly-five": 1, "renju": 4}  # bits of INFO rule
    TOURNAMENT = 2  # of INFO game_type

    def __init__(self, spec: GameSpec, command: tuple[str, ...]) -> None:
        super().__init__(spec, command)
        if not spec.game.five_in_a_row:
            raise OptionError(f"player: expected a game of five in a row for a brain, got {spec}")
        self._fresh = False  # no game has been played since START
        self._seen: list[str] = []  # turns
        self._told: dict[str, int] = {}  # INFO of this game

    def _greet(self, program: Program, deadline: float) -> str:
        program.send("ABOUT")
        said = dict(re.findall(r'(\w+)\s*=\s*"([^"]*)"', self._receive(program, deadline)))
        if said.get("name") == self.OWN:  # what it has to load is to be there when the game begins
            warmup.prepare(self._spec.game)
        self._start(program, f"START {self._size}", deadline)
        return f"{said.get('name', self._command[0])} {said.get('version', '')}".strip()

    def _begin(self, program: Program) -> None:
        if not self._fresh:
            try:
                self._start(program, "RESTART", time.perf_counter() + STARTUP)
            except PlayerFailure as failure:
                if failure.reason != Reason.PROTOCOL:
                    raise
                self.close()  # a brain that knows no RESTART is started again
                program = self._ensure()
        self._fresh = False
        bits = sum(bit for name, bit in self.RULES.items() if self._spec.values.get(name))
        self._tell(program, rule=bits, game_type=self.TOURNAMENT)

    def _start(self, program: Program, command: str, deadline: float) -> None:
        """Have the brain begin with an empty board."""
        program.send(command)
        while not re.match(r"OK\b", answer := self._receive(program, deadline), re.I):
            self._refuse_errors(command, answer)
        self._fresh, self._seen, self._told = True, [], {}

    def _answer(self, program: Program, position: Position, allowance: Allowance, deadline: float) -> str:
        self._tell_time(program, allowance)
        turns = position.turns_played
        command, *rest = self._question(turns, position.turn)
        program.send("\n".join([command, *rest]))
        answer = self._receive(program, deadline)
        while suggested := re.fullmatch(r"SUGGEST\s+(\S.*)", answer, re.I):
            program.send(f"PLAY {suggested[1]}")
            answer = self._receive(program, deadline)
        self._refuse_errors(command, answer)
        point = re.fullmatch(r"(\d{1,3})\s*,\s*(\d{1,3})", answer)
        x, y = (int(point[1]), self._size - 1 - int(point[2])) if point else (-1, -1)
        if not 0 <= x < self._size or y < 0:
            return answer  # the match will refuse it
        self._seen = [*turns, vertex(x, y)]
        return self._seen[-1]

    def _question(self, turns: Sequence[str], side: int) -> list[str]:
        """Return the command that asks for the turn of `side` after `turns`."""
        if not turns:
            return ["BEGIN"]
        if list(turns[:-1]) == self._seen:
            return [f"TURN {self._point(turns[-1])}"]
        owners = (1 if number % 2 == side else 2 for number in range(len(turns)))
        stones = [f"{self._point(turn)},{owner}" for turn, owner in zip(turns, owners, strict=False)]
        return ["BOARD", *stones, "DONE"]

    def _point(self, turn: str) -> str:
        """Return ``x,y`` for a turn: from 0, x from the left, y from the top."""
        x, y = parse_vertex(turn, self._size)
        return f"{x},{self._size - 1 - y}"

    @property
    def _size(self) -> int:
        return int(self._spec.values["size"])

    def _tell_time(self, program: Program, allowance: Allowance) -> None:
        """Say how much time there is: for the turn, and for the game if it is played with clocks."""
        limits = allowance.limits
        clock = limits.clock
        left = _milliseconds(clock.remaining) if clock else None
        turn = left if limits.movetime is None else _milliseconds(limits.movetime)
        assert turn is not None  # see `PlayerSpec.refuse`
        match = 0 if left is None else self._told.get("timeout_match", left)
        self._tell(program, timeout_turn=turn, timeout_match=match)
        program.send(f"INFO time_left {UNLIMITED if left is None else left}")

    def _tell(self, program: Program, **values: int) -> None:
        """Send what the brain has not been told in this game."""
        for key, value in values.items():
            if self._told.get(key) != value:
                program.send(f"INFO {key} {value}")
        self._told |= values

    def _receive(self, program: Program, deadline: float) -> str:
        """Return the next line that is no message."""
        while True:
            line = program.receive(deadline).strip()
            if line and not re.match(r"(MESSAGE|DEBUG)\b", line, re.I):
                return line

    @staticmethod
    def _refuse_errors(command: str, answer: str) -> None:
        """Raise PlayerFailure when the brain says that it cannot obey."""
        if re.match(r"(ERROR|UNKNOWN)\b", answer, re.I):
            complaint = quoted(answer, 120)
            raise PlayerFailure(Reason.PROTOCOL, f"refused {quoted(command)} with {complaint}")
