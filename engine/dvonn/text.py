"""Texts of DVONN: positions ``W1,B3*,D,-.../... w m``, turns ``c3``, ``a1b2``, ``pass``."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import tengen.engine.dvonn.state as state
from tengen.engine.dvonn.rules import PASS, can_move, check, outcome, recompute_key, score
from tengen.engine.errors import IllegalTurnError, NotationError, PositionError, quoted
from tengen.engine.game import Outcome

FORM = "five rows of cells such as W1,B3*,D,- between slashes, then w or b, then p or m"
CELL = r"-|D|([WB])([1-9]|[1-4][0-9])(\*[23]?)?"
COLOURED = 23  # pieces of each colour
DRAWN_ONLY = 63  # bit of `multi_red` in faulty states: cells hold `red` + 2 `multi_red` DVONN pieces


def format_position(s: Any) -> str:
    """Return the canonical text of a state."""
    rows = [
        ",".join(
            cell_text(s, x + state.COLUMNS * y)
            for x in range(state.FIRST_COLUMN[y], state.LAST_COLUMN[y] + 1)
        )
        for y in range(state.ROWS)
    ]
    return f"{'/'.join(rows)} {'wb'[s.side_to_move]} {'p' if s.placed < state.PIECES else 'm'}"


def reds(s: Any, cell: int) -> int:
    """Return the number of DVONN pieces in the stack on `cell`, 0 to 3."""
    red, twin = int(s.red), int(s.multi_red)
    if twin >> DRAWN_ONLY & 1:
        return (red >> cell & 1) + 2 * (twin >> cell & 1)
    if not red >> cell & 1:
        return 0
    if not twin >> cell & 1:
        return 1
    return state.DVONN_PIECES - (red.bit_count() - 1)


def cell_text(s: Any, cell: int) -> str:
    """Return the text of a cell in positions: ``-``, ``D``, or a stack such as ``B3*``."""
    bit = 1 << cell
    if not int(s.occupied) & bit:
        return "-"
    top = "W" if int(s.control[0]) & bit else "B" if int(s.control[1]) & bit else ""
    if not top:
        return "D"
    count = reds(s, cell)
    return f"{top}{s.height[cell]}{'*' if count else ''}{count if count > 1 else ''}"


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes.

    Raise NotationError when it is malformed, PositionError with all faults when no game can reach it.
    """
    words = text.split()
    if len(words) != 3:
        raise NotationError(f"position: expected {FORM}, got {quoted(text)}")
    rows = words[0].split("/")
    if len(rows) != state.ROWS:
        raise NotationError(f"position: expected {state.ROWS} rows, got {len(rows)} in {quoted(words[0])}")
    malformed = []
    if words[1] not in ("w", "b"):
        malformed.append(f"expected w or b to move, got {quoted(words[1])}")
    if words[2] not in ("p", "m"):
        malformed.append(f"expected phase p or m, got {quoted(words[2])}")
    stated: dict[int, int] = {}  # DVONN pieces by cell
    s = np.zeros(1, state.STATE)[0]
    for y, row in enumerate(rows):
        cells = row.split(",")
        width = state.LAST_COLUMN[y] - state.FIRST_COLUMN[y] + 1
        if len(cells) != width:
            malformed.append(f"expected {width} cells in row {y + 1}, got {len(cells)} in {quoted(row)}")
            continue
        for x, stack in enumerate(cells, state.FIRST_COLUMN[y]):
            cell = x + state.COLUMNS * y
            if match := re.fullmatch(CELL, stack):
                stated[cell] = _put(s, cell, match)
            else:
                expected = "-, D or a stack such as W2 or B3*"
                malformed.append(f"expected {expected} at {state.name(cell)}, got {quoted(stack)}")
    if malformed:
        raise NotationError("position: " + "; ".join(malformed))
    s.side_to_move = "wb".index(words[1])
    heights = sum(int(s.height[cell]) for cell in state.CELLS)
    s.placed = state.PIECES if words[2] == "m" else min(heights, state.PIECES - 1)
    s.key = recompute_key(s)
    if faults := _faults(s, stated):
        odd, twos = (sum(1 << cell for cell, count in stated.items() if count & bit) for bit in (1, 2))
        s.red, s.multi_red = np.uint64(odd), np.uint64(1 << DRAWN_ONLY | twos)
        raise PositionError(faults, s)
    return s


def _put(s: Any, cell: int, stack: re.Match[str]) -> int:
    """Put a stack in the form of `CELL` on a cell of `s`; return its number of DVONN pieces."""
    if stack[0] == "-":
        return 0
    bit = np.uint64(1 << cell)
    s.occupied |= bit
    s.height[cell] = int(stack[2] or 1)
    if stack[1]:
        s.control["WB".index(stack[1])] |= bit
        if not stack[3]:
            return 0
    s.red |= bit
    count = int((stack[3] or "")[1:] or 1)
    if count > 1:
        s.multi_red |= bit
    return count


def status(s: Any) -> list[str]:
    """Return all reasons in words why no game can reach the state `s`; empty if none is known."""
    return _faults(s, {cell: reds(s, cell) for cell in state.CELLS})


