"""Alpha-beta search with values from outside."""

import itertools

import numpy as np
import pytest

import tengen
from tests.rules.test_repetition import ZERTZ
from tests.walks import position_after, scaled, some_of

# Small boards, with the depth in actions to which minimax looks.
SMALL = {
    "gomoku,size=5": 3,
    "gomoku:exactly-five,size=5": 2,
    "gobang,size=5,capture-win=2": 3,
    "go,size=3": 4,
    "go,size=5,rules=chinese,komi=0.5": 2,
    "dvonn": 2,
    "zertz": 3,
    "gipf:basic": 2,
}


def judge(observations, masks):
    """Return values that differ from position to position, with no sense."""
    seen = observations.reshape(len(observations), -1)
    return np.tanh(seen @ np.sin(np.arange(1, seen.shape[1] + 1) ** 2)).astype(np.float32)


def minimax(position: tengen.Position, depth: int) -> dict[int, float]:
    """Return the values of the actions for the side to move, from the rules alone; sooner wins count more."""
    actions, side = position.legal_actions(), position.stepped_state.side_to_move
    after = [position.copy() for _ in actions]
    for child, action in zip(after, actions, strict=True):
        child.step(action)
    if depth == 1 and (going := [child for child in after if child.legal_actions()]):
        batch = tengen.Batch.of(going, threads=1)
        judged = iter(judge(batch.observation(), batch.legal_mask()).tolist())
    values = []
    for child in after:
        outcome = tengen.Outcome(int(position.spec.game.rules.outcome(child.stepped_state)))
        if outcome == tengen.Outcome.DRAW:
            values.append(0.0)
        elif outcome:
            values.append((10.0 + depth) * (1 if outcome == tengen.Outcome.FIRST_WINS + side else -1))
        else:
            value = next(judged) if depth == 1 else max(minimax(child, depth - 1).values())
            values.append(value if child.stepped_state.side_to_move == side else -value)
    return dict(zip(actions, values, strict=True))


def leaves(position: tengen.Position, depth: int) -> int:
    """Return about how many positions lie so many actions after one, from the numbers along one line."""
    number, walker = 1, position.copy()
    for _ in range(depth):
        if not (actions := walker.legal_actions()):
            break
        number *= len(actions)
        walker.step(actions[0])
    return number


@pytest.mark.parametrize("spec", SMALL)
def test_it_finds_what_minimax_finds(spec):
    search, depth, compared = tengen.ValueSearch(spec, judge), SMALL[spec], 0
    for seed in itertools.count():
        for position in some_of(spec, seed, slice(seed % 4, None, 4))[-8:]:
            if not 0 < len(position.legal_actions()) ** depth <= 300:
                continue
            found = search.run(position, tengen.Limit(depth=depth))
            values = minimax(position, depth)
            value = max(values.values())
            assert found.value == pytest.approx(max(-1, min(1, value)), abs=1e-6)
            assert found.proven == (abs(value) > 1)
            assert values[found.action] == pytest.approx(value, abs=1e-6)
            compared += 1
        if compared >= scaled(12):
            return


def test_it_wins_in_one_stops_a_win_and_knows_what_is_proven():
    search = tengen.ValueSearch("gomoku,size=7", lambda observations, masks: np.zeros(len(masks)))
    position = position_after("gomoku,size=7", "A1 A2 B1 B2 C1 C2 D1")
    found = search.run(position, tengen.Limit(depth=2))
    assert position.turn_of(found.action) == "E1"
    assert (found.value, found.proven, found.depth) == (0, False, 2)
    position.push("G7")
    found = search.run(position, tengen.Limit(depth=4))
    assert position.turn_of(found.action) == "E1"
    assert (found.value, found.proven, found.depth) == (1, True, 1)


def test_the_evaluator_of_a_guided_search_fits_and_values_are_those_of_the_side_to_move():
    def evaluate(observations, masks):
        values = observations[:, 0, 0, 0] - observations[:, 1, 0, 0]  # stones on A1
        return np.zeros(masks.shape), values

    position = tengen.Position("gomoku,size=5")
    for depth in (1, 2, 3):
        found = tengen.ValueSearch(position.spec, evaluate).run(position, tengen.Limit(depth=depth))
        assert position.turn_of(found.action) == "A1"
        assert (found.value, len(found.pv)) == (1, depth)
        assert not found.proven, "a value of 1 is no win by the rules"


