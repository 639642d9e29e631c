"""Texts of GIPF: positions ``b..w/...../... 12 12 w --``, turns ``xb2,c3,d4,e5;Ga1-b2;xe2,e3,e4,e5``."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import tengen.engine.gipf.state as layout
from tengen.engine.errors import IllegalTurnError, NotationError, PositionError, quoted
from tengen.engine.game import Outcome
from tengen.engine.gipf import rules
from tengen.engine.gipf.board.checks import check, position_faults
from tengen.engine.gipf.board.turns import (
    GIVEN_UP,
    PREFIXES,
    action_text,
    after,
    canonical,
    jump_spots,
    plain_text,
    removed_spots,
)
from tengen.engine.gipf.board.turns import canonical_turns as canonical_turns
from tengen.engine.gipf.rules import begin_turn, empty_state
from tengen.engine.play.turns import legal_actions

FORM = "columns b to h such as b..w between slashes, two reserves, w or b to move, rights such as -- or gg"
LEFT = [f"{name.upper()} potentials left" for name in layout.POTENTIAL_NAMES]
COLUMNS = [[index for index in layout.SPOT_NAMES if layout.COORDINATES[index][0] == x] for x in range(1, 8)]
PIECE = r"\.|[WB]|[wb](?:[+*^y]|[du]?(?:[1-9][0-9]?)?)"
USED_MARK, CHARGED_MARKS = "^", "+*dyu"  # the latter by kind

MAX_ORDERS = 64  # of taking rows that are compared; with more, they are taken to differ
DOT_NAMES = {dot for dot, _ in layout.PUSH_NAMES}
PREFIX_LETTERS = "".join(PREFIXES.values()).lower()

# Words for what potentials do, by kind: the verb, what is said of one that cannot, and the rule.
JUMP_WORDS = {
    layout.ZERTZ: ("jumps", "has nothing to jump over", "P-5"),
    layout.DVONN: ("jumps", "has no enemy piece to jump onto", "PD-5"),
    layout.YINSH: ("moves", "has no empty spot to move to", "PY-1"),
    layout.PUNCT: ("jumps", "has no enemy potential to jump onto", "PP-1"),
}

# -------------------------------------------------------------------------------------------------- positions


def format_position(s: Any) -> str:
    """Return the canonical text of a state at the beginning of a turn."""
    texts = piece_texts(s)
    board = "/".join("".join(texts.get(index, ".") for index in column) for column in COLUMNS)
    rights = "".join(_right(s, side) for side in (layout.WHITE, layout.BLACK))
    words = [board, str(s.reserve[layout.WHITE]), str(s.reserve[layout.BLACK]), "wb"[s.side_to_move], rights]
    for _, numbers in _numbers(s):
        words += [str(n) for n in numbers]
    return " ".join(words)


def _numbers(s: Any) -> list[tuple[str, Any]]:
    """Return what the pairs of numbers at the end of a position count, and the fields (White, Black)."""
    left = [(LEFT[kind], s.left[:, kind]) for kind in range(layout.KINDS)]
    others = [left[kind] for kind in range(layout.KINDS) if kind != layout.ZERTZ and s.each[kind]]
    return [left[layout.ZERTZ], ("challenges left", s.challenges), *others] if s.kinds else []


def piece_texts(s: Any) -> dict[int, str]:
    """Return the texts of the pieces by bit number: colour on top, mark, number of potentials stacked."""
    marks = ((USED_MARK, s.used), *zip(CHARGED_MARKS, s.charged, strict=True))
    texts = {}
    for letter, pieces in zip("bw", s.pieces[::-1], strict=True):
        for index in (index for index in layout.SPOT_NAMES if int(pieces) >> index & 1):
            mark = next((mark for mark, plane in marks if int(plane) >> index & 1), "")
            own = f"{letter}{mark}{stack_height(s, index) or ''}"
            texts[index] = letter.upper() if int(s.gipf) >> index & 1 else own
    return texts


def stack_height(s: Any, index: int) -> int:
    """Return how many used potentials lie on the piece on a spot's bit number [PD-3]."""
    return sum((int(plane) >> index & 1) << i for i, plane in enumerate(s.stacked))


def _right(s: Any, side: int) -> str:
    """Return what a side may bring in besides basic pieces: ``g``, ``z`` or ``-``."""
    return "g" if s.placing[side] else "z" if s.left[side].any() else "-"


