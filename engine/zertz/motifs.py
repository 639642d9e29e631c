"""Motifs of ZÈRTZ: marbles that are captured, by jumps or by isolating rings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tengen.engine.play.motifs import Motif, counted, listed
from tengen.engine.zertz.rules import do_move
from tengen.engine.zertz.state import CLAIM, JUMP, RING_NAMES, RING_STAGE
from tengen.engine.zertz.text import WORDS, colour_at, jump_rings, marbles_on


def motifs(s: Any, actions: Sequence[int]) -> list[Motif]:
    """Return what the turn made of `actions` does in state `s`."""
    if JUMP <= int(actions[0]) < CLAIM:
        return [_motif("capture", "captures", _jumped(s, actions))]
    isolated = _isolated(s, actions)
    return [_motif("isolation", "isolates", isolated)] if isolated else []


def _motif(kind: str, verb: str, taken: dict[str, int]) -> Motif:
    """Return the motif of capturing marbles, colours by ring."""
    colours = list(taken.values())
    numbers = [(colours.count(colour), word) for colour, word in enumerate(WORDS) if colour in colours]
    what = " and ".join(counted(number, f"{word} marble") for number, word in numbers)
    return Motif(kind, f"{verb} {what}: {listed(taken)}", len(taken), tuple(taken))


def _jumped(s: Any, actions: Sequence[int]) -> dict[str, int]:
    """Return the colours of the marbles that a capture jumps over, by ring."""
    after, taken = s.copy(), {}
    for action in actions:
        over = jump_rings(int(action))[1]
        taken[RING_NAMES[s.board][over]] = colour_at(after, over) or 0
        do_move(after, action)
    return taken


def _isolated(s: Any, actions: Sequence[int]) -> dict[str, int]:
    """Return the colours of the marbles that leave the board with a placement, by ring."""
    after, standing = s.copy(), marbles_on(s)
    for action in actions:
        placing = after.stage == RING_STAGE
        do_move(after, action)
        if placing:  # the marble may be isolated together with others
            standing = marbles_on(after) or standing
    left = marbles_on(after)
    return {ring: colour for ring, colour in standing.items() if ring not in left}
