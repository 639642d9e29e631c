"""Openings of games: random turns, balanced ones, or those of a file; each leads to a different position.

Files are lists of turns or positions, records, and folders of records. In five in a row a line may also have
offsets or a string of turns.
"""

import hashlib
import itertools
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.engine.board.goban import BLACK, parse_rows, parse_side
from tengen.engine.board.grids import vertex
from tengen.engine.errors import NotationError, OptionError, TengenError, quoted
from tengen.engine.formats import files, renju
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.play.turns import legal_actions
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import read_bytes
from tengen.search.binding import bound
from tengen.search.info import Info
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.version import engine_version

BALANCED = "balanced"
TRIES = 1000  # consecutive failures to find a new opening after which they count as exhausted
BALANCED_TRIES = {"alphabeta": 5000, "mcts": 500}  # the same for balanced ones
BALANCED_MARGIN = 0.06  # greatest distance of a balanced opening's win rate from one half
EFFORTS = {"alphabeta": (2_000, 30_000), "mcts": (30, 1_000)}  # positions or playouts, of the two searches
DRAWN = 200  # turns that a search reports, to draw one by their visits
LIKELY_TRIES = 100  # failures after which turns are no longer drawn by visits
HASH_MB = 8
RECORDS = tuple(suffix for suffix in files.READABLE if suffix != files.TEXT)
RECORD_TURNS = 8  # of a record that are played by default
MAX_FILE = 8 << 20  # bytes
# Turns to begin with. If the game begins with another position than its own, the text of that comes first: it
# has blanks, which no turn has.
Opening = tuple[str, ...]

AFTER_POSITION = "; "
OFFSET = r"([+-]?\d{1,2})\s*,\s*([+-]?\d{1,2})"
OFFSETS = re.compile(rf"{OFFSET}(\s*[,\s]\s*{OFFSET})*")
STRING = re.compile(r"([a-z]\d{1,2}){2,}", re.I)


@dataclass(frozen=True)
class OpeningSource(ABC):
    """Where the openings of a match come from."""

    longest: int  # turns of the longest opening

    @abstractmethod
    def draw(self, spec: GameSpec, seed: int) -> Iterator[Opening]:
        """Yield openings of `spec`; the same arguments give the same ones in the same order.

        Raises OptionError if there are no more openings; the message says how many there were.
        """

    @abstractmethod
    def identity(self, spec: GameSpec) -> str:
        """Return a text that differs if the openings do."""


class RandomTurns(OpeningSource):
    """Random legal turns; with 0 of them always the start, which suits players that vary."""

    def identity(self, spec: GameSpec) -> str:
        """Return the number of turns."""
        return str(self.longest)

    def draw(self, spec: GameSpec, seed: int) -> Iterator[Opening]:
        """Yield openings of random turns. None ends the game or stops within a challenge."""
        if not self.longest:
            yield from itertools.repeat(())
        rng = random.Random(f"{spec} {self.longest} {seed}")
        found = yield from _different(lambda: random_position(spec, self.longest, rng))
        raise OptionError(
            f"openings: expected enough different positions after {self.longest} random turns of {spec}, "
            f"found {found}; ask for longer openings or fewer games"
        )


@dataclass(frozen=True)
class BalancedTurns(OpeningSource):
    """Random turns after which a search finds both sides about equal.

    Turns are drawn as `BalancedDraw` says. Half as many as self-play draws at most (`Game.random_plies`) to
    as many are played.
    """

    effort: int | None = None  # of the thorough search, if it is not that of `EFFORTS`

    def __str__(self) -> str:
        return BALANCED

    def identity(self, spec: GameSpec) -> str:
        """Return a text that names the engine that has judged the openings."""
        return f"{BALANCED} by {engine_version(spec)}"

    def draw(self, spec: GameSpec, seed: int) -> Iterator[Opening]:
        """Yield balanced openings."""
        rng, drawing = random.Random(f"{spec} {BALANCED} {seed}"), BalancedDraw(spec, self.effort)
        found = yield from _different(lambda: drawing.position(rng))
        raise OptionError(f"openings: expected more balanced openings of {spec}, found {found}")