def test_positions_after_one_are_evaluated_together_and_once():
    seen = []

    def evaluate(observations, masks):
        seen.extend(observation.tobytes() for observation in observations)
        sizes.append(len(masks))
        return judge(observations, masks)

    sizes, position = [], tengen.Position("gomoku,size=5")
    search = tengen.ValueSearch(position.spec, evaluate)
    search.run(position, tengen.Limit(depth=1))
    assert sizes == [25]
    found = search.run(position, tengen.Limit(depth=3))
    asked = len(seen)
    search.run(position, tengen.Limit(depth=3))
    position.step(found.action)
    search.run(position, tengen.Limit(depth=2))
    assert len(seen) == asked, "it is all known"
    search.new_game()
    search.run(position, tengen.Limit(depth=2))
    assert len(seen) > asked


def test_the_limits_end_an_iteration_and_the_first_one_is_always_finished():
    search, position = tengen.ValueSearch("gomoku,size=7", judge), tengen.Position("gomoku,size=7")
    assert search.run(position, tengen.Limit(nodes=1)).depth == 1
    found = search.run(position, tengen.Limit(nodes=5000))
    assert found.depth > 1
    assert found.nodes < 5100
    for limit in (tengen.Limit(time=0.05), tengen.Limit(clock=tengen.Clock(2.0))):
        assert search.play(position, limit) in position.legal_turns


def test_a_position_that_has_occurred_twice_is_a_draw():
    """There is one turn, of two jumps, after which the other side wins, so they say."""
    position = ZERTZ.played(2 * len(ZERTZ.turns) - 1)
    search = tengen.ValueSearch(position.spec, lambda observations, masks: np.ones(len(masks)))
    assert search.run(position, tengen.Limit(depth=2)).value == 0


@pytest.mark.parametrize("spec", ["gomoku,size=5", "go,size=3", "dvonn", "zertz", "gipf:basic"])
def test_it_is_a_player_in_every_game(spec):
    search, position = tengen.ValueSearch(spec, judge), tengen.Position(spec)
    for _ in range(3):
        position.push(search.play(position, tengen.Limit(nodes=60)))


def test_it_plays_matches():
    search = tengen.ValueSearch("gomoku,size=7", judge)
    result = tengen.match(search, "random", game="gomoku,size=7", games=2, limit=tengen.Limit(depth=2))
    assert result.wins == 2


@pytest.mark.parametrize(
    ("evaluate", "words"),
    [
        (lambda o, m: np.zeros((len(m), 1)), r"values of shape \(49,\), got \(49, 1\)"),
        (lambda o, m: np.full(len(m), 1.5), "values from -1 to 1, got 1.5"),
        (lambda o, m: np.full(len(m), np.nan), "values from -1 to 1, got nan"),
    ],
)
def test_values_that_cannot_be_are_refused(evaluate, words):
    with pytest.raises(tengen.OptionError, match=f"evaluate: expected {words}"):
        tengen.ValueSearch("gomoku,size=7", evaluate).run(
            tengen.Position("gomoku,size=7"), tengen.Limit(depth=1)
        )


def test_what_cannot_be_searched_is_refused():
    over = position_after("gomoku,size=7", "A1 A2 B1 B2 C1 C2 D1 D2 E1")
    search, limit = tengen.ValueSearch(over.spec, judge), tengen.Limit(depth=1)
    for call in (
        lambda: search.run(over, limit),
        lambda: search.run(tengen.Position("dvonn"), limit),
        lambda: search.run(tengen.Position(over.spec), tengen.Limit()),
        lambda: search.run(tengen.Position(over.spec), 1.0),
        lambda: tengen.ValueSearch("go", None),
        lambda: tengen.ValueSearch("gipf:tournament,zertz=1,challenges=1", judge),
    ):
        with pytest.raises(tengen.TengenError):
            call()
