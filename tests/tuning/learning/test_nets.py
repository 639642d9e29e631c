"""Nets: what they see, that their sums are those of the reference, how they are trained, what is refused."""

import json
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from tengen.apps.cli import main as cli
from tengen.engine import games
from tengen.engine.errors import TengenError
from tengen.engine.extras import install_command
from tengen.engine.jit import COMPILED
from tengen.engine.nets.correction import SECOND, WIDTH, Net, NetShape
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.weights import Weights, WeightsError
from tengen.search.binding import bound
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.learn import samples
from tengen.tuning.learn.features import inputs_of, values_of
from tengen.tuning.learn.nets.model import NetBatch, RowModel
from tengen.tuning.learn.nets.training import NetSettings, NetTrainer
from tengen.tuning.learn.samples import Split
from tengen.tuning.learn.samples import load_inputs as load
from tengen.tuning.learn.selfplay import SelfplaySettings
from tengen.tuning.learn.selfplay_run import Batch, play_batch
from tengen.tuning.learn.trainer import TrainingError, read_checkpoint, write_checkpoint
from tests.reference import reference
from tests.reference.nets import INPUTS, value
from tests.reference.repetition import Remembering
from tests.tuning.learning import Interruption, interrupt
from tests.walks import FIRST_SEED, scaled, specs, walk

DVONN = games.find("dvonn")
EVALUATION = DVONN.evaluation
SHAPE = EVALUATION.net
BASE = replace(EVALUATION.shipped(), net=None)
WITH_NETS = [
    name for name in games.names() if (made := games.find(name).evaluation) and isinstance(made.net, NetShape)
]


def base_of(game) -> Weights:
    """Return the shipped weights of a game without their net."""
    return replace(game.evaluation.shipped(), net=None)


def random_net(seed: int, first: int | None = None, shape: NetShape = SHAPE) -> Net:
    """Return a net of random numbers, as large as the format allows."""
    generator = np.random.default_rng(seed)
    sizes = {"first": first or shape.most_of_a_row, "bias": shape.most_of_a_row, "share": 400}
    numbers = {
        name: generator.integers(-sizes.get(name, 2000), sizes.get(name, 2000) + 1, lengths).astype(kind)
        for name, (kind, lengths) in shape.numbers.items()
    }
    return Net(numbers, {})


def positions(number: int, name: str = "dvonn"):
    """Yield positions of random games of every variant for which the net is."""
    for seed in range(FIRST_SEED, FIRST_SEED + number):
        for spec in specs(name):
            for position in islice(walk(spec, seed), None if COMPILED else 70):
                if bound(games.find(name)).bucket(position.state) >= 0:
                    yield position


