"""Learning weights: what is counted, what is found, what stays as it was, and what is refused."""

import json
import pickle
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tengen.apps.cli import main as cli
from tengen.engine import games
from tengen.engine.errors import TengenError
from tengen.engine.game import Outcome
from tengen.engine.jit import COMPILED
from tengen.engine.spec import GameSpec
from tengen.engine.storage.npz import pack
from tengen.engine.weights import Weights, WeightsError
from tengen.search.binding import bound
from tengen.search.info import WIN
from tengen.tuning.learn.features import features_of
from tengen.tuning.learn.fit import FitSettings, calibration, fit
from tengen.tuning.learn.logistic import (
    Problem,
    inverse_temperature,
    logits_of,
    losses,
    newton,
    round_weights,
    win_rates,
)
from tengen.tuning.learn.samples import Data, Samples, check_symmetry, load, results_of
from tengen.tuning.learn.shards import PositionShard
from tests.processes import complaints
from tests.walks import ALL_SPECS, scaled, walk

LEARNED_SPECS = [
    spec for spec in ALL_SPECS if (found := GameSpec.parse(spec).game.evaluation) and found.features
]
DVONN, GIPF = games.find("dvonn"), games.find("gipf")
CLAMP = 100_000  # of Gomoku's values


def evaluation_of(game):
    assert game.evaluation
    return game.evaluation


def random_samples(phases, table, generator, positions: int) -> Samples:
    """Return positions of these kinds with features at random, won as `table`, in logistic units, says."""
    features = generator.integers(-3, 4, (positions, table.shape[1])).astype(np.int32)
    chosen = np.sort(generator.choice(phases, positions)).astype(np.int32)
    rates = win_rates((features * table[chosen]).sum(axis=1))
    results = (generator.random(positions) < rates).astype(float)
    return Samples(features, chosen, results, np.ones(positions, np.int32), positions)


def data_of(train: Samples, held_out: Samples) -> Data:
    return Data(train, held_out, [], 0, 0, 0)


# --------------------------------------------------------------------------------------------------- features


@pytest.mark.checked
@pytest.mark.parametrize("spec", LEARNED_SPECS)
def test_features_are_what_the_evaluation_counts(spec):
    game = GameSpec.parse(spec).game
    rules = game.rules
    evaluation = evaluation_of(game)
    positions = (position for seed in range(scaled(4)) for position in walk(spec, seed))
    states = [p.state.copy() for p in positions if COMPILED or len(p.turns_played) % 4 == 1]
    features, phases, quiet = features_of(game, np.array(states, rules.STATE))
    assert features.shape == (len(states), len(evaluation.features))
    table = evaluation.expand(evaluation.shipped())
    values = (features * table[phases]).sum(axis=1) // evaluation.unit
    if evaluation.game == "gomoku":
        values = np.clip(values, -CLAMP, CLAMP)
    assert values.tolist() == [int(bound(game).evaluate_with(state, table)) for state in states]
    assert quiet.tolist() == [not bound(game).forced(state) for state in states]


@pytest.mark.parametrize("spec", LEARNED_SPECS)
def test_features_are_the_same_for_all_images_of_a_position(spec):
    if not COMPILED:
        pytest.skip("takes too long")
    for position in walk(spec, 7):
        if len(position.turns_played) % 8 == 0:
            check_symmetry(position.spec.game, position.state, Path("walk"))


def test_features_that_have_a_direction_are_refused(monkeypatch):
    from tengen.tuning.learn import features

    plain = features.features_of

    def skewed(game, states):
        found, phases, quiet = plain(game, states)
        found[:, 3] += np.arange(len(found))
        return found, phases, quiet

    monkeypatch.setattr("tengen.tuning.learn.samples.features_of", skewed)
    message = r"00\.npz: dvonn: expected features without direction, got others: moves"
    with pytest.raises(TengenError, match=message):
        check_symmetry(DVONN, DVONN.rules.start({}), Path("00.npz"))


# ------------------------------------------------------------------------------------------------- regression


