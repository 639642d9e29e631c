"""Self-play by simulations, its shards, and the training of a convolutional net on them."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tengen.apps.cli import main as cli
from tengen.engine import games
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.go.knowledge import net
from tengen.engine.nets import convolution
from tengen.engine.nets.convolution import place
from tengen.engine.nets.correction import Net
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.tuning.learn.nets import board_training as training
from tengen.tuning.learn.nets import convolution as model
from tengen.tuning.learn.nets.boards import load
from tengen.tuning.learn.nets.training import NetSettings
from tengen.tuning.learn.samples import SamplesError, Split
from tengen.tuning.learn.selfplay import SelfplaySettings, TreePlayer
from tengen.tuning.learn.selfplay_run import Batch, play_batch
from tengen.tuning.learn.shards import DamagedShardError, ShardError, VisitShard
from tengen.tuning.learn.trainer import TrainingError
from tests.engine.test_go_net import on_board, random_net
from tests.tuning.learning import Interruption, interrupt

SPEC = GameSpec.parse("go,size=5,komi=0.5,rules=chinese")
GO = games.find("go")
SMALL = SelfplaySettings(SPEC, None, 30, openings=6, explore=0.05)
BASE = GO.evaluation.shipped()


@pytest.fixture(scope="module")
def shard():
    return play_batch(Batch(SMALL, 4, 6))


@pytest.fixture(scope="module")
def folder(shard, tmp_path_factory):
    path = tmp_path_factory.mktemp("games")
    (path / "00000004.npz").write_bytes(shard.pack())
    return path


@pytest.fixture(scope="module")
def seed(folder):
    """Return a seed with which some of the games are held out and others are not."""
    for number in range(100):
        with contextlib.suppress(SamplesError):
            load(SPEC, [folder], Split(0.5, number), 0)
            return number
    raise AssertionError("no seed divides the games")


# -------------------------------------------------------------------------------------------------- self-play


def test_games_are_legal_and_end_as_they_say(shard):
    ends = np.cumsum(shard.lengths)
    for game, end in enumerate(ends):
        position = Position.start(SPEC)
        for i in range(end - shard.lengths[game], end):
            visited = shard.visit_turns == i
            assert visited.any() == (not np.isnan(shard.rates[i]))
            legal = {action for (action,) in position.turn_actions()}
            assert {*shard.visit_actions[visited].tolist()} <= legal
            turn = position.format((int(shard.turns[i]),))
            position.push(turn)
        assert shard.results[game] > Outcome.ONGOING
        if position.outcome():
            assert position.outcome() == shard.results[game]
            assert {*np.abs(shard.owners[game]).tolist()} <= {0, 100}
            signs = {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1, Outcome.DRAW: 0}
            assert np.sign(shard.margins[game]) == signs[shard.results[game]]
        else:  # the searches agreed
            rates = shard.rates[end - 4 : end]
            rates = rates[~np.isnan(rates)]  # of turns that were searched
            assert (np.minimum(rates, 1 - rates) <= 0.03 + 1e-6).all()


def test_a_game_depends_on_the_settings_and_its_number_alone(shard):
    alone, again = TreePlayer(SMALL).play(7), play_batch(Batch(SMALL, 4, 6))
    assert again.pack() == shard.pack()
    begin = int(shard.lengths[:3].sum())
    assert shard.turns[begin : begin + shard.lengths[3]].tolist() == alone.columns["turns"]
    for other in (replace(SMALL, seed=2), replace(SMALL, weights=replace(BASE, net=random_net(1)))):
        assert TreePlayer(other).play(7).columns["turns"] != alone.columns["turns"]


def test_a_player_of_ones_own_plays_the_turns_that_searches_judge(tmp_path):
    code = tmp_path / "mine.py"
    code.write_text("def first(position):\n    return position.legal_turns[0]\n")
    shard = play_batch(Batch(replace(SMALL, player=f"python:{code}:first", openings=0, explore=0), 0, 1))
    assert shard.positions == len(shard.turns) > 2
    position = Position.start(SPEC)
    for action in shard.turns:
        assert position.legal_turns[0] == position.format((action,))
        position.make((action,))


def test_command_plays_with_weights_and_goes_on_where_it_stopped(tmp_path, capsys):
    file, out = tmp_path / "net.npz", tmp_path / "games"
    replace(BASE, net=random_net(1)).save(file)
    command = ["selfplay", "--game", str(SPEC), "--nodes", "20", "--shard", "2", "--workers", "1", "--json"]
    command += ["--weights", str(file), "--out", str(out)]
    reports = []
    for number in ("2", "4"):
        assert cli.main([*command, "--games", number]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    assert [report["games"] for report in reports] == [2, 4]
    assert reports[1]["played"]["games"] == 2
    assert sorted(path.name for path in out.glob("*.npz")) == ["00000000.npz", "00000002.npz"]
    assert cli.main([*command[:-4], "--out", str(out), "--games", "4"]) != 0
    assert "expected the same self-play, got another: weights" in capsys.readouterr().err


# ----------------------------------------------------------------------------------------------------- shards


def test_a_shard_reads_back_as_it_was(shard, folder):
    again = VisitShard.read(folder / "00000004.npz", SPEC)
    assert again.pack() == shard.pack()
    assert (again.game, again.first, again.settings) == (shard.game, shard.first, shard.settings)


def test_shards_of_other_games_are_refused(folder):
    with pytest.raises(ShardError, match="expected games of go,size=9"):
        VisitShard.read(folder / "00000004.npz", GameSpec.parse("go,size=9"))
    old = Path(__file__).parent / "old_shards" / "dvonn.npz"
    with pytest.raises(ShardError, match="expected kind visits, got positions"):
        VisitShard.read(old, SPEC)
    assert VisitShard.read(folder / "00000004.npz", GameSpec.parse("go,size=9"), variants=True).game == SPEC


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("owners", lambda array: array[:, 1:], r"owners: expected 6 of 25, got \(6, 24\)"),
        ("rates", lambda array: array[1:], r"rates: expected \d+ in a row"),
        ("rates", lambda array: array + np.float32(1), "rates: expected numbers from 0 to 1"),
        ("visit_turns", lambda array: array[::-1].copy(), "visit_turns: expected ascending numbers"),
        ("visit_turns", lambda array: array + 5000, r"visit_turns: expected numbers from 0 to \d+"),
        ("visit_counts", lambda array: array * 0, "visit_counts: expected numbers from 1"),
        ("visit_actions", lambda array: array + 5000, "visit_actions: expected numbers from 0 to"),
        ("lengths", lambda array: array + 1, r"turns: expected \d+ in a row"),
        ("lengths", lambda array: -array, "lengths: expected numbers from 0"),
        ("results", lambda array: array * 0, "results: expected numbers from 1 to 3"),
        ("header", lambda array: np.array("{}"), "expected the header of a shard, got none"),
        ("margins", None, "expected a shard, got a file without margins"),
    ],
)
def test_damaged_shards_are_refused(shard, tmp_path, name, change, complaint):
    path = tmp_path / "shard.npz"
    path.write_bytes(shard.pack())
    arrays = dict(np.load(path))
    array = arrays.pop(name)
    np.savez(path, **arrays, **({name: change(array)} if change else {}))
    with pytest.raises(DamagedShardError, match=complaint):
        VisitShard.read(path, SPEC)


# ------------------------------------------------------------------------------------------------------- data


def test_targets_are_told_for_the_side_to_move(shard, folder, seed):
    data = load(SPEC, [folder], Split(0.5, seed), 2)
    parts = {part: found[0] for part, found in (("train", data.train), ("held out", data.held_out))}
    assert sum(map(len, parts.values())) == shard.positions
    for part, found in parts.items():
        assert found.size == 5
        assert found.policy.sum(1) == pytest.approx(1, abs=1e-5)
        assert (found.bits >> net.BOARD & 1 == 1).all()
        assert ((found.playouts > 0).any()) == (part == "held out")
        won = found.results == 1
        assert (found.margins[won] > 0).all()
        assert (found.margins[found.results == 0] < 0).all()
        decided = won & (np.abs(found.margins) > 20)
        assert (found.owners[decided].sum(1) > 0).all()


def test_illegal_turns_in_shards_are_refused(shard, tmp_path):
    changed = replace(shard, turns=np.full_like(shard.turns, shard.turns[0]))
    (tmp_path / "00000004.npz").write_bytes(changed.pack())
    with pytest.raises(SamplesError, match=r"game 4, turn 2: expected a legal turn, got \d+"):
        load(SPEC, [tmp_path], Split(0.5, 1), 0)


def test_symmetries_are_eight_images_of_the_board():
    found = training.symmetries(4)
    assert len({tuple(image) for image in found.tolist()}) == 8
    assert all(sorted(image) == list(range(16)) for image in found.tolist())
    corners = {tuple(image[[0, 3, 12, 15]].tolist()) for image in found}
    assert all({*corner} == {0, 3, 12, 15} for corner in corners)


# --------------------------------------------------------------------------------------------------- training


def test_kernels_say_what_pytorch_says():
    torch = pytest.importorskip("torch")
    shape, generator = net.SHAPE, np.random.default_rng(1)
    arrays = model.initial(shape, 1)
    for name, array in arrays.items():  # none of them as at the start
        arrays[name] = (array + generator.normal(0, 0.05, array.shape)).astype(np.float32)
        if name.endswith("variance"):
            arrays[name] = np.abs(arrays[name]) + np.float32(0.1)
    numbers = model.numbers_of(shape, arrays)
    extras = {name: random_net(1).numbers[name] for name in convolution.USAGE}
    assert shape.fault(numbers | extras) is None
    record = shape.record(Net(numbers | extras, {}))
    position = Position.start("go,size=7,komi=3.5")
    for turn in ("d4", "c3", "d3", "c4", "d5", "c5"):
        position.push(turn)
    net.ask_net(position.state, record)
    planes = torch.from_numpy(on_board(record.board, 7).transpose(2, 0, 1)[None].copy())
    about, again = torch.from_numpy(record.about[None].copy()), model.arrays_of(numbers)
    for learned in (arrays, again):
        tensors = {name: torch.from_numpy(array) for name, array in learned.items()}
        says = model.Module(torch, tensors).forward(planes, about, False)
        policy = says["policy"][0].numpy()
        assert on_board(record.logits, 7).ravel() == pytest.approx(policy[:-1], abs=1e-3)
        assert record.logits[-1] == pytest.approx(policy[-1], abs=1e-3)
        values = [float(says["win"][0]), float(says["score"][0])]
        assert record["values"].tolist() == pytest.approx(values, abs=1e-3)
    assert place(7, 6, 6) < len(record.logits)


def test_a_net_that_grows_says_what_it_said():
    shape, small = net.SHAPE.resized(6, 64), random_net(1)
    arrays = model.grown(shape, small.numbers, 3)
    large = Net(
        model.numbers_of(shape, arrays) | {name: small.numbers[name] for name in convolution.USAGE}, {}
    )
    assert shape.fault(large.numbers) is None
    records = [net.SHAPE.record(each) for each in (small, large)]
    position = Position.start("go,size=7,komi=3.5")
    for turn in ("d4", "c3", "d3"):
        position.push(turn)
        for record in records:
            net.ask_net(position.state, record)
        before, after = records
        assert after["values"] == pytest.approx(before["values"], abs=1e-4)
        assert on_board(after.logits, 7) == pytest.approx(on_board(before.logits, 7), abs=1e-4)
        assert after.logits[-1] == pytest.approx(before.logits[-1], abs=1e-4)
    assert all(arrays[name][..., -1].any() for name in ("stem", "first", "second", "policy", "value"))


def test_a_net_that_learns_further_is_normalised_and_says_what_it_said():
    torch = pytest.importorskip("torch")
    shape, generator = net.SHAPE.resized(2, 64), torch.Generator().manual_seed(5)
    arrays = model.arrays_of(random_net(2, shape).numbers)
    module = model.Module(torch, {name: torch.from_numpy(array) for name, array in arrays.items()})
    planes = torch.randint(0, 2, (64, shape.planes, 5, 5), generator=generator).float()
    about = torch.rand((64, shape.globals), generator=generator)
    before = module.forward(planes, about, False)
    module.measure(planes, about)
    for learning in (False, True):
        after = module.forward(planes, about, learning)
        for name, said in before.items():
            assert after[name].numpy() == pytest.approx(said.numpy(), abs=2e-3), (name, learning)


def test_a_net_cannot_grow_beyond_what_kernels_have_room_for():
    base = GO.evaluation.shipped()
    spec = GameSpec.parse("go")
    assert NetSettings(spec, base, 1, 0.1, channels=32).shape == net.SHAPE.resized(6, 32)
    with pytest.raises(OptionError, match="blocks: expected 1 to 6, got 7"):
        assert NetSettings(spec, base, 1, 0.1, blocks=7).shape
    with pytest.raises(OptionError, match="channels: expected a multiple of 32 up to 64, got 48"):
        assert NetSettings(spec, base, 1, 0.1, channels=48).shape
    with pytest.raises(
        OptionError, match="at least 6 blocks of 64 channels, as the base's net has, got 2 of 64"
    ):
        assert NetSettings(spec, base, 1, 0.1, further=True, blocks=2).shape
    dvonn = games.find("dvonn")
    settings = NetSettings(GameSpec.parse("dvonn"), dvonn.evaluation.shipped(), 1, 0.1, blocks=2)
    with pytest.raises(OptionError, match="--blocks, --channels: dvonn has no convolutional net"):
        assert settings.shape


def test_training_goes_on_from_its_checkpoint(folder, seed, tmp_path):
    pytest.importorskip("torch")
    data = load(SPEC, [folder], Split(0.5, seed), 1)
    settings = NetSettings(SPEC, BASE, seed=seed, held_out=0.5, epochs=2)
    whole, checkpoint = training.BoardTrainer(settings, data).learn().result(), tmp_path / "checkpoint"

    with pytest.raises(Interruption):
        training.BoardTrainer(settings, data, checkpoint).learn(interrupt)
    resumed = training.BoardTrainer(settings, data, checkpoint).learn().result()
    assert resumed.report["course"] == whole.report["course"]
    assert resumed.weights.fingerprint == whole.weights.fingerprint
    with pytest.raises(TrainingError, match="expected a checkpoint of the same data and options"):
        training.BoardTrainer(replace(settings, seed=seed + 1), data, checkpoint)


def test_command_trains_a_net_that_searches_use(folder, seed, tmp_path, capsys):
    pytest.importorskip("torch")
    out = tmp_path / "net.npz"
    fit = ["fit", "--game", "go", str(folder), "--net", "--held-out", "0.5", "--seed", str(seed), "--json"]
    assert cli.main([*fit, "--epochs", "6", "--out", str(out)]) == 0
    report, weights = json.loads(capsys.readouterr().out), GO.evaluation.load(out)
    assert report["fingerprint"] == weights.fingerprint
    assert report["sizes"] == weights.net.numbers["sizes"].tolist() == [5, 5]
    assert report["komis"] == weights.net.numbers["komis"].tolist()
    first, last = (report["course"][i]["learned"] for i in (0, -1))
    assert last["policy"] < first["policy"]
    assert report["losses"]["mixed"] <= report["losses"]["playouts"]
    assert not (tmp_path / "net.npz.checkpoint").exists()
    further = ["--epochs", "1", "--base", str(out), "--further", "--out", str(tmp_path / "further.npz")]
    assert cli.main([*fit, *further]) == 0
    capsys.readouterr()
    shipped = ["--epochs", "1", "--further", "--out", str(tmp_path / "shipped.npz")]
    assert cli.main([*fit, *shipped]) == 0
    report, base = json.loads(capsys.readouterr().out), BASE.net.numbers
    assert report["sizes"] == [5, 9]
    assert report["komis"] == base["komis"].tolist()  # wider than those of the games
    further_numbers = GO.evaluation.load(tmp_path / "shipped.npz").net.numbers
    assert np.array_equal(further_numbers["search"], base["search"])
    assert np.abs(further_numbers["first"] - base["first"]).max() < 0.05  # it began there
    match = ["match", "--game", str(SPEC), "--first", f"tengen,weights={out}", "--second", "tengen"]
    match += ["--out", str(tmp_path / "match.sqlite")]
    assert cli.main([*match, "--games", "2", "--nodes", "20", "--concurrency", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])
