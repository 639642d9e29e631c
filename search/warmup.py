"""Getting a game's kernels ready: from the cache on disk in milliseconds, or compiled in seconds."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from tengen.engine import jit
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.play.turns import finish_turn
from tengen.engine.spec import GameSpec
from tengen.search import perft
from tengen.search.binding import bound
from tengen.search.limits.limit import AUTO, Limit

COMPILING = "compiling {} for the first time on this machine; this takes some seconds, once"
COMPILING_ALWAYS = "compiling {}; this takes some seconds at every start, as kernels cannot be kept"
WAITING = "waiting for another process, which is compiling {} for the first time on this machine"
POLL = 0.05  # seconds between two looks at another process's lock

_ready: set[tuple[str, str]] = set()  # games, and how they are searched
_locks: dict[str, threading.Lock] = {}
_guard = threading.Lock()
_compilations: list[Compilation] = []  # those that somebody waits for


def ready(game: Game, method: str = AUTO) -> bool:
    """Return whether all that a search of `game` by `method` calls is compiled in this process."""
    return not jit.COMPILED or (game.name, resolve_method(game, method)) in _ready


def resolve_method(game: Game, method: str) -> str:
    """Return how `game` is searched by `method`: the game's own choice when that is `AUTO`."""
    return game.search if method == AUTO else method


def compile_kernels(game: Game, method: str = AUTO) -> None:
    """Make the kernels that play `game` and search it by `method` ready; returns at once when they are.

    One thread of one process compiles. The others wait, and then load what it has stored.
    """
    method = resolve_method(game, method)
    if not jit.COMPILED:
        return
    with _guard:
        lock = _locks.setdefault(game.name, threading.Lock())
    with lock:
        if ready(game, method):
            return
        for step in steps(game, method):
            run_step(game, step)
        _ready.add((game.name, method))


def ensure_rules_compiled(spec: GameSpec) -> None:
    """Make the kernels ready that judge and play a game of `spec`, without those that search it.

    They are enough to answer with a legal turn while the search is being compiled.
    """
    run_step(spec.game, lambda: _touch_rules(_initial(spec.game)))
    run_step(spec.game, lambda: _play_and_read(spec))


class Compilation:
    """Work that may have to compile kernels of a game, done in a thread of its own.

    Parameters
    ----------
    game : Game
    work : callable
        `compile_kernels`, or something that calls kernels through `run_step`.
    """

    def __init__(self, game: Game, work: Callable[[], object]) -> None:
        self.game, self._work = game, work
        self._notices: SimpleQueue[str | None] = SimpleQueue()  # None: nothing to wait for any more
        self._announced: set[str] = set()
        self._failure: BaseException | None = None

    def wait(self, on_notice: Callable[[str], None] | None = None) -> None:
        """Do the work and return when it is done, or when `abandon` is called; raise what it raised.

        Parameters
        ----------
        on_notice : callable, optional
            Called by this thread with what takes time: a kernel is compiled here, or by another process.
            It is not called when all kernels are loaded from disk.
        """
        threading.Thread(target=self._run, name="tengen compiler", daemon=True).start()
        for notice in iter(self._notices.get, None):
            if on_notice:
                on_notice(notice)
        if self._failure:
            raise self._failure

    def abandon(self) -> None:
        """Let `wait` return; the work goes on in the background."""
        self._notices.put(None)

    def announce(self, notice: str) -> None:
        """Have `notice` said, once, by the thread that waits; this never blocks."""
        with _guard:
            if notice in self._announced:
                return
            self._announced.add(notice)
        self._notices.put(notice.format(self.game.name))

    def _run(self) -> None:
        _compilations.append(self)
        try:
            notice = COMPILING if jit.keeps_kernels(self.game.package) else COMPILING_ALWAYS
            with jit.on_compile(self.game.package, partial(self.announce, notice)):
                self._work()
        except BaseException as error:
            self._failure = error
        finally:
            _compilations.remove(self)
            self._notices.put(None)


def announce_compilation(game: Game, notice: str = COMPILING) -> None:
    """Announce a `notice` to every `Compilation` of `game` in this process."""
    for compilation in list(_compilations):
        if compilation.game == game:
            compilation.announce(notice)


