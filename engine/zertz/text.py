"""Texts of ZÈRTZ: positions ``.w../..-.../... 5,6,9 0,1,0 0,0,0 1``, turns ``Wd4,d1``, ``xd1Gd3Wd5``."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

import tengen.engine.zertz.state as layout
from tengen.engine.errors import IllegalTurnError, NotationError, PositionError, quoted
from tengen.engine.game import Outcome
from tengen.engine.play.turns import legal_actions, turn_sequences
from tengen.engine.zertz import rules
from tengen.engine.zertz.isolation import first_claimable
from tengen.engine.zertz.rules import begin_turn, check, do_move, empty_state, holds_goal

WORDS = ("white", "grey", "black")
COUNTED = ("pool", "captures of player 1", "captures of player 2")
FORM = "columns such as .w.- between slashes, pool W,G,B, captures of player 1, of player 2, 1 or 2 to move"
TURN_FORM = "a placement such as Wd4,d1, a capture such as xd1Gd3, or pass"
RING = "[a-i][1-9]"

# -------------------------------------------------------------------------------------------------- positions


def format_position(s: Any) -> str:
    """Return the canonical text of a state at the beginning of a turn."""
    board = "/".join("".join(ring_text(s, index) for index in column) for column in columns(s.board))
    counts = [",".join(str(n) for n in numbers) for numbers in (s.pool, *s.captured)]
    return " ".join([board, *counts, "12"[s.side_to_move], *["pass"] * int(s.passes)])


def columns(board: int) -> list[list[int]]:
    """Return the bits of a board's rings by column, from the left, each from the bottom."""
    return [
        [index for _, index in rings]
        for _, rings in groupby(layout.NAMES[board].items(), lambda ring: ring[0][0])
    ]


def ring_text(s: Any, index: int) -> str:
    """Return the symbol of a place in position texts: ``-``, ``.``, ``w``, ``g`` or ``b``."""
    if not int(s.rings) >> index & 1:
        return "-"
    colour = colour_at(s, index)
    return "." if colour is None else layout.COLOURS[colour].lower()


def colour_at(s: Any, index: int) -> int | None:
    """Return the colour of the marble on the ring with bit `index`; None if there is none."""
    return next((c for c in range(len(layout.COLOURS)) if int(s.marbles[c]) >> index & 1), None)


