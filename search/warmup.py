"""Getting a game's kernels ready: from the cache on disk in milliseconds, or compiled in seconds."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from tengen.engine import jit, system
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.play.turns import finish_turn
from tengen.engine.spec import GameSpec
from tengen.search import perft
from tengen.search.binding import bound
from tengen.search.limits.limit import AUTO, Limit

if TYPE_CHECKING:
    from tengen.search.alphabeta.thread import SearchThread

COMPILING = "compiling {} for the first time on this machine; this takes 10 to 30 s on a quiet machine, once"
COMPILING_ALWAYS = "compiling {}; this takes 10 to 30 s at every start, as kernels cannot be kept"
PART = "compiling {}: {}, part {} of {}"
WAITING = "waiting for another process, which is compiling {} for the first time on this machine"
POLL = 0.05  # seconds between two looks at another process's lock
MARKER = "{}.compiler"  # a file of a part that is compiled
RULES, STEP = "rules", "compile"  # names of parts: what turns need, and what is no part of `parts`
SEARCHES = "search", "tree"  # the parts that take longest

_ready: set[tuple[str, str]] = set()  # packages of kernels, and how games are searched
_locks: dict[tuple[str, ...], threading.Lock] = {}  # by the package, and `RULES` if they go first
_guard = threading.Lock()
_compilations: list[Compilation] = []  # those that somebody waits for
_helpers: dict[str, subprocess.Popen[bytes]] = {}  # by the package of the kernels


def ready(game: Game, method: str = AUTO) -> bool:
    """Return whether all that a search of `game` by `method` calls is compiled in this process."""
    return not jit.COMPILED or (game.kernel_package, resolve_method(game, method)) in _ready


def resolve_method(game: Game, method: str) -> str:
    """Return how `game` is searched by `method`: the game's own choice when that is `AUTO`."""
    return game.search if method == AUTO else method


def compile_kernels(game: Game, method: str = AUTO) -> None:
    """Make the kernels that play `game` and search it by `method` ready; returns at once when they are.

    One thread of a process compiles. Several processes share the parts out: what another one has compiled is
    only loaded. The command ``tengen`` starts a process to help it.
    """
    method = resolve_method(game, method)
    if not jit.COMPILED:
        return
    with _lock(game.kernel_package):
        if ready(game, method):
            return
        with _lock(game.kernel_package, RULES):
            pass  # only one kernel is compiled at a time, and without these no turn can be answered
        try:
            run_parts(game, parts(game, method), helped=method == game.search)
        finally:
            _dismiss_helper(game)
        _ready.add((game.kernel_package, method))


def _lock(*key: str) -> threading.Lock:
    """Return the lock of a `key` as in `_locks`."""
    with _guard:
        return _locks.setdefault(key, threading.Lock())


def ensure_rules_compiled(spec: GameSpec, helped: bool = False) -> None:
    """Make the kernels ready that judge and play a game of `spec`, without those that search it.

    They are enough to answer with a legal turn while the search is being compiled; a process that helps with
    that may be started already.
    """
    with _lock(spec.game.kernel_package, RULES):
        run_parts(spec.game, {RULES: parts(spec.game)[RULES]}, helped)
        run_step(spec.game, lambda: _play_and_read(spec))


class Compilation:
    """Work that may have to compile kernels of a game, done in a thread of its own.

    It is `compile_kernels`, or something that calls kernels through `run_step`.
    """

    def __init__(self, game: Game, work: Callable[[], object]) -> None:
        self.game, self._work = game, work
        self._notices: SimpleQueue[str | None] = SimpleQueue()  # None: nothing to wait for any more
        self._announced: set[str] = set()
        self._failure: BaseException | None = None

    def wait(self, on_notice: Callable[[str], None] | None = None) -> None:
        """Do the work and return when it is done, or when `abandon` is called; raise what it raised.

        This thread calls `on_notice` with what takes time, a kernel that is compiled here or by another
        process; never when all are loaded from disk.
        """
        threading.Thread(target=self._run, name="tengen compiler", daemon=True).start()
        while (notice := system.take(self._notices)) is not None:
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
            notice = COMPILING if jit.keeps_kernels(self.game.kernel_package) else COMPILING_ALWAYS
            with jit.on_compile(self.game.kernel_package, partial(self.announce, notice)):
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
    """Run what may have to compile kernels of `game`, while no other process runs such a step."""
    run_parts(game, {STEP: step})


def run_parts(game: Game, left: dict[str, Callable[[], object]], helped: bool = False) -> None:
    """Run the parts that are `left`, by name, each while no other process runs the same part.

    The dict is emptied. Parts that another process runs are put off. If `helped`, a process may be started to
    help, as soon as something is compiled.
    """
    folder, count = jit.cache_folder(game.kernel_package) if jit.COMPILED else None, len(left)

    def announce_part(name: str) -> None:
        if count > 1:
            announce_compilation(game, PART.format("{}", name, count - len(left) + 1, count))

    def on_compile(name: str) -> None:
        announce_part(name)
        if helped:
            _call_helper(game)

    while left:
        parts = left.items()
        done = next((name for name, part in parts if _run_part(game, folder, name, part, on_compile)), None)
        if done is None:
            helper = _helpers.get(game.kernel_package)
            for name in left:
                number = _compiling_process(folder / MARKER.format(name)) if folder else None
                if helper and number == helper.pid:
                    announce_part(name)
                elif number is not None:
                    announce_compilation(game, WAITING)
            time.sleep(POLL)
        else:
            del left[done]


