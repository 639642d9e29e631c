"""Go, literally: stones on named vertices, flood fills for chains and regions, all earlier boards kept."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any, Literal, NamedTuple, Self

from tests.reference.words import COLUMNS, STONES, Side, Stone, board, number, one_of

SMALLEST_SIZE = 2
LARGEST_SIZE = 25
LARGEST_KOMI = 1000
DEFAULT_SIZE = 19
PASS = "pass"
NO_BAN = "-"
# How the end is counted [O-5]: prisoners and territory, or all that a side holds.
TERRITORY_RULES = ("territory", "japanese")
AREA_RULES = ("chinese", "tromp-taylor")
KO_RULES = ("simple", "positional", "situational")
# How many turns ago a board may lie that a superko forbids to recreate [O-4].
LOOK_BACK = 2048

Stones = Mapping[str, Stone]


@cache
def neighbours(size: int) -> Mapping[str, tuple[str, ...]]:
    """Return the points of a board, row by row from the top, each with its neighbours."""
    names = {
        (column, row): f"{COLUMNS[column - 1]}{row}"
        for row in range(size, 0, -1)
        for column in range(1, size + 1)
    }
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return {
        name: tuple(names[column + dx, row + dy] for dx, dy in steps if (column + dx, row + dy) in names)
        for (column, row), name in names.items()
    }


def largest_handicap(size: int) -> int:
    """Return how many handicap stones the board has places for [O-6]."""
    if size < 7:
        return 0
    return 4 if size == 7 or size % 2 == 0 else 9


def star_points(size: int, stones: int) -> list[str]:
    """Return where handicap stones stand, in the order of placing [O-6].

    `ValueError` is raised if there are no places for so many stones on the board.
    """
    if stones == 0:
        return []
    if not 2 <= stones <= largest_handicap(size):
        most = largest_handicap(size)
        choice = f"0 or from 2 to {most}" if most else "0"
        raise ValueError(f"expected handicap {choice} on size {size}, got {stones}")
    near = 3 if size < 13 else 4
    middle, far = (size + 1) // 2, size + 1 - near
    corners = [(near, near), (far, far), (near, far), (far, near)]
    left_and_right = [(near, middle), (far, middle)]
    bottom_and_top = [(middle, near), (middle, far)]
    places = corners[:stones]
    if stones >= 6:
        places += left_and_right
    if stones >= 8:
        places += bottom_and_top
    if stones in (5, 7, 9):
        places.append((middle, middle))
    return [f"{COLUMNS[column - 1]}{row}" for column, row in places]


class Region(NamedTuple):
    """Empty points that hang together, and the colours of the stones beside them."""

    points: frozenset[str]
    beside: frozenset[Stone]


@dataclass(frozen=True)
class Go:
    """A position of Go, never changed once made."""

    stones: Stones  # the occupied points, ``X`` for Black and ``O`` for White
    side: Side  # who is to move, ``b`` (first) or ``w`` (second)
    ban: str | None = None  # the point where simple ko forbids to play now, None if there is none
    # how many stones Black and White have captured
    prisoners: Mapping[Side, int] = field(default_factory=lambda: {"b": 0, "w": 0})
    passes: int = 0  # how many turns just before were passes, 0 to 2
    size: int = DEFAULT_SIZE  # points a side of the board
    komi: Fraction = Fraction(0)  # points that White is given at the end
    rules: str = "territory"  # how the end is counted, one of `TERRITORY_RULES` or `AREA_RULES`
    ko: str = "simple"  # what may not be recreated, one of `KO_RULES`
    handicap: int = 0  # Black stones that the game began with
    # the boards of the game from its beginning to the present one, each with who was to move. A text does
    # not tell it: a position that is read begins its own
    history: tuple[tuple[Stones, Side], ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse options that the game does not have, and begin the history."""
        if not SMALLEST_SIZE <= self.size <= LARGEST_SIZE:
            raise ValueError(f"expected a size from {SMALLEST_SIZE} to {LARGEST_SIZE}, got {self.size}")
        if abs(self.komi) > LARGEST_KOMI or self.komi * 100 % 1:
            raise ValueError(
                f"expected komi from {-LARGEST_KOMI} to {LARGEST_KOMI} to a hundredth, got {self.komi}"
            )
        star_points(self.size, self.handicap)
        if not self.history:
            object.__setattr__(self, "history", ((self.stones, self.side),))

    @classmethod
    def start(
        cls,
        size: int = DEFAULT_SIZE,
        komi: Fraction = Fraction(0),
        rules: str = "territory",
        ko: str = "simple",
        handicap: int = 0,
    ) -> Self:
        """Return the empty board, Black to move [O-1], or the handicap stones on it, White to move [O-6]."""
        stones: Stones = dict.fromkeys(star_points(size, handicap), "X")
        side: Side = "w" if handicap else "b"
        return cls(stones, side, size=size, komi=komi, rules=rules, ko=ko, handicap=handicap)

    @classmethod
    def parse(cls, text: str, **options: Any) -> Self:
        """Read a canonical position text; how many stones there are is free, as in set-up play.

        The options are those of `start`. `ValueError` is raised if the text is malformed or of another size,
        or shows what no game can: a chain without liberties, a ban of ko where there is nothing to retake.
        """
        start = cls.start(**options)
        fields = text.split(" ")
        if len(fields) != 6:
            raise ValueError(
                f"expected board, side, ko, two numbers of prisoners and passes, got {len(fields)} fields "
                f"in {text!r}"
            )
        rows, side, ban, by_black, by_white, passes = fields
        stones, _ = board(rows, start.size)
        position = replace(
            start,
            stones={f"{COLUMNS[column - 1]}{row}": stone for (column, row), stone in stones.items()},
            side=one_of("side", side, *STONES),
            ban=_parse_ban(ban, start.size),
            prisoners={
                side: number("a number of prisoners", text)
                for side, text in zip(STONES, (by_black, by_white), strict=True)
            },
            passes=int(one_of("passes", passes, "0", "1", "2")),
            history=(),
        )
        fault = position._fault()
        if fault:
            raise ValueError(f"{fault} in {text!r}")
        return position

    def format(self) -> str:
        """Return the canonical position text."""
        marks = "".join(self.stones.get(point, ".") for point in neighbours(self.size))
        rows = (marks[first : first + self.size] for first in range(0, len(marks), self.size))
        prisoners = f"{self.prisoners['b']} {self.prisoners['w']}"
        return f"{'/'.join(rows)} {self.side} {self.ban or NO_BAN} {prisoners} {self.passes}"

    @property
    def turn(self) -> int:
        """Side to move: 0 Black, who is first, 1 White."""
        return 0 if self.side == "b" else 1

    def turns(self) -> list[str]:
        """Return the points where the side to move may play, and ``pass``; none when the game is over."""
        if self.outcome():
            return []
        return [*(point for point in neighbours(self.size) if self._is_legal(point)), PASS]  # [O-1]

    def play(self, turn: str) -> Self:
        """Return the position after `turn`; raise `ValueError` if it is not one of `turns()`."""
        if not self.outcome():
            if turn == PASS:
                return self._next(self.stones, passes=self.passes + 1)
            if turn in neighbours(self.size) and self._is_legal(turn):
                return self._after(turn)
        raise ValueError(f"{turn!r} is not a legal turn in {self.format()!r}")

    def outcome(self) -> Literal["first", "second", "draw"] | None:
        """Return who won when all stones are alive, ``"draw"``, or None while the game goes on."""
        if self.passes < 2:
            return None  # [O-5]
        score = self.score()
        return "first" if score > 0 else "second" if score < 0 else "draw"

    def score(self, dead: Set[str] = frozenset()) -> Fraction:
        """Return Black's points less White's, komi among them [O-5].

        Stones on the points `dead` are those that the players agree to be dead; ``tromp-taylor`` asks nobody,
        and counts them as alive. `ValueError` is raised if there is no stone on one of them.
        """
        for point in dead:
            if point not in self.stones:
                raise ValueError(f"expected dead stones, got {point!r} in {self.format()!r}")
        if self.rules == "tromp-taylor":
            dead = frozenset()
        alive = {point: stone for point, stone in self.stones.items() if point not in dead}
        if self.rules in AREA_RULES:
            black, white = (_area(alive, stone, self.size) for stone in STONES.values())
        else:
            taken = [self.stones[point] for point in dead]
            black = _territory(self.stones, alive, "X", self.size) + self.prisoners["b"] + taken.count("O")
            white = _territory(self.stones, alive, "O", self.size) + self.prisoners["w"] + taken.count("X")
        return black - white - self.komi

    # ---- What can be done, and what comes of it ----

    def _is_legal(self, point: str) -> bool:
        """Say whether the side to move may put a stone on `point`."""
        if point in self.stones or point == self.ban:  # [O-4]
            return False
        board, _ = _put(self.stones, point, STONES[self.side], self.size)
        return has_liberty(board, point, self.size) and not self._is_repeated(board)  # [O-3] [O-4]

    def _is_repeated(self, board: Stones) -> bool:
        """Say whether superko forbids to make this board [O-4]."""
        if self.ko == "simple":
            return False
        return any(
            board == earlier and (self.ko == "positional" or side == _other(self.side))
            for earlier, side in self.history[-LOOK_BACK:]
        )

    def _after(self, point: str) -> Self:
        """Return the position after a stone was put on `point`."""
        board, captured = _put(self.stones, point, STONES[self.side], self.size)
        held = self.prisoners[self.side] + len(captured)
        return self._next(board, self._ban(board, captured), {**self.prisoners, self.side: held})

    def _ban(self, board: Stones, captured: Set[str]) -> str | None:
        """Return the point where a stone of the opponent would take `board` back to the present one [O-4]."""
        for point in captured:
            retaken, _ = _put(board, point, STONES[_other(self.side)], self.size)
            if retaken == self.stones:
                return point
        return None

    def _next(
        self,
        board: Stones,
        ban: str | None = None,
        prisoners: Mapping[Side, int] | None = None,
        passes: int = 0,
    ) -> Self:
        """Return the opponent's position on `board`."""
        side = _other(self.side)
        return replace(
            self,
            stones=board,
            side=side,
            ban=ban,
            prisoners=prisoners or self.prisoners,
            passes=passes,
            history=(*self.history, (board, side)),
        )

    def _fault(self) -> str | None:
        """Say what no game can show, or return None."""
        for stone in STONES.values():
            for chain in _split({point for point, own in self.stones.items() if own == stone}, self.size):
                if not _around(chain, self.size) - self.stones.keys():
                    return f"expected a liberty of the chain at {min(chain)}, got none"  # [O-2]
        if self.ban is None:
            return None
        if self.passes:
            return f"expected no ban of ko after a pass, got {self.ban}"
        if self.ban in self.stones:
            return f"expected an empty point of ko, got a stone at {self.ban}"
        retaken, captured = _put(self.stones, self.ban, STONES[self.side], self.size)
        if len(captured) != 1:
            return f"expected one stone to retake at {self.ban}, got {len(captured)}"
        alone = _chain(retaken, self.ban, self.size) == {self.ban}
        if not alone or _liberties(retaken, self.ban, self.size) != captured:
            return f"expected a stone alone and in atari to retake at {self.ban}"
        return None


