"""The settings of a match or a tournament: who plays whom, how often, and under which conditions."""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass

from tengen.engine.errors import OptionError, quoted
from tengen.engine.spec import GameSpec
from tengen.engine.system import can_pin
from tengen.search.limits.limit import Clock, Limit
from tengen.tuning.clocks import clock_text
from tengen.tuning.match.statistics import Sprt
from tengen.tuning.openings import OpeningSource, RandomTurns
from tengen.tuning.players.specs import PlayerSpec
from tengen.tuning.version import require_setting
from tengen.tuning.workers.pool import MAX_WORKERS

ROUND_ROBIN, GAUNTLET, LADDER = SCHEDULES = ("round-robin", "gauntlet", "ladder")
DEFAULT_OPENINGS = RandomTurns(4)
DEFAULT_TURNS = 3  # of a player in a row, for a rule about scores
Pairing = tuple[int, int]


@dataclass(frozen=True)
class ScoreRule:
    """When scores end a game."""

    score: int  # centi-points: a loss of at least so many, or a draw within so many
    turns: int = DEFAULT_TURNS  # of a player in a row with such a score
    first: int = 0  # turns of the game before which the rule does not hold

    def __str__(self) -> str:
        return f"{self.score / 100:g},{self.turns},{self.first}"

    @classmethod
    def parse(cls, option: str, text: str) -> ScoreRule:
        """Return the rule ``POINTS[,TURNS[,FIRST]]``; `option` is named in errors.

        Raises OptionError if the text has another form.
        """
        words = text.split(",")
        try:
            points, counts = float(words[0]), [int(word) for word in words[1:]]
        except ValueError:
            points, counts = -1.0, []
        if not (0 <= points <= 10**4 and len(counts) <= 2 and all(0 <= n <= 10**5 for n in counts)):
            expected = "expected points, and perhaps turns in a row and a first turn, such as 8,4"
            raise OptionError(f"{option}: {expected}, got {quoted(text)}")
        return cls(round(100 * points), max(1, *counts[:1]) if counts else DEFAULT_TURNS, *counts[1:])