def marbles_on(s: Any) -> dict[str, int]:
    """Return the colours of the marbles on the board, by ring."""
    found = {name: colour_at(s, index) for name, index in layout.NAMES[s.board].items()}
    return {name: colour for name, colour in found.items() if colour is not None}


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes.

    Raise NotationError when it is malformed, PositionError with all faults when no game can reach it.
    """
    s = empty_state(options)
    board, *words = text.split()[:5] or [""]
    passes = text.split()[5:]
    if len(words) != 4 or len(passes) > 2 or any(word != "pass" for word in passes):
        raise NotationError(f"position: expected {FORM} (and pass after a pass), got {quoted(text, 60)}")
    malformed = _put_board(s, board)
    for what, word, field in zip(COUNTED, words, (s.pool, *s.captured), strict=False):
        numbers = word.split(",")
        if len(numbers) != len(layout.COLOURS) or not all(re.fullmatch("[0-9]{1,2}", n) for n in numbers):
            form = "white,grey,black marbles such as 1,0,2"
            malformed.append(f"expected {what} as {form}, got {quoted(word)}")
        elif any(int(n) > layout.MAX_MARBLES for n in numbers):
            most = f"at most {layout.MAX_MARBLES} marbles of a colour"
            malformed.append(f"expected {most} as {what}, got {quoted(word)}")
        else:
            field[:] = [int(n) for n in numbers]
    if words[3] not in ("1", "2"):
        malformed.append(f"expected 1 or 2 to move, got {quoted(words[3])}")
    if malformed:
        raise NotationError("position: " + "; ".join(malformed))
    s.side_to_move = "12".index(words[3])
    s.passes = len(passes)
    begin_turn(s)
    if faults := status(s):
        raise PositionError(faults, s)
    return s


def _put_board(s: Any, text: str) -> list[str]:
    """Put the rings and marbles of `text` on `s`; return the faults of the text."""
    expected = columns(s.board)
    given = text.split("/")
    if len(given) != len(expected):
        return [f"expected {len(expected)} columns, got {len(given)} in {quoted(text)}"]
    faults = []
    for letter, column, rings in zip("abcdefghi", given, expected, strict=False):
        if not re.fullmatch("[-.wgb]*", column):
            faults.append(f"expected - . w g or b in column {letter}, got {quoted(column)}")
        elif len(column) != len(rings):
            faults.append(
                f"expected {len(rings)} rings in column {letter}, got {len(column)} in {quoted(column)}"
            )
        else:
            for index, ring in zip(rings, column, strict=True):
                if ring != "-":
                    s.rings |= np.uint64(1 << index)
                if ring in "wgb":
                    s.marbles["wgb".index(ring)] |= np.uint64(1 << index)
    return faults


def status(s: Any) -> list[str]:
    """Return all reasons in words why no game can reach the state `s`; empty if none is known."""
    faults = check(s)
    if s.partial:
        return faults
    if holds_goal(s, np.uint64(s.side_to_move)):
        faults.append(
            f"player {s.side_to_move + 1} holds a goal, and would have won at the end of the own turn"
        )
    if s.rings and not layout.vacant_rings(s):
        faults.append("expected a vacant ring: who occupies the last one takes all rings")
    if not s.rings and not s.captured[1 - s.side_to_move].any():
        faults.append(
            f"expected the last marbles among the captures of player {2 - s.side_to_move}, who took the board"
        )
    could_play = not s.rings or s.stage == layout.CAPTURE_STAGE or s.pool.any()
    for player in (1 - s.side_to_move, s.side_to_move)[: s.passes]:
        if could_play or s.captured[player].any():
            faults.append(f"expected no pass of player {player + 1}, who could place or capture")
    return faults


# ------------------------------------------------------------------------------------------------------ turns


def format_turn(s: Any, actions: Sequence[int]) -> str:
    """Return the text of the turn made of `actions` in state `s`."""
    names: dict[int, str] = layout.RING_NAMES[s.board]
    first = int(actions[0])
    if first == layout.PASS:
        return "pass"
    if first >= layout.JUMP:
        after, text = s.copy(), "x" + names[jump_rings(first)[0]]
        for action in actions:
            _, over, target = jump_rings(action)
            text += ring_text(after, over).upper() + names[target]
            do_move(after, action)
        return text
    text = layout.COLOURS[first] + names[(int(actions[1]) - layout.PLACE) % 64]
    if len(actions) > 2 and actions[2] < layout.JUMP:
        text += "," + names[int(actions[2]) - layout.REMOVE]
    if claimed := _claimed(s, actions):
        board = _with_marble(s, actions)
        text += "x" + "".join(ring_text(board, index).upper() + names[index] for index in claimed)
    return text


def jump_rings(action: int) -> tuple[int, int, int]:
    """Return the bits of the rings where a jump begins, passes over and ends."""
    source, direction = divmod(int(action) - layout.JUMP, 6)
    over = int(layout.NEIGHBOURS[direction, source])
    return source, over, int(layout.NEIGHBOURS[direction, over])


def _played(s: Any, actions: Sequence[int]) -> Any:
    """Return the state after `actions`."""
    after = s.copy()
    for action in actions:
        do_move(after, action)
    return after


def _with_marble(s: Any, actions: Sequence[int]) -> Any:
    """Return `s` with only the marble of the placement `actions` added to the board."""
    board = s.copy()
    board.marbles[int(actions[0])] |= np.uint64(1 << (int(actions[1]) - layout.PLACE) % 64)
    return board


def _claimed(s: Any, actions: Sequence[int]) -> list[int]:
    """Return the bits of the rings that a placement claims, in the order of their names."""
    asked = s.auto or any(action >= layout.CLAIM for action in actions)
    room = int(layout.vacant_rings(s)).bit_count()
    if not asked and room > 2:  # the board does not become full either [Z-8]
        return []
    gone = int(s.rings) & ~int(_played(s, actions).rings)
    removed = {int(action) - layout.REMOVE for action in actions if layout.REMOVE <= action < layout.JUMP}
    return [index for index in layout.RING_NAMES[s.board] if gone >> index & 1 and index not in removed]


def without_details(turn: str) -> str:
    """Return the text of a turn but for the ring that a placement takes."""
    return re.sub(rf",{RING}", "", turn)


def parse_turn(s: Any, text: str) -> tuple[int, ...]:
    """Return the actions of the turn `text` in state `s`.

    Raise NotationError when it is not a turn of ZÈRTZ on this board, IllegalTurnError with the rule that
    refuses it.
    """
    word = re.sub(r"\s*([x,])\s*", r"\1", text.strip().lower())
    placement = re.fullmatch(rf"([wgb])({RING})(?:,({RING}))?((?:x(?:[wgb]?{RING})+)*)", word)
    capture = re.fullmatch(rf"x({RING})((?:[wgb]?{RING})+)", word)
    if not (placement or capture or word == "pass"):
        raise NotationError(f"turn: expected {TURN_FORM}, got {quoted(text)}")
    names = layout.NAMES[s.board]
    for name in re.findall(RING, word) if word != "pass" else ():
        if name not in names:
            (first, *_, last), column = names, [n for n in names if n[0] == name[0]]
            known = f"rings {column[0]} to {column[-1]}" if column else f"columns {first[0]} to {last[0]}"
            raise NotationError(f"turn: expected {known}, got {name} in {quoted(text)}")
    if rules.outcome(s) != Outcome.ONGOING:
        rule = "Z-8" if not s.rings else "Z-1" if s.passes else "Z-7"
        raise IllegalTurnError(text, "the game is over", rule)
    try:
        if placement:
            return _parse_placement(s, *placement.groups())
        if capture:
            return _parse_capture(s, *capture.groups())
        if s.stage != layout.PASS_STAGE:
            raise _IllegalTurn("only who can neither place nor capture passes", "Z-1")
        return (layout.PASS,)
    except _IllegalTurn as refusal:
        raise IllegalTurnError(text, *refusal.args) from None


class _IllegalTurn(Exception):
    """The reason why a turn is illegal, and the rule."""


def _marbles(s: Any, text: str) -> list[tuple[str, int]]:
    """Return the colours (empty if omitted) and the bits of the rings in a list such as ``gd3wd5``."""
    return [(colour, layout.NAMES[s.board][name]) for colour, name in re.findall(f"([wgb]?)({RING})", text)]


def _parse_capture(s: Any, first: str, jumps: str) -> tuple[int, ...]:
    """Return the jumps of a capture [Z-4]."""
    names = layout.RING_NAMES[s.board]
    at, after = layout.NAMES[s.board][first], s.copy()
    actions: list[int] = []
    if ring_text(s, at) in "-.":
        raise _IllegalTurn(f"no marble lies on {first}", "Z-4")
    for colour, target in _marbles(s, jumps):
        legal = [action for action in legal_actions(rules, after) if layout.JUMP <= action < layout.CLAIM]
        found = {
            jump_rings(a)[2]: a for a in legal if after.partial == bool(actions) and jump_rings(a)[0] == at
        }
        if target not in found:
            ends = ", ".join(names[end] for end in found)
            can = f"jumps to {ends}" if ends else "cannot jump"
            raise _IllegalTurn(f"the marble on {names[at]} {can}, got {names[target]}", "Z-4")
        _, over, _ = jump_rings(found[target])
        if colour and colour != ring_text(after, over):
            raise _IllegalTurn(
                f"the marble on {names[over]} is {_word(after, over)}, got {colour.upper()}", "Z-4"
            )
        actions.append(found[target])
        do_move(after, found[target])
        at = target
    if after.partial:
        raise _IllegalTurn(f"the marble on {names[at]} can jump on, and must", "Z-4")
    return tuple(actions)


def _word(s: Any, index: int) -> str:
    """Return the colour of the marble on the ring with bit `index` in words."""
    return WORDS["wgb".index(ring_text(s, index))]


def _parse_placement(s: Any, letter: str, ring: str, removed: str | None, claims: str) -> tuple[int, ...]:
    """Return the actions of a placement with the ring removed and the marbles claimed [Z-2][Z-5]."""
    if s.stage == layout.CAPTURE_STAGE:
        capture = format_turn(s, next(actions for actions, _ in turn_sequences(rules, s)))
        raise _IllegalTurn(f"a capture must be made, such as {capture}", "Z-1")
    colour, index = "wgb".index(letter), layout.NAMES[s.board][ring]
    if colour not in legal_actions(rules, s):
        if s.pool.any():
            raise _IllegalTurn(f"the pool holds no {WORDS[colour]} marble", "Z-2")
        raise _IllegalTurn(
            f"the pool is empty, and player {s.side_to_move + 1} has captured no {WORDS[colour]} marble",
            "Z-6",
        )
    if (there := ring_text(s, index)) != ".":
        raise _IllegalTurn(f"the ring {ring} is {'gone' if there == '-' else 'occupied'}", "Z-2")
    actions = [colour, layout.PLACE + 64 * colour + index]
    after = _played(s, actions)
    if after.partial and after.stage == layout.REMOVAL_STAGE:
        actions.append(_removal(after, removed))
        do_move(after, actions[-1])
    elif removed:
        raise _IllegalTurn(
            f"no ring is free after the placement: expected {letter.upper()}{ring} alone", "Z-3"
        )
    listed = _marbles(s, claims)
    while after.partial:
        group = int(first_claimable(after))
        inside = [index for _, index in listed if group >> index & 1]
        if inside and len(set(inside)) < group.bit_count():
            rings = ", ".join(name for name, i in layout.NAMES[s.board].items() if group >> i & 1)
            raise _IllegalTurn(f"the group {rings} is claimed whole or not at all", "Z-5")
        actions.append(layout.CLAIM if inside else layout.DECLINE)
        do_move(after, actions[-1])
    _require_claims(s, actions, listed)
    return tuple(actions)


def _removal(s: Any, name: str | None) -> int:
    """Return the action that removes the ring `name` [Z-2][Z-3]."""
    free = {action - layout.REMOVE: action for action in legal_actions(rules, s)}
    if name is not None and layout.NAMES[s.board][name] in free:
        return free[layout.NAMES[s.board][name]]
    listed = ", ".join(ring for ring, index in layout.NAMES[s.board].items() if index in free)
    if name is None:
        raise _IllegalTurn(f"a free ring must be removed as well: one of {listed}", "Z-2")
    there = ring_text(s, layout.NAMES[s.board][name])
    state = {"-": "gone", ".": "not free"}.get(there, "occupied")
    raise _IllegalTurn(f"the ring {name} is {state}; free are {listed}", "Z-3")


def _require_claims(s: Any, actions: Sequence[int], listed: list[tuple[str, int]]) -> None:
    """Raise _IllegalTurn unless the marbles `listed` as claimed are those that `actions` claim."""
    claimed, names, board = _claimed(s, actions), layout.RING_NAMES[s.board], _with_marble(s, actions)
    if len({index for _, index in listed}) < len(listed):
        raise _IllegalTurn("each marble claimed is listed once", "Z-5")
    for letter, index in listed:
        if index not in claimed:
            raise _IllegalTurn(f"no group with {names[index]} can be claimed", "Z-5")
        if letter and letter != ring_text(board, index):
            raise _IllegalTurn(
                f"the marble on {names[index]} is {_word(board, index)}, got {letter.upper()}", "Z-5"
            )
    left = set(claimed) - {index for _, index in listed}
    if listed and left:
        raise _IllegalTurn(f"the marbles claimed are {', '.join(names[i] for i in claimed)}", "Z-5")


def result(s: Any) -> str:
    """Return the result in GTP notation: ``W+``, ``B+`` (there is no score), else ``0``."""
    return {Outcome.FIRST_WINS: "W+", Outcome.SECOND_WINS: "B+"}.get(Outcome(int(s.result)), "0")
