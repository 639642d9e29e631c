"""Matches between engines, with the statistics of `tengen match`.

What plays is imported when a match begins: it takes half a second.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from tengen.engine.errors import OptionError, argument_error, refusals, require, require_path, whole_number
from tengen.engine.game import Game
from tengen.engine.spec import GameSpec
from tengen.engine_options import OPTIONS
from tengen.engines import Engine
from tengen.programs import ExternalEngine
from tengen.records import Record
from tengen.search.limits.limit import Limit
from tengen.tuning.match import statistics
from tengen.tuning.match.report import summary, table
from tengen.tuning.players.own import Function, Player, Seat, is_own

if TYPE_CHECKING:
    from tengen.tuning.match.records import FinishedGame
    from tengen.tuning.match.settings import ScoreRule
    from tengen.tuning.match.tournament import Match

Contestant = Engine | ExternalEngine | Player | Function | str
NAMES = {"method": "search"}  # options that `tengen match` calls differently
NOT_PLAYED = {"level_seed"}  # the match draws its own


class MatchOptions(TypedDict, total=False):
    """The types of those of `tuning.match.settings.MatchSettings` that `match` does not name itself."""

    seed: int
    margin: float
    max_turns: int
    concurrency: int
    adjudicate: int | None
    dask: str | None
    cpu_time: bool
    resign: ScoreRule | None
    draw: ScoreRule | None
    pin: bool


class MatchResult:
    """The result of a match, for its first player."""

    def __init__(self, match: Match, path: Path, kept: bool) -> None:
        self._match, self._summary, self._kept = match, summary(match, path), kept

    @property
    def wins(self) -> int:
        """Games that the first player has won."""
        return int(self._match.score.wins)

    @property
    def draws(self) -> int:
        """Drawn games."""
        return int(self._match.score.draws)

    @property
    def losses(self) -> int:
        """Games that the first player has lost."""
        return int(self._match.score.losses)

    @property
    def points(self) -> float:
        """Points of the first player: a draw counts a half."""
        return float(self._match.score.points)

    @property
    def games(self) -> int:
        """The number of finished games."""
        return len(self._match.games)

    @property
    def pentanomial(self) -> list[int]:
        """Number of pairs of games in which the first player made 0, 0.5, 1, 1.5 and 2 points."""
        return list(self._match.score.pairs)

    @property
    def elo(self) -> statistics.Estimate:
        """How much stronger the first player is: ``value``, ``low`` and ``high``, a 95% interval."""
        return statistics.elo(self._match.score.pairs)

    @property
    def los(self) -> float:
        """The likelihood, in [0, 1], that the first player is the stronger one."""
        return statistics.los(self._match.score.pairs)

    @property
    def accepted(self) -> str:
        """The hypothesis that the SPRT accepts, ``H0`` or ``H1``; empty if neither, or without a test."""
        sprt = self._match.settings.sprt
        return sprt.decision(self._match.score.pairs) if sprt else ""

    def records(self) -> list[Record]:
        """Return the records of all games, by number."""
        from tengen.tuning.match.records import record_of

        spec, match = self._match.settings.game, self._match
        games = sorted(match.games, key=lambda game: game.number)
        return [Record.of(record_of(spec, match.names(game.number), game)) for game in games]

    def summary(self) -> dict[str, Any]:
        """Return all that is known of the match, as `tengen match --json` prints it."""
        return self._summary | ({} if self._kept else {"file": None})

    def __str__(self) -> str:
        """Return the report that `tengen match` prints."""
        report = table(self._summary)
        return report if self._kept else report[: report.rindex("\n")]  # the last line names the file

    def __repr__(self) -> str:
        return f"<MatchResult +{self.wins} ={self.draws} -{self.losses}>"


def match(
    first: Contestant,
    second: Contestant,
    *,
    game: GameSpec | Game | str,
    limit: Limit | float,
    games: int = 100,
    openings: int | str = 4,
    sprt: tuple[float, float] | None = None,
    file: str | os.PathLike[str] | None = None,
    on_game: Callable[[Record], None] | None = None,
    **settings: Unpack[MatchOptions],
) -> MatchResult:
    """Play a match and return its result. Every opening is played twice, with sides swapped.

    With a `concurrency` above 1 the games are played in processes of their own. A script that asks for that
    needs the usual guard ``if __name__ == "__main__":``.

    Parameters
    ----------
    first, second : Engine, ExternalEngine, Player, callable or str
        Engines are described by their options; the games use new ones. A text names a player as `tengen
        match` does: ``"tengen,depth=3"``, ``"greedy"``, ``"python:mine.py:Patient"``. A function takes a
        position, or a position and a limit, and returns a turn. Functions and players of your own play in
        this process, one game at a time. They lose by an exception or an illegal turn, as programs do; who
        never answers is waited for.
    game : GameSpec, Game or str
        What is played, with its options.
    limit : Limit or float
        For every turn; a number is a time in seconds. Its clock is that of each side for the whole game.
    games : int
        An even number, as every opening is played twice.
    openings : int or str
        Random turns to begin with, ``"balanced"``, or a file of openings.
    sprt : tuple of float, optional
        Two Elo differences; the match ends as soon as one is accepted.
    file : path, optional
        Keeps all games; the same match goes on where it was interrupted. By default nothing is kept.
    on_game : callable, optional
        Called with the record of every finished game, in this thread.
    **settings
        ``seed``, ``concurrency``, ``adjudicate``, ``max_turns``, ``margin`` and the others of
        `tuning.match.settings.MatchSettings`.

    Raises
    ------
    OptionError
        For bad settings.
    FileError
        If `file` cannot be read or written.
    TengenError
        If a player does not start, or `file` holds another match.
    """
    from tengen.tuning.match.records import IN_MEMORY, Store, record_of
    from tengen.tuning.match.settings import MatchSettings
    from tengen.tuning.match.tournament import Match
    from tengen.tuning.openings import parse_openings
    from tengen.tuning.players.specs import PlayerSpec

    if isinstance(limit, int | float) and not isinstance(limit, bool):
        limit = Limit(time=limit)
    limits = require(limit, Limit, "limit", "a tengen.Limit, or seconds")
    if limits.clocks:
        raise OptionError("clock: expected one for both sides, got two")
    spec = GameSpec.of(game)
    for name, value in {"games": games, **settings}.items():
        if type(getattr(MatchSettings, name, 0)) is int:
            whole_number(value, name)

    def spec_of(player: Contestant) -> PlayerSpec:
        if is_own(player):
            seat = Seat(player)
            return PlayerSpec(seat.name, "", make=lambda: seat)
        return PlayerSpec.parse(_text(player))

    if games < 1 or games % 2:
        raise OptionError(f"games: expected an even number, as openings are played twice, got {games}")
    with refusals((first, second)):
        chosen = MatchSettings(
            game=spec,
            players=(spec_of(first), spec_of(second)),
            games=games,
            limits=Limit(time=limits.time, nodes=limits.nodes, depth=limits.depth),
            clock=limits.clock,
            openings=parse_openings(str(openings), spec),
            sprt=_sprt(sprt),
            **settings,
        )
    if any(player.make for player in chosen.players) and (chosen.concurrency > 1 or chosen.dask):
        raise OptionError("concurrency: expected 1, and no dask, for players of this process")
    path = IN_MEMORY if file is None else Path(require_path(file, "file"))
    store = Store(path, chosen.identity())

    def report(finished: FinishedGame) -> None:
        if on_game:
            on_game(Record.of(record_of(spec, played.names(finished.number), finished)))

    try:
        played = Match(chosen, store)
        played.run(report)
    finally:
        store.close()
    return MatchResult(played, path, file is not None)


def _sprt(bounds: object) -> statistics.Sprt | None:
    """Return the test between two Elo differences."""
    if bounds is None:
        return None
    if not isinstance(bounds, Sequence) or [isinstance(elo, int | float) for elo in bounds] != [True, True]:
        raise argument_error(bounds, "sprt", "two Elo differences")
    if not bounds[0] < bounds[1]:
        raise OptionError(f"sprt: expected the smaller Elo difference first, got {bounds}")
    return statistics.Sprt(*bounds)


def _text(player: object) -> str:
    """Return a player as `tengen match` names it."""
    if isinstance(player, str):
        return player
    if isinstance(player, ExternalEngine):
        return player.text
    if not isinstance(player, Engine):
        raise argument_error(player, "player", "an engine, a tengen.Player, a function or a text")
    settings = [
        f"{NAMES.get(name, name)}={OPTIONS[name].format(value)}"
        for name, value in player.options.items()
        if value != OPTIONS[name].default and name not in NOT_PLAYED
    ]
    if player.weights is not None:
        if "," in player.weights:
            raise OptionError(f"weights: expected a path without a comma for a match, got {player.weights}")
        settings.append(f"weights={player.weights}")
    return ",".join(["tengen", *settings])
