"""Puzzles that come with the package: positions with one turn that is right, a file for each game.

A line has the game, the position or the turns that lead to it, what the right turn does, in how many turns of
its side it wins, the turns that are asked with the replies between them, and how many of four levels miss it.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from tengen.apps.language import translate
from tengen.apps.quiz.progress import Progress, Standing, name_of
from tengen.engine.errors import OptionError
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.tuning.openings import Opening, opening_text, parse_opening, start_and_turns

FOLDER = Path(__file__).parent / "puzzles"
SEPARATOR = " | "
GOALS = WIN, HOLD = "win", "hold"  # what the right turn does: it wins, or is the only one that does not lose
LEVELS = 4  # of play that were asked
TASKS = 3  # puzzles after the last lesson of a game
PLACE = re.compile(r"[A-Za-z]\d+")  # within a turn
ROWS, COLUMNS = ("upper", "middle", "lower"), ("left", "middle", "right")


@dataclass(frozen=True)
class Problem:
    """A puzzle of the collection."""

    number: int  # within its game, from 1; the easiest first
    spec: str
    opening: Opening
    goal: str  # `WIN` or `HOLD`
    length: int  # turns of the side to move until it has won; 0 for `HOLD`, or where that is not known
    line: tuple[str, ...]
    missed: int

    @classmethod
    def parse(cls, text: str, number: int = 0) -> Problem:
        """Return the puzzle in a line of a file."""
        spec, opening, goal, length, line, missed = text.split(SEPARATOR)
        return cls(number, spec, parse_opening(opening), goal, int(length), tuple(line.split()), int(missed))

    def text(self) -> str:
        """Return the line."""
        opening, line = opening_text(self.opening), " ".join(self.line)
        return SEPARATOR.join((self.spec, opening, self.goal, str(self.length), line, str(self.missed)))

    @property
    def name(self) -> str:
        """What tells the puzzle from others."""
        return name_of(self.spec, *self.opening)

    @property
    def side(self) -> str:
        """The name of the side to move."""
        return str(self.position().side)

    @property
    def heading(self) -> str:
        """Where it is from, and how hard it is."""
        return f"{GameSpec.parse(self.spec).game.title}, puzzle {self.number}: {self.difficulty}"

    @property
    def difficulty(self) -> str:
        """How many levels of play do not find the turn, in words."""
        return f"{self.missed or 'none'} of {LEVELS} levels of play missed it"

    @property
    def question(self) -> str:
        """What is asked."""
        position, what = self.position(), "wins" if self.goal == WIN else "does not lose"
        mover = position.game.titles[position.side_to_move]
        return f"Find the only turn by which {mover[0].upper()}{mover[1:]} {what}."

    def position(self) -> Position:
        """Return the position."""
        start, turns = start_and_turns(self.opening)
        position = Position(self.spec, start)
        for turn in turns:
            position.push(turn)
        return position

    def hints(self) -> tuple[str, ...]:
        """Return where to look, and how the turn begins and what it does."""
        where, begins = hints_of(self.position(), self.line[0])
        return where, f"{begins} {self.reason}"

    @property
    def reason(self) -> str:
        """What the right turn does, as a sentence."""
        if self.goal == HOLD:
            return "All other turns lose."
        wins = {0: "It decides the game.", 1: "It wins at once."}
        return wins.get(self.length, f"It wins in {self.length} turns.")

    def judge(self, position: Position, answer: str, best: str) -> tuple[bool, str]:
        """Return whether an answer leads to the same position as the right turn, and what is said."""
        played, right = position.copy(), position.copy()
        turn = played.push(answer)
        right.push(best)
        if played.key == right.key:
            return True, f"{turn} is right."
        return False, f"{turn} is not the one."

    def solution(self) -> list[str]:
        """Return the turns that are asked, with the replies."""
        return [f"The solution: {' '.join(self.line)}. {self.reason}"]

    def row(self) -> str:
        """Return what a list says of it."""
        return translate(f"{self.spec}, puzzle {self.number}: {self.goal}, {self.difficulty}")

    def report(self) -> dict[str, Any]:
        """Return it for JSON."""
        position = self.position().text()
        kept = {name: getattr(self, name) for name in ("number", "goal", "length", "missed", "side")}
        return {"game": self.spec, **kept, "position": position, "line": list(self.line)}


def hints_of(position: Position, turn: str) -> tuple[str, str]:
    """Return in which part of the board a turn begins, and with what, as sentences."""
    found = PLACE.search(turn)
    places = {place.name: place for place in position.draw().places}
    begins = turn[: found.end()] if found and found.end() < len(turn) else turn[:1]
    where = "Look at all that a turn can be."
    if found and (place := places.get(found[0])):
        spans = [sorted(getattr(each, axis) for each in places.values()) for axis in "yx"]
        parts = [
            names[min(2, int(3 * (at - span[0]) / (span[-1] - span[0] + 1)))]
            for names, at, span in zip((ROWS, COLUMNS), (place.y, place.x), spans, strict=True)
        ]
        where = f"Look at the {' '.join(dict.fromkeys(parts))} of the board."
    return where, f"The turn begins with {begins}."


@cache
def games() -> tuple[str, ...]:
    """Return the names of the games that have puzzles, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))


@cache
def problems(game: str) -> tuple[Problem, ...]:
    """Return the puzzles of a game, the easiest first; raise OptionError if it has none."""
    if game not in games():
        raise OptionError(f"puzzles: expected one of {', '.join(games())}, got {game}")
    lines = (FOLDER / f"{game}.txt").read_text("utf-8").splitlines()
    return tuple(Problem.parse(line, number) for number, line in enumerate(lines, 1))


def tasks(game: str) -> tuple[Problem, ...]:
    """Return the puzzles after the last lesson of a game: of the easiest, those that win soonest."""
    found = sorted(
        problems(game), key=lambda each: (each.missed, each.goal != WIN, not each.length, each.length)
    )
    return tuple(found[:TASKS])


def of_day(today: date, game: str | None = None) -> Problem:
    """Return the puzzle of a day, the same one for everybody: of a game, or of one game after another.

    In each round through the puzzles of a game all come once, in an order of its own.
    """
    day = today.toordinal()
    if game is None:
        day, turn = divmod(day, len(games()))
        game = games()[turn]
    found = problems(game)
    rounds, place = divmod(day, len(found))
    return random.Random(f"{game} {rounds}").sample(found, len(found))[place]


def in_order(game: str, progress: Progress, today: date) -> list[Problem]:
    """Return the puzzles of a game: those asked before, new ones, and those missed today."""

    def turn(problem: Problem) -> int:
        standing = progress.standing(problem.name)
        return 1 if standing is None else 2 if standing == Standing(0, today) else 0

    return sorted(problems(game), key=turn)