@dataclass(frozen=True)
class ListedOpenings(OpeningSource):
    """The openings of a file."""

    name: str  # of the file
    listed: tuple[Opening, ...]
    shuffle: bool = False  # whether they are drawn in random order

    def __str__(self) -> str:
        return self.name

    def identity(self, spec: GameSpec) -> str:
        """Return the name of the file, and a hash of the openings."""
        text = "\n".join(map(opening_text, self.listed))
        order = " shuffled" if self.shuffle else ""
        return f"{self.name} {hashlib.sha256(text.encode()).hexdigest()[:16]}{order}"

    def draw(self, spec: GameSpec, seed: int) -> Iterator[Opening]:
        """Yield the openings in the order of the file, or in random order."""
        order = list(self.listed)
        if self.shuffle:
            random.Random(f"{spec} {self.name} {seed}").shuffle(order)
        yield from order
        raise OptionError(
            f"openings: expected an opening for every pair of games, found {len(self.listed)} in {self.name}"
        )


def _different(draw: Callable[[], Position]) -> Generator[Opening, None, int]:
    """Yield the turns to the positions of `draw` where a game goes on; no two of them are alike.

    When `TRIES` draws in a row were in vain, it returns how many there were.
    """
    seen, found, failures = set[int](), 0, 0
    while failures < TRIES:
        position = draw()
        if not goes_on(position) or int(position.state.key) in seen:
            failures += 1
            continue
        failures, found = 0, found + 1
        seen |= image_keys(position)
        yield tuple(position.turns_played)
    return found


