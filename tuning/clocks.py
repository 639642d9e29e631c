"""Clocks of a game: main time with an increment, several time controls, Canadian or Japanese byo-yomi.

A clock is a `Clock` of the search. In overtime it has no `byoyomi` of its own any more: what remains of the
period, and the turns to be played in it, are its time and its turns to go.
"""

import math
import re
from dataclasses import replace

from tengen.engine.errors import OptionError, quoted
from tengen.search.limits.limit import Clock

MAX_SECONDS = 10**6
NUMBER = r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+"
CLOCK = re.compile(
    rf"(?:(?P<moves>[0-9]+)/)?(?P<main>{NUMBER})"
    rf"(?:\+(?:(?P<periods>[0-9]+)x(?P<period>{NUMBER})|(?P<stones>[0-9]+)/(?P<over>{NUMBER})"
    rf"|(?P<increment>{NUMBER})))?"
)


def parse_clock(text: str) -> Clock:
    """Return the clock that `text` describes.

    ``60+0.5`` is main time and increment, ``40/60+0.6`` the same for every 40 turns, ``600+5x30`` Japanese
    byo-yomi of 5 periods, ``600+25/300`` Canadian byo-yomi of 25 turns in 300 s. Raises OptionError if it
    describes none.
    """
    match = CLOCK.fullmatch(text)
    fields = {name: value for name, value in (match.groupdict() if match else {}).items() if value}
    numbers = {name: float(value) for name, value in fields.items()}
    overtime = {"periods", "stones"} & numbers.keys()
    sound = all(number <= MAX_SECONDS for number in numbers.values())
    positive = all(numbers[name] > 0 for name in numbers.keys() - {"main", "increment"})
    used_up = not numbers.get("main") and not overtime
    if used_up or not (sound and positive) or ("moves" in numbers and overtime):
        forms = "60, 60+0.5, 40/60+0.6, 600+5x30 or 600+25/300"
        raise OptionError(f"--clock: expected seconds such as {forms}, got {quoted(text)}")
    return Clock(
        numbers["main"],
        numbers.get("increment", 0.0),
        int(numbers["moves"]) if "moves" in numbers else None,
        numbers.get("period", numbers.get("over", 0.0)),
        int(numbers.get("stones", 1)),
        int(numbers.get("periods", 0)),
    )


def clock_text(clock: Clock) -> str:
    """Return the text of a clock at the start of a game; the inverse of `parse_clock`."""
    if clock.periods:
        return f"{clock.remaining:g}+{clock.periods}x{clock.byoyomi:g}"
    if clock.byoyomi:
        return f"{clock.remaining:g}+{clock.byoyomi_stones}/{clock.byoyomi:g}"
    moves = f"{clock.moves_to_go}/" if clock.moves_to_go else ""
    return f"{moves}{clock.remaining:g}+{clock.increment:g}"


def start_clock(control: Clock) -> Clock:
    """Return the clock at the start of a game: in overtime at once if there is no main time."""
    return control if control.remaining > 0 or not control.byoyomi else _new_period(control)


def seconds_left(clock: Clock) -> float:
    """Return the seconds after which a turn loses, with all of the overtime."""
    if clock.periods:
        return clock.periods * (clock.byoyomi or clock.remaining) + (clock.remaining if clock.byoyomi else 0)
    return clock.remaining + clock.byoyomi


def after_turn(clock: Clock, seconds: float, control: Clock) -> Clock:
    """Return the clock after a turn of `seconds`; `control` is the clock at the start of the game."""
    rest = clock.remaining - seconds
    if not control.byoyomi:
        left, moves = max(0.0, rest) + clock.increment, clock.moves_to_go
        if moves is not None:
            moves -= 1
            left, moves = (left, moves) if moves else (left + control.remaining, control.moves_to_go)
        return Clock(left, clock.increment, moves)
    in_main_time = clock.byoyomi > 0
    if in_main_time and rest > 0:
        return replace(clock, remaining=rest)
    if control.periods:  # the one in which the turn ended is fresh again
        lost = max(0, math.ceil(-rest / control.byoyomi) - in_main_time)
        return overtime(control, control.byoyomi, max(1, clock.periods - lost))
    if in_main_time:
        return overtime(control, control.byoyomi + rest, control.byoyomi_stones)
    turns = (clock.moves_to_go or 1) - 1
    return overtime(control, rest, turns) if turns else _new_period(control)


def overtime(control: Clock, left: float, turns: int) -> Clock:
    """Return a clock in overtime: what is `left` of a period, and the turns in it, or Japan's periods."""
    periods, turns = (turns, 1) if control.periods else (0, turns)
    return Clock(max(0.0, left), moves_to_go=turns, periods=periods, expires=turns == 1)


def _new_period(control: Clock) -> Clock:
    """Return the clock at the start of the overtime."""
    return overtime(control, control.byoyomi, control.periods or control.byoyomi_stones)
