"""The kinds of players and how they are named: ``tengen,depth=6``, ``uct,simulations=1000``, ``ugi:COMMAND``.

Our own kinds play within this process; their kernels release the GIL, so that several games run side by side.
"""

from __future__ import annotations

import random
import shlex
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tengen import __version__
from tengen.engine.book import shipped
from tengen.engine.challenge import ACCEPT
from tengen.engine.errors import OptionError, nearest, quoted
from tengen.engine.game import Game, GameSpec, Option, Outcome, Value
from tengen.engine.jit import source_hash
from tengen.engine.position import Position
from tengen.engine.weights import Weights
from tengen.search import warmup
from tengen.search.binding import bound
from tengen.search.clock import SOFT_SHARE, time_budget
from tengen.search.limits import AUTO, METHODS, Limits
from tengen.search.mcts.uct import Uct
from tengen.search.worker import Worker
from tengen.tuning.match.openings import random_turn
from tengen.tuning.players.base import EndReason, Player, PlayerFailure, TurnTime
from tengen.tuning.players.programs import EnginePlayer, GomocupPlayer, GtpPlayer, UgiPlayer

WIN_SCORE = 10**9  # beyond any evaluation
Notice = Callable[[str], None]


def engine_version(spec: GameSpec) -> str:
    """Return what plays `spec`: the release, and hashes of the sources and the weights of its games."""
    hashes = " ".join(_hashes(game.game) for game in spec.games)
    return f"tengen {__version__} ({hashes})"


def _hashes(game: Game) -> str:
    """Return what stands for the sources of `game` and for the weights that it ships with."""
    if game.evaluation is None:
        return source_hash(game.package)
    return f"{source_hash(game.package)}-{game.evaluation.shipped().fingerprint}"


class BuiltinPlayer(Player):
    """A player of our own, in this process.

    Parameters
    ----------
    spec : GameSpec
        What is played.
    values : mapping of str to bool, int, float or str
        The options that were given.
    on_notice : callable, optional
        Called with what getting ready waits for.
    """

    OPTIONS: tuple[Option, ...] = ()

    def __init__(self, spec: GameSpec, values: Mapping[str, Value], on_notice: Notice | None = None) -> None:
        self._spec = spec
        self._values = values
        self._on_notice = on_notice

    def _number(self, name: str) -> int | None:
        """Return the value of a numeric option, None when it was not given."""
        value = self._values.get(name)
        return None if value is None else int(value)

    @property
    def version(self) -> str:
        """What is played by (see `engine_version`)."""
        return engine_version(self._spec)

    def start(self) -> str:
        """Return `version`."""
        return self.version

    def interrupt(self) -> None:
        """Do nothing: it takes no time."""

    def close(self) -> None:
        """Do nothing: it holds nothing."""


class TengenPlayer(BuiltinPlayer):
    """The engine itself."""

    OPTIONS = (
        Option("threads", 1, "search threads", 1, 256),
        Option("hash", 64, "size of the table or the tree, MB", 1, 1 << 20),
        Option("search", AUTO, "how to search", choices=METHODS),
        Option("depth", 6, "search no deeper, actions", 1, 64),
        Option("nodes", 10_000, "visit no more positions a turn", 1, 10**12),
        Option("weights", "", "a file of weights for the evaluation"),
        Option("book", True, "play what the game's book knows without a search"),
    )

    def __init__(self, spec: GameSpec, values: Mapping[str, Value], on_notice: Notice | None = None) -> None:
        super().__init__(spec, values, on_notice)
        method = str(values.get("search", AUTO))
        weights = values.get("weights")
        self._weights = read_weights(spec.game, None if weights is None else str(weights))
        threads, hash_mb = self._number("threads") or 1, self._number("hash") or 64
        self._book = bool(values.get("book", True))
        self._worker = Worker(threads, hash_mb, method, self._weights, self._book)

    @property
    def version(self) -> str:
        """What is played by: the engine, given weights, and the book."""
        version = super().version
        if self._weights is not None:
            version += f" weights {self._weights.fingerprint}"
        if self._book and (book := shipped(self._spec)):
            version += f" book {book.fingerprint}"
        return version

    def start(self) -> str:
        """Compile or load the search."""
        for spec in self._spec.games:
            self._worker.warm_up(spec.game, self._on_notice)
        return self.version

    def new_game(self, seed: int) -> None:
        """Clear the table."""
        self._worker.new_game()

    def play(self, position: Position, allowance: TurnTime) -> str:
        """Search within the allowance and the player's own limits."""
        limits = allowance.limits
        depth, nodes = self._number("depth") or limits.depth, self._number("nodes") or limits.nodes
        turn = self._worker.search(position, replace(limits, depth=depth, nodes=nodes)).turn
        if turn is None:
            raise PlayerFailure(EndReason.CRASH, "the search found no turn")
        return turn

    def interrupt(self) -> None:
        """Stop the search."""
        self._worker.stop()


