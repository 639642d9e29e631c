"""Reading records: the games of an SGF file, and what their roots say about them."""

import itertools
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload

from tengen.engine import games
from tengen.engine.board.goban import EMPTY
from tengen.engine.errors import NotationError, OptionError, TengenError, file_errors, located, quoted
from tengen.engine.game import Game
from tengen.engine.sgf.encoding import decoded
from tengen.engine.sgf.node import COLOURS, SET_UP, Node, Properties
from tengen.engine.sgf.record import Record, next_colour, stones_of
from tengen.engine.sgf.syntax import Notes, trees
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import read_bytes

MAX_BYTES = 8 << 20
MAX_LEADING = 100  # nodes in which handicap stones are looked for
SIZE = re.compile(r"([0-9]{1,3})(?:\s*[:xX*×]\s*([0-9]{1,3}))?")


class Collection(Sequence[Record]):
    """The games of a file, each read when it is asked for.

    The `games` are the roots of games whose meaning is not known yet, or records. The spec `game` says what
    is played, as far as the record does not, or otherwise than it. The `notes` tell what was guessed about
    the file.
    """

    def __init__(
        self, games: Iterable[Node | Record], game: str | None = None, notes: Iterable[str] = ()
    ) -> None:
        self._games = list(games)
        self._game = game
        self.notes = list(notes)

    def __len__(self) -> int:
        return len(self._games)

    @overload
    def __getitem__(self, index: int) -> Record: ...

    @overload
    def __getitem__(self, index: slice) -> list[Record]: ...

    def __getitem__(self, index: int | slice) -> Record | list[Record]:
        """Return a game, counted from 0.

        Raises NotationError or OptionError when it makes no sense; names its number if there are several.
        """
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        found = self._games[index]
        if isinstance(found, Node):
            number = range(len(self))[index] + 1
            try:
                found = _record(found, self._game)
            except TengenError as error:
                if len(self) > 1:
                    error.args = (f"game {number}: {error}",)
                raise
            found.notes[:0] = self.notes
            self._games[index] = found
        return found

    def number(self, number: int) -> Record:
        """Return a game, counted from 1; raise OptionError if there are not so many."""
        if not 1 <= number <= len(self):
            raise OptionError(f"record: expected the number of a game from 1 to {len(self)}, got {number}")
        return self[number - 1]


def read_all(path: Path | str, game: str | None = None) -> Collection:
    """Return the games in the file at `path`; for `game` see `Collection`.

    Raises NotationError when the file does not exist, is no regular one or no text, is larger than
    `MAX_BYTES` or malformed.
    """
    where = quoted(str(path), limit=200)
    with file_errors(f"record: {where}"):
        data = read_bytes(Path(path), MAX_BYTES)
    with located(where):
        return parse_data(data, game)


def parse_data(data: bytes, game: str | None = None) -> Collection:
    """Return the games in the contents of a file; see `read_all`."""
    if b"\0" in data.rstrip(b"\0") and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NotationError("expected SGF, got a binary file")
    notes = Notes()
    text = decoded(data, notes)
    roots = trees(text, notes)
    if text.encode("utf-8", "replace") != data.removeprefix(BOM_UTF8):
        for root in roots:  # in which it is written
            root.properties["CA"] = ["UTF-8"]
    return Collection(roots, game, notes)


def read_file(path: Path | str, game: str | None = None) -> Record:
    """Return the first game in the file at `path`; see `read_all`."""
    with located(quoted(str(path), limit=200), besides=(OptionError,)):
        return read_all(path, game)[0]


def parse_all(text: str, game: str | None = None) -> Collection:
    """Return the games in a text.

    Any line ends, unknown properties and the lower-case letters in names of older formats are accepted. What
    has to be guessed is in the notes of the records. Raises NotationError when the text is not SGF, or there
    is too much of it.
    """
    notes = Notes()
    return Collection(trees(text, notes), game, notes)


