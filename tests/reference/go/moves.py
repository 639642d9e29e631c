"""What is known of a move of Go (docs/tuning.md), asked of the whole board: its features and its patterns.

Liberties, chains and shapes are sets of points. Ladders are played out on the reference's board.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from tests.reference.go.rules import Go, neighbours
from tests.reference.words import COLUMNS, STONES, Side, Stone

Cell = tuple[int, int]
Move = str | None  # None is a pass, or no turn
T = TypeVar("T")

OTHER: dict[Stone, Stone] = {"X": "O", "O": "X"}
SIDES: dict[Stone, Side] = {"X": "b", "O": "w"}
FARTHEST, LAST_LINE, MOST_LIBERTIES, LARGEST_EYE = 18, 7, 5, 6
LADDER_STEPS = 60
# Eyes of one colour in which a stone on the vital point leaves a single eye.
NAKADE = ("###", "##/#.", "###/.#.", "##./###", ".#./###/.#.", "##./###/.#.")
GIVEN_UP = (*NAKADE, "##", "##/##")  # chains that leave one eye when they are captured


def cell(vertex: str) -> Cell:
    """Return column and row of a vertex, from 1."""
    return COLUMNS.index(vertex[0]) + 1, int(vertex[1:])


def distance(one: str, other: str) -> int:
    """Return the distance of two vertices."""
    dx, dy = (abs(a - b) for a, b in zip(cell(one), cell(other), strict=True))
    return dx + dy + max(dx, dy)


def images(dx: int, dy: int) -> list[Cell]:
    """Return a step as all rotations and reflections show it."""
    return [(a * x, b * y) for a in (1, -1) for b in (1, -1) for x, y in ((dx, dy), (dy, dx))]


def shape(cells: set[Cell]) -> frozenset[Cell]:
    """Return what all rotations, reflections and shifts of some cells have in common."""
    turned = zip(*(images(*each) for each in sorted(cells)), strict=True)
    shifted = []
    for image in turned:
        left, low = min(x for x, _ in image), min(y for _, y in image)
        shifted.append(sorted((x - left, y - low) for x, y in image))
    return frozenset(min(shifted))


def shapes(drawings: tuple[str, ...]) -> set[frozenset[Cell]]:
    """Return the shapes of some drawings."""
    rows = [drawing.split("/") for drawing in drawings]
    return {
        shape({(x, y) for y, row in enumerate(each) for x, m in enumerate(row) if m == "#"}) for each in rows
    }


NAKADE_SHAPES, GIVEN_UP_SHAPES = shapes(NAKADE), shapes(GIVEN_UP)


@dataclass(frozen=True)
class Knower:
    """Tells the features of the moves in a position, after the turns `last` and, earlier, `before`."""

    go: Go
    last: Move
    before: Move

    @property
    def own(self) -> Stone:
        """The stones of the side to move."""
        return STONES[self.go.side]

    @property
    def other(self) -> Stone:
        """The stones of the opponent."""
        return OTHER[self.own]

    @cached_property
    def chains(self) -> dict[str, frozenset[str]]:
        """The chain of every stone."""
        return {
            point: found for point, stone in self.go.stones.items() for found in [self.joined(point, stone)]
        }

    def joined(self, start: str, stone: Stone | None) -> frozenset[str]:
        """Return the points that hang together with `start` and hold, like it, `stone` or nothing."""
        found, waiting = {start}, [start]
        while waiting:
            for point in self.beside(waiting.pop()):
                if self.go.stones.get(point) == stone and point not in found:
                    found.add(point)
                    waiting.append(point)
        return frozenset(found)

    def beside(self, point: str) -> tuple[str, ...]:
        """Return the neighbours of a point."""
        return neighbours(self.go.size)[point]

    def around(self, points: frozenset[str]) -> set[str]:
        """Return the neighbours of some points."""
        return {each for point in points for each in self.beside(point)} - points

    def liberties(self, chain: frozenset[str]) -> set[str]:
        """Return the liberties of a chain."""
        return self.around(chain) - self.go.stones.keys()

    def chains_at(self, point: str, stone: Stone) -> set[frozenset[str]]:
        """Return the chains of a colour next to a point."""
        return {self.chains[each] for each in self.beside(point) if self.go.stones.get(each) == stone}

    def all_chains(self, stone: Stone) -> set[frozenset[str]]:
        """Return the chains of a colour."""
        return {chain for point, chain in self.chains.items() if self.go.stones[point] == stone}

    def captured(self, move: str, stone: Stone) -> list[frozenset[str]]:
        """Return the chains that `stone` captures on `move`."""
        return [chain for chain in self.chains_at(move, OTHER[stone]) if self.liberties(chain) == {move}]

    def liberties_after(self, move: str, stone: Stone) -> set[str]:
        """Return the liberties of the chain that `stone` makes; stones it captures count as such."""
        found = set(self.beside(move)) - self.go.stones.keys()
        found = found.union(*(self.liberties(chain) for chain in self.chains_at(move, stone)))
        return found.union(*self.captured(move, stone)) - {move}

    def by(self, stone: Stone) -> Go:
        """Return the position with this colour to move. A ban of ko stays."""
        return replace(self.go, side=SIDES[stone], passes=0, history=())

    # ---- Features ----

    def features(self, move: str) -> dict[str, set[str]]:
        """Return, by class, the level that a legal move has.

        There are several where a ladder can go on in two ways that look equally good.
        """
        exact = {
            "capture": self.capture(move),
            "self-atari": self.self_atari(move),
            "eye": self.eye(move),
            "ko": "takes" if self.takes_ko(move) else "none",
            "contact": self.contact(move),
            "weakness": self.weakness(move),
            "distance": self.far(move, self.last),
            "distance before": self.far(move, self.before),
            "line": self.line(move),
        }
        read = {
            "escape": self.escape(move),
            "atari": self.atari(move),
            "protect": {"from ladder" if found else "none" for found in self.protects(move)},
            "fate": {"caught" if found else "none" for found in self.is_caught_after(move)},
        }
        return {name: {level} for name, level in exact.items()} | read

    def capture(self, move: str) -> str:
        """Say what a move captures: what saves own stones before the last turn's stone, before others."""
        taken = self.captured(move, self.own)
        if not taken:
            return "none"
        near = {
            point for chain in taken for point in self.around(chain) if self.go.stones.get(point) == self.own
        }
        if any(len(self.liberties(self.chains[point])) == 1 for point in near):
            return "saves"
        if self.last is not None and any(self.last in chain for chain in taken):
            return "last"
        return "several" if max(map(len, taken)) > 1 else "one"

    def self_atari(self, move: str) -> str:
        """Say what chain a move puts into atari itself."""
        if len(self.liberties_after(move, self.own)) > 1:
            return "none"
        chain = {move}.union(*self.chains_at(move, self.own))
        if len(chain) == 1:
            return "one"
        return "shape" if shape({cell(point) for point in chain}) in GIVEN_UP_SHAPES else "several"

    def eye(self, move: str) -> str:
        """Say in whose small eye a move is the vital point."""
        region = self.joined(move, None)
        owners = {self.go.stones[point] for point in self.around(region)}
        if len(region) > LARGEST_EYE or len(owners) != 1:
            return "none"
        if shape({cell(point) for point in region}) not in NAKADE_SHAPES:
            return "none"
        inside = {point: len(region.intersection(self.beside(point))) for point in region}
        if any(count >= inside[move] for point, count in inside.items() if point != move):
            return "none"
        return "own" if owners == {self.own} else "other"

    def takes_ko(self, move: str) -> bool:
        """Say whether a lone stone takes a single one and could be retaken."""
        taken = self.captured(move, self.own)
        alone = all(self.go.stones.get(point) == self.other for point in self.beside(move))
        return alone and [len(chain) for chain in taken] == [1]

    def contact(self, move: str) -> str:
        """Say how many chains a move touches."""
        own, other = (min(3, len(self.chains_at(move, stone))) for stone in (self.own, self.other))
        return f"{own} own, {other} other"

    def weakness(self, move: str) -> str:
        """Say how few liberties the weakest chain of each colour has that a move touches."""
        own, other = (
            min((len(self.liberties(chain)) for chain in self.chains_at(move, stone)), default=0)
            for stone in (self.own, self.other)
        )
        return f"{min(own, MOST_LIBERTIES)} and {min(other, MOST_LIBERTIES)} liberties"

    def far(self, move: str, turn: Move) -> str:
        """Say how far a move is from a turn."""
        return "none" if turn is None else str(min(FARTHEST, distance(move, turn)))

    def line(self, move: str) -> str:
        """Say on which line a move is, how full the board is, and how large."""
        size = self.go.size
        line = min(*cell(move), *(size + 1 - each for each in cell(move)), LAST_LINE)
        full = len(self.go.stones) / size**2
        phase = 1 if full < 1 / 8 else 2 if full < 1 / 3 else 3
        return f"{line}, phase {phase}, {'small' if size <= 11 else 'medium' if size <= 15 else 'large'}"

    # ---- Features that need ladders ----

    def escape(self, move: str) -> set[str]:
        """Say whether the last liberty of an own chain lets it escape from a ladder; the best of several."""
        chains = [chain for chain in self.chains_at(move, self.own) if self.liberties(chain) == {move}]
        if not chains:
            return {"none"}
        caught = [is_caught(self.go, min(chain)) for chain in chains]
        return {"works" if False in found else "doomed" for found in choices(caught)}

    def extension(self, out: str, besides: str, stone: Stone) -> int:
        """Return the liberties that extending to `out` is taken to bring, not counting `besides`.

        An empty neighbour counts 1, and every own chain its liberties but these two points. A liberty that
        two chains share counts twice.
        """
        empty = {point for point in self.beside(out) if point not in self.go.stones}
        return len(empty - {besides}) + sum(
            len(self.liberties(chain) - {out, besides}) for chain in self.chains_at(out, stone)
        )

    def atari(self, move: str) -> set[str]:
        """Say what the best atari is: one that catches, else by the liberties that each of two leaves."""
        order = ("ladder", "leaves fewer", "leaves as many", "leaves more", "none")
        found = []
        for chain in self.all_chains(self.other):
            liberties = self.liberties(chain)
            if len(liberties) == 2 and move in liberties and len(self.liberties_after(move, self.own)) > 1:
                (out,) = liberties - {move}
                found.append(self.atari_on(chain, move, out))
        return {min(levels, key=order.index) for levels in choices([*found, {"none"}])}

    def atari_on(self, chain: frozenset[str], move: str, out: str) -> set[str]:
        """Say what an atari on a chain with the liberties `move` and `out` does."""
        left, instead = self.extension(out, move, self.other), self.extension(move, out, self.other)
        plain = "leaves fewer" if left < instead else "leaves as many" if left == instead else "leaves more"
        caught = {False} if left > 2 else catches(self.go, move, min(chain))
        return {"ladder" if each else plain for each in caught}

    def protects(self, move: str) -> set[bool]:
        """Say whether a move is a liberty of an own chain that the opponent could catch."""
        found = []
        for chain in self.all_chains(self.own):
            liberties = self.liberties(chain)
            if len(liberties) != 2 or move not in liberties:
                continue
            for point in liberties:
                (out,) = liberties - {point}
                if self.extension(out, point, self.own) <= 2:
                    found.append(catches(self.by(self.other), point, min(chain)))
        return {any(each) for each in choices(found)}

    def is_caught_after(self, move: str) -> set[bool]:
        """Say whether the opponent catches the stone next to his at once. It must have little room."""
        room = 0
        for point in self.beside(move):
            if point not in self.go.stones:
                room += 1
            elif self.go.stones[point] == self.own:
                room += len(self.liberties(self.chains[point])) - 1
        if room > 2 or not self.chains_at(move, self.other) or self.captured(move, self.own):
            return {False}
        if len(self.liberties_after(move, self.own)) < 2:
            return {False}
        after = self.go.play(move)
        knower = Knower(after, None, None)
        liberties = knower.liberties(knower.chains[move])
        if len(liberties) != 2:
            return {False}
        return {any(each) for each in choices([catches(after, point, move) for point in liberties])}

    # ---- Patterns ----

    def pattern(self, move: str, size: int) -> str:
        """Return what is around a move, within the distance `size`, whichever way the board is turned."""
        reach = range(-(size // 2), size // 2 + 1)
        steps = [
            (dx, dy) for dx in reach for dy in reach if abs(dx) + abs(dy) + max(abs(dx), abs(dy)) <= size
        ]
        x, y = cell(move)
        seen = [
            [self.content(x + a, y + b) for a, b in image]
            for image in zip(*(images(*s) for s in steps), strict=True)
        ]
        return min("".join(each) for each in seen)

    def content(self, x: int, y: int) -> str:
        """Return what is in a column and a row: ``.``, own, other, or ``#`` beyond the edge."""
        if not (1 <= x <= self.go.size and 1 <= y <= self.go.size):
            return "#"
        stone = self.go.stones.get(f"{COLUMNS[x - 1]}{y}")
        return "." if stone is None else "o" if stone == self.own else "x"


def choices(sets: list[set[T]]) -> Iterator[list[T]]:
    """Yield all ways to choose one from every set."""
    if not sets:
        yield []
        return
    for first in sets[0]:
        for rest in choices(sets[1:]):
            yield [first, *rest]


# ---- Ladders ----


def legal(go: Go, point: str) -> Go | None:
    """Return the position after a turn, or None if it is illegal."""
    try:
        return go.play(point)
    except ValueError:
        return None


def is_caught(go: Go, stone: str) -> set[bool]:
    """Say whether a chain in atari cannot escape, its side to move; there may be two answers."""
    return {turns > 0 for turns in run_out(go, stone)}


def run_out(go: Go, stone: str, turn: int = 1) -> set[int]:
    """Return how many turns a chain in atari runs, its side to move: positive if it cannot escape.

    It escapes by a capture, or with three liberties. The attacker gives the atari that leaves it fewer
    liberties after it extends again. Where both leave as many, there may be several answers.
    """
    if turn > LADDER_STEPS:
        return {LADDER_STEPS}
    here = Knower(go, None, None)
    chain = here.chains[stone]
    (out,) = here.liberties(chain)
    foes = {point for point in here.around(chain) if point in go.stones}
    if any(len(free := here.liberties(here.chains[foe])) == 1 and free != {go.ban} for foe in foes):
        return {-turn}
    after = legal(go, out)
    if after is None:
        return {turn}
    there = Knower(after, None, None)
    liberties = there.liberties(there.chains[stone])
    if len(liberties) != 2:
        return {turn if len(liberties) < 2 else -turn}
    ataris: dict[int, list[Go]] = {}
    for point in liberties:
        (other,) = liberties - {point}
        trial = legal(after, point)
        if trial is None or len(there.liberties_after(point, there.own)) < 2:
            continue
        ataris.setdefault(_left(trial, other, stone), []).append(trial)
    fewest = min(ataris, default=3)
    if fewest > 2:
        return {-turn}
    return {found for trial in ataris[fewest] for found in run_out(trial, stone, turn + 1)}


def _left(trial: Go, out: str, stone: str) -> int:
    """Return the liberties of a chain after it extends to `out`, three if more, none if it cannot."""
    after = legal(trial, out)
    if after is None:
        return 0
    there = Knower(after, None, None)
    return min(3, len(there.liberties(there.chains[stone])))


def catches(go: Go, move: str, stone: str) -> set[bool]:
    """Say whether a move catches in a ladder a chain with two liberties, one of which it is."""
    return {turns > 0 for turns in chase(go, move, stone)}


def chase(go: Go, move: str, stone: str) -> set[int]:
    """Return how many turns a chain with two liberties runs after an atari on one; 0 if it is none."""
    here = Knower(go, None, None)
    after = legal(go, move)
    if after is None or len(here.liberties_after(move, here.own)) < 2:
        return {0}
    there = Knower(after, None, None)
    if len(there.liberties(there.chains[stone])) != 1:
        return {0}
    return run_out(after, stone)
