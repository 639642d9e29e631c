"""Base of the players that are external engines, whatever protocol they speak."""

import contextlib
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from tengen.engine.board.goban import SIDES, Stones, parse_rows, position_text
from tengen.engine.errors import OptionError, TengenError, printable, quoted
from tengen.engine.game import Option
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.info import Info, Result
from tengen.search.limits.limit import Limit
from tengen.tuning.players.base import EndReason, Player, PlayerFailure, TurnTime
from tengen.tuning.players.external.process import Deadline, EngineProcess, StartDeadline

STARTUP = 120.0  # seconds without a sign of life from an engine that gets ready
STARTUP_WORK = 300.0  # seconds of processor time for that: it may have to compile, or to load a net
MAX_IDENTITY = 200  # characters of an engine's name and version
LATE_GRACE = 0.5  # seconds to wait for a late answer, so that an engine that is merely slow is not killed
STOP_GRACE = 10.0  # seconds from the command to stop a search until its answer
POLL = 0.05  # seconds between two looks whether a search has been stopped
OnInfo = Callable[[Info], object]  # is called with every line of play
# The turn to play and the expected reply; None if the program names none
Answer = tuple[str | None, str | None]


@dataclass(frozen=True)
class EngineSettings:
    """How an engine is started, and what it is told besides the game."""

    folder: str | None = None  # where it runs; None for the folder of this process
    environment: tuple[tuple[str, str], ...] = ()  # variables that are added to those of this process
    # Its own: sent by ``setoption`` in UGI, by a command of that name in GTP, by INFO to a brain
    options: tuple[tuple[str, str], ...] = ()


NO_SETTINGS = EngineSettings()


def ignore(*_: object) -> None:
    """Take what nobody wants to know."""


@dataclass
class RunningSearch:
    """A search that a program has been asked for, and how it is stopped."""

    engine: EngineProcess
    on_line: OnInfo  # takes the lines of play as they are read, their turns unchecked
    deadline: Deadline  # when to give up waiting
    on_begin: Callable[[], None] = ignore  # is called once the search can be stopped
    stop_command: str = ""  # what stops it; empty if nothing does
    stop_at: float = float("inf")  # when to send it, in the time of `time.perf_counter`
    grace: float = field(default_factory=lambda: STOP_GRACE)  # seconds that the engine then has to answer
    stopped: bool = False  # whether it has been sent