def run_step(game: Game, step: Callable[[], object]) -> None:
    """Run one step of `steps` while no other process compiles for the same game."""
    folder = jit.cache_folder(game.package) if jit.COMPILED else None
    if folder is None:
        step()
        return
    marker = _CompilerMarker(folder / "compiler")

    def wait() -> None:
        if marker.names_another_process():
            announce_compilation(game, WAITING)
        time.sleep(POLL)

    with jit.folder_lock(folder, "compile.lock", wait):
        marker.remove()  # left behind by a process that was killed
        try:
            with jit.on_compile(game.package, marker.write):
                step()
        finally:
            marker.remove()


class _CompilerMarker:
    """A file that holds the id of the process that compiles; a process that only loads kernels writes none.

    Whoever waits for the lock of the folder learns from it that waiting will take long.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._written = False

    def write(self) -> None:
        if not self._written:
            self._written = True
            with contextlib.suppress(OSError):
                self._path.write_text(str(os.getpid()))

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)

    def names_another_process(self) -> bool:
        try:
            return self._path.read_text() not in ("", str(os.getpid()))
        except OSError:
            return False


def steps(game: Game, method: str = AUTO, tools: bool = False) -> Iterator[Callable[[], object]]:
    """Yield functions to call one after another, which compile everything for `game`.

    Parameters
    ----------
    game : Game
    method : str
        The search method.
    tools : bool
        Include the other method and perft.
    """
    position = _initial(game)
    yield lambda: _touch_rules(position)
    if tools or resolve_method(game, method) == "alphabeta":
        yield lambda: _touch_search(position)
    if tools or resolve_method(game, method) == "mcts":
        yield lambda: _touch_tree(position)
    if tools:
        yield lambda: perft.count(position, 2)


def _initial(game: Game) -> Position:
    return Position.start(GameSpec.parse(game.name))


def _touch_rules(position: Position) -> None:
    """Call every kernel of the rules that Python calls."""
    position = position.copy()
    position.outcome()
    actions = next(position.turn_actions())
    bound(position.spec.game).priority(position.state, actions[0])
    position.push(position.format(actions))
    position.evaluate()
    assert position.scale > 0  # calls a kernel
    finish_turn(bound(position.spec.game), position.state.copy())
    if position.spec.game.offers("calls"):
        position.spec.game.module("calls").call_kernels(_initial(position.spec.game).state)
    if position.spec.game.ends_by_agreement:
        position.spec.game.module("agreement").agreed_score(position.state)


def _play_and_read(spec: GameSpec) -> None:
    """Play a turn without a search, and parse the text of the position."""
    position = Position.start(spec)
    position.push(position.format(tuple(finish_turn(bound(spec.game), position.state.copy()))))
    Position.parse(spec, position.text())


def _touch_search(position: Position) -> None:
    """Search one ply, with threats and endgame solver."""
    from tengen.search.alphabeta.table import TranspositionTable
    from tengen.search.alphabeta.thread import SearchThread
    from tengen.search.solvers.endgame_driver import EndgameSolver

    thread = SearchThread(position, TranspositionTable(1), jit.StopFlag())
    thread.search(1, None, 1, ())
    thread.prove(0, None)
    thread.prove(1, None)
    thread.recall()
    rules = position.spec.game.rules
    if hasattr(rules, "ENDGAME_LIMIT"):
        rules.remaining(position.state)
        for wide in (0, rules.ENDGAME_LIMIT + 1):  # df-pn and alpha-beta
            ending = EndgameSolver(position, TranspositionTable(1), jit.StopFlag(), wide=wide)
            ending.advance(1)
            ending.line(1)
            ending.call_kernels()


def _touch_tree(position: Position) -> None:
    """Run a few simulations."""
    from tengen.search.mcts.searcher import MctsSearch
    from tengen.search.mcts.tree import Tree

    tree = Tree(1)
    search = MctsSearch(position, tree, jit.StopFlag(), Limit(nodes=40), 1)
    search.run(None, lambda: False)
    search.finish()
    search.call_kernels()
    tree.prune([slice(0, tree.used)])
