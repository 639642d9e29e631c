"""Pattern nets that a teacher teaches: the positions they learn from, the training, and the command."""

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from tengen.apps.cli import main as cli
from tengen.engine import games
from tengen.engine.jit import COMPILED
from tengen.engine.nets.patterns import OTHER, OUTSIDE, OWN, VACANT
from tengen.engine.spec import GameSpec
from tengen.search.binding import bound
from tengen.tuning.learn import distillation
from tengen.tuning.learn.features import MOST_ADDED, inputs_of, varied_inputs
from tengen.tuning.learn.nets.training import NetSettings
from tengen.tuning.learn.samples import Split
from tengen.tuning.learn.samples import load_inputs as load
from tengen.tuning.learn.trainer import TrainingError
from tests.tuning.learning import Interruption, interrupt
from tests.walks import scaled, walk

GOMOKU = games.find("gomoku")
BASE = GOMOKU.evaluation.shipped()
SIDE = 22  # points on a side of the largest board


def stones(inputs, side: int) -> list[set[int]]:
    """Return the points of Black's and of White's stones, as `side` to move sees them."""
    found = [set(np.flatnonzero(inputs == content).tolist()) for content in (OWN, OTHER)]
    return found if side == 0 else found[::-1]


def replayed(spec: str, black: set[int], white: set[int]):
    """Return the state after these stones, put down in turn."""
    rules = bound(GOMOKU)
    state = rules.start(GameSpec.parse(spec).values)
    for turn in range(len(black) + len(white)):
        rules.do_move(state, np.int32((white if turn % 2 else black).pop()))
    return state


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize("spec", ["gomoku", "gomoku,size=9", "gomoku:exactly-five", "gomoku:renju"])
def test_positions_are_varied_by_turns_of_both_sides(spec):
    chosen = [p.state.copy() for seed in range(scaled(4)) for p in islice(walk(spec, seed), 2, 30, 3)]
    states = np.array([s for s in chosen if s["result"] == 0], GOMOKU.rules.STATE)
    before, *_ = inputs_of(GOMOKU, BASE, states)
    inputs, linear, buckets = varied_inputs(GOMOKU, BASE, states, np.random.default_rng(1))
    again = varied_inputs(GOMOKU, BASE, states, np.random.default_rng(1))
    assert all((a == b).all() for a, b in zip(again, (inputs, linear, buckets), strict=True))
    rules, added = bound(GOMOKU), []
    for i, state in enumerate(states):
        old = stones(before[i], int(state["side_to_move"]))
        count = int((np.isin(inputs[i], (OWN, OTHER)).sum()) - sum(map(len, old)))
        added.append(count)
        assert 0 <= count <= MOST_ADDED
        new = stones(inputs[i], (int(state["side_to_move"]) + count) % 2)
        assert all(was <= now for was, now in zip(old, new, strict=True))
        assert ((inputs[i] == OUTSIDE) == (before[i] == OUTSIDE)).all()
        reached = replayed(spec, *new)
        assert rules.outcome(reached) == 0
        seen, value, bucket = inputs_of(GOMOKU, BASE, np.array([reached], GOMOKU.rules.STATE))
        assert (seen[0] == inputs[i]).all()
        assert (value[0], bucket[0]) == (linear[i], buckets[i])
        assert buckets[i] >= 0 or count == 0
    assert max(added) > 1


# -------------------------------------------------------------------------------------------------- training


@pytest.fixture
def small(monkeypatch):
    """Make teachers and batches small."""
    pytest.importorskip("torch")
    for name, number in (("BLOCKS", 2), ("CHANNELS", 8), ("TEACHER_BATCH", 64), ("PUPIL_BATCH", 64)):
        monkeypatch.setattr(distillation, name, number)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    if not COMPILED:
        pytest.skip("takes too long")
    made = tmp_path_factory.mktemp("games")
    command = ["selfplay", "--game", "gomoku,size=9", "--games", "40", "--shard", "20", "--depth", "1"]
    assert cli.main([*command, "--branches", "1", "--workers", "1", "--out", str(made / "gomoku")]) == 0
    return made / "gomoku"