def parse_position(options: Mapping[str, Any], text: str) -> Any:
    """Return the state that `text` describes.

    Raise NotationError when it is malformed, PositionError with all faults when no game can reach it.
    """
    s = empty_state(options)
    words = text.split()
    if len(words) != 5 + 2 * len(_numbers(s)):
        form = ", ".join([FORM, *(f"{what} (White, Black)" for what, _ in _numbers(s))])
        raise NotationError(f"position: expected {form}, got {quoted(text, 60)}")
    columns = words[0].split("/")
    if len(columns) != len(COLUMNS):
        raise NotationError(
            f"position: expected {len(COLUMNS)} columns, got {len(columns)} in {quoted(words[0])}"
        )
    malformed = [fault for i, column in enumerate(columns) for fault in _put_column(s, i, column)]
    if words[3] not in ("w", "b"):
        malformed.append(f"expected w or b to move, got {quoted(words[3])}")
    if not re.fullmatch("[gz-]{2}", words[4]):
        malformed.append(
            f"expected g, z or - for White and for Black, what each may bring in, got {quoted(words[4])}"
        )
    numbers = [words[1], words[2], *words[5:]]
    for i, (what, field) in enumerate([("reserve", s.reserve), *_numbers(s)]):
        for side, number in enumerate(numbers[2 * i : 2 * i + 2]):
            if re.fullmatch("[0-9]{1,2}", number):
                field[side] = int(number)
            else:
                malformed.append(
                    f"expected a number as {('White', 'Black')[side]}'s {what}, got {quoted(number)}"
                )
    if malformed:
        raise NotationError("position: " + "; ".join(malformed))
    s.side_to_move = "wb".index(words[3])
    for side in (layout.WHITE, layout.BLACK):
        s.placing[side] = words[4][side] == "g"
        s.begun[side] = s.rules == layout.STANDARD or (
            s.rules == layout.TOURNAMENT and not _untouched(s, side)
        )
    faults = position_faults(s) + [
        f"expected {_right(s, side)} as what {('White', 'Black')[side]} may bring in, by the potentials left,"
        f" got {words[4][side]}"
        for side in (layout.WHITE, layout.BLACK)
        if words[4][side] != _right(s, side)
    ]
    if faults:
        raise PositionError(faults, s)
    begin_turn(s)
    return s


def _put_column(s: Any, column: int, text: str) -> list[str]:
    """Put the pieces `text` on a column of `s`; return the faults of the text."""
    pieces = re.findall(PIECE, text)
    letter = "bcdefgh"[column]
    if "".join(pieces) != text:
        return [f"expected spots such as . w B w+ in column {letter}, got {quoted(text)}"]
    if len(pieces) != len(COLUMNS[column]):
        return [
            f"expected {len(COLUMNS[column])} spots in column {letter}, got {len(pieces)} in {quoted(text)}"
        ]
    for index, piece in zip(COLUMNS[column], pieces, strict=True):
        spot = np.uint64(1 << index)
        if piece == ".":
            continue
        s.pieces["wb".index(piece[0].lower())] |= spot
        if piece.isupper():
            s.gipf |= spot
        mark, height = piece[1:2].strip("123456789"), int(piece.strip("wbWB+*^dyu") or 0)
        if mark == USED_MARK:
            s.used |= spot
        elif mark:
            s.charged[CHARGED_MARKS.index(mark)] |= spot
        if height > 2 * layout.POTENTIALS:
            return [f"expected at most {2 * layout.POTENTIALS} potentials on a piece, got {quoted(piece)}"]
        for i in range(layout.HEIGHT_BITS):
            if height >> i & 1:
                s.stacked[i] |= spot
    return []


def _untouched(s: Any, side: int) -> bool:
    """Return whether a side of the tournament game has not played yet (docs/gipf.md, Positions)."""
    white, black = (int(pieces) for pieces in s.pieces)
    if not s.placing[side] or (white, black)[side] or s.reserve[side] != s.total[side]:
        return False
    if s.side_to_move == layout.WHITE:
        return (
            not white
            and not black
            and bool(s.placing[layout.WHITE])
            and s.reserve[layout.WHITE] == s.total[layout.WHITE]
        )
    return (
        side == layout.BLACK
        and s.reserve[layout.WHITE] == s.total[layout.WHITE] - 2
        and white.bit_count() == 1
        and white == s.gipf
    )


