"""Turns of GIPF in steps: a push by dot and first spot, or a jump; before and after it, the rows to take."""

import itertools
from collections.abc import Sequence
from typing import Any

import tengen.engine.gipf.state as state
from tengen.engine.game import Outcome
from tengen.engine.gipf.board.turns import PREFIXES, after, jump_spots, removed_spots
from tengen.engine.gipf.picture import SIDES, piece_on
from tengen.engine.gipf.rules import outcome
from tengen.engine.gipf.text import parse_turn
from tengen.engine.play.steps import Choice, objection

VERB = "taken"
KIND_WORDS = (
    "basic piece",
    "GIPF-piece",
    *(f"{name.upper()}-charged piece" for name in state.POTENTIAL_NAMES),
)
NAMES_BESIDE = {
    "": KIND_WORDS[0],
    **{PREFIXES[kind]: KIND_WORDS[kind] for kind in PREFIXES if kind < state.EXTRA},
}

ROWS = ("Four in a row: choose the pieces to take, then confirm.",)
EXTRA_PUSH = ("The TAMSK potential on e5 makes a push: choose a dot.", "Choose the spot next to it.")
PROMPTS = {
    state.OPENING_EXTRA: EXTRA_PUSH,
    state.CLOSING_EXTRA: EXTRA_PUSH,
    state.OPENING_ROWS: ROWS,
    state.CLOSING_ROWS: ROWS,
}


def prompts(s: Any) -> list[str]:
    """Return what to do next in state `s`."""
    if s.stage != state.MAIN:
        return [*PROMPTS[int(s.stage)]]
    charged = [kind for kind in state.JUMPERS if int(s.pieces[s.side_to_move]) & int(s.charged[kind])]
    jumps = ", or a charged piece" if charged else ""
    what = "GIPF-piece" if s.rules == state.TOURNAMENT and not s.begun[s.side_to_move] else "piece"
    return [f"Push a {what} in: choose a dot at the edge{jumps}.", "Choose the spot onto which it goes."]


def choices(s: Any, legal: Sequence[int]) -> dict[int, Choice]:
    """Return how each of the `legal` actions is chosen in state `s`."""
    dots = _equivalent_pushes(s, legal)
    return {action: _choice(s, action, dots) for action in legal}