def _faults(s: Any, held: Mapping[int, int]) -> list[str]:
    """Return the faults of `s`; `held` is the number of DVONN pieces by cell."""
    faults = check(s)
    cells = [cell for cell in state.CELLS if int(s.occupied) >> cell & 1]
    heights = sum(int(s.height[cell]) for cell in cells)
    red_total = sum(held[cell] for cell in cells)
    tops = [int(control).bit_count() for control in s.control]
    if s.placed < state.PIECES:
        red = int(s.red).bit_count()
        if high := [state.name(cell) for cell in cells if s.height[cell] != 1]:
            faults.append(f"expected single pieces while pieces are placed, got stacks: {' '.join(high)}")
        if int(s.red) & (int(s.control[0]) | int(s.control[1])):
            faults.append("expected no colour on a DVONN piece while pieces are placed")
        coloured = max(0, heights - state.DVONN_PIECES)
        expected = min(heights, state.DVONN_PIECES), coloured // 2, (coloured + 1) // 2  # [D-1]
        for what, found, wanted in zip(("DVONN", "white", "black"), (red, *tops), expected, strict=True):
            if found != wanted:
                faults.append(f"expected {wanted} {what} pieces among {heights} placed, got {found}")
        if s.side_to_move != heights % 2:
            mover = ("White", "Black")[heights % 2]
            faults.append(f"expected {mover} to move after {heights} placed pieces")
        if heights >= state.PIECES:
            faults.append(f"expected phase m once {state.PIECES} pieces are placed, got p")
        return faults
    if red_total != state.DVONN_PIECES:
        faults.append(f"expected the {state.DVONN_PIECES} DVONN pieces on the board, got {red_total}")
    for cell in cells:
        coloured = int(s.height[cell]) - held[cell]
        if coloured < (1 if int(s.control[0] | s.control[1]) >> cell & 1 else 0):
            faults.append(
                f"expected a stack higher than its {held[cell]} DVONN pieces on {state.name(cell)},"
                f" got {s.height[cell]}"
            )
    if heights > state.PIECES:
        faults.append(f"expected at most {state.PIECES} pieces, got {heights}")
    for colour, top in zip(("white", "black"), tops, strict=True):
        if top > COLOURED:
            faults.append(f"expected at most {COLOURED} {colour} pieces, got {top}")
    live, apart = int(s.red), [cell for cell in cells if not int(s.red) >> cell & 1]
    while reached := [cell for cell in apart if int(state.REACH[1, cell]) & live]:  # [D-6]
        live |= sum(1 << cell for cell in reached)
        apart = [cell for cell in apart if cell not in reached]
    if apart:
        faults.append(f"expected contact to a DVONN piece, got none: {' '.join(map(state.name, apart))}")
    return faults


def format_turn(s: Any, actions: Sequence[int]) -> str:
    """Return the text of the turn made of `actions` (one) in state `s`."""
    action = int(actions[0])
    if action == PASS:
        return "pass"
    source, target = action & 63, action >> 6
    return state.name(source) if source == target else state.name(source) + state.name(target)


def parse_action(s: Any, text: str) -> int:
    """Return the action of the turn `text`, legal in state `s` or not.

    Raise NotationError when it is not a turn of DVONN.
    """
    word = text.lower()
    match = re.fullmatch(r"([a-k][1-5])([a-k][1-5])?|pass", word)
    names = [n for n in (match[1], match[2]) if n] if match else []
    if not match or any(n not in state.NAMES for n in names) or len(names) > len(set(names)):
        raise NotationError(
            f"turn: expected a placement such as c3, a move such as a1b2, or pass, got {quoted(text)}"
        )
    return int(state.NAMES[names[0]] | state.NAMES[names[-1]] << 6) if names else int(PASS)


def parse_turn(s: Any, text: str) -> tuple[int, ...]:
    """Return the actions of the turn `text` in state `s`.

    Raise NotationError when it is not a turn of DVONN, IllegalTurnError with the rule that refuses it.
    """
    action = parse_action(s, text)
    source, target = action & 63, action >> 6
    if outcome(s) != Outcome.ONGOING:
        raise IllegalTurnError(text, "the game is over", "D-7")
    if action == PASS:
        if s.placed < state.PIECES or can_move(s, s.side_to_move):
            raise IllegalTurnError(text, "only who cannot move passes", "D-7")
    elif source == target:
        if s.placed == state.PIECES:
            raise IllegalTurnError(text, "all pieces are placed; expected a move such as a1b2", "D-1")
        if int(s.occupied) >> source & 1:
            raise IllegalTurnError(text, f"{state.name(source)} is occupied", "D-1")
    elif refusal := _refusal(s, source, target):
        raise IllegalTurnError(text, *refusal)
    return (action,)


def _refusal(s: Any, source: int, target: int) -> tuple[str, str] | None:
    """Return why the stack on `source` may not move to `target`, and the rule; None if it may."""
    stack, height = f"the stack on {state.name(source)}", int(s.height[source])
    if s.placed < state.PIECES:
        return "pieces are still placed; expected one cell such as c3", "D-1"
    if not int(s.occupied) >> source & 1:
        return f"{state.name(source)} is empty", "D-3"
    if not int(s.control[0] | s.control[1]) >> source & 1:
        return f"a lone DVONN piece stands on {state.name(source)}", "D-5"
    if not int(s.control[s.side_to_move]) >> source & 1:
        return f"{stack} is the opponent's", "D-3"
    if int(state.surrounded(s.occupied)) >> source & 1:
        return f"{stack} has six occupied neighbours", "D-4"
    if not int(state.REACH[height, source]) >> target & 1:
        return f"{stack} moves exactly {height}, in a straight line", "D-3"
    return None if int(s.occupied) >> target & 1 else (f"{state.name(target)} is empty", "D-3")


def result(s: Any) -> str:
    """Return the score in GTP notation, ``W+5``, ``B+1`` or ``0``: the margin in controlled pieces [D-8]."""
    margin = int(score(s, 0)) - int(score(s, 1))
    return f"{'W' if margin > 0 else 'B'}+{abs(margin)}" if margin else "0"
