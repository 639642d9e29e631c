"""Turns of DVONN in steps: the space to fill, or the stack to move and where to."""

from collections.abc import Sequence
from typing import Any

from tengen.engine.dvonn.picture import stack_at
from tengen.engine.dvonn.rules import can_move, score
from tengen.engine.dvonn.state import DVONN_PIECES, NAMES, PIECES, surrounded
from tengen.engine.dvonn.text import format_turn, parse_turn
from tengen.engine.play.steps import Choice, objection

VERB = "cut off"
OWNERS = ("white", "black", "red DVONN")


def prompts(s: Any) -> list[str]:
    """Return what to do next in state `s`."""
    if s.placed < PIECES:
        what = "red DVONN" if s.placed < DVONN_PIECES else OWNERS[s.side_to_move]
        return [f"Place a {what} piece on an empty space, {s.placed + 1} of {PIECES}."]
    if not can_move(s, s.side_to_move):
        return [f"You must pass: none of your stacks can move. {_stand(s)}."]
    return [f"Choose the stack to move. {_stand(s)}.", "Choose the stack on which it goes."]


def _stand(s: Any) -> str:
    """Return who controls how many pieces."""
    return f"White controls {int(score(s, 0))} pieces, Black {int(score(s, 1))}"


def choices(s: Any, legal: Sequence[int]) -> dict[int, Choice]:
    """Return how each of the `legal` actions is chosen in state `s`."""
    found = {}
    for action in legal:
        text = format_turn(s, (action,))
        path = _places_of(text)
        label = " to ".join(path) if len(path) == 2 else f"put it on {text}" if path else text
        found[action] = Choice(label, (path,) if path else ())
    return found


def _places_of(turn: str) -> tuple[str, ...]:
    """Return the spaces that a turn names: ``c3``, ``a1b2``; none for a pass."""
    return tuple(name for name in (turn[:2], turn[2:]) if name in NAMES)


def refusal(s: Any, places: Sequence[str]) -> str:
    """Return why `places` choose nothing in state `s`; empty where the text of a turn is made of them."""
    if s.placed < PIECES or len(places) > 1:
        return ""
    if not can_move(s, s.side_to_move):
        return "none of your stacks can move: you must pass [D-7]"
    (source,) = places
    cell = NAMES[source]
    if (int(s.control[s.side_to_move]) & ~int(surrounded(s.occupied))) >> cell & 1:
        return f"the stack on {source} moves exactly {s.height[cell]}, and finds nothing there [D-3]"
    return objection(parse_turn, s, source + next(name for name in NAMES if name != source))


def ending(s: Any) -> tuple[str, list[str]]:
    """Return why the game is over."""
    return f"nobody can move; {_stand(s)} [D-8]", []


def contents(s: Any) -> dict[str, str]:
    """Return the stacks by space, in words."""
    found = {}
    for name, cell in NAMES.items():
        owner, height, red = stack_at(s, cell)
        held = f" with {'a' if red == 1 else red} DVONN piece{'s' if red > 1 else ''}" if red else ""
        if height:
            what = "piece" if height == 1 else f"stack of {height}{held}"
            found[name] = f"{OWNERS[owner]} {what}"
    return found


def moves(s: Any, action: int) -> list[tuple[str, str]]:
    """Return which piece `action` moves in state `s`, from where and where to."""
    if s.placed < PIECES:
        return []
    path = _places_of(str(format_turn(s, (action,))))
    return [(path[0], path[1])] if path else []