def test_weights_that_made_the_results_are_found_in_every_phase():
    evaluation, generator = evaluation_of(DVONN), np.random.default_rng(1)
    rows = generator.normal(0, 0.4, (len(evaluation.rows), len(evaluation.features)))
    phases = np.array([0, *(1 + n for n in range(4, 50))])
    train, held_out = (
        random_samples(phases, evaluation.blend @ rows, generator, n) for n in (60_000, 20_000)
    )
    base = evaluation.shipped()
    found = fit(
        FitSettings(GameSpec.parse("dvonn"), base, prior=1, score_share=0, scale=250),
        data_of(train, held_out),
    )
    losses_of, course = found.report["losses"], found.report["course"]
    assert tuple(found.report["rows"]) == base.rows
    assert np.abs(found.weights.table / 250 / evaluation.unit - rows)[1:-1].max() < 0.12
    assert losses_of["new"]["held_out"] < 0.9 * losses_of["base"]["held_out"]
    assert losses_of["new"]["held_out"] == pytest.approx(losses_of["real"]["held_out"], abs=1e-4)
    truth = losses(
        (held_out.features * (evaluation.blend @ rows)[held_out.phases]).sum(axis=1), held_out.results
    )
    assert losses_of["new"]["held_out"] == pytest.approx(truth.mean(), abs=2e-3)
    assert [scale for scale in found.weights.scales if not 235 < scale < 265] == []
    assert found.report["calibration_error"] < 0.01
    assert all(after["train"] <= before["train"] for before, after in pairwise(course))


def test_gradient_and_hessian_are_the_derivatives_of_the_loss():
    generator = np.random.default_rng(2)
    blend = np.array([[1, 0, 0], [0.25, 0.75, 0], [0, 0.5, 0.5]])
    samples = random_samples(np.arange(3), generator.normal(0, 0.5, (3, 4)), generator, 200)
    shape = (3, 4)
    ridge = generator.random(shape)
    problem = Problem(samples, generator.random(200), blend, generator.normal(0, 1, shape), ridge)
    table = generator.normal(0, 0.5, shape)
    gradient, hessian = problem.derivatives(table)
    steps = 1e-5 * np.eye(12)
    differences = [
        problem.loss(table + s.reshape(shape)) - problem.loss(table - s.reshape(shape)) for s in steps
    ]
    assert gradient == pytest.approx(np.array(differences) / 2e-5 * 200, rel=1e-5, abs=1e-5)
    changes = [
        problem.derivatives(table + s.reshape(shape))[0] - problem.derivatives(table - s.reshape(shape))[0]
        for s in steps
    ]
    assert hessian == pytest.approx(np.array(changes) / 2e-5, rel=1e-5, abs=1e-5)
    best = newton(problem, lambda table: None)
    assert np.abs(problem.derivatives(best)[0]).max() < 1e-2
    assert problem.loss(best) < problem.loss(table)


def test_rows_without_games_and_features_that_do_not_occur_stay_as_they_were():
    evaluation, generator = evaluation_of(GIPF), np.random.default_rng(3)
    table = generator.normal(0, 0.3, (3, len(evaluation.features)))
    train, held_out = (random_samples(np.array([1]), table, generator, n) for n in (3000, 1000))
    left = evaluation.features.index("left")
    train.features[:, left] = held_out.features[:, left] = 0
    base = evaluation.shipped()
    found = fit(FitSettings(GameSpec.parse("gipf:standard"), base), data_of(train, held_out)).weights
    for row in (0, 2):
        assert found.table[row].tolist() == base.table[row].tolist()
        assert (found.scales[row], found.origins[row]) == (base.scales[row], base.origins[row])
    assert found.table[1, left] == base.table[1, left]
    assert (found.table[1] != base.table[1]).sum() > 30
    assert found.origins[1]["row_positions"] == 3000


def test_a_strong_prior_keeps_the_base_whatever_its_scale():
    evaluation, generator = evaluation_of(GIPF), np.random.default_rng(4)
    base = evaluation.shipped()
    train, held_out = (
        random_samples(np.array([0]), evaluation.expand(base) / 1000, generator, n) for n in (500, 100)
    )
    settings = FitSettings(GameSpec.parse("gipf:basic"), base)
    near, far = (
        np.abs(fit(replace(settings, prior=prior), data_of(train, held_out)).weights.table - base.table).max()
        for prior in (1e9, 1)
    )
    assert near <= 1 < 10 < far


def test_rounding_one_weight_is_made_up_for_by_others():
    generator = np.random.default_rng(6)
    samples = random_samples(np.array([0]), generator.normal(0, 0.5, (1, 4)), generator, 3000)
    samples.features[:, 0] += 200  # half a unit of its weight is worth a hundred of the last one's
    samples.features[:, 3] = 1
    problem = Problem(
        samples, samples.results, np.full((1, 1), 0.02), np.zeros((1, 4)), np.full((1, 4), 1e-3)
    )
    best = newton(problem, lambda table: None)
    table = round_weights(problem, best)
    assert np.array_equal(table, np.rint(table))
    assert problem.loss(best) <= problem.loss(table) < problem.loss(best) + 1e-3
    assert problem.loss(np.rint(best)) > problem.loss(best) + 0.05


