"""Matches: two players, paired games from different openings, our rules as the judge, nothing ever lost."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.challenge import begin
from engine.errors import IllegalTurnError, NotationError, OptionError, TengenError, quoted
from engine.game import GameSpec, Outcome
from engine.position import Position
from search import warmup
from search.limits import Clock, Limits
from tuning.openings import Opening, openings
from tuning.player import Allowance, Player, PlayerFailure, Reason
from tuning.players import Notice, PlayerSpec
from tuning.records import VERSIONS, FinishedGame, Store
from tuning.statistics import Sprt

PATIENCE = 600.0  # seconds for a turn that no time limit ends
PARTING = 5.0  # seconds that interrupted games get to wind up
LONGEST_DETAIL = 300  # characters
RESULT_LETTERS = {Reason.RESIGNATION: "R", Reason.TIME: "T"}  # as SGF has them; other faults are F


class MatchError(TengenError):
    """A match that cannot be played: a player that does not even start."""


@dataclass(frozen=True)
class Settings:
    """Everything about a match. All times are in seconds.

    Attributes
    ----------
    game : GameSpec
    players : tuple of PlayerSpec
        The first and the second player of the match, who take turns at having the first side.
    games : int
    limits : Limits
        For each turn; without ``clock``.
    clock : Clock or None
        What each side begins a game with.
    openings : int
        Random turns at the start of every pair of games.
    seed : int
        Of the openings, and of players that play by chance.
    margin : float
        How much later than due a turn may come.
    longest : int
        Turns after which a game is a draw.
    concurrency : int
        Games at a time.
    sprt : Sprt or None
        Ends the match as soon as it decides.
    """

    game: GameSpec
    players: tuple[PlayerSpec, PlayerSpec]
    games: int
    limits: Limits
    clock: Clock | None = None
    openings: int = 4
    seed: int = 1
    margin: float = 0.05
    longest: int = 1000
    concurrency: int = 1
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        self._require(self.games >= 1, "games", "at least 1", self.games)
        self._require(self.openings >= 0, "openings", "at least 0 turns", self.openings)
        self._require(self.margin >= 0, "margin", "at least 0 seconds", self.margin)
        self._require(self.longest > self.openings, "longest", "more turns than an opening", self.longest)
        self._require(1 <= self.concurrency <= 256, "concurrency", "1 to 256", self.concurrency)
        limits = self.turn_limits(self.clock)
        for player in self.players:
            if refusal := player.refuse(limits):
                raise OptionError(f"player {quoted(player.text)}: {refusal}")

    def _require(self, sound: bool, name: str, expected: str, got: object) -> None:
        if not sound:
            raise OptionError(f"{name}: expected {expected}, got {got}")

    def turn_limits(self, clock: Clock | None) -> Limits:
        """Return the limits of a turn of a side whose clock shows `clock`."""
        limits = self.limits
        return Limits(depth=limits.depth, nodes=limits.nodes, movetime=limits.movetime, clock=clock)

    def identity(self) -> dict[str, str]:
        """Return, in texts, what decides which games are played: all but how many, and how many at a time."""
        clock = f"{self.clock.remaining:g}+{self.clock.increment:g}" if self.clock else None
        limits = {"movetime": self.limits.movetime, "nodes": self.limits.nodes, "depth": self.limits.depth}
        return {
            "game": str(self.game),
            "first": self.players[0].text,
            "second": self.players[1].text,
            **{name: str(value) for name, value in limits.items()},
            "clock": str(clock),
            "openings": str(self.openings),
            "seed": str(self.seed),
            "margin": f"{self.margin:g}",
            "longest": str(self.longest),
        }


class Timekeeper:
    """Both sides' time in one game."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clocks = [settings.clock, settings.clock]

    def allowance(self, side: int) -> Allowance:
        """Return what `side` may use for its next turn."""
        first, second = self._clocks
        clocks = (first, second) if first and second else None
        return Allowance(self._settings.turn_limits(self._clocks[side]), clocks, self._due(side))

    def _due(self, side: int) -> float:
        """Return the seconds after which a turn of `side` is late."""
        clock, movetime = self._clocks[side], self._settings.limits.movetime
        bounds = [clock.remaining if clock else None, movetime]
        return min((bound + self._settings.margin for bound in bounds if bound is not None), default=PATIENCE)

    def charge(self, side: int, seconds: float) -> None:
        """Take the time of a turn off the clock of `side`.

        Raises
        ------
        PlayerFailure
            When the turn came too late.
        """
        due = self._due(side)
        if seconds > due:
            raise PlayerFailure(Reason.TIME, f"a turn after {seconds:.3f} s, due after {due:.3f} s")
        clock = self._clocks[side]
        if clock:
            left = max(0.0, clock.remaining - seconds) + clock.increment
            self._clocks[side] = Clock(left, clock.increment)


