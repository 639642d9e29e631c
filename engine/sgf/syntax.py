"""The syntax of SGF: nodes and properties, without their meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tengen.engine.errors import NotationError, quoted
from tengen.engine.sgf.record import Properties

# Tolerate an unescaped ]: it belongs to the value if another ] follows in the line before any other mark.
_VALUE = r"\[[^\\\]]*+(?:(?:\\.|\](?=[^\[\]();\n]*+\]))[^\\\]]*+)*+\]"
_TOKEN = re.compile(
    rf"\s*+(?:(?P<mark>[();])|(?P<name>[A-Za-z][A-Za-z0-9-]*+)\s*+(?P<values>(?:{_VALUE}\s*+)++))", re.DOTALL
)
_VALUES = re.compile(_VALUE, re.DOTALL)
_BEGIN = re.compile(r"\(\s*+;")


def main_line(text: str) -> Iterator[Properties]:
    """Yield the nodes of the main line of the first record in `text`; variations are only checked."""
    begin = _BEGIN.search(text)
    if not begin:
        raise NotationError(f"record: expected SGF, which begins with (;, got {quoted(text)}")
    node: Properties | None = None
    depth, main = 0, True
    for name, values in _tokens(text, begin.start()):
        if name in "();" and main and node is not None:
            yield node
            node = None
        if name == ";":
            node = {}
        elif name in "()":
            depth += 1 if name == "(" else -1
            main = main and name == "("
        elif node is None:
            raise NotationError(f"record: expected ; before {quoted(name)}")
        else:
            node.setdefault(name, []).extend(values)
        if depth == 0:
            return
    raise NotationError("record: cut off: expected ) at the end")


def _tokens(text: str, begin: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the marks ``( ) ;`` of `text`, without values, and its properties with their values."""
    while match := _TOKEN.match(text, begin):
        begin = match.end()
        if match["mark"]:
            yield match["mark"], []
        else:
            yield _name(match["name"]), [_unescaped(v[1:-1]) for v in _VALUES.findall(match["values"])]
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
    unified = re.sub(r"\r\n?|\n\r", "\n", value)
    return re.sub(r"\\(.)", lambda match: match[1].strip("\n"), unified, flags=re.DOTALL)


def property_text(name: str, values: Iterable[str]) -> str:
    """Return a property with its values as SGF text."""
    return name + "".join(f"[{_escaped(value)}]" for value in values)


def _escaped(value: str) -> str:
    """Return `value` escaped for brackets; `_unescaped` undoes it."""
    return re.sub(r"([\\\]])", r"\\\1", value)