def test_slope_is_that_of_the_least_loss():
    generator = np.random.default_rng(5)
    logits = generator.normal(0, 2, 5000)
    results = (generator.random(5000) < win_rates(0.7 * logits)).astype(float)
    best = inverse_temperature(logits, results)
    assert best == pytest.approx(0.7, abs=0.05)
    for other in (0.98 * best, 1.02 * best):
        assert losses(other * logits, results).sum() > losses(best * logits, results).sum()
    assert inverse_temperature(np.zeros(3), np.ones(3)) == 1


def test_calibration_compares_what_was_predicted_with_what_came():
    found = calibration(np.array([0.02, 0.04, 0.55, 1.0]), np.array([0, 0.5, 1, 1]))
    assert [tuple(part.values()) for part in found] == [
        (pytest.approx(0.03), 0.25, 2), (0.55, 1, 1), (1, 1, 1)
    ]  # fmt: skip


def test_logits_are_those_of_mixed_rows():
    samples = Samples(
        np.array([[1, 2], [3, 4]], np.int32), np.array([0, 1], np.int32), np.ones(2), np.ones(2, np.int32), 1
    )
    found = logits_of(samples, np.array([[1, 0], [0.5, 0.5]]), np.array([[1.0, 10.0], [3.0, 30.0]]))
    assert found.tolist() == [21, 2 * 3 + 20 * 4]


# ------------------------------------------------------------------------------------------------ the command

SPEC = GameSpec.parse("dvonn")
LOT = ("--held-out", 0.3)


@cache
def shard(first: int, count: int = 8) -> PositionShard:
    """Return random games, won by whom the scores say."""
    states, scores, plies, numbers, results, turns = [], [], [], [], [], []
    for number in range(first, first + count):
        generator = np.random.default_rng(number)
        for ply, position in enumerate(walk("dvonn", number)):
            if position.outcome() == Outcome.ONGOING:
                states.append(position.state.copy())
                scores.append(int(generator.integers(1, 200)))
                plies.append(ply)
                numbers.append(number)
        scores[-1] = WIN - 1
        results.append(int(position.outcome()))
        turns.append(len(position.turns_played))
    return PositionShard(
        game=SPEC,
        settings={"game": "dvonn", "seed": "1"},
        first=first,
        states=np.array(states, DVONN.rules.STATE),
        scores=np.array(scores, np.int32),
        plies=np.array(plies, np.int32),
        games=np.array(numbers),
        results=np.array(results, np.int8),
        turns=np.array(turns, np.int32),
        inner=np.zeros(len(numbers), np.bool_),
    )


@pytest.fixture
def folder(tmp_path) -> Path:
    """Return a folder with two shards."""
    made = tmp_path / "games"
    made.mkdir()
    for first in (0, 8):
        (made / f"{first:08d}.npz").write_bytes(shard(first).pack())
    return made


