"""The search worker: go, stop, ponder, live info."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tengen.engine.errors import OptionError
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.weights import Evaluation, Parameters, Weights
from tengen.search import warmup
from tengen.search.alphabeta.challenge import CHANCE
from tengen.search.alphabeta.run import AlphaBetaRun
from tengen.search.alphabeta.table import TranspositionTable
from tengen.search.info import Info, Result
from tengen.search.levels import Handicap, level_of, require_level
from tengen.search.limits.limit import AUTO, MAX_LEVEL, MAX_THREADS, Limit, max_hash_mb
from tengen.search.limits.timekeeper import Timekeeper
from tengen.search.mcts.run import MctsRun
from tengen.search.mcts.tree import Tree
from tengen.search.run import SearchRun
from tengen.search.threads import SIGNAL_SECONDS

LEVEL_HASH_MB = 2  # of the table of levels below full strength, which is empty at the beginning of every turn


def parameters_of(game: Game, weights: Weights | None) -> Parameters | None:
    """Return `weights` as the kernels of `game` use them; None unless they belong to its evaluation."""
    evaluation: Evaluation | None = game.evaluation
    if weights is None or evaluation is None or weights.game != evaluation.game:
        return None
    return evaluation.parameters(weights)


class Worker:
    """Searches one position at a time, with a table or tree of its own and any number of threads.

    Callbacks run on a thread of the search. If the search itself fails, the result is a legal turn, and
    `Result.notice` says why.

    Parameters
    ----------
    threads : int
        Search threads, 1 to 256.
    hash_mb : int
        Size of the transposition table, or of the tree, in MB.
    method : str
        One of `METHODS`; `AUTO` is the game's own choice.
    weights : Weights or None
        Weights of one game's evaluation; None for the shipped ones.
    challenge_chance : float
        The challenger's chance to win what is played for a challenge, in [0, 1]; see
        `search.alphabeta.challenge`.
    processor_time : bool
        Whether limits of time are processor time of this process, of all threads together.
    level, level_seed : int
        Level of play, 1 to `MAX_LEVEL`, and the seed of its choices (`search.levels`). Below the highest
        level a turn is searched by one thread and the game's own method, with an empty table or tree.

    Raises
    ------
    OptionError
        For numbers out of range, or a table that does not fit into memory.
    """

    _threads, _hash_mb, _method, _challenge_chance = 1, 64, AUTO, CHANCE
    _level, _level_seed = MAX_LEVEL, 0

    def __init__(
        self,
        threads: int = 1,
        hash_mb: int = 64,
        method: str = AUTO,
        weights: Weights | None = None,
        challenge_chance: float = CHANCE,
        processor_time: bool = False,
        level: int = MAX_LEVEL,
        level_seed: int = 0,
    ) -> None:
        self._weights = weights
        self._table: TranspositionTable | None = None
        self._level_table: TranspositionTable | None = None
        self._tree: Tree | None = None
        self._searched_spec: GameSpec | None = None  # what the table is about
        self._expected: tuple[str, ...] = ()  # turns of the game, from its start, as the last search saw it
        self._search: SearchRun | None = None
        self._timekeeper = Timekeeper(processor_time)
        self.configure(threads, hash_mb, method, challenge_chance, processor_time, level, level_seed)

    def configure(
        self,
        threads: int | None = None,
        hash_mb: int | None = None,
        method: str | None = None,
        challenge_chance: float | None = None,
        processor_time: bool | None = None,
        level: int | None = None,
        level_seed: int | None = None,
    ) -> None:
        """Change any of the worker's parameters but its weights, from the next search on.

        Raises OptionError for numbers out of range, or a table that does not fit into memory; nothing is
        changed.
        """
        if threads is not None and not 1 <= threads <= MAX_THREADS:
            raise OptionError(f"threads: expected 1 to {MAX_THREADS}, got {threads}")
        if level is not None:
            require_level(level)
        if hash_mb is not None and hash_mb != self._hash_mb:
            if not 1 <= hash_mb <= max_hash_mb():
                raise OptionError(f"hash: expected 1 to {max_hash_mb()} MB, got {hash_mb}")
            self._hash_mb = hash_mb
            self._table = self._tree = None
        self._level = level or self._level
        self._level_seed = self._level_seed if level_seed is None else level_seed
        self._threads = threads or self._threads
        self._method = method or self._method
        if challenge_chance is not None:
            self._challenge_chance = challenge_chance
        if processor_time not in (None, self._timekeeper.processor_time):
            self._timekeeper = Timekeeper(bool(processor_time))

    def new_game(self) -> None:
        """Clear the table and the tree."""
        self.stop()
        self.wait()
        if self._table:
            self._table.clear()
        if self._tree:
            self._tree.clear()

    def warm_up(self, game: Game, on_notice: Callable[[str], None] | None = None) -> None:
        """Load all kernels that search `game`, and allocate the table or the tree.

        `on_notice` is told if kernels have to be compiled first.
        """
        method = warmup.resolve_method(game, self._method if self._level == MAX_LEVEL else AUTO)
        if not warmup.ready(game, method):
            warmup.Compilation(game, partial(warmup.compile_kernels, game, method)).wait(on_notice)
        if method == "mcts":
            self._kept_tree().allocate(game)
        else:
            self._kept_table().touch()

    def go(
        self,
        position: Position,
        limits: Limit,
        on_info: Callable[[Info], None] | None = None,
        on_done: Callable[[Result], None] | None = None,
        on_notice: Callable[[str], None] | None = None,
    ) -> None:
        """Start searching a copy of `position` and return at once; a search under way is stopped first.

        While another game is played for a challenge, that one is searched. The answer to an announced turn is
        searched by one thread (see `search.alphabeta.challenge`).

        Parameters
        ----------
        position : Position
        limits : Limit
        on_info : callable, optional
            Called with every new line of play.
        on_done : callable, optional
            Called exactly once, with the result.
        on_notice : callable, optional
            Called with the reason when the search has to wait for kernels to be compiled.
        """
        self.stop()
        self.wait()
        if self._search:
            self._expected = self._search.expected_turns or self._expected
        self._search = self._new_search(position.copy(), limits, on_info, on_done, on_notice)
        self._search.start()

    def _new_search(self, position: Position, limits: Limit, *callbacks: Any) -> SearchRun:
        """Return a search of `position` by the configured method, or the game's own."""
        game = position.game
        handicap = self._handicap(game, limits)
        method = warmup.resolve_method(game, AUTO if handicap else self._method)
        parameters = parameters_of(game, self._weights)
        threads = 1 if handicap else self._threads
        common = position, threads, self._timekeeper, handicap, self._expected, limits, *callbacks
        if method == "mcts" and not position.awaits_answer:  # answers to announced turns need alpha-beta
            tree = self._kept_tree()
            if handicap:
                tree.clear()
            return MctsRun(tree, parameters, *common)
        if handicap:  # weak levels remember nothing
            table = self._level_table = self._level_table or TranspositionTable(LEVEL_HASH_MB)
            table.clear()
        else:
            table = self._kept_table()
            if self._searched_spec not in (None, position.spec):
                table.clear()  # actions of other rules would be played unseen
            self._searched_spec = position.spec
            table.new_search()
        return AlphaBetaRun(table, parameters, self._challenge_chance, *common)

    def _handicap(self, game: Game, limits: Limit) -> Handicap | None:
        """Return the handicap of the level asked for; None at full strength, and in an infinite search."""
        number = limits.level or self._level
        require_level(number)
        if number == MAX_LEVEL or limits.infinite:
            return None
        return Handicap(level_of(game, number), self._level_seed)

    def _kept_table(self) -> TranspositionTable:
        """Return the table, which is made when it is first needed."""
        self._table = self._table or TranspositionTable(self._hash_mb)
        return self._table

    def _kept_tree(self) -> Tree:
        """Return the tree, which is made when it is first needed."""
        self._tree = self._tree or Tree(self._hash_mb)
        return self._tree

    def stop(self) -> None:
        """Ask the search to end; its result comes through `on_done`. Does nothing when idle."""
        if self._search:
            self._search.stop()

    def ponderhit(self) -> None:
        """Turn pondering into an ordinary search, whose time starts now."""
        if self._search:
            self._search.ponderhit()

    def wait(self, timeout: float | None = None) -> Result | None:
        """Wait for the last search and return its result; None after the timeout."""
        search = self._search
        if search is None:
            return None
        while not search.done.wait(SIGNAL_SECONDS if timeout is None else timeout):
            if timeout is not None:
                return None
        return search.result

    @property
    def searching(self) -> bool:
        """Whether a search is under way."""
        return self._search is not None and not self._search.done.is_set()

    def search(
        self, position: Position, limits: Limit, on_info: Callable[[Info], None] | None = None
    ) -> Result:
        """Search and return the result: `warm_up`, `go` and `wait` in one."""
        self.warm_up(position.game)
        self.go(position, limits, on_info)
        result = self.wait()
        assert result is not None
        return result