def read_weights(game: Game, file: str | None) -> Weights | None:
    """Return the weights of a `file` for `game`; None without a file.

    Raises
    ------
    OptionError
        When nothing can be learned in `game`, or the file has no name.
    WeightsError
        When the file does not hold weights of `game`.
    """
    if file is None:
        return None
    if not file:
        raise OptionError("weights: expected the name of a file, got ''")
    if game.evaluation is None:
        raise OptionError(f"weights: expected none, since {game.name} learns nothing, got {quoted(file)}")
    return game.evaluation.load(Path(file))


class SeededPlayer(BuiltinPlayer):
    """A player that draws random numbers, anew in every game."""

    OPTIONS: tuple[Option, ...] = (Option("seed", 0, "makes for other random numbers", 0, 10**9),)

    def new_game(self, seed: int) -> None:
        """Begin the random numbers that `seed` stands for."""
        self._random = random.Random(f"{self._number('seed') or 0}/{seed}")


class RandomPlayer(SeededPlayer):
    """Plays any legal turn."""

    def play(self, position: Position, allowance: TurnTime) -> str:
        """Choose without looking."""
        return random_turn(position, self._random)


class SingleGamePlayer(SeededPlayer):
    """A player that looks at one game at a time, and accepts every turn that it might challenge."""

    def play(self, position: Position, allowance: TurnTime) -> str:
        """Choose in the game that the next turn belongs to."""
        active = position.active
        return ACCEPT if active is None else self.choose(active, allowance)

    @abstractmethod
    def choose(self, position: Position, allowance: TurnTime) -> str:
        """Return a turn of the game that `position` is of."""


class GreedyPlayer(SingleGamePlayer):
    """Plays the turn that the evaluation likes best, seeing wins and losses one turn ahead."""

    def start(self) -> str:
        """Compile or load the evaluation."""
        for spec in self._spec.games:
            position = Position.start(spec)
            warmup.run_step(spec.game, partial(self._worth, position, next(position.turn_actions())))
        return super().start()

    def choose(self, position: Position, allowance: TurnTime) -> str:
        """Choose among the best turns by chance."""
        worth = {turn: self._worth(position, turn) for turn in position.turn_actions()}
        best = max(worth.values())
        return position.format(self._random.choice([turn for turn, value in worth.items() if value == best]))

    def _worth(self, position: Position, turn: tuple[int, ...]) -> int:
        """Return the value of the position after `turn`, for the side that plays it."""
        game = bound(position.spec.game)
        state = position.state.copy()
        for action in turn:
            game.do_move(state, action)
        outcome = game.outcome(state)
        if outcome == Outcome.DRAW:
            return 0
        if outcome != Outcome.ONGOING:
            return WIN_SCORE if outcome - Outcome.FIRST_WINS == position.side_to_move else -WIN_SCORE
        value = int(game.evaluate(state))
        return value if state.side_to_move == position.side_to_move else -value


class UctPlayer(SingleGamePlayer):
    """Plain UCT: a fixed number of simulations, or as many as the match's nodes or time allow."""

    OPTIONS = (
        Option("simulations", 1000, "simulations a turn, whatever time they take", 1, 10**9),
        *SeededPlayer.OPTIONS,
    )

    def __init__(self, spec: GameSpec, values: Mapping[str, Value], on_notice: Notice | None = None) -> None:
        super().__init__(spec, values, on_notice)
        self._searchers = {played.game.name: Uct(played.game.rules) for played in spec.games}

    def start(self) -> str:
        """Compile or load the kernels."""
        for spec in self._spec.games:
            searcher = self._searchers[spec.game.name]
            warmup.run_step(spec.game, partial(searcher.choose, Position.start(spec), simulations=1))
        return super().start()

    def new_game(self, seed: int) -> None:
        """Begin other random numbers."""
        super().new_game(seed)
        for searcher in self._searchers.values():
            searcher.seed(self._random.getrandbits(64))

    def choose(self, position: Position, allowance: TurnTime) -> str:
        """Search for so many simulations, or within the allowance."""
        searcher = self._searchers[position.spec.game.name]
        simulations = self._number("simulations")
        if simulations:
            return searcher.choose(position, simulations)
        return searcher.choose(position, allowance.limits.nodes, self._seconds(position, allowance.limits))

    def _seconds(self, position: Position, limits: Limits) -> float | None:
        """Return the time for a turn, as the engine itself would plan it."""
        budget = time_budget(limits, position)
        if budget.soft is None or budget.hard is None:
            return None
        return min(budget.soft / SOFT_SHARE, budget.hard)

    def interrupt(self) -> None:
        """Stop the search."""
        for searcher in self._searchers.values():
            searcher.stop.set()


