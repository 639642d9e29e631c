"""The Universal Game Interface: UCI for all board games, for managers and match tools.

Commands and replies are described in docs/protocols.md.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tengen import __version__
from tengen.engine.errors import NotationError, TengenError, quoted
from tengen.engine.game import Option, Outcome
from tengen.engine.play.trials import join_results
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import option
from tengen.protocol.dialogue import AUTHOR, QUIT_GRACE, CommandLoop, Commands, run_protocol
from tengen.protocol.engine_options import GAME, OPENING, OPTIONS, SWAP2, EngineOptions
from tengen.protocol.errors import CommandError
from tengen.protocol.lines import InputLine
from tengen.protocol.numbers import MAX_NUMBER, MILLISECOND, NO_LIMIT_SECONDS, parse_integer, parse_time
from tengen.protocol.session import Session
from tengen.protocol.swap2 import choose_color, choose_opening, swap2_stage
from tengen.search.info import Info, Result
from tengen.search.limits.limit import MAX_DEPTH, MAX_SEARCHMOVES, Clock, Limit

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

DEFAULT_GAME = "dvonn"
RESULTS = {
    Outcome.ONGOING: "none",
    Outcome.FIRST_WINS: "p1win",
    Outcome.SECOND_WINS: "p2win",
    Outcome.DRAW: "draw",
}
NO_TURN = "none"  # the bestmove of a finished game

# Arguments of go that take a time or a whole number; UCI's names of the sides are synonyms.
GO_TIMES = ("p1time", "p2time", "p1inc", "p2inc", "movetime")
GO_COUNTS = ("movestogo", "depth", "nodes")
GO_SYNONYMS = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
GO_FLAGS = ("infinite", "ponder", SWAP2)
SEARCHMOVES = "searchmoves"
GO_WORDS = (*GO_TIMES, *GO_COUNTS, *GO_FLAGS, SEARCHMOVES)


class Ugi(CommandLoop):
    """A UGI engine. A command's method writes the reply, or raises an error."""

    commands = Commands()
    _waiting_for_compile = False  # isready waits for the compiler
    _quitting = False
    _arrived = -math.inf  # of the current line
    _ready = -math.inf  # when the last readyok was written: what came before had to wait for it

    def obey(self, line: InputLine) -> bool:
        """Execute one line; blank lines are ignored."""
        words = line.text.split()
        if not words:
            return False
        self._arrived = line.arrived
        self.reject_truncated(line)
        command = self.command(words[0], words[1:])
        if command is None:
            raise CommandError(f"unknown command {quoted(words[0])}")
        command.handler(self, words[1:])
        return True

    def refuse(self, error: TengenError) -> None:
        """Report an error."""
        self._info_string(f"error: {error}")

    def on_line(self, line: InputLine) -> None:
        """Quit at once if isready waits for the compiler."""
        if line.text.split() == ["quit"]:
            self._quitting = True
            self._quit_if_compiling()

    def _wait_until_compiled(self) -> None:
        """Wait until a search can start without delay."""
        self.session.ensure_compiled(self._on_compile_notice)
        self._waiting_for_compile = False

    def _on_compile_notice(self, notice: str) -> None:
        """Report what isready waits for."""
        self._info_string(notice)
        self._waiting_for_compile = True
        self._quit_if_compiling()

    def _quit_if_compiling(self) -> None:
        if self._quitting and self._waiting_for_compile:
            self.exit_process(0)

    def _info_string(self, text: str) -> None:
        self.writer.write(f"info string {text}")

    # ------------------------------------------------------------------------------------------- introduction

    commands.add("ugi")(lambda engine, arguments: engine._write_identity("ugiok"))
    commands.add("uci")(lambda engine, arguments: engine._write_identity("uciok"))

    def _write_identity(self, end: str) -> None:
        """Write the engine's name and options, then `end`."""
        options = [f"option name {GAME} type string default {self.session.spec}"]
        values = self.session.option_texts()
        for each in OPTIONS.values():
            options.append(f"option name {each.name} {_type(each, values[each.name])}")
        self.writer.write(f"id name tengen {__version__}", f"id author {AUTHOR}", *options, end)

    @commands.add("isready")
    def isready(self, arguments: list[str]) -> None:
        """Reply once a search can start without delay; at once while one is running."""
        if not self.session.searching:
            self._wait_until_compiled()
        self.writer.write("readyok")
        self._ready = time.monotonic()

    @commands.add("setoption name NAME value VALUE")
    def setoption(self, arguments: list[str]) -> None:
        """Set an engine option."""
        if (arguments[0], arguments[2]) != ("name", "value"):
            got = quoted(" ".join(arguments))
            raise NotationError(f"expected setoption name NAME value VALUE, got {got}")
        self.session.set_option(arguments[1], arguments[3])

    @commands.add("quit")
    def quit(self, arguments: list[str]) -> None:
        """Quit, after the answer of a running search if it comes at once."""
        self.session.stop()
        self.session.wait(QUIT_GRACE)
        self.quit_requested = True

    # ----------------------------------------------------------------------------------------------- the game

    @commands.add("uginewgame", "ucinewgame")
    def uginewgame(self, arguments: list[str]) -> None:
        """Start a new game: the initial position, cleared tables."""
        self.session.set_up()
        self.session.clear_search()

    @commands.add("position START [moves TURN...]")
    def position(self, arguments: list[str]) -> None:
        """Set up a position."""
        start, turns = arguments, []
        if "moves" in arguments:
            split = arguments.index("moves")
            start, turns = arguments[:split], arguments[split + 1 :]
        if start == ["startpos"]:
            text = ""
        elif start[:1] == ["fen"] and len(start) > 1:
            text = " ".join(start[1:])
        else:
            raise NotationError(f"expected startpos or fen TEXT, got {quoted(' '.join(start))}")
        self.session.set_up(None, text, ((None, turn) for turn in join_results(turns)))

    @commands.add("query QUESTION")
    def query(self, arguments: list[str]) -> None:
        """Answer a question about the position."""
        position = self.session.position
        outcome = position.outcome()
        answers = {
            "gameover": "false" if outcome == Outcome.ONGOING else "true",
            "p1turn": "true" if position.side_to_move == 0 else "false",
            "result": RESULTS[outcome],
            "reason": position.end_reason() or "none",
            "challenge": position.challenge,
        }
        if arguments[0] not in answers:
            raise CommandError(f"query: expected one of {', '.join(answers)}, got {quoted(arguments[0])}")
        self.writer.write(f"response {answers[arguments[0]]}")

    # --------------------------------------------------------------------------------------------- the search

    @commands.add("go [LIMIT...]")
    def go(self, arguments: list[str]) -> None:
        """Start a search, whose time begins when the line arrives; info follows, and bestmove at the end.

        What is wrong is told and left out: a manager that got no turn would wait for ever.
        """
        session, position = self.session, self.session.position
        asked = GoArguments(arguments, position)
        stage = None
        if SWAP2 in asked.flags:
            with asked.noting_faults():
                stage = swap2_stage(position, str(session.options[OPENING]))
        for fault in asked.faults[:1]:
            self._info_string(f"error: {fault}")
        limits = asked.limits(position.side_to_move, session.option("MultiPV"), session.movetime)
        limits = replace(limits, asked=max(self._arrived, self._ready))
        if stage is None:
            session.go(position, limits, self._report, self._write_result, self._info_string)
        elif stage:
            self._wait_until_compiled()  # choosing a colour takes a search
            session.go(position, limits, self._report, self._choose_color, self._info_string)
        else:
            session.stop_and_wait()
            turns = choose_opening(int(session.spec.values["size"]), session.rng)
            self.writer.write(f"bestmove {','.join(turns)}")

    commands.add("stop")(lambda engine, arguments: engine.session.stop())  # bestmove follows
    commands.add("ponderhit")(lambda engine, arguments: engine.session.ponderhit())

    def _report(self, info: Info) -> None:
        """Write a line of info."""
        self.writer.write(info_line(info))

    def _choose_color(self, result: Result) -> None:
        """Write the last lines of a search, with the colour to choose."""
        self._write_result(result, choose_color(result, self.session.position.scale))

    def _write_result(self, result: Result, best: str = "") -> None:
        """Write the last lines of a search, with `best` (default: its turn) as the bestmove."""
        notice = [f"info string {result.notice}"] if result.notice else []
        milliseconds = round(1000 * result.seconds)
        nps = int(result.nodes / result.seconds) if result.seconds > 0 else 0
        self.writer.write(
            *notice,
            f"info nodes {result.nodes} nps {nps} time {milliseconds}",
            f"bestmove {best or result.choice or NO_TURN}",
        )


