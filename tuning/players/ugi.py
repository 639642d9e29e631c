"""External engines that speak UGI."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tengen.engine.position import Position
from tengen.search.info import WIN
from tengen.tuning.players.base import SearchReport, TurnTime
from tengen.tuning.players.external import EnginePlayer, milliseconds
from tengen.tuning.players.process import EngineProcess


class UgiPlayer(EnginePlayer):
    """An engine that speaks UGI. It is told the game if it offers the option ``Game``.

    With processor time on the clock, it is told so if it offers the option ``CpuTime``.
    """

    def _handshake(self, engine: EngineProcess, deadline: float) -> str:
        engine.send("ugi")
        identity, offered = self._command[0], set[str]()
        while (line := engine.receive(deadline).split()) != ["ugiok"]:
            if line[:2] == ["id", "name"]:
                identity = " ".join(line[2:])
            if line[:2] == ["option", "name"] and line[3:4] == ["type"]:
                offered.add(line[2])
        if "Game" in offered:
            engine.send(f"setoption name Game value {self._spec}")
        if "CpuTime" in offered and self._counts_processor_time:
            engine.send("setoption name CpuTime value true")
        for name, value in self._settings.options:
            engine.send(f"setoption name {name} value {value}")
        self._wait_ready(engine, deadline)
        return identity

    def _new_game(self, engine: EngineProcess) -> None:
        engine.send("uginewgame")
        self._wait_ready(engine, self._startup_deadline())

    def _wait_ready(self, engine: EngineProcess, deadline: float) -> None:
        """Wait until the engine is ready."""
        engine.send("isready")
        while engine.receive(deadline).strip() != "readyok":
            pass

    def _genmove(
        self, engine: EngineProcess, position: Position, turn_time: TurnTime, deadline: float
    ) -> str:
        moves = " moves " + " ".join(position.turns_played) if position.turns_played else ""
        engine.send(f"position startpos{moves}")
        engine.send(go_command(turn_time))
        self.report = None
        while True:
            line = engine.receive(deadline).split()
            if line[:1] == ["bestmove"]:
                return " ".join(line[1:2])
            if line[:1] == ["info"]:
                self.report = parse_info(line) or self.report


def parse_info(words: Sequence[str]) -> SearchReport | None:
    """Return what an info line says of the best turn; None if it says nothing of it."""
    text = " ".join(words)
    score = re.search(r" score (cp|mate) ([+-]?[0-9]{1,9})\b(?! (?:lower|upper)bound)", text)
    if score is None or not re.search(r" multipv 1 |^(?!.* multipv )", text):
        return None
    number, depth = int(score[2]), re.search(r" depth ([0-9]{1,9})\b", text)
    if score[1] == "mate":
        number = WIN - number if number > 0 else -WIN - number
    return SearchReport(number, int(depth[1]) if depth else None)


def go_command(turn_time: TurnTime) -> str:
    """Return the UGI command that searches within `turn_time`; times in milliseconds."""
    limits = turn_time.limits
    words = ["go"]
    for number, clock in enumerate(turn_time.clocks or (), 1):
        words.append(f"p{number}time {milliseconds(clock.remaining + clock.byoyomi / clock.byoyomi_stones)}")
        words.append(f"p{number}inc {milliseconds(clock.increment)}")
    if limits.clock and limits.clock.moves_to_go:
        words.append(f"movestogo {limits.clock.moves_to_go}")
    if limits.movetime is not None:
        words.append(f"movetime {milliseconds(limits.movetime)}")
    if limits.depth is not None:
        words.append(f"depth {limits.depth}")
    if limits.nodes is not None:
        words.append(f"nodes {limits.nodes}")
    return " ".join(words)
