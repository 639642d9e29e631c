"""The syntax of SGF: a text as trees of nodes and properties, without their meaning."""

import itertools
import re
from collections.abc import Iterable, Iterator
from sys import intern

from tengen.engine.errors import NotationError, quoted
from tengen.engine.sgf.node import Node
from tengen.engine.storage.parsing import require_characters

# Tolerate an unescaped ]: it belongs to the value if another ] follows in the line before any other mark.
# Groups repeated by `*+` and `++` need no memory for long texts. What they repeat is atomic, since they fail
# before Python 3.11.5 if it can backtrack.
_VALUE = r"(?>\[[^\\\]]*+(?:(?>\\.|\](?=[^\[\]();\n]*+\]))[^\\\]]*+)*+\])"
MAX_NODES = 320_000  # of all games in a text
MAX_VALUES = 800_000
NODES_PER_LINE = 10  # at most, where a text is written
_NAME = r"[A-Za-z][A-Za-z0-9-]*+"
_TOKEN = re.compile(
    rf"\s*+(?:(?P<mark>[();])|(?P<name>{_NAME})\s*+(?P<values>(?:{_VALUE}\s*+)++))", re.DOTALL
)
_VALUES = re.compile(_VALUE, re.DOTALL)
_BACKSLASH = "\udfff"  # stands for an escaped one for a moment: no text has it
_BEGIN = re.compile(r"\(\s*+;")
_BARE_BEGIN = re.compile(rf"\(\s*+{_NAME}\s*+\[")  # without the mark of its first node
_TOGETHER = {("FF", "GM"), ("GM", "CA"), ("CA", "AP"), ("SZ", "TG")}  # properties that share a line of a root


class Notes:
    """What had to be guessed or left out: each kind once, with the first place and how often.

    `lines` have been noted before.
    """

    def __init__(self, *lines: str) -> None:
        self._before = lines
        self._found: dict[str, list[str]] = {}

    def add(self, kind: str, where: str, what: str = "") -> None:
        """Note something of a kind, in words, and the place."""
        found = self._found.setdefault(kind, [])
        found.append("" if found else f"{where}: {what}" if what else where)

    def __iter__(self) -> Iterator[str]:
        """Yield a line for each kind."""
        yield from self._before
        for kind, (first, *others) in self._found.items():
            yield f"{kind} ({first}{f'; {len(others):,} more' if others else ''})"


def trees(text: str, notes: Notes) -> list[Node]:
    """Return the roots of all games in `text`; what had to be guessed is told to `notes`.

    Raises NotationError if there is no game, too much, what is neither a mark nor a property, or a lone
    surrogate.
    """
    require_characters(text, "record")
    pattern = _BEGIN if _BEGIN.search(text) else _BARE_BEGIN
    begin = pattern.search(text)
    if not begin:
        raise NotationError(f"record: expected SGF, which begins with (;, got {quoted(text)}")
    roots: list[Node] = []
    budget = _Budget()
    while begin:
        root, end = _tree(text, begin.start(), notes, budget)
        roots.append(root)
        begin = pattern.search(text, end)
        if rest := text[end : begin.start() if begin else len(text)].strip("\0\ufeff \t\r\n\v\f\x1a"):
            notes.add("text after a game is left out", _line(text, end), quoted(rest, 30))
    return roots


class _Budget:
    """How much of a text has been read."""

    def __init__(self) -> None:
        self.marks = self.nodes = self.values = 0

    def spend(self, marks: int, nodes: int, values: int) -> None:
        """Count what has been read; raise NotationError if it is too much."""
        self.marks, self.nodes, self.values = self.marks + marks, self.nodes + nodes, self.values + values
        # ( and ) for each node at most
        if self.nodes > MAX_NODES or self.marks > 3 * MAX_NODES or self.values > MAX_VALUES:
            raise NotationError(f"record: expected at most {MAX_NODES:,} nodes and {MAX_VALUES:,} values")


