"""Gammas of move features, fitted to records of games in SGF (see docs/tuning.md)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine import sgf
from tengen.engine.errors import TengenError
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.tuning.learn.fit import Fit
from tengen.tuning.learn.minorisation import Contests, maximise, measure
from tengen.tuning.learn.samples import SamplesError, files_of, require_some
from tengen.tuning.version import engine_version

if TYPE_CHECKING:
    from tengen.engine.contract import Rules

ORIGIN = "tengen fit"
SHORTEST = 20  # turns of a game that is learned from
COMPARED = 30  # games that begin with the same turns are the same game
HALVES = 1 << 32


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """The turns of a game."""

    start: Any  # state of the start position
    turns: NDArray[np.int32]  # actions
    held_out: bool


@dataclass(eq=False)
class Records:
    """Games, and how many records were left out."""

    games: list[PlayedGame] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)  # by the reason
    fingerprint: str = ""  # hash of all turns, eight hexadecimal digits


def load(
    game: Game,
    paths: Sequence[Path],
    held_out: float,
    seed: int,
    on_file: Callable[[int, int], None] | None = None,
) -> Records:
    """Return the games in the records that `paths` name.

    A record is left out if it cannot be read, is one of another game, does not begin at the start of a game,
    or is short. Of records that begin alike the longest is kept. The seed and the turns of a game decide
    whether it is in the share that is held out. `on_file` is called with the number of files read, and of all
    files. Raises SamplesError when a path leads nowhere, or there are no games to learn from or none held
    out.
    """
    files = list(files_of(paths, "**/*.sgf", "SGF files"))
    if missing := [path for path in files if not path.is_file()]:
        raise SamplesError(f"{missing[0]}: expected an SGF file or a folder of them, got nothing there")
    found = Records()
    longest: dict[tuple[str, tuple[int, ...]], tuple[Any, tuple[int, ...]]] = {}
    for number, path in enumerate(files, 1):
        for name, start, turns, reason in _read(game, path):
            key = name, turns[:COMPARED]
            if not reason and len(turns) > len(longest.get(key, (None, ()))[1]):
                longest[key], reason = (start, turns), "the same as another" if key in longest else ""
            elif not reason:
                reason = "the same as another"
            if reason:
                found.left_out[reason] += 1
        if on_file:
            on_file(number, len(files))
    digest = hashlib.sha256()
    for start, turns in longest.values():
        array = np.array(turns, np.int32)
        digest.update(array.tobytes())
        draw = hashlib.sha256(seed.to_bytes(8, "little") + array.tobytes()).digest()
        drawn = int.from_bytes(draw[:4], "little") < held_out * HALVES
        found.games.append(PlayedGame(start, array, drawn))
    found.fingerprint = digest.hexdigest()[:8]
    held = [played.held_out for played in found.games]
    reasons = ", ".join(f"{count} {reason}" for reason, count in found.left_out.items())
    left = f" (left out: {reasons})" if reasons else ""
    for part in (False, True):
        require_some(held.count(part), "games {}", part, f" in {len(files)} records{left}")
    return found


def _read(game: Game, path: Path) -> Iterator[tuple[str, Any, tuple[int, ...], str]]:
    """Yield the games of a file: the text of its start, the start, its actions; and why to leave it out.

    The reason is '' if there is none. The actions end before a turn that is illegal, or out of turn, or a
    position that is set up.
    """
    try:
        listed = sgf.read_all(path)
    except TengenError:
        yield "", None, (), "not readable"
        return
    for number in range(len(listed)):
        try:
            record = listed[number]
            foreign, begun = record.spec.game is not game, record.start is not None
            reason = "of another game" if foreign else "not from the start of a game" if begun else ""
        except TengenError:
            reason = "not readable"
        if reason:
            yield "", None, (), reason
            continue
        position = Position(record.spec)
        start, name = position.state.copy(), f"{position.spec} {position.text()}"
        actions: list[int] = []
        for node in record.opening_line():
            if node.side != position.side:
                break
            try:
                found = game.text.parse_turn(position.state, node.turn or "")
                position.push(node.turn or "", node.side)
            except TengenError:
                break
            actions += [int(action) for action in found]
        yield name, start, tuple(actions), "" if len(actions) >= SHORTEST else "short"


# ---------------------------------------------------------------------------------------------------- the fit


@dataclass(frozen=True)
class MoveSettings:
    """The settings of a fit of move knowledge."""

    game: GameSpec
    seed: int = 1  # decides which games are held out
    held_out: float = 0.1  # share of the games
    prior: float = 1.0  # games that every feature is taken to have won, and lost, against a gamma of 1
    rounds: int = 20  # how often every class of features is improved
    least: int = 10  # how often a pattern must have been played to be known

    @property
    def moves(self) -> ModuleType:
        """The module of the game that describes moves."""
        return self.game.game.module("moves")


class _Describer:
    """Describes the moves of games with the kernels of the game."""

    def __init__(self, moves: ModuleType, rules: Rules, games: Sequence[PlayedGame]) -> None:
        self._moves, self._games = moves, games
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
            known = self._actions, played.turns, table, numbers, features
            start = self._moves.replay_features(played.start.copy(), self._playout, *known, start)
        return Contests(features, np.cumsum(counts))


def fit(
    settings: MoveSettings, records: Records, on_round: Callable[[int, float], None] | None = None
) -> Fit:
    """Return the gammas that explain the moves of `records` best.

    `on_round` is called with the number of each round and the loss of the games held out. The report has the
    accuracy (`minorisation.measure`) on the games to learn from, on those held out, and there that of the
    shipped gammas, if there are any; and by class and level of a feature its gamma, and how often it was
    played.
    """
    moves, rules = settings.moves, settings.game.game.rules
    train = _Describer(moves, rules, [played for played in records.games if not played.held_out])
    other = _Describer(moves, rules, [played for played in records.games if played.held_out])
    patterns = train.known(settings.least)
    learned, held_out = train.contests(patterns), other.contests(patterns)
    course: list[dict[str, Any]] = []

    def note(number: int, gammas: NDArray[np.float64]) -> None:
        course.append(measure(held_out, gammas))
        if on_round:
            on_round(number, course[-1]["loss"])

    first = moves.NO_PATTERN + 1
    count = first + len(patterns)
    gammas = maximise(learned, count, settings.prior, settings.rounds, moves.MAX_LOG, note)
    logs = np.log(gammas).astype(np.float32)
    accuracy = {"learned": measure(learned, gammas), "held_out": course[-1]}
    held = [played.held_out for played in records.games]
    origin = {  # it depends on data and settings only
        "source": ORIGIN,
        "engine": engine_version(settings.game),
        "data": records.fingerprint,
        "games": {"learned": held.count(False), "held_out": held.count(True)},
        "positions": {name: part["positions"] for name, part in accuracy.items()},
        "loss": {name: round(part["loss"], 5) for name, part in accuracy.items()},
        **{name: value for name, value in vars(settings).items() if name != "game"},
    }
    found = moves.Gammas(logs[:first], patterns, logs[first:], origin)
    if moves.FILE.exists():
        known = moves.load(moves.FILE)
        logs = known.all_logs.astype(np.float64)
        accuracy["base"] = measure(other.contests(known.pattern_keys), np.exp(logs))
    report = {
        "game": str(settings.game),
        "fingerprint": found.fingerprint,
        "data": records.fingerprint,
        "games": origin["games"],
        "left_out": dict(records.left_out),
        "patterns": len(patterns),
        "accuracy": accuracy,
        "course": [part["loss"] for part in course],
        "features": _feature_report(moves, gammas, learned.wins(count)),
    }
    return Fit(found, report)


def _feature_report(
    moves: ModuleType, gammas: NDArray[np.float64], wins: NDArray[np.int64]
) -> dict[str, Any]:
    """Return by class and level of a feature its gamma, and how often it was played."""
    numbers = iter(range(moves.NO_PATTERN))
    return {
        name: {
            level: {"gamma": float(gammas[number]), "played": int(wins[number])}
            for level, number in zip(levels, numbers, strict=False)
        }
        for name, levels in moves.CLASSES.items()
    }
