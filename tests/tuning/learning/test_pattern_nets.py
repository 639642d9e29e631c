"""The pattern net of Gomoku: its sums are those of the reference, and how it is trained."""

import json
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from tengen.apps.cli import main as cli
from tengen.engine import games
from tengen.engine.gomoku import net
from tengen.engine.jit import COMPILED
from tengen.engine.nets import patterns as pattern_nets
from tengen.engine.nets.correction import Net
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.binding import bound
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.learn.features import inputs_of, values_of
from tengen.tuning.learn.nets.model import NetBatch, PatternModel
from tengen.tuning.learn.selfplay import SelfplaySettings
from tengen.tuning.learn.selfplay_run import Batch, play_batch
from tests.reference import reference
from tests.reference.lines import patterns
from tests.reference.repetition import Remembering
from tests.walks import scaled, walk

GOMOKU = games.find("gomoku")
SHAPE, RULES = net.SHAPE, GOMOKU.rules
BASE = replace(GOMOKU.evaluation.shipped(), net=None)
GOMOKUS = ["gomoku", "gomoku,size=7", "gomoku,size=20", "gomoku,exactly-five", "gomoku:renju"]
VARIANTS = [*GOMOKUS, "gobang,size=9", "gobang,size=9,capture-win=3"]  # their kernels are the same


def random_net(seed: int, size: int | None = None) -> Net:
    """Return a net of random numbers up to `size`, or as large as the format allows."""
    generator = np.random.default_rng(seed)
    numbers = {}
    for name, (kind, shape) in SHAPE.numbers.items():
        most = SHAPE.limits.get(name, np.iinfo(kind).max)
        most = min(most, size) if size else most
        numbers[name] = generator.integers(-most, most, shape, kind, endpoint=True)
    numbers["rows"][SHAPE.edge_patterns()] = 0
    return Net(numbers, {})


def positions(spec: str, seed: int, step: int):
    """Return some positions of a random game."""
    return [position.copy() for position in islice(walk(spec, seed), 2, None, step)]


def twin_of(position):
    """Return the position in the reference."""
    text = position.text()
    twin = reference(str(position.spec), text)
    return twin.position if isinstance(twin, Remembering) else twin


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize("spec", VARIANTS if COMPILED else VARIANTS[::3])
def test_values_and_policies_are_those_of_the_reference(spec):
    nets = [random_net(0), random_net(1, 300), random_net(2, 60)]
    plain = [{name: array.tolist() for name, array in found.numbers.items()} for found in nets]
    chosen = [p for seed in range(scaled(3)) for p in positions(spec, seed, 9 if COMPILED else 90)]
    states = np.array([position.state for position in chosen], RULES.STATE)
    linear = inputs_of(GOMOKU, BASE, states)[1]
    values = [values_of(GOMOKU, replace(BASE, net=found), states).tolist() for found in nets]
    memory = SHAPE.record(nets[1])
    for i, position in enumerate(chosen):
        twin = twin_of(position)
        lines = patterns.lines(twin)
        meant = [patterns.meanings(numbers, lines) for numbers in plain]
        for numbers, points, found in zip(plain, meant, values, strict=True):
            assert found[i] == patterns.value(numbers, twin, points, int(linear[i])), position
        assert net.prepare_policy(position.state, memory)
        for place, logit in patterns.policy(plain[1], twin, meant[1]).items():
            point = np.int64(place.column - 1 + (place.row - 1) * net.MAX_SIZE)
            assert net.policy(position.state, memory, point) == logit, (position, place)


def test_sums_follow_any_change_of_the_board():
    """Also to positions with other stones, and of another size, in any order."""
    chosen = [p.state for spec in VARIANTS for p in positions(spec, 5, 3)]
    memory, fresh, linear = SHAPE.record(random_net(4)), SHAPE.record(random_net(4)), np.int64(50)
    for i in np.random.default_rng(1).permutation(len(chosen)):
        fresh["width"] = 0
        assert net.correct(chosen[i], memory, linear) == net.correct(chosen[i], fresh, linear)


@pytest.mark.parametrize("spec", ["gomoku,size=12", "gobang,size=12"])
def test_sums_follow_a_search_down_and_up(spec):
    """More stones than the log has places for, put down and taken back, with other turns between."""
    line = [position.copy().state for position in walk(spec, 6)]
    assert len(line) > net.LOGGED
    memory, fresh, linear = SHAPE.record(random_net(4)), SHAPE.record(random_net(4)), np.int64(50)
    jumps = np.random.default_rng(2).integers(-3, 4, scaled(400))
    ways = [range(len(line)), range(len(line))[::-1], np.cumsum(jumps).clip(0, len(line) - 1).tolist()]
    for i in (i for way in ways for i in way):
        fresh["width"] = 0
        assert net.correct(line[i], memory, linear) == net.correct(line[i], fresh, linear)
        assert (memory["totals"] == fresh["totals"]).all()


def test_images_of_a_position_have_the_same_value():
    weights = replace(BASE, net=random_net(3, 300))
    for position in positions("gomoku", 3, 10):
        images = np.array(RULES.symmetries(position.state), RULES.STATE)
        assert len({*values_of(GOMOKU, weights, images).tolist()}) == 1


