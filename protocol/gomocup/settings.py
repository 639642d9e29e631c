"""Settings that Gomocup's managers make by INFO: times, memory, the rule; and the limits they imply."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tengen.engine.errors import quoted
from tengen.engine.spec import GameSpec
from tengen.protocol.engine_options import OPTIONS
from tengen.protocol.numbers import MAX_SECONDS, MILLISECOND, NO_LIMIT_SECONDS, parse_integer, parse_time
from tengen.search.limits.limit import MAX_DEPTH, Clock, Limit

if TYPE_CHECKING:
    from tengen.engine.play.position import Position
    from tengen.search.limits.clock import Lag

MB = 1 << 20
RESIDENT_MB = 230  # of the process without its table, after compiling
TIMEOUT_TURN = 30.0  # seconds; Piskvork's default
MAX_NUMBER = 2**63 - 1  # that INFO takes
MARGIN = 0.05  # seconds, in addition to the search's OVERHEAD: managers count until they have read the answer
LEAST_MARGIN = (
    0.015  # ... with a manager whose time_left shows that it charges hardly more than we have spent
)
ANSWERS_TO_TRUST = 3  # that such a manager must have charged for
MARGIN_SHARE = 1 / 3  # of a short turn instead
MIN_SEARCH_TIME = 0.02  # seconds; with less, `MINIMAL_SEARCH`
COMPILE_WAIT_SHARE = 0.5  # of a turn's time
MINIMAL_SEARCH = Limit(depth=1, time=0.004)

EXACTLY_FIVE, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8  # bits of INFO rule
OPTIONS_OF_RULES = {EXACTLY_FIVE: "exactly-five", RENJU: "renju"}
YIXIN_RULES = {2: RENJU, 5: 0, 6: 0}  # rules with other numbers in Yixin's interface; 5 and 6 are openings


ENGINE_KEYS = {option.info: option for option in OPTIONS.values() if option.info}  # keys of INFO
HASH_SIZE = "hash_size"  # in kB

# Keys of INFO with which nothing happens, and the values that ask for nothing; then why others are refused.
UNSUPPORTED = {
    "pondering": (("0",), "tengen does not think on the opponent's time"),
    "usedatabase": (("0",), "tengen keeps no database of positions"),
    "swapable": (("0",), "colours are swapped by SWAP2BOARD only"),
    "strength": (("100",), "set INFO level, from 1 to 20"),
    "max_moves": (("0",), "a game ends when the board is full"),
    "draw_result": (("0",), "a full board is a draw"),
}
# Keys that would only tune another engine's search, or that nothing depends on.
IGNORED = {
    *("game_type", "folder", "evaluate", "database_readonly", "caution_factor", "start_depth"),
    *("thread_split_depth", "checkmate", "nbestsym", "vcthread"),
}


@dataclass
class GomocupSettings:
    """The settings. Times are in seconds."""

    timeout_turn: float = TIMEOUT_TURN  # for each turn; 0 is as fast as possible
    timeout_match: float = 0.0  # for a whole game; 0 for no limit
    # of the game, as last set, less the time of searches since; infinite for no limit, None if not set
    time_left: float | None = None
    time_increment: float = 0.0  # added to the time of the game after every turn
    max_memory: int = 0  # bytes for the whole process; 0 for no limit
    max_depth: int | None = None  # limit of a search
    max_node: int | None = None
    rule: int | None = None  # sum of bits; None if never set
    show_detail: int = 0  # bits: 1 for the best turn, 2 for lines of play, during a search
    yixin: bool = False  # whether the manager speaks Yixin's extensions
    _spent: float = field(default=0.0, init=False)  # by searches of the game while time_left is not set
    _fresh: bool = field(default=True, init=False)  # no search since time_left was set, or the game began
    _lag: Lag | None = field(default=None, init=False)  # of the manager: charged beyond what was spent

    # ------------------------------------------------------------------------------------------------ setting

    def update(self, key: str, value: str) -> None:
        """Set `key` unless it is unknown; raise NotationError, changing nothing, for a wrong `value`."""
        if key in NUMBERS:
            low, high, convert = NUMBERS[key]
            setattr(self, key, convert(parse_integer(f"INFO {key}", value, low, high)))
        elif key in TIMES:
            seconds = parse_time(f"INFO {key}", value, MILLISECOND, TIMES[key])
            if key == "time_left":
                seconds = seconds if seconds < NO_LIMIT_SECONDS else math.inf
                expected = self._left
                if not self._fresh and seconds - MARGIN <= expected < math.inf:
                    from tengen.search.limits.clock import Lag

                    self._lag = (self._lag or Lag()).after(max(0.0, expected - seconds))
                self._fresh = True
            setattr(self, key, seconds)

    def new_game(self) -> None:
        """Reset the time of the game, unless time_left has just been set."""
        if not self._fresh:
            self.time_left = None
        self._spent, self._fresh = 0.0, True

    def spend(self, seconds: float) -> None:
        """Take off the time of a search: not every manager sends time_left after each turn."""
        if self.time_left is None:
            self._spent += seconds - self.time_increment
        else:
            self.time_left += self.time_increment - seconds
        self._fresh = False

    # ------------------------------------------------------------------------------------------------- limits

    def limits(self, position: Position, elapsed: float) -> tuple[Limit, float]:
        """Return the limits of a search of `position`, and the seconds after which it must end.

        `elapsed` are the seconds since the command that requests a turn arrived.
        """
        from tengen.search.limits.clock import OVERHEAD, time_budget

        turn, match = self._remaining(elapsed)
        if min(turn, match) <= MIN_SEARCH_TIME:
            return MINIMAL_SEARCH, MIN_SEARCH_TIME
        limits = Limit(depth=self.max_depth, nodes=self.max_node)
        if match >= NO_LIMIT_SECONDS:
            if turn >= NO_LIMIT_SECONDS and not (self.yixin or self.max_depth or self.max_node):
                turn = TIMEOUT_TURN  # nobody would stop this search
            seconds = turn if turn < NO_LIMIT_SECONDS else None
            limits = Limit(time=seconds, nodes=limits.nodes, depth=limits.depth)
            return limits, max(turn - OVERHEAD, MIN_SEARCH_TIME)
        limits = Limit(nodes=limits.nodes, depth=limits.depth, clock=Clock(match, self.time_increment))
        hard = time_budget(limits, position).hard
        assert hard is not None
        return limits, max(min(turn - OVERHEAD, hard), MIN_SEARCH_TIME)

    def compile_wait(self, elapsed: float) -> float:
        """Return how long to wait for compilation before playing without search."""
        turn, match = self._remaining(elapsed)
        return max(0.0, min(turn * COMPILE_WAIT_SHARE, match / 10))

    @property
    def _left(self) -> float:
        """The time left for the game; infinite for no limit."""
        return (self.timeout_match or math.inf) - self._spent if self.time_left is None else self.time_left

    def _remaining(self, elapsed: float) -> tuple[float, float]:
        """Return the time left for this turn and for the game, less margins; infinite for no limit."""
        left = self._left
        margin = MARGIN
        if self._lag and self._lag.answers >= ANSWERS_TO_TRUST:
            margin = min(MARGIN, LEAST_MARGIN + self._lag.reserve)
        turn = self.timeout_turn - min(margin, self.timeout_turn * MARGIN_SHARE)
        return turn - elapsed, left - elapsed - min(margin, max(left, 0.0) * MARGIN_SHARE)

    def hash_mb(self, wanted: int) -> int:
        """Return the size of the table in MB: `wanted`, or less if memory is limited."""
        if not self.max_memory:
            return wanted
        return max(1, min(wanted, self.max_memory // MB - RESIDENT_MB))

    @property
    def memory_too_small(self) -> bool:
        """Whether the engine needs more than the memory limit."""
        return 0 < self.max_memory < (RESIDENT_MB + 1) * MB

    def rule_bits(self) -> int:
        """Return the bits of the rule, with Yixin's numbers translated."""
        rule = self.rule or 0
        return YIXIN_RULES.get(rule, rule) if self.yixin else rule

    def with_rule(self, spec: GameSpec) -> tuple[GameSpec, list[str]]:
        """Return `spec` with the manager's rule applied, and a message for each unsupported part."""
        if self.rule is None:
            return spec, []
        rule_bits, unsupported = self.rule_bits(), []
        if rule_bits & CARO:
            rule_bits = rule_bits & ~CARO | EXACTLY_FIVE
            unsupported.append(
                "Caro is not supported, as the search for wins does not know that a four can be answered "
                "outside of it: exactly five in a row wins, blocked or not"
            )
        if rule_bits & CONTINUOUS:
            unsupported.append("continuous games are not supported: a five ends the game")
        for bit, name in OPTIONS_OF_RULES.items():
            if name in spec.values:
                spec = spec.with_option(name, bool(rule_bits & bit))
            elif rule_bits & bit:
                unsupported.append(f"{spec.game.title} does not support {name}")
        return spec, unsupported


