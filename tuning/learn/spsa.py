"""Numbers of the search by SPSA: pairs of games between two settings on either side of the present one.

Every pair moves each number up or down by its step, at random, and plays the one setting against its mirror
image. The numbers then move a little towards the winner. The gradient of all numbers together costs no more
games than that of one (Spall, "Multivariate stochastic approximation using a simultaneous perturbation
gradient approximation", 1992).
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tengen.engine.errors import OptionError, TengenError, nearest
from tengen.engine.game import Outcome
from tengen.engine.play.challenge import begin
from tengen.engine.play.position import Position
from tengen.engine.storage.files import read_bytes, replace_file
from tengen.engine.storage.parsing import parse_json
from tengen.search.alphabeta.numbers import Numbers, shipped
from tengen.tuning.identity import settings_diff
from tengen.tuning.learn.selfplay import MAX_GAME_TURNS, SelfplayPlayer, SelfplaySettings, check_version
from tengen.tuning.opening_lines import Opening, start_and_turns
from tengen.tuning.openings import ListedOpenings
from tengen.tuning.workers.interrupts import defer_sigint
from tengen.tuning.workers.pool import WorkerPool

MAX_FILE = 1 << 20  # bytes
ROUND = 16  # pairs that are played with the same numbers
STEP_DIVISOR = 6  # the last step is this share of a number
ALPHA, GAMMA = 0.602, 0.101  # exponents by which gains and steps decrease (Spall 1998)
STABILITY = 0.1  # share of the pairs that delays the decrease of the gains
RATE = 0.06  # the last pair moves a number by this share of its step for each point of the lead


class TuningError(TengenError):
    """A file that holds no tuning, or that of other settings."""


@dataclass(frozen=True)
class TuningSettings:
    """What is tuned, and by which games.

    Attributes
    ----------
    games : SelfplaySettings
        Effort, openings and seed of the games.
    names : tuple of str
        The numbers that change; empty for all of the game.
    pairs : int
        Number of pairs after which the tuning ends. Steps and gains depend on it.
    openings : ListedOpenings or None
        What the pairs begin with, one after the other and again; None for those that `games` says.

    Raises
    ------
    OptionError
        If the game has no number of a name.
    """

    games: SelfplaySettings
    names: tuple[str, ...]
    pairs: int
    openings: ListedOpenings | None = None

    def __post_init__(self) -> None:
        known = self.start.named()
        for name in self.names:
            if name not in known:
                expected = ", ".join(known)
                raise OptionError(f"numbers: expected some of {expected}, got {name!r}{nearest(name, known)}")
        object.__setattr__(self, "names", self.names or tuple(known))

    @property
    def start(self) -> Numbers:
        """The numbers that the game is searched with."""
        return shipped(self.games.game.game)

    def identity(self) -> dict[str, str]:
        """Return as text the settings that decide which games are played."""
        own = {"numbers": ",".join(self.names), "pairs": str(self.pairs)}
        if self.openings:
            own["openings"] = self.openings.identity(self.games.game)
        return self.games.identity() | own

    def opening(self, pair: int) -> Opening | None:
        """Return what a pair begins with; None if its worker draws it."""
        return self.openings.listed[pair % len(self.openings.listed)] if self.openings else None

    def step(self, name: str, pair: int) -> float:
        """Return how far a number moves to either side in a pair, the first being 0."""
        last = max(1.0, self.start.named()[name] / STEP_DIVISOR)
        return last * math.pow(self.pairs / (pair + 1), GAMMA)

    def gain(self, name: str, pair: int) -> float:
        """Return how far a number moves for each point of the lead in a pair."""
        delay = STABILITY * self.pairs
        return RATE * self.step(name, pair) * math.pow((delay + self.pairs) / (delay + pair + 1), ALPHA)

    def signs(self, pair: int) -> dict[str, int]:
        """Return the direction, 1 or -1, in which each number moves for the first player of a pair."""
        rng = random.Random(f"{self.games.seed} signs {pair}")
        return {name: rng.choice((-1, 1)) for name in self.names}


@dataclass(frozen=True)
class PairJob:
    """Two games from one opening, with sides swapped.

    Attributes
    ----------
    settings : SelfplaySettings
    number : int
    first, second : Numbers
        Those of the two players.
    opening : Opening or None
        What both games begin with; None if it is drawn as `settings` say.
    """

    settings: SelfplaySettings
    number: int
    first: Numbers
    second: Numbers
    opening: Opening | None = None

    def __repr__(self) -> str:
        """Return its name in error messages."""
        return f"pair {self.number} of {self.settings.game}"


def play_pair(job: PairJob) -> int:
    """Play the games of a pair, in a worker; return the wins of the first player less its losses.

    Raises
    ------
    SelfPlayError
        If the worker has another version of the engine.
    """
    settings = job.settings
    check_version(settings.game, settings.version)
    players = [SelfplayPlayer(settings, numbers) for numbers in (job.first, job.second)]
    opening = begin_pair(job, players[0])
    return _play(opening.copy(), players) - _play(opening.copy(), players[::-1])


def begin_pair(job: PairJob, player: SelfplayPlayer) -> Position:
    """Return the position that the games of a pair begin at; `player` draws what is random."""
    settings, rng = job.settings, random.Random(f"{job.settings.seed} {job.number}")
    if job.opening is None and settings.balanced:
        return player.balanced_position(rng)
    if job.opening is not None:
        start, turns = start_and_turns(job.opening)
        position = begin(settings.game, start)
        for turn in turns:
            position.play(turn)
        return position
    position = Position.start(settings.game)
    for _ in range(rng.randint(min(1, settings.openings), settings.openings)):
        if position.outcome() == Outcome.ONGOING:
            position.make(player.random_turn(position, rng))
    return position


def _play(position: Position, players: Sequence[SelfplayPlayer]) -> int:
    """Play a game; return 1 if the first side wins, -1 if it loses, 0 for a draw."""
    for player in players:
        player.new_game()
    turns = 0
    while position.outcome() == Outcome.ONGOING and turns < MAX_GAME_TURNS:
        position.make(players[position.side_to_move].best_turn(position))
        turns += 1
    return {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1}.get(position.outcome(), 0)


class Tuning:
    """The numbers, and how many pairs they have learned from.

    Parameters
    ----------
    settings : TuningSettings

    Attributes
    ----------
    settings
        As given.
    values : dict of str to float
        The numbers that change.
    pairs : int
        Pairs played so far.
    """

    def __init__(self, settings: TuningSettings) -> None:
        self.settings = settings
        start = settings.start.named()
        self.values = {name: float(start[name]) for name in settings.names}
        self.pairs = 0

    def numbers(self, shift: Mapping[str, float] | None = None) -> Numbers:
        """Return the numbers as they are, or with each of them moved by its `shift`; none below 0 or 1."""
        shift = shift or {}
        moved = {name: value + shift.get(name, 0.0) for name, value in self.values.items()}
        return self.settings.start.changed({name: _whole(name, value) for name, value in moved.items()})

    def run(self, pool: WorkerPool, on_round: Callable[[int], None] | None = None) -> None:
        """Play the pairs that are missing.

        Parameters
        ----------
        pool : WorkerPool
            Its initializer is `tuning.learn.selfplay.prepare`.
        on_round : callable, optional
            Called with the number of pairs after each round; SIGINT is deferred meanwhile.
        """
        while self.pairs < self.settings.pairs:
            numbers = range(self.pairs, min(self.pairs + ROUND, self.settings.pairs))
            results = {job.number: lead for job, lead in pool.run(play_pair, map(self._job, numbers))}
            with defer_sigint():
                for pair in numbers:
                    self._learn(pair, results[pair])
                self.pairs = numbers.stop
                if on_round:
                    on_round(self.pairs)

    def _job(self, pair: int) -> PairJob:
        """Return the games of a pair."""
        settings = self.settings
        shift = {name: sign * settings.step(name, pair) for name, sign in settings.signs(pair).items()}
        mirrored = {name: -distance for name, distance in shift.items()}
        opening = settings.opening(pair)
        return PairJob(settings.games, pair, self.numbers(shift), self.numbers(mirrored), opening)

    def _learn(self, pair: int, lead: int) -> None:
        """Move the numbers towards the winner of a pair."""
        for name, sign in self.settings.signs(pair).items():
            moved = self.values[name] + sign * lead * self.settings.gain(name, pair)
            self.values[name] = max(float(_least(name)), moved)

    def save(self, path: Path) -> None:
        """Write the file at `path` atomically.

        Raises
        ------
        OSError
            When the file cannot be written.
        """
        state = {"settings": self.settings.identity(), "played": self.pairs, "values": self.values}
        replace_file(path, json.dumps(state, ensure_ascii=False, indent=1).encode())

    def resume(self, path: Path) -> None:
        """Continue the tuning in the file at `path`.

        Raises
        ------
        TuningError
            If it holds no tuning, or that of other settings.
        """
        try:
            state = parse_json(read_bytes(path, MAX_FILE))
            known, played = dict(state["settings"]), int(state["played"])
            values = {name: float(value) for name, value in state["values"].items()}
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
            raise TuningError(f"{path}: expected a tuning, got something else ({error})") from None
        if changed := settings_diff(known, self.settings.identity()):
            raise TuningError(f"{path}: expected the same tuning, got another: {changed}")
        sound = values.keys() == self.values.keys() and all(map(math.isfinite, values.values()))
        if not sound or not 0 <= played <= self.settings.pairs:
            raise TuningError(f"{path}: expected a tuning, got {played} pairs and the numbers {values}")
        self.values, self.pairs = values, played


def _least(name: str) -> int:
    """Return the least value of a number: divisors are positive."""
    return 1 if name == "reduction-divisor" else 0


def _whole(name: str, value: float) -> int:
    """Return the nearest whole number that is allowed."""
    return max(_least(name), round(value))
