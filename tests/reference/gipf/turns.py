"""The turn of GIPF that is being made."""

from typing import NamedTuple

from .board import Point, Way


class Path(NamedTuple):
    """The turn so far: ends of its pushes and jumps, lines of its groups, and the texts of its parts.

    Paths are compared as `docs/gipf.md` compares turns.
    """

    pushes: tuple[tuple[Point, Point], ...] = ()
    lines: tuple[tuple[Point, Point], ...] = ()
    parts: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Text of the turn."""
        return ";".join(self.parts)

    @property
    def rank(self) -> tuple[object, ...]:
        """What makes one turn smaller than another."""
        return self.pushes, self.lines, self.text

    def push(self, prefix: str, ends: tuple[Point, Point]) -> "Path":
        """Return the path with a push or jump added."""
        text = f"{prefix}{ends[0].name}-{ends[1].name}"
        return self._replace(pushes=(*self.pushes, ends), parts=(*self.parts, text))

    def give_up(self) -> "Path":
        """Return the path with a potential taken out of the game [T-3]."""
        return self._replace(parts=(*self.parts, "p-"))

    def group(self, line: Way, taken: tuple[Point, ...]) -> "Path":
        """Return the path with the removal of `taken` added; a row of which nothing is taken has no group."""
        if not taken:
            return self
        text = "x" + ",".join(spot.name for spot in taken)
        return self._replace(lines=(*self.lines, line.ends), parts=(*self.parts, text))
