"""Nets in ONNX say what they say in the engine; what cannot be written is refused."""

import sys
from dataclasses import replace

import numpy as np
import pytest

import tengen
from tengen import nets
from tengen.engine import games
from tengen.engine.arrays import action_space
from tengen.search.batch import Batch
from tengen.search.binding import bound
from tengen.tuning.learn.features import values_of
from tests.reference.go import net as go_net
from tests.walks import FIRST_SEED, specs, walk

GO = ("go,size=9,komi=7", "go,size=9,komi=5.5,rules=chinese", "go,size=13,komi=6.5", "go,size=19,komi=7.5")
WITH_VALUES = ("dvonn", "gipf", "gobang", "gomoku", "zertz")
POSITIONS = 300  # of each game, at least


@pytest.fixture
def answers(tmp_path):
    """Return what the model that is written for positions says of them, by name."""
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")

    def answer(positions: list[tengen.Position], **options) -> dict[str, np.ndarray]:
        tengen.export_onnx(positions[0].spec, path := tmp_path / "net.onnx", **options)
        session = runtime.InferenceSession(path)
        found = session.run(None, tengen.net_inputs(positions, **options))
        return dict(zip([output.name for output in session.get_outputs()], found, strict=True))

    return answer


def positions_of(spec: str, number: int) -> list[tengen.Position]:
    """Return at least so many positions of random games."""
    found: list[tengen.Position] = []
    seed = FIRST_SEED
    while len(found) < number:
        found += [position.copy() for position in walk(spec, seed) if not position.is_over()]
        seed += 1
    return found


@pytest.mark.parametrize("name", WITH_VALUES)
def test_values_are_those_of_the_engine(name, answers):
    game = games.find(name)
    asked = 0
    for spec in specs(name):
        positions = positions_of(spec, POSITIONS // len(specs(name)) + 1)
        values = values_of(game, game.evaluation.shipped(), Batch.of(positions).states)
        assert answers(positions)["value"].tolist() == values.tolist(), spec
        asked += sum(bound(game).bucket(position.state) >= 0 for position in positions)
    assert asked > 80  # for the others the value is the linear one


@pytest.mark.parametrize("spec", [*specs("gomoku"), *specs("gobang")])
def test_policies_are_those_of_the_engine(spec, answers):
    positions = positions_of(spec, 30)[:60:3]
    policies = answers(positions)["policy"].reshape(len(positions), -1)
    game = positions[0].spec.game
    kernels, record = bound(game), game.evaluation.net.record(game.evaluation.shipped().net)
    raw = action_space(positions[0].spec).raw
    for position, policy in zip(positions, policies, strict=True):
        assert kernels.prepare_policy(position.state, record)
        for action in position.legal_actions():
            assert policy[action] == kernels.policy(position.state, record, raw[action])


@pytest.mark.parametrize("spec", GO)
def test_the_net_of_go_says_what_it_says_in_the_engine(spec, answers):
    positions = positions_of(spec, POSITIONS)[::3]
    found, game, raw = answers(positions), positions[0].spec.game, action_space(positions[0].spec).raw
    kernels, shape = bound(game), game.evaluation.net
    weights = [each.net for each in game.evaluation.all_shipped()]
    net = next(net for net in weights if kernels.net_knows(positions[0].state, shape.record(net)))
    record = shape.record(net)
    close = {"rel": 1e-3, "abs": 1e-3}  # sums of float32 in another order, by Winograd's tiles
    for i, position in enumerate(positions):
        kernels.ask_net(position.state, record)
        assert [found["win"][i], found["score"][i]] == pytest.approx(record["values"].tolist(), **close)
        legal = position.legal_actions()
        expected, logits = np.zeros(len(legal), np.float32), found["policy"][i][legal]
        kernels.net_policy(position.state, record, raw[legal], len(legal), expected)
        shares = np.exp(logits - logits.max())
        assert shares / shares.sum() == pytest.approx(expected, **close)
    seen = tengen.net_inputs(positions[-2:])
    told = [go_net.run(net.numbers, *each) for each in zip(seen["planes"], seen["about"], strict=True)]
    assert found["ownership"][-2:] == pytest.approx(np.array([each["owners"] for each in told]), **close)


def test_weights_of_ones_own_are_written_and_the_same_bytes_each_time(tmp_path, answers):
    evaluation = games.find("dvonn").evaluation
    weights = evaluation.shipped()
    numbers = weights.net.numbers
    other = replace(weights.net, numbers={**numbers, "share": numbers["share"] // 2})
    replace(weights, net=other).save(path := tmp_path / "mine.npz")
    positions = positions_of("dvonn", 60)[50:]
    values = values_of(games.find("dvonn"), evaluation.load(path), Batch.of(positions).states)
    assert answers(positions, weights=path)["value"].tolist() == values.tolist()
    assert answers(positions)["value"].tolist() != values.tolist()
    first = (tmp_path / "net.onnx").read_bytes()
    tengen.export_onnx("dvonn", tmp_path / "net.onnx")
    assert (tmp_path / "net.onnx").read_bytes() == first


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("go,size=25,komi=7", "expected one that a net of tengen knows, got go,size=25,komi=7.0"),
        ("go,size=9,komi=100", "expected one that a net of tengen knows, got go,size=9,komi=100.0"),
    ],
)
def test_a_game_that_no_net_knows_is_refused(tmp_path, spec, complaint):
    pytest.importorskip("onnx")
    with pytest.raises(tengen.OptionError, match=complaint):
        tengen.export_onnx(spec, tmp_path / "net.onnx")
    with pytest.raises(tengen.OptionError, match=complaint):
        tengen.net_inputs([tengen.Position(spec)])
    assert not list(tmp_path.iterdir())


def test_weights_without_a_net_are_refused(tmp_path):
    pytest.importorskip("onnx")
    replace(games.find("dvonn").evaluation.shipped(), net=None).save(path := tmp_path / "linear.npz")
    with pytest.raises(tengen.OptionError, match=r"weights: expected a file with a net, got '.*linear\.npz'"):
        tengen.export_onnx("dvonn", tmp_path / "net.onnx", weights=path)
    assert not (tmp_path / "net.onnx").exists()


def test_a_net_of_another_kind_is_refused(tmp_path, monkeypatch):
    pytest.importorskip("onnx")
    shipped = games.find("dvonn").evaluation.shipped()
    monkeypatch.setattr(nets, "_net_of", lambda *_: (object(), shipped))
    with pytest.raises(tengen.OptionError, match="game: expected one whose net ONNX can express, got dvonn"):
        tengen.export_onnx("dvonn", tmp_path / "net.onnx")


def test_without_the_package_it_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(tengen.MissingPackageError, match=r"tengen\.export_onnx needs onnx: "):
        tengen.export_onnx("dvonn", tmp_path / "net.onnx")
