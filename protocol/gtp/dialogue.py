"""The base of all GTP commands: responses, and searches that answer them."""

from __future__ import annotations

import math
import re
import time
from typing import TYPE_CHECKING, Any

from tengen.engine.errors import IllegalTurnError, NotationError, OptionError, TengenError
from tengen.engine.game import Outcome
from tengen.engine.play.trials import AWAITS_RESULT
from tengen.engine.spec import GameSpec
from tengen.protocol.dialogue import CommandLoop
from tengen.protocol.errors import CommandError
from tengen.protocol.gtp.clocks import Clocks
from tengen.protocol.lines import InputLine
from tengen.protocol.output import print_notice
from tengen.protocol.session import as_side_to_move
from tengen.search.info import Result
from tengen.search.limits.limit import Limit

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

INTERRUPT = "# interrupt"  # a comment of GoGui that stops the current command
RESIGN = "resign"
HANDICAP = "handicap"  # an option of some games
CONSECUTIVE_TURNS = 3  # own turns in a row below the threshold
MIN_VISITS = 500  # simulations below which a win rate is not trusted
POINTS_A_TURN = 6  # no resignation before one turn was played for this many points of the board


class GtpBase(CommandLoop):
    """Executes GTP commands, whose methods return the text of the reply, if it has any, or raise an error."""

    _id = ""  # of the current command
    _multiline = False  # whether its reply has begun and comes line by line
    _interrupts_received = 0  # counted by the reader thread
    _interrupts_handled = 0  # of these, executed as lines

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.clocks = Clocks()
        self.max_nodes: int | None = None  # limit of a search, besides time
        self.max_time: float | None = None  # seconds of a search, if they have been set
        self._resign_tracker = ResignTracker()
        self._replied = -math.inf  # when the last reply was complete
        self._asked = -math.inf  # when the current command arrived, or could be executed first

    # ------------------------------------------------------------------------------------------------ replies

    def on_line(self, line: InputLine) -> None:
        """Stop the search when GoGui interrupts it."""
        if line.text.strip() == INTERRUPT:
            self._interrupts_received += 1
            self.session.interrupted = True  # in case the search is about to start
            self.session.stop()

    def execute(self, line: InputLine) -> bool:
        """Execute one line, and note when its reply is complete."""
        try:
            return super().execute(line)
        finally:
            self._replied = time.monotonic()

    def obey(self, line: InputLine) -> bool:
        """Reply to one line; blank lines and comments have no reply.

        Its search is stopped at once if an interrupt has already arrived.
        """
        self._interrupts_handled += line.text.strip() == INTERRUPT
        if self._interrupts_received > self._interrupts_handled:
            self.session.interrupted = True
        words = line.text.partition("#")[0].split()
        if not words:
            return False
        self._id = words.pop(0) if re.fullmatch(r"[0-9]+", words[0]) else ""
        self._multiline = False
        self._asked = max(line.arrived, self._replied)
        self.reject_truncated(line)
        name, *arguments = words or [""]
        command = self.command(name, arguments)
        if command is None:
            raise CommandError("unknown command")
        text = command.handler(self, arguments) or ""
        if self._multiline:
            self.writer.write(*([text] if text else []), "")
        else:
            self._write_response("=", text)
        return True

    def refuse(self, error: TengenError) -> None:
        """Write an error, in the words of the GTP draft if it has any; a reply that has begun is ended."""
        text = str(error)
        if isinstance(error, IllegalTurnError):
            text = f"illegal move: {error.reason}"
        elif isinstance(error, NotationError | OptionError):
            text = f"syntax error: {error}"
        if self._multiline:
            print_notice(text)
            self.writer.write("")
        else:
            self._write_response("?", text)

    def _write_response(self, status: str, text: str) -> None:
        """Write a whole response; an empty line inside it would end it."""
        first, *others = text.split("\n")
        self.writer.write(f"{status}{self._id} {first}".rstrip(), *(other or " " for other in others), "")

    # ----------------------------------------------------------------------------------------------- the game

    def _begin(self, spec: GameSpec, text: str = "") -> None:
        """Start a game of `spec` from the position `text`, with reset clocks."""
        self.session.set_up(spec, text)
        self.clocks.restart()
        self.session.start_compiling()

    def resize(self, size: int) -> None:
        """Start a game on an empty board of `size` points a side; raise CommandError if there is none."""
        try:
            spec = self.session.spec.with_option("size", size)
        except OptionError as error:
            raise CommandError("unacceptable size") from error
        self._begin(without_handicap(spec))

    def _side(self, color: str) -> int:
        return self.session.spec.game.side(color).number

    # -------------------------------------------------------------------------------------- the engine's turn

    def _require_ongoing(self, side: int) -> Position:
        """Return the position with `side` to move; raise CommandError if it may not move."""
        position = self.session.position
        if position.outcome() != Outcome.ONGOING:
            raise CommandError(", ".join(filter(None, ("game is over", position.end_reason()))))
        if position.awaits_result:
            raise CommandError(AWAITS_RESULT)
        return as_side_to_move(position, side)

    def _limits(self, side: int, multipv: int = 1) -> Limit:
        """Return the limits of a turn of `side`; its clock runs since the command has arrived."""
        clock = self.clocks.clock(side)
        if clock is None:  # nobody counts the time of compiling
            self.session.ensure_compiled(print_notice)
        movetime, asked = (None, self._asked) if clock else (self.session.movetime, None)
        return Limit(nodes=self.max_nodes, time=movetime, clock=clock, multipv=multipv, asked=asked)

    def _search(self, position: Position, limits: Limit) -> Result:
        """Search to the end; lines that arrive meanwhile wait."""
        self.session.go(position, limits, on_notice=print_notice)
        result = self.session.wait()
        assert result is not None
        return result

    def _play_result(self, side: int, result: Result, may_resign: bool = True) -> str:
        """Play the turn of a search for `side`, or resign if that is allowed; take the time off the clock."""
        turn = turn_or_error(result)
        self.clocks.spend(side, time.monotonic() - self._asked)
        game = self.session.spec.game
        if may_resign and game.ends_by_agreement and game.square:
            threshold = self.session.option("Resign") / 100
            if self._resign_tracker.should_resign(self.session.position, side, result, threshold):
                return RESIGN
        return self.session.position.push(turn, side)