@pytest.fixture
def tengen(capsys):
    """Run the command within this process; return its exit code, its output and its complaints."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = cli.main([*map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, complaints(err)

    return run


def test_results_are_for_the_side_to_move():
    one = shard(0)
    for state, game, result in zip(one.states, one.games, results_of(one), strict=True):
        outcome = one.results[game]
        assert result == (
            0.5 if outcome == Outcome.DRAW else outcome - Outcome.FIRST_WINS == state["side_to_move"]
        )


def test_games_are_held_out_whole_and_by_lot(folder):
    files = sorted(folder.glob("*.npz"))
    one, same, other = (
        load(SPEC, paths, 0.4, seed) for paths, seed in ((files, 1), (files[::-1], 1), (files, 2))
    )
    for data in one, same, other:
        assert 0 < data.held_out.games == 16 - data.train.games < 16
        assert len(data.train) + len(data.held_out) == sum(len(shard(first).states) for first in (0, 8))
    assert np.array_equal(np.sort(one.held_out.scores), np.sort(same.held_out.scores))
    assert not np.array_equal(np.sort(one.held_out.scores), np.sort(other.held_out.scores))


def test_proven_positions_count_as_proven_or_are_left_out(folder):
    mistaken = replace(shard(0), scores=np.where(shard(0).scores == WIN - 1, 1 - WIN, 0).astype(np.int32))
    path = folder / "00000000.npz"
    path.write_bytes(mistaken.pack())
    count = len(mistaken.states)
    everything = load(SPEC, [path], 0.4, 1)
    assert (everything.proven, everything.even) == (0, 0)
    for samples in everything.train, everything.held_out:
        assert not samples.results[samples.scores < 0].any()  # as the search says, and not as the game ended
        assert samples.results[samples.scores == 0].any()
    rest = load(SPEC, [folder], 0.6, 1, proven=False)
    assert (rest.proven, rest.even) == (16, count - 8)
    assert len(rest.train) + len(rest.held_out) == len(shard(8).states) - 8


def test_command_writes_the_same_file_for_the_same_games(tengen, folder, tmp_path):
    paths = [tmp_path / name for name in ("one.npz", "two.npz")]
    code, out, err = tengen("fit", "--game", "dvonn", folder, "--out", paths[0], *LOT)
    assert (code, err) == (0, "")
    assert "placing" in out
    files = sorted(folder.glob("*.npz"))
    code, out, err = tengen("fit", "--game", "dvonn", *files, "--out", paths[1], *LOT, "--json")
    assert (code, err) == (0, "")
    assert paths[0].read_bytes() == paths[1].read_bytes()
    report, weights = json.loads(out), evaluation_of(DVONN).load(paths[0])
    assert report["fingerprint"] == weights.fingerprint != evaluation_of(DVONN).shipped().fingerprint
    origin = weights.origins[0]
    assert origin["source"] == "tengen fit"
    assert (origin["seed"], origin["data"][0]["games"]) == (1, 16)
    assert origin["loss"]["new"]["held_out"] == pytest.approx(report["losses"]["new"]["held_out"], abs=1e-5)
    assert origin["engine"].startswith("tengen ")
    assert str(tmp_path) not in json.dumps(origin)
    again = tmp_path / "again.npz"
    code, _, err = tengen(
        "fit", "--game", "dvonn", folder, "--out", again, "--base", paths[0], *LOT, "--seed", 5
    )
    assert (code, err) == (0, "")
    assert evaluation_of(DVONN).load(again).origins[0]["base"] == weights.fingerprint


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_command_draws_the_fit(tengen, folder, tmp_path, ending):
    pytest.importorskip("matplotlib")
    picture = tmp_path / f"fit.{ending}"
    code, _, err = tengen(
        "fit", "--game", "dvonn", folder, "--out", tmp_path / "w.npz", "--plot", picture, *LOT
    )
    assert (code, err) == (0, "")
    assert picture.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")


def foreign(path: Path, **changes) -> None:
    path.write_bytes(replace(shard(0), **changes).pack())


def damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def pickled(path: Path) -> None:
    with path.open("wb") as file:
        pickle.dump({"states": [1]}, file)


def copied(path: Path) -> None:
    """Add games that are there, as a run with other sizes of shards has them."""
    other = replace(shard(0), settings={**shard(0).settings, "shard": "99"})
    path.with_name("copy.npz").write_bytes(other.pack())


def relaid(path: Path) -> None:
    arrays = dict(np.load(path, allow_pickle=False))
    header = json.loads(str(arrays["header"]))
    header["layout"][0] = "ki <u8"
    np.savez(path, **(arrays | {"header": np.array(json.dumps(header))}))


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (
            lambda path: foreign(path, game=GameSpec.parse("gomoku")),
            "expected games of dvonn, got gomoku",
        ),
        (relaid, "expected states of dvonn with the field key <u8, got ki <u8"),
        (damaged, "00000000.npz: expected an npz file, got one that is damaged"),
        (pickled, "00000000.npz: expected an npz file, got pickled objects, which are never loaded"),
        (copied, "copy.npz: expected games that are not there yet, got game 0 again"),
        (lambda path: path.with_name("00000016.npz").write_bytes(path.read_bytes()), "got game 0 again"),
    ],
)
def test_shards_that_cannot_be_learned_from_are_refused(tengen, folder, tmp_path, spoil, complaint):
    spoil(folder / "00000000.npz")
    code, out, err = tengen("fit", "--game", "dvonn", folder, "--out", tmp_path / "w.npz")
    assert (code, out) == (2, "")
    assert err.startswith("tengen: error: ")
    assert complaint in err
    assert err.count("\n") == 1
    assert not (tmp_path / "w.npz").exists()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"format": [1, 1]}, "format: expected a single value, got shape 2"),
        ({"format": 2}, "expected format 1, got format 2"),
        ({"features": ["pieces"]}, "features of dvonn: expected 17, got 1"),
        ({"table": [[0.5]]}, "table: expected int64, got float64"),
        ({"table": [[5]]}, "table: expected shape 7 x 17, got 1 x 1"),
        ({"table": np.full((7, 17), 1 << 18)}, "table: expected weights up to 131072 in size, got others"),
        ({"table": np.full((7, 17), -(1 << 63))}, "table: expected weights up to 131072 in size, got others"),
        ({"scales": ["a"] * 7}, "scales: expected float64, got <U1"),
        ({"scales": [0.0] * 7}, "expected 7 scales from 1 to 100000, got [0.0, "),
        ({"scales": [np.nan] * 7}, "scales: expected finite numbers, got others"),
        ({"scales": [1e-300] * 7}, "expected 7 scales from 1 to 100000, got [1e-300, "),
        ({"origins": ["{}"]}, "origins: expected 7 JSON objects, got others"),
        ({"taste": 1}, "expected no array 'taste', got one (did you mean 'table'?)"),
        ({"origins": ["[]"] * 7}, "origins: expected 7 JSON objects, got others"),
        ({"origins": ["["] * 7}, "origins: expected JSON, got "),
        ({"origins": ["[" * 100_000] * 7}, "origins: expected JSON, got "),
    ],
)
def test_files_that_hold_no_weights_are_refused(tmp_path, changes, complaint):
    path = tmp_path / "weights.npz"
    evaluation_of(DVONN).shipped().save(path)
    arrays = dict(np.load(path)) | {name: np.array(value) for name, value in changes.items()}
    path.write_bytes(pack(arrays))
    with pytest.raises(WeightsError, match=re.escape(complaint)):
        evaluation_of(DVONN).load(path)


def test_weights_from_before_a_feature_are_read(tmp_path):
    """Features that came later get the weights that the game declares, the others those of the file."""
    evaluation = evaluation_of(GameSpec.parse("gipf").game)
    shipped, path = evaluation.shipped(), tmp_path / "older.npz"
    kept = [i for i, feature in enumerate(evaluation.features) if feature not in evaluation.later]
    assert len(kept) < len(evaluation.features)
    names = tuple(evaluation.features[i] for i in kept)
    replace(shipped, features=names, table=shipped.table[:, kept]).save(path)
    read = evaluation.load(path)
    assert read.features == evaluation.features
    assert np.array_equal(read.table[:, kept], shipped.table[:, kept])
    for feature, weight in evaluation.later.items():
        assert set(read.table[:, evaluation.features.index(feature)]) == {weight}
    replace(shipped, features=names[1:], table=shipped.table[:, kept[1:]]).save(path)
    with pytest.raises(WeightsError, match="features of gipf: expected"):
        evaluation.load(path)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--game", "go"], ": expected SGF files (*.sgf), got a folder without"),
        (["--base", "missing.npz"], "missing.npz: No such file or directory"),
        (["--base", "{gipf}"], "expected weights of dvonn, got weights of gipf"),
        (["--base", "{other}"], "; without edge"),
        (["--base", "{shard}"], "expected weights of dvonn, got a file without format, game"),
        (["--out", "nowhere/w.npz"], "--out: expected a file in an existing folder, got 'nowhere/w.npz'"),
        (["--out", "{shard}"], "--out: expected a file that is not among the games, got "),
        (["--out", "w.png", "--plot", "w.png"], "--plot: expected another file than --out, got w.png"),
        (["--base", ""], "weights: expected the name of a file, got ''"),
        (["--plot", "w.pdf"], "--plot: expected a file named *.png or *.svg, got 'w.pdf'"),
        (["--held-out", "1e-9"], "expected quiet positions held out, got none in 0 of 16 games"),
    ],
)
def test_what_does_not_fit_is_refused(tengen, folder, tmp_path, options, complaint):
    evaluation = evaluation_of(DVONN)
    base = evaluation.shipped()
    other = tmp_path / "other.npz"
    Weights("dvonn", base.features[:-1], base.rows, base.table[:, :-1], base.scales, base.origins).save(other)
    names = {
        "gipf": evaluation_of(GIPF).folder / "weights.npz",
        "other": other,
        "shard": folder / "00000000.npz",
    }
    given = [option.format(**names) for option in options]
    defaults = {"--game": "dvonn", "--out": str(tmp_path / "w.npz")} | dict(
        zip(given[::2], given[1::2], strict=True)
    )
    code, out, err = tengen("fit", folder, *(word for pair in defaults.items() for word in pair))
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_an_empty_folder_is_no_data(tengen, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    code, _, err = tengen("fit", "--game", "dvonn", empty, "--out", tmp_path / "w.npz")
    assert code == 2
    assert "expected files of self-play (*.npz), got a folder without" in err