def trained(folder, checkpoint=None, on_epoch=None, on_batch=None, **options):
    settings = NetSettings(GameSpec.parse("gomoku"), BASE, held_out=0.3, epochs=2, teacher=2, **options)
    data = load(settings.game, BASE, [folder], Split(settings.held_out, settings.seed), with_bases=True)
    return data, distillation.Pupil(settings, data, checkpoint).learn(on_epoch, on_batch).result()


@pytest.mark.usefixtures("small")
def test_training_goes_on_after_an_interruption_of_the_teacher_or_the_net(folder, tmp_path):
    data, whole = trained(folder)
    told = whole.weights.net.origin["teacher"]
    assert (told["epochs"], told["blocks"], told["channels"]) == (2, 2, 8)
    assert len(data.bases) > len(data.train) / 2

    batches = []

    def interrupt_second(number, total):
        batches.append(number)
        if batches.count(1) == 2:
            raise Interruption

    checkpoint = tmp_path / "net.checkpoint"
    with pytest.raises(Interruption):
        trained(folder, checkpoint, on_batch=interrupt_second)
    assert [path.name for path in tmp_path.iterdir()] == ["net.checkpoint.teacher"]
    with pytest.raises(Interruption):
        trained(folder, checkpoint, interrupt)
    epochs: list[int] = []
    resumed = trained(folder, checkpoint, lambda epoch, *losses: epochs.append(epoch))[1]
    assert epochs == [2]
    assert resumed.weights.fingerprint == whole.weights.fingerprint
    with pytest.raises(TrainingError, match="of the same data and options, got another"):
        trained(folder, checkpoint, seed=2)


@pytest.mark.usefixtures("small")
def test_a_teacher_learns_and_knows_which_points_may_be_played(folder):
    torch = pytest.importorskip("torch")
    settings = NetSettings(GameSpec.parse("gomoku"), BASE, held_out=0.3, teacher=6)
    data = load(settings.game, BASE, [folder], Split(settings.held_out, settings.seed), with_bases=True)
    teacher = distillation.Teacher(torch, settings, data, "cpu", None)
    teacher.learn()
    assert (teacher.history[-1, :2] < teacher.history[0, :2]).all()
    rates, policies = teacher.say(data.train.inputs, data.train.buckets.astype(np.int64))
    assert ((rates > 0) & (rates < 1)).all()
    vacant = data.train.inputs[:, teacher.points] == VACANT
    assert teacher.points.tolist() == [SIDE * y + x for y in range(9) for x in range(9)]
    assert policies.numpy()[~vacant].max() < 1e-6
    assert np.allclose(policies.sum(1), 1, atol=1e-4)


@pytest.mark.usefixtures("small")
def test_command_trains_a_net_by_a_teacher(folder, tmp_path, capsys):
    out = tmp_path / "net.npz"
    command = ["fit", "--game", "gomoku", str(folder), "--net", "--teacher", "1", "--epochs", "1"]
    command += ["--held-out", "0.3", "--further", "--device", "cpu"]
    capsys.readouterr()
    assert cli.main([*command, "--json", "--out", str(out)]) == 0
    report, weights = json.loads(capsys.readouterr().out), GOMOKU.evaluation.load(out)
    assert report["fingerprint"] == weights.fingerprint
    assert report["teacher"] == weights.net.origin["teacher"]
    assert [path.name for path in tmp_path.iterdir()] == ["net.npz"]
    assert cli.main([*command, "--out", str(out)]) == 0
    loss = report["teacher"]["loss"]
    line = f"teacher    1 epochs   loss {loss['learned']:.5f} held out {loss['held_out']:.5f}"
    assert line in capsys.readouterr().out
