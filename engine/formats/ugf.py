"""Records of PandaNet, UGF and UGI: sections of lines, of which three are read and written.

``[Header]``
    Lines ``NAME=VALUE``. ``Hdcp`` has the handicap and the komi, ``CoordinateType`` is ``IGS`` if rows count
    from the bottom, ``Lang`` names the encoding, Shift JIS by default.
``[Data]``
    A turn in each line, such as ``PD,B1,1,0``: point, colour and player, number, seconds. Columns and rows
    are letters from A, rows from the top. Stones with the number 0 are set up; columns Y and Z are passes.
``[Figure]``
    Comments: the lines between ``.Text,NUMBER`` and ``.EndText``, apart from labels (``.#``). Diagrams with
    positions of their own (``.Fig``) are left out, and so is what reviews add (``[ReviewNode]``,
    ``[ReviewComment]``).

After A. E. Brouwer's description and his program ugi2sgf, https://homepages.cwi.nl/~aeb/go/misc/ugf.html.
"""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator

from tengen.engine import sgf
from tengen.engine.board.goban import EMPTY
from tengen.engine.errors import NotationError, quoted
from tengen.engine.formats.plain import require_go
from tengen.engine.play.position import MAX_TURNS
from tengen.engine.sgf.encoding import decoded
from tengen.engine.sgf.node import PASS_BOARD, Node, format_point, format_turn, parse_point
from tengen.engine.sgf.record import option_properties, stones_of
from tengen.engine.sgf.syntax import Notes

SUFFIXES = (".ugf", ".ugi")
LANGUAGE = rb"(?im)^Lang=([\w.:-]{1,40})"
TURN = re.compile(r"([A-Z])([A-Z]),(?:([BW])[1-9]?|MK),([0-9]{1,5})(?:,.*)?")
SECTION = re.compile(r"\[([A-Za-z]+)\]")
UNHELD = re.compile(rf"\.|{SECTION.pattern}$")  # lines that are none of a comment
TEXT = re.compile(r"\.Text,([0-9]{1,5})(?:,.*)?")
PASSES = ("Y", "Z")  # columns
COPIED = {"place": "PC", "copyright": "CP", "writer": "US", "commentator": "AN"}
RULES = {"JPN": "Japanese", "CH": "Chinese", "CHN": "Chinese"}
NAMED = {name: code for code, name in RULES.items()}
ENDS = {"C": "R", "F": "F", "T": "T"}  # how a game was won if not by points
WITHOUT_WINNER = {"D": "0", "N": "Void", "A": "?", "E": "?", "O": "?"}

HELD = {  # properties of a root, if their values match
    **dict.fromkeys(("PB", "PW", "BR", "WR"), r"[^,\n]+"),
    **dict.fromkeys(("EV", "RU", *COPIED.values()), r".*"),
    "DT": r"\d{4}-\d\d-\d\d",
    "RE": r"[BW]\+([RFT]?|[0-9]{1,3}(\.[0-9]{1,2})?)|0|Void",
}

Header = dict[str, str]


def read(data: bytes) -> sgf.Record:
    """Return the record in `data`.

    Raises NotationError if the text has another form, or a turn cannot be played.
    """
    notes = Notes()
    sections = _sections(decoded(data, notes, LANGUAGE))
    if "data" not in sections:
        raise NotationError("record: expected the sections [Header] and [Data], got none")
    definitions = (line.partition("=") for line in sections["header"])
    header = {name.strip().lower(): value.strip() for name, _, value in definitions}
    told = header.get("size", str(PASS_BOARD))
    if not re.fullmatch("[0-9]{1,2}", told) or not 2 <= int(told) <= PASS_BOARD:
        raise NotationError(f"record: expected Size from 2 to {PASS_BOARD}, got {quoted(told)}")
    size = int(told)
    root = Node(None, {"GM": ["1"], "SZ": [str(size)]})
    root.properties |= {name: [value] for name, value in _properties(header) if value}
    comments = _comments(sections["figure"])
    root.comment = "\n".join(comments[0])
    node, number = root, 0
    from_bottom = header.get("coordinatetype", "").upper() == "IGS"
    for colour, point in _turns(sections["data"], size, from_bottom):
        if colour.startswith("A"):
            root.properties.setdefault(colour, []).append(point)
            continue
        number += 1
        node = Node(node, {colour: [point]})
        node.comment = "\n".join(comments[number])
    return sgf.Collection([root], None, notes)[0]


def _sections(text: str) -> dict[str, list[str]]:
    """Return the lines of each section, by its name in lower case."""
    sections: dict[str, list[str]] = defaultdict(list)
    name = ""
    for line in map(str.strip, text.splitlines()):
        if match := SECTION.fullmatch(line):
            name = match[1].lower()
            sections[name] = []
        elif line:
            sections[name].append(line)
    return sections


def _properties(header: Header) -> Iterator[tuple[str, str]]:
    """Yield SGF properties and their values, which may be empty."""
    for letter in "BW":
        name, _, rest = header.get(f"player{letter.lower()}", "").partition(",")
        yield f"P{letter}", name
        yield f"{letter}R", rest.partition(",")[0]
    handicap, _, komi = header.get("hdcp", "").partition(",")
    yield "HA", "" if handicap == "0" else handicap
    yield "KM", komi
    rules = header.get("rule", "")
    yield "RU", RULES.get(rules.upper(), rules)
    yield "EV", ", ".join(filter(None, map(str.strip, header.get("title", "").split(","))))
    if date := re.match(r"(\d{4})/(\d\d)/(\d\d)", header.get("date", "")):
        yield "DT", "-".join(date.groups())
    for name, copied in COPIED.items():
        yield copied, header.get(name, "")
    yield "RE", _result(header.get("winner", ""))


