"""Search guided by a policy and values from outside."""

import math
from functools import partial

import numpy as np
import pytest

import tengen
from tengen.engine.jit import COMPILED
from tests.rules.test_repetition import ZERTZ
from tests.walks import SPECS, position_after

EVERY = [listed[0] for listed in SPECS.values()]
SOME = [spec for spec in EVERY if spec.startswith("go,")]  # each game has kernels of its own


def ignorant(observations, masks):
    """Return a policy and values that know nothing."""
    return np.zeros(masks.shape, np.float32), np.zeros(len(masks), np.float32)


@pytest.mark.interpreted
@pytest.mark.parametrize("spec", SOME if COMPILED else EVERY)
def test_every_game_is_searched_and_all_simulations_are_counted(spec):
    position = tengen.Position(spec)
    found = tengen.GuidedSearch(spec, ignorant, batch_size=8).run(position, 100)
    assert found.simulations == 100
    assert found.visits.sum() == 99, "the first one is the root's"
    assert found.policy.sum() == pytest.approx(1)
    assert position.legal_mask()[found.action]
    assert not found.visits[~position.legal_mask()].any()
    assert -1 <= found.value <= 1


@pytest.mark.parametrize("batch_size", [1, 16])
def test_a_win_in_one_is_found_without_any_knowledge(batch_size):
    position = position_after("gomoku,size=7", "A1 A2 B1 B2 C1 C2 D1 D2")
    search = tengen.GuidedSearch(position.spec, ignorant, batch_size=batch_size)
    found = search.run(position, 400)
    assert position.turn_of(found.action) == "E1"
    assert found.value > 0.5
    position.push("G7")
    found = search.run(position, 400)  # the other side wins now
    assert position.turn_of(found.action) == "E2"
    assert found.value > 0.5


def test_the_policy_decides_where_values_say_nothing():
    position = tengen.Position("gomoku,size=9")
    wanted = position.action_of("C7")[0]

    def evaluate(observations, masks):
        logits = np.zeros(masks.shape, np.float32)
        logits[:, wanted] = 5
        return logits, np.zeros(len(masks))

    assert tengen.GuidedSearch(position.spec, evaluate).run(position, 50).action == wanted


def test_values_are_those_of_the_side_to_move():
    """Whoever evaluates loves stones on A1: the first side plays there, and its value is high."""
    position = tengen.Position("gomoku,size=5")

    def evaluate(observations, masks):
        return np.zeros(masks.shape), observations[:, 0, 0, 0] - observations[:, 1, 0, 0]

    found = tengen.GuidedSearch(position.spec, evaluate, batch_size=4).run(position, 500)
    assert position.turn_of(found.action) == "A1"
    assert found.value > 0.5


def test_leaves_come_in_batches_with_their_masks():
    sizes, position = [], tengen.Position("gomoku,size=9")

    def evaluate(observations, masks):
        assert observations.shape == (len(masks), 5, 9, 9)
        assert (masks.sum(axis=1) == 81 - observations[:, :2].sum(axis=(1, 2, 3))).all()
        sizes.append(len(masks))
        return ignorant(observations, masks)

    tengen.GuidedSearch(position.spec, evaluate, batch_size=16).run(position, 401)
    assert sizes[0] == 1
    assert max(sizes) == 16
    assert np.mean(sizes[5:]) > 8


def test_noise_changes_what_is_looked_at_and_its_seed_repeats_it():
    position = tengen.Position("gomoku,size=7")

    def visits(**settings):
        return tengen.GuidedSearch(position.spec, ignorant, **settings).run(position, 100).visits.tolist()

    noisy = {"noise": (0.3, 0.5)}
    assert visits(**noisy, seed=1) == visits(**noisy, seed=1) != visits(**noisy, seed=2)
    assert visits() == visits()


def test_a_repeated_position_is_a_draw():
    position = ZERTZ.played(2 * len(ZERTZ.turns) - 1)  # one turn is left, which repeats it
    search = tengen.GuidedSearch(position.spec, lambda _, masks: (np.zeros(masks.shape), np.ones(len(masks))))
    assert abs(search.run(position, 100).value) < 0.05


