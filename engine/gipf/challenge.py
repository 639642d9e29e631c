"""Challenges in GIPF [P-9][P-12]: the use of a potential can be challenged, the potential is at stake."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import tengen.engine.gipf.state as state
from tengen.engine.gipf.board.turns import after, jump_spots
from tengen.engine.gipf.rules import begin_turn, do_move

RULE = "P-9"


def challenges_left(s: Any, side: int) -> int:
    """Return the number of challenges that `side` has left."""
    return int(s.challenges[side])


def answered(s: Any, side: int, challenged: bool, options: Mapping[str, Any]) -> Any:
    """Return `s` after `side` has answered an announced use: it has spent a challenge if it `challenged`.

    If only the first use of a player may be challenged, no challenge is left after it [P-12].
    """
    s = s.copy()
    if options["challenge-uses"] == "first":
        s.challenges[side] = 0
    elif challenged:
        s.challenges[side] -= 1
    return s


def stake(s: Any, actions: Sequence[int], options: Mapping[str, Any]) -> int | None:
    """Return the piece whose potential is used in a turn and may be challenged; None if there is none.

    It is the bit number of the piece in `s`, at the beginning of the turn; what precedes the use may move it.
    Of several uses, the first counts.
    """
    kinds = _kinds(options)
    before = s.copy()
    for number, action in enumerate(actions):
        if state.JUMP <= action < state.REMOVE or state.EXTRA * state.PUSHES <= action < state.GIVE_UP:
            source = (
                jump_spots(before, action)[0] if action >= state.JUMP else int(state.CENTRE).bit_length() - 1
            )
            kind = next((kind for kind in kinds if _charged(before, kind) >> source & 1), None)
            if kind:
                return _origin(s, kind, actions[:number], source)
        do_move(before, action)
    return None


def _kinds(options: Mapping[str, Any]) -> list[str]:
    """Return the kinds of potentials that may be challenged, as their options are called."""
    return str(options["challenge-of"]).split("+")


def _charged(s: Any, kind: str) -> int:
    """Return the spots of the pieces charged with a kind of potential, of both sides, covered ones too."""
    return int(s.charged[state.POTENTIAL_NAMES.index(kind)])


def _origin(s: Any, kind: str, actions: Sequence[int], source: int) -> int:
    """Return where the charged piece that stands on `source` after `actions` stands in `s`."""
    for cell in (cell for cell in state.SPOT_NAMES if _charged(s, kind) >> cell & 1):
        without = s.copy()
        state.discharge(without, np.uint64(cell))
        if not _charged(after(without, *actions), kind) >> source & 1:
            break
    return cell


def forfeit(s: Any, cell: int) -> Any:
    """Return `s` at the beginning of a turn without the potential on `cell`; the base stays."""
    s = s.copy()
    state.discharge(s, np.uint64(cell))
    begin_turn(s)
    return s


def name(cell: int) -> str:
    """Return the name of the potential on `cell`."""
    return f"the potential on {state.SPOT_NAMES[cell]}"


def max_stakes(s: Any, side: int, options: Mapping[str, Any]) -> int:
    """Return an upper bound of the uses of `side` that may still be challenged."""
    own = int(s.pieces[side] | state.stacks(s))  # a stack may cover a piece of either side
    left = dict(zip(state.POTENTIAL_NAMES, s.left[side], strict=True))
    potentials = sum((own & _charged(s, kind)).bit_count() + int(left[kind]) for kind in _kinds(options))
    return min(potentials, 1) if options["challenge-uses"] == "first" else potentials