class EnginePlayer(Player):
    """An external engine: started when first needed, and again after a failure.

    `command` is the program and its arguments.
    """

    log: Callable[[str], object] | None = None  # of the next `EngineProcess` that is started
    QUIT_COMMAND = "quit"
    NAME: ClassVar[str]  # of the protocol, for error texts
    options: Mapping[str, Option] = MappingProxyType({})  # that the running program declares, by name

    def __init__(
        self, spec: GameSpec, command: tuple[str, ...], settings: EngineSettings = NO_SETTINGS
    ) -> None:
        self._spec, self._command, self._settings = spec, command, settings
        self._engine: EngineProcess | None = None
        self._identity = command[0]
        self._counts_processor_time = False
        self._start_text: str | None = None  # of the position that games begin with; None for the game's own
        self._running_search: RunningSearch | None = None
        self._lock = threading.Lock()  # held to change `_engine` or `_running_search`

    def start(self) -> str:
        """Start the engine and return its name and version."""
        with self._kill_on_failure():
            self._running_engine()
        return self._identity

    def new_game(self, seed: int, start: str | None = None) -> None:
        """Tell the engine that a new game begins with `start`; start it again if it has failed.

        Raises OptionError if the protocol cannot describe that position; PlayerFailure if the engine does not
        accept it.
        """
        self._start_text = start
        with self._kill_on_failure():
            self._new_game(self._running_engine())

    @property
    def running(self) -> bool:
        """Whether the program runs: it has been started, and has not failed since."""
        return self._engine is not None

    def configure(self, name: str, value: str) -> None:
        """Set an option of the running program.

        Raises OptionError if the program has no such option, or `value` is none of its values; PlayerFailure
        if the program refuses it.
        """
        with self._kill_on_failure():
            self._send_option(self._running_engine(), name, value)
        others = tuple(option for option in self._settings.options if option[0] != name)
        self._settings = replace(self._settings, options=(*others, (name, value)))

    def choose(self, position: Position, turn_time: TurnTime, on_info: OnInfo | None = None) -> Result:
        """Ask the engine for its turn, and return it with what the engine says of it.

        The arguments are those of `search`. Without `on_info` a program need not be asked to report. Raises
        OptionError if the protocol has no words for what is asked; PlayerFailure if the engine fails,
        resigns, or answers with a turn that cannot be played.
        """
        if turn_time.limits.searchmoves:
            raise OptionError(f"root_turns: expected none, since {self.NAME} knows none for a turn to play")
        lines = Lines(position, turn_time.limits, on_info or ignore)
        answer = self.play(position, turn_time, lines.add if on_info else ignore)
        return lines.result(answer, None)

    def check_search(self, limits: Limit) -> None:
        """Check whether the running program can be asked for a search within `limits`.

        Raises OptionError if the protocol or the program has no words for it.
        """

    def search(
        self,
        position: Position,
        turn_time: TurnTime,
        on_info: OnInfo = ignore,
        on_begin: Callable[[], None] = ignore,
    ) -> Result:
        """Let the engine search `position`, of the game that began last, and return what it has found.

        Without a limit the search goes on until `stop`. `on_info` is called with every line of play, its
        turns canonical; what cannot be played is left out. `on_begin` is called once `stop` can end the
        search. Raises OptionError if the protocol or the engine has no words for what is asked; PlayerFailure
        if the engine fails.
        """
        lines = Lines(position, turn_time.limits, on_info)
        with self._kill_on_failure():
            search = self._new_search(turn_time, lines.add, on_begin)
            self.check_search(turn_time.limits)
            try:
                turn, ponder = self._search(search, position, turn_time)
            finally:
                self._end_search()
        return lines.result(turn, ponder)

    def stop(self) -> bool:
        """Ask the engine to end its search, whose call then returns; return whether that can be asked.

        Another thread may call it.
        """
        with self._lock:
            search = self._running_search
            if search is None or not search.stop_command:
                return False
            if not search.stopped:
                search.stopped = True
                search.deadline = min(search.deadline, Deadline(search.grace), key=Deadline.left)
                with contextlib.suppress(PlayerFailure):  # who reads its lines finds out
                    search.engine.send(search.stop_command, search.deadline)
            return True

    def _new_search(
        self, turn_time: TurnTime, on_line: OnInfo, on_begin: Callable[[], None] = ignore
    ) -> RunningSearch:
        """Return a search by the running engine, which has not begun."""
        deadline = Deadline(turn_time.timeout + LATE_GRACE)
        return RunningSearch(self._running_engine(), on_line, deadline, on_begin)

    def _begin_search(self, search: RunningSearch, command: str) -> None:
        """Send `command`, which begins `search`; from now on `stop` can end it."""
        with self._lock:
            search.engine.send(command, search.deadline)
            self._running_search = search
        search.on_begin()

    def _end_search(self) -> bool:
        """Note that the search has ended; return whether it has been asked to."""
        with self._lock:
            search, self._running_search = self._running_search, None
            return search is not None and search.stopped

    def _listen(self, search: RunningSearch) -> str:
        """Return the next line of an engine that searches; stop the search when its time has come.

        Raises PlayerFailure if the engine has died, or the deadline passes.
        """
        while True:
            if time.perf_counter() >= search.stop_at:
                self.stop()
            try:
                return search.engine.receive(min(search.deadline, Deadline(POLL), key=Deadline.left))
            except PlayerFailure as failure:
                if failure.reason != EndReason.TIME or search.deadline.left() <= 0:
                    raise

    def play(self, position: Position, turn_time: TurnTime, on_line: OnInfo = ignore) -> str:
        """Ask the engine for its turn; `on_line` takes the lines of play that it reports."""
        with self._kill_on_failure():
            return self._genmove(self._new_search(turn_time, on_line), position, turn_time)

    def count_processor_time(self) -> None:
        """Note that the engine is to plan its processor time, for protocols that can tell it so."""
        self._counts_processor_time = True

    def processor_time(self) -> float:
        """Return the processor time of the engine's process, and of those that it has started."""
        with self._kill_on_failure():
            return self._running_engine().processor_time()

    def interrupt(self) -> None:
        """Kill the engine: a thread that waits for it gets a `PlayerFailure`."""
        engine = self._engine
        if engine:
            engine.kill()

    def close(self) -> None:
        """Ask the engine to quit, and kill it if it does not."""
        self._close(self.QUIT_COMMAND)

    def _close(self, quit_command: str = "") -> None:
        """End the engine, if it runs."""
        with self._lock:
            engine, self._engine = self._engine, None
        if engine:
            engine.close(quit_command)

    def _running_engine(self) -> EngineProcess:
        """Return the running engine, started if necessary."""
        if self._engine is None:
            self._engine = EngineProcess(
                self._command, self._settings.folder, dict(self._settings.environment), self.log
            )
            identity = self._handshake(self._engine, self._startup_deadline(self._engine))
            self._identity = printable(identity, MAX_IDENTITY)
        return self._engine

    @staticmethod
    def _startup_deadline(engine: EngineProcess) -> StartDeadline:
        return StartDeadline(engine, STARTUP, STARTUP_WORK)

    @contextlib.contextmanager
    def _kill_on_failure(self) -> Iterator[None]:
        """End the engine if it fails, since its state is unknown then."""
        try:
            yield
        except PlayerFailure as failure:
            if failure.reason != EndReason.RESIGNATION:
                self._close()
            raise
        except TengenError:  # a refusal, before anything is asked
            raise
        except BaseException:  # an interrupt: nobody reads the answer
            self._close()
            raise

    @abstractmethod
    def _handshake(self, engine: EngineProcess, deadline: StartDeadline) -> str:
        """Agree on the game; return the engine's name and version."""

    @abstractmethod
    def _new_game(self, engine: EngineProcess) -> None:
        """Tell the engine that a new game begins."""

    @abstractmethod
    def _genmove(self, search: RunningSearch, position: Position, turn_time: TurnTime) -> str:
        """Return the engine's turn in `position`."""

    @abstractmethod
    def _search(self, search: RunningSearch, position: Position, turn_time: TurnTime) -> Answer:
        """Search and return the answer."""

    @abstractmethod
    def _send_option(self, engine: EngineProcess, name: str, value: str) -> None:
        """Set an option of the engine."""

    @staticmethod
    def _refused(command: str, text: str) -> PlayerFailure:
        """Return the failure of an engine that answers so to `command`."""
        return PlayerFailure(EndReason.PROTOCOL, f"refused {quoted(command)} with {quoted(text, 120)}")

    def _require_time(self, limits: Limit) -> None:
        """Raise OptionError if `limits` have anything but a time, for protocols that know nothing else."""
        if limits.depth or limits.nodes or limits.clock:
            raise OptionError(f"limit: expected a time, since {self.NAME} has nothing else for an analysis")


