"""Final positions of Go whose dead stones are known: `constructed.txt`, `games.txt`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any

from tengen.engine.play.position import Position
from tests.reference import Go, reference

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
FOLDER = Path(__file__).parent
COMMENT = "#"
FIELDS = {
    "name",  # what is to be seen, or the number of the game
    "spec",
    "position",  # the text of the position; it may run over indented lines, one a row
    "dead",  # vertices of all dead stones
    "seki",  # of all stones in seki
    "unsure",  # of the stones whose life hangs on who moves first, or on a ko
    "safe",  # for brute force: a vertex of each chain that is to be taken as alive
    "brute force",  # what becomes of chains: A1 dead, C4 alive
    "by hand",  # why it is so, where brute force would take too long
    "gnugo",  # GNU Go's score, and its dead stones
    "verdict",  # of a person, where tengen or GNU Go has judged otherwise
}


@dataclass(frozen=True)
class FinalPosition:
    """A position at the end of a game, and the truth about it."""

    name: str
    spec: str
    text: str
    dead: frozenset[str]  # vertices
    seki: frozenset[str]
    unsure: frozenset[str]
    safe: frozenset[str]
    brute_force: Mapping[str, str]  # by vertex of a chain: ``alive``, ``dead`` or ``unsettled``

    def __str__(self) -> str:
        return self.name

    @cached_property
    def board(self) -> Go:
        """The position of the reference implementation."""
        position = reference(self.spec, self.text)
        assert isinstance(position, Go)
        return position

    @cached_property
    def state(self) -> Any:
        """The position of the engine, which nobody changes."""
        return Position.parse(self.spec, self.text).state

    def turned(self, turns: int) -> FinalPosition:
        """Return the position in swapped colours, turned by right angles, and from 4 on also mirrored."""
        rows, side, ko, black, white, passes = self.text.split(" ")
        size = self.board.size
        images = {}
        for row, column in product(range(size), repeat=2):
            x, y = column, row
            for _ in range(turns % 4):
                x, y = size - 1 - y, x
            images[f"{COLUMNS[column]}{size - row}"] = (size - 1 - x if turns >= 4 else x, y)
        swapped = rows.translate(str.maketrans("XO", "OX")).split("/")
        board = [[""] * size for _ in range(size)]
        for row, column in product(range(size), repeat=2):
            x, y = images[f"{COLUMNS[column]}{size - row}"]
            board[y][x] = swapped[row][column]
        text = "/".join("".join(line) for line in board)

        def image(vertices: frozenset[str]) -> frozenset[str]:
            return frozenset(f"{COLUMNS[images[v][0]]}{size - images[v][1]}" for v in vertices)

        return replace(
            self,
            text=f"{text} {'w' if side == 'b' else 'b'} {ko} {white} {black} {passes}",
            dead=image(self.dead),
            seki=image(self.seki),
            unsure=image(self.unsure),
            safe=image(self.safe),
        )

    @property
    def unsettled(self) -> frozenset[str]:
        """Vertices of chains of which nobody can be sure: who moves first decides, or who wins a ko."""
        return frozenset(vertex for vertex, status in self.brute_force.items() if status == "unsettled")

    @property
    def margin(self) -> Fraction:
        """Black's points less White's, komi included."""
        return self.board.score(self.dead)


def _final_position(fields: Mapping[str, str]) -> FinalPosition:
    """Return the position that the fields of a block describe.

    `ValueError` is raised for a field that is unknown, and if there is none of those that every block has.
    """
    if unknown := fields.keys() - FIELDS:
        raise ValueError(f"expected fields among {sorted(FIELDS)}, got {sorted(unknown)}")
    if missing := {"name", "spec", "position"} - fields.keys():
        raise ValueError(f"expected fields {sorted(missing)}, got none in {dict(fields)}")
    claims = [claim.split() for claim in fields.get("brute force", "").split(",") if claim]
    return FinalPosition(
        fields["name"],
        fields["spec"],
        fields["position"],
        *(frozenset(fields.get(key, "").split()) for key in ("dead", "seki", "unsure", "safe")),
        {vertex: status for vertex, status in claims},
    )


@cache
def read_positions(name: str) -> tuple[FinalPosition, ...]:
    """Return the positions of a file of this folder: blocks of ``field: value`` with empty lines between."""
    found = []
    for block in (FOLDER / name).read_text().split("\n\n"):
        fields: dict[str, list[str]] = {}
        key = ""
        for line in block.splitlines():
            if line.startswith(COMMENT):
                continue
            if line.startswith(" "):
                fields[key].append(line.strip())
                continue
            key, _, value = line.partition(":")
            fields[key] = [value.strip()] if value.strip() else []
        if fields:
            rows = fields.get("position", [])
            joined = {each: " ".join(lines) for each, lines in fields.items()}
            if len(rows) > 1:
                joined["position"] = f"{'/'.join(rows[:-1])} {rows[-1]}"
            found.append(_final_position(joined))
    return tuple(found)
