"""The syntax of SGF: nodes and properties, without their meaning."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tengen.engine.errors import NotationError, quoted
from tengen.engine.sgf.record import Properties
from tengen.engine.storage.parsing import require_characters

# Tolerate an unescaped ]: it belongs to the value if another ] follows in the line before any other mark.
_VALUE = r"\[[^\\\]]*+(?:(?:\\.|\](?=[^\[\]();\n]*+\]))[^\\\]]*+)*+\]"
MAX_NODES = 100_000  # of all variations of a record
MAX_VALUES = 500_000
_TOKEN = re.compile(
    rf"\s*+(?:(?P<mark>[();])|(?P<name>[A-Za-z][A-Za-z0-9-]*+)\s*+(?P<values>(?:{_VALUE}\s*+)++))", re.DOTALL
)
_VALUES = re.compile(_VALUE, re.DOTALL)
_BACKSLASH = "\udfff"  # stands for an escaped one for a moment: no text has it
_BEGIN = re.compile(r"\(\s*+;")


@dataclass
class Node:
    """A node of a record, and what may follow it: the main line first, then variations."""

    properties: Properties = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def main_line(self) -> Iterator[Node]:
        """Yield this node and those that follow it in the main line."""
        node: Node | None = self
        while node:
            yield node
            node = node.children[0] if node.children else None


def tree(text: str) -> Node:
    """Return the root of the first record in `text`."""
    require_characters(text, "record")
    begin = _BEGIN.search(text)
    if not begin:
        raise NotationError(f"record: expected SGF, which begins with (;, got {quoted(text)}")
    root: Node | None = None
    last: Node | None = None  # the node that the next one follows
    complete = True  # whether properties need a new node
    forks: list[Node | None] = []
    marks = nodes = kept = 0
    for name, values in _tokens(text, begin.start()):
        marks, nodes, kept = marks + (not values), nodes + (name == ";"), kept + len(values)
        if nodes > MAX_NODES or marks > 3 * MAX_NODES or kept > MAX_VALUES:  # ( and ) for each at most
            raise NotationError(f"record: expected at most {MAX_NODES:,} nodes and {MAX_VALUES:,} values")
        if name == ";":
            node = Node()
            if last:
                last.children.append(node)
            root, last, complete = root or node, node, False
        elif name == "(":
            forks.append(last)
            complete = True
        elif name == ")":
            last, complete = forks.pop(), True
        elif complete or last is None:
            raise NotationError(f"record: expected ; before {quoted(name)}")
        else:
            last.properties.setdefault(name, []).extend(values)
        if not forks:
            assert root  # `_BEGIN` has found its mark
            return root
    raise NotationError("record: cut off: expected ) at the end")


def _tokens(text: str, begin: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the marks ``( ) ;`` of `text`, without values, and its properties with their values."""
    while match := _TOKEN.match(text, begin):
        begin = match.end()
        if match["mark"]:
            yield match["mark"], []
        else:
            values = itertools.islice(_VALUES.finditer(match["values"]), MAX_VALUES + 1)
            yield _name(match["name"]), [_unescaped(value[0][1:-1]) for value in values]
    rest = text[begin:].lstrip()
    line = text.count("\n", 0, len(text) - len(rest)) + 1
    if re.match(r"[A-Za-z0-9]*\s*\[", rest):
        raise NotationError(f"record: cut off: the value that begins in line {line} has no ]")
    if rest:
        expected = "expected ; ( ) or a property such as B[dd]"
        raise NotationError(f"record: {expected}, got {quoted(rest)} in line {line}")


def _name(text: str) -> str:
    """Return the name of a property without the lower-case letters that older formats add."""
    short = "".join(letter for letter in text if not letter.islower())
    return short if short[:1].isalpha() else text.upper()


def _unescaped(value: str) -> str:
    """Return a value with its escapes undone and its line ends as line feeds."""
    # By whole replacements, not match by match: a value may have millions of escapes and line ends
    if "\n\r" in value:
        value = re.sub(r"\r\n?|\n\r", "\n", value)
    kept = value.replace("\r\n", "\n").replace("\r", "\n").replace("\\\\", _BACKSLASH)
    return kept.replace("\\\n", "").replace("\\", "").replace(_BACKSLASH, "\\")


def property_text(name: str, values: Iterable[str]) -> str:
    """Return a property with its values as SGF text.

    Raises
    ------
    NotationError
        If a value has lone surrogates.
    """
    return name + "".join(f"[{_escaped(require_characters(value, f'record: {name}'))}]" for value in values)


def _escaped(value: str) -> str:
    """Return `value` escaped for brackets; `_unescaped` undoes it."""
    return value.replace("\\", "\\\\").replace("]", "\\]")