@pytest.mark.interpreted
@pytest.mark.parametrize("spec", SOME if COMPILED else EVERY)
def test_a_search_is_a_player_in_every_game(spec):
    search = tengen.GuidedSearch(spec, ignorant)
    position = tengen.Position(spec)
    for _ in range(4):
        position.push(search.play(position, tengen.Limit(nodes=30)))


def test_a_player_keeps_what_it_knows_of_the_position_that_is_reached():
    asked = []

    def evaluate(observations, masks):
        asked.append(len(masks))
        logits = np.zeros(masks.shape, np.float32)
        logits[:, :3] = 5
        return logits, np.zeros(len(masks))

    search, position = tengen.GuidedSearch("gomoku,size=7", evaluate), tengen.Position("gomoku,size=7")

    def evaluations(position) -> int:
        asked.clear()
        search.play(position, tengen.Limit(nodes=200))
        return sum(asked)

    assert evaluations(position) == 200
    assert evaluations(position) == 0, "all of it is known"
    other = position.copy()
    other.push("G7")
    position.push("A1")
    assert 0 < evaluations(position) < 190
    assert evaluations(other) == 200, "another game"
    search.new_game()
    assert evaluations(other) == 200


def test_a_player_minds_the_time_and_plays_matches():
    search = tengen.GuidedSearch("gomoku,size=7", ignorant)
    result = tengen.match(search, "random", game="gomoku,size=7", games=2, limit=tengen.Limit(nodes=100))
    assert result.wins == 2
    position = tengen.Position("gomoku,size=7")
    assert search.play(position, tengen.Limit(time=0.05)) in position.legal_turns
    with pytest.raises(tengen.OptionError, match="limit: expected nodes or a time"):
        search.play(position, tengen.Limit(depth=3))


def test_a_search_begins_within_a_turn():
    position = tengen.Position("zertz")
    position.step(position.legal_actions()[0])
    found = tengen.GuidedSearch("zertz", ignorant).run(position, 50)
    assert found.action in position.legal_actions()


@pytest.mark.parametrize(
    ("evaluate", "words"),
    [
        (lambda o, m: (np.zeros((1, 2)), np.zeros(1)), r"evaluate: expected arrays of shapes \(1, 49\)"),
        (lambda o, m: (np.zeros(m.shape), np.zeros((1, 1))), "evaluate: expected arrays of shapes"),
        (lambda o, m: (np.full(m.shape, np.nan), np.zeros(1)), "evaluate: expected finite numbers"),
        (lambda o, m: (np.zeros(m.shape), np.full(1, np.inf)), "expected values from -1 to 1, got inf"),
        (lambda o, m: (np.zeros(m.shape), np.full(1, np.nan)), "expected values from -1 to 1, got nan"),
        (lambda o, m: (np.zeros(m.shape), np.full(1, -1.5)), "expected values from -1 to 1, got -1.5"),
    ],
)
def test_evaluations_that_cannot_be_are_refused(evaluate, words):
    position = tengen.Position("gomoku,size=7")
    with pytest.raises(tengen.OptionError, match=words):
        tengen.GuidedSearch(position.spec, evaluate).run(position, 10)


def test_a_root_that_is_only_expanded_has_the_priors_as_policy():
    def evaluate(observations, masks):
        return np.tile(np.arange(masks.shape[1]) / 10, (len(masks), 1)), np.zeros(len(masks))

    found = tengen.GuidedSearch("gomoku,size=5", evaluate).run(tengen.Position("gomoku,size=5"), 1)
    assert not found.visits.any()
    expected = np.exp(np.arange(25) / 10)
    assert found.policy == pytest.approx(expected / expected.sum(), rel=1e-3)
    assert 0 <= found.sample(np.random.default_rng(1)) < 25