class GoArguments:
    """What a line of ``go`` asks for in a position, as far as it can be understood."""

    def __init__(self, words: list[str], position: Position) -> None:
        self.times: dict[str, float] = {}  # seconds, by names in `GO_TIMES`
        self.counts: dict[str, int] = {}  # by names in `GO_COUNTS`
        self.flags: set[str] = set()
        self.searchmoves: list[str] = []  # canonical
        self.faults: list[str] = []  # what is wrong; it has been left out
        self._position = position
        rest = deque(words)
        while rest:
            with self.noting_faults():
                self._take(rest)
        own = f"p{position.side_to_move + 1}time"
        if self.times.keys() - {own, "movetime"} and own not in self.times:
            self.faults.append(f"go: expected {own} as well, the time of the side to move")

    @contextlib.contextmanager
    def noting_faults(self) -> Iterator[None]:
        """Note what is refused in the block, and go on after it."""
        try:
            yield
        except TengenError as error:
            self.faults.append(str(error))

    def _take(self, rest: deque[str]) -> None:
        """Take the next argument, with its values, off the words that are left."""
        word = rest.popleft()
        name = GO_SYNONYMS.get(word, word)
        if name not in GO_WORDS:
            raise CommandError(f"go: expected one of {', '.join(GO_WORDS)}, got {quoted(word)}")
        values: list[str] = []
        while rest and GO_SYNONYMS.get(rest[0], rest[0]) not in GO_WORDS:
            if name in GO_FLAGS or (values and name != SEARCHMOVES):
                break
            values.append(rest.popleft())
        if name in self.times or name in self.counts or (name == SEARCHMOVES and self.searchmoves):
            raise CommandError(f"go: expected {name} once, got it twice")
        text = values[0] if values else ""
        if name in GO_TIMES:
            self.times[name] = parse_time(f"go {word}", text, MILLISECOND)
        elif name in GO_COUNTS:
            self.counts[name] = parse_integer(f"go {word}", text, -MAX_NUMBER)
        elif name == SEARCHMOVES:
            self._restrict(values)
        else:
            self.flags.add(name)

    def _restrict(self, turns: list[str]) -> None:
        """Search only `turns`, as far as they are legal."""
        if not 1 <= len(turns) <= MAX_SEARCHMOVES:
            raise CommandError(
                f"go: expected 1 to {MAX_SEARCHMOVES} turns after {SEARCHMOVES}, got {len(turns)}"
            )
        for turn in turns:
            with self.noting_faults():
                self.searchmoves.append(self._position.format(self._position.parse_turn(turn)))

    def limits(self, side: int, multipv: int, default: float) -> Limit:
        """Return the limits of a search for `side`.

        Without a clock of its own it has the other side's. If no limit is left, though some were asked for,
        the turn takes `default` seconds.
        """
        clock = self._clock(side)
        bounded = clock is not None or "movetime" in self.times or self.counts.keys() & {"depth", "nodes"}
        asked = self.times or self.counts or self.faults
        infinite = "infinite" in self.flags or not (bounded or asked or self.flags - {SWAP2})
        unbounded = not (bounded or infinite or "ponder" in self.flags)
        return Limit(
            depth=min(max(1, self.counts["depth"]), MAX_DEPTH) if "depth" in self.counts else None,
            nodes=max(1, self.counts["nodes"]) if "nodes" in self.counts else None,
            time=default if unbounded else self.times.get("movetime"),
            clock=clock,
            infinite=infinite,
            ponder="ponder" in self.flags,
            multipv=multipv,
            searchmoves=tuple(dict.fromkeys(self.searchmoves)),
        )

    def _clock(self, side: int) -> Clock | None:
        """Return the clock of a side; None if there is none, or it has so much that this means none."""
        number = side + 1 if f"p{side + 1}time" in self.times else 2 - side
        left, increment = self.times.get(f"p{number}time"), self.times.get(f"p{number}inc", 0.0)
        if left is None or max(left, increment) >= NO_LIMIT_SECONDS:
            return None
        turns = self.counts.get("movestogo", 0)
        return Clock(left, increment, turns if turns > 0 else None)


