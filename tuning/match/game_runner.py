"""Games of a match as jobs of a worker pool. Each worker process keeps its started players between games."""

from __future__ import annotations

import atexit
import threading
from concurrent.futures import Future, wait
from dataclasses import dataclass, field

from tengen.engine.errors import TengenError, quoted
from tengen.search import warmup
from tengen.tuning.match.playing import Adjudicator, play_game
from tengen.tuning.match.records import FinishedGame
from tengen.tuning.match.settings import MatchSettings
from tengen.tuning.openings import Opening
from tengen.tuning.players.base import Player, PlayerFailure

SHUTDOWN_GRACE = 1.5  # seconds that an interrupted game gets to end
IDLE_TIMEOUT = 60.0  # seconds without a game after which the players are closed


class MatchError(TengenError):
    """A match that cannot be played, since a player does not start."""


@dataclass(frozen=True)
class GameJob:
    """A game to be played.

    Attributes
    ----------
    settings : MatchSettings
    run : str
        Identifies the run of the match. Players are not kept from one run to the next, since their files may
        have changed.
    number : int
    opening : Opening
    """

    settings: MatchSettings = field(repr=False)
    run: str = field(repr=False)
    number: int
    opening: Opening


PlayedGame = tuple[FinishedGame, tuple[str, str]]  # and names and versions of the pairing's players


class GameRunner:
    """Plays games of one run of a match in this process. Players are started when they are first needed.

    Parameters
    ----------
    settings : MatchSettings
    run : str
        See `GameJob`.
    """

    def __init__(self, settings: MatchSettings, run: str) -> None:
        self._settings = settings
        self.run = run
        self._players: dict[int, Player] = {}
        self._versions: dict[int, str] = {}
        self._adjudicator = adjudicator_for(settings)
        for spec in settings.game.games:
            warmup.ensure_rules_compiled(spec)  # before any clock runs
        if self._adjudicator:
            self._adjudicator.start()

    def play(self, job: GameJob) -> PlayedGame:
        """Play a game in a thread of its own, so that an interrupt of this thread ends it at once.

        Raises
        ------
        MatchError
            If a player does not start.
        """
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

    Raises
    ------
    MatchError
        If a player does not start.
    """
    runner = _acquire(job)
    try:
        played = runner.play(job)
    except BaseException:
        runner.close()
        raise
    _release(runner)
    return played


def _acquire(job: GameJob) -> GameRunner:
    """Return a runner for the game, which no other thread uses at the same time."""
    with _guard:
        runner = next((idle for idle in _idle if idle.run == job.run), None)
        if runner:
            _idle.pop(runner).cancel()
    return runner or GameRunner(job.settings, job.run)


def _release(runner: GameRunner) -> None:
    """Keep the runner for the next game for `IDLE_TIMEOUT` seconds."""
    timer = threading.Timer(IDLE_TIMEOUT, _close_if_idle, (runner,))
    timer.daemon = True
    with _guard:
        _idle[runner] = timer
    timer.start()


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
