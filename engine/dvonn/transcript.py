"""Records of DVONN as text: transcripts of Little Golem, and the turns of CodeCup one after the other.

Placements are ``d2``, moves ``c3d4``; there are ``pass`` and ``resign``. Little Golem has a header of names
and values in brackets, numbers before White's turns, and leaves out the last placement, which is forced::

    White [Ann] Black [Bob] 1. d2 c1 2. k5 b1 ... 25. i1j2 b1b2

CodeCup has upper case and neither header nor numbers. After the programs of PrimaDvonna, a player of CodeCup
2011 that reads and writes both, https://github.com/maksverver/PrimaDvonna (tools/dvonn-tool.py).
"""

import re

from tengen.engine.errors import NotationError, quoted
from tengen.engine.play.position import Position
from tengen.engine.sgf.node import Node, Properties
from tengen.engine.sgf.record import Record, replay
from tengen.engine.spec import GameSpec

HEADER = re.compile(r"([A-Za-z]{1,20})\s*\[([^\[\]]{0,1000})\]")
PROPERTIES = {"Event": "EV", "Site": "PC", "White": "PW", "Black": "PB"}
NUMBER = re.compile(r"(?<!\S)[0-9]{1,4}\.")
COMMENT = re.compile(r"^#.*$", re.MULTILINE)
CELL = "[a-k][1-5]"
WORD = re.compile(rf"({CELL}){{1,2}}|pass|resign")
PLACEMENTS = 48  # without the last one
TELLING = 60  # words at the beginning that tell a transcript from other texts
RESIGNATION = "resign"


def recognize(text: str) -> GameSpec | None:
    """Return the game if `text`, perhaps cut off, can only be a record of it; else None."""
    header, words = _parse(text)
    first = words[:TELLING]
    if not first or not all(map(WORD.fullmatch, first)):
        return None
    numbered = NUMBER.search(text) is not None
    whole = len(set(first[:PLACEMENTS])) == PLACEMENTS and all(len(word) == 2 for word in first[:PLACEMENTS])
    return GameSpec.parse("dvonn") if header or numbered or whole else None


def read(text: str, spec: GameSpec) -> Record:
    """Return the record in `text`.

    Raise NotationError or IllegalTurnError, with the number of the turn, if there are no turns, or one of
    them cannot be played.
    """
    header, words = _parse(text)
    if not words:
        raise NotationError(f"record: expected turns such as d2 and c3d4, got {quoted(text.strip())}")
    record = Record(spec, properties=header)
    node, position = record.root, Position(spec)
    for place, word in enumerate(words):
        number = len(position.turns_played) + 1
        if word == RESIGNATION:
            if place < len(words) - 1:
                raise NotationError(f"record: turn {number}: there are turns after resign")
            record.root.properties["RE"] = [_resignation(position)]
            break
        forced = position.turn_actions() if number == PLACEMENTS + 1 and len(word) == 4 else ()
        for turn in (*map(position.format, forced), word):
            side = position.side_to_move
            replay(position, [(side, turn)], len(position.turns_played) + 1)
            node = node.add(side, position.turns_played[-1])
    return record


def holds(node: Node, name: str) -> bool:
    """Return whether a transcript can hold a property of a node."""
    if node.parent is not None:
        return False
    value = node.properties[name][0]
    if name == "RE" and node.spec:
        position = Position(node.spec)
        replay(position, Record.of_tree(node.spec, node).turns)
        return value == _resignation(position)
    return name in PROPERTIES.values() and not re.search(r"[][\n]", value)


def _resignation(position: Position) -> str:
    """Return the result if the side to move resigns."""
    return f"{'BW'[position.side_to_move]}+R"


def write(record: Record) -> str:
    """Return `record` as Little Golem writes it.

    Raise NotationError or IllegalTurnError if it does not begin with the empty board, or a turn cannot be
    played.
    """
    if record.start is not None:
        raise NotationError("record: expected turns from the empty board, got set-up")
    position = Position(record.spec)
    replay(position, record.turns)
    turns = list(position.turns_played)
    if len(turns) > PLACEMENTS + 1:
        del turns[PLACEMENTS]
    if record.value("RE") == _resignation(position):
        turns.append(RESIGNATION)
    said = [(name, record.properties.get(copied, [""])[0]) for name, copied in PROPERTIES.items()]
    lines = [f"{name} [{re.sub(r'[][]', '', value)}]" for name, value in said if value]
    pairs = [" ".join(turns[index : index + 2]) for index in range(0, len(turns), 2)]
    lines += [f"{number}. {pair}" for number, pair in enumerate(pairs, 1)]
    return "\n".join(lines) + "\n"


def _parse(text: str) -> tuple[Properties, list[str]]:
    """Return the properties of the header, and the turns in lower case."""
    bare = COMMENT.sub("", text)
    values = dict(HEADER.findall(bare))
    header = {PROPERTIES[name]: [value] for name, value in values.items() if name in PROPERTIES and value}
    words = NUMBER.sub(" ", HEADER.sub(" ", bare))
    return header, re.split(r"[\s,]+", words.strip().lower()) if words.strip() else []
