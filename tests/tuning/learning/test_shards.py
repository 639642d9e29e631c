"""Shards of older versions: the state fields have other names there."""

import json
from pathlib import Path

import numpy as np
import pytest

from tengen.engine.games import names
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.tuning.learn.shards import RENAMED_FIELDS, PositionShard

OLD_SHARDS = Path(__file__).parent / "old_shards"
LAST_POSITIONS = {
    "dvonn": "-,-,-,D,-,-,-,-,B4*/-,-,-,B4,B2,-,-,-,D,W2/-,-,-,-,B3,-,-,-,W3,-,-/"
    "-,-,-,-,-,B4,B3,B3,-,-/-,-,-,B1,B1,-,-,-,- b m",
    "gipf:tournament": "..bb/w.Wb./..b.../bwbwwbB/wwb.../b..../..b. 6 0 w --",
    "zertz": "--.-/....-/....w./....w.-/--..../--.../---g 0,4,6 2,1,3 1,1,0 1",
    "gomoku,size=9": "........./........./..X.X..../....OX.O./..X.XOX../"
    "...OXOO../..XOOOXO./........X/...X..... w",
}


@pytest.mark.parametrize("text", LAST_POSITIONS)
def test_a_shard_of_an_older_version_is_read(text):
    spec = GameSpec.parse(text)
    shard = PositionShard.read(OLD_SHARDS / f"{spec.game.name}.npz", spec)
    assert shard.states.dtype == spec.game.rules.STATE
    assert Position.of_state(spec, shard.states[-1]).text() == LAST_POSITIONS[text]
    assert not any(spec.game.rules.check(state) for state in shard.states)
    assert shard.count == 1
    assert shard.plies[-1] == shard.turns[0] - 1


def test_old_shards_contain_every_renamed_field():
    layouts = [json.loads(str(np.load(path)["header"]))["layout"] for path in OLD_SHARDS.glob("*.npz")]
    assert {field.split()[0] for layout in layouts for field in layout} >= RENAMED_FIELDS.keys()


def test_no_state_has_a_field_with_an_old_name():
    for name in names():
        assert not RENAMED_FIELDS.keys() & {*GameSpec.parse(name).game.rules.STATE.names}