def parse(text: str, game: str | None = None) -> Record:
    """Return the first game in a text; see `parse_all`.

    Raises NotationError when the text is not SGF, or the root makes no sense; OptionError when the game or
    the size of its board is unknown.
    """
    return parse_all(text, game)[0]


# ------------------------------------------------------------------------------------------------- one game


def _record(root: Node, game: str | None) -> Record:
    """Return the record of the game that begins at `root`.

    A record in the dialect of a public archive is translated by its game.
    """
    notes = Notes()
    root = _translated(root, notes)
    _split(root, notes)
    spec = _spec(root, _named_game(root, game, notes), notes)
    record = Record.of_tree(spec, root)
    if game is not None:
        wanted = completed(spec, game)
        if wanted != spec and "TG" in root.properties:
            notes.add("read as the game that was asked for", f"{wanted}", f"the record says {spec}")
        record.name_game(wanted)
    elif "TG" not in root.properties:
        telling = spec.game.module("record").TELLING if spec.game.sgf_properties else ()
        if silent := [name for name in telling if not any(root.properties.get(name, ()))]:
            said = f"the record does not say {' or '.join(silent)}"
            record.assumption = f"{said}: read as {spec} (--game names others)"
    if root.is_set_up and spec.game.square:
        stones_of(root, int(spec.values["size"]))  # refuses what is faulty
    record.notes.extend(notes)
    return record


def _translated(root: Node, notes: Notes) -> Node:
    """Return the tree in tengen's own form; that of a public archive is translated by its game."""
    name = root.properties.get("GM", [""])[0].strip().lower()
    if "TG" in root.properties:
        return root
    for game in games.known():
        if game.archive_gm and game.archive_gm == name:
            line = [root, *root.main_line()]
            head, *turns = game.module("archive").translate([node.properties for node in line], notes)
            first = last = Node(None, head)
            for properties in turns:
                last = Node(last, properties)
            if left := sum(1 for _ in root) - len(line):
                notes.add("variations in the dialect of the archive are left out", f"{left:,} nodes")
            return first
    return root


def _split(root: Node, notes: Notes) -> None:
    """Divide nodes with several turns, or with a turn and a set-up, so that each has one of them.

    The set-up comes first, then the turns in their order; the other properties stay with the last one, those
    of a root with the root.
    """
    for node in root:
        properties = node.properties
        if "B" not in properties and "W" not in properties:
            continue
        turns = [(name, value) for name in properties if name in COLOURS for value in properties[name]]
        set_up = {name: properties[name] for name in properties if name in SET_UP}
        set_up = {} if set_up.keys() == {"PL"} and node is not root else set_up
        if len(turns) == 1 and not set_up and node is not root:
            continue
        others = {name: values for name, values in properties.items() if name not in {*COLOURS, *set_up}}
        parts: list[Properties] = [{name: [value]} for name, value in turns]
        if node is root:
            parts = [{**others, **set_up}, *parts]
        else:
            parts = [*([set_up] if set_up else []), *parts]
            parts[-1] |= others
        following, node.children, node.properties = node.children, [], parts[0]
        last = node
        for part in parts[1:]:
            last = Node(last, part)
        last.children = following
        for child in following:
            child.parent = last
        notes.add("a node with a turn and more of its kind is read as several", " ".join(properties)[:40])


def _named_game(root: Node, game: str | None, notes: Notes) -> Game:
    """Return the game that TG names, `game` unless GM contradicts it, or that of GM: else Go."""
    asked = GameSpec.parse(game).game if game is not None else None
    if "TG" in root.properties:
        said = GameSpec.parse(root.properties["TG"][0]).game
        if asked not in (None, said):
            raise OptionError(f"--game: expected {said.name}, as the record says, got {quoted(str(game))}")
        return said
    number = root.properties.get("GM", ["1"])[0].strip()
    known: dict[str, Game] = {}
    for each in sorted(games.known(), key=lambda each: each.sgf_gm):
        if each.sgf_gm:
            known.setdefault(str(each.sgf_gm), each)
    named = known.get(number)
    if asked is None:
        if named:
            return named
        listed = ", ".join(f"GM[{gm}] {game.title}" for gm, game in known.items())
        raise NotationError(f"record: expected a game spec in TG, or {listed}, got GM {quoted(number)}")
    if number == str(asked.sgf_gm):
        return asked
    if "GM" in root.properties:
        if named and not (asked.square and named.square):
            raise OptionError(f"--game: expected {named.name}, as the record says, got {quoted(str(game))}")
        title = named.title if named else f"GM {quoted(number)}"
        notes.add("read as the game that was asked for", asked.name, f"the record says {title}")
    return asked


