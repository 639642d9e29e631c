"""Complete turns of GIPF: the canonical turn to each position, and their texts (docs/gipf.md, Turns)."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import tengen.engine.gipf.state as state
from tengen.engine.gipf import rules
from tengen.engine.gipf.board.potentials import jump_ends
from tengen.engine.gipf.rules import do_move
from tengen.engine.jit import specialise
from tengen.engine.play.turns import without_padding

PREFIXES = {state.GIPF_PIECE: "G", state.EXTRA: "p"} | {
    state.CHARGED + kind: letter for kind, letter in enumerate("ZTDYU")
}
GIVEN_UP = "p-"


def _turns(s: Any, end: Any = None) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the turns of `s`, all or only those to `end`, and the keys of the positions after them."""
    found, keys = specialise("tengen.engine.play.turn_table", rules).turn_table(s, end)
    return list(map(without_padding, found.tolist())), keys.tolist()


def after(s: Any, *actions: int) -> Any:
    """Return the state after `actions` in state `s`."""
    child = s.copy()
    for action in actions:
        do_move(child, action)
    return child


def jump_spots(s: Any, action: int) -> tuple[int, int]:
    """Return the bit numbers of the start and the end of a jump or move of a potential in state `s`."""
    start, end = jump_ends(s, np.int64(action))
    return int(start), int(end)


def _sort_key(s: Any, actions: Sequence[int], text: str) -> tuple[Any, ...]:
    """Return the sort key of a turn among those to the same position."""
    pushes, lines = [], []
    s = s.copy()
    for action in actions:
        if action >= state.REMOVE:
            if (action - state.REMOVE) % 128:
                lines.append(state.LINE_NAMES[(action - state.REMOVE) // 128])
        elif action >= state.JUMP:
            pushes.append(tuple(state.SPOT_NAMES[cell] for cell in jump_spots(s, action)))
        elif action != state.GIVE_UP:
            pushes.append(state.PUSH_NAMES[action % state.PUSHES])
        do_move(s, action)
    return pushes, lines, text


def _least(s: Any, turns: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the canonical one of several turns to the same position."""
    if len(turns) == 1:
        return turns[0]
    return min(turns, key=lambda actions: _sort_key(s, actions, plain_text(s, actions)))


def canonical_turns(s: Any) -> Iterator[tuple[int, ...]]:
    """Yield the canonical turns of a state at the beginning of a turn, in the order of ``generate``."""
    alike: dict[int, list[tuple[int, ...]]] = {}
    for turn, key in zip(*_turns(s), strict=True):
        alike.setdefault(key, []).append(turn)
    return (_least(s, turns) for turns in alike.values())


def canonical(s: Any, actions: Sequence[int]) -> tuple[int, ...]:
    """Return the canonical turn to the position after `actions`, from a state at the beginning of a turn."""
    actions = tuple(int(action) for action in actions)
    if len(actions) == 1 and actions[0] < state.REMOVE and s.stage == state.MAIN:
        return actions  # without removals `generate` lists only the smallest dot
    return _least(s, _turns(s, after(s, *actions))[0])


# ----------------------------------------------------------------------------------------------------- texts


def removed_spots(action: int) -> list[str]:
    """Return the names of the spots that a removal takes, along the line."""
    line, mask = divmod(action - state.REMOVE, 128)
    cells = state.LINE_CELLS[line, : state.LINE_LENGTH[line]].tolist()
    return [state.SPOT_NAMES[cell] for i, cell in enumerate(cells) if mask >> i & 1]


def action_text(s: Any, action: int) -> str:
    """Return the text of one action in state `s`; empty if nothing is taken of a row."""
    if action >= state.REMOVE:
        spots = removed_spots(action)
        return "x" + ",".join(spots) if spots else ""
    if action >= state.JUMP:
        return "j" + "-".join(state.SPOT_NAMES[cell] for cell in jump_spots(s, action))
    if action == state.GIVE_UP:
        return GIVEN_UP
    kind, push = divmod(action, state.PUSHES)
    return PREFIXES.get(kind, "") + "-".join(state.PUSH_NAMES[push])


def plain_text(s: Any, actions: Sequence[int]) -> str:
    """Return the text of exactly these actions in state `s`."""
    parts = []
    s = s.copy()
    for action in actions:
        parts.append(action_text(s, action))
        do_move(s, action)
    return ";".join(part for part in parts if part)
