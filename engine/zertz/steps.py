"""Turns of ZÈRTZ in steps: a marble, the ring to fill, the ring to take, claims; or jump after jump."""

from collections.abc import Sequence
from typing import Any

import tengen.engine.zertz.state as state
from tengen.engine.game import Outcome
from tengen.engine.play.steps import Choice, objection
from tengen.engine.zertz.isolation import first_claimable
from tengen.engine.zertz.rules import outcome
from tengen.engine.zertz.text import WORDS, colour_at, jump_rings, marbles_on, parse_turn, ring_text

VERB = "captured"
GONE = "no ring"  # of a place that has left the board
NAMES_BESIDE = dict(zip(state.COLOURS, (f"{word} marble" for word in WORDS), strict=True))

PROMPTS = {
    state.MARBLE_STAGE: ("Place a marble: choose its colour.",),
    state.CAPTURE_STAGE: (
        "You must capture: choose the marble that jumps.",
        "Choose the ring on which it lands.",
    ),
    state.PASS_STAGE: ("You must pass: you have no marble to place.",),
    state.RING_STAGE: ("Choose a vacant ring for the {} marble.",),
    state.REMOVAL_STAGE: ("Now take away a free ring at the edge (ringed).",),
    state.CLAIM_STAGE: ("The marbles ringed are cut off: claim them, or leave them.",),
    state.JUMP_STAGE: ("The same marble must jump on: choose the ring on which it lands.",),
}
REFUSALS = {
    state.RING_STAGE: "the marble is chosen: it needs a ring, or go back [Z-2]",
    state.REMOVAL_STAGE: "the marble is placed: a ring has to be removed [Z-2]",
    state.CLAIM_STAGE: "only the marbles ringed can be claimed [Z-5]",
    state.PASS_STAGE: "who can neither place nor capture passes [Z-1]",
}


def prompts(s: Any) -> list[str]:
    """Return what to do next in state `s`."""
    return [prompt.format(WORDS[s.hand]) for prompt in PROMPTS[int(s.stage)]]


def choices(s: Any, legal: Sequence[int]) -> dict[int, Choice]:
    """Return how each of the `legal` actions is chosen in state `s`."""
    return {action: _choice(s, action) for action in legal}


def _choice(s: Any, action: int) -> Choice:
    names = state.RING_NAMES[s.board]
    if action < state.PLACE:
        return Choice(f"{WORDS[action]} marble", ((state.COLOURS[action],),))
    if action < state.REMOVE:
        ring = names[(action - state.PLACE) % 64]
        return Choice(f"put it on {ring}", ((ring,),))
    if action < state.JUMP:
        ring = names[action - state.REMOVE]
        return Choice(f"remove the ring {ring}", ((ring,),))
    if action < state.CLAIM:
        source, over, target = jump_rings(action)
        path = (names[target],) if s.stage == state.JUMP_STAGE else (names[source], names[target])
        captured = WORDS[colour_at(s, over) or 0]
        return Choice(f"{names[source]} captures {captured} and lands on {names[target]}", (path,))
    if action == state.PASS:
        return Choice("pass")
    group = int(first_claimable(s))
    rings = [name for name, index in state.NAMES[s.board].items() if group >> index & 1]
    if action == state.CLAIM:
        return Choice(f"claim {', '.join(rings)}", tuple((ring,) for ring in rings))
    return Choice("do not claim them")


def refusal(s: Any, places: Sequence[str]) -> str:
    """Return why `places` choose nothing in state `s`; empty where the text of a turn is made of them."""
    last, stage = places[-1], int(s.stage)
    there = "" if last in state.COLOURS else ring_text(s, state.NAMES[s.board][last])
    occupied = f"the ring {last} is {'gone' if there == '-' else 'occupied'}"
    if stage == state.CAPTURE_STAGE:
        if places[1:]:
            return objection(parse_turn, s, f"x{''.join(places)}")
        if not there or there in "-.":
            return "a capture must be made: choose a marble that can jump [Z-1]"
        return f"the marble on {last} cannot jump [Z-4]"
    if stage == state.MARBLE_STAGE:
        if there:
            return "the colour of the marble comes first: choose one beside the board [Z-2]"
        return objection(parse_turn, s, last + next(iter(state.NAMES[s.board])))
    if stage == state.JUMP_STAGE:
        return f"the marble that has jumped cannot land on {last}, and must jump on [Z-4]"
    if there == "." and stage == state.REMOVAL_STAGE:
        return f"the ring {last} cannot slide out: rings around it hold it [Z-3]"
    return f"{occupied} [Z-2]" if there else REFUSALS.get(stage, "")


def ending(s: Any) -> tuple[str, list[str]]:
    """Return why the game is over."""
    if outcome(s) == Outcome.DRAW:
        return "both players have passed [Z-1]", []
    if not s.rings:
        return "every ring was occupied [Z-8]", []
    held = s.captured[int(outcome(s)) - Outcome.FIRST_WINS]
    counts = zip(held, WORDS, state.GOALS[s.rules], strict=True)
    reached = [f"{count} {word} marbles" for count, word, goal in counts if count >= goal]
    return (
        f"{', '.join(reached) or f'{state.GOAL_OF_EACH[s.rules]} marbles of each colour'} captured [Z-7]",
        [],
    )


def contents(s: Any) -> dict[str, str]:
    """Return the marbles by ring, in words."""
    return {name: WORDS[colour] for name, colour in marbles_on(s).items()}


def removable_places(s: Any) -> list[str]:
    """Return the rings that are left."""
    return [name for name, index in state.NAMES[s.board].items() if int(s.rings) >> index & 1]


def moves(s: Any, action: int) -> list[tuple[str, str]]:
    """Return which piece `action` moves in state `s`, from where and where to."""
    names = state.RING_NAMES[s.board]
    if state.PLACE <= action < state.REMOVE:
        colour, ring = divmod(action - state.PLACE, 64)
        return [(state.COLOURS[colour], names[ring])]
    if state.JUMP <= action < state.CLAIM:
        source, _, target = jump_rings(action)
        return [(names[source], names[target])]
    return []
