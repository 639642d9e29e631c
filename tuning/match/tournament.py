"""Matches and tournaments: paired games from different openings, every finished one kept and never lost."""

from __future__ import annotations

import itertools
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tengen.tuning.farm import Farm
from tengen.tuning.match import seats
from tengen.tuning.match.openings import Opening, openings
from tengen.tuning.match.ratings import Ratings, rate
from tengen.tuning.match.records import VERSION, FinishedGame, Store
from tengen.tuning.match.seats import GameJob, PlayedGame
from tengen.tuning.match.settings import MatchSettings, Pairing
from tengen.tuning.players.base import EndReason
from tengen.tuning.players.specs import BUILTIN_PLAYERS, Notice


class PairScore:
    """What the games of a pairing add up to, for its first player.

    Attributes
    ----------
    games : int
    wins, draws, losses : int
    pairs : list of int
        Complete pairs by points: 0, 0.5, 1, 1.5, 2.
    reasons : Counter
        Games by reason.
    forfeits : Counter
        Forfeits by player of the pairing (0, 1) and reason.
    turns : int
        Turns of all games, the openings included.
    openings : set of tuple of str
        Different openings.
    """

    def __init__(self) -> None:
        self.games = self.wins = self.draws = self.losses = self.turns = 0
        self.pairs = [0] * 5
        self.reasons: Counter[EndReason] = Counter()
        self.forfeits: Counter[tuple[int, EndReason]] = Counter()
        self.openings: set[Opening] = set()
        self._half: dict[int, int] = {}  # points of pairs that are not complete

    def add(self, game: FinishedGame) -> None:
        """Count one more game."""
        self.games += 1
        self.wins += game.points == 2
        self.draws += game.points == 1
        self.losses += game.points == 0
        self.turns += len(game.opening) + len(game.turns)
        self.openings.add(game.opening)
        self.reasons[game.reason] += 1
        if game.loser is not None:
            self.forfeits[game.loser, game.reason] += 1
        pair = game.number // 2
        if pair in self._half:
            self.pairs[self._half.pop(pair) + game.points] += 1
        else:
            self._half[pair] = game.points

    @property
    def points(self) -> float:
        """Points made: a draw counts a half."""
        return self.wins + self.draws / 2