def refusal(key: str, value: str) -> str:
    """Return why INFO `key` `value` has no effect; empty if that need not be said."""
    if key in UNSUPPORTED:
        harmless, reason = UNSUPPORTED[key]
        return "" if value in harmless else f"INFO {key} has no effect: {reason}"
    known = (
        not key or key in NUMBERS or key in TIMES or key in ENGINE_KEYS or key == HASH_SIZE or key in IGNORED
    )
    return "" if known else f"INFO {quoted(key)} is unknown"


# Keys of INFO: the least seconds; time_left is negative if the time is overdrawn.
TIMES = {"timeout_turn": 0.0, "timeout_match": 0.0, "time_left": -MAX_SECONDS, "time_increment": 0.0}

# Keys of INFO: the range of the number, and its conversion.
NUMBERS: dict[str, tuple[int, int, Callable[[int], int | None]]] = {
    "max_memory": (-MAX_NUMBER, MAX_NUMBER, lambda number: max(0, number)),
    "max_depth": (-MAX_NUMBER, MAX_NUMBER, lambda number: min(number, MAX_DEPTH) if number > 0 else None),
    "max_node": (-MAX_NUMBER, MAX_NUMBER, lambda number: number if number > 0 else None),
    "rule": (0, MAX_NUMBER, int),
    "show_detail": (0, 3, int),
}
