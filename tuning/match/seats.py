"""Where games are played: started players, kept from game to game by the process that plays.

A game is a `GameJob` for `tuning.farm`; whichever process gets it has players for it, or starts them.
"""

from __future__ import annotations

import atexit
import threading
from dataclasses import dataclass, field

from tengen.engine.errors import TengenError, quoted
from tengen.search import warmup
from tengen.tuning.match.openings import Opening
from tengen.tuning.match.playing import play_game
from tengen.tuning.match.records import FinishedGame
from tengen.tuning.match.referee import Adjudicator
from tengen.tuning.match.settings import MatchSettings
from tengen.tuning.players.base import Player, PlayerFailure

SHUTDOWN_GRACE = 1.5  # seconds that an interrupted game gets to wind up
IDLE = 60.0  # seconds without a game after which players are let go


class MatchError(TengenError):
    """A match that cannot be played: a player that does not even start."""


@dataclass(frozen=True)
class GameJob:
    """A game to be played.

    Attributes
    ----------
    settings : Settings
    run : str
        Stands for the run of the match: others have players of their own, since files may have changed.
    number : int
    opening : tuple of str
        Turns.
    """

    settings: MatchSettings = field(repr=False)
    run: str = field(repr=False)
    number: int
    opening: Opening


@dataclass(frozen=True)
class PlayedGame:
    """A game that has been played, and by whom.

    Attributes
    ----------
    game : FinishedGame
    versions : tuple of str
        Names and versions of the pairing's first and second player.
    """

    game: FinishedGame
    versions: tuple[str, str]


class GameRunner:
    """The players of a run of a match in this process, started when they are first needed, and the referee.

    Parameters
    ----------
    settings : Settings
    run : str
        See `GameJob`.
    """

    def __init__(self, settings: MatchSettings, run: str) -> None:
        self._settings = settings
        self.run = run
        self._players: dict[int, Player] = {}
        self._versions: dict[int, str] = {}
        self._referee = adjudicator_for(settings)
        for spec in settings.game.games:
            warmup.ensure_rules_compiled(spec)  # on nobody's clock
        if self._referee:
            self._referee.start()

    def play(self, job: GameJob) -> PlayedGame:
        """Play a game on a thread, so that an interrupt of this one ends it at once.

        Raises
        ------
        MatchError
            When a player does not start.
        """
        results: list[PlayedGame] = []
        errors: list[Exception] = []
        done = threading.Event()

        def work() -> None:
            try:
                results.append(self._play(job))
            except Exception as error:  # raised again where the game was asked for
                errors.append(error)
            done.set()

        thread = threading.Thread(target=work, name="tengen game", daemon=True)
        thread.start()
        try:
            done.wait()
        except BaseException:
            self._interrupt()
            thread.join(SHUTDOWN_GRACE)
            raise
        if errors:
            raise errors[0]
        return results[0]

    def _play(self, job: GameJob) -> PlayedGame:
        """Play a game."""
        pairing = job.settings.pairing(job.number)
        first, second = (self._player(index) for index in pairing)
        game = play_game(job.settings, job.number, job.opening, (first, second), self._referee)
        return PlayedGame(game, (self._versions[pairing[0]], self._versions[pairing[1]]))

    def _player(self, index: int) -> Player:
        """Return a player of the match, started."""
        spec = self._settings.players[index]
        if index not in self._versions:
            self._players[index] = spec.create(self._settings.game)
            try:
                self._versions[index] = self._players[index].start()
            except PlayerFailure as failure:
                raise MatchError(f"player {quoted(spec.text, 200)} does not start: {failure}") from None
        return self._players[index]

    def _interrupt(self) -> None:
        """End the game under way soon."""
        for player in list(self._players.values()):
            player.interrupt()
        if self._referee:
            self._referee.interrupt()

    def close(self) -> None:
        """Let the players go."""
        for player in self._players.values():
            player.close()
        self._players = {}


def adjudicator_for(settings: MatchSettings) -> Adjudicator | None:
    """Return a referee if the match has one, not yet started."""
    return None if settings.adjudicate is None else Adjudicator(settings.game, settings.adjudicate)


_idle: dict[GameRunner, threading.Timer] = {}  # and what will let them go
_guard = threading.Lock()


def play(job: GameJob) -> PlayedGame:
    """Play a game with players that this process keeps; several threads may.

    Raises
    ------
    MatchError
        When a player does not start.
    """
    seats = _acquire(job)
    try:
        played = seats.play(job)
    except BaseException:
        seats.close()
        raise
    _release(seats)
    return played


def _acquire(job: GameJob) -> GameRunner:
    """Return seats for a game, which nobody else is to use meanwhile."""
    with _guard:
        seats = next((seats for seats in _idle if seats.run == job.run), None)
        if seats:
            _idle.pop(seats).cancel()
    return seats or GameRunner(job.settings, job.run)


def _release(seats: GameRunner) -> None:
    """Keep seats for the next game, if it comes soon."""
    timer = threading.Timer(IDLE, _close_if_idle, (seats,))
    timer.daemon = True
    with _guard:
        _idle[seats] = timer
    timer.start()


def _close_if_idle(seats: GameRunner) -> None:
    """Close seats unless somebody has taken them."""
    with _guard:
        timer = _idle.pop(seats, None)
    if timer:
        timer.cancel()
        seats.close()


@atexit.register
def close_idle_runners() -> None:
    """Let all players go that this process keeps and nobody plays with."""
    for seats in list(_idle):
        _close_if_idle(seats)
