"""External engines that speak the Gomocup protocol."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from tengen.engine.board.goban import parse_vertex
from tengen.engine.board.grids import vertex
from tengen.engine.errors import OptionError, quoted
from tengen.engine.game import GameSpec
from tengen.engine.position import Position
from tengen.search import warmup
from tengen.tuning.players.base import EndReason, PlayerFailure, TurnTime
from tengen.tuning.players.external import NO_SETTINGS, EnginePlayer, EngineSettings, milliseconds
from tengen.tuning.players.process import EngineProcess

UNLIMITED = 2**31 - 1  # ms, of INFO time_left: a game without a limit


class GomocupPlayer(EnginePlayer):
    """A brain, as Gomocup calls an engine. It plays five in a row.

    It gets the size of the board by START, and the rule and the time by INFO. If the opponent's last turn is
    all that it has not seen, TURN sends that turn, otherwise BOARD sends all stones. Every SUGGEST is
    accepted. MESSAGE and DEBUG lines are skipped; any other line is its answer.
    """

    QUIT_COMMAND = "END"
    TENGEN_NAME = "tengen"
    RULES: ClassVar[dict[str, int]] = {"exactly-five": 1, "renju": 4}  # bits of INFO rule
    TOURNAMENT = 2  # of INFO game_type

    def __init__(
        self, spec: GameSpec, command: tuple[str, ...], settings: EngineSettings = NO_SETTINGS
    ) -> None:
        super().__init__(spec, command, settings)
        if not spec.game.five_in_a_row:
            raise OptionError(f"player: expected a game of five in a row for a brain, got {spec}")
        self._just_started = False  # whether no game has been played since START
        self._sent_moves: list[str] = []  # turns on the brain's board
        self._sent_info: dict[str, int] = {}  # INFO values sent in this game

    def _handshake(self, engine: EngineProcess, deadline: float) -> str:
        engine.send("ABOUT")
        about = dict(re.findall(r'(\w+)\s*=\s*"([^"]*)"', self._receive(engine, deadline)))
        if about.get("name") == self.TENGEN_NAME:  # compile its kernels before a game begins
            warmup.compile_kernels(self._spec.game)
        self._start(engine, f"START {self._size}", deadline)
        return f"{about.get('name', self._command[0])} {about.get('version', '')}".strip()

    def _new_game(self, engine: EngineProcess) -> None:
        if not self._just_started:
            try:
                self._start(engine, "RESTART", self._startup_deadline())
            except PlayerFailure as failure:
                if failure.reason != EndReason.PROTOCOL:
                    raise
                self.close()  # a brain without RESTART is started again
                engine = self._running_engine()
        self._just_started = False
        bits = sum(bit for name, bit in self.RULES.items() if self._spec.values.get(name))
        self._send_info(engine, rule=bits, game_type=self.TOURNAMENT)
        for name, value in self._settings.options:
            engine.send(f"INFO {name} {value}")

    def _start(self, engine: EngineProcess, command: str, deadline: float) -> None:
        """Send `command`, which empties the board, and wait for OK."""
        engine.send(command)
        while not re.match(r"OK\b", answer := self._receive(engine, deadline), re.I):
            self._refuse_errors(command, answer)
        self._just_started, self._sent_moves, self._sent_info = True, [], {}

    def _genmove(
        self, engine: EngineProcess, position: Position, turn_time: TurnTime, deadline: float
    ) -> str:
        self._tell_time(engine, turn_time)
        turns = position.turns_played
        command, *rest = self._move_request(turns, position.side_to_move)
        engine.send("\n".join([command, *rest]))
        answer = self._receive(engine, deadline)
        while suggested := re.fullmatch(r"SUGGEST\s+(\S.*)", answer, re.I):
            engine.send(f"PLAY {suggested[1]}")
            answer = self._receive(engine, deadline)
        self._refuse_errors(command, answer)
        point = re.fullmatch(r"(\d{1,3})\s*,\s*(\d{1,3})", answer)
        x, y = (int(point[1]), self._size - 1 - int(point[2])) if point else (-1, -1)
        if not 0 <= x < self._size or y < 0:
            return answer  # no turn: the match ends the game
        self._sent_moves = [*turns, vertex(x, y)]
        return self._sent_moves[-1]

    def _move_request(self, turns: Sequence[str], side: int) -> list[str]:
        """Return the command that asks for the turn of `side` after `turns`."""
        if not turns:
            return ["BEGIN"]
        if list(turns[:-1]) == self._sent_moves:
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

    def _tell_time(self, engine: EngineProcess, turn_time: TurnTime) -> None:
        """Send the time for the turn, and for the game if the match has clocks."""
        limits = turn_time.limits
        clock = limits.clock
        left = milliseconds(clock.remaining + clock.byoyomi / clock.byoyomi_stones) if clock else None
        turn = left if limits.movetime is None else milliseconds(limits.movetime)
        assert turn is not None  # see `PlayerSpec.unsupported_limits`
        match = 0 if left is None else self._sent_info.get("timeout_match", left)
        self._send_info(engine, timeout_turn=turn, timeout_match=match)
        engine.send(f"INFO time_left {UNLIMITED if left is None else left}")

    def _send_info(self, engine: EngineProcess, **values: int) -> None:
        """Send the INFO values that the brain does not have yet."""
        for key, value in values.items():
            if self._sent_info.get(key) != value:
                engine.send(f"INFO {key} {value}")
        self._sent_info |= values

    def _receive(self, engine: EngineProcess, deadline: float) -> str:
        """Return the next line that is not a message."""
        while True:
            line = engine.receive(deadline).strip()
            if line and not re.match(r"(MESSAGE|DEBUG)\b", line, re.I):
                return line

    @staticmethod
    def _refuse_errors(command: str, answer: str) -> None:
        """Raise PlayerFailure if the brain answers that it cannot execute `command`."""
        if re.match(r"(ERROR|UNKNOWN)\b", answer, re.I):
            complaint = quoted(answer, 120)
            raise PlayerFailure(EndReason.PROTOCOL, f"refused {quoted(command)} with {complaint}")