def play_game(
    settings: Settings, number: int, opening: Opening, players: tuple[Player, Player]
) -> FinishedGame:
    """Play one game of a match.

    Parameters
    ----------
    settings : Settings
    number : int
        Of the game; the match's first player has the first side in even ones.
    opening : tuple of str
        Turns that are given.
    players : tuple of Player
        The match's first and second player, started.

    Returns
    -------
    FinishedGame
        Whatever the players do: what they fail at is the game's reason.
    """
    first_side = number % 2
    position = begin(settings.game)
    for turn in opening:
        position.play(turn)
    seconds: list[float] = []
    outcome, reason, detail = Outcome.ONGOING, Reason.RULES, ""
    try:
        for index, player in enumerate(players):
            culprit = index ^ first_side
            player.new_game((settings.seed << 32) + 2 * number + index)
        keeper = Timekeeper(settings)
        while position.outcome() == Outcome.ONGOING and len(position.turns_played) < settings.longest:
            culprit = position.turn
            seconds.append(_play_turn(position, players[culprit ^ first_side], keeper))
        outcome = position.outcome()
        if outcome == Outcome.ONGOING:
            outcome, reason, detail = Outcome.DRAW, Reason.LENGTH, f"not over after {settings.longest} turns"
    except PlayerFailure as failure:
        outcome = Outcome.SECOND_WINS if culprit == 0 else Outcome.FIRST_WINS
        reason, detail = failure.reason, _one_line(failure.detail)
    turns = tuple(position.turns_played[len(opening) :])
    result = position.result() if reason == Reason.RULES else _result(settings.game, outcome, reason)
    times = tuple(round(second, 6) for second in seconds)
    return FinishedGame(number, first_side, opening, turns, times, outcome, result, reason, detail)


def _play_turn(position: Position, player: Player, keeper: Timekeeper) -> float:
    """Have `player` play one turn in `position`; return the seconds it took."""
    side = position.turn
    allowance = keeper.allowance(side)
    began = time.perf_counter()
    text = player.play(position, allowance)
    elapsed = time.perf_counter() - began
    keeper.charge(side, elapsed)
    try:
        position.play(text)
    except (IllegalTurnError, NotationError) as error:
        raise PlayerFailure(Reason.ILLEGAL, str(error)) from None
    return elapsed


def _result(game: GameSpec, outcome: Outcome, reason: Reason) -> str:
    """Return the result of a game that the rules have not decided."""
    if outcome == Outcome.DRAW:
        return "0"
    letter = game.game.letters[outcome - Outcome.FIRST_WINS].upper()
    return f"{letter}+{RESULT_LETTERS.get(reason, 'F')}"


def _one_line(detail: str) -> str:
    """Return `detail` fit for a table: a foreign program's words may be long."""
    words = " ".join(detail.split())
    return words if len(words) <= LONGEST_DETAIL else words[: LONGEST_DETAIL - 3] + "..."


class Tally:
    """What the games of a match add up to, for its first player.

    Attributes
    ----------
    games : int
    wins, draws, losses : int
    pairs : list of int
        Complete pairs by points: 0, 0.5, 1, 1.5, 2.
    reasons : Counter
        Games by reason.
    forfeits : Counter
        Forfeits by player (0, 1) and reason.
    turns : int
        Turns of all games, the openings included.
    openings : set of tuple of str
        Different openings.
    """

    def __init__(self) -> None:
        self.games = self.wins = self.draws = self.losses = self.turns = 0
        self.pairs = [0] * 5
        self.reasons: Counter[Reason] = Counter()
        self.forfeits: Counter[tuple[int, Reason]] = Counter()
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
        if game.culprit is not None:
            self.forfeits[game.culprit, game.reason] += 1
        pair = game.number // 2
        if pair in self._half:
            self.pairs[self._half.pop(pair) + game.points] += 1
        else:
            self._half[pair] = game.points

    @property
    def points(self) -> float:
        """Points made: a draw counts a half."""
        return self.wins + self.draws / 2