# ---- Boards ----


def _other(side: Side) -> Side:
    """Return the opponent."""
    return "w" if side == "b" else "b"


def _connected(start: str, points: Set[str] | Mapping[str, object], size: int) -> frozenset[str]:
    """Return those of the points that hang together with `start`, which is one of them."""
    found, frontier = {start}, [start]
    while frontier:
        for point in neighbours(size)[frontier.pop()]:
            if point in points and point not in found:
                found.add(point)
                frontier.append(point)
    return frozenset(found)


def _split(points: Set[str], size: int) -> Iterator[frozenset[str]]:
    """Yield the parts of `points` that hang together."""
    left = set(points)
    while left:
        part = _connected(min(left), points, size)
        left -= part
        yield part


def _around(points: Set[str], size: int) -> set[str]:
    """Return the neighbours of the points."""
    return {point for each in points for point in neighbours(size)[each]} - points


def _chain(board: Stones, point: str, size: int) -> frozenset[str]:
    """Return the stones that hang together with the one on `point`."""
    own = {other for other, stone in board.items() if stone == board[point]}
    return _connected(point, own, size)


def _liberties(board: Stones, point: str, size: int) -> set[str]:
    """Return the empty points beside the chain of `point`."""
    return _around(_chain(board, point, size), size) - board.keys()


