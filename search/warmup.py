"""Getting a game's kernels ready: from the cache on disk in milliseconds, or compiled in seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from tengen.engine import jit
from tengen.engine.game import Game, GameSpec
from tengen.engine.position import Position
from tengen.engine.turns import finish_turn
from tengen.search import perft
from tengen.search.binding import bound
from tengen.search.limits import AUTO, Limits

_ready: set[tuple[str, str]] = set()  # games, and how they are searched
_locks: dict[str, threading.Lock] = {}
_guard = threading.Lock()

WarmupStep = tuple[str, Callable[[], object]]


def ready(game: Game, method: str = AUTO) -> bool:
    """Return whether all that a search of `game` by `method` calls is compiled in this process."""
    return not jit.COMPILED or (game.name, resolve_method(game, method)) in _ready


def resolve_method(game: Game, method: str) -> str:
    """Return how `game` is searched by `method`: as the game likes best when that is `AUTO`."""
    return game.search if method == AUTO else method


def compile_kernels(game: Game, method: str = AUTO) -> None:
    """Make the kernels that play `game` and search it by `method` ready; returns at once when they are.

    One thread of one process compiles; others wait for it and then load what it has kept.
    """
    method = resolve_method(game, method)
    if not jit.COMPILED:
        return
    with _guard:
        lock = _locks.setdefault(game.name, threading.Lock())
    with lock:
        if ready(game, method):
            return
        for _, step in steps(game, method):
            run_step(game, step)
        _ready.add((game.name, method))


def ensure_rules_compiled(spec: GameSpec) -> None:
    """Make the kernels ready that judge and play a game of `spec`, without those that search it.

    A search that is cut short can answer with them, too.
    """
    run_step(spec.game, lambda: _touch_rules(_initial(spec.game)))
    run_step(spec.game, lambda: _play_and_read(spec))


def run_step(game: Game, step: Callable[[], object]) -> None:
    """Run one step of `steps` while no other process compiles for the same game."""
    folder = jit.cache_folder(game.package) if jit.COMPILED else None
    if folder is None:
        step()
    else:
        with jit.folder_lock(folder, "compile.lock"):
            step()


def steps(game: Game, method: str = AUTO, tools: bool = False) -> Iterator[WarmupStep]:
    """Yield what has to be compiled for `game`: labels, and calls that do it.

    Parameters
    ----------
    game : Game
    method : str
        How it is to be searched.
    tools : bool
        Include what the search does not need: the other method, perft and the built-in opponent ``uct``.
    """
    position = _initial(game)
    yield f"{game.name}: rules", lambda: _touch_rules(position)
    if tools or resolve_method(game, method) == "alphabeta":
        yield f"{game.name}: alpha-beta", lambda: _touch_search(position)
    if tools or resolve_method(game, method) == "mcts":
        yield f"{game.name}: mcts", lambda: _touch_tree(position)
    if tools:
        yield f"{game.name}: perft", lambda: perft.count(position, 2)
        yield f"{game.name}: uct", lambda: _touch_uct(position)


def _initial(game: Game) -> Position:
    return Position.start(GameSpec.parse(game.name))


def _touch_rules(position: Position) -> None:
    """Call every kernel that is called from Python."""
    position = position.copy()
    position.outcome()
    actions = next(position.turn_actions())
    bound(position.spec.game).priority(position.state, actions[0])
    position.play(position.format(actions))
    position.evaluate()
    assert position.scale > 0  # calls a kernel
    if position.spec.game.ends_by_agreement:
        position.spec.game.module("agreement").agreed_score(position.state)


def _play_and_read(spec: GameSpec) -> None:
    """Play a turn as a search does that has no time, and read the text of the position again."""
    position = Position.start(spec)
    position.play(position.format(tuple(finish_turn(bound(spec.game), position.state.copy()))))
    Position.parse(spec, position.text())


def _touch_search(position: Position) -> None:
    """Search one ply, and look for threats."""
    from tengen.search.alphabeta.deepening import SearchThread
    from tengen.search.alphabeta.endgame_solver import EndgameSolver
    from tengen.search.alphabeta.table import TranspositionTable

    thread = SearchThread(position, TranspositionTable(1), jit.StopFlag())
    thread.search(1, None, ())
    thread.prove(1, None)
    rules = position.spec.game.rules
    if hasattr(rules, "ENDGAME_LIMIT"):
        rules.remaining(position.state)
        for wide in (0, rules.ENDGAME_LIMIT + 1):  # both ways to solve it
            ending = EndgameSolver(position, TranspositionTable(1), jit.StopFlag(), wide=wide)
            ending.advance(1)
            ending.line(1)


def _touch_tree(position: Position) -> None:
    """Simulate a little."""
    from tengen.search.mcts.searcher import MctsSearch
    from tengen.search.mcts.tree import Tree

    tree = Tree(1)
    search = MctsSearch(position, tree, jit.StopFlag(), Limits(nodes=40), 1)
    search.run(lambda infos: None, lambda: False)
    search.finish()
    tree.prune([slice(0, tree.used)])


def _touch_uct(position: Position) -> None:
    from tengen.search.mcts import uct

    uct.choose(position, simulations=2, seed=1)
