"""ZÈRTZ, literally: marbles on named rings, and a flood fill around every ring that is taken away."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, NamedTuple, Self

from tests.reference.words import one_of

MARBLES: Mapping[str, Mapping[str, int]] = {
    "basic": {"w": 5, "g": 7, "b": 9},
    "tournament": {"w": 6, "g": 8, "b": 10},
}
GOALS: Mapping[str, Sequence[Mapping[str, int]]] = {
    "basic": ({"w": 2, "g": 2, "b": 2}, {"w": 3}, {"g": 4}, {"b": 5}),
    "tournament": ({"w": 3, "g": 3, "b": 3}, {"w": 4}, {"g": 5}, {"b": 6}),
}
# Rings in each column, from column a.
COLUMNS: Mapping[str, Sequence[int]] = {
    "37": (4, 5, 6, 7, 6, 5, 4),
    "48": (5, 6, 7, 8, 7, 6, 5, 4),
    "61": (5, 6, 7, 8, 9, 8, 7, 6, 5),
}
ISOLATIONS = ("choice", "auto")
VACANT = "."
NO_RING = "-"
OFF_BOARD = ""
# Columns to the right and half rings up, clockwise: each is next to the one before, the first to the last.
DIRECTIONS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))

Player = Literal[1, 2]
Cells = Mapping[str, str]

_COUNTS = re.compile(r"(0|[1-9][0-9]?),(0|[1-9][0-9]?),(0|[1-9][0-9]?)")


def _sides(columns: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """Return the rings of a board, each with its neighbours in all directions, `OFF_BOARD` where none is."""
    names = {
        (column, 2 * number - rings): f"{chr(ord('a') + column)}{number}"  # the columns' middles are in line
        for column, rings in enumerate(columns)
        for number in range(1, rings + 1)
    }
    return {
        name: tuple(names.get((column + right, half + up), OFF_BOARD) for right, up in DIRECTIONS)
        for (column, half), name in names.items()
    }


SIDES = {rings: _sides(columns) for rings, columns in COLUMNS.items()}


class Placement(NamedTuple):
    """A marble put on a ring, a ring removed, and rings claimed with their marbles."""

    marble: str  # colour, ``w``, ``g`` or ``b``
    ring: str  # where it is put
    removed: str | None  # the ring removed, None when no ring is free
    claimed: tuple[str, ...]  # the rings claimed, sorted, of all groups together


class Capture(NamedTuple):
    """A marble that jumps once or more."""

    origin: str  # the ring of the marble before its first jump
    taken: tuple[str, ...]  # the rings of the marbles that it jumps over
    landings: tuple[str, ...]  # the rings that it jumps to


@dataclass(frozen=True)
class Zertz:
    """A position of ZÈRTZ, never changed once made."""

    cells: Cells  # the rings that are left, each with its marble ``w``, ``g`` or ``b``, or `VACANT`
    pool: Mapping[str, int]  # marbles of each colour that nobody has
    # marbles of each colour that player 1 and that player 2 holds
    captures: Mapping[Player, Mapping[str, int]]
    player: Player  # who is to move
    passes: int = 0  # how many turns just before were passes, 0 to 2
    rules: str = "basic"  # ``basic`` or ``tournament``: the marbles and the goals
    rings: str = "37"  # the board, named by its number of rings
    # ``choice`` when isolated groups may be claimed or declined, ``auto`` when all are claimed
    isolation: str = "choice"

    @classmethod
    def start(cls, rules: str = "basic", rings: str = "37", isolation: str = "choice") -> Self:
        """Return the board with all rings vacant and all marbles in the pool, player 1 to move."""
        nothing = dict.fromkeys("wgb", 0)
        cells = dict.fromkeys(SIDES[rings], VACANT)
        return cls(cells, MARBLES[rules], {1: nothing, 2: nothing}, 1, 0, rules, rings, isolation)

    @classmethod
    def parse(cls, text: str, **options: str) -> Self:
        """Read a canonical position text; the options are those of `start`.

        `ValueError` is raised if the text is malformed, or shows what no game can: marbles too many or lost,
        a goal of who is to move, rings of which none is vacant, a pass of who could have played.
        """
        start = cls.start(**options)
        board, *fields = text.split(" ")
        if len(fields) not in (4, 5, 6) or fields[4:] != ["pass"] * len(fields[4:]):
            raise ValueError(f"expected board, pool, captures, captures, player and passes, got {text!r}")
        pool, *captures = (_parse_counts(field) for field in fields[:3])
        position = replace(
            start,
            cells=_parse_board(board, start.rings),
            pool=pool,
            captures={1: captures[0], 2: captures[1]},
            player=1 if one_of("player", fields[3], "1", "2") == "1" else 2,
            passes=len(fields[4:]),
        )
        fault = position._fault()
        if fault:
            raise ValueError(f"{fault} in {text!r}")
        return position

    def format(self) -> str:
        """Return the canonical position text."""
        columns = (
            "".join(self.cells.get(ring, NO_RING) for ring in column) for column in _columns(self.rings)
        )
        counts = (self.pool, self.captures[1], self.captures[2])
        fields = ["/".join(columns), *(",".join(str(each[marble]) for marble in "wgb") for each in counts)]
        return " ".join([*fields, str(self.player), *["pass"] * self.passes])

    @property
    def turn(self) -> int:
        """Side to move: 0 player 1, 1 player 2."""
        return self.player - 1

    def turns(self) -> list[str]:
        """Return all captures, or if there are none all placements, or only ``pass``; none after the end."""
        if self.outcome():
            return []
        captures = [self._format_capture(capture) for capture in self._captures()]
        if captures:
            return captures  # [Z-1]
        placements = [
            self._format_placement(placement)
            for ring in self._vacant()
            for placement in self._placements(ring)
        ]
        return placements or ["pass"]

    def play(self, turn: str) -> Self:
        """Return the position after `turn`; raise `ValueError` if it is not one of `turns()`."""
        if not self.outcome():
            captures = list(self._captures())
            for capture in captures:
                if self._format_capture(capture) == turn:
                    return self._after_capture(capture)
            ring = turn[1:3]
            if not captures and ring in self._vacant():
                for placement in self._placements(ring):
                    if self._format_placement(placement) == turn:
                        return self._after_placement(placement)
            if turn == "pass" and self.turns() == ["pass"]:
                return self._next(passes=self.passes + 1)
        raise ValueError(f"{turn!r} is not a legal turn in {self.format()!r}")

    def outcome(self) -> Literal["first", "second", "draw"] | None:
        """Return who won, ``"draw"``, or None while the game goes on."""
        made_the_last_turn = _other(self.player)
        if not self.cells or self._has_goal(made_the_last_turn):  # [Z-8] [Z-7]
            return "first" if made_the_last_turn == 1 else "second"
        return "draw" if self.passes == 2 else None

    # ---- What can be done ----

    def _captures(self) -> Iterator[Capture]:
        """Yield every sequence of jumps that can be made [Z-4]."""
        for ring, marble in self.cells.items():
            if marble != VACANT:
                without = {**self.cells, ring: VACANT}
                for taken, landings in self._jumps(without, ring):
                    if taken:
                        yield Capture(ring, taken, landings)

    def _jumps(self, cells: Cells, ring: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Yield taken marbles and landings of the sequences from `ring`, the jumping marble not in `cells`.

        A sequence goes on while it can; without any jump it is empty.
        """
        sides = SIDES[self.rings]
        stays = True
        for direction, over in enumerate(sides[ring]):
            if cells.get(over, VACANT) == VACANT:
                continue
            landing = sides[over][direction]
            if cells.get(landing) == VACANT:
                stays = False
                for taken, landings in self._jumps({**cells, over: VACANT}, landing):
                    yield (over, *taken), (landing, *landings)
        if stays:
            yield (), ()

    def _placements(self, ring: str) -> Iterator[Placement]:
        """Yield every placement on the vacant `ring` [Z-2], with every choice of claims."""
        supply = self.captures[self.player] if self._pool_is_empty() else self.pool  # [Z-6]
        marbles = [marble for marble, number in supply.items() if number]
        if not marbles:
            return
        placed = {**self.cells, ring: "any"}
        free = [other for other in self._free() if other != ring]
        for removed in free or (None,):  # [Z-3]
            left = {other: marble for other, marble in placed.items() if other != removed}
            for claimed in self._claims(left, ring, removed):
                for marble in marbles:
                    yield Placement(marble, ring, removed, claimed)

    def _free(self) -> list[str]:
        """Return the vacant rings that can slide out between two open sides next to each other [Z-3]."""
        free = []
        for ring in self._vacant():
            is_open = [side not in self.cells for side in SIDES[self.rings][ring]]
            if any(is_open[side - 1] and is_open[side] for side in range(len(is_open))):
                free.append(ring)
        return free

    def _claims(self, left: Cells, ring: str, removed: str | None) -> Iterator[tuple[str, ...]]:
        """Yield what may be claimed once `ring` is occupied and `removed` has gone [Z-5]: rings, sorted."""
        if VACANT not in left.values():
            yield tuple(sorted(left))  # [Z-8]
            return
        beside = SIDES[self.rings][removed] if removed else ()
        around = [self._full_group(left, start) for start in (ring, *beside) if start in left]
        groups = {group for group in around if group}
        fewest = len(groups) if self.isolation == "auto" else 0
        for number in range(fewest, len(groups) + 1):
            for chosen in combinations(groups, number):
                yield tuple(sorted(ring for group in chosen for ring in group))

    def _full_group(self, left: Cells, start: str) -> frozenset[str] | None:
        """Return the rings that hang together with `start`, None when any of them is vacant."""
        group, frontier = {start}, [start]
        while frontier:
            ring = frontier.pop()
            if left[ring] == VACANT:
                return None
            new = [side for side in SIDES[self.rings][ring] if side in left and side not in group]
            group.update(new)
            frontier.extend(new)
        return frozenset(group)

    def _vacant(self) -> list[str]:
        """Return the vacant rings."""
        return [ring for ring, marble in self.cells.items() if marble == VACANT]

    def _pool_is_empty(self) -> bool:
        """Say whether marbles are placed from the own captures."""
        return not any(self.pool.values())

    def _has_goal(self, player: Player) -> bool:
        """Say whether the player has captured enough [Z-7]."""
        held = self.captures[player]
        return any(all(held[marble] >= goal[marble] for marble in goal) for goal in GOALS[self.rules])

    # ---- What comes of it ----

    def _after_capture(self, capture: Capture) -> Self:
        """Return the position after a sequence of jumps."""
        cells = dict(self.cells)
        marble = cells[capture.origin]
        cells[capture.origin] = VACANT
        gained = [cells[ring] for ring in capture.taken]
        cells.update(dict.fromkeys(capture.taken, VACANT))
        cells[capture.landings[-1]] = marble
        return self._next(cells=cells, captures=self._holding(_plus(self.captures[self.player], gained)))

    def _after_placement(self, placement: Placement) -> Self:
        """Return the position after a marble was put, a ring removed and groups claimed."""
        pool, held = self.pool, self.captures[self.player]
        if self._pool_is_empty():
            held = _minus(held, placement.marble)  # [Z-6]
        else:
            pool = _minus(pool, placement.marble)
        cells = {**self.cells, placement.ring: placement.marble}
        gained = [cells[ring] for ring in placement.claimed]
        gone = {placement.removed, *placement.claimed}
        left = {ring: marble for ring, marble in cells.items() if ring not in gone}
        return self._next(cells=left, pool=pool, captures=self._holding(_plus(held, gained)))

    def _next(self, passes: int = 0, **changed: Any) -> Self:
        """Return the opponent's position, with what has changed."""
        return replace(self, player=_other(self.player), passes=passes, **changed)

    def _holding(self, held: Mapping[str, int]) -> dict[Player, Mapping[str, int]]:
        """Return the captures when the mover holds these."""
        return {**self.captures, self.player: held}

    # ---- Texts ----

    def _format_placement(self, placement: Placement) -> str:
        """Return the text of a placement."""
        marble, ring, removed, claimed = placement
        cells = {**self.cells, ring: marble}
        claims = "".join(cells[each].upper() + each for each in claimed)
        return marble.upper() + ring + (f",{removed}" if removed else "") + (f"x{claims}" if claims else "")

    def _format_capture(self, capture: Capture) -> str:
        """Return the text of a sequence of jumps."""
        jumps = zip(capture.taken, capture.landings, strict=True)
        return f"x{capture.origin}" + "".join(self.cells[over].upper() + landing for over, landing in jumps)

    def _fault(self) -> str | None:
        """Say what no game can show, or return None."""
        for marble, total in MARBLES[self.rules].items():
            off_the_board = (self.pool, *self.captures.values())
            got = list(self.cells.values()).count(marble) + sum(each[marble] for each in off_the_board)
            if got != total:
                return f"expected {total} marbles {marble!r} in all, got {got}"
        if self._has_goal(self.player):
            return f"expected no goal of player {self.player}, who is to move"
        if self.cells and not self._vacant():
            return "expected a vacant ring, or no ring at all"  # [Z-8]
        if not self.cells and not any(self.captures[_other(self.player)].values()):
            return f"expected captures of player {_other(self.player)}, who took the last rings"  # [Z-8]
        could_play = not self._pool_is_empty() or not self.cells or any(self._captures())
        passed = {0: (), 1: (_other(self.player),), 2: (1, 2)}[self.passes]
        for player in passed:
            if could_play or any(self.captures[player].values()):
                return f"expected no pass of player {player}, who could play"
        return None


