"""Motifs of ZÈRTZ: marbles that are captured, by jumps or by isolating rings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tengen.engine.play.motifs import Motif, counted, listed
from tengen.engine.zertz.rules import do_move
from tengen.engine.zertz.state import CLAIM, JUMP, NAMES, RING_NAMES, RING_STAGE
from tengen.engine.zertz.text import WORDS, colour_at, jump_rings


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
    marbles = " and ".join(counted(number, f"{word} marble") for number, word in numbers)
    return Motif(kind, f"{verb} {marbles}: {listed(taken)}", len(taken), tuple(taken))


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
    after, standing = s.copy(), _marbles(s)
    for action in actions:
        placing = after.stage == RING_STAGE
        do_move(after, action)
        if placing:  # the marble may be isolated together with others
            standing = _marbles(after) or standing
    left = _marbles(after)
    return {ring: colour for ring, colour in standing.items() if ring not in left}


def _marbles(s: Any) -> dict[str, int]:
    """Return the colours of the marbles on the board, by ring."""
    found = {name: colour_at(s, index) for name, index in NAMES[s.board].items()}
    return {name: colour for name, colour in found.items() if colour is not None}
