"""Monte-Carlo tree search with a net: what the net says decides what is searched, and by how much."""

from dataclasses import replace

import numpy as np
import pytest

from tengen.engine import games
from tengen.engine.go.state import PASS
from tengen.engine.jit import StopFlag
from tengen.engine.nets.correction import Net
from tengen.engine.play.position import Position
from tengen.engine.weights import Weights
from tengen.search.limits.limit import Limit
from tengen.search.mcts.searcher import MctsSearch
from tengen.search.mcts.tree import Tree, child_range
from tengen.search.worker import Worker, parameters_of
from tests.engine.test_go_net import random_net

GO = games.find("go")
SPEC = "go,size=5,komi=0.5,rules=chinese"


def weights(**numbers: list[float]) -> Weights:
    """Return weights with a random net, in which some numbers are as given."""
    made = random_net(7)
    changed = {name: np.array(array, made.numbers[name].dtype) for name, array in numbers.items()}
    return replace(GO.evaluation.shipped(), net=Net({**made.numbers, **changed}, {}))


def grown(found: Weights | None, nodes: int = 300, spec: str = SPEC, tree: Tree | None = None) -> MctsSearch:
    """Return a search of the empty board after so many simulations."""
    limits = Limit(nodes=nodes, multipv=30)
    parameters = parameters_of(GO, found)
    search = MctsSearch(Position.start(spec), tree or Tree(8), StopFlag(), limits, parameters=parameters)
    search.run(None, lambda: False)
    return search


def used(search: MctsSearch) -> np.ndarray:
    """Return the nodes of the tree."""
    search.finish()
    return search._tree.nodes[: search._tree.used].copy()


def children(search: MctsSearch) -> np.ndarray:
    """Return the children of the root."""
    first, count = child_range(search._tree.nodes, 0)
    return search._tree.nodes[first : first + count]


def test_policy_orders_the_children_and_is_reported():
    search = grown(weights())
    found = children(search)
    assert found["policy"].sum() == pytest.approx(1, abs=1e-5)
    moves = found[found["action"] != PASS]  # the pass is considered early, whatever the net says
    assert (np.diff(moves["policy"]) <= 0).all()
    infos = search.infos()
    shares = {int(child["action"]): float(child["policy"]) for child in found}
    for info in infos:
        (action,) = Position.start(SPEC).parse_turn(info.pv[0])
        assert info.prior == pytest.approx(shares[action])
        assert 0 <= info.rate <= 1
    assert found["visits"].sum() == 300


