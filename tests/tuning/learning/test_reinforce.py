"""Learning by self-play of a net: searches of many games at once, training, and the command."""

import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tengen.apps.cli import main as cli
from tengen.engine import games
from tengen.engine.errors import OptionError
from tengen.engine.go import planes, rules
from tengen.engine.go.knowledge import net
from tengen.engine.go.state import PASS, STATE
from tengen.engine.jit import specialise
from tengen.engine.nets.convolution import place
from tengen.engine.nets.correction import Net
from tengen.engine.spec import GameSpec
from tengen.engine.system import split_command
from tengen.engine.weights import Weights, WeightsError, read_weights
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.search.mcts.tree import child_range
from tengen.tuning.learn.nets.boards import BoardSamples
from tengen.tuning.learn.reinforce.pool import EFFORTS, Effort, Pool
from tengen.tuning.learn.reinforce.teaching import widened
from tengen.tuning.learn.shards import DamagedShardError
from tengen.tuning.learn.trainer import TrainingError
from tests.engine.test_go_net import random_net
from tests.tuning.learning import Interruption, interrupt
from tests.walks import walk

GO = games.find("go")
SPEC = GameSpec.parse("go,size=5,rules=chinese")
GUMBEL = specialise("tengen.search.mcts.gumbel", planes)
SMALL = ("--game", "go,rules=chinese", "--size", "5", "--blocks", "2", "--channels", "8", "--games", "24")


@pytest.fixture
def pool():
    with ThreadPoolExecutor(2) as threads:
        yield Pool(SPEC, Effort(5, 12, 8, 4), 1, threads, 2)


def answer(pool, rng):
    """Give random answers to what a pool asks."""
    pool.games.answer[:] = rng.dirichlet(np.full(26, 0.3), pool.effort.games)
    pool.games.answer_value[:] = rng.uniform(0.3, 0.7, pool.effort.games)


def run(pool, rng, steps):
    """Yield the positions of games that end while a pool makes `steps`."""
    for _ in range(steps):
        answer(pool, rng)
        pool.begin()
        pool.finish()
        if found := pool.ended():
            yield found


# -------------------------------------------------------------------------------------------------- positions


