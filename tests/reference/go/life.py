"""Life and death in Go by brute force: who can capture whom, from the rules alone.

Boards are sets of points, as bits of whole numbers. All that the rules allow is tried, wherever stones are
not settled by `safe_chains`. There is no knowledge of shape.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from tests.reference.go.rules import Go
from tests.reference.words import COLUMNS, Stone

Status = Literal["alive", "dead", "unsettled"]
SMALL = 5  # no side can live within so few points that safe stones of the other enclose
OTHER: Mapping[Stone, Stone] = {"X": "O", "O": "X"}
NO_KO = 0


class TooLargeError(ValueError):
    """More positions than were allowed."""


class Grid:
    """The points of a board as bits, the one at the lower left first; a row has an empty bit at its end."""

    def __init__(self, size: int) -> None:
        self.size = size
        row = (1 << size) - 1
        self.all = sum(row << ((size + 1) * y) for y in range(size))

    def point(self, vertex: str) -> int:
        """Return the bit of a vertex."""
        return 1 << ((self.size + 1) * (int(vertex[1:]) - 1) + COLUMNS.index(vertex[0]))

    def points(self, vertices: Iterable[str]) -> int:
        """Return the bits of some vertices."""
        return sum({self.point(vertex) for vertex in vertices})

    def vertices(self, points: int) -> set[str]:
        """Return the vertices of some bits."""
        places = (divmod(bit.bit_length() - 1, self.size + 1) for bit in bits(points))
        return {f"{COLUMNS[x]}{y + 1}" for y, x in places}

    def around(self, points: int) -> int:
        """Return the neighbours of some points."""
        step = self.size + 1
        near = points << 1 | points >> 1 | points << step | points >> step
        return near & self.all & ~points

    def connected(self, start: int, within: int) -> int:
        """Return the points of `within` that hang together with `start`."""
        found = start
        while True:
            more = found | self.around(found) & within
            if more == found:
                return found
            found = more

    def parts(self, points: int) -> Iterator[int]:
        """Yield the parts of `points` that hang together."""
        while points:
            part = self.connected(points & -points, points)
            points &= ~part
            yield part


def bits(points: int) -> Iterator[int]:
    """Yield the bits of a number one by one."""
    while points:
        bit = points & -points
        points ^= bit
        yield bit


def safe_chains(grid: Grid, own: int, other: int) -> int:
    """Return the stones that cannot be captured even if their owner always passes (Benson, 1976)."""
    chains = list(grid.parts(own))
    regions = list(grid.parts(grid.all & ~own))
    while True:
        healthy = [
            [region for region in regions if not region & ~other & ~grid.around(chain)] for chain in chains
        ]
        kept = [chain for chain, vital in zip(chains, healthy, strict=True) if len(vital) >= 2]
        if len(kept) == len(chains):
            return sum(chains)
        chains = kept
        safe = sum(chains)
        regions = [region for region in regions if not grid.around(region) & own & ~safe]


class State(NamedTuple):
    """A position of a capturing race: stones of both, where ko forbids to play, and who is to move."""

    black: int
    white: int
    ko: int
    mover: Stone


@dataclass(frozen=True)
class Race:
    """A fight for some chains, whose capture decides it."""

    grid: Grid  # the board
    field: int  # the points where stones may be put
    keys: Mapping[Stone, int]  # the stones that decide, by colour. Who captures one of them wins
    safe: int  # stones that are never captured

    def moves(self, state: State, ko_master: Stone) -> Iterator[tuple[State, Stone | None]]:
        """Yield what the mover can reach, and who has won by it; a pass is possible.

        `ko_master` has a threat for every ko, and retakes at once.
        """
        mover = state.mover
        rival = OTHER[mover]
        own, other = (state.black, state.white) if mover == "X" else (state.white, state.black)
        yield State(state.black, state.white, NO_KO, rival), None
        for stone in bits(self.field & ~own & ~other):
            if stone == state.ko:
                continue
            put, captured = own | stone, 0
            for near in bits(self.grid.around(stone) & other & ~captured):
                if not near & captured:
                    chain = self.grid.connected(near, other)
                    if not (self.grid.around(chain) & ~put & ~other or chain & self.safe):
                        captured |= chain
            left = other & ~captured
            chain = self.grid.connected(stone, put)
            liberties = self.grid.around(chain) & ~put & ~left
            if not (liberties or chain & self.safe):
                continue  # [O-3]
            alone = chain == stone and liberties == captured and captured & (captured - 1) == 0
            ko = captured if alone and ko_master != rival else NO_KO  # [O-4]
            after = (put, left) if mover == "X" else (left, put)
            yield State(*after, ko, rival), mover if captured & self.keys[rival] else None

    def is_won(self, start: State, side: Stone, ko_master: Stone, limit: int) -> bool:
        """Return whether `side` can force to capture a key; to go on for ever is no success.

        `TooLargeError` is raised if more than `limit` positions can come about.
        """
        return start in self.won([start], side, ko_master, limit)

    def won(self, starts: Iterable[State], side: Stone, ko_master: Stone, limit: int) -> set[State]:
        """Return from which positions that come about from `starts` `side` can force to capture a key.

        `TooLargeError` is raised if more than `limit` positions can come about.
        """
        parents: dict[State, list[State]] = {start: [] for start in starts}
        open_moves: dict[State, int] = {}
        won: deque[State] = deque()
        waiting = deque(parents)
        while waiting:
            state = waiting.popleft()
            open_moves[state] = 0
            for after, winner in self.moves(state, ko_master):
                if winner == side:
                    won.append(state)
                    open_moves[state] = -1
                    break
                open_moves[state] += 1
                if winner:
                    continue
                if after not in parents:
                    parents[after] = []
                    waiting.append(after)
                    if len(parents) > limit:
                        raise TooLargeError(f"expected at most {limit} positions")
                parents[after].append(state)
        marked = set(won)
        while won:
            for before in parents[won.popleft()]:
                if before in marked:
                    continue
                open_moves[before] -= 1
                if before.mover == side or open_moves[before] == 0:
                    marked.add(before)
                    won.append(before)
        return marked


class Board:
    """A board to ask about the life of its chains, whoever is to move in the `position`.

    Stones on the points `safe` are taken to be alive, besides those that `safe_chains` finds.
    """

    def __init__(self, position: Go, safe: Iterable[str] = ()) -> None:
        self.grid = Grid(position.size)
        self.stones = {
            colour: self.grid.points(point for point, stone in position.stones.items() if stone == colour)
            for colour in OTHER
        }
        self._told = self.grid.points(safe)

    @cached_property
    def settled(self) -> int:
        """The points where nobody needs to play: safe stones, and small regions that they enclose."""
        settled = 0
        for colour, own in self.stones.items():
            other = self.stones[OTHER[colour]]
            safe = safe_chains(self.grid, own, other)
            for told in bits(self._told & own & ~safe):
                safe |= self.grid.connected(told, own)
            settled |= safe
            for region in self.grid.parts(self.grid.all & ~own):
                enclosed = not (self.grid.around(region) & ~safe or region & other)
                if enclosed and region.bit_count() <= SMALL:
                    settled |= region
        return settled

    def race(self, key: str, *others: str) -> Race:
        """Return the fight for the chain of the stone `key`, and for those of `others` that are near it."""
        chains = {
            colour: {
                self.grid.connected(point, own) for point in bits(self.grid.points((key, *others)) & own)
            }
            for colour, own in self.stones.items()
        }
        unsettled = self.grid.all & ~self.settled
        together = unsettled | sum(chains["X"] | chains["O"])
        near = self.grid.connected(self.grid.point(key), together)
        keys = {colour: sum(chain for chain in each if chain & near) for colour, each in chains.items()}
        field = near & ~keys["X"] & ~keys["O"]
        return Race(self.grid, field, keys, self.settled & (self.stones["X"] | self.stones["O"]))

    def status(self, key: str, *others: str, limit: int = 1_000_000) -> Status:
        """Return what becomes of the chain of the stone `key`; the chains of `others` decide the fight, too.

        They are alive if the other side cannot capture them though it moves first and wins every ko. They are
        dead if it can though it moves second and wins none. To lose a key of its own is no way to capture.

        `TooLargeError` is raised if more than `limit` positions can come about.
        """
        race = self.race(key, *others)
        colour: Stone = "X" if self.stones["X"] & self.grid.point(key) else "O"
        attacker = OTHER[colour]

        def captured(first: Stone, ko_master: Stone) -> bool:
            start = State(self.stones["X"], self.stones["O"], NO_KO, first)
            return race.is_won(start, attacker, ko_master, limit)

        if not captured(attacker, attacker):
            return "alive"
        return "dead" if captured(colour, colour) else "unsettled"

    def decisive(self, key: str, mover: Stone, limit: int = 1_000_000) -> frozenset[str] | None:
        """Return the first moves of `mover` that decide about the chain of the stone `key` as it wants.

        The owner of the chain wants to keep it, the other side to capture it. Whoever moves otherwise, or
        passes, fails. There are none if a pass does as well. It is None if a ko decides after one of the
        moves. `TooLargeError` is raised if more than `limit` positions can come about.
        """
        race = self.race(key)
        rival, owner = OTHER[mover], "X" if self.stones["X"] & self.grid.point(key) else "O"
        attacker = OTHER[owner]
        start = State(self.stones["X"], self.stones["O"], NO_KO, mover)
        own = self.stones[mover]

        def moves(ko_master: Stone) -> dict[int, bool]:
            """Return by point, 0 for a pass, whether the chain is captured in the end."""
            after = list(race.moves(start, ko_master))
            won = race.won([state for state, winner in after if not winner], attacker, ko_master, limit)
            return {
                (state.black if mover == "X" else state.white) & ~own: bool(winner) or state in won
                for state, winner in after
            }

        lost, gained = moves(mover), moves(rival)  # in the ko fights of the one and of the other
        if lost != gained:
            return None
        wanted = mover == attacker
        deciding = [p for p, taken in gained.items() if taken == wanted]
        return frozenset() if 0 in deciding else frozenset(self.grid.vertices(sum(deciding)))