def _spec(root: Node, game: Game, notes: Notes) -> GameSpec:
    """Return the game that the root names, by TG, or by SZ and the properties of `game`."""
    properties = root.properties
    sized = any(option.name == "size" for option in game.options)
    size = _size(properties, notes) if sized else None
    if "TG" in properties:
        spec = GameSpec.parse(properties["TG"][0])
        if spec.game.square and size is not None and size != spec.values["size"]:
            raise NotationError(f"record: expected SZ[{spec.values['size']}] for {spec}, got {size}")
        return spec
    spec = GameSpec.parse(game.name)
    spec = spec if size is None else spec.with_option("size", size)
    if not game.sgf_properties:
        return spec
    stones, first = _beginning(root, spec)

    def guess(what: str) -> None:
        notes.add(what, "as well as it can be read")

    options = game.module("record").options(properties, int(spec.values["size"]), stones, first, guess)
    for name, value in options.items():
        try:
            spec = spec.with_option(name, value)
        except OptionError as error:
            guess(str(error))
    return spec.as_variant()


def _beginning(root: Node, spec: GameSpec) -> tuple[dict[tuple[int, int], int], int]:
    """Return the stones set up before the first turn of the main line, and the side that begins."""
    size = int(spec.values["size"])
    stones = stones_of(root, size)
    colour = root.properties.get("PL", [next_colour(root)])[0].strip()[:1].upper()
    for node in itertools.islice(root.main_line(), MAX_LEADING):
        if node.colour:
            colour = colour or node.colour
            break
        if node.is_set_up:
            try:
                stones |= stones_of(node, size)
            except NotationError:  # is said when it is played
                break
            colour = node.properties.get("PL", [""])[0].strip()[:1].upper()
    placed = {place: stone for place, stone in stones.items() if stone != EMPTY}
    if colour in COLOURS:
        return placed, spec.game.letters.index(colour.lower())
    stones_each = list(placed.values())
    return placed, int(stones_each.count(1) > stones_each.count(2))


def _size(root: Properties, notes: Notes) -> int | None:
    """Return the board size that SZ names; None without it."""
    if "SZ" not in root:
        return None
    text = root["SZ"][0].strip()
    match = SIZE.fullmatch(text)
    if not match or match[2] not in (None, match[1]):
        raise NotationError(f"record: expected SZ of a square board, such as 15, got {quoted(root['SZ'][0])}")
    if match[2] and ":" not in text:
        notes.add(f"SZ[{text}] as {match[1]}", "as well as it can be read")
    return int(match[1])


def completed(spec: GameSpec, text: str) -> GameSpec:
    """Return `spec`, as far as a record says it, with the variant and the options that `text` names.

    Raises OptionError if `text` names no game, or another size of the board than that of the record.
    """
    asked = GameSpec.parse(text)
    named = {setting.strip().partition("=")[0] for setting in text.split(",")[1:]}
    if asked.game != spec.game:
        raise OptionError(f"--game: expected {spec.game.name}, got {quoted(text)}")
    variants = asked.game.variants
    presets = {name for preset in variants.values() for name in preset} if asked.variant else set()
    values = spec.values | {name: asked.values[name] for name in presets | named}
    if "size" in named and spec.game.square and asked.values["size"] != (size := spec.values["size"]):
        raise OptionError(f"--game: expected size={size}, as the record says, got {quoted(text)}")
    return GameSpec.of_values(spec.game, asked.variant or spec.variant, values)
