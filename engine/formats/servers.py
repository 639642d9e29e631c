"""Records of Go servers, GIB (Tygem) and NGF (WBaduk): read by the library pysgf, the extra `records`.

Both hold a game under Japanese rules on a board of up to 19×19 points (GIB: of just that), from the first
turn or from fixed handicap stones, of which three stand otherwise than in SGF.
"""

from __future__ import annotations

import re

from tengen.engine import sgf
from tengen.engine.errors import NotationError, OptionError
from tengen.engine.formats.plain import plain_line, require_go
from tengen.engine.sgf.encoding import decoded
from tengen.engine.sgf.node import Node
from tengen.engine.sgf.points import PASS_BOARD, format_turn
from tengen.engine.sgf.syntax import Notes

GIB, NGF = SUFFIXES = (".gib", ".ngf")
VARIATIONS = False
NO_KOMI = re.compile(r"(?:GONGJE:|,G)0,")  # which pysgf takes for a komi that is not known
DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
RESULT = re.compile(r"([BW])\+(R|T|Resign|Time|[0-9]{1,3}(?:\.[0-9])?)", re.I)
ENDS = {"R": (3, 4), "T": (7, 8)}  # codes of how Black has won, and White; by points they are 0 and 1
UNKNOWN = "?"  # a player in NGF, where no line is empty
OTHERWISE = 3  # handicap stones that Tygem and WBaduk place in another corner


def read(data: bytes, suffix: str) -> sgf.Record:
    """Return the record in `data`.

    Raises
    ------
    OptionError
        If the library is not installed.
    NotationError
        If it cannot read the record, or a turn cannot be played.
    """
    try:
        from pysgf import GoGame
    except ImportError:
        raise OptionError(f"record: {suffix} needs pysgf, in the extra records: pip install pysgf") from None
    notes = Notes()
    text = decoded(data, notes)
    try:
        root = GoGame.from_string(text, ext=suffix[1:]).root
    except Exception as error:  # whatever foreign code makes of hostile text
        raise NotationError(f"record: pysgf cannot read it: {error}") from None
    root.set_property("GM", 1)
    root.set_property("SZ", root.get_property("SZ", 19))
    for name in ("PB", "PW"):
        if root.get_property(name) == UNKNOWN:
            del root.properties[name]
    if suffix == GIB and root.get_property("KM") is None and NO_KOMI.search(text):
        root.set_property("KM", 0)
    record = sgf.parse(root.sgf())
    record.notes[:0] = notes
    return record


def holds(node: Node, name: str) -> bool:
    """Return whether these formats can hold a property of a node."""
    match name:
        case "PB" | "PW":
            return True
        case "DT":
            return DATE.fullmatch(node.properties[name][0]) is not None
        case "RE":
            return RESULT.fullmatch(node.properties[name][0]) is not None
    return False


def write(record: sgf.Record, suffix: str) -> str:
    """Return the main line of `record`. A passing of both sides at its end is left out in GIB.

    Raises
    ------
    NotationError
        If the format has no place for the board, the komi, the handicap or a pass.
    """
    require_go(record)
    values = record.spec.values
    size, handicap, komi = int(values["size"]), int(values["handicap"]), float(values["komi"])
    if size > PASS_BOARD or (suffix == GIB and size != PASS_BOARD):
        raise NotationError(
            f"record: expected a board of {PASS_BOARD} points a side for {suffix}, got {size}"
        )
    if handicap == OTHERWISE or len(record.properties.get("AB", ())) == OTHERWISE:
        raise NotationError(f"record: expected another handicap than {OTHERWISE} stones for {suffix}")
    if komi < 0 or (suffix == NGF and komi.is_integer() and not handicap):
        raise NotationError(f"record: expected a komi that {suffix} can hold, got {komi:g}")
    points = [(node.colour, format_turn(record.spec, node.turn or "")) for node in plain_line(record)]
    if suffix == NGF:
        return _ngf(record, points, komi)
    while points and not points[-1][1]:
        points.pop()
    if "" in (point for _, point in points):
        raise NotationError("record: expected no pass before the end for .gib, got one")
    black, white, date, result = _values(record)
    info = f"G{round(10 * komi)},"
    if found := RESULT.fullmatch(result):
        how, loser = found[2][:1].upper(), found[1].upper() == "W"
        margin = 0 if how in ENDS else round(10 * float(found[2]))
        info += f"W{ENDS.get(how, (0, 1))[loser]},Z{margin},"
    if match := DATE.fullmatch(date):
        info += f"C{match[1]}:{match[2]}:{match[3]},"
    lines = ["\\HS", f"\\[GAMEBLACKNAME={black}\\]", f"\\[GAMEWHITENAME={white}\\]", f"\\[GAMETAG=,{info}\\]"]
    lines += ["\\HE", "\\GS", f"INI 0 1 {handicap} &4"]
    for number, (colour, point) in enumerate(points, 2):
        x, y = (ord(letter) - ord("a") for letter in point)
        lines.append(f"STO 0 {number} {1 + (colour == 'W')} {x} {y}")
    return "\n".join([*lines, "\\GE"]) + "\n"


def _values(record: sgf.Record) -> list[str]:
    """Return the names of both players, the date and the result, empty where the record has none."""
    return [record.value(name) for name in ("PB", "PW", "DT", "RE")]


def _ngf(record: sgf.Record, points: list[tuple[str, str]], komi: float) -> str:
    """Return a record of NGF; `points` are colours and points of SGF."""
    black, white, date, result = _values(record)
    winner = {"B": "Black wins", "W": "White wins"}.get(result[:1].upper(), "")
    names = [name.replace(" ", "_") or UNKNOWN for name in (white, black)]
    size, handicap = (str(record.spec.values[name]) for name in ("size", "handicap"))
    lines = ["tengen", size, *names, "", handicap, "0", f"{int(komi)}", date.replace("-", ""), "", winner]
    lines.append(str(len(points)))
    for number, (colour, point) in enumerate(points, 1):
        place = "".join(chr(ord(letter) + 1) for letter in point).upper() or "AA"
        first, second = (chr(ord("A") + digit) for digit in divmod(number, 26))
        lines.append(f"PM{first}{second}{colour}{place}{place}")
    return "\n".join(lines) + "\n"
