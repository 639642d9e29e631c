"""What all commands of Gomocup's protocol share: lines in, replies out, lists of stones, our own turn."""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tengen.engine.debug import internal_error
from tengen.engine.errors import TengenError, quoted
from tengen.engine.game import GameSpec, Outcome
from tengen.protocol.common.dialogue import CommandLoop
from tengen.protocol.common.errors import CommandError
from tengen.protocol.common.lines import InputLine
from tengen.protocol.gomocup.settings import MINIMAL_SEARCH, NO_LIMIT_SECONDS, GomocupSettings
from tengen.protocol.gomocup.stones import format_point, parse_point
from tengen.protocol.gomocup.uncompiled import FALLBACK_COMMANDS, UncompiledFallback
from tengen.search.info import Info, Result

if TYPE_CHECKING:
    from tengen.engine.board.goban import Place

SIZE = "size"  # the option of the game that START sets
END_GRACE = 0.3  # seconds from END to the end, whatever is being done; managers wait 0.7 or more
STOP_COMMANDS = ("YXSTOP", "STOP")
ALLOWED_IN_LIST = (
    "DONE",
    "INFO",
    "END",
    *STOP_COMMANDS,
)  # all other commands break off a list that DONE has not ended
BOARD_COMMANDS = (*FALLBACK_COMMANDS, "TAKEBACK", "YXNBEST", "YXSHOWFORBID")  # commands that need the rules
MAX_LISTED = 4096  # lines kept of a list: more than any game has turns
MAX_KEPT = 80  # characters kept of each
REALTIME, LINES = 1, 2  # bits of INFO show_detail


