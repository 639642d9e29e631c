"""Theory of a game: a tree of the best opening turns and replies, made by long searches.

The tree grows by drop-out expansion. Each of its positions knows its best turn that leads out of the tree,
found by a search without the turns that are in it. Next comes the turn out of the tree to which a line leads
that is short and gives away little. Values are backed up from the ends. Positions that are alike, mirrored or
reached in another order, are in the tree once.

Source: Lincke, Strategies for the Automatic Construction of Opening Books (2000).
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tengen.engine.errors import FileError, OptionError, TengenError
from tengen.engine.game import Game, Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import read_bytes, replace_file
from tengen.engine.storage.parsing import parse_json
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.openings import image_keys
from tengen.tuning.version import engine_version
from tengen.tuning.workers.pool import WorkerPool

FOLDER = "theory"  # within the folder of a game: what ships with it, a file for each variant
FORMAT = 1
EFFORTS = {"alphabeta": 200_000, "mcts": 5_000}  # positions or simulations of a search
LOSS_PER_TURN = 0.01  # see `Theory.explore`
BATCH = 8  # turns that are added at a time, whatever the number of workers
LINE = 8  # turns of a line that is shown
HASH_MB = 32
MAX_FILE = 64 << 20  # bytes
MAX_EFFORT = 10**12
ROOT = 0
CERTAIN = 0.0001  # distance from 0 and 1 of rates that are not proven
VALUES = {Outcome.FIRST_WINS: 1.0, Outcome.SECOND_WINS: 0.0, Outcome.DRAW: 0.5}


@dataclass(frozen=True)
class Row:
    """A position of the tree, or another way to one that is in it already."""

    parent: int  # index of the row from which it is reached; -1 at the root
    turn: str
    side: int  # to move
    rate: float | None = None  # win rate of the first side after `best`, or when the game is over
    best: str | None = None  # the best turn out of the tree; None if there is none
    same: int | None = None  # index of the row of the position, if this is another way to it


@dataclass(frozen=True)
class KnownTurn:
    """A turn that the theory knows.

    Attributes
    ----------
    turn : str
        As the game writes it.
    rate : float
        Win rate of the side that plays it, in [0, 1], with best play as far as the tree goes; 0 and 1 are
        proven.
    positions : int
        Positions of the tree that follow it; 0 if it leads out of the tree.
    line : tuple of str
        The best turns after it.
    """

    turn: str
    rate: float
    positions: int
    line: tuple[str, ...]


@dataclass(frozen=True)
class Measures:
    """What follows from the rows of a tree; all lists have an entry for each row."""

    children: list[list[int]]  # rows of its turns
    values: list[float]  # win rate of the first side, with best play as far as the tree goes
    positions: list[int]  # of the tree from there on


class Theory:
    """The tree of a game.

    Parameters
    ----------
    spec : GameSpec, Game or str
        A game without challenges.
    effort : int, optional
        Positions, in Go simulations, of each search; by default `EFFORTS`.

    Raises
    ------
    OptionError
        For a game with challenges.
    """

    def __init__(self, spec: GameSpec | Game | str, effort: int | None = None) -> None:
        self.spec = spec = GameSpec.of(spec)
        if spec.challenge:
            raise OptionError(f"theory: expected a game without challenges, got {spec}")
        self.effort = effort or EFFORTS[spec.game.search]
        self.engine = engine_version(spec)
        self.rows: list[Row] = []
        self._known: Measures | None = None  # of the rows as they are

    @classmethod
    def read(cls, path: Path) -> Theory:
        """Return the tree in a file.

        Parameters
        ----------
        path : Path
            A file that `write` has made.

        Raises
        ------
        FileError
            If it cannot be read or is another one.
        """
        data = read_bytes(path, MAX_FILE)
        try:
            found = parse_json(data)
            theory = cls(GameSpec.parse(found["game"]), _whole(found["nodes"], 1, MAX_EFFORT))
            _whole(found["format"], FORMAT, FORMAT)
            theory.engine = str(found["engine"])
            for number, row in enumerate(found["rows"]):
                theory.rows.append(_row(theory.rows, number, *row))
        except (TengenError, ValueError, TypeError, KeyError) as error:
            raise FileError(f"{path}: expected a theory, as `tengen theory` writes it ({error})") from None
        return theory

    @classmethod
    def shipped(cls, spec: GameSpec | Game | str) -> Theory:
        """Return the tree that ships with a game.

        Parameters
        ----------
        spec : GameSpec, Game or str
            The game with its variant and options.

        Raises
        ------
        OptionError
            If none ships with it.
        """
        spec = GameSpec.of(spec)
        path = spec.game.folder / FOLDER / f"{str(spec.as_variant()).replace(':', '-')}.json"
        if not path.is_file():
            raise OptionError(f"no theory of {spec} ships with tengen: `tengen theory` searches for one")
        return _shipped(path)

    def write(self, path: Path) -> None:
        """Replace a file by this tree; a failure leaves the file as it was.

        Parameters
        ----------
        path : Path
            Of the file.
        """
        head = {"format": FORMAT, "game": str(self.spec), "nodes": self.effort, "engine": self.engine}
        rows = [
            [row.parent, row.turn, row.side, row.rate, row.best] if row.same is None
            else [row.parent, row.turn, row.same]
            for row in self.rows
        ]  # fmt: skip
        listed = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
        replace_file(path, f'{json.dumps(head)[:-1]}, "rows": [\n{listed}\n]}}\n'.encode())

    # ---------------------------------------------------------------------------------------------- the tree

    @property
    def positions(self) -> int:
        """The number of different positions."""
        return sum(row.same is None for row in self.rows)

    def _measures(self) -> Measures:
        """Return what follows from the rows.

        Another way to a position that is no deeper in the tree counts nothing: games may come back to it.
        """
        if self._known is None:
            rows, count = self.rows, len(self.rows)
            children: list[list[int]] = [[] for _ in rows]
            depths, values, positions = [0] * count, [0.5] * count, [int(row.same is None) for row in rows]
            for index in range(1, count):
                children[rows[index].parent].append(index)
                depths[index] = depths[rows[index].parent] + 1
            for index in range(count - 1, ROOT, -1):
                positions[rows[index].parent] += positions[index]
            for index in sorted(range(count), key=depths.__getitem__, reverse=True):
                row, ends = rows[index], [self._end(child) for child in children[index]]
                rates = [values[end] for end in ends if depths[end] > depths[index]]
                rates += [] if row.rate is None else [row.rate]
                values[index] = (min if row.side else max)(rates, default=0.5)
            self._known = Measures(children, values, positions)
        return self._known

    def _end(self, index: int) -> int:
        """Return the row of the position that a row leads to: itself unless it is another way to one."""
        same = self.rows[index].same
        return index if same is None else same

    def position(self, index: int) -> Position:
        """Return the position of a row, with the turns that lead to it.

        Parameters
        ----------
        index : int
            A row.
        """
        turns = []
        while index > ROOT:
            turns.append(self.rows[index].turn)
            index = self.rows[index].parent
        position = Position(self.spec)
        for turn in reversed(turns):
            position.push(turn)
        return position

    # --------------------------------------------------------------------------------------------- questions

    def _find(self, position: Position) -> tuple[int, Position] | None:
        """Return the row of a position of a game, and the position as it is there, perhaps mirrored.

        None if the game left the tree, or began elsewhere.
        """
        here = Position(self.spec)
        index, there = ROOT, here.copy()
        if not self.rows or position.spec.as_variant() != self.spec.as_variant():
            return None
        for turn, side in zip(position.turns_played, position.sides_played, strict=True):
            here.push(turn, side)
            keys = image_keys(here)
            for child in self._measures().children[index]:
                there.push(self.rows[child].turn)
                if int(there.state.key) in keys:
                    index = self._end(child)
                    there = there if index == child else self.position(index)
                    break
                there.pop()
            else:
                return None
        return (index, there) if here.key == position.key else None

    def turns(self, position: Position, count: int | None = None) -> list[KnownTurn]:
        """Return the turns that are known in a position of a game, the best for the side to move first.

        Parameters
        ----------
        position : Position
            With the turns that led to it from the start of the game.
        count : int, optional
            Only so many of them.
        """
        if not (found := self._find(position)):
            return []
        index, there = found
        known = []
        for turn, (end, value) in self._choices(index, there, position).items():
            rate = 1 - value if self.rows[index].side else value
            positions = self._measures().positions[end] if end is not None else 0
            known.append((KnownTurn(turn, round(rate, 4), positions, ()), end))
        known.sort(key=lambda each: (-each[0].rate, -each[0].positions))
        return [replace(each, line=self._line(end, position, each.turn)) for each, end in known[:count]]

    def _choices(
        self, index: int, there: Position, position: Position
    ) -> dict[str, tuple[int | None, float]]:
        """Return the turns of a row as they are in `position`, with the row of the end and the value.

        That position may be a mirror image of the row's, which is `there`. The row is None for the turn that
        leads out of the tree.
        """
        row, measures = self.rows[index], self._measures()
        ends: dict[str, tuple[int | None, float]] = {}
        for child in measures.children[index]:
            end = self._end(child)
            ends[self.rows[child].turn] = end, measures.values[end]
        if row.best is not None and row.rate is not None:
            ends[row.best] = None, row.rate
        if there.key == position.key:
            return ends
        keys: dict[int, str] = {}
        for turn in ends:
            there.push(turn)
            keys |= dict.fromkeys(image_keys(there), turn)
            there.pop()
        return {
            position.format(actions): ends.pop(keys[key])
            for actions, key in _ends(position)
            if keys.get(key) in ends
        }

    def _line(self, index: int | None, position: Position, turn: str) -> tuple[str, ...]:
        """Return the best turns after `turn`, which leads to the position of a row, perhaps mirrored."""
        line: list[str] = []
        position = position.copy()
        position.push(turn)
        while index is not None and len(line) < LINE:
            choices = self._choices(index, self.position(index), position)
            if not choices:
                break
            best = min if self.rows[index].side else max
            turn, (index, _) = best(choices.items(), key=lambda item: item[1][1])
            line.append(position.push(turn))
        return tuple(line)

    # ---------------------------------------------------------------------------------------------- to grow

    def explore(self, count: int, pool: WorkerPool, loss: float = LOSS_PER_TURN) -> Iterator[int]:
        """Search until there are enough positions; yield how many there are, about `BATCH` at a time.

        Parameters
        ----------
        count : int
            Positions to have.
        pool : WorkerPool
            What searches.
        loss : float
            Win rate that a line gives away and that counts like one more turn; less makes longer lines.

        Notes
        -----
        It ends earlier if no turn leads out of the tree any more. What is found depends on the tree and the
        engine, not on the workers. An iterator that is closed leaves the tree as it was after the last yield.
        """
        self.engine = engine_version(self.spec)
        known = {
            int(self.position(index).state.key): index
            for index, row in enumerate(self.rows)
            if row.same is None
        }
        while self.positions < count:
            rows, jobs = list(self.rows), []
            if not rows:
                start = Position(self.spec)
                rows, jobs = [Row(-1, "", start.side_to_move)], [Job(ROOT, self.spec, (), self.effort)]
                known[int(start.state.key)] = ROOT
            for index in self._next(min(BATCH, count - self.positions), loss):
                jobs += self._grow(rows, index, known)
            if not jobs:
                return
            for job, (rate, best) in pool.run(search, jobs):
                rows[job.row] = replace(rows[job.row], rate=rate, best=best)
            self.rows, self._known = rows, None
            yield self.positions

    def _grow(self, rows: list[Row], index: int, known: dict[int, int]) -> list[Job]:
        """Add the turn out of the tree of a row to `rows`; return the searches that it needs.

        `known` are the rows of positions by their keys.
        """
        position, turn = self.position(index), rows[index].best
        children = [rows[child].turn for child in self._measures().children[index]]
        assert turn is not None
        jobs, keys = [], set[int]()
        for each in (*children, turn):
            reached = position.copy()
            reached.push(each)
            keys |= image_keys(reached)
        same = next((known[key] for key in image_keys(reached) if key in known), None)
        rows.append(Row(index, turn, reached.side_to_move, same=same))
        if same is None:
            known[int(reached.state.key)] = len(rows) - 1
            jobs.append(Job(len(rows) - 1, self.spec, reached.turns_played, self.effort))
        return [*jobs, Job(index, self.spec, position.turns_played, self.effort, frozenset(keys))]

    def _next(self, count: int, loss: float) -> list[int]:
        """Return the rows whose turns out of the tree come next, the first one first."""
        measures, found, seen = self._measures(), list[tuple[float, int]](), set[int]()
        heap = [(0.0, ROOT)] if self.rows else []
        while heap:
            cost, index = heapq.heappop(heap)
            if index in seen:
                continue
            seen.add(index)
            row, value = self.rows[index], measures.values[index]
            if row.best is not None and row.rate is not None and 0 < row.rate < 1:  # else nothing can change
                found.append((cost + abs(value - row.rate) / loss, index))
            for end in map(self._end, measures.children[index]):
                lost = abs(value - measures.values[end]) / loss
                heapq.heappush(heap, (cost + 1 + lost, end))
        return [index for _, index in heapq.nsmallest(count, found)]


@dataclass(frozen=True)
class Job:
    """A search for the best turn of a row's position that does not lead to some others."""

    row: int
    spec: GameSpec
    turns: tuple[str, ...]
    effort: int
    without: frozenset[int] = frozenset()  # keys of positions