def _run_part(
    game: Game, folder: Path | None, name: str, part: Callable[[], object], on_compile: Callable[[str], None]
) -> bool:
    """Run a part; return False, at once, while another process runs it."""
    if folder is None:
        part()
        return True
    marker = folder / MARKER.format(name)

    def begin() -> None:
        with contextlib.suppress(OSError):
            marker.write_text(str(os.getpid()))
        on_compile(name)

    def remove() -> None:
        with contextlib.suppress(OSError):
            marker.unlink(missing_ok=True)

    with contextlib.ExitStack() as held:
        try:
            held.enter_context(jit.folder_lock(folder, f"{name}.lock", wait=False))
        except BlockingIOError:
            return False
        remove()  # left behind by a process that was killed
        held.callback(remove)
        held.enter_context(jit.on_compile(game.kernel_package, begin))
        part()
    return True


def _call_helper(game: Game) -> None:
    """Start a process that compiles parts of `game`, too: once, and only to help the command ``tengen``."""
    wanted = system.is_command and len(system.processors()) > 1 and jit.keeps_kernels(game.kernel_package)
    if game.kernel_package in _helpers or not wanted:
        return
    call = f"from {__name__} import help_compile; help_compile({game.name!r})"
    command = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path}; {call}"]
    null, group = subprocess.DEVNULL, system.in_new_group()
    with contextlib.suppress(OSError):
        _helpers[game.kernel_package] = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=null, stderr=null, **group
        )


def _dismiss_helper(game: Game) -> None:
    """End the process that helps with `game`, which has nothing left to do."""
    helper = _helpers.get(game.kernel_package)
    if helper and helper.returncode is None:
        helper.kill()
        helper.communicate()


def help_compile(name: str) -> None:
    """Compile what no other process compiles of a game until standard input ends.

    The search comes first, which takes longest, and then the last part.
    """

    def end_with_input() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=end_with_input, daemon=True).start()
    game = GameSpec.parse(name).game
    folder = jit.cache_folder(game.kernel_package)
    order = sorted(reversed(parts(game).items()), key=lambda part: part[0] not in SEARCHES)
    for part, run in order:
        _run_part(game, folder, part, run, lambda _: None)


def _compiling_process(marker: Path) -> int | None:
    """Return the id in a file, of another process that compiles the part that it stands for; None if none is.

    A process that only loads kernels writes none. Whoever waits for the lock of the part learns from it that
    waiting will take long.
    """
    with contextlib.suppress(OSError, ValueError):
        number = int(marker.read_text())
        return number if number != os.getpid() else None
    return None


def parts(game: Game, method: str = AUTO, tools: bool = False) -> dict[str, Callable[[], object]]:
    """Return functions by name, in order, which together compile everything to search `game` by `method`.

    With `tools`, they compile the other method, perft and lists of turns as well.
    """
    found: dict[str, Callable[[Position], object]] = {RULES: _touch_rules}
    if tools or resolve_method(game, method) == "alphabeta":
        found["search"] = lambda position: _search_thread(position).search(1, None, 1, ())
        found["proofs"] = _touch_proofs
    if tools or resolve_method(game, method) == "mcts":
        found["tree"] = _touch_tree
    if hasattr(game.rules, "ENDGAME_LIMIT") and "search" in found:
        found["endgame"] = _touch_endgame
    if game.offers("calls"):
        found["calls"] = lambda position: game.module("calls").call_kernels(position.state)
    if game.ends_by_agreement:
        found["agreement"] = _touch_agreement
    if tools:
        found["perft"] = lambda position: (perft.count(position, 2), len(position.legal_turns))

    def run(touch: Callable[[Position], object]) -> None:
        touch(Position.start(GameSpec.parse(game.name)))

    return {name: partial(run, touch) for name, touch in found.items()}


def _touch_rules(position: Position) -> None:
    """Call every kernel that plays and judges turns."""
    finish_turn(bound(position.spec.game), position.state.copy())
    position.outcome()
    actions = next(position.turn_actions())
    bound(position.spec.game).priority(position.state, actions[0])
    position.push(position.format(actions))
    position.evaluate()
    assert position.scale > 0  # calls a kernel


def _play_and_read(spec: GameSpec) -> None:
    """Play a turn without a search, and parse the text of the position."""
    position = Position.start(spec)
    position.push(position.format(tuple(finish_turn(bound(spec.game), position.state.copy()))))
    Position.parse(spec, position.text())


def _touch_proofs(position: Position) -> None:
    """Look for forced wins."""
    thread = _search_thread(position)
    thread.prove(0, None)
    thread.prove(1, None)
    thread.recall()


def _search_thread(position: Position) -> SearchThread:
    from tengen.search.alphabeta.table import TranspositionTable
    from tengen.search.alphabeta.thread import SearchThread

    return SearchThread(position, TranspositionTable(1), jit.StopFlag())


def _touch_endgame(position: Position) -> None:
    """Solve an endgame, by df-pn and by alpha-beta."""
    from tengen.search.alphabeta.table import TranspositionTable
    from tengen.search.solvers.endgame_driver import EndgameSolver

    rules: Any = position.spec.game.rules
    rules.remaining(position.state)
    for wide in (0, rules.ENDGAME_LIMIT + 1):
        ending = EndgameSolver(position, TranspositionTable(1), jit.StopFlag(), wide=wide)
        ending.advance(1)
        ending.line(1)
        ending.call_kernels()


def _touch_agreement(position: Position) -> None:
    """Score a board with a stone, as if all agreed."""
    position.push(position.format(next(position.turn_actions())))
    position.spec.game.module("agreement").agreed_score(position.state)


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