def status(s: Any) -> list[str]:
    """Return all reasons in words why no game can reach the state `s`; empty if none is known."""
    return check(s) + position_faults(s)


# ------------------------------------------------------------------------------------------------------ turns


def format_turn(s: Any, actions: Sequence[int]) -> str:
    """Return the canonical text of the turn made of `actions` in state `s`."""
    return plain_text(s, canonical(s, actions))


@dataclass(frozen=True)
class _Part:
    """A part of a turn text."""

    text: str  # in lower case
    kind: int  # REMOVE, JUMP, GIVE_UP, or the kind of piece that a push brings in
    spots: tuple[str, ...]  # those taken; start and end of a jump; dot and spot of a push, or only the spot


def _parse_part(part: str, text: str) -> _Part:
    """Return a part of the turn `text`, parsed.

    Raise NotationError when the part is malformed.
    """
    spot = "[a-i][1-9]"
    if part == GIVEN_UP:
        return _Part(part, layout.GIVE_UP, ())
    if re.fullmatch(rf"x{spot}\*?(,{spot}\*?)*", part):
        found = _Part(part, layout.REMOVE, tuple(re.findall(spot, part)))
    elif match := re.fullmatch(rf"j({spot})-({spot})", part):
        found = _Part(part, layout.JUMP, match.groups())
    elif match := re.fullmatch(rf"([{PREFIX_LETTERS}]?)({spot})(?:-({spot}))?", part):
        kind = next((k for k, prefix in PREFIXES.items() if prefix.lower() == match[1]), layout.BASIC_PIECE)
        found = _Part(part, kind, tuple(n for n in match.groups()[1:] if n))
    else:
        raise NotationError(
            "turn: expected parts such as a1-b2, Ga1-b2, jb5-e5 or xb2,c3,d4,e5 with ; between them,"
            f" got {quoted(part)} in {quoted(text)}"
        )
    spots = found.spots[1:] if found.kind <= layout.EXTRA and len(found.spots) > 1 else found.spots
    if found.kind <= layout.EXTRA and len(found.spots) > 1 and found.spots[0] not in DOT_NAMES:
        raise NotationError(
            f"turn: expected a dot such as a1 or e9 first, got {quoted(part)} in {quoted(text)}"
        )
    for unknown in (n for n in spots if n not in layout.NAMES):
        raise NotationError(f"turn: expected spots of the board, b2 to h5, got {unknown} in {quoted(text)}")
    return found


def _pushes(s: Any, part: _Part) -> list[int]:
    """Return the pushes that match a part in state `s`, including those on full lines."""
    occupied = int(s.pieces[layout.WHITE] | s.pieces[layout.BLACK])
    found = []
    for push, (dot, first) in enumerate(layout.PUSH_NAMES):
        spots = layout.PUSH_SPOTS[push]
        if len(part.spots) == 1:  # a spot alone: the push moves nothing
            if part.spots[0] == first and not occupied >> spots[0] & 1:
                found.append(push)
        elif dot == part.spots[0]:
            last = next((spot for spot in spots if not occupied >> spot & 1), None)
            if part.spots[1] == first or (last is not None and layout.NAMES[part.spots[1]] == last):
                found.append(push)
    return found