def _equivalent_pushes(s: Any, legal: Sequence[int]) -> dict[int, list[int]]:
    """Return the pushes that lead to the same position as each legal one, that one included, by action.

    `generate` lists only one of them, but a person may point at any dot.
    """
    listed = {int(after(s, action).key): action for action in legal if action < state.GIVE_UP}
    found: dict[int, list[int]] = {action: [] for action in listed.values()}
    free = ~int(s.pieces[state.WHITE] | s.pieces[state.BLACK])
    for kind in {action // state.PUSHES for action in found}:
        for push in range(state.PUSHES):
            if int(state.PUSH_MASK[push]) & free:
                action = listed.get(int(after(s, push + state.PUSHES * kind).key))
                if action is not None and action // state.PUSHES == kind:
                    found[action].append(push)
    return found


def _choice(s: Any, action: int, dots: dict[int, list[int]]) -> Choice:
    """Return how `action` is chosen; `dots` are the equivalent pushes."""
    if action >= state.REMOVE:
        taken = tuple(removed_spots(action))
        line = state.LINE_NAMES[(action - state.REMOVE) // 128][0]
        label = f"take {', '.join(taken)}" if taken else f"leave the row on the line from {line}"
        return Choice(label, taken=taken)
    if action >= state.JUMP:
        path = tuple(state.SPOT_NAMES[spot] for spot in jump_spots(s, action))
        return Choice(f"the potential jumps from {path[0]} to {path[1]}", (path,))
    if action == state.GIVE_UP:
        return Choice("no extra push: remove the TAMSK potential")
    kind, push = divmod(action, state.PUSHES)
    first = s.rules == state.TOURNAMENT and not s.begun[s.side_to_move]
    plain = kind not in PREFIXES or kind == state.EXTRA or (kind == state.GIPF_PIECE and first)
    head = () if plain else (PREFIXES[kind],)
    what = "extra piece" if kind == state.EXTRA else KIND_WORDS[kind]
    label = f"{what} from {' to '.join(state.PUSH_NAMES[push])}"
    paths = tuple((*head, *state.PUSH_NAMES[each]) for each in dots[action])
    return Choice(label, paths, warning=_warning(s, kind))


def _warning(s: Any, kind: int) -> str:
    """Return what a push of this kind gives up for the rest of the game [G-12][P-2]; empty if nothing."""
    me = s.side_to_move
    lost = ["GIPF-pieces"] if s.placing[me] and kind not in (state.GIPF_PIECE, state.EXTRA) else []
    lost += ["potentials"] if s.left[me].any() and kind == state.BASIC_PIECE else []
    if not lost:
        return ""
    rule = "P-2" if "potentials" in lost else "G-12"
    return f"This {KIND_WORDS[kind]} ends your right to bring in {' and '.join(lost)} [{rule}]."


def refusal(s: Any, places: Sequence[str]) -> str:
    """Return why `places` choose nothing in state `s`; empty where the text of a turn is made of them."""
    last = places[-1]
    if s.stage in (state.OPENING_ROWS, state.CLOSING_ROWS):
        return f"{last} is in no row that is to be taken: choose among the pieces ringed [G-3]"
    head = places[0] if places[0] in PREFIXES.values() else ""
    first, *rest = places[len(head) :] or [""]
    if s.stage != state.MAIN:
        head = PREFIXES[state.EXTRA]
    if first in state.NAMES:
        charged = (int(s.charged[kind]) >> state.NAMES[first] & 1 for kind in state.JUMPERS)
        if not any(charged) or not int(s.pieces[s.side_to_move]) >> state.NAMES[first] & 1:
            return f"pieces come in from the dots at the edge, and {first} is a spot [G-1]"
        target = rest[0] if rest else next(name for name in state.NAMES if name != first)
        return objection(parse_turn, s, f"j{first}-{target}")
    ends = rest or [spot for dot, spot in state.PUSH_NAMES if dot == first]
    said = [objection(parse_turn, s, f"{head}{first}-{end}") for end in ends]
    return said[0] if said and all(said) else ""


def ending(s: Any) -> tuple[str, list[str]]:
    """Return why the game is over."""
    loser = state.BLACK if outcome(s) == Outcome.FIRST_WINS else state.WHITE
    if s.begun[loser] and not s.pieces[loser] & s.gipf:
        return f"the last GIPF-piece of {SIDES[loser]} is gone [G-11]", []
    return f"{SIDES[loser]} has nothing left to bring in [G-7]", []


def contents(s: Any) -> dict[str, str]:
    """Return the pieces by spot, in words."""
    pieces = {name: piece_on(s, index) for name, index in state.NAMES.items()}
    return {name: piece.words for name, piece in pieces.items() if piece}


def moves(s: Any, action: int) -> list[tuple[str, str]]:
    """Return which pieces `action` moves in state `s`, from where and where to, the foremost one first."""
    if action >= state.REMOVE or action == state.GIVE_UP:
        return []
    if action >= state.JUMP:
        source, target = jump_spots(s, action)
        return [(state.SPOT_NAMES[source], state.SPOT_NAMES[target])]
    push = action % state.PUSHES
    occupied = int(s.pieces[state.WHITE] | s.pieces[state.BLACK])
    line = state.PUSH_SPOTS[push]
    end = next(index for index, spot in enumerate(line) if not occupied >> spot & 1)
    names = [state.PUSH_NAMES[push][0], *(state.SPOT_NAMES[spot] for spot in line[: end + 1])]
    return list(itertools.pairwise(names))[::-1]