class GomocupBase(CommandLoop):
    """One side of a conversation in Gomocup's protocol.

    A command's method writes its reply, or begins a search that will, or raises why there is none. A command
    that needs the board ends a search under way first, whose answer comes before.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._settings = GomocupSettings()
        self._started = False
        self._fallback: UncompiledFallback | None = None  # while the rules are being compiled
        self._list: list[str] | None = None  # lines since BOARD and the like, until DONE
        self._on_list_done: Callable[[list[str]], None] = lambda lines: None  # what is done with them then
        self._played = False  # whether a turn is asked for then
        self._notices: list[str] = []  # to be said with the next reply
        self._sent_notices: set[str] = set()  # and not to be said again
        self._arrivals: deque[float] = deque()  # of lines that have not been obeyed yet
        self._arrived = 0.0  # when the command came in that is obeyed: of several lines the first
        self._asked = 0.0  # when the command came in that the last search answers
        self._ending = False  # END has come in: no search says anything more
        self._search = 0  # number of the last search
        self._search_lock = threading.Lock()  # held while a search begins, or is ended because its time is up
        self._timer: threading.Timer | None = None

    # -------------------------------------------------------------------------------------------------- lines

    def on_line(self, line: InputLine) -> None:
        """Note when a line comes in; end a search at once if that is what it says."""
        self._arrivals.append(time.monotonic())
        word = line.text[:20].strip().upper()
        if word in STOP_COMMANDS:
            self.session.stop()
        elif word == "END":
            self._ending = True
            self.session.stop()
            last = threading.Timer(END_GRACE, self.exit_process, (0,))
            last.daemon = True
            last.start()

    def execute(self, line: InputLine) -> None:
        """Obey one line; blank lines are ignored."""
        arrived = self._arrivals.popleft() if self._arrivals else time.monotonic()
        name, _, rest = line.text.strip().partition(" ")
        try:
            if self._list is not None and name.upper() not in self.commands.by_name:
                self._list += [line.text[:MAX_KEPT]] if name and len(self._list) < MAX_LISTED else []
            elif name:
                self.reject_truncated(line)
                self._execute(name.upper(), re.sub(r"\s*,\s*", ",", rest).split(), arrived)
        except TengenError as error:
            self._reply(f"ERROR {error}")
        except Exception as error:  # a bug must not end the game
            self._reply(f"ERROR {internal_error(error)}")

    def _execute(self, name: str, arguments: list[str], arrived: float) -> None:
        """Obey the command `name`."""
        if name not in ALLOWED_IN_LIST:
            self._arrived = arrived
            if self._list is not None:
                self._list = None
                self._reply(f"ERROR expected lines of x,y until DONE, got {quoted(name)}")
        command = self.command(name, arguments)
        if command is None:
            self._reply(f"UNKNOWN command {quoted(name)}")
        elif not self._answer_uncompiled(name, arguments):
            command.handler(self, arguments)

    def _answer_uncompiled(self, name: str, arguments: Sequence[str]) -> bool:
        """Answer a command on a board before the rules are there; return False if it is to be obeyed as ever.

        The rules are waited for, when a turn is asked for only as long as its time allows.
        """
        game = self._fallback
        if game is None or name not in BOARD_COMMANDS or (name == "DONE" and self._list is None):
            return False
        rules_ready = self.session.start_compiling().rules_ready
        if name in FALLBACK_COMMANDS and (name != "DONE" or self._played):
            rules_ready.wait(self._settings.compile_wait(time.monotonic() - self._arrived))
            stones = self._list
            if not rules_ready.is_set():
                self._list = None
                if reply := game.answer(name, arguments, stones or ()):
                    self._reply(reply)
                    return True
                self._list = stones
        rules_ready.wait()
        self.session.set_up(game.spec, "", game.turns())
        self._fallback = None
        return False

    def _reply(self, *lines: str) -> None:
        """Write `lines`, and before them what has waited to be said."""
        notices, self._notices = self._notices, []
        self.writer.write(*(f"MESSAGE {notice}" for notice in notices), *lines)

    def _queue_notice(self, notice: str) -> None:
        """Say `notice` with the next reply, unless it has been said before: INFO itself has none."""
        if notice not in self._sent_notices:
            self._sent_notices.add(notice)
            self._notices.append(notice)

    def _begin_list(self, then: Callable[[list[str]], None], played: bool = False) -> None:
        """Keep the lines that follow; `then` is called with them after DONE, and plays if `played`."""
        self._list, self._on_list_done, self._played = [], then, played

    def _end_list(self) -> None:
        """Obey the command whose lines have ended."""
        if self._list is None:
            raise CommandError("expected BOARD before DONE")
        lines, self._list = self._list, None
        self._require_started()
        self._on_list_done(lines)

    # ----------------------------------------------------------------------------------------------- the game

    def _require_started(self) -> None:
        """See to it that there is a board, and no search under way: the answer of one comes first.

        Raises
        ------
        Refusal
            When no game has been started.
        """
        self.session.stop_and_wait()
        if not self._started:
            raise CommandError("expected START before anything on a board")

    def _require_turn(self) -> None:
        """See to it that a stone can be put, by the rule that was said last.

        Raises
        ------
        TengenError
            When no game is under way, or what has been played in it is against the rule.
        """
        self._require_started()
        spec = self._with_rule(self.session.spec)
        if spec != self.session.spec:
            self.session.replace_spec(spec)
        self._require_ongoing()

    def _require_ongoing(self) -> None:
        """Raise Refusal when the game is over."""
        position = self.session.position
        if position.outcome() != Outcome.ONGOING:
            raise CommandError(f"the game is over: {position.winner()}")

    def _with_rule(self, spec: GameSpec) -> GameSpec:
        """Return `spec` under the rule that the manager has said."""
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
        """Return the turn on the point ``x,y``."""
        from tengen.engine.board.grids import vertex

        return vertex(*parse_point(text, self._size))

    def _point(self, turn: str) -> str:
        """Return ``x,y`` for a turn."""
        from tengen.engine.board.goban import parse_vertex

        return format_point(parse_vertex(turn, self._size), self._size)

    # ------------------------------------------------------------------------------------------- our own turn

    def _play_best_move(self, multipv: int = 1) -> None:
        """Search for the side to move; the turn that is found is played, and its point written.

        A first stone takes no time: its place is known.
        """
        self._require_ongoing()
        known = multipv == 1 and not self._stones()
        self._start_search(self._answer_turn, multipv, instant=known)

    def _start_search(self, answer: Callable[[Result], str], multipv: int = 1, instant: bool = False) -> None:
        """Search the position; `answer` makes of the result what is written."""
        if self._ending:
            return
        position = self.session.position
        self._asked = self._arrived
        limits, seconds = self._settings.limits(position, time.monotonic() - self._asked)
        limits = replace(MINIMAL_SEARCH if instant else limits, multipv=multipv)
        on_info = self._write_info if self._settings.show_detail else None
        with self._search_lock:
            self._search += 1
            self._start_timer(seconds)
            self.session.go(position, limits, on_info, partial(self._finish, answer))

    def _update_deadline(self) -> None:
        """End the search under way in time, now that the manager has said something else about time."""
        _, seconds = self._settings.limits(self.session.position, time.monotonic() - self._asked)
        with self._search_lock:
            self._start_timer(seconds)

    def _start_timer(self, seconds: float) -> None:
        """See to it that the search ends after so many seconds."""
        if self._timer:
            self._timer.cancel()
        self._timer = (
            threading.Timer(seconds, self._expire, (self._search,)) if seconds < NO_LIMIT_SECONDS else None
        )
        if self._timer:
            self._timer.daemon = True
            self._timer.start()

    def _expire(self, search: int) -> None:
        """End the search of that number, should it still be under way."""
        with self._search_lock:
            if search == self._search:
                self.session.stop()

    def _finish(self, answer: Callable[[Result], str], result: Result) -> None:
        """Write the answer that a search has come to; called on its own thread."""
        if timer := self._timer:
            timer.cancel()
        self._settings.spend(time.monotonic() - self._asked)
        if self._ending:
            return
        notice = [f"MESSAGE {result.notice}"] if result.notice else []
        lines = [f"MESSAGE {self._line(info)}" for info in result.lines]
        try:
            self._reply(*notice, *lines, answer(result))
        except Exception as error:  # the manager must not wait forever
            self._reply(f"ERROR {internal_error(error)}")

    def _answer_turn(self, result: Result) -> str:
        """Play the turn that was found, and return its point."""
        assert result.turn is not None  # the game was not over
        return self._point(self.session.play(result.turn, self.session.position.side_to_move))

    def _write_info(self, info: Info) -> None:
        """Write how a search is getting on, as far as that is asked for."""
        wanted, lines = self._settings.show_detail, []
        if wanted & LINES:
            lines.append(f"MESSAGE {self._line(info)}")
        if wanted & REALTIME and info.rank == 1:
            lines += ["MESSAGE REALTIME REFRESH", f"MESSAGE REALTIME BEST {self._point(info.pv[0])}"]
        if lines and not self._ending:
            self.writer.write(*lines)

    def _line(self, info: Info) -> str:
        """Return a line of play in words."""
        rank = f"multipv {info.rank} " if self.session.limits.multipv > 1 else ""
        return (
            f"depth {info.depth}-{info.seldepth} {rank}score {info.score} nodes {info.nodes} "
            f"time {round(1000 * info.seconds)} pv {' '.join(map(self._point, info.pv))}"
        )
