"""Writing records."""

from __future__ import annotations

from collections.abc import Iterable, Set

from tengen import __version__
from tengen.engine.board.goban import BLACK, parse_rows
from tengen.engine.errors import NotationError, quoted
from tengen.engine.game import GameSpec
from tengen.engine.play.position import Position
from tengen.engine.sgf.points import format_point, format_turn
from tengen.engine.sgf.record import (
    COLOURS,
    NAME,
    SET_UP,
    Properties,
    Record,
    Variation,
    derived_names,
    option_properties,
)
from tengen.engine.sgf.syntax import property_text

TURNS_PER_LINE = 10


def write(record: Record) -> str:
    """Return `record` in SGF; `parse` reads it back, the variations if asked.

    Raises
    ------
    TengenError
        When the record cannot be written: a faulty start position, a turn that is not a point of the square
        board, a property that follows from the rest, a comment or a variation on a turn that does not exist.
    """
    game = record.spec.game
    _require_names(record.properties, derived_names(record.spec) | COLOURS)
    lines = [f"(;FF[4]GM[{game.sgf_gm}]CA[UTF-8]AP[tengen:{__version__}]"]
    size = property_text("SZ", [str(record.spec.values["size"])]) if game.square else ""
    lines.append(size + property_text("TG", [str(record.spec)]))
    lines += [property_text(name, values) for name, values in option_properties(record.spec).items()]
    lines += [property_text(name, values) for name, values in _start_properties(record).items() if values]
    lines += [property_text(name, values) for name, values in record.properties.items() if values]
    branches = {index: listed for index, listed in record.variations.items() if listed}
    nodes = ["(" * (index in branches) + node for index, node in enumerate(_turn_nodes(record.spec, record))]
    lines += ["".join(nodes[n : n + TURNS_PER_LINE]) for n in range(0, len(nodes), TURNS_PER_LINE)]
    for index in sorted(branches, reverse=True):
        lines.append(")" + _variations(record.spec, branches[index], index + 1))
    return "\n".join(lines) + ")\n"


def _start_properties(record: Record) -> Properties:
    """Return the properties that set up the start position; none for that of the game if it has no stones."""
    square = record.spec.game.square
    if record.start is None and not square:
        return {}
    own = Position.start(record.spec).text()
    text = own if record.start is None else Position.parse(record.spec, record.start).text()
    rows, side, *more = text.split()
    if not square or more != own.split()[2:]:
        return {} if text == own else {"TP": [text]}
    size = int(record.spec.values["size"])
    stones, _ = parse_rows(rows, size)
    if text == own and not stones:
        return {}
    points: Properties = {"AB": [], "AW": []}
    for (x, y), colour in stones.items():
        points["AB" if colour == BLACK else "AW"].append(format_point(x, y, size))
    return {**points, "PL": [side.upper()]}


def _turn_nodes(spec: GameSpec, line: Record | Variation, first: int = 1) -> list[str]:
    """Return the nodes of the turns of a line, the first of which has the number `first`."""
    if stray := {*line.comments, *line.details, *line.variations} - set(range(len(line.turns))):
        expected = f"expected comments and variations on {len(line.turns)} turns"
        raise NotationError(f"record: {expected}, got one on turn {max(stray) + 1}")
    nodes = []
    for index, played in enumerate(line.turns):
        details = line.details.get(index, {})
        _require_names(details, COLOURS | SET_UP | {"C"})
        if index in line.comments:
            details = {**details, "C": [line.comments[index]]}
        nodes.append(_turn_node(spec, played, first + index, details))
    return nodes


def _variations(spec: GameSpec, variations: Iterable[Variation], first: int) -> str:
    """Return the text of variations that begin with turn `first`, however deep others nest in them."""
    parts: list[str] = []
    pending: list[str | tuple[Variation, int]] = []

    def add(listed: Iterable[Variation], number: int) -> None:
        for variation in reversed(list(listed)):
            pending.extend((")", (variation, number), "("))

    add(variations, first)
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            parts.append(part)
            continue
        line, number = part
        branches = {index: listed for index, listed in line.variations.items() if listed}
        nodes = _turn_nodes(spec, line, number)
        parts += ["(" * (index in branches) + node for index, node in enumerate(nodes)]
        for index in sorted(branches):  # the last ones first
            add(branches[index], number + index)
            pending.append(")")
    return "".join(parts)


def _turn_node(spec: GameSpec, played: tuple[int, str], number: int, properties: Properties) -> str:
    """Return the node of turn `number` (its side and text) with its other `properties`."""
    side, turn = played
    colour = spec.game.letters[side].upper()
    written = {colour: [format_turn(spec, turn, number)], **properties}
    return ";" + "".join(property_text(name, values) for name, values in written.items() if values)


def _require_names(properties: Properties, reserved: Set[str]) -> None:
    """Raise NotationError unless all names are valid in SGF and none is `reserved`."""
    for name in properties:
        if name in reserved or not NAME.fullmatch(name):
            expected = "expected a property in capitals, none that follows from the rest"
            raise NotationError(f"record: {expected}, got {quoted(name)}")
