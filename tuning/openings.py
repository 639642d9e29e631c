"""Openings of games: random turns, balanced ones, or those of a file; each leads to a different position."""

from __future__ import annotations

import hashlib
import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError, quoted
from tengen.engine.game import GameSpec, Outcome
from tengen.engine.play.position import Position
from tengen.engine.play.turns import legal_actions
from tengen.search.binding import bound
from tengen.search.info import Info
from tengen.search.limits.limit import Limits
from tengen.search.worker import Worker
from tengen.tuning.opening_files import Opening, goes_on, image_keys, read_openings
from tengen.tuning.opening_lines import opening_text, start_and_turns
from tengen.tuning.version import engine_version

BALANCED = "balanced"
TRIES = 1000  # consecutive failures to find a new opening after which they count as exhausted
BALANCED_TRIES = {"alphabeta": 5000, "mcts": 500}  # the same for balanced ones
BALANCED_MARGIN = 0.06  # greatest distance of a balanced opening's win rate from one half
EFFORTS = {"alphabeta": (2_000, 30_000), "mcts": (100, 1_000)}  # positions or playouts, of the two searches
DRAWN = 200  # turns that a search reports, to draw one by their visits
LIKELY_TRIES = 100  # failures after which turns are no longer drawn by visits
HASH_MB = 8


class OpeningSource(ABC):
    """Where the openings of a match come from."""

    longest: int  # turns of the longest opening

    @property
    def varied(self) -> bool:
        """Whether the openings differ."""
        return self.longest > 0

    @property
    def report(self) -> int | str:
        """A number of random turns, or the name of other openings."""
        return str(self)

    @abstractmethod
    def draw(self, spec: GameSpec, seed: int) -> Iterator[Opening]:
        """Yield openings of `spec`; the same arguments give the same ones in the same order.

        Raises
        ------
        OptionError
            If there are no more openings; the message says how many there were.
        """

    @abstractmethod
    def identity(self, spec: GameSpec) -> str:
        """Return a text that differs if the openings do."""


@dataclass(frozen=True)
class RandomTurns(OpeningSource):
    """Random legal turns; with 0 of them always the start, which suits players that vary.

    Attributes
    ----------
    longest : int
        How many turns.
    """

    longest: int

    @property
    def report(self) -> int:
        """The number of turns."""
        return self.longest

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

    Attributes
    ----------
    longest : int
        Greatest number of turns.
    """

    longest: int

    def __str__(self) -> str:
        return BALANCED

    def identity(self, spec: GameSpec) -> str:
        """Return a text that names the engine that has judged the openings."""
        return f"{BALANCED} by {engine_version(spec)}"

    def draw(self, spec: GameSpec, seed: int) -> Iterator[Opening]:
        """Yield balanced openings."""
        rng, drawing = random.Random(f"{spec} {BALANCED} {seed}"), BalancedDraw(spec)
        found = yield from _different(lambda: drawing.position(rng))
        raise OptionError(f"openings: expected more balanced openings of {spec}, found {found}")


@dataclass(frozen=True)
class ListedOpenings(OpeningSource):
    """The openings of a file.

    Attributes
    ----------
    name : str
        Of the file.
    listed : tuple of Opening
    longest : int
        Turns of the longest one.
    shuffle : bool
        Whether they are drawn in random order.
    """

    name: str
    listed: tuple[Opening, ...]
    longest: int
    shuffle: bool = False

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

    Returns
    -------
    int
        How many there were, when `TRIES` draws in a row were in vain.
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

    Parameters
    ----------
    spec : GameSpec
    """

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        self._worker = Worker(hash_mb=HASH_MB)
        self._actions = np.zeros(bound(spec.game).MAX_ACTIONS, np.int32)

    def position(self, rng: random.Random) -> Position:
        """Return a balanced position with the turns that lead to it.

        Raises
        ------
        OptionError
            If `BALANCED_TRIES` draws in a row find none.
        """
        most, tries = self._spec.game.random_plies, BALANCED_TRIES[self._spec.game.search]
        for tried in range(tries):
            likely = max(0.0, 1 - tried / LIKELY_TRIES) if self._spec.game.search == "mcts" else 0.0
            draw = partial(self._turn, likely=likely)
            position = random_position(self._spec, rng.randint(-(-most // 2), most), rng, draw)
            if goes_on(position) and self._is_balanced(position):
                return position
        raise OptionError(f"openings: expected a balanced position among {tries} of {self._spec}, found none")

    def _turn(self, position: Position, rng: random.Random, likely: float) -> str:
        """Return a random turn, with the probability `likely` one of those that a search visits."""
        if position.challenge != "none":
            return random_turn(position, rng)
        if likely and rng.random() < likely:
            lines = self._search(position, EFFORTS["mcts"][0], DRAWN)
            return rng.choices([line.pv[0] for line in lines], [line.visits or 0 for line in lines])[0]
        return position.format(tuple(candidate_turn(position, rng, self._actions)))

    def _is_balanced(self, position: Position) -> bool:
        """Return whether both searches find the sides about equal."""
        for effort in EFFORTS[position.spec.game.search]:
            lines = self._search(position, effort)
            if not lines or abs(lines[0].win_rate(position.scale) - 0.5) > BALANCED_MARGIN:
                return False
        return True

    def _search(self, position: Position, effort: int, lines: int = 1) -> tuple[Info, ...]:
        """Return the best lines of a search that begins with an empty table."""
        self._worker.new_game()
        return self._worker.search(position, Limits(nodes=effort, multipv=lines)).lines


def parse_openings(
    text: str, spec: GameSpec, turns: int | None = None, shuffle: bool = False
) -> OpeningSource:
    """Return the openings that ``--openings`` names: a number of turns, ``balanced``, a file or a folder.

    Parameters
    ----------
    text : str
    spec : GameSpec
    turns : int, optional
        Turns of each opening of a file at most; records have `RECORD_TURNS` of them by default.
    shuffle : bool
        Whether the openings of a file are drawn in random order.

    Raises
    ------
    OptionError
        If the text is none of these, or the file has no openings of `spec`.
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
    return ListedOpenings(text, listed, longest, shuffle)


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

    Parameters
    ----------
    position : Position
    rng : random.Random
    actions : ndarray of int32, shape (MAX_ACTIONS,)
        Memory for the candidates.
    """
    rules = bound(position.spec.game)
    state, turn = position.state.copy(), list[int]()
    while state["partial"] or not turn:
        count = rules.generate_candidates(state, actions)
        turn.append(int(actions[rng.randrange(count)]))
        rules.do_move(state, turn[-1])
    return turn