def _matching_actions(s: Any, part: _Part, legal: Sequence[int]) -> list[int]:
    """Return the legal actions of state `s` that match a part of a turn."""
    if part.kind == layout.REMOVE:
        return [a for a in legal if a >= layout.REMOVE and set(removed_spots(a)) == set(part.spots)]
    if part.kind == layout.JUMP:
        ends = tuple(layout.NAMES[n] for n in part.spots)
        return [a for a in legal if layout.JUMP <= a < layout.REMOVE and jump_spots(s, a) == ends]
    if part.kind == layout.GIVE_UP:
        return [a for a in legal if a == layout.GIVE_UP]
    listed = [a for a in legal if a // layout.PUSHES == part.kind and a < layout.GIVE_UP]
    free = ~int(s.pieces[layout.WHITE] | s.pieces[layout.BLACK])
    actions = []
    for push in _pushes(s, part) if listed else ():
        action = push + layout.PUSHES * part.kind
        if action in listed:
            actions.append(action)
        elif int(layout.PUSH_MASK[push]) & free:  # listed as the push with a smaller dot
            key = after(s, action).key
            actions += [other for other in listed if after(s, other).key == key]
    return actions


def _are_equivalent(s: Any, legal: Sequence[int]) -> bool:
    """Return whether the removals `legal` in state `s` all lead to the same position in the end."""
    if len(legal) == 1:
        return True
    pending = [after(s, action) for action in legal]
    seen: set[int] = set()
    ends: set[int] = set()
    while pending and len(ends) < 2 and len(seen) < MAX_ORDERS:
        state = pending.pop()
        key = int(state.key)
        if state.partial and state.stage == s.stage:
            if key not in seen:
                seen.add(key)
                pending += [after(state, action) for action in legal_actions(rules, state)]
        else:
            ends.add(key)
    return not pending and len(ends) == 1


@dataclass
class _Failure:
    """How far a turn could be parsed: the number of parts used, and the state after them."""

    used: int
    state: Any


def _match(s: Any, parts: Sequence[_Part], used: int, failure: _Failure) -> tuple[int, ...] | None:
    """Return actions from state `s` on that match the parts from number `used` on; None without any."""
    omitted = (
        used == failure.used < len(parts) and parts[used].kind != layout.REMOVE
    )  # the text omits removals before this part
    if used > failure.used or omitted or failure.state is None:
        failure.used, failure.state = used, s
    legal = legal_actions(rules, s)
    choices = [(a, used + 1) for a in _matching_actions(s, parts[used], legal)] if used < len(parts) else []
    if s.stage in (layout.OPENING_ROWS, layout.CLOSING_ROWS):
        silent = legal[:1] if _are_equivalent(s, legal) else [a for a in legal if not removed_spots(a)]
        choices += [(a, used) for a in silent]
    for action, then in choices:
        child = after(s, action)
        if child.partial:
            rest = _match(child, parts, then, failure)
            if rest is not None:
                return (action, *rest)
        elif then == len(parts):
            return (action,)
        elif then > failure.used:
            failure.used, failure.state = then, child
    return None


def parse_turn(s: Any, text: str) -> tuple[int, ...]:
    """Return the actions of the turn `text` in state `s`, as the canonical turn to the same position.

    Raise NotationError when it is not a turn of GIPF, IllegalTurnError with the rule that refuses it.
    """
    parts = [_parse_part(part, text) for part in text.lower().split(";")]
    if s.result != Outcome.ONGOING:
        raise IllegalTurnError(text, "the game is over", "G-7")
    failure = _Failure(0, None)
    actions = _match(s, parts, 0, failure)
    if actions is None:
        part = parts[failure.used] if failure.used < len(parts) else None
        if part and failure.used and not failure.state.partial:
            reason, rule = _refusal_at_end(failure.state, part)
        else:
            reason, rule = _refusal(failure.state, part)
        raise IllegalTurnError(text, reason, rule)
    return canonical(s, actions)


def _refusal(s: Any, part: _Part | None) -> tuple[str, str]:
    """Return why a turn cannot continue with `part` (None: end) in state `s`, and the rule."""
    colour = ("White", "Black")[s.side_to_move]
    if s.stage in (layout.OPENING_ROWS, layout.CLOSING_ROWS):
        examples = [text for text in (action_text(s, a) for a in legal_actions(rules, s)) if text]
        what = " or ".join(examples[:2]) + (" or ..." if len(examples) > 2 else "")
        got = f", got {part.text}" if part else ""
        return f"{colour} has rows to take: expected {what}{got}", "G-3" if part else "G-6"
    if s.stage != layout.MAIN:
        if part is None or part.kind not in (layout.EXTRA, layout.GIVE_UP):
            return "a TAMSK potential stands on e5: expected an extra push such as pa1-b2, or p-", "T-3"
    elif part is None:
        return "expected a push such as a1-b2 after what opens the turn", "G-6"
    elif part.kind in (layout.EXTRA, layout.GIVE_UP):
        return f"{colour} has no TAMSK potential on e5", "T-2"
    if part.kind == layout.REMOVE:
        return f"{colour} has no row to take", "G-3"
    if part.kind == layout.JUMP:
        return _jump_refusal(s, part)
    return _push_refusal(s, part)


def _refusal_at_end(s: Any, part: _Part) -> tuple[str, str]:
    """Return why a turn that ends in state `s` cannot continue with `part`, and the rule."""
    if s.result != Outcome.ONGOING:
        bare = any(s.begun[side] and not s.pieces[side] & s.gipf for side in (layout.WHITE, layout.BLACK))
        return f"the game is over then: expected nothing more, got {part.text}", "G-11" if bare else "G-7"
    mover = ("Black", "White")[s.side_to_move]
    if part.kind == layout.REMOVE:
        return f"{mover} has no row to take with {part.text}", "G-3"
    if part.kind in (layout.EXTRA, layout.GIVE_UP):
        return f"{mover} has no TAMSK potential on e5", "T-2"
    return f"{mover}'s turn is over then: expected nothing more, got {part.text}", "G-1"


def _jump_refusal(s: Any, part: _Part) -> tuple[str, str]:
    """Return why no jump matches `part`, and the rule."""
    source, target = part.spots
    own = int(s.pieces[s.side_to_move]) & ~int(layout.stacks(s))
    charged = [kind for kind in layout.JUMPERS if (own & int(s.charged[kind])) >> layout.NAMES[source] & 1]
    if not charged:
        kinds = [kind for kind in layout.JUMPERS if s.each[kind]] or [layout.ZERTZ]
        *others, last = (f"{layout.POTENTIAL_NAMES[kind].upper()}-" for kind in kinds)
        what = f"{', '.join(others)} or {last}" if others else last
        colour = ("White", "Black")[s.side_to_move]
        return f"no {what}charged piece of {colour} stands on {source}", JUMP_WORDS[kinds[0]][2]
    jumps = [jump_spots(s, a) for a in legal_actions(rules, s) if layout.JUMP <= a < layout.REMOVE]
    ends = [layout.SPOT_NAMES[end] for start, end in jumps if start == layout.NAMES[source]]
    verb, nothing, rule = JUMP_WORDS[charged[0]]
    can = f"{verb} to {', '.join(ends)}" if ends else nothing
    return f"the potential on {source} {can}, got {target}", rule


def _push_refusal(s: Any, part: _Part) -> tuple[str, str]:
    """Return why no push matches `part`, and the rule."""
    side = int(s.side_to_move)
    colour = ("White", "Black")[side]
    pushes = _pushes(s, part)
    if not pushes:
        if len(part.spots) == 1:
            spot = part.spots[0]
            if all(spot != first for _, first in layout.PUSH_NAMES):
                return f"{spot} is not next to a dot", "G-1"
            example = next(f"{dot}-{first}" for dot, first in layout.PUSH_NAMES if first == spot)
            return f"{spot} is occupied: expected a dot and {spot}, such as {example}", "G-1"
        firsts = [first for dot, first in layout.PUSH_NAMES if dot == part.spots[0]]
        return f"from {part.spots[0]} pieces are pushed to {' or '.join(firsts)}, got {part.spots[1]}", "G-1"
    if part.kind == layout.GIPF_PIECE and s.rules != layout.TOURNAMENT:
        return "GIPF-pieces are brought in in the tournament game only", "G-12"
    if part.kind == layout.GIPF_PIECE and not s.placing[side]:
        return f"{colour} has brought in another piece, and may bring in no more GIPF-pieces", "G-12"
    if (
        s.rules == layout.TOURNAMENT
        and not s.begun[side]
        and part.kind not in (layout.GIPF_PIECE, layout.EXTRA)
    ):
        return (
            f"{colour}'s first turn brings in a GIPF-piece, such as G{'-'.join(layout.PUSH_NAMES[0])}",
            "G-12",
        )
    for kind, name in enumerate(layout.POTENTIAL_NAMES):
        if part.kind == layout.CHARGED + kind and not s.left[side, kind]:
            return f"{colour} has no {name.upper()} potential left to bring in", "P-2"
    if part.kind == layout.GIPF_PIECE and s.reserve[side] < 2:
        return f"a GIPF-piece needs two pieces in reserve, {colour} has {s.reserve[side]}", "G-12"
    if part.kind != layout.EXTRA and not s.reserve[side]:
        return f"{colour} has nothing in reserve: expected a jump", "P-7"
    return f"the line from {'-'.join(layout.PUSH_NAMES[pushes[0]])} has no empty spot", "G-2"


def result(s: Any) -> str:
    """Return the result in GTP notation: ``W+``, ``B+`` (there is no score), or ``0`` before the end."""
    return {Outcome.FIRST_WINS: "W+", Outcome.SECOND_WINS: "B+"}.get(Outcome(int(s.result)), "0")
