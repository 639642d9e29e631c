"""Matches and tournaments: paired games from different openings; each is stored as soon as it is finished.

Games are jobs of a worker pool. Each worker process keeps its started players between games.
"""

import atexit
import itertools
import sys
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from tqdm import tqdm

from tengen.engine.errors import TengenError, quoted
from tengen.engine.game import Outcome
from tengen.engine.storage.files import replace_file
from tengen.search import warmup
from tengen.tuning.match.playing import Adjudicator, play_game
from tengen.tuning.match.ratings import Ratings, rate, superiority
from tengen.tuning.match.records import VERSION, FinishedGame, Store
from tengen.tuning.match.settings import MatchSettings, Pairing
from tengen.tuning.openings import BalancedTurns, Opening, start_and_turns
from tengen.tuning.players.base import EndReason, Notice, Player, PlayerFailure
from tengen.tuning.players.specs import BUILTIN_PLAYERS
from tengen.tuning.workers.pool import WorkerPool

RESULTS = {Outcome.FIRST_WINS: "1-0", Outcome.SECOND_WINS: "0-1", Outcome.DRAW: "1/2-1/2"}
SHUTDOWN_GRACE = 1.5  # seconds that an interrupted game gets to end
IDLE_TIMEOUT = 60.0  # seconds without a game after which the players are closed


class MatchError(TengenError):
    """A match that cannot be played, since a player does not start."""


@dataclass(frozen=True)
class GameJob:
    """A game to be played."""

    settings: MatchSettings = field(repr=False)
    # Of the match; players are not kept from one run to the next, since their files may have changed
    run: str = field(repr=False)
    number: int
    opening: Opening


PlayedGame = tuple[FinishedGame, tuple[str, str]]  # and names and versions of the pairing's players


class GameRunner:
    """Plays games of one run of a match in this process. Players are started when they are first needed."""

    def __init__(self, settings: MatchSettings, run: str) -> None:
        self._settings, self.run = settings, run
        self._players: dict[int, Player] = {}
        self._versions: dict[int, str] = {}
        self._adjudicator = adjudicator_for(settings)
        for spec in settings.game.games:
            warmup.ensure_rules_compiled(spec)  # before any clock runs
        if self._adjudicator:
            self._adjudicator.start()

    def play(self, job: GameJob) -> PlayedGame:
        """Play a game in a thread of its own, so that an interrupt of this thread ends it at once."""
        done: Future[PlayedGame] = Future()

        def work() -> None:
            try:
                done.set_result(self._play(job))
            except Exception as error:  # raised again in the calling thread
                done.set_exception(error)

        thread = threading.Thread(target=work, name="tengen game", daemon=True)
        thread.start()
        try:
            wait([done])
        except BaseException:
            for player in list(self._players.values()):
                player.interrupt()
            if self._adjudicator:
                self._adjudicator.interrupt()
            thread.join(SHUTDOWN_GRACE)
            raise
        return done.result()

    def _play(self, job: GameJob) -> PlayedGame:
        pairing = job.settings.pairing(job.number)
        first, second = (self._player(index) for index in pairing)
        game = play_game(job.settings, job.number, job.opening, (first, second), self._adjudicator)
        return game, (self._versions[pairing[0]], self._versions[pairing[1]])

    def _player(self, index: int) -> Player:
        """Return a player of the match; start it if necessary."""
        spec = self._settings.players[index]
        if index not in self._versions:
            self._players[index] = spec.create(self._settings.game)
            if self._settings.cpu_time:
                self._players[index].count_processor_time()
            try:
                self._versions[index] = self._players[index].start()
            except PlayerFailure as failure:
                raise MatchError(f"player {quoted(spec.text, 200)} does not start: {failure}") from None
        return self._players[index]

    def close(self) -> None:
        """Close the players."""
        for player in self._players.values():
            player.close()
        self._players = {}


def adjudicator_for(settings: MatchSettings) -> Adjudicator | None:
    """Return the adjudicator of the match, if it has one; it is not started."""
    return None if settings.adjudicate is None else Adjudicator(settings.game, settings.adjudicate)


_idle: dict[GameRunner, threading.Timer] = {}  # each with the timer that will close it
_guard = threading.Lock()


def play(job: GameJob) -> PlayedGame:
    """Play a game with the players that this process keeps. Thread-safe.

    Raises MatchError if a player does not start.
    """
    with _guard:
        runner = next((idle for idle in _idle if idle.run == job.run), None)
        if runner:
            _idle.pop(runner).cancel()
    runner = runner or GameRunner(job.settings, job.run)
    try:
        played = runner.play(job)
    except BaseException:
        runner.close()
        raise
    timer = threading.Timer(IDLE_TIMEOUT, _close_if_idle, (runner,))
    timer.daemon = True
    with _guard:
        _idle[runner] = timer
    timer.start()
    return played


def _close_if_idle(runner: GameRunner) -> None:
    """Close the runner unless a thread has acquired it."""
    with _guard:
        timer = _idle.pop(runner, None)
    if timer:
        timer.cancel()
        runner.close()


@atexit.register
def close_idle_runners() -> None:
    """Close all players that this process keeps and that are not playing."""
    for runner in list(_idle):
        _close_if_idle(runner)


