"""Openings of matches: a few random legal turns, each leading to a different position."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from tengen.engine.challenge import begin
from tengen.engine.errors import OptionError
from tengen.engine.game import GameSpec, Outcome
from tengen.engine.position import Position
from tengen.engine.turns import legal_actions

Opening = tuple[str, ...]

TRIES = 1000  # consecutive failures to find a new opening after which they count as exhausted


def openings(spec: GameSpec, turns: int, seed: int) -> Iterator[Opening]:
    """Yield openings of `turns` random legal turns that lead to different positions, mirror images included.

    The same arguments give the same openings in the same order. No opening ends the game or stops within a
    challenge. With `turns` 0 every opening is the start of the game, which suits players that vary.

    Raises
    ------
    OptionError
        If no more openings are found; the message says how many there were.
    """
    if turns == 0:
        yield from itertools.repeat(())
    rng = random.Random(f"{spec} {turns} {seed}")
    seen: set[int] = set()
    found = failures = 0
    while failures < TRIES:
        position = random_position(spec, turns, rng)
        unfit = position.outcome() != Outcome.ONGOING or position.challenge != "none"
        if unfit or int(position.state.key) in seen:
            failures += 1
            continue
        failures = 0
        found += 1
        seen.update(int(state.key) for state in spec.game.rules.symmetries(position.state))
        yield tuple(position.turns_played)
    raise OptionError(
        f"openings: expected enough different positions after {turns} random turns of {spec}, found {found}; "
        "ask for longer openings or fewer games"
    )


def random_position(spec: GameSpec, turns: int, rng: random.Random) -> Position:
    """Return a position after `turns` random turns, or fewer if the game ends earlier."""
    position = begin(spec)
    for _ in range(turns):
        if position.outcome() != Outcome.ONGOING:
            break
        position.play(random_turn(position, rng))
    return position


def random_turn(position: Position, rng: random.Random) -> str:
    """Return a legal turn as text; each of its actions is chosen uniformly."""
    active = position.active
    if active is None:
        return rng.choice(position.turns())
    rules = active.spec.game.rules
    state = active.state.copy()
    turn: list[int] = []
    while not turn or state.partial:
        legal = legal_actions(rules, state)
        action = legal[rng.randrange(len(legal))]
        turn.append(action)
        rules.do_move(state, action)
    return position.format(tuple(turn))