def test_stones_far_away_and_the_size_of_the_board_change_nothing():
    memory, values = SHAPE.record(random_net(3, 300)), set()
    for size, point in ((21, "L11"), (22, "L12"), (22, "M11")):
        position = Position.start(f"gomoku,size={size}")
        position.push(point)
        values.add(int(net.correct(position.state, memory, np.int64(0))))
    assert len(values) == 1


def test_no_sum_leaves_its_type():
    """The greatest numbers that the format allows, all of them together."""
    int16, int32 = np.iinfo(np.int16).max, np.iinfo(np.int32).max
    assert int16 >= pattern_nets.MAX_ROW * (pattern_nets.ROWS_PER_POINT + 1)
    assert pattern_nets.MAX_LAYER * int16 * pattern_nets.CHANNELS <= int32
    assert pattern_nets.MAX_MEANING * int16 * pattern_nets.CHANNELS <= int32
    assert int32 >= pattern_nets.MAX_MEANING * net.POINTS


def test_without_a_net_there_is_no_policy():
    position = Position.start("gomoku")
    assert not net.prepare_policy(position.state, SHAPE.record(None))


def test_a_search_uses_the_net_and_its_policy():
    position = positions("gomoku", 7, 6)[2]
    found = {}
    for name, weights in (("none", None), ("net", random_net(5, 60)), ("again", random_net(5, 60))):
        worker = Worker(hash_mb=1, weights=replace(BASE, net=weights))
        result = worker.search(position, Limit(depth=4))
        found[name] = (result.lines[0].score.value, result.nodes)
    assert found["net"] == found["again"] != found["none"]


# -------------------------------------------------------------------------------------------------- training


def test_integers_are_near_the_numbers_that_were_trained():
    torch = pytest.importorskip("torch")
    model, scale = PatternModel(SHAPE), 240.0
    floats, generator = model.initial(3), np.random.default_rng(3)
    floats["rows"] = generator.normal(0, 0.1, floats["rows"].shape).astype(np.float32)
    states = np.array([p.state for spec in VARIANTS for p in positions(spec, 1, 9)], RULES.STATE)
    inputs, linear, buckets = inputs_of(GOMOKU, BASE, states)
    quiet = buckets >= 0
    inputs, linear, buckets, states = inputs[quiet], linear[quiet], buckets[quiet], states[quiet]
    tensors = {name: torch.from_numpy(array) for name, array in floats.items()}
    model.constrain(torch, tensors, scale)
    found = Net(model.quantise({name: t.numpy() for name, t in tensors.items()}, scale), {})
    assert SHAPE.fault(found.numbers) is None
    again = model.quantise(model.restore(found.numbers, scale), scale)
    assert all((again[name] == array).all() for name, array in found.numbers.items())
    batch = NetBatch(inputs, (linear / scale).astype(np.float32), buckets.astype(np.int64))
    logits, policy = model.forward(torch, tensors, batch)
    values = values_of(GOMOKU, replace(BASE, net=found), states)
    assert np.allclose(values, scale * logits.numpy(), rtol=0.01, atol=5)
    memory, state = SHAPE.record(found), states[-1]
    assert net.prepare_policy(state, memory)
    for point in np.flatnonzero(inputs[-1] == pattern_nets.VACANT):
        assert abs(net.policy(state, memory, point) / pattern_nets.ONE - float(policy[-1, point])) < 0.1


def test_played_points_are_found_from_the_stones():
    spec = GameSpec.parse("gomoku")
    shard = play_batch(Batch(SelfplaySettings(spec, 1, None, 4, explore=0, branches=1), 0, 2))
    inputs = inputs_of(GOMOKU, BASE, shard.states)[0]
    next_ply = (np.diff(shard.plies) == 1) & (np.diff(shard.games) == 0)
    before = np.flatnonzero(next_ply)
    rules = bound(GOMOKU)
    for i, point in zip(before, SHAPE.played(inputs[before], inputs[before + 1]), strict=True):
        state = shard.states[i].copy()
        rules.do_move(state, np.int32(point))
        assert state.key == shard.states[i + 1].key


@pytest.mark.skipif(not COMPILED, reason="takes too long")
def test_command_trains_a_net_that_predicts_results_and_moves(tmp_path, capsys, monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setattr(PatternModel, "batch_size", 64)
    data, out = tmp_path / "games", tmp_path / "net.npz"
    play = ["selfplay", "--game", "gomoku,size=9", "--games", "60", "--depth", "1", "--branches", "1"]
    assert cli.main([*play, "--shard", "30", "--workers", "1", "--out", str(data)]) == 0
    capsys.readouterr()
    fit = ["fit", "--game", "gomoku", str(data), "--net", "--json", "--held-out", "0.3"]
    assert cli.main([*fit, "--epochs", "4", "--out", str(out)]) == 0
    report, weights = json.loads(capsys.readouterr().out), GOMOKU.evaluation.load(out)
    assert report["fingerprint"] == weights.fingerprint
    assert report["course"][1]["train"] < report["course"][0]["train"]
    assert report["rounding"] < 5
    assert np.abs(weights.net.numbers["rows"]).max() > 10
    assert not weights.net.numbers["rows"][SHAPE.edge_patterns()].any()
    assert out.stat().st_size < 2_000_000
    again = ["--epochs", "1", "--base", str(out), "--further", "--out", str(tmp_path / "further.npz")]
    assert cli.main([*fit, *again]) == 0
    assert json.loads(capsys.readouterr().out)["course"][0]["train"] < report["course"][0]["train"]