@pytest.mark.parametrize("spec", ["go,size=5,komi=0.5", "go,size=9,rules=chinese", "go,size=19"])
def test_bits_are_the_planes_of_the_net(spec):
    record = net.SHAPE.record(None)
    for position in walk(GameSpec.parse(spec), 3):
        s = position.state
        size = int(s.board.width)
        bits = np.zeros(size * size, np.int16)
        planes.write_bits(s, bits)
        net.write_planes(s, record)
        for i in range(size * size):
            seen = record.board[place(np.int64(size), i % size, i // size)]
            assert [int(bits[i]) >> k & 1 for k in range(16)] == seen.tolist()


def test_games_without_history_are_the_same_games():
    copies = np.zeros(2, STATE)
    for position in walk(GameSpec.parse("go,size=7,rules=chinese,ko=simple"), 5):
        s = position.state
        if s.passes == 2:
            continue
        copies[0] = s
        copies[1] = s
        actions = np.zeros(50, np.int32)
        legal = {action for (action,) in position.turn_actions()}
        permitted = actions[: planes.generate(s, actions)].tolist()
        assert {int(planes.action_of(7, i)) for i in permitted} <= legal
        assert permitted[-1] == 49
        for i in permitted[::5]:
            action = int(planes.action_of(7, i))
            planes.copy_state(copies, 0, 1)
            after = s.copy()
            rules.do_move(after, action)
            planes.do_move(copies[0], i)
            ours, theirs = copies[0]["board"], after.board
            for name in ("stones", "ko", "prisoners"):
                assert np.array_equal(ours[name], theirs[name])
            assert copies[0]["passes"] == after.passes
            assert copies[0]["side_to_move"] == after.side_to_move
            assert copies[0]["last_actions"].tolist() == after.last_actions.tolist()
        if after.passes == 2:
            owners = np.zeros(49, np.int8)
            assert planes.final_margin(copies[0], owners) == after.margin
            assert owners.sum() * 100 - after.komi == after.margin


# --------------------------------------------------------------------------------------------------- searches


@pytest.mark.parametrize(("simulations", "tried"), [*EFFORTS.values(), (1, 1), (5, 8)])
def test_halving_tries_fewer_and_fewer_actions(simulations, tried):
    sequence = Effort(9, 1, simulations, tried).sequence()
    assert len(sequence) == simulations
    counts = np.bincount(sequence, minlength=2)
    assert counts[0] == min(simulations, tried)
    assert all(a >= b for a, b in itertools.pairwise(counts))


def below(pool, game, index):
    """Return the children of a node."""
    first, count = child_range(pool.games.nodes[game], index)
    return pool.games.nodes[game][first : first + count]


def test_searches_count_what_they_should(pool):
    rng = np.random.default_rng(1)
    for _ in run(pool, rng, 200):
        pass
    g = pool.games
    for b in range(12):
        if g.ended[b] or g.opening[b] or g.uniform[b]:
            continue
        used = g.nodes[b][: g.searches[b]["used"]]
        for index in np.flatnonzero(used["block"]):
            expected = below(pool, b, index)["visits"].sum()
            assert used["visits"][index] in (expected, expected + 1)
            assert (below(pool, b, index)["policy"] >= 0).all()
        assert (used["weight"] == used["visits"]).all()
        assert ((used["value"] >= 0) & (used["value"] <= 1)).all()


def test_the_policy_is_improved_as_the_paper_says(pool):
    rng = np.random.default_rng(2)
    for _ in run(pool, rng, 90):
        pass
    g, checked = pool.games, 0
    for b in range(12):
        search, root = g.searches[b], g.nodes[b][0]
        if g.ended[b] or root["visits"] < 3:
            continue
        children, first_side = below(pool, b, 0), root["side_to_move"] == 0
        most = GUMBEL.halving.improve(search, g.nodes[b])
        values = children["value"] if first_side else 1 - children["value"]
        own = search["root_value"] if first_side else 1 - search["root_value"]
        tried, prior = children["visits"] > 0, children["policy"].astype(float)
        assert most == children["visits"].max()
        weights = np.maximum(prior, GUMBEL.halving.LEAST_PRIOR)
        mean, total = np.average(values[tried], weights=weights[tried]), children["visits"].sum()
        mixed = (own + total * mean) / (1 + total)
        scale = (GUMBEL.halving.BASE_VISITS + most) * GUMBEL.halving.VALUE_SCALE
        expected = np.log(weights) + scale * np.where(tried, values, mixed)
        assert search["improved"][: len(children)] == pytest.approx(expected, rel=1e-4)
        checked += 1
    assert checked


def test_positions_of_games_fit_together(pool):
    rng = np.random.default_rng(3)
    found = list(run(pool, rng, 3000))
    assert found
    for positions in found:
        assert np.allclose(positions.policy.sum(1), 1, atol=1e-4)
        assert {*positions.results.tolist()} <= {0.0, 0.5, 1.0}
        for i in np.flatnonzero(positions.known):
            assert positions.known[i] == 1
            signs = {1.0: 1, 0.5: 0, 0.0: -1}
            assert np.sign(positions.margins[i]) == signs[float(positions.results[i])]
            komi = positions.about[i, 0] * 10  # as the side to move gets it
            assert positions.margins[i] == pytest.approx(positions.owners[i].sum() + komi, abs=1e-3)


# ------------------------------------------------------------------------------------------------ the learner


def learner(sizes=(5,), channels=8):
    torch = pytest.importorskip("torch")
    from tengen.tuning.learn.reinforce.learner import Learner

    shape = replace(net.SHAPE, blocks=2, channels=channels)
    return torch, Learner(torch, "cpu", shape, sizes, 1)


def test_boards_are_turned_back():
    torch, _ = learner()
    from tengen.tuning.learn.nets.convolution import turned, turned_back

    board = torch.arange(25).view(1, 5, 5)
    images = [turned(torch, board, image) for image in range(8)]
    assert len({tuple(image.flatten().tolist()) for image in images}) == 8
    for number, image in enumerate(images):
        assert turned_back(torch, image, number).equal(board)


def test_a_net_learns_and_plays_alike(pool):
    torch, found = learner()
    from tengen.tuning.learn.reinforce.learner import Player
    from tengen.tuning.learn.reinforce.pool import Replay

    rng = np.random.default_rng(4)
    positions = BoardSamples.joined(list(run(pool, rng, 1500)))
    replay = Replay(torch, "cpu", 5, net.SHAPE.globals, 64)
    replay.add(positions)
    assert len(replay) == min(64, len(positions))
    for step in range(60):
        found.learn(replay, 32, 3e-3, step % 8)
        if step == 4:
            first = found.losses(5)
    last = found.losses(5)
    assert found.losses(5) is None
    assert last[0] < first[0]
    assert last[1] < first[1]
    assert last[0] >= last[4] - 1e-3  # no policy is closer than the one that is learned

    player = Player(torch, "cpu", found.shape)
    player.update(found.numbers(5))
    bits, about = torch.from_numpy(positions.bits[:7]), torch.from_numpy(positions.about[:7])
    policy, value = player.answer(bits, about, 3)
    assert policy.sum(1).tolist() == pytest.approx([1] * 7, abs=1e-5)
    assert ((value >= 0) & (value <= 1)).all()
    same, again = player.answer(bits, about, 3)
    assert torch.equal(policy, same)
    assert torch.equal(value, again)


def test_a_smaller_net_learns_what_the_greater_one_says(pool):
    torch, teacher = learner()
    from tengen.tuning.learn.reinforce.learner import Learner, planes_of
    from tengen.tuning.learn.reinforce.pool import Replay

    positions = BoardSamples.joined(list(run(pool, np.random.default_rng(5), 1500)))
    replay = Replay(torch, "cpu", 5, net.SHAPE.globals, 64)
    replay.add(positions)
    with torch.no_grad():
        teacher.tensors["value_output_bias"][0] = 4.0  # it is sure to win

    def distance(taught):
        shape = replace(net.SHAPE, blocks=2, channels=8)
        smaller = Learner(torch, "cpu", shape, (5,), 2, teacher if taught else None)
        before = teacher.numbers(5)
        for step in range(60):
            smaller.learn(replay, 32, 3e-3, step % 8)
        after = teacher.numbers(5)
        assert all(np.array_equal(before[name], after[name]) for name in before)
        boards = torch.from_numpy(positions.bits[:64]).view(-1, 5, 5)
        planes, about = planes_of(torch, boards, 16, torch.float32), torch.from_numpy(positions.about[:64])
        says, said = (found.say(5, planes, about)["win"] for found in (smaller, teacher))
        return float((torch.sigmoid(says) - torch.sigmoid(said)).abs().mean())

    assert distance(True) < distance(False) - 0.1


def test_running_means_are_kept_apart_by_size():
    _, found = learner((5, 7))
    before = {name: tensor.clone() for name, tensor in found.running[7].items()}
    found.running[5]["stem_mean"].add_(1)
    assert found.running[7]["stem_mean"].equal(before["stem_mean"])
    assert not np.array_equal(found.numbers(5)["stem_bias"], found.numbers(7)["stem_bias"])
    assert {"5_stem_mean", "7_stem_mean", "stem"} <= set(found.all_tensors())


def some(size, first, count):
    """Return `count` empty boards, whose margins count on from `first`."""
    zeros, points = np.zeros(count, np.float32), size**2
    return BoardSamples(
        bits=np.zeros((count, points), np.int16),
        about=np.zeros((count, 5), np.float32),
        policy=np.full((count, points + 1), 1 / (points + 1), np.float32),
        rates=zeros,
        results=zeros,
        margins=np.arange(first, first + count, dtype=np.float32),
        known=zeros,
        owners=np.zeros((count, points), np.float32),
        playouts=zeros,
    )


def test_what_was_given_is_forgotten():
    torch, _ = learner()
    from tengen.tuning.learn.reinforce.pool import Replay

    replay = Replay(torch, "cpu", 5, 5, 10)
    replay.add(some(5, 0, 4))
    replay.add(some(5, 4, 3))
    replay.forget(4)
    assert len(replay) == 3
    assert {*replay.sample(50)["margins"].tolist()} == {4.0, 5.0, 6.0}
    replay.add(some(5, 7, 9))
    replay.forget(4)  # some of them have been replaced: all are new enough
    assert len(replay) == 10
    assert min(replay.sample(200)["margins"].tolist()) >= 6


# ------------------------------------------------------------------------------------------------ the command


def test_a_run_writes_nets_and_goes_on(tmp_path, capsys):
    pytest.importorskip("torch")
    from tengen.tuning.learn.reinforce.run import Run, RunSettings

    go = games.find("go")
    base = go.evaluation.shipped()
    settings = RunSettings(SPEC, base, {5: 1.0}, 600.0, 2, 8, 400, 20_000, threads=2)
    seen = []

    def on_progress(done, counts):
        seen.append(done)
        if counts[5].steps >= 3:
            interrupt()

    learning = Run(settings, tmp_path / "nets", None, on_progress)
    with pytest.raises(Interruption):
        learning.run()
    learning.write()
    assert seen == sorted(seen)
    again = Run(settings, tmp_path / "nets")
    assert again.seconds >= learning.progress * 600.0 * 0.5
    ours, theirs = again._teacher.numbers(5), learning._teacher.numbers(5)
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
    with pytest.raises(TrainingError, match="expected a checkpoint of the same"):
        Run(replace(settings, blocks=4), tmp_path / "nets")
    weights = read_weights(go, str(tmp_path / "nets" / "net-5.npz"))
    assert weights.net.numbers["sizes"].tolist() == [5, 5]
    assert weights.net.numbers["komis"].tolist() == [[550, 750], [1, 0]]


def test_a_run_begins_as_another_one(tmp_path, capsys):
    pytest.importorskip("torch")
    from tengen.tuning.learn.reinforce.run import CHECKPOINT, PLAYING, Run, RunSettings

    base, first = GO.evaluation.shipped(), tmp_path / "first"
    earlier = Run(RunSettings(SPEC, base, {5: 1.0, 8: 1.0}, 1e-6, 2, 8), first)  # the last part: all learn
    first.mkdir()
    for size in (5, 8):
        earlier.sizes[size].replay.add(some(size, 0, 20))
        earlier.learn(earlier.sizes[size])
    earlier.write()
    settings = RunSettings(SPEC, base, {7: 1.0}, 600.0, 2, 8, base_run=first)
    learning = Run(settings, tmp_path / "second")
    assert learning.seconds < earlier.seconds  # this one has not begun
    with np.load(first / PLAYING) as teacher, np.load(first / CHECKPOINT.format(8)) as student:
        for taken, known in ((learning._teacher, teacher), (learning.sizes[7].student, student)):
            for name, tensor in taken.all_tensors().items():
                found = name.replace("7_", "8_")  # the running means of the size that is nearest
                assert np.array_equal(tensor.detach().numpy(), known[f"parameter_{found}"]), name
            assert not taken.adam.state
    with pytest.raises(TrainingError, match="another run, got none of its nets"):
        Run(replace(settings, base_run=tmp_path), tmp_path / "third")
    with pytest.raises(TrainingError, match=PLAYING):
        Run(replace(settings, blocks=4), tmp_path / "third")
    command = ["reinforce", *SMALL, "--base", str(tmp_path / "no"), "--minutes", "1"]
    assert cli.main([*command, "--out", str(tmp_path / "third")]) == 2
    assert "no: expected the folder of another run" in capsys.readouterr().err


def test_the_command_reports_what_it_learned(tmp_path, capsys):
    pytest.importorskip("torch")
    folder = str(tmp_path / "nets")
    assert cli.main(["reinforce", *SMALL, "--minutes", "0.02", "--out", folder, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["sizes"]["5"]["out"].endswith("net-5.npz")
    assert report["device"] == "cpu"
    assert cli.main(["reinforce", *SMALL, "--minutes", "0.02", "--out", folder]) == 0
    assert "5x5" in capsys.readouterr().out


def test_smaller_nets_learn_on_when_a_run_is_over(tmp_path, capsys):
    pytest.importorskip("torch")
    folder = tmp_path / "nets"
    played = ["selfplay", "--game", "go,size=5,komi=6.5,rules=chinese", "--games", "20", "--nodes", "30"]
    assert cli.main([*played, "--out", str(tmp_path / "games")]) == 0
    command = ["reinforce", str(tmp_path / "games"), *SMALL, "--out", str(folder)]
    assert cli.main([*command, "--teach", "2"]) == 2  # nothing is there yet
    assert "net-5.npz" in capsys.readouterr().err
    assert cli.main([*command, "--minutes", "0.03"]) == 0
    kept = BoardSamples.read(folder / "positions-5.npz", 5, net.SHAPE.globals)
    assert np.allclose(kept.policy.sum(1), 1, atol=0.02)
    capsys.readouterr()
    assert cli.main([*command, "--teach", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["sizes"]["5"]
    assert 0 < report["win"] < 1.5
    assert report["out"] == str(folder / "taught-5.npz")
    before, after = (read_weights(GO, str(folder / f"{name}-5.npz")).net for name in ("net", "taught"))
    assert after.origin["taught"]["positions"][0] == len(kept)
    assert not np.array_equal(before.numbers["value"], after.numbers["value"])
    for name in ("share", "search", "sizes", "komis"):
        assert np.array_equal(before.numbers[name], after.numbers[name])
    first = (folder / "taught-5.npz").read_bytes()
    (folder / "taught-5.checkpoint").unlink()
    assert cli.main([*command, "--teach", "2"]) == 0
    assert (folder / "taught-5.npz").read_bytes() == first
    assert cli.main([*command, "--teach", "3"]) == 2  # of another lesson
    with pytest.raises(DamagedShardError, match="of 7x7"):
        BoardSamples.read(folder / "positions-5.npz", 7, net.SHAPE.globals)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--game", "dvonn"), "game: expected one with a convolutional net, got dvonn"),
        (("--game", "go", "--size", "9", "--size", "9=2"), "--size: each size can be given once"),
        (("--game", "go", "--size", "4"), "--size: expected 5 to 25, got 4"),
        (("--game", "go,size=13"), "--game: expected rules alone, got size=13; sizes are told by --size"),
        (("--game", "go,rules=chinese,komi=7.5"), "--game: expected rules alone, got komi=7.5"),
        (
            ("--game", "go,rules=japanese"),
            "--game: expected rules=chinese or rules=tromp-taylor, got rules=japanese",
        ),
        (("--game", "go", "--device", "cuda"), "--device: expected cpu, since PyTorch finds no other"),
    ],
)
def test_bad_options_are_refused_in_one_line(options, said, tmp_path, capsys, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for work in ("--minutes", "--teach"):
        assert cli.main(["reinforce", *options, work, "1", "--out", str(tmp_path / "nets")]) == 2
        assert said in capsys.readouterr().err


def test_a_folder_that_cannot_be_is_told_at_once(tmp_path, capsys):
    pytest.importorskip("torch")
    (tmp_path / "file").write_text("")
    assert cli.main(["reinforce", *SMALL, "--minutes", "9", "--out", str(tmp_path / "file" / "nets")]) == 2
    assert "Not a directory" in capsys.readouterr().err


def test_a_game_without_such_a_net_has_no_settings():
    pytest.importorskip("torch")
    from tengen.tuning.learn.reinforce.run import RunSettings

    spec = GameSpec.parse("gomoku")
    with pytest.raises(OptionError, match="expected one with a convolutional net, got gomoku"):
        RunSettings(spec, spec.game.evaluation.shipped(), {9: 1.0}, 1.0)


def test_the_pass_comes_last():
    assert planes.action_of(9, 81) == PASS


# -------------------------------------------------------------------------------------------- widened nets


def of_one_size(size: int) -> Weights:
    """Return a net as a run of this size leaves it."""
    found = random_net(size)
    found.numbers["sizes"][:], found.numbers["komis"][:] = size, planes.LEARNED_KOMIS
    return replace(GO.evaluation.shipped(), net=found)


@pytest.mark.parametrize(
    ("size", "options", "sizes", "visits"),
    [(9, ("--widen", "9-9"), [9, 9], 1), (13, ("--widen", "10-19", "--expand", "8"), [10, 19], 8)],
)
def test_a_widened_net_serves_both_scorings_and_all_komis(size, options, sizes, visits, tmp_path, capsys):
    before = of_one_size(size)
    before.save(tmp_path / f"net-{size}.npz")
    command = ["reinforce", "--game", "go", "--size", str(size), *options, "--out", str(tmp_path)]
    assert cli.main([*command, "--json"]) == 0
    made = GO.evaluation.load(tmp_path / f"wide-{size}.npz")
    assert json.loads(capsys.readouterr().out)["fingerprint"] == made.fingerprint
    numbers, scoring = made.net.numbers, [*planes.SCORING_INPUTS]
    assert numbers["sizes"].tolist() == sizes
    assert numbers["komis"].tolist() == planes.ALL_KOMIS.tolist()
    assert numbers["search"][2] == visits
    assert not numbers["stem_globals"][scoring].any()
    assert numbers["value"][-5:][scoring].any() == (size == 9)
    changed = {"sizes", "komis", "search", "stem_globals", "value", "stem_bias", "value_bias"}
    for name, array in before.net.numbers.items():
        assert name in changed or np.array_equal(numbers[name], array), name


def test_the_command_that_resumes_an_interrupted_widening_does_it(tmp_path, capsys, monkeypatch):
    of_one_size(13).save(tmp_path / "net-13.npz")

    def interrupted(*_):
        raise KeyboardInterrupt

    command = ["reinforce", "--game", "go", "--size", "13", "--widen", "10-19", "--out", str(tmp_path)]
    with monkeypatch.context() as patch:
        patch.setattr("tengen.tuning.learn.reinforce.teaching.widened", interrupted)
        assert cli.main(command) == EXIT_INTERRUPTED
    resumed = split_command(capsys.readouterr().err.splitlines()[-1])
    assert cli.main([*resumed[1:]]) == 0
    assert GO.evaluation.load(tmp_path / "wide-13.npz").net.numbers["sizes"].tolist() == [10, 19]


def test_the_shipped_net_of_large_boards_is_that_of_a_run_widened(tmp_path, capsys):
    shipped = GO.evaluation.load(GO.folder / "knowledge/weights-10-19.npz")
    numbers = {name: array.copy() for name, array in shipped.net.numbers.items()}
    with np.load(Path(__file__).parent / "before_widening.npz") as kept:  # all that widening changes
        numbers["stem_globals"][[*planes.SCORING_INPUTS]] = kept["13_stem"]
        numbers["value"][-planes.SHAPE.globals :][[*planes.SCORING_INPUTS]] = kept["13_value"]
    numbers["komis"][:], numbers["sizes"][:], numbers["search"][2] = planes.LEARNED_KOMIS, 13, 4
    before = replace(shipped, net=Net(numbers, {}))
    assert before.fingerprint != shipped.fingerprint
    before.save(tmp_path / "net-13.npz")
    command = ["reinforce", "--game", "go", "--size", "13", "--widen", "10-19", "--expand", "8"]
    assert cli.main([*command, "--out", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["fingerprint"] == shipped.fingerprint
    made = GO.evaluation.load(tmp_path / "wide-13.npz")
    for name, array in shipped.net.numbers.items():
        assert np.array_equal(made.net.numbers[name], array), name


def test_a_net_without_a_size_of_its_own_sees_the_board_as_before():
    """What it says of boards of the size that it has learned from does not change but for rounding."""
    small = of_one_size(9)
    numbers = {name: array.copy() for name, array in small.net.numbers.items()}
    numbers["sizes"][:] = 13
    learned = replace(small, net=Net(numbers, {}))
    wide = widened(learned, planes, (10, 19))
    about = np.array([0.3, 0, 1, planes.size_input(13), 0], np.float32)
    for bias, rows in (("stem_bias", "stem_globals"), ("value_bias", "value")):
        before, after = (
            found.net.numbers[bias] + about @ found.net.numbers[rows][-5:] for found in (learned, wide)
        )
        assert np.allclose(before, after, atol=1e-5)
    with pytest.raises(WeightsError, match="learned from boards of one size"):
        widened(wide, planes, (10, 19))
