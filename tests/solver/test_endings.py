"""The tool that counts how many endings are solved."""

import random

import numpy as np
import pytest

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.tuning.learn.shards import PositionShard
from tests.solver.dvonn import margins
from tests.tools.endings import Trial, choose, positions, solve, table_of

SPEC = GameSpec.parse("dvonn")
FIRST = 7  # number of the shard's first game


@pytest.fixture(scope="module")
def shard():
    """Three random games, all their positions."""
    generator, states, games, plies, results = random.Random(5), [], [], [], []
    for game in range(FIRST, FIRST + 3):
        position = Position.start(SPEC)
        while position.outcome() == Outcome.ONGOING:
            states.append(position.state.copy())
            games.append(game)
            plies.append(len(position.turns_played))
            position.push(generator.choice(position.turns()))
        results.append((int(position.outcome()), len(position.turns_played)))
    outcomes, turns = np.array(results).T
    return PositionShard(
        game=SPEC,
        settings={},
        first=FIRST,
        states=np.array(states, SPEC.game.rules.STATE),
        scores=np.zeros(len(states), np.int32),
        plies=np.array(plies, np.int32),
        games=np.array(games, np.int64),
        results=outcomes.astype(np.int8),
        turns=turns.astype(np.int32),
        inner=np.zeros(len(states), np.bool_),
    )


def test_positions_are_so_many_turns_before_the_end(shard):
    last, *_ = choose(shard, 1)
    position = Position.parse(SPEC, last)
    after = [position.copy() for _ in position.turns()]
    for copy, turn in zip(after, position.turns(), strict=True):
        copy.push(turn)
    assert any(copy.outcome() != Outcome.ONGOING for copy in after)
    assert len(list(choose(shard, 3))) == 3


def test_the_seed_decides_which_positions_are_taken(shard, tmp_path):
    path = tmp_path / "shard.npz"
    path.write_bytes(shard.pack())
    all_three = positions([path], 2, 9, 1)
    assert len(all_three) == 3
    assert positions([path], 2, 2, 1) == all_three[:2]


def test_endings_are_solved_within_a_limit_of_time():
    text, margin = max(margins(), key=lambda case: case[1])
    trial = solve(text, 60.0, 1)
    assert trial.sign == (margin > 0) - (margin < 0)
    assert trial.winner is not None
    assert solve(text, 0.0, 1).winner is None


def test_table_counts_what_is_solved_within_parts_of_the_limit():
    trials = [Trial(100, 1.0, 1.0, 1), Trial(300, 1.0, 2.0, -1), Trial(400, 2.0, None, None)]
    *lines, total = table_of(trials, 4.0)
    assert lines[1:] == [
        "winner within 1 s: 1 of 3",
        "winner within 2 s: 2 of 3",
        "winner within 4 s: 2 of 3",
    ]
    assert total == "800 positions in 4 s, 200 a second"