# ------------------------------------------------------------------------------------------------------ sums


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize("name", WITH_NETS)
def test_inputs_and_values_are_those_of_the_reference(name):
    game = games.find(name)
    shape, base = game.evaluation.net, base_of(game)
    nets = [random_net(0, None, shape), random_net(1, 20, shape), random_net(2, 4, shape)]
    plain = [{name: array.tolist() for name, array in net.numbers.items()} for net in nets]
    chosen = [position.copy() for position in positions(scaled(40 // len(specs(name))), name)]
    chosen = chosen[:: 3 if COMPILED else 60]
    states = np.array([position.state for position in chosen], game.rules.STATE)
    inputs, linear, buckets = inputs_of(game, base, states)
    found = [values_of(game, replace(base, net=net), states).tolist() for net in nets]
    if COMPILED:
        assert len({*buckets.tolist()}) > shape.buckets // 2
    for i, position in enumerate(chosen):
        text = game.text.format_position(position.state)
        twin = reference(str(position.spec), text)
        expected = INPUTS[name](twin.position if isinstance(twin, Remembering) else twin)
        assert sorted(inputs[i, inputs[i] < shape.inputs].tolist()) == expected, text
        for numbers, values in zip(plain, found, strict=True):
            assert values[i] == value(numbers, expected, int(buckets[i]), int(linear[i])), text


@pytest.mark.parametrize("name", WITH_NETS)
def test_images_of_a_position_have_the_same_inputs(name):
    game = games.find(name)
    for position in [*positions(scaled(20 // len(specs(name))), name)][::9]:
        states = np.array(game.rules.symmetries(position.state), game.rules.STATE)
        inputs = [sorted(row.tolist()) for row in inputs_of(game, base_of(game), states)[0]]
        assert all(row == inputs[0] for row in inputs)


@pytest.mark.parametrize("name", WITH_NETS)
def test_no_sum_leaves_its_type(name):
    """The greatest numbers that the format allows, all of them active together."""
    shape = games.find(name).evaluation.net
    most = shape.most_of_a_row
    assert most * (shape.most + 1) <= np.iinfo(np.int16).max
    assert np.iinfo(np.int16).max * 255 * WIDTH <= np.iinfo(np.int32).max


def test_positions_that_the_net_is_not_for_keep_their_linear_value():
    others = [p.copy() for p in walk("dvonn", 3) if bound(DVONN).bucket(p.state) < 0]
    states = np.array([position.state for position in others], DVONN.rules.STATE)
    values = values_of(DVONN, replace(BASE, net=random_net(1)), states)
    assert values.tolist() == [int(bound(DVONN).evaluate_with(s, EVALUATION.expand(BASE))) for s in states]
    assert {int(s["placed"]) for s in states} == set(range(50))


def test_a_search_uses_the_net_of_its_weights():
    position = next(iter(positions(1))).copy()
    found = {}
    for name, net in (("none", None), ("net", random_net(5, first=20)), ("again", random_net(5, first=20))):
        worker = Worker(hash_mb=1, weights=replace(BASE, net=net))
        found[name] = worker.search(position, Limit(depth=3)).lines[0].score.value
    assert found["net"] == found["again"] != found["none"]


# ------------------------------------------------------------------------------------------------------ file


def test_a_file_keeps_the_net(tmp_path):
    path = tmp_path / "weights.npz"
    weights = replace(BASE, net=Net(random_net(1).numbers, {"source": "test"}))
    weights.save(path)
    read = EVALUATION.load(path)
    assert read.fingerprint == weights.fingerprint != BASE.fingerprint
    assert read.net.origin == {"source": "test"}
    assert path.stat().st_size < 1_000_000


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"share": None}, "net: expected 7, got 6; without share"),
        ({"bias": np.zeros(3, np.int16)}, "net: bias: expected int16 of shape 16, got int16 of shape 3"),
        ({"share": np.full(5, 1025, np.int32)}, "net: share: expected numbers up to 1024, got greater ones"),
        ({"first": np.zeros((SHAPE.inputs, WIDTH), np.int32)}, "net_first: expected int16, got int32"),
        ({"bias": np.full(WIDTH, 20_000, np.int16)}, "net: bias: expected numbers up to 221, got greater"),
    ],
)
def test_files_with_an_unsound_net_are_refused(tmp_path, changes, complaint):
    numbers = {**random_net(1).numbers, **changes}
    path = tmp_path / "weights.npz"
    net = Net({name: array for name, array in numbers.items() if array is not None}, {})
    replace(BASE, net=net).save(path)
    with pytest.raises(WeightsError, match=complaint):
        EVALUATION.load(path)


def test_a_game_without_a_net_refuses_one(tmp_path):
    declared, path = games.find("gomoku").evaluation, tmp_path / "weights.npz"
    evaluation = replace(declared, net=None)
    replace(declared.shipped(), net=random_net(1)).save(path)
    with pytest.raises(WeightsError, match="net: expected none, since gomoku declares none, got one"):
        evaluation.load(path)


# -------------------------------------------------------------------------------------------------- training


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    if not COMPILED:
        pytest.skip("takes too long")
    made = tmp_path_factory.mktemp("games")
    command = ["selfplay", "--game", "dvonn", "--games", "96", "--shard", "32", "--depth", "1"]
    assert cli.main([*command, "--workers", "1", "--out", str(made / "dvonn")]) == 0
    return made / "dvonn"


def trained(folder, checkpoint=None, on_epoch=None, **options):
    settings = NetSettings(GameSpec.parse("dvonn"), BASE, epochs=3, **options)
    data = load(settings.game, BASE, [folder], Split(settings.held_out, settings.seed))
    return data, NetTrainer(settings, data, checkpoint).learn(on_epoch).result()


def test_integers_are_near_the_numbers_that_were_trained():
    torch = pytest.importorskip("torch")
    model, scale = RowModel(SHAPE), 240.0
    floats = model.initial(3)
    floats["first"][:-1] = np.random.default_rng(3).normal(0, 0.05, (SHAPE.inputs, WIDTH))
    states = np.array([p.state.copy() for p in positions(scaled(6))], DVONN.rules.STATE)
    inputs, linear, buckets = inputs_of(DVONN, BASE, states)
    net = Net(model.quantise(floats, scale), {})
    assert SHAPE.fault(net.numbers) is None
    again = model.quantise(model.restore(net.numbers, scale), scale)
    assert all((again[name] == array).all() for name, array in net.numbers.items())
    tensors = {name: torch.from_numpy(array) for name, array in floats.items()}
    batch = NetBatch(inputs, (linear / scale).astype(np.float32), buckets.astype(np.int64))
    logits, policy = model.forward(torch, tensors, batch)
    assert policy is None
    difference = values_of(DVONN, replace(BASE, net=net), states) - scale * logits.numpy()
    assert np.sqrt((difference**2).mean()) < 5
    assert floats["second"].shape[1:] == (SECOND, WIDTH)


def test_training_learns_and_goes_on_after_an_interruption(folder, tmp_path):
    pytest.importorskip("torch")
    data, whole = trained(folder)
    assert whole.report["course"][-1]["train"] < whole.report["course"][0]["train"]
    assert whole.report["rounding"] < 5
    assert len(data.train) > 5 * len(data.held_out) > 0

    checkpoint = tmp_path / "net.checkpoint"
    with pytest.raises(Interruption):
        trained(folder, checkpoint, interrupt)
    assert "pickle" not in str(sorted(np.load(checkpoint)))
    epochs: list[int] = []
    resumed = trained(folder, checkpoint, lambda epoch, *losses: epochs.append(epoch))[1]
    assert epochs == [2, 3]
    assert resumed.weights.fingerprint == whole.weights.fingerprint
    with pytest.raises(TrainingError, match="of the same data and options, got another"):
        trained(folder, checkpoint, seed=2)
    checkpoint.write_bytes(b"no")
    with pytest.raises(TrainingError, match="expected a checkpoint, got something else"):
        trained(folder, checkpoint)


def test_a_checkpoint_with_another_number_of_losses_is_refused(tmp_path):
    torch = pytest.importorskip("torch")
    tensors, path = {"bias": torch.zeros(3, requires_grad=True)}, tmp_path / "checkpoint"
    adam = torch.optim.Adam(tensors.values())
    tensors["bias"].sum().backward()
    adam.step()
    write_checkpoint(path, "same", 1, np.zeros((1, 2)), tensors, adam)
    assert read_checkpoint(path, "same", (5, 2), tensors, adam)[0] == 1
    with pytest.raises(TrainingError, match="history: expected 3 losses a row, got 2"):
        read_checkpoint(path, "same", (5, 3), tensors, adam)


def test_positions_within_searches_are_learned_by_their_scores(tmp_path):
    pytest.importorskip("torch")
    spec = GameSpec.parse("dvonn")
    settings = SelfplaySettings(spec, 1, None, spec.game.random_plies, inner=2)
    shard = play_batch(Batch(settings, 0, 20))
    (tmp_path / "0.npz").write_bytes(shard.pack())
    data = load(spec, BASE, [tmp_path], Split(0.2, 1))
    unknown = np.isnan(data.train.results)
    assert 0.5 < unknown.mean() < 0.7
    assert not (unknown & data.train.proven).any()
    assert not np.isnan(data.held_out.results).any()
    fit = NetTrainer(NetSettings(spec, BASE, epochs=1), data).learn().result()
    assert all(np.isfinite([*loss.values()]).all() for loss in fit.report["losses"].values())
    linear = samples.load(spec, [tmp_path], 0.2, 1)
    assert len(linear.train) + len(linear.held_out) + linear.noisy == (~shard.inner).sum()


def test_command_trains_a_net(folder, tmp_path, capsys):
    pytest.importorskip("torch")
    out, plot = tmp_path / "net.npz", tmp_path / "net.svg"
    command = ["fit", "--game", "dvonn", str(folder), "--net", "--epochs", "1", "--json"]
    capsys.readouterr()
    assert cli.main([*command, "--out", str(out), "--plot", str(plot)]) == 0
    report, weights = json.loads(capsys.readouterr().out), EVALUATION.load(out)
    assert report["fingerprint"] == weights.fingerprint
    assert weights.net.origin["loss"]["net"]["held_out"] == round(report["losses"]["net"]["held_out"], 5)
    assert np.array_equal(weights.table, EVALUATION.shipped().table)
    assert "svg" in plot.read_text()
    assert {path.name for path in tmp_path.iterdir()} == {"net.npz", "net.svg"}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("dvonn --net --prior 2", "--net: expected no --prior, which is for linear fits"),
        ("dvonn --net --no-proven", "--net: expected no --no-proven, which is for linear fits"),
        ("dvonn --epochs 2", "--epochs requires --net"),
        ("dvonn --further", "--further requires --net"),
        ("gomoku --teacher 2", "--teacher requires --net"),
        ("gomoku --device cpu", "--device requires --teacher"),
        ("gomoku --net --device cpu", "--device requires --teacher"),
        ("dvonn --net --teacher 2", "--teacher: expected a game with a pattern net, got dvonn"),
        ("go --net --teacher 2", "--teacher: expected a game with a pattern net, got go"),
        ("go --teacher 2", "--teacher: expected none, since go learns moves without --net"),
        ("go --net --plot x.png", "--plot: expected none, since a convolutional net has no plot"),
        ("go --net --prior 3", "--net: expected no --prior, which is for linear fits"),
    ],
)
def test_options_that_do_not_fit_are_refused(tmp_path, monkeypatch, capsys, words, complaint):
    if "--teacher" in words or "--plot" in words:
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["fit", "games", "--out", "net.npz", "--game", *words.split()]) == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "net.npz").exists()


def test_without_pytorch_the_command_says_what_is_missing(tmp_path):
    code = (
        "import sys; sys.modules['torch'] = None; from tengen.apps.cli.main import main; "
        f"main(['fit', '--game', 'dvonn', 'x', '--net', '--out', r'{tmp_path / 'net.npz'}'])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"--net needs PyTorch: {install_command('nets')}" in found.stderr


def test_the_engine_does_not_import_pytorch():
    code = (
        "import sys, tengen.search.worker, tengen.tuning.learn.nets.training; print('torch' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_data_without_positions_for_the_net_is_refused(folder):
    weights, draw = BASE, Split(1e-12, 1)
    with pytest.raises(TengenError, match="data: expected positions held out that the net is for, got none"):
        load(GameSpec.parse("dvonn"), weights, [folder], draw)
    assert Position.start("dvonn")
