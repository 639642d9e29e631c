"""Motifs of ZÈRTZ: marbles that are captured, by jumps or by isolating rings."""

from collections.abc import Sequence
from typing import Any

from tengen.engine.play.motifs import Motif, counted, listed
from tengen.engine.zertz.rules import do_move
from tengen.engine.zertz.state import CLAIM, JUMP, RING_NAMES, RING_STAGE
from tengen.engine.zertz.text import WORDS, colour_at, jump_rings, marbles_on


def motifs(s: Any, actions: Sequence[int]) -> list[Motif]:
    """Return what the turn made of `actions` does in state `s`."""
    after = s.copy()
    if JUMP <= int(actions[0]) < CLAIM:
        taken = {}
        for action in actions:
            over = jump_rings(int(action))[1]
            taken[RING_NAMES[s.board][over]] = colour_at(after, over) or 0
            do_move(after, action)
        return [_motif("capture", "captures", taken)]
    standing = marbles_on(s)
    for action in actions:
        placing = after.stage == RING_STAGE
        do_move(after, action)
        if placing:  # the marble may be isolated together with others
            standing = marbles_on(after) or standing
    left = marbles_on(after)
    isolated = {ring: colour for ring, colour in standing.items() if ring not in left}
    return [_motif("isolation", "isolates", isolated)] if isolated else []


def _motif(kind: str, verb: str, taken: dict[str, int]) -> Motif:
    """Return the motif of capturing marbles, colours by ring."""
    colours = list(taken.values())
    numbers = [(colours.count(colour), word) for colour, word in enumerate(WORDS) if colour in colours]
    what = " and ".join(counted(number, f"{word} marble") for number, word in numbers)
    return Motif(kind, f"{verb} {what}: {listed(taken)}", len(taken), tuple(taken))