@dataclass
class TournamentScore:
    """What a player has made of all games of a tournament."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def points(self) -> float:
        """Points made: a draw counts a half."""
        return self.wins + self.draws / 2


class Match:
    """A match or a tournament under way.

    Parameters
    ----------
    settings : Settings
    store : Store
        Opened with ``settings.identity()``; games that it has are not played again.
    on_notice : callable, optional
        Called with what the players wait for before they begin.

    Attributes
    ----------
    games : list of FinishedGame
        Finished games, earlier runs included.
    pairing_stats : dict of (int, int) to Tally
        What they add up to, by pairing.
    versions : list of str
        Names and versions of the players; empty for those that have not played yet.
    """

    def __init__(self, settings: MatchSettings, store: Store, on_notice: Notice | None = None) -> None:
        self.settings = settings
        self.games: list[FinishedGame] = []
        self.pairing_stats: dict[Pairing, PairScore] = {pairing: PairScore() for pairing in settings.pairings}
        known = store.settings()
        self.versions = [known.get(seat + VERSION, "") for seat in settings.seats]
        self._store = store
        self._on_notice = on_notice
        for game in store.games():
            self._count(game)

    def _count(self, game: FinishedGame) -> None:
        """Take a finished game into account."""
        self.games.append(game)
        self.pairing_stats[self.settings.pairing(game.number)].add(game)

    @property
    def tally(self) -> PairScore:
        """The tally of a match of two."""
        (tally,) = self.pairing_stats.values()
        return tally

    def names(self, number: int) -> tuple[str, str]:
        """Return the names for the record of a game: as they were asked for, with their versions."""
        first, second = self.settings.pairing(number)
        texts = [player.text for player in self.settings.players]
        return f"{texts[first]} ({self.versions[first]})", f"{texts[second]} ({self.versions[second]})"

    def scores(self) -> list[TournamentScore]:
        """Return what the players have made of their games."""
        scores = [TournamentScore() for _ in self.settings.players]
        for (first, second), tally in self.pairing_stats.items():
            sides = (first, tally.wins, tally.losses), (second, tally.losses, tally.wins)
            for player, wins, losses in sides:
                standing = scores[player]
                standing.games += tally.games
                standing.wins += wins
                standing.draws += tally.draws
                standing.losses += losses
        return scores

    def ratings(self) -> Ratings:
        """Return what all complete pairs prove about the players."""
        results = {pairing: tally.pairs for pairing, tally in self.pairing_stats.items()}
        return rate(len(self.settings.players), results)

    def forfeits(self) -> Counter[tuple[int, EndReason]]:
        """Return the number of forfeits by player and reason."""
        forfeits: Counter[tuple[int, EndReason]] = Counter()
        for pairing, tally in self.pairing_stats.items():
            for (seat, reason), games in tally.forfeits.items():
                forfeits[pairing[seat], reason] += games
        return forfeits

    @property
    def decided(self) -> bool:
        """Whether the SPRT has come to a decision."""
        return bool(self.settings.sprt and self.settings.sprt.decision(self.tally.pairs))

    def pending(self) -> list[int]:
        """Return the numbers of the games that are still to be played."""
        finished = {game.number for game in self.games}
        return [] if self.decided else [n for n in range(self.settings.total) if n not in finished]

    def run(self, on_game: Callable[[FinishedGame], None] | None = None) -> None:
        """Play what is pending; every game is on disk before `on_game` is called with it, on this thread.

        An exception (a KeyboardInterrupt, or what `on_game` raises) ends the games under way, which are lost.

        Raises
        ------
        MatchError
            When a player does not start.
        RecordError
            When one is not the player that the match was begun with; of our own players, those here are meant
            as well as those elsewhere, even when nothing is left to be played.
        FarmError
            When there are no workers to play.
        """
        self._check_versions()
        pending = self.pending()
        if not pending:
            return
        settings = self.settings
        if settings.dask is None:
            self._compile()
        try:
            with Farm(min(settings.concurrency, len(pending)), settings.dask) as farm:
                for _, played in farm.run(seats.play, self._jobs(pending)):
                    self._store_result(played)
                    if on_game:
                        on_game(played.game)
                    if self.decided:
                        break
        finally:
            seats.close_idle_runners()

    def _check_versions(self) -> None:
        """Make sure that our own players are here who they have been in the match, and are to be."""
        settings = self.settings
        for seat, spec in zip(settings.seats, settings.players, strict=True):
            if version := spec.version(settings.game):
                self._store.set_or_check({seat + VERSION: version})

    def _compile(self) -> None:
        """Have our own players and the referee compiled here, once, with a word to whoever waits."""
        settings = self.settings
        for spec in settings.players:
            if spec.kind in BUILTIN_PLAYERS:
                player = spec.create(settings.game, self._on_notice)
                player.start()
                player.close()
        if referee := seats.adjudicator_for(settings):
            referee.start(self._on_notice)

    def _jobs(self, pending: list[int]) -> Iterator[GameJob]:
        """Return the pending games with their openings.

        Raises
        ------
        OptionError
            When there are not enough different openings: at once, but when a test may end the match before.
        """
        settings = self.settings
        run, count = uuid.uuid4().hex, settings.opening(pending[-1]) + 1
        drawn = itertools.islice(openings(settings.game, settings.openings, settings.seed), count)
        return self._paired(run, pending, drawn if settings.sprt else iter(list(drawn)))

    def _paired(self, run: str, pending: list[int], drawn: Iterator[Opening]) -> Iterator[GameJob]:
        """Yield the pending games, each with its one of all openings of the match."""
        reached, opening = 0, next(drawn)
        for number in pending:
            while reached < self.settings.opening(number):
                reached, opening = reached + 1, next(drawn)
            yield GameJob(self.settings, run, number, opening)

    def _store_result(self, played: PlayedGame) -> None:
        """Keep a finished game, if those who have played it are who they were in the others."""
        settings = self.settings
        for player, version in zip(settings.pairing(played.game.number), played.versions, strict=True):
            if self.versions[player] != version:
                self._store.set_or_check({settings.seats[player] + VERSION: version})
                self.versions[player] = version
        self._store.add(played.game)
        self._count(played.game)