def info_line(info: Info) -> str:
    """Return the line that reports `info`; a proven end is ``mate`` and a number of turns."""
    end = info.score.turns_to_win
    score = f"cp {info.score.value}" if end is None else f"mate {end}"
    bound = f" {info.bound}bound" if info.bound else ""
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.rank} score {score}{bound} "
        f"nodes {info.nodes} nps {info.nps} hashfull {info.hashfull} time {round(1000 * info.seconds)} "
        f"pv {' '.join(info.pv)}"
    )


def _type(option: Option, value: str) -> str:
    """Return UGI's declaration of the type of `option`, with the default `value`."""
    if isinstance(option.default, bool):
        return f"type check default {value}"
    if option.choices:
        return " ".join([f"type combo default {value}", *(f"var {choice}" for choice in option.choices)])
    return f"type spin default {value} min {option.low} max {option.high}"


EXAMPLES = """examples:
  tengen ugi
  tengen ugi --game gomoku,size=19 --threads 2"""


@dataclass(frozen=True, kw_only=True)
class Arguments(EngineOptions):
    """The options of ``tengen ugi``."""

    game: str = option(f"first game to play (default {DEFAULT_GAME})", "SPEC", default=DEFAULT_GAME)


def run(options: Arguments) -> int:
    """Speak UGI until the manager quits."""
    return run_protocol(Ugi, Session(GameSpec.parse(options.game)), options)