def has_liberty(board: Stones, point: str, size: int) -> bool:
    """Say whether the chain of `point` may stay on the board."""
    return bool(_liberties(board, point, size))


def _put(board: Stones, point: str, stone: Stone, size: int) -> tuple[Stones, frozenset[str]]:
    """Return the board with a stone put on `point`, and which enemy stones it captures [O-2]."""
    full = {**board, point: stone}
    captured = frozenset(
        taken
        for beside in neighbours(size)[point]
        if full.get(beside, stone) != stone and not has_liberty(full, beside, size)
        for taken in _chain(full, beside, size)
    )
    return {each: colour for each, colour in full.items() if each not in captured}, captured


# ---- Counting [O-5] ----


def _regions(board: Stones, size: int) -> list[Region]:
    """Return the empty regions of a board."""
    empty = neighbours(size).keys() - board.keys()
    return [
        Region(part, frozenset(board[point] for point in _around(part, size))) for part in _split(empty, size)
    ]


def _area(alive: Stones, stone: Stone, size: int) -> int:
    """Return the number of stones of a colour and of the empty points that reach no other colour."""
    surrounded = (len(region.points) for region in _regions(alive, size) if region.beside == {stone})
    return list(alive.values()).count(stone) + sum(surrounded)


def _has_ko(board: Stones, points: Set[str], stone: Stone, size: int) -> bool:
    """Return whether the points are a single one where the enemy of `stone` could take a ko [O-4]."""
    (point, *more) = points
    enemy: Stone = "O" if stone == "X" else "X"
    if more or point in board or any(board.get(each) == enemy for each in neighbours(size)[point]):
        return False
    after, captured = _put(board, point, enemy, size)
    return len(captured) == 1 and _liberties(after, point, size) == captured