class ResignTracker:
    """Remembers which searches of the current game were hopeless: a side resigns after several in a row."""

    def __init__(self) -> None:
        self._hopeless: dict[int, list[tuple[str, ...]]] = {0: [], 1: []}  # by side: turns before each search

    def should_resign(self, position: Position, side: int, result: Result, threshold: float) -> bool:
        """Return whether `side`, which is to move on a square board, should resign.

        To be asked after each of its searches. Below the `threshold`, a win rate from 0 to 1, a position is
        hopeless.
        """
        turns = tuple(position.turns_played)
        rate = result.lines[0].rate if result.lines else None  # of MCTS alone
        if rate is None or rate >= threshold or result.nodes < MIN_VISITS:
            self._hopeless[side] = []
            return False
        before = [
            earlier
            for earlier in self._hopeless[side]
            if len(earlier) < len(turns) and turns[: len(earlier)] == earlier
        ]
        self._hopeless[side] = [*before, turns]
        points = int(position.spec.values["size"]) ** 2
        return len(self._hopeless[side]) >= CONSECUTIVE_TURNS and len(turns) * POINTS_A_TURN >= points


def without_handicap(spec: GameSpec) -> GameSpec:
    """Return `spec` without handicap stones."""
    return spec.with_option(HANDICAP, 0) if HANDICAP in spec.values else spec


def turn_or_error(result: Result) -> str:
    """Return the turn that a search has found, or raise CommandError; its notice goes to standard error."""
    if result.notice:
        print_notice(result.notice)
    if result.choice is None:
        raise CommandError("no turn was found")
    return result.choice
