"""Searches where positions occur again: claims are true, draws are seen, and wins are not missed."""

import random
from collections import Counter, defaultdict, deque
from typing import Any, NamedTuple

import pytest

from tengen.engine.game import Outcome
from tengen.engine.jit import COMPILED
from tengen.engine.play.history import Keys
from tengen.engine.play.position import Position
from tengen.engine.play.turns import turn_sequences
from tengen.search.limits.limit import Limit
from tengen.search.repetition import salt_of
from tengen.search.worker import Worker
from tests.rules.test_repetition import CYCLES, ZERTZ

pytestmark = pytest.mark.skipif(not COMPILED, reason="sixteen thousand positions")
NODES = 20_000


class Graph(NamedTuple):
    """All positions that can come about from one, by key, the keys before and after each, and who has won."""

    states: dict[int, Any]
    successors: dict[int, set[int]]
    predecessors: dict[int, list[int]]
    winners: dict[int, int]  # 1 the side to move, -1 the other


@pytest.fixture(scope="module")
def graph() -> Graph:
    """The positions between two rows of marbles, where play can always go on: `ZERTZ`."""
    start = ZERTZ.position()
    rules = start.spec.game.rules
    states, successors, predecessors, winners = {int(start.state.key): start.state}, {}, defaultdict(list), {}
    pending = deque(states)
    while pending:
        key = pending.popleft()
        state = states[key]
        if state.result in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
            winners[key] = 1 if (state.result == Outcome.FIRST_WINS) == (state.side_to_move == 0) else -1
        found = {int(after.key): after for _, after in turn_sequences(rules, state)}
        successors[key] = set(found)
        for after in found:
            predecessors[after].append(key)
            if after not in states:
                states[after] = found[after]
                pending.append(after)
    return Graph(states, successors, predecessors, winners)


def solved(graph: Graph, drawn: frozenset[int] = frozenset()) -> dict[int, int]:
    """Return by key who can force a win, by retrograde analysis: 1 the side to move, -1 the other.

    Positions in which nobody can are left out, as are those in `drawn`, which end the game.
    """
    winner, seen, pending = dict(graph.winners), Counter(), deque(graph.winners)
    while pending:
        key = pending.popleft()
        for before in graph.predecessors[key]:
            seen[before] += 1
            lost = seen[before] == len(graph.successors[before])
            if before not in winner and before not in drawn and (winner[key] == -1 or lost):
                winner[before] = -winner[key]
                pending.append(before)
    return winner


def claim(position: Position, worker: Worker, nodes: int = NODES) -> int:
    """Return who wins as the search has proven: 1 the side to move, -1 the other, 0 when nothing is."""
    best = worker.search(position, Limit(nodes=nodes)).lines[0]
    return 0 if best.score.turns_to_win is None or best.bound else (1 if best.score.turns_to_win > 0 else -1)


def test_nobody_can_win_between_the_rows(graph):
    """No side can force an end: with correct play, this game of ZÈRTZ ends by repetition alone [R-1]."""
    winner = solved(graph)
    assert len(graph.states) == 16528
    assert int(ZERTZ.position().state.key) not in winner
    assert Counter(winner.values()) == {1: 1244, -1: 580}


@pytest.mark.parametrize("method", ["alphabeta", "mcts"])
def test_what_is_claimed_is_true(graph, method):
    winner, spec = solved(graph), ZERTZ.position().spec
    keys = [key for key, state in sorted(graph.states.items()) if state.result == Outcome.ONGOING]
    sample = random.Random(1).sample(keys, 60)
    worker = Worker(hash_mb=16, method=method)
    for key in sample:
        worker.new_game()
        position = Position.of_state(spec, graph.states[key].copy())
        expected = winner.get(key, 0)
        assert claim(position, worker) in ((expected,) if method == "alphabeta" else (0, expected))


@pytest.mark.parametrize("side", [1, -1], ids=["won", "lost"])
def test_a_table_full_of_proofs_claims_no_win_that_a_draw_spoils(graph, side):
    """First without a history; then a turn that mattered would be the third occurrence of a position."""
    winner, spec, worker = solved(graph), ZERTZ.position().spec, Worker(hash_mb=16)
    decided = [key for key in sorted(winner) if winner[key] == side and len(graph.successors[key]) > 1]
    outcomes = Counter()
    for key in random.Random(2).sample(decided, 40):
        worker.new_game()
        plain = Position.of_state(spec, graph.states[key].copy())
        assert claim(plain, worker) == side
        drawn = next(after for after in sorted(graph.successors[key]) if winner.get(after) == -side)
        if graph.states[drawn].result:
            continue
        position = plain.copy()
        position.past_keys = Keys((drawn, drawn))
        expected = solved(graph, frozenset([drawn])).get(key, 0)
        assert claim(position, worker) == expected
        outcomes[expected] += 1
        if side == -1:  # the draw is the only way out
            position.push(worker.search(position, Limit(nodes=NODES)).turn)
            assert position.outcome() == Outcome.DRAW
    assert set(outcomes) == {0, 1} if side == 1 else {0}


@pytest.mark.parametrize("case", CYCLES, ids=lambda case: case.spec)
def test_the_search_sees_the_draw_that_a_turn_makes(case):
    """Before the last turn of the second round, the line of that turn ends with it, and is worth nothing."""
    position = case.played(2 * len(case.turns) - 1)
    result = Worker(hash_mb=16).search(position, Limit(depth=4, multipv=len(position.turns())))
    drawn = next(line for line in result.lines if line.pv[0] == case.turns[-1])
    assert (drawn.score.value, len(drawn.pv)) == (0, 1)


def test_a_finished_game_is_not_searched():
    position = ZERTZ.played(2 * len(ZERTZ.turns))
    result = Worker(hash_mb=16).search(position, Limit(depth=2))
    assert result.choice is None
    assert result.notice == "the game is over, the position has occurred three times [R-1]"


def test_keys_of_the_table_depend_on_the_draws_at_hand():
    assert salt_of([]) == 0
    assert len({salt_of(keys) for keys in ([], [5], [5, 7], [7])}) == 4