def test_what_cannot_be_searched_is_refused():
    over = position_after("gomoku,size=7", "A1 A2 B1 B2 C1 C2 D1 D2 E1")
    search = tengen.GuidedSearch(over.spec, ignorant)
    for call in (
        lambda: search.run(over, 10),
        lambda: search.run(tengen.Position("go"), 10),
        lambda: search.run(tengen.Position(over.spec), 0),
        lambda: search.run("go", 10),
        lambda: tengen.GuidedSearch("go", None),
        lambda: tengen.GuidedSearch(over.spec, lambda *_: 1).run(tengen.Position(over.spec), 10),
        lambda: tengen.GuidedSearch("go", ignorant, batch_size=0),
        *(
            partial(tengen.GuidedSearch, "go", ignorant, noise=noise)
            for noise in (5, (0.3,), ("a", 1), (-1, 0.25), (0.3, 2), (math.nan, 0.25))
        ),
        lambda: tengen.GuidedSearch("gipf:tournament,zertz=1,challenges=1", ignorant),
    ):
        with pytest.raises(tengen.TengenError):
            call()


def test_an_error_of_the_function_leaves_the_search_usable():
    position, calls = tengen.Position("gomoku,size=7"), []

    def evaluate(observations, masks):
        calls.append(len(masks))
        if len(calls) == 3:
            raise RuntimeError("out of memory")
        return ignorant(observations, masks)

    search = tengen.GuidedSearch(position.spec, evaluate)
    with pytest.raises(RuntimeError, match="out of memory"):
        search.run(position, 100)
    assert search.run(position, 100).simulations == 100


def opened(spec: str, *turns: str) -> tengen.Position:
    position = tengen.Position(spec)
    for turn in turns:
        position.push(turn)
    return position


@pytest.mark.parametrize("batch_size", [1, 8])
def test_many_trees_share_calls_and_find_what_each_finds_alone(batch_size):
    sizes = []

    def evaluate(observations, masks):
        sizes.append(len(masks))
        own, others = (observations[:, plane].reshape(len(masks), -1) for plane in (0, 1))
        weights = np.linspace(-1, 1, own.shape[1], dtype=np.float32)
        return np.tile(weights, (len(masks), 1)), np.tanh((own - others) @ weights)

    positions = [opened("gomoku,size=7", turn) for turn in ("D4", "A1", "C3", "E5", "G7")]
    over = opened("gomoku,size=7", "A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1")
    alone = [
        tengen.GuidedSearch(over.spec, evaluate, batch_size=batch_size).run(one, 60) for one in positions
    ]
    sizes.clear()
    search = tengen.GuidedSearch(over.spec, evaluate, batch_size=batch_size)
    *found, none = search.run_many([*positions, over], 60)
    assert none is None
    assert max(sizes) == 5 * batch_size
    for one, other in zip(found, alone, strict=True):
        assert one.visits.tolist() == other.visits.tolist()
        assert one.value == pytest.approx(other.value)


def test_trees_go_on_with_the_games_that_have_their_numbers():
    counted = []

    def evaluate(observations, masks):
        counted.append(len(masks))
        return ignorant(observations, masks)

    positions = [opened("go,size=5", turn) for turn in ("C3", "A1", "B2")]
    search = tengen.GuidedSearch("go,size=5", evaluate)
    for position, found in zip(positions, search.run_many(positions, 200), strict=True):
        position.step(found.action)
    counted.clear()
    assert [found.simulations for found in search.run_many(positions, 200)] == [200, 200, 200]
    kept = 600 - sum(counted)
    assert kept > 3, "what the trees knew of these positions"
    search.new_game()
    counted.clear()
    search.run_many(positions, 200)
    assert sum(counted) > 600 - kept


def test_a_batch_is_searched_and_actions_are_drawn_by_visits():
    batch = tengen.Batch("dvonn", games=3, seed=1)
    batch.step(batch.sample())
    found = tengen.GuidedSearch("dvonn", ignorant).run_many(batch, 50)
    batch.step([each.action for each in found])
    random = np.random.default_rng(1)
    drawn = {found[0].sample(random) for _ in range(200)}
    assert len(drawn) > 10
    assert found[0].visits[list(drawn)].all()
    assert {found[0].sample(random, 1e-3) for _ in range(20)} <= set(
        np.flatnonzero(found[0].visits == found[0].visits.max())
    )
    with pytest.raises(tengen.OptionError, match="temperature: expected a number above 0, got 0"):
        found[0].sample(random, 0)
