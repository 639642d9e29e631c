"""The base of all Gomocup commands: replies, lists of stones, and the search for our own turn."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tengen.engine.errors import TengenError, quoted
from tengen.engine.game import Outcome
from tengen.engine.spec import GameSpec
from tengen.protocol.dialogue import CommandLoop
from tengen.protocol.errors import CommandError
from tengen.protocol.gomocup.settings import MINIMAL_SEARCH, GomocupSettings
from tengen.protocol.gomocup.stones import alternates, format_point, parse_point, parse_stone, side_to_move_of
from tengen.protocol.lines import InputLine
from tengen.protocol.numbers import NO_LIMIT_SECONDS
from tengen.search.info import Info, Result

if TYPE_CHECKING:
    from tengen.engine.board.goban import Place
    from tengen.search.limits.timekeeper import Alarm

SIZE = "size"  # the game's option that START sets
END_GRACE = 0.3  # seconds from END until the process exits in any case; managers wait 0.7 or more
STOP_COMMANDS = ("YXSTOP", "STOP")
DURING_SEARCH = ("INFO", "ABOUT", "END", *STOP_COMMANDS)  # other commands end a search, which replies first
ALLOWED_IN_LIST = ("DONE", "INFO", "END", *STOP_COMMANDS)  # other commands discard an unfinished list
FALLBACK_COMMANDS = ("BEGIN", "TURN", "PLAY", "DONE")  # commands that can be obeyed without seeing
BOARD_COMMANDS = (  # commands that need the rules
    *(*FALLBACK_COMMANDS, "TAKEBACK", "YXNBEST", "YXSEARCHDEFEND", "YXSHOWFORBID"),
    *("YXBALANCEONE", "YXBALANCETWO"),
)
MAX_LISTED = 4096  # lines kept of a list: no game has more turns
MAX_KEPT = 80  # characters kept of each
LOADING = "the search is still being loaded or, once on this machine, compiled; playing without it until then"
REALTIME, LINES = 1, 2  # bits of INFO show_detail


class UncompiledFallback:
    """A game played before the rules are compiled, by what its module ``fallback`` knows.

    The first game on a machine must not be lost on time for that.
    """

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self._size = int(spec.values["size"])
        self._game = spec.game.module("fallback").Fallback(spec)

    def turns(self) -> list[tuple[int, str]]:
        """Return the sides and the turns that have been played."""
        turns: list[tuple[int, str]] = self._game.turns()
        return turns

    def answer(self, name: str, arguments: Sequence[str], stones: Sequence[str]) -> str | None:
        """Obey one of `FALLBACK_COMMANDS`, and return the reply; None when that takes rules.

        `stones` are the lines between BOARD and DONE. Raises TengenError when the command cannot be obeyed.
        """
        game, before = self._game, self._game.places
        if name == "DONE":
            listed = [stone for line in stones if (stone := parse_stone(line, self._size))]
            places = [stone.place for stone in listed]
            if not alternates(listed, side_to_move_of(listed)) or len({*places}) < len(places):
                return None
            game.begin(places)
            if game.result():  # perhaps before the last stone
                game.begin(before)
                return None
        elif name == "BEGIN":
            if game.places:
                raise CommandError("the board is not empty")
        else:
            self._require_open()
            place = parse_point(arguments[0], self._size)
            if not game.is_free(place):
                raise CommandError("expected a free point, got one with a stone")
            game.put(place)
        if name != "PLAY":
            self._require_open()
            chosen = game.choose()
            if chosen is None:  # as if nothing had been said: the command will be obeyed once there are rules
                game.begin(before)
                return None
            game.put(chosen)
        return format_point(game.places[-1], self._size)

    def _require_open(self) -> None:
        """Raise CommandError if the game is over."""
        if result := self._game.result():
            raise CommandError(f"the game is over: {result}")


class GomocupBase(CommandLoop):
    """Executes commands of Gomocup's protocol.

    A command's method writes the reply, or starts a search that writes it, or raises an error. Most commands
    end a running search first (`DURING_SEARCH`), whose answer comes before.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._settings = GomocupSettings()
        self._started = False
        self._fallback: UncompiledFallback | None = None  # while the rules are compiled
        self._list: list[str] | None = None  # lines of BOARD and the like, until DONE
        self._on_list_done: Callable[[list[str]], None] = lambda lines: None  # called with them after DONE
        self._played = False  # whether a turn is requested after DONE
        self._blocked: frozenset[str] = frozenset()  # turns that no search may play
        self._hashfull = 0  # of the last search, per mille
        self._notices: list[str] = []  # to be sent with the next reply
        self._sent_notices: set[str] = set()  # not to be sent again
        self._arrived = 0.0  # arrival of the current command (of a list: its first line)
        self._asked = 0.0  # arrival of the command that the last search answers
        self._ending = False  # END has arrived: searches write nothing more
        self._search = 0  # number of the last search
        self._search_lock = threading.Lock()  # held while a search starts, or is stopped by its timer
        self._timer: Alarm | None = None

    # -------------------------------------------------------------------------------------------------- lines

    def on_line(self, line: InputLine) -> None:
        """Stop the search at once if the line asks for it."""
        word = line.text[:20].strip().upper()
        if word in STOP_COMMANDS:
            self.session.stop()
        elif word == "END":
            self._ending = True
            self.session.stop()
            last = threading.Timer(END_GRACE, self.exit_process, (0,))
            last.daemon = True
            last.start()

    def obey(self, line: InputLine) -> bool:
        """Execute one line; blank lines are ignored."""
        word, _, rest = line.text.strip().partition(" ")
        name = word.upper()
        if self._list is not None and name not in self.commands.by_name:
            kept = [line.text[:MAX_KEPT]] if name and len(self._list) < MAX_LISTED else []
            self._list += kept
            return bool(kept)
        if not name:
            return False
        self.reject_truncated(line)
        arguments = re.sub(r"\s*,\s*", ",", rest).split()
        command = self.command(name, arguments)
        if command is not None and name not in DURING_SEARCH:
            self.session.stop_and_wait()
        if name not in ALLOWED_IN_LIST:
            self._arrived = line.arrived
            if self._list is not None:
                self._list = None
                self._reply(f"ERROR expected lines of x,y until DONE, got {quoted(name)}")
        if command is None:
            self._reply(f"UNKNOWN command {quoted(name)}")
        elif not self._answer_uncompiled(name, arguments):
            command.handler(self, arguments)
        return command is not None

    def refuse(self, error: TengenError) -> None:
        """Write an error."""
        self._reply(f"ERROR {error}")

    def _answer_uncompiled(self, name: str, arguments: Sequence[str]) -> bool:
        """Answer a board command before the rules are compiled; return whether that has been done."""
        game = self._fallback
        if game is None or name not in BOARD_COMMANDS or (name == "DONE" and self._list is None):
            return False
        _, rules_ready = self.session.start_compiling()  # a move waits only as long as it may
        if name in FALLBACK_COMMANDS and (name != "DONE" or self._played) and not self._blocked:
            rules_ready.wait(self._settings.compile_wait(time.monotonic() - self._arrived))
            stones = self._list
            if not rules_ready.is_set():
                self._list = None
                if reply := game.answer(name, arguments, stones or ()):
                    self._queue_notice(LOADING)
                    self._reply(reply)
                    return True
                self._list = stones
        rules_ready.wait()
        self.session.set_up(game.spec, "", game.turns())
        self._fallback = None
        return False

    def _reply(self, *lines: str) -> None:
        """Write the queued notices, then `lines`."""
        notices, self._notices = self._notices, []
        self.writer.write(*(f"MESSAGE {notice}" for notice in notices), *lines)

    def _queue_notice(self, notice: str) -> None:
        """Send `notice` with the next reply, once only: INFO itself has no reply."""
        if notice not in self._sent_notices:
            self._sent_notices.add(notice)
            self._notices.append(notice)

    def _begin_list(self, on_done: Callable[[list[str]], None], played: bool = False) -> None:
        """Collect the lines that follow; after DONE call `on_done` with them, which plays if `played`."""
        self._list, self._on_list_done, self._played = [], on_done, played

    # ----------------------------------------------------------------------------------------------- the game

    def _require_started(self) -> None:
        """Raise CommandError if no game has been started."""
        if not self._started:
            raise CommandError("expected START before board commands")

    def _require_turn(self) -> None:
        """Require a game in progress, which must obey the rule that was set last; that is applied."""
        self._require_started()
        spec = self._with_rule(self.session.spec)
        if spec != self.session.spec:
            self.session.replace_spec(spec)
        self._require_ongoing()

    def _require_ongoing(self) -> None:
        """Raise CommandError if the game is over."""
        position = self.session.position
        if position.outcome() != Outcome.ONGOING:
            raise CommandError(f"the game is over: {position.winner()}")

    def _with_rule(self, spec: GameSpec) -> GameSpec:
        """Return `spec` with the manager's rule."""
        spec, unsupported = self._settings.with_rule(spec)
        for notice in unsupported:
            self._queue_notice(notice)
        return spec

    @property
    def _size(self) -> int:
        spec = self._fallback.spec if self._fallback else self.session.spec
        return int(spec.values[SIZE])

    def _stones(self) -> dict[Place, int]:
        """Return the stones on the board."""
        from tengen.engine.board.goban import parse_rows

        return parse_rows(self.session.position.text().split()[0], self._size)[0]

    def _vertex(self, text: str) -> str:
        """Return the turn at the point ``x,y``."""
        from tengen.engine.board.grids import vertex

        return vertex(*parse_point(text, self._size))

    def _point(self, turn: str) -> str:
        """Return ``x,y`` for a turn."""
        from tengen.engine.board.goban import parse_vertex

        return format_point(parse_vertex(turn, self._size), self._size)

    # ------------------------------------------------------------------------------------------- our own turn

    def _play_best_move(self, multipv: int = 1, every: bool = False) -> None:
        """Search for the side to move, play the best turn, and write its point."""
        self._require_ongoing()
        known = multipv == 1 and not self._stones() and not self._blocked  # where the first stone goes
        self._start_search(self._answer_turn, multipv, instant=known, every=every)

    def _start_search(
        self,
        answer: Callable[[Result], str],
        multipv: int = 1,
        instant: bool = False,
        every: bool = False,
        reported: Callable[[Result], Sequence[Info]] | None = None,
    ) -> None:
        """Search the position; `answer` turns the result into the reply.

        If it is `instant`, the position is only looked at. If `every` turn is wanted, all are searched, also
        where a win or a threat leaves no choice. By default all lines of the result are told; `reported`
        picks some instead, and nothing is told before.
        """
        if self._ending:
            return
        position = self.session.position
        self._asked, now = self._arrived, time.monotonic()
        limits, seconds = self._settings.limits(position, now - self._asked)
        limits = MINIMAL_SEARCH if instant else limits
        limits = replace(limits, multipv=multipv, searchmoves=self._allowed(every), asked=now)
        on_info = self._write_info if self._settings.show_detail and not reported else None
        with self._search_lock:
            self._search += 1
            self._start_timer(seconds)
            self.session.go(position, limits, on_info, partial(self._finish, answer, reported))

    def _allowed(self, every: bool) -> tuple[str, ...]:
        """Return the turns to restrict a search to; empty when nothing does, and not `every` is wanted."""
        if not (every or self._blocked):
            return ()
        allowed = tuple(turn for turn in self.session.position.turns() if turn not in self._blocked)
        if not allowed:
            raise CommandError("expected a point that is not blocked, got none")
        return allowed

    def _start_timer(self, seconds: float) -> None:
        """Stop the search after `seconds`, if it still runs."""

        def expire(search: int = self._search) -> None:
            with self._search_lock:
                if search == self._search:
                    self.session.stop()

        if self._timer:
            self._timer.cancel()
        self._timer = None
        if seconds < NO_LIMIT_SECONDS:
            from tengen.search.limits.timekeeper import Alarm  # takes long

            self._timer = Alarm(time.monotonic, seconds, 1, expire)
            self._timer.start()

    def _finish(
        self,
        answer: Callable[[Result], str],
        reported: Callable[[Result], Sequence[Info]] | None,
        result: Result,
    ) -> None:
        """Write the answer of a search; called on its thread."""
        if timer := self._timer:
            timer.cancel()
        self._settings.spend(time.monotonic() - self._asked)
        if self._ending:
            return
        self._hashfull = max((info.hashfull for info in result.lines), default=0)
        notice = [f"MESSAGE {result.notice}"] if result.notice else []
        lines = [f"MESSAGE {self._line(info)}" for info in (reported(result) if reported else result.lines)]
        with self.refusing():  # the manager must not wait forever
            self._reply(*notice, *lines, answer(result))

    def _answer_turn(self, result: Result) -> str:
        """Play the best turn and return its point."""
        return self._point(self.session.position.push(result.turn))

    def _write_info(self, info: Info) -> None:
        """Write the progress of a search, as INFO show_detail requests."""
        wanted, lines = self._settings.show_detail, []
        if wanted & LINES:
            lines.append(f"MESSAGE {self._line(info)}")
        if wanted & REALTIME and info.rank == 1:
            lines += ["MESSAGE REALTIME REFRESH", f"MESSAGE REALTIME BEST {self._point(info.pv[0])}"]
        if lines and not self._ending:
            self.writer.write(*lines)

    def _line(self, info: Info) -> str:
        """Return a line of play as text."""
        rank = f"multipv {info.rank} " if self.session.limits.multipv > 1 else ""
        return (
            f"depth {info.depth}-{info.seldepth} {rank}score {info.score} nodes {info.nodes} "
            f"time {round(1000 * info.seconds)} pv {' '.join(map(self._point, info.pv))}"
        )