def test_the_same_net_searches_the_same_tree():
    one, again = (used(grown(weights())) for _ in range(2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, used(grown(None)))


@pytest.mark.parametrize(
    ("options", "share", "visits"),
    [
        ("size=9,komi=7.5,rules=chinese", 0.9, 0),
        ("size=9,komi=6.5,rules=japanese", 0.9, 0),
        ("size=10,komi=7.5,rules=chinese", 0.5, 8),
        ("size=13,komi=5.5,rules=chinese", 0.5, 8),
        ("size=19,komi=7.5,rules=chinese", 0.5, 8),
        ("size=9,komi=0", 0.9, 0),
        ("size=9,komi=-8.01", None, 4),
        ("size=13,komi=6.5,rules=japanese", 0.5, 8),
        ("size=8,komi=7.5,rules=chinese", None, 4),
        ("size=13,komi=0.5,rules=chinese", 0.5, 8),
        ("size=13,komi=-8.5,rules=chinese", None, 4),
        ("size=19,komi=6.5,rules=japanese", 0.5, 8),
        ("size=19,komi=0,rules=japanese", 0.5, 8),
        ("size=19,komi=23.5,rules=japanese", None, 4),
        ("size=20,komi=7.5,rules=chinese", None, 4),
    ],
)
def test_boards_have_shipped_nets_of_their_own(options, share, visits):
    search = grown(None, 50, f"go,{options}")
    (record,) = search._records
    assert record["guided"] == (share is not None)
    assert record["expansion_visits"] == visits
    if share is not None:
        assert record["net"]["share"][0] == pytest.approx(share)


@pytest.mark.parametrize("spec", [SPEC, "go,size=3", "go,size=9,komi=7.5,rules=chinese"])
def test_threads_remember_nothing_of_another_search(spec):
    """Their records are used again, whatever net was in them, and whatever the size of the board."""
    before = weights(sizes=[2, 25])
    tree = Tree(8)
    for found in (None, before, None):
        grown(before, 20, "go,size=13,komi=0.5,rules=chinese", tree)
        tree.clear()
        search = grown(found, 50, spec, tree)
        assert np.array_equal(used(search), used(grown(found, 50, spec)))


def test_exploration_follows_the_policy():
    narrow = children(grown(weights(search=[0.0, 0.1, 1, 0])))
    wide = children(grown(weights(search=[5.0, 0.1, 1, 0])))
    followed = [np.corrcoef(found["visits"], found["policy"])[0, 1] for found in (narrow, wide)]
    assert followed[1] > followed[0] + 0.3


def test_the_share_of_the_net_decides_what_its_win_rate_counts_for():
    sure = {"value_output": np.zeros((32, 2)).tolist(), "value_output_bias": [9.0, 0.0]}
    rates = {}
    for share in (0.0, 0.95):
        search = grown(weights(share=[share], search=[1.0, 0.0, 1, 0], **sure))
        nodes = used(search)
        to_move = np.where(nodes["side_to_move"] == 0, nodes["value"], 1 - nodes["value"])
        rates[share] = to_move[(nodes["block"] > 0) & (np.arange(len(nodes)) > 0)].mean()
    assert rates[0.95] > rates[0.0] + 0.1  # a net that says that the side to move wins


def test_nodes_wait_for_as_many_visits_as_the_net_asks_for():
    for visits in (0, 1, 6):
        nodes = used(grown(weights(search=[1.0, 0.1, visits, 0])))
        expanded = nodes[1:][nodes["block"][1:] > 0]
        assert expanded["visits"].min() > visits
        waiting = nodes[1:][(nodes["block"][1:] == 0) & (nodes["proof"][1:] == 0)]
        assert waiting["visits"].max() <= visits


def test_a_net_that_carries_the_search_tells_win_rate_and_lead_of_each_leaf():
    sure = {"value_output": np.zeros((32, 2)).tolist(), "value_output_bias": [1.0, 2.0]}
    nodes = used(grown(weights(share=[0.999], search=[1.0, 0.1, 0, 0], **sure)))[1:]
    leaves = nodes[(nodes["visits"] == 1) & (nodes["block"] > 0)]
    sign = np.where(leaves["side_to_move"] == 0, 1, -1)
    assert len(leaves) > 50
    assert sign * leaves["margin"] == pytest.approx(2000, abs=5)  # 20 points for the side to move


def test_a_net_for_other_boards_changes_nothing():
    other = weights(sizes=[9, 19])
    assert np.array_equal(used(grown(other)), used(grown(None)))


def test_values_stay_win_rates_with_two_threads():
    worker = Worker(threads=2, hash_mb=8, weights=weights())
    result = worker.search(Position.start(SPEC), Limit(nodes=400, multipv=3))
    assert result.turn in Position.start(SPEC).turns()
    assert sum(info.visits for info in result.lines) <= 2000
    nodes = worker._tree.nodes[: worker._tree.used]
    seen = nodes[nodes["visits"] > 0]
    assert ((seen["value"] >= -0.01) & (seen["value"] <= 1.01)).all()
    assert (seen["weight"] >= seen["visits"]).all()


def test_a_tree_is_used_again_for_the_next_turn():
    tree, position = Tree(8), Position.start(SPEC)
    parameters = parameters_of(GO, weights())
    search = MctsSearch(position, tree, StopFlag(), Limit(nodes=300), parameters=parameters)
    search.run(None, lambda: False)
    best = search.finish()[0].pv[0]
    position.push(best)
    again = MctsSearch(position, tree, StopFlag(), Limit(nodes=1), parameters=parameters)
    assert int(again._root.visits) > 0
    assert children(again)["policy"].sum() == pytest.approx(1, abs=1e-5)