def _tree(text: str, begin: int, notes: Notes, budget: _Budget) -> tuple[Node, int]:
    """Return the root of the game that begins at `begin`, and where it has ended."""
    root: Node | None = None
    last: Node | None = None  # the node that the next one follows
    complete = True  # whether properties need a new node
    forks: list[Node | None] = []
    end = begin
    for start, end, name, values in _tokens(text, begin):
        budget.spend(not values, name == ";" or (complete and bool(values)), len(values))
        if name == "(":
            forks.append(last)
            complete = True
        elif name == ")":
            last, complete = forks.pop(), True
        else:
            if name == ";" or complete or last is None:
                last = Node(last)
                root, complete = root or last, False
                if name != ";":
                    kind = "expected ; before a node, read as if it were there"
                    notes.add(kind, _line(text, start), quoted(name))
            if name != ";":
                last.properties.setdefault(name, []).extend(values)
        if not forks:
            assert root  # `_BEGIN` has found its mark
            return root, end
    if root and not (root.properties or root.children):
        raise NotationError("record: cut off: expected properties and ) at the end")
    notes.add("expected ) at the end, read as if it were there", _line(text, end), f"{len(forks):,} missing")
    assert root
    return root, len(text)


def _tokens(text: str, begin: int) -> Iterator[tuple[int, int, str, list[str]]]:
    """Yield where each mark ``( ) ;`` or property of `text` begins and ends, itself, and its values."""
    while match := _TOKEN.match(text, begin):
        begin = match.end()
        if match["mark"]:
            yield match.start(), begin, match["mark"], []
        else:
            values = itertools.islice(_VALUES.finditer(match["values"]), MAX_VALUES + 1)
            yield (
                match.start("name"),
                begin,
                _name(match["name"]),
                [_unescaped(value[0][1:-1]) for value in values],
            )
    rest = text[begin : begin + 200].lstrip()
    if re.match(r"[A-Za-z0-9]*\s*\[", rest):
        raise NotationError(f"record: cut off: the value that begins in {_line(text, begin)} has no ]")
    if rest := rest.strip("\0\x1a"):
        expected = "expected ; ( ) or a property such as B[dd]"
        raise NotationError(f"record: {expected}, got {quoted(rest)} in {_line(text, begin)}")


def _line(text: str, at: int) -> str:
    """Return the line of `text` in which the next character but blanks stands, in words."""
    begin = re.compile(r"\s*").match(text, at)
    return f"line {text.count(chr(10), 0, begin.end() if begin else at) + 1}"


def _name(text: str) -> str:
    """Return the name of a property without the lower-case letters that older formats add."""
    if text.isupper():
        return text
    short = "".join(letter for letter in text if not letter.islower())
    return short if short[:1].isalpha() else text.upper()


def _unescaped(value: str) -> str:
    """Return a value with its escapes undone and its line ends as line feeds."""
    # By whole replacements, not match by match: a value may have millions of escapes and line ends
    if "\r" in value:
        if "\n\r" in value:
            value = re.sub(r"\r\n?|\n\r", "\n", value)
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    if "\\" not in value:
        return intern(value) if len(value) < 3 else value  # points, of which there are many
    return value.replace("\\\\", _BACKSLASH).replace("\\\n", "").replace("\\", "").replace(_BACKSLASH, "\\")


def tree_text(root: Node) -> str:
    """Return a game as SGF text, which `trees` reads back."""
    parts, before = ["(;"], ""
    for name, values in root.properties.items():  # most of them in lines of their own
        if values:
            parts += ["\n"] if before and (before, name) not in _TOGETHER else []
            parts.append(property_text(name, values))
            before = name
    pending, nodes = [*_following(root)], 0
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            parts.append(node)
            nodes = 0
            continue
        parts.append("\n;" if nodes % NODES_PER_LINE == 0 and parts[-1] != "\n(" else ";")
        parts += [property_text(name, values) for name, values in node.properties.items() if values]
        nodes += 1
        pending += _following(node)
    return "".join(parts) + ")\n"


def _following(node: Node) -> Iterator[Node | str]:
    """Yield what is written after a node, the last part first: its children, several in parentheses."""
    if len(node.children) == 1:
        yield node.children[0]
        return
    for child in reversed(node.children):
        yield from (")", child, "\n(")


def property_text(name: str, values: Iterable[str]) -> str:
    """Return a property with its values as SGF text; raise NotationError if a value has lone surrogates."""
    checked = (require_characters(value, f"record: {name}") for value in values)
    return name + "".join("[" + value.replace("\\", "\\\\").replace("]", "\\]") + "]" for value in checked)