def _territory(board: Stones, alive: Stones, stone: Stone, size: int) -> int:
    """Return the number of empty points that one colour alone surrounds, without those in seki.

    A point where the enemy could take a ko is neutral to the question which groups are in seki.
    """
    regions = _regions(alive, size)
    surrounded = [region.points for region in regions if region.beside == {stone}]
    kos = [points for points in surrounded if _has_ko(board, points, stone, size)]
    own = [points for points in surrounded if points not in kos]
    neutral = {point for region in regions if region.beside == {"X", "O"} for point in region.points}
    neutral = neutral.union(*kos)
    held = {point for point, colour in alive.items() if colour == stone}.union(*own)
    total = 0
    for group in _split(held, size):
        eyes = [len(points) for points in own if points <= group]
        touches_neutral = not neutral.isdisjoint(_around(group, size))
        in_seki = touches_neutral and len(eyes) <= 1 and sum(eyes) <= 2
        total += 0 if in_seki else sum(eyes)
        if in_seki:
            kos = [points for points in kos if _around(points, size).isdisjoint(group)]
    return total + len(kos)


# ---- Texts ----


def _parse_ban(text: str, size: int) -> str | None:
    """Read the point of ko, or that there is none."""
    if text != NO_BAN and text not in neighbours(size):
        raise ValueError(f"expected a point of ko or '-', got {text!r}")
    return None if text == NO_BAN else text
