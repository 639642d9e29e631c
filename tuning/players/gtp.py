"""External engines that speak GTP 2."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

from tengen.engine.board.goban import parse_rows
from tengen.engine.board.grids import vertex
from tengen.engine.challenge import begin
from tengen.engine.errors import quoted
from tengen.engine.game import GameSpec
from tengen.engine.position import Position
from tengen.search import warmup
from tengen.search.limits import Clock, Limits
from tengen.tuning.players.base import EndReason, PlayerFailure, TurnTime
from tengen.tuning.players.external import NO_SETTINGS, EnginePlayer, EngineSettings
from tengen.tuning.players.process import EngineProcess


class GtpPlayer(EnginePlayer):
    """An engine that speaks GTP 2.

    It is told the game by our own command ``tengen-game`` if it knows that one, otherwise by ``boardsize``,
    ``komi``, the handicap stones and, if known, KataGo's ``kata-set-rules``. Other rules must be set on the
    engine's command line. GTP has no depth or node limits: only time is sent, by ``time_settings`` and
    ``time_left``, in whole seconds if the engine refuses fractions.
    """

    TENGEN_COMMAND = "tengen-game"
    RULES = "kata-set-rules"
    HANDICAP = "set_free_handicap"
    KATA_CLOCK = "kata-time_settings"
    KGS_CLOCK = "kgs-time_settings"

    def __init__(
        self, spec: GameSpec, command: tuple[str, ...], settings: EngineSettings = NO_SETTINGS
    ) -> None:
        super().__init__(spec, command, settings)
        self._number = 0  # id of the last command
        self._known: set[str] = set()  # optional commands that the engine knows
        self._fractions = True  # whether it accepts fractions of seconds
        self._limits: Limits | None = None  # sent last
        self._engine_position = begin(spec)  # the position on the engine's board

    def _handshake(self, engine: EngineProcess, deadline: float) -> str:
        identity = f"{self._ask(engine, 'name', deadline)} {self._ask(engine, 'version', deadline)}".strip()
        wanted = [name for name, needed in self._optional_commands().items() if needed]
        self._known = {
            name for name in wanted if self._ask(engine, f"known_command {name}", deadline) == "true"
        }
        self._limits = None
        self._fractions = True
        for name, value in self._settings.options:
            self._ask(engine, f"{name} {value}", deadline)
        if self._is_tengen:  # its first search loads the kernels, which must not cost time of a game
            for spec in reversed(self._spec.games):  # the game of the match comes last and stays
                warmup.compile_kernels(spec.game)
                self._ask(engine, f"{self.TENGEN_COMMAND} {spec}", deadline)
                self._ask(engine, "time_settings 0 1 1", deadline)
                self._ask(engine, f"reg_genmove {spec.game.letters[0]}", deadline)
        return identity

    def _optional_commands(self) -> dict[str, bool]:
        """Return the commands that not every engine knows, and whether this game needs them."""
        values = self._spec.values
        return {
            self.TENGEN_COMMAND: True,
            self.RULES: self._spec.game.offers("katago"),
            self.HANDICAP: bool(values.get("handicap")),
            self.KATA_CLOCK: True,
            self.KGS_CLOCK: self._spec.game.ends_by_agreement,
        }

    @property
    def _is_tengen(self) -> bool:
        """Whether the engine is a Tengen."""
        return self.TENGEN_COMMAND in self._known

    def _new_game(self, engine: EngineProcess) -> None:
        deadline = self._startup_deadline()
        self._engine_position = begin(self._spec)
        setup = [f"{self.TENGEN_COMMAND} {self._spec}"] if self._is_tengen else self._setup_commands()
        for command in setup:
            self._ask(engine, command, deadline)
        self._limits = None

    def _setup_commands(self) -> Iterator[str]:
        """Yield the commands that tell an engine which game begins."""
        values = self._spec.values
        if "size" in values:
            yield f"boardsize {values['size']}"
        yield "clear_board"
        if "komi" in values:
            yield f"komi {values['komi']}"
        if self.RULES in self._known:
            rules = self._spec.game.module("katago").katago_rules(values)
            yield f"{self.RULES} {json.dumps(rules)}"
        if values.get("handicap"):
            rows = self._engine_position.text().split()[0]
            stones = [vertex(*place) for place in parse_rows(rows, int(values["size"]))[0]]
            if self.HANDICAP in self._known:
                yield f"{self.HANDICAP} {' '.join(stones)}"
            else:
                yield from (
                    f"play {self._letter(1 - self._engine_position.side_to_move)} {stone}" for stone in stones
                )

    def _genmove(
        self, engine: EngineProcess, position: Position, turn_time: TurnTime, deadline: float
    ) -> str:
        self._send_moves(engine, position, deadline)
        letter = self._letter(position.side_to_move)
        self._tell_time(engine, letter, turn_time.limits, deadline)
        answer = self._ask(engine, f"genmove {letter}", deadline)
        if answer.lower() == "resign":
            raise PlayerFailure(EndReason.RESIGNATION, "resigned")
        with contextlib.suppress(ValueError):  # the match ends the game if the turn is illegal
            self._engine_position.play(answer)
        return answer

    def _send_moves(self, engine: EngineProcess, position: Position, deadline: float) -> None:
        """Send the turns of `position` that the engine has not played yet."""
        for turn in position.turns_played[len(self._engine_position.turns_played) :]:
            self._ask(engine, f"play {self._letter(self._engine_position.side_to_move)} {turn}", deadline)
            self._engine_position.play(turn)

    def _tell_time(self, engine: EngineProcess, letter: str, limits: Limits, deadline: float) -> None:
        """Send the time that is left, as far as the engine does not know it."""
        if clock := limits.clock:
            if self._limits is None:
                self._tell_control(engine, clock, deadline)
            turns = clock.periods if clock.periods and not clock.byoyomi else clock.moves_to_go or 0
            self._ask_in_seconds(engine, f"time_left {letter} {{}} {turns}", deadline, clock.remaining)
        elif limits.movetime is not None and limits != self._limits:
            self._ask_in_seconds(engine, "time_settings 0 {} 1", deadline, limits.movetime)
        self._limits = limits

    def _tell_control(self, engine: EngineProcess, clock: Clock, deadline: float) -> None:
        """Send the time control of a game, as far as the engine has commands for it."""
        seconds: tuple[float, ...] = (clock.remaining,)
        if clock.increment and self.KATA_CLOCK in self._known:
            command, seconds = f"{self.KATA_CLOCK} fischer {{}} {{}}", (clock.remaining, clock.increment)
        elif clock.periods and self.KGS_CLOCK in self._known:
            main, period = (clock.remaining, clock.byoyomi) if clock.byoyomi else (0.0, clock.remaining)
            command, seconds = f"{self.KGS_CLOCK} byoyomi {{}} {{}} {clock.periods}", (main, period)
        elif clock.byoyomi:
            command, seconds = (
                f"time_settings {{}} {{}} {clock.byoyomi_stones}",
                (clock.remaining, clock.byoyomi),
            )
        elif clock.moves_to_go:
            command, seconds = f"time_settings 0 {{}} {clock.moves_to_go}", (clock.remaining,)
        else:
            command, seconds = "time_settings {} 0 0", (clock.remaining,)
        self._ask_in_seconds(engine, command, deadline, *seconds)

    def _ask_in_seconds(self, engine: EngineProcess, command: str, deadline: float, *seconds: float) -> None:
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

    def _ask(self, engine: EngineProcess, command: str, deadline: float) -> str:
        """Send a command and return its response; lines that do not belong to it are skipped."""
        self._number += 1
        engine.send(f"{self._number} {command}")
        while True:
            status, _, text = engine.receive(deadline).partition(" ")
            if status in (f"={self._number}", f"?{self._number}"):
                break
        answer = [text.strip()]
        while line := engine.receive(deadline).strip():
            answer.append(line)
        if status[0] == "?":
            complaint = quoted(" ".join(answer), 120)
            raise PlayerFailure(EndReason.PROTOCOL, f"refused {quoted(command)} with {complaint}")
        return "\n".join(answer).strip()