def stones_of(position: Position, protocol: str) -> Stones:
    """Return the stones of a position that consists of nothing else, for a protocol that has no more.

    Raises OptionError if there is more to say of it.
    """
    text = position.text()
    if position.spec.game.square:
        stones = parse_rows(text.split()[0], int(position.spec.values["size"]))[0]
        if text == position_text(position.spec, stones, SIDES[position.side_to_move]):
            return stones
    raise OptionError(f"position: expected only stones to set up by {protocol}, got {quoted(text)}")


def milliseconds(seconds: float) -> int:
    """Return a time in whole milliseconds; a positive one is at least 1."""
    return max(1, round(seconds * 1000)) if seconds > 0 else 0


class Lines:
    """The lines of play of a search that begins now, as a program reports them.

    `on_info` is called with every line that begins with a legal turn, one of those that `limits` allow.
    """

    def __init__(self, position: Position, limits: Limit, on_info: OnInfo) -> None:
        self._position, self._limits, self._on_info = position, limits, on_info
        self._began = time.perf_counter()
        self._last: list[Info] = []  # the report that goes on, by rank
        self._whole: list[Info] = []  # the one before
        self._bare: Info | None = None  # a report on the best turn that does not name it
        self._nodes = 0

    def add(self, info: Info) -> None:
        """Take a line of play whose turns are not checked yet."""
        self._nodes = max(self._nodes, info.nodes)
        if not info.pv:
            self._bare = info if info.rank == 1 else self._bare
            return
        pv, allowed = self._playable(info.pv), self._limits.searchmoves
        if not pv or info.rank > self._limits.multipv or (allowed and pv[0] not in allowed):
            return
        line = replace(info, pv=pv, seconds=info.seconds or time.perf_counter() - self._began)
        if line.rank == 1 and not line.bound:
            self._whole, self._last = self._last or self._whole, []
        if not line.bound:
            self._last.append(line)
        self._on_info(line)

    def result(self, turn: str | None, ponder: str | None) -> Result:
        """Return what the search has found, of which `turn` is the answer.

        Raises PlayerFailure if `turn` cannot be played, or is not one of those to look at.
        """
        best = self._playable(filter(None, (turn, ponder)))
        if turn is not None:
            try:
                canonical, allowed = self._position.copy().push(turn), self._limits.searchmoves
            except TengenError as error:
                expected = f"expected a legal turn, got {quoted(turn)} ({error})"
                raise PlayerFailure(EndReason.ILLEGAL, expected) from None
            if allowed and canonical not in allowed:
                raise PlayerFailure(EndReason.ILLEGAL, f"expected one of the root turns, got {canonical}")
        if not (self._last or self._whole) and self._bare and best:
            self.add(replace(self._bare, pv=best))
        lines = self._last if len(self._last) >= len(self._whole) else self._whole
        lines = sorted(lines, key=lambda line: line.rank)
        chosen = best[0] if best else lines[0].pv[0] if lines else None
        reply = best[1] if len(best) > 1 else None
        return Result(chosen, reply, tuple(lines), self._nodes, time.perf_counter() - self._began)

    def _playable(self, turns: Iterable[str]) -> tuple[str, ...]:
        """Return the canonical texts of those first `turns` that can be played one after another."""
        position, played = self._position.copy(), list[str]()
        for turn in turns:
            try:
                played.append(position.push(turn))
            except TengenError:
                break
        return tuple(played)
