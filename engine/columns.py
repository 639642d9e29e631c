"""Tables of texts."""

from collections.abc import Container, Sequence


def columns(rows: Sequence[Sequence[str]], left: Container[int] | None = None) -> list[str]:
    """Return the rows of a table as lines; the columns in `left` (default: all) are aligned left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        texts = [f"{cell:<{n}}" if left is None or i in left else f"{cell:>{n}}" for i, (cell, n) in cells]
        lines.append("  ".join(texts).rstrip())
    return lines


def named(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Return rows of a name and a text as lines."""
    return [f"{name:<10} {text}" for name, text in rows]