def search(job: Job) -> tuple[float | None, str | None]:
    """Return the win rate of the first side after the best turn that a job asks for, and the turn.

    When the game is over there is no turn; when no turn is left, no rate either.
    """
    position = Position(job.spec)
    for turn in job.turns:
        position.push(turn)
    if outcome := position.outcome():
        return VALUES[outcome], None
    others: tuple[str, ...] = ()
    if job.without:
        others = tuple(position.format(turn) for turn, key in _ends(position) if key not in job.without)
        if not others:
            return None, None
    worker = _worker()
    worker.new_game()
    found = worker.search(position, Limit(nodes=job.effort, searchmoves=others))
    best = found.lines[0]
    rate = best.win_rate(position.scale)
    if not best.score.is_proven:
        rate = min(max(rate, CERTAIN), 1 - CERTAIN)
    return round(1 - rate if position.side_to_move else rate, 4), best.pv[0]


@cache
def _worker() -> Worker:
    return Worker(hash_mb=HASH_MB)


def _ends(position: Position) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the actions of all legal turns, and the keys of the positions after them."""
    for actions in position.turn_actions():
        after = position.state.copy()
        for action in actions:
            position.game.rules.do_move(after, action)
        yield actions, int(after.key)


def _whole(value: Any, least: int, most: int) -> int:
    """Return a whole number of a file."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"expected a whole number from {least} to {most}")
    return value


def _row(rows: list[Row], number: int, parent: Any, turn: Any, *more: Any) -> Row:
    """Return a row of a file."""
    _whole(parent, -1 if number == ROOT else ROOT, number - 1)
    if rows and (not isinstance(turn, str) or rows[parent].same is not None):
        raise ValueError(f"row {number}: expected a turn after a position")
    if len(more) == 1:
        same = _whole(more[0], ROOT, number - 1)
        return Row(parent, turn, rows[same].side, same=same)
    side, rate, best = more
    if not (rate is None or (isinstance(rate, int | float) and 0 <= rate <= 1)):
        raise ValueError(f"row {number}: expected a win rate")
    if not (best is None or isinstance(best, str)):
        raise ValueError(f"row {number}: expected a turn")
    return Row(parent, turn, _whole(side, 0, 1), rate, best)


@cache
def _shipped(path: Path) -> Theory:
    return Theory.read(path)