class BalancedDraw:
    """Draws balanced positions, independently of each other.

    All candidates are as likely, but in Go turns are drawn in proportion to the visits of a quick search.
    Where these lead to no balanced position, as with a komi that favours one side, more and more of them are
    any candidates.

    A position is balanced if a quick and a thorough search both estimate a win rate within `BALANCED_MARGIN`
    of one half. Both begin with an empty table, so what is drawn depends on nothing else.
    """

    def __init__(self, spec: GameSpec, effort: int | None = None) -> None:
        """Draw positions of `spec`; `effort` is that of the thorough search (default: see `EFFORTS`)."""
        self._spec = spec
        quick, thorough = EFFORTS[spec.game.search]
        self._efforts = quick, effort or thorough
        self._worker = Worker(hash_mb=HASH_MB)
        self._actions = np.zeros(bound(spec.game).MAX_ACTIONS, np.int32)

    def position(self, rng: random.Random) -> Position:
        """Return a balanced position with the turns that lead to it.

        Raises OptionError if `BALANCED_TRIES` draws in a row find none.
        """
        most, tries = self._spec.game.random_plies, BALANCED_TRIES[self._spec.game.search]
        for tried in range(tries):
            likely = max(0.0, 1 - tried / LIKELY_TRIES) if self._spec.game.search == "mcts" else 0.0
            draw = partial(self._turn, likely=likely)
            position = random_position(self._spec, rng.randint(-(-most // 2), most), rng, draw)
            searches = (self._search(position, effort) for effort in self._efforts)
            if goes_on(position) and all(
                lines and abs(lines[0].win_rate(position.scale) - 0.5) <= BALANCED_MARGIN
                for lines in searches
            ):
                return position
        raise OptionError(f"openings: expected a balanced position among {tries} of {self._spec}, found none")

    def _turn(self, position: Position, rng: random.Random, likely: float) -> str:
        """Return a random turn, with the probability `likely` one of those that a search visits."""
        if position.challenge != "none":
            return random_turn(position, rng)
        if likely and rng.random() < likely:
            lines = self._search(position, self._efforts[0], DRAWN)
            return rng.choices([line.pv[0] for line in lines], [line.visits or 0 for line in lines])[0]
        return position.format(tuple(candidate_turn(position, rng, self._actions)))

    def _search(self, position: Position, effort: int, lines: int = 1) -> tuple[Info, ...]:
        """Return the best lines of a search that begins with an empty table."""
        self._worker.new_game()
        return self._worker.search(position, Limit(nodes=effort, multipv=lines)).lines


def parse_openings(
    text: str, spec: GameSpec, turns: int | None = None, shuffle: bool = False
) -> OpeningSource:
    """Return the openings that ``--openings`` names: a number of turns, ``balanced``, a file or a folder.

    Openings of a file have so many `turns` at most; those of records have `RECORD_TURNS` by default. Raises
    OptionError if the text is none of these, or the file has no openings of `spec`.
    """
    counted = text.isascii() and text.isdigit()
    if counted or text == BALANCED or not Path(text).exists():
        if turns is not None or shuffle:
            raise OptionError(f"--openings: expected a file to take turns from, got {quoted(text)}")
        if counted:
            return RandomTurns(int(text))
        if text == BALANCED:
            return BalancedTurns(spec.game.random_plies)
        expected = f"a whole number from 0, {BALANCED}, a file or a folder of records"
        raise OptionError(f"--openings: expected {expected}, got {quoted(text)}")
    listed = tuple(read_openings(Path(text), spec, turns))
    longest = max(len(start_and_turns(opening)[1]) for opening in listed)
    return ListedOpenings(longest, text, listed, shuffle)


def random_turn(position: Position, rng: random.Random) -> str:
    """Return a legal turn as text; each of its actions is chosen uniformly."""
    if position.awaits_answer:
        return rng.choice(position.turns())
    rules = position.game.rules
    state = position.current.state.copy()
    turn: list[int] = []
    while not turn or state.partial:
        legal = legal_actions(rules, state)
        action = legal[rng.randrange(len(legal))]
        turn.append(action)
        rules.do_move(state, action)
    return position.format(tuple(turn))


def random_position(
    spec: GameSpec,
    turns: int,
    rng: random.Random,
    draw_turn: Callable[[Position, random.Random], str] = random_turn,
) -> Position:
    """Return a position after `turns` turns of `draw_turn`, or fewer if the game ends earlier."""
    position = Position(spec)
    for _ in range(turns):
        if position.outcome() != Outcome.ONGOING:
            break
        position.push(draw_turn(position, rng))
    return position


def candidate_turn(position: Position, rng: random.Random, actions: NDArray[np.int32]) -> list[int]:
    """Return a random turn, as actions; these are drawn from the candidates of the search.

    `actions` is memory for the candidates, int32, shape (MAX_ACTIONS,).
    """
    rules = bound(position.spec.game)
    state, turn = position.state.copy(), list[int]()
    while state["partial"] or not turn:
        count = rules.generate_candidates(state, actions)
        turn.append(int(actions[rng.randrange(count)]))
        rules.do_move(state, turn[-1])
    return turn


def read_openings(path: Path, spec: GameSpec, turns: int | None = None) -> Iterator[Opening]:
    """Yield the openings in a file or a folder; no two of them lead to the same position, not even mirrored.

    A text file has an opening in each line (see `opening_of_line`); ``#`` begins a comment. Of records the
    first `turns` are taken. Openings that are cut off and then lead to the same position count as one; it is
    an error if whole ones do. Raises OptionError if there are none, or one of them cannot be played in a game
    of `spec` or ends it.
    """
    records = path.is_dir() or path.suffix.lower() in RECORDS
    limit = RECORD_TURNS if records and turns is None else turns
    first_place: dict[int, str] = {}
    for place, opening in _records(path, spec) if records else _lines(path, spec):
        start, words = start_and_turns(opening)
        try:
            position = Position(spec, start)
            start = start and position.text()
            for word in words[:limit]:
                position.push(word)
        except TengenError as error:
            raise OptionError(f"{place}: {error}") from None
        if not goes_on(position):
            raise OptionError(
                f"{place}: expected a game that goes on, got {' '.join(opening_of(start, words[:limit]))}"
            )
        if other := first_place.get(int(position.state.key)):
            if limit is not None:  # cut off
                continue
            raise OptionError(f"{place}: expected a new position, got that of {other}")
        first_place |= dict.fromkeys(image_keys(position), place.rpartition(", ")[2])
        yield opening_of(start, position.turns_played)
    if not first_place:
        raise OptionError(f"{path}: expected openings, one in each line or record, got none")


def _lines(path: Path, spec: GameSpec) -> Iterator[tuple[str, Opening]]:
    """Yield the place and the text of each opening in a text file."""
    for number, line in enumerate(read_bytes(path, MAX_FILE).decode("utf-8", "replace").splitlines(), 1):
        place = f"{path}, line {number}"
        try:
            opening = opening_of_line(line.partition("#")[0], spec)
        except TengenError as error:
            raise OptionError(f"{place}: {error}") from None
        if opening:
            yield place, opening


def _records(path: Path, spec: GameSpec) -> Iterator[tuple[str, Opening]]:
    """Yield the file and the opening of each record at `path`; they must be of the game of `spec`."""
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    for file in (file for file in inside if file.suffix.lower() in RECORDS):
        found = files.read_all(file, None if file.suffix.lower() not in files.FOREIGN else str(spec))
        for number, record in enumerate(found, 1):
            place = str(files.numbered(file, number) if len(found) > 1 else file)
            if record.spec.game != spec.game:
                raise OptionError(f"{place}: expected a record of {spec}, got one of {record.spec}")
            yield place, opening_of(record.start, [node.turn or "" for node in record.opening_line()])


def goes_on(position: Position) -> bool:
    """Return whether the game is neither over nor within a challenge."""
    return position.outcome() == Outcome.ONGOING and position.challenge == "none"


def image_keys(position: Position) -> set[int]:
    """Return the keys of the position and its mirror images."""
    return {int(state.key) for state in position.spec.game.rules.symmetries(position.state)}


def start_and_turns(opening: Opening) -> tuple[str | None, tuple[str, ...]]:
    """Return the position that an opening begins with, None for that of the game, and its turns."""
    return (opening[0], opening[1:]) if opening and " " in opening[0] else (None, opening)


def opening_of(start: str | None, turns: Iterable[str]) -> Opening:
    """Return the opening of these `turns` from the position `start`, None for that of the game."""
    return (*([] if start is None else [start]), *turns)


def opening_text(opening: Opening) -> str:
    """Return an opening as a line, which `parse_opening` reads back."""
    start, turns = start_and_turns(opening)
    return ("" if start is None else start + AFTER_POSITION) + " ".join(turns)


def parse_opening(text: str) -> Opening:
    """Return the opening in a line of `opening_text`."""
    start, separator, turns = text.rpartition(AFTER_POSITION)
    return opening_of(start if separator else None, turns.split())


def opening_of_line(line: str, spec: GameSpec) -> Opening:
    """Return the opening in a line: turns, or a position text, after which turns may follow a semicolon.

    In five in a row it may also be

    - offsets from the middle to the right and down, as Gomocup publishes them: ``8,-3, 6,-4``;
    - a string of turns with the letter i: ``h8i9g7``;
    - where nothing is captured, a position text, after which a semicolon ends the line as in EPD: its stones
      in some order, which is all the same.

    Raises NotationError if a line of these forms, or a position, is faulty.
    """
    if "/" in line and (not spec.game.five_in_a_row or "capture-win" in spec.values):
        start, _, turns = line.partition(";")
        return opening_of(Position(spec, start.strip()).text(), turns.split())
    if not spec.game.five_in_a_row:
        return tuple(line.split())
    size = int(spec.values["size"])
    if OFFSETS.fullmatch(line.strip()):
        return tuple(_turn(int(x), int(y), size) for x, y in re.findall(OFFSET, line))
    if STRING.fullmatch(line.strip()):
        return tuple(turn for _, turn in renju.read(line, spec).turns)
    if "/" in line:
        return tuple(_turns_of_position(line.partition(";")[0], spec))
    return tuple(line.split())


def _turn(right: int, down: int, size: int) -> str:
    """Return the turn on a place so far from the middle, which must be on the board."""
    place = right + size // 2, size - 1 - down - size // 2
    if not all(0 <= coordinate < size for coordinate in place):
        raise NotationError(f"expected offsets within a board of {size} points a side, got {right},{down}")
    return vertex(*place)


def _turns_of_position(text: str, spec: GameSpec) -> list[str]:
    """Return turns that lead to a position."""
    rows, _, side = text.strip().partition(" ")
    stones, faults = parse_rows(rows, int(spec.values["size"]))
    to_move, more = parse_side(side.strip())
    if faults or more:
        raise NotationError("; ".join(faults + more))
    black = [vertex(*place) for place, colour in stones.items() if colour == BLACK]
    white = [vertex(*place) for place, colour in stones.items() if colour != BLACK]
    if len(black) - len(white) != to_move:
        expected = "as many stones of both sides, or one more of Black if White is to move"
        raise NotationError(f"expected {expected}, got {len(black)} and {len(white)}")
    return [turn for turn in chain.from_iterable(zip_longest(black, white)) if turn]