def _other(player: Player) -> Player:
    """Return the opponent."""
    return 2 if player == 1 else 1


def _plus(held: Mapping[str, int], gained: Iterable[str]) -> dict[str, int]:
    """Return what is held with the marbles gained."""
    marbles = list(gained)
    return {marble: number + marbles.count(marble) for marble, number in held.items()}


def _minus(held: Mapping[str, int], marble: str) -> dict[str, int]:
    """Return what is held without one marble."""
    return {**held, marble: held[marble] - 1}


def _columns(rings: str) -> list[list[str]]:
    """Return the rings of each column, from the bottom."""
    letters = sorted({ring[0] for ring in SIDES[rings]})
    return [[ring for ring in SIDES[rings] if ring[0] == letter] for letter in letters]


def _parse_board(text: str, rings: str) -> dict[str, str]:
    """Read the columns of a position text."""
    columns, texts = _columns(rings), text.split("/")
    if len(texts) != len(columns):
        raise ValueError(f"expected {len(columns)} columns, got {len(texts)} in {text!r}")
    cells = {}
    for column, marks in zip(columns, texts, strict=True):
        if len(marks) != len(column):
            raise ValueError(f"expected {len(column)} rings in column {column[0][0]}, got {marks!r}")
        for ring, mark in zip(column, marks, strict=True):
            if mark not in "wgb" + VACANT + NO_RING:
                raise ValueError(f"expected '-', '.', 'w', 'g' or 'b' at {ring}, got {mark!r}")
            if mark != NO_RING:
                cells[ring] = mark
    return cells


def _parse_counts(text: str) -> dict[str, int]:
    """Read numbers of white, grey and black marbles."""
    match = _COUNTS.fullmatch(text)
    if match is None:
        raise ValueError(f"expected numbers of white, grey and black marbles, got {text!r}")
    return {marble: int(number) for marble, number in zip("wgb", match.groups(), strict=True)}
