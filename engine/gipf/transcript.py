"""Records of GIPF in the notation of gipf.com: a turn in a line, or several with ``/`` or blanks between.

A push is the dot and the spot where the pushed row ends, ``a1-d4``, or only the spot if nothing moves; ``G``
in front is for a GIPF-piece. Rows taken are ``x`` and the spots, before or after the push with ``;`` between:
``xb2,c3,d4,e5;h6-c4;xGc6,d6,f5,g4``. In the short way ``x`` stands alone, which says enough if there is no
choice. Numbers of turns, ``*`` behind a spot and the reserve in parentheses behind a turn are read, and tell
nothing new. https://www.gipf.com/gipf/notations/notations.html
"""

import re
from collections.abc import Sequence
from typing import Any

from tengen.engine.errors import NotationError, quoted
from tengen.engine.play.position import MAX_TURNS, Position
from tengen.engine.sgf.record import Record, replay
from tengen.engine.spec import GameSpec

POTENTIALS = ("zertz", "tamsk", "dvonn", "yinsh", "punct")
SPOT = "[a-i][1-9]"
TAKEN = rf"x(?:G?{SPOT}\*?(?:[ \t]*,[ \t]*G?{SPOT}\*?)*)?"
PUSH = rf"G?{SPOT}(?:-{SPOT})?"
PART = rf"(?:{TAKEN}|{PUSH})(?![\w*-])"
TURN = re.compile(rf"{PART}(?:[ \t]*;[ \t]*{PART})*(?:[ \t]*\([0-9]{{1,2}}\))?", re.IGNORECASE)
BETWEEN = re.compile(r"(?:[\s/]|(?<!\S)[0-9]{1,4}(?:\.|(?!\S)))*")
GIPF_PUSHED = re.compile(rf"(?:^|;)\s*G{SPOT}", re.IGNORECASE)
TELLING = 10  # turns at the beginning that tell a record from other texts


def recognize(text: str) -> GameSpec | None:
    """Return the game if `text`, perhaps cut off, can only be a record of it; else None.

    Who brings in GIPF-pieces plays the tournament game; otherwise it is taken for the standard one.
    """
    turns = _turns(text, TELLING)[0]
    if not any("-" in turn or GIPF_PUSHED.search(turn) for turn in turns):
        return None
    return GameSpec.parse("gipf:tournament" if any(map(GIPF_PUSHED.search, turns)) else "gipf")


def read(text: str, spec: GameSpec) -> Record:
    """Return the record in `text`.

    Raise NotationError or IllegalTurnError, with the number of the turn, if the text has another form, or a
    turn cannot be played.
    """
    turns, rest = _turns(text, MAX_TURNS)
    if rest and len(turns) == MAX_TURNS:
        raise NotationError(f"record: expected at most {MAX_TURNS:,} turns, got more")
    if rest or not turns:
        expected = f"record: turn {len(turns) + 1}: expected one such as a1-b2, Gi2-h3 or e2;xb2,c3"
        raise NotationError(f"{expected}, got {quoted(rest)}")
    record = Record(spec)
    node, position = record.root, Position(spec)
    for number, turn in enumerate(turns, 1):
        side = position.side_to_move
        replay(position, [(side, _plain(turn))], number)
        played = position.turns_played[-1]
        if "x" in turn.lower() and "x" not in played:
            raise NotationError(
                f"record: turn {number}: expected no x, as no row is taken, got {quoted(turn)}"
            )
        node = node.add(side, played)
    return record


def write(record: Record) -> str:
    """Return `record` with a turn in each line. Names and comments are lost.

    Raise NotationError or IllegalTurnError if it has set-up, potentials or challenges, or a turn cannot be
    played.
    """
    values = record.spec.values
    if record.start is not None or values["challenges"] or any(values[name] for name in POTENTIALS):
        raise NotationError("record: expected a game from the start, without potentials, for this format")
    position = Position(record.spec)
    lines = []
    for number, (side, turn) in enumerate(record.turns, 1):
        before = position.state.copy()
        replay(position, [(side, turn)], number)
        lines.append(_text(before, record.spec.game.text.parse_turn(before, position.turns_played[-1])))
    return "".join(f"{line}\n" for line in lines)


def _turns(text: str, most: int) -> tuple[list[str], str]:
    """Return the turns at the beginning of `text`, `most` of them at most, and the text that is no turn."""
    turns: list[str] = []
    at = BETWEEN.match(text)
    end = at.end() if at else 0
    while len(turns) < most and (match := TURN.match(text, end)):
        turns.append(match[0])
        between = BETWEEN.match(text, match.end())
        end = between.end() if between else match.end()
        if end == match.end() and end < len(text):  # nothing between two turns
            break
    return turns, text[end:]


def _plain(turn: str) -> str:
    """Return a turn in the notation of `gipf.text`."""
    parts = [part.strip() for part in turn.partition("(")[0].split(";")]
    named = [part if part[0] not in "xX" else re.sub(r"[Gg](?=[a-iA-I])|\s", "", part) for part in parts]
    return ";".join(part for part in named if part not in "xX")


def _text(s: Any, actions: Sequence[int]) -> str:
    """Return the turn made of `actions` in state `s`, which is changed."""
    from tengen.engine.gipf import state as board
    from tengen.engine.gipf.board.turns import PREFIXES, removed_spots
    from tengen.engine.gipf.rules import do_move

    parts = []
    for action in actions:
        if action >= board.REMOVE:
            gipf = {spot for spot, index in board.NAMES.items() if int(s.gipf) >> index & 1}
            spots = ["G" * (spot in gipf) + spot for spot in removed_spots(action)]
            parts.append("x" + ",".join(spots) if spots else "")
        else:
            kind, push = divmod(action, board.PUSHES)
            occupied = int(s.pieces[0] | s.pieces[1])
            free = next(spot for spot in board.PUSH_SPOTS[push] if not occupied >> spot & 1)
            (dot, first), last = board.PUSH_NAMES[push], board.SPOT_NAMES[free]
            parts.append(PREFIXES.get(kind, "") + (last if last == first else f"{dot}-{last}"))
        do_move(s, action)
    return ";".join(filter(None, parts))
