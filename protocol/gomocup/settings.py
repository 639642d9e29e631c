"""What Gomocup's managers say by INFO: times, memory, the rule; and what it means for a search."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tengen.engine.game import GameSpec
from tengen.protocol.common.numbers import parse_integer
from tengen.search.limits import MAX_DEPTH, Clock, Limits

if TYPE_CHECKING:
    from tengen.engine.position import Position

MB = 1 << 20
RESIDENT_MB = 230  # what the process takes without its table, after it has compiled
TIMEOUT_TURN = 30.0  # seconds, when nothing is said: what the manager Piskvork begins with
UNLIMITED_LEFT = 2**31 - 1  # ms: a time_left that says that there is no limit
NO_LIMIT_SECONDS = (
    86_400.0  # seconds: a limit of a day or more is none, as in interfaces that know only numbers
)
MARGIN = 0.05  # seconds kept back, beside the search's own OVERHEAD: managers count until they have read
MARGIN_SHARE = 1 / 3  # of a short turn, instead
MIN_SEARCH_TIME = 0.02  # seconds: below there is only time for a look
COMPILE_WAIT_SHARE = 0.5  # of a turn's time, to wait for a compiler
MINIMAL_SEARCH = Limits(depth=1, movetime=0.004)

EXACTLY_FIVE, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8  # bits of INFO rule
OPTIONS_OF_RULES = {EXACTLY_FIVE: "exactly-five", RENJU: "renju"}
YIXIN_RULES = {
    2: RENJU,
    5: 0,
    6: 0,
}  # rules that Yixin's interface numbers otherwise; 5 and 6 are of the opening


@dataclass
class GomocupSettings:
    """What has been said. Times are in seconds.

    Attributes
    ----------
    timeout_turn : float
        For each turn; 0 is as fast as possible.
    timeout_match : float
        For all turns of a game; 0 for no limit.
    time_left : float or None
        Of a game, as it was said last, less what searches have taken since; infinite when there is no limit,
        None when nothing is said.
    max_memory : int
        Bytes for the whole process; 0 for no limit.
    max_depth, max_node : int or None
        Limits of a search.
    rule : int or None
        Sum of bits; None when nothing is said.
    show_detail : int
        Bits: 1 for the best turn, 2 for lines of play, while a search goes on.
    yixin : bool
        Whether a manager of Yixin's kind has introduced itself.
    """

    timeout_turn: float = TIMEOUT_TURN
    timeout_match: float = 0.0
    time_left: float | None = None
    max_memory: int = 0
    max_depth: int | None = None
    max_node: int | None = None
    rule: int | None = None
    show_detail: int = 0
    yixin: bool = False
    _fresh: bool = field(default=False, init=False)  # time_left was said after the last search

    # ------------------------------------------------------------------------------------------------ hearing

    def update(self, key: str, value: str) -> None:
        """Take over what is said; keys that are not known say nothing.

        Raises
        ------
        NotationError
            When `value` is none that `key` takes; nothing is changed.
        """
        if key in NUMBERS:
            attribute, convert = NUMBERS[key]
            setattr(self, attribute, convert(parse_integer(f"INFO {key}", value, -(10**18), 10**18)))
            self._fresh |= attribute == "time_left"

    def new_game(self) -> None:
        """Begin to count the time of another game, unless it has just been said how much is left."""
        if not self._fresh:
            self.time_left = None

    def spend(self, seconds: float) -> None:
        """Take off what a search has cost: a manager need not say after every turn what is left."""
        if self.time_left is None and self.timeout_match:
            self.time_left = self.timeout_match
        if self.time_left is not None:
            self.time_left -= seconds
        self._fresh = False

    # ------------------------------------------------------------------------------------------------ meaning

    def limits(self, position: Position, elapsed: float) -> tuple[Limits, float]:
        """Return what a search of `position` may use, and after how many seconds it has to end at the latest.

        Parameters
        ----------
        position : Position
        gone : float
            Seconds since the command that asks for a turn came in.
        """
        from tengen.search.clock import OVERHEAD, time_budget

        turn, match = self._remaining(elapsed)
        if min(turn, match) <= MIN_SEARCH_TIME:
            return MINIMAL_SEARCH, MIN_SEARCH_TIME
        limits = Limits(depth=self.max_depth, nodes=self.max_node)
        if match >= NO_LIMIT_SECONDS:
            seconds = turn if turn < NO_LIMIT_SECONDS else None
            return Limits(limits.depth, limits.nodes, movetime=seconds), max(turn - OVERHEAD, MIN_SEARCH_TIME)
        limits = Limits(limits.depth, limits.nodes, clock=Clock(match))
        hard = time_budget(limits, position).hard
        assert hard is not None
        return limits, max(min(turn - OVERHEAD, hard), MIN_SEARCH_TIME)

    def compile_wait(self, elapsed: float) -> float:
        """Return the seconds that may be waited for what has to be there before a turn can be found."""
        turn, match = self._remaining(elapsed)
        return max(0.0, min(turn * COMPILE_WAIT_SHARE, match / 10))

    def _remaining(self, elapsed: float) -> tuple[float, float]:
        """Return the time for this turn and that for the game, infinite for no limit, less margins."""
        left = self.timeout_match or math.inf if self.time_left is None else self.time_left
        turn = self.timeout_turn - min(MARGIN, self.timeout_turn * MARGIN_SHARE)
        return turn - elapsed, left - elapsed - min(MARGIN, max(left, 0.0) * MARGIN_SHARE)

    def hash_mb(self, wanted: int) -> int:
        """Return the size of the table in MB: `wanted`, or what the memory leaves room for."""
        if not self.max_memory:
            return wanted
        return max(1, min(wanted, self.max_memory // MB - RESIDENT_MB))

    @property
    def memory_too_small(self) -> bool:
        """Whether the memory is less than the engine takes."""
        return 0 < self.max_memory < (RESIDENT_MB + 1) * MB

    def rule_bits(self) -> int:
        """Return the bits of the rule, whoever has said it."""
        rule = self.rule or 0
        return YIXIN_RULES.get(rule, rule) if self.yixin else rule

    def with_rule(self, spec: GameSpec) -> tuple[GameSpec, list[str]]:
        """Return `spec` under the rule that is said, and in words what of it cannot be played."""
        if self.rule is None:
            return spec, []
        rule_bits, unsupported = self.rule_bits(), []
        if rule_bits & CARO:
            rule_bits = rule_bits & ~CARO | EXACTLY_FIVE
            unsupported.append("Caro is not played: exactly five in a row win, wherever they are blocked")
        if rule_bits & CONTINUOUS:
            unsupported.append("continuous games are not played: a five ends the game")
        for bit, name in OPTIONS_OF_RULES.items():
            if name in spec.values:
                spec = spec.with_option(name, bool(rule_bits & bit))
            elif rule_bits & bit:
                unsupported.append(f"{spec.game.title} is not played with {name}")
        return spec, unsupported


def _milliseconds(number: int) -> float:
    """Return seconds, no negative ones."""
    return max(0, number) / 1000


def _time_left(number: int) -> float:
    """Return the seconds of a time_left; they are negative when it is overdrawn."""
    return math.inf if number >= UNLIMITED_LEFT else number / 1000


def _limit(number: int) -> int | None:
    """Return a limit; what is not positive is none."""
    return number if number > 0 else None


def _depth(number: int) -> int | None:
    return min(number, MAX_DEPTH) if number > 0 else None


def _size(number: int) -> int:
    return max(0, number)


# Keys of INFO: the attribute, and what makes its value of a number.
NUMBERS: dict[str, tuple[str, Callable[[int], object]]] = {
    "timeout_turn": ("timeout_turn", _milliseconds),
    "timeout_match": ("timeout_match", _milliseconds),
    "time_left": ("time_left", _time_left),
    "max_memory": ("max_memory", _size),
    "max_depth": ("max_depth", _depth),
    "max_node": ("max_node", _limit),
    "rule": ("rule", _size),
    "show_detail": ("show_detail", _size),
}