class Match:
    """A match under way.

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
    tally : Tally
        What they add up to.
    versions : tuple of str
        Names and versions of the players, once they have started; as they were when nothing is left to play.
    """

    def __init__(self, settings: Settings, store: Store, on_notice: Notice | None = None) -> None:
        self.settings = settings
        self.games: list[FinishedGame] = []
        self.tally = Tally()
        self.versions = store.versions()
        self._store = store
        self._on_notice = on_notice
        self._stop = threading.Event()
        self._results: queue.Queue[FinishedGame | Exception] = queue.Queue()
        self._players: list[Player] = []
        for game in store.games():
            self._count(game)

    def _count(self, game: FinishedGame) -> None:
        """Take a finished game into account."""
        self.games.append(game)
        self.tally.add(game)

    @property
    def names(self) -> tuple[str, str]:
        """Names of the players for records: as they were asked for, with their versions."""
        texts = [player.text for player in self.settings.players]
        first, second = (f"{text} ({version})" for text, version in zip(texts, self.versions, strict=True))
        return first, second

    @property
    def decided(self) -> bool:
        """Whether the SPRT has come to a decision."""
        return bool(self.settings.sprt and self.settings.sprt.decision(self.tally.pairs))

    def pending(self) -> list[int]:
        """Return the numbers of the games that are still to be played."""
        finished = {game.number for game in self.games}
        return [] if self.decided else [n for n in range(self.settings.games) if n not in finished]

    def run(self, on_game: Callable[[FinishedGame], None] | None = None) -> None:
        """Play what is pending; every game is on disk before `on_game` is called with it, on this thread.

        An exception (a KeyboardInterrupt, or what `on_game` raises) ends the games under way, which are lost.

        Raises
        ------
        MatchError
            When a player does not start.
        """
        pending = self.pending()
        if not pending:
            return
        threads: list[threading.Thread] = []
        try:
            for spec in self.settings.game.games:
                warmup.prepare_rules(spec.game)  # on nobody's clock
            tasks = self._tasks(pending)
            seats = [self._start_players() for _ in range(min(self.settings.concurrency, len(pending)))]
            for seat in seats:
                threads.append(threading.Thread(target=self._work, args=(tasks, seat), daemon=True))
                threads[-1].start()
            for _ in pending:
                self._take(on_game)
                if self.decided:
                    break
        finally:
            self._wind_up(threads)

    def _take(self, on_game: Callable[[FinishedGame], None] | None) -> None:
        """Wait for a game to finish, and keep it."""
        game = self._results.get()
        if isinstance(game, Exception):
            raise game
        self._store.add(game)
        self._count(game)
        if on_game:
            on_game(game)

    def _tasks(self, pending: list[int]) -> Iterator[tuple[int, Opening]]:
        """Return an iterator, for one thread at a time, over the pending games and their openings."""
        settings = self.settings
        source = openings(settings.game, settings.openings, settings.seed)
        drawn = list(itertools.islice(source, -(-settings.games // 2)))
        return iter([(number, drawn[number // 2]) for number in pending])

    def _start_players(self) -> tuple[Player, Player]:
        """Return both players, ready to play.

        Raises
        ------
        MatchError
            When one does not start.
        RecordError
            When it is not the player that the match was begun with.
        """
        specs = self.settings.players
        first, second = (spec.create(self.settings.game, self._on_notice) for spec in specs)
        self._players += [first, second]
        versions = (self._start(first, specs[0]), self._start(second, specs[1]))
        self._store.agree(dict(zip(VERSIONS, versions, strict=True)))
        self.versions = versions
        return first, second

    def _start(self, player: Player, spec: PlayerSpec) -> str:
        """Start a player and return its name and version."""
        try:
            return player.start()
        except PlayerFailure as failure:
            raise MatchError(f"player {quoted(spec.text, 200)} does not start: {failure}") from None

    def _work(self, tasks: Iterator[tuple[int, Opening]], seat: tuple[Player, Player]) -> None:
        """Play one pending game after the other until there are none or the match ends."""
        try:
            while not self._stop.is_set() and (task := next(tasks, None)):
                game = play_game(self.settings, *task, seat)
                if not self._stop.is_set():
                    self._results.put(game)
        except Exception as error:  # a fault of ours: it ends the match, on the thread that runs it
            self._results.put(error)

    def _wind_up(self, threads: list[threading.Thread]) -> None:
        """End the games under way, and let the players go."""
        self._stop.set()
        if any(thread.is_alive() for thread in threads):
            for player in self._players:
                player.interrupt()
        for thread in threads:
            thread.join(PARTING)
        for player in self._players:
            player.close()
