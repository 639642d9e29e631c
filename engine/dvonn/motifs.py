"""Motifs of DVONN: stacks that are taken, and pieces that are cut off from the DVONN pieces."""

from collections.abc import Sequence
from typing import Any

from tengen.engine.dvonn.picture import stack_at
from tengen.engine.dvonn.rules import PASS, do_move
from tengen.engine.dvonn.state import LONE, NAMES, PIECES
from tengen.engine.play.motifs import Motif, counted, listed, most_important

LEAST_HEIGHT = 2  # of a stack that is worth telling: nearly every turn takes a piece
SHIFT, LOW = 6, 63  # of the destination and the source of a move


def motifs(s: Any, actions: Sequence[int]) -> list[Motif]:
    """Return what the turn made of `actions` does in state `s`."""
    action, me = int(actions[0]), int(s.side_to_move)
    if s.placed < PIECES or action == PASS:
        return []
    after = s.copy()
    do_move(after, action)
    found = []
    owner, height, _ = stack_at(s, action >> SHIFT)
    target = next(name for name, cell in NAMES.items() if cell == action >> SHIFT)
    if owner == 1 - me and height >= LEAST_HEIGHT:
        found.append(Motif("stack", f"takes the stack of {height} on {target}", height, (target,)))
    lost: dict[int, dict[str, int]] = {0: {}, 1: {}}
    for name, cell in NAMES.items():
        owner, height, _ = stack_at(s, cell)
        if cell != action & LOW and owner != LONE and height and not after.height[cell]:
            lost[owner][name] = height
    for side, stacks in lost.items():
        if stacks:
            own = side == me
            pieces = sum(stacks.values())
            words = f"cuts off {counted(pieces, 'piece')}{' of its own' if own else ''}: {listed(stacks)}"
            kind = "cuts-off-own" if own else "cut-off"
            found.append(Motif(kind, words, pieces, tuple(stacks), harm=own))
    return most_important(found)