BUILTIN_PLAYERS: dict[str, type[BuiltinPlayer]] = {
    "tengen": TengenPlayer,
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "uct": UctPlayer,
}
EXTERNAL_PLAYERS: dict[str, type[EnginePlayer]] = {
    "ugi": UgiPlayer,
    "gtp": GtpPlayer,
    "gomocup": GomocupPlayer,
}
TIME_CONTROL_ONLY = {"gtp": "GTP", "gomocup": "Gomocup's protocol"}


@dataclass(frozen=True)
class PlayerSpec:
    """A player's text, understood.

    Attributes
    ----------
    text : str
        As it was given; the player's name.
    kind : str
        A key of `BUILTIN_PLAYERS` or `EXTERNAL_PLAYERS`.
    command : tuple of str
        Program and arguments of a foreign player.
    values : tuple of (str, value)
        The options given to a player of our own.
    """

    text: str
    kind: str
    command: tuple[str, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def parse(cls, text: str) -> PlayerSpec:
        """Return the player that `text` names.

        Raises
        ------
        OptionError
            For an unknown kind or option, a bad value, an option that stands twice, or no command line.
        """
        kind, colon, command = text.partition(":")
        if kind in EXTERNAL_PLAYERS and colon:
            return cls(text, kind, _split(text, command))
        kind, *settings = text.split(",")
        if kind not in BUILTIN_PLAYERS:
            forms = [f"{name}:COMMAND" for name in EXTERNAL_PLAYERS]
            known = (
                nearest(kind.partition(":")[0], [*BUILTIN_PLAYERS, *EXTERNAL_PLAYERS])
                if kind not in EXTERNAL_PLAYERS
                else ""
            )
            expected = ", ".join([*BUILTIN_PLAYERS, *forms])
            raise OptionError(f"player: expected one of {expected}, got {quoted(text)}{known}")
        values: dict[str, Value] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            option = _option(kind, name)
            if name in values or not equals:
                value = f"{name}={option.domain}, got {quoted(setting)}"
                problem = "once, got twice" if name in values else value
                raise OptionError(f"option {name}: expected {problem} in {quoted(text)}")
            values[name] = option.parse(value, quoted(text))
        return cls(text, kind, values=tuple(values.items()))

    def create(self, game: GameSpec, on_notice: Notice | None = None) -> Player:
        """Return a new player of `game`, not yet started."""
        if self.kind in EXTERNAL_PLAYERS:
            return EXTERNAL_PLAYERS[self.kind](game, self.command)
        return BUILTIN_PLAYERS[self.kind](game, dict(self.values), on_notice)

    def version(self, game: GameSpec) -> str | None:
        """Return the version of a player of our own as it is here; None of others, who tell their own.

        Raises
        ------
        TengenError
            When its files cannot be read.
        """
        return (
            BUILTIN_PLAYERS[self.kind](game, dict(self.values)).version
            if self.kind in BUILTIN_PLAYERS
            else None
        )

    def refuse(self, limits: Limits) -> str:
        """Return why this player cannot keep to `limits`, or an empty text."""
        timed = limits.movetime is not None or limits.clock is not None
        if self.kind in TIME_CONTROL_ONLY and (limits.depth or limits.nodes or not timed):
            return f"{TIME_CONTROL_ONLY[self.kind]} can ask for a time only, not for a depth or a number of nodes"
        endless = not (timed or limits.nodes or "simulations" in dict(self.values))
        if self.kind == "uct" and endless:
            return "expected simulations=N, a time or a number of nodes"
        return ""


def _split(text: str, command: str) -> tuple[str, ...]:
    """Return the words of a command line."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise OptionError(f"player: expected a command line, got {quoted(text)} ({error})") from None
    if not words:
        raise OptionError(f"player: expected a command line behind the colon, got {quoted(text)}")
    return words


def _option(kind: str, name: str) -> Option:
    """Return the option `name` of a player of our own."""
    options = {option.name: option for option in BUILTIN_PLAYERS[kind].OPTIONS}
    if name not in options:
        raise OptionError(
            f"options of {kind}: expected one of {', '.join(options)}, "
            f"got {quoted(name)}{nearest(name, options)}"
        )
    return options[name]