@dataclass
class Score:
    """The score of a player."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def points(self) -> float:
        """Points made: a draw counts a half."""
        return self.wins + self.draws / 2

    def count(self, points: int) -> None:
        """Add a game with 2 points for a win, 1 for a draw, or 0."""
        self.games += 1
        self.wins += points == 2
        self.draws += points == 1
        self.losses += points == 0


@dataclass
class PairScore(Score):
    """The score of a pairing, for its first player."""

    pairs: list[int] = field(default_factory=lambda: [0] * 5)  # complete ones, by points: 0, 0.5, 1, 1.5, 2
    reasons: Counter[EndReason] = field(default_factory=Counter)  # number of games
    turns: int = 0  # of all games, the openings included
    openings: set[Opening] = field(default_factory=set)
    half: dict[int, int] = field(default_factory=dict)  # points of the first game of incomplete pairs

    def add(self, game: FinishedGame) -> None:
        """Add a game."""
        self.count(game.points)
        self.turns += len(start_and_turns(game.opening)[1]) + len(game.turns)
        self.openings.add(game.opening)
        self.reasons[game.reason] += 1
        pair = game.number // 2
        if pair in self.half:
            self.pairs[self.half.pop(pair) + game.points] += 1
        else:
            self.half[pair] = game.points


class Match:
    """A match or a tournament.

    The store is opened with ``settings.identity()``; its games are not played again. `on_notice` is called
    with lines that tell what the start of the match is waiting for.
    """

    def __init__(self, settings: MatchSettings, store: Store, on_notice: Notice | None = None) -> None:
        self.settings = settings
        self.games: list[FinishedGame] = []  # those of earlier runs included
        self.pairing_scores: dict[Pairing, PairScore] = {pair: PairScore() for pair in settings.pairings}
        known = store.settings()
        # Names and versions of the players; empty for a player that has not played yet
        self.versions = [known.get(key + VERSION, "") for key in settings.player_keys]
        self._store, self._on_notice = store, on_notice
        self.stopping = False  # set to begin no more games: `run` returns once the running ones are finished
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

    def scores(self) -> list[Score]:
        """Return the scores of all players."""
        scores = [Score() for _ in self.settings.players]
        for game in self.games:
            first, second = self.settings.pairing(game.number)
            scores[first].count(game.points)
            scores[second].count(2 - game.points)
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
        loses = ((self.settings.pairing(game.number), game) for game in self.games if game.loser is not None)
        return Counter((pairing[game.loser or 0], game.reason) for pairing, game in loses)

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

        An exception (a KeyboardInterrupt, or one of `on_game`) ends the running games, which are lost. Raises
        MatchError if a player does not start; WorkerPoolError if there are no workers; RecordError if a
        player's version differs from the one the match began with. The versions of built-in players are
        checked in this process too, even if no game is left.
        """
        settings = self.settings
        for key, spec in zip(settings.player_keys, settings.players, strict=True):
            if version := spec.version(settings.game):
                self._store.set_or_check({key + VERSION: version})
        pending = self.pending()
        if not pending:
            return
        if settings.dask is None:
            self._compile()
        try:
            workers = min(settings.concurrency, len(pending))
            with WorkerPool(workers, settings.dask, prefetch=1, pin=settings.pin) as pool:
                for _, (game, versions) in pool.run(play, self._jobs(pending)):
                    self._store_result(game, versions)
                    if on_game:
                        on_game(game)
                    if self.decided:
                        break
        finally:
            close_idle_runners()

    def _compile(self) -> None:
        """Compile the built-in players and the adjudicator once, before the workers need them."""
        settings = self.settings
        for spec in settings.players:
            if spec.kind in BUILTIN_PLAYERS:
                player = spec.create(settings.game, self._on_notice)
                player.start()
                player.close()
        if adjudicator := adjudicator_for(settings):
            adjudicator.start(self._on_notice)

    def _jobs(self, pending: list[int]) -> Iterator[GameJob]:
        """Yield the pending games with their openings.

        Raises OptionError if there are not enough different openings. With an SPRT, which may end the match
        earlier, it is raised only when they run out.
        """
        settings = self.settings
        run, count = uuid.uuid4().hex, settings.opening(pending[-1]) + 1
        drawn: Iterator[Opening]
        drawn = itertools.islice(settings.openings.draw(settings.game, settings.seed), count)
        if not settings.sprt:
            quiet = not isinstance(settings.openings, BalancedTurns) or not sys.stderr.isatty()
            bar = tqdm(drawn, "openings", count, leave=False, disable=quiet)
            drawn = iter(list(itertools.takewhile(lambda _: not self.stopping, bar)))
            if self.stopping:
                return
        reached, opening = 0, next(drawn)
        for number in pending:
            if self.stopping:
                return
            while reached < settings.opening(number):
                reached, opening = reached + 1, next(drawn)
            yield GameJob(settings, run, number, opening)

    def _store_result(self, game: FinishedGame, versions: tuple[str, str]) -> None:
        """Store a finished game after checking that the players' versions have not changed."""
        settings = self.settings
        for player, version in zip(settings.pairing(game.number), versions, strict=True):
            if self.versions[player] != version:
                self._store.set_or_check({settings.player_keys[player] + VERSION: version})
                self.versions[player] = version
        self._store.add(game)
        self._count(game)


def write_pgn(path: Path, match: Match) -> None:
    """Write the results of all finished games to `path`; who begins a game is its White.

    There are no moves: these programs read the names and the results only.
    """
    settings, texts = match.settings, []
    for game in match.games:
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
        quoted = {name: text.replace("\\", "\\\\").replace('"', '\\"') for name, text in tags.items()}
        lines = [f'[{name} "{text}"]' for name, text in quoted.items()]
        texts.append("\n".join([*lines, "", RESULTS[game.outcome], ""]))
    replace_file(path, "\n".join(texts).encode())