def _result(text: str) -> str:
    """Return the result ``W,3.5`` or ``B,C`` as SGF has it; empty if it is unknown."""
    winner, _, how = text.partition(",")
    if winner not in ("B", "W"):
        return WITHOUT_WINNER.get(winner[:1], "")
    if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,2})?", how):
        return f"{winner}+{float(how):g}"
    return f"{winner}+{ENDS.get(how[:1].upper(), '')}"


def _turns(lines: list[str], size: int, from_bottom: bool) -> Iterator[tuple[str, str]]:
    """Yield the property (AB, AW, B or W) and the SGF point of each line, empty for a pass.

    Lines that begin with a period are no turns.
    """
    turns = 0
    colour = "W"  # of the turn before
    for line in lines:
        if line.startswith("."):
            continue
        match = TURN.fullmatch(line)
        if match is None:
            expected = "expected one such as PD,B1,1,0"
            raise NotationError(f"record: turn {turns + 1}: {expected}, got {quoted(line)}")
        x, y = (ord(letter) - ord("A") for letter in match[1] + match[2])
        passes = match[1] in PASSES
        if not passes and not (x < size and y < size):
            expected = f"expected a point from AA to {chr(ord('A') + size - 1) * 2}"
            raise NotationError(f"record: turn {turns + 1}: {expected}, got {quoted(line)}")
        point = "" if passes else format_point(x, y if from_bottom else size - 1 - y, size)
        if int(match[4]) == 0 and not turns and not passes:
            yield f"A{match[3] or 'B'}", point
            continue
        turns += 1
        if turns > MAX_TURNS:
            raise NotationError(f"record: expected at most {MAX_TURNS:,} turns, got more")
        colour = match[3] or "BW"["WB".index(colour)]
        yield colour, point


def _comments(lines: list[str]) -> dict[int, list[str]]:
    """Return the lines of comments, by the number of the turn; those on the game have the number 0."""
    found: dict[int, list[str]] = defaultdict(list)
    number: int | None = None
    for line in lines:
        if match := TEXT.fullmatch(line):
            number = int(match[1])
        elif line.startswith((".EndText", ".Fig")):
            number = None
        elif number is not None and not line.startswith(".#"):
            found[number].append(line)
    return found


# ---------------------------------------------------------------------------------------------------- writing


def holds(node: Node, name: str) -> bool:
    """Return whether the format can hold a property of a node."""
    if name == "C":
        lines = map(str.strip, node.comment.splitlines())
        on_turn = node.parent is None or bool(node.colour)
        return on_turn and all(line and not UNHELD.match(line) for line in lines)
    value = " ".join(node.properties.get(name, ()))
    if name == "RU" and node.spec and value not in ("", *option_properties(node.spec)["RU"]):
        return False
    return node.parent is None and name in HELD and re.fullmatch(HELD[name], value) is not None


def write(record: sgf.Record) -> str:
    """Return the main line of `record`, up to a set-up in the middle, with its comments.

    Raises NotationError if the board is too large.
    """
    require_go(record)
    values = record.spec.values
    size = int(values["size"])
    if size > PASS_BOARD:
        raise NotationError(f"record: expected at most {PASS_BOARD} points a side for .ugf, got {size}")
    stones: dict[tuple[int, int], int] = {}
    for node in itertools.takewhile(lambda node: not node.colour, record.line):
        stones |= stones_of(node, size)
    data = [f"{_letters(*place)},{' BW'[stone]}1,0,0" for place, stone in stones.items() if stone != EMPTY]
    figure = _text_lines(0, record.root)
    for number, node in enumerate(record.opening_line(), 1):
        value = format_turn(record.spec, node.turn or "")
        point = _letters(*parse_point(value, size)) if value else "YA"
        data.append(f"{point},{node.colour}1,{number},0")
        figure += _text_lines(number, node)
    header = [f"{name}={value}" for name, value in _header(record) if value.strip(",")]
    sections = ["[Header]", *header, "[Data]", *data, "[Figure]", *figure, "[End]"]
    return "\n".join(sections) + "\n"


def _header(record: sgf.Record) -> Iterator[tuple[str, str]]:
    """Yield names and values of the header, which may be empty."""
    values = record.spec.values
    yield from {"Lang": "UTF-8", "Size": str(values["size"]), "CoordinateType": "IGS"}.items()
    for letter in "BW":
        yield f"Player{letter}", f"{record.value(f'P{letter}')},{record.value(f'{letter}R')},"
    yield "Hdcp", f"{values['handicap']},{float(values['komi']):.2f}"
    (rules,) = option_properties(record.spec)["RU"]
    yield "Rule", "" if values["rules"] == "territory" else NAMED.get(rules, rules)  # that is what is assumed
    yield "Title", record.value("EV")
    yield "Date", record.value("DT").replace("-", "/")
    for name, copied in COPIED.items():
        yield name.title(), record.value(copied)
    result = record.value("RE")
    without = {said: code for code, said in WITHOUT_WINNER.items()}
    how = {end: code for code, end in ENDS.items()}.get(result[2:], result[2:])
    yield "Winner", f"{result[0]},{how}" if result[1:2] == "+" else without.get(result, "")


def _letters(x: int, y: int) -> str:
    """Return a point whose row counts from the bottom."""
    return chr(ord("A") + x) + chr(ord("A") + y)


def _text_lines(number: int, node: Node) -> list[str]:
    """Return the lines of the comment on a turn; none without one."""
    lines = map(str.strip, node.comment.splitlines())
    comment = [line for line in lines if line and not UNHELD.match(line)]
    return [f".Text,{number}", *comment, ".EndText"] if comment else []
