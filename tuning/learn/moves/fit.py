"""Gammas of move features, fitted to records of games (see docs/tuning.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.spec import GameSpec
from tengen.tuning.learn.moves.minorisation import Accuracy, Contests, maximise, measure
from tengen.tuning.learn.moves.records import PlayedGame, Records
from tengen.tuning.version import engine_version

if TYPE_CHECKING:
    from tengen.engine.contract import Rules

ORIGIN = "tengen fit"


@dataclass(frozen=True)
class MoveSettings:
    """The settings of a fit of move knowledge.

    Attributes
    ----------
    game : GameSpec
    seed : int
        Decides which games are held out.
    held_out : float
        Share of the games that are held out.
    prior : float
        Games that every feature is taken to have won, and as many lost, against a gamma of 1.
    rounds : int
        How often every class of features is improved.
    least : int
        How often a pattern must have been played to be known.
    """

    game: GameSpec
    seed: int = 1
    held_out: float = 0.1
    prior: float = 1.0
    rounds: int = 20
    least: int = 10

    @property
    def moves(self) -> ModuleType:
        """The module of the game that describes moves."""
        return self.game.game.module("moves")


@dataclass(frozen=True, eq=False)
class MoveFit:
    """The result of a fit of move knowledge.

    Attributes
    ----------
    settings : MoveSettings
    gammas : object
        The game's `Gammas`.
    learned, held_out : Accuracy
    base : Accuracy or None
        That of the shipped gammas on the games held out; None if there are none.
    course : list of Accuracy
        On the games held out, after every round.
    by_class : dict of str to dict of str to (float, int)
        By class and level of a feature: its gamma, and how often it was played.
    """

    settings: MoveSettings
    gammas: Any
    learned: Accuracy
    held_out: Accuracy
    base: Accuracy | None
    course: list[Accuracy]
    by_class: dict[str, dict[str, tuple[float, int]]]


class _Describer:
    """Describes the moves of games with the kernels of the game."""

    def __init__(self, moves: ModuleType, rules: Rules, games: Sequence[PlayedGame]) -> None:
        self._moves = moves
        self._games = games
        self._playout = np.zeros(1, moves.PLAYOUT)[0]
        self._actions = np.zeros(rules.MAX_ACTIONS, np.int32)
        self.counts: list[NDArray[np.int64]] = []
        self.keys: list[NDArray[np.uint64]] = []
        for played in games:
            keys = np.zeros((len(played.turns), len(moves.SIZES)), np.uint64)
            counts = np.zeros(len(played.turns), np.int64)
            start = played.start.copy()
            moves.replay_patterns(start, self._playout, self._actions, played.turns, keys, counts)
            self.counts.append(counts[counts > 0])
            self.keys.append(keys[counts > 0])

    def known(self, least: int) -> NDArray[np.uint64]:
        """Return the sorted keys of patterns played `least` times; if too many, of the most frequent."""
        keys, times = np.unique(np.concatenate(self.keys), return_counts=True)
        most = self._moves.MAX_PATTERNS
        if (times >= least).sum() > most:
            least = int(np.sort(times)[-most]) + 1
        found: NDArray[np.uint64] = keys[times >= least]
        return found

    def contests(self, patterns: NDArray[np.uint64]) -> Contests:
        """Return all positions of the games, described with these `patterns` known."""
        counts = np.concatenate(self.counts)
        features = np.zeros((self._moves.COLUMNS, int(counts.sum())), np.uint16)
        table, numbers = self._moves.make_table(patterns)
        start = 0
        for played in self._games:
            start = self._moves.replay_features(
                played.start.copy(),
                self._playout,
                self._actions,
                played.turns,
                table,
                numbers,
                features,
                start,
            )
        return Contests(features, np.cumsum(counts))


def fit(
    settings: MoveSettings, records: Records, on_round: Callable[[int, Accuracy], None] | None = None
) -> MoveFit:
    """Return the gammas that explain the moves of `records` best.

    `on_round` is called with the number of each round and the accuracy on the games held out.
    """
    moves, rules = settings.moves, settings.game.game.rules
    train = _Describer(moves, rules, [played for played in records.games if not played.held_out])
    other = _Describer(moves, rules, [played for played in records.games if played.held_out])
    patterns = train.known(settings.least)
    learned, held_out = train.contests(patterns), other.contests(patterns)
    course: list[Accuracy] = []

    def note(number: int, gammas: NDArray[np.float64]) -> None:
        course.append(measure(held_out, gammas))
        if on_round:
            on_round(number, course[-1])

    count = moves.NO_PATTERN + 1 + len(patterns)
    gammas = maximise(learned, count, settings.prior, settings.rounds, moves.MAX_LOG, note)
    accuracy = measure(learned, gammas)
    logs = np.log(gammas).astype(np.float32)
    first = moves.NO_PATTERN + 1
    origin = _origin(settings, records, accuracy, course[-1])
    wins, numbers = learned.wins(count), iter(range(moves.NO_PATTERN))
    by_class = {
        name: {
            level: (float(gammas[number]), int(wins[number]))
            for level, number in zip(levels, numbers, strict=False)
        }
        for name, levels in moves.CLASSES.items()
    }
    base = None
    if moves.FILE.exists():
        known = moves.load(moves.FILE)
        base = measure(other.contests(known.pattern_keys), np.exp(known.all_logs.astype(np.float64)))
    return MoveFit(
        settings,
        moves.Gammas(logs[:first], patterns, logs[first:], origin),
        accuracy,
        course[-1],
        base,
        course,
        by_class,
    )


def _origin(
    settings: MoveSettings, records: Records, learned: Accuracy, held_out: Accuracy
) -> dict[str, Any]:
    """Return the origin of the gammas, which depends on data and settings only."""
    parts = {"learned": learned, "held_out": held_out}
    held = [played.held_out for played in records.games]
    return {
        "source": ORIGIN,
        "engine": engine_version(settings.game),
        "data": records.fingerprint,
        "games": {"learned": held.count(False), "held_out": held.count(True)},
        "positions": {name: part.positions for name, part in parts.items()},
        "loss": {name: round(part.loss, 5) for name, part in parts.items()},
        "seed": settings.seed,
        "held_out": settings.held_out,
        "prior": settings.prior,
        "rounds": settings.rounds,
        "least": settings.least,
    }
