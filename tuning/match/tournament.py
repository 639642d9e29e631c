"""Matches and tournaments: paired games from different openings; each is stored as soon as it is finished."""

from __future__ import annotations

import itertools
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from tqdm import tqdm

from tengen.engine.game import Outcome
from tengen.engine.storage.files import replace_file
from tengen.tuning.match import game_runner
from tengen.tuning.match.game_runner import GameJob, PlayedGame
from tengen.tuning.match.ratings import Ratings, rate, superiority
from tengen.tuning.match.records import VERSION, FinishedGame, Store
from tengen.tuning.match.settings import MatchSettings, Pairing
from tengen.tuning.openings import BalancedTurns, Opening, start_and_turns
from tengen.tuning.players.base import EndReason, Notice
from tengen.tuning.players.specs import BUILTIN_PLAYERS
from tengen.tuning.workers.pool import WorkerPool

RESULTS = {Outcome.FIRST_WINS: "1-0", Outcome.SECOND_WINS: "0-1", Outcome.DRAW: "1/2-1/2"}


class PairScore:
    """The score of a pairing, for its first player.

    Attributes
    ----------
    games : int
    wins, draws, losses : int
    pairs : list of int
        Number of complete pairs with 0, 0.5, 1, 1.5 and 2 points.
    reasons : Counter
        Number of games by reason.
    forfeits : Counter
        Number of forfeits by player of the pairing (0, 1) and reason.
    turns : int
        Turns of all games, the openings included.
    openings : set of tuple of str
        The different openings.
    """

    def __init__(self) -> None:
        self.games = self.wins = self.draws = self.losses = self.turns = 0
        self.pairs = [0] * 5
        self.reasons: Counter[EndReason] = Counter()
        self.forfeits: Counter[tuple[int, EndReason]] = Counter()
        self.openings: set[Opening] = set()
        self._half: dict[int, int] = {}  # by pair: points of its first finished game

    def add(self, game: FinishedGame) -> None:
        """Add a game."""
        self.games += 1
        self.wins += game.points == 2
        self.draws += game.points == 1
        self.losses += game.points == 0
        self.turns += len(start_and_turns(game.opening)[1]) + len(game.turns)
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
    """The score of a player in all games of a tournament."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def points(self) -> float:
        """Points made: a draw counts a half."""
        return self.wins + self.draws / 2


class Match:
    """A match or a tournament.

    Parameters
    ----------
    settings : MatchSettings
    store : Store
        Opened with ``settings.identity()``. Its games are not played again.
    on_notice : callable, optional
        Called with a line that tells what the start of the match is waiting for.

    Attributes
    ----------
    games : list of FinishedGame
        Finished games, earlier runs included.
    pairing_scores : dict of (int, int) to PairScore
        The scores by pairing.
    versions : list of str
        Names and versions of the players; empty for a player that has not played yet.
    stopping : bool
        Set to begin no more games: `run` returns once the running ones are finished.
    """

    def __init__(self, settings: MatchSettings, store: Store, on_notice: Notice | None = None) -> None:
        self.settings = settings
        self.games: list[FinishedGame] = []
        self.pairing_scores: dict[Pairing, PairScore] = {
            pairing: PairScore() for pairing in settings.pairings
        }
        known = store.settings()
        self.versions = [known.get(key + VERSION, "") for key in settings.player_keys]
        self._store = store
        self._on_notice = on_notice
        self.stopping = False
        for game in store.games():
            self._count(game)

    def _count(self, game: FinishedGame) -> None:
        """Add a finished game to the scores."""
        self.games.append(game)
        self.pairing_scores[self.settings.pairing(game.number)].add(game)

    @property
    def score(self) -> PairScore:
        """The score of a match of two."""
        (score,) = self.pairing_scores.values()
        return score

    def names(self, number: int) -> tuple[str, str]:
        """Return the players of a game for its record: as named on the command line, with their versions."""
        first, second = self.settings.pairing(number)
        texts = [player.text for player in self.settings.players]
        return f"{texts[first]} ({self.versions[first]})", f"{texts[second]} ({self.versions[second]})"

    def scores(self) -> list[TournamentScore]:
        """Return the scores of all players."""
        scores = [TournamentScore() for _ in self.settings.players]
        for (first, second), pair in self.pairing_scores.items():
            sides = (first, pair.wins, pair.losses), (second, pair.losses, pair.wins)
            for player, wins, losses in sides:
                score = scores[player]
                score.games += pair.games
                score.wins += wins
                score.draws += pair.draws
                score.losses += losses
        return scores

    def ratings(self, anchors: Mapping[int, float] | None = None) -> Ratings:
        """Return the ratings of the players, from all complete pairs; for `anchors` see `rate`."""
        return rate(len(self.settings.players), self._results(), anchors)

    def superiority(self) -> list[list[float | None]]:
        """Return the likelihood that a player is better than another one (see `ratings.superiority`)."""
        return superiority(len(self.settings.players), self._results())

    def _results(self) -> dict[Pairing, list[int]]:
        """Return the complete pairs of each pairing, by points."""
        return {pairing: score.pairs for pairing, score in self.pairing_scores.items()}

    def forfeits(self) -> Counter[tuple[int, EndReason]]:
        """Return the number of forfeits by player and reason."""
        forfeits: Counter[tuple[int, EndReason]] = Counter()
        for pairing, score in self.pairing_scores.items():
            for (index, reason), games in score.forfeits.items():
                forfeits[pairing[index], reason] += games
        return forfeits

    def mean_seconds(self) -> list[float | None]:
        """Return the mean time of a turn of each player, in seconds; None where no time is known."""
        seconds: list[list[float]] = [[] for _ in self.settings.players]
        for game in self.games:
            for index, player in enumerate(self.settings.pairing(game.number)):
                seconds[player] += game.seconds_of(index)
        return [fmean(times) if times else None for times in seconds]

    @property
    def decided(self) -> bool:
        """Whether the SPRT has accepted a hypothesis."""
        return bool(self.settings.sprt and self.settings.sprt.decision(self.score.pairs))

    def pending(self) -> list[int]:
        """Return the numbers of the games that have not been played yet."""
        finished = {game.number for game in self.games}
        return [] if self.decided else [n for n in range(self.settings.total) if n not in finished]

    def run(self, on_game: Callable[[FinishedGame], None] | None = None) -> None:
        """Play the pending games. Each is on disk before `on_game` is called with it, in this thread.

        An exception (a KeyboardInterrupt, or one of `on_game`) ends the running games, which are lost.

        Raises
        ------
        MatchError
            If a player does not start.
        RecordError
            If a player's version differs from the one the match began with. The versions of built-in players
            are checked in this process too, even if no game is left.
        WorkerPoolError
            If there are no workers.
        """
        self._check_versions()
        pending = self.pending()
        if not pending:
            return
        settings = self.settings
        if settings.dask is None:
            self._compile()
        try:
            workers = min(settings.concurrency, len(pending))
            with WorkerPool(workers, settings.dask, prefetch=1, pin=settings.pin) as pool:
                for _, played in pool.run(game_runner.play, self._jobs(pending)):
                    self._store_result(played)
                    if on_game:
                        on_game(played.game)
                    if self.decided:
                        break
        finally:
            game_runner.close_idle_runners()

    def _check_versions(self) -> None:
        """Raise RecordError if the version of a built-in player has changed since the match began."""
        settings = self.settings
        for key, spec in zip(settings.player_keys, settings.players, strict=True):
            if version := spec.version(settings.game):
                self._store.set_or_check({key + VERSION: version})

    def _compile(self) -> None:
        """Compile the built-in players and the adjudicator once, before the workers need them."""
        settings = self.settings
        for spec in settings.players:
            if spec.kind in BUILTIN_PLAYERS:
                player = spec.create(settings.game, self._on_notice)
                player.start()
                player.close()
        if adjudicator := game_runner.adjudicator_for(settings):
            adjudicator.start(self._on_notice)

    def _jobs(self, pending: list[int]) -> Iterator[GameJob]:
        """Return the pending games with their openings.

        Raises
        ------
        OptionError
            If there are not enough different openings. With an SPRT, which may end the match earlier, it is
            raised only when they run out.
        """
        settings = self.settings
        run, count = uuid.uuid4().hex, settings.opening(pending[-1]) + 1
        drawn = itertools.islice(settings.openings.draw(settings.game, settings.seed), count)
        if settings.sprt:
            return self._paired(run, pending, drawn)
        quiet = not isinstance(settings.openings, BalancedTurns) or not sys.stderr.isatty()
        openings = list(tqdm(drawn, "openings", count, leave=False, disable=quiet))
        return self._paired(run, pending, iter(openings))

    def _paired(self, run: str, pending: list[int], drawn: Iterator[Opening]) -> Iterator[GameJob]:
        """Yield the pending games with their openings, given all openings of the match."""
        reached, opening = 0, next(drawn)
        for number in pending:
            if self.stopping:
                return
            while reached < self.settings.opening(number):
                reached, opening = reached + 1, next(drawn)
            yield GameJob(self.settings, run, number, opening)

    def _store_result(self, played: PlayedGame) -> None:
        """Store a finished game after checking that the players' versions have not changed."""
        settings = self.settings
        for player, version in zip(settings.pairing(played.game.number), played.versions, strict=True):
            if self.versions[player] != version:
                self._store.set_or_check({settings.player_keys[player] + VERSION: version})
                self.versions[player] = version
        self._store.add(played.game)
        self._count(played.game)


def write_pgn(path: Path, match: Match) -> None:
    """Write the results of all finished games to `path`; who begins a game is its White.

    There are no moves: these programs read the names and the results only.
    """
    replace_file(path, "\n".join(_game(match, number) for number in range(len(match.games))).encode())


def _game(match: Match, index: int) -> str:
    """Return a finished game, by its place in `Match.games`."""
    game, settings = match.games[index], match.settings
    names = [settings.players[player].text for player in settings.pairing(game.number)]
    white, black = names if game.first_side == 0 else names[::-1]
    tags = {
        "Event": str(settings.game),
        "Site": "?",
        "Date": "????.??.??",
        "Round": str(game.number + 1),
        "White": white,
        "Black": black,
        "Result": RESULTS[game.outcome],
    }
    lines = [f'[{name} "{_quoted(text)}"]' for name, text in tags.items()]
    return "\n".join([*lines, "", RESULTS[game.outcome], ""])


def _quoted(text: str) -> str:
    """Return `text` for a tag."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