@dataclass(frozen=True)
class MatchSettings:
    """The settings of a match, or of a tournament, which has more than two players. Times are in seconds.

    Games are numbered from 0 and come in pairs: games 2k and 2k + 1 begin with the same opening, sides
    swapped. In even games the pairing's first player has the first side. Game pairs cycle through the P
    pairings: pair k belongs to pairing k % P and uses opening k // P, so all pairings play the same openings.
    """

    game: GameSpec
    players: tuple[PlayerSpec, ...]  # two or more; in a tournament all of them differ
    games: int  # of each pairing
    limits: Limit  # of every turn; without a clock
    clock: Clock | None = None  # of each side at the start of a game
    openings: OpeningSource = DEFAULT_OPENINGS  # where the turns at the start of a game come from
    seed: int = 1  # of the openings, and of players that play at random
    margin: float = 0.05  # how late a turn may be before it loses the game
    max_turns: int = 1000  # after which a game is a draw
    concurrency: int = 1  # games at the same time, each in its own process
    sprt: Sprt | None = None  # ends a match of two as soon as it accepts a hypothesis
    schedule: str = ROUND_ROBIN  # everyone against everyone, the first against all, or each against the next
    adjudicate: int | None = None  # positions that an adjudicator searches after every turn, if there is one
    dask: str | None = None  # address of a Dask scheduler whose workers play the games
    cpu_time: bool = False  # whether times are processor time of the players, not wall-clock time
    resign: ScoreRule | None = None  # when the scores that the players report lose a game
    draw: ScoreRule | None = None  # when they make it a draw
    pin: bool = False  # whether each process that plays games keeps to one processor

    def __post_init__(self) -> None:
        require_setting(len(self.players) >= 2, "players", "at least 2", len(self.players))
        require_setting(self.games >= 1, "games", "at least 1", self.games)
        require_setting(self.margin >= 0, "margin", "at least 0 seconds", self.margin)
        expected = "more turns than an opening"
        require_setting(self.max_turns > self.openings.longest, "longest", expected, self.max_turns)
        require_setting(
            1 <= self.concurrency <= MAX_WORKERS, "concurrency", f"1 to {MAX_WORKERS}", self.concurrency
        )
        require_setting(
            self.schedule in SCHEDULES, "schedule", f"one of {', '.join(SCHEDULES)}", self.schedule
        )
        for number, player in enumerate(self.players):
            limits = self.turn_limits(number, self.clock_of(number))
            if refusal := player.unsupported_limits(limits):
                raise OptionError(f"player {quoted(player.text)}: {refusal}")
        if self.tournament:
            texts = [player.text for player in self.players]
            for text in texts:
                again = f"{quoted(text, 200)} twice"
                require_setting(texts.count(text) == 1, "players", "different ones", again)
            require_setting(self.sprt is None, "sprt", "two players", len(texts))
        if self.adjudicate is not None:
            agreed, challenged = self.game.game.ends_by_agreement, self.game.challenge is not None
            expected = "a game whose end is no matter of agreement" if agreed else "a game without challenges"
            require_setting(not (agreed or challenged), "adjudicate", expected, self.game)
            require_setting(self.adjudicate >= 1, "adjudicate", "at least 1 position", self.adjudicate)
        if self.cpu_time:
            numbers = range(len(self.players))
            timed = all(self.clock_of(n) or self.turn_limits(n, None).time is not None for n in numbers)
            require_setting(timed, "cpu-time", "a --clock or a --movetime to count", "neither")
            require_setting(self.dask is None, "cpu-time", "games in processes of their own", "--dask")
        require_setting(not self.pin or can_pin(), "pin", "Linux or Windows", sys.platform)

    @property
    def tournament(self) -> bool:
        """Whether there are more than two players."""
        return len(self.players) > 2

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """All pairings as numbers of players, the smaller one first."""
        numbers = range(len(self.players))
        if self.schedule == LADDER:
            return tuple(itertools.pairwise(numbers))
        everyone = itertools.combinations(numbers, 2)
        return tuple(pair for pair in everyone if self.schedule == ROUND_ROBIN or pair[0] == 0)

    @property
    def total(self) -> int:
        """Number of games of all pairings."""
        return self.games * len(self.pairings)

    def pairing(self, number: int) -> Pairing:
        """Return the pairing that plays the game `number`."""
        return self.pairings[number // 2 % len(self.pairings)]

    def opening(self, number: int) -> int:
        """Return the number of the opening of the game `number`."""
        return number // 2 // len(self.pairings)

    def clock_of(self, player: int) -> Clock | None:
        """Return the clock of a player, by number, at the start of a game: its own, or that of the match."""
        own = self.players[player]
        return own.clock or (None if own.limits.time is not None else self.clock)

    def turn_limits(self, player: int, clock: Clock | None) -> Limit:
        """Return the limits of a turn of a player, by number, whose clock shows `clock`.

        What the player has of its own replaces what the match says.
        """
        own, limits = self.players[player].limits, self.limits
        movetime = None if self.players[player].clock else limits.time
        return Limit(
            depth=own.depth or limits.depth,
            nodes=own.nodes or limits.nodes,
            time=movetime if own.time is None else own.time,
            clock=clock,
        )

    @property
    def player_keys(self) -> tuple[str, ...]:
        """The keys of the players in `identity`."""
        if not self.tournament:
            return "first", "second"
        return tuple(f"player {number}" for number in range(1, len(self.players) + 1))

    def identity(self) -> dict[str, str]:
        """Return as text the settings that decide which games are played, but not how many."""
        clock = clock_text(self.clock) if self.clock else None
        limits = {"movetime": self.limits.time, "nodes": self.limits.nodes, "depth": self.limits.depth}
        texts = (player.text for player in self.players)
        return {
            "game": str(self.game),
            **({"schedule": self.schedule} if self.tournament else {}),
            **dict(zip(self.player_keys, texts, strict=True)),
            **{name: str(value) for name, value in limits.items()},
            "clock": str(clock),
            "openings": self.openings.identity(self.game),
            "seed": str(self.seed),
            "margin": f"{self.margin:g}",
            "longest": str(self.max_turns),
            **({} if self.adjudicate is None else {"adjudicate": str(self.adjudicate)}),
            **({"cpu time": "True"} if self.cpu_time else {}),
            **({"resign": str(self.resign)} if self.resign else {}),
            **({"draw": str(self.draw)} if self.draw else {}),
        }
