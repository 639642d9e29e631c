"""Games that a net of KataGo plays: what it sees, what it says, what is kept; nets that learn from it."""

import gzip

import numpy as np
import pytest

from tengen.apps.cli import main as cli
from tengen.engine.go import teacher
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.tuning.learn.shards import VisitShard
from tests.engine.test_go_net import LADDER
from tests.reference import reference
from tests.reference.go import teacher as told
from tests.tuning.learning.teacher_file import packed, random_layers
from tests.walks import walk

SPEC = "go,size=7,komi=5.5,rules=chinese"
ENCLOSED = ".X.X.../OXXXX../XX...../......./....O../......./....... b - 0 0 0"


def viewed(position):
    """Return what the net sees of a position with the moves before it, as the game went."""
    start, view = Position.start(position.spec), teacher.TeacherView(int(position.state.board.width))
    for turn in [*position.turns_played, None]:
        planes = np.zeros((teacher.PLANES, int(start.state.board.width) ** 2), np.uint8)
        numbers = np.zeros(teacher.NUMBERS, np.float32)
        view.see(start.state, planes, numbers)
        if turn:
            (action,) = start.parse_turn(turn)
            view.play(action)
            start.push(turn)
    return planes, numbers


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [5, 7])
def test_the_teacher_sees_what_the_reference_tells(size, seed):
    game, moves, compared = [], [], 0
    for position in walk(f"go,size={size},komi={seed + 0.5 * (seed % 3)},rules=chinese", seed):
        game.append(reference(str(position.spec), position.text()))
        moves = list(position.turns_played)
        if len(moves) % 5 and len(moves) < size * size:
            continue
        planes, numbers = viewed(position)
        seen, unsure = told.planes(game, moves)
        sure = [i for i in range(size * size) if i not in unsure]
        for plane in range(teacher.PLANES):
            ladders = teacher.LADDER <= plane <= teacher.START
            points = sure if ladders else slice(None)
            assert np.array_equal(planes[plane, points], seen[plane, points]), (plane, position.board())
        assert numbers == pytest.approx(told.numbers(game[-1], moves), abs=1e-6)
        compared += 1
    assert compared > 3


@pytest.mark.parametrize("breaker", [".", "X"])
def test_ladders_are_seen_from_their_first_atari_on(breaker):
    planes = np.zeros((teacher.PLANES, 81), np.uint8)
    teacher.write_teacher_planes(Position.parse("go,size=9", LADDER.format(breaker, "w")).state, planes)
    assert planes[teacher.LADDER].any() == planes[teacher.START].any() == (breaker == ".")


def test_unconditional_territory_holds_dead_stones():
    planes = np.zeros((teacher.PLANES, 49), np.uint8)
    teacher.write_teacher_planes(Position.parse(SPEC, ENCLOSED).state, planes)
    area = planes[teacher.AREA].reshape(7, 7)[::-1] - 2.0 * planes[teacher.AREA + 1].reshape(7, 7)[::-1]
    assert area[0, :4].tolist() == [1, 1, 1, 1]
    assert area[1, 0] == 1  # a dead white stone
    assert area[6].tolist() == [0] * 7


@pytest.fixture(scope="module")
def net_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("net") / "small.bin.gz"
    path.write_bytes(packed(random_layers(3)))
    return path


def test_the_teacher_says_what_the_definition_of_its_layers_does(net_file):
    torch = pytest.importorskip("torch")
    from tengen.tuning.learn.nets.katago import KataGoNet

    generator = np.random.default_rng(5)
    planes = generator.integers(0, 2, (3, 22, 7, 7)).astype(np.float32)
    numbers = generator.normal(size=(3, 19)).astype(np.float32)
    says = KataGoNet(torch, net_file).answer(torch.from_numpy(planes), torch.from_numpy(numbers))
    for i in range(3):
        expected = told.answer(random_layers(3), planes[i].astype(float), numbers[i].astype(float))
        assert says.policy[i].numpy() == pytest.approx(expected["policy"], abs=1e-4)
        assert float(says.win[i]) == pytest.approx(expected["win"], abs=1e-5)
        assert float(says.score[i]) == pytest.approx(expected["lead"] / 10, abs=1e-4)
        assert says.owners[i].numpy() == pytest.approx(expected["owners"], abs=1e-4)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"no gzip", "expected a net of KataGo, got another file"),
        (gzip.compress(b"a b c"), "expected a net of KataGo, got another file"),
        (packed(random_layers(1), version=14), "model version 14"),
        (packed(random_layers(1))[:900], "expected a net of KataGo, got another file"),
    ],
    ids=["text", "words", "version", "cut"],
)
def test_other_files_are_refused_in_one_line(tmp_path, capsys, content, words):
    pytest.importorskip("torch")
    path = tmp_path / "net.bin.gz"
    path.write_bytes(content)
    arguments = ["--game", SPEC, "--games", "1", "--out", str(tmp_path / "games"), "--workers", "1"]
    assert cli.main(["selfplay", *arguments, "--teacher", str(path)])
    error = capsys.readouterr().err
    assert words in error
    assert "Traceback" not in error


def test_its_games_are_kept_resumed_and_learned_from(tmp_path, net_file, capsys):
    pytest.importorskip("torch")
    games = tmp_path / "games"
    command = ["selfplay", "--game", SPEC, "--teacher", str(net_file), "--out", str(games), "--shard", "4"]
    command += ["--openings", "6", "--explore", "0.1", "--workers", "1"]
    assert cli.main([*command, "--games", "4"]) == 0
    first = (games / "00000000.npz").read_bytes()
    assert cli.main([*command, "--games", "8"]) == 0
    assert (games / "00000000.npz").read_bytes() == first
    shard = VisitShard.read(games / "00000004.npz", GameSpec.parse(SPEC))
    assert shard.count == 4
    assert not np.isnan(shard.rates).any()
    assert np.all(shard.lengths <= 1.5 * 49 + 1)
    capsys.readouterr()
    out = tmp_path / "net.npz"
    fit = ["fit", "--game", SPEC, str(games), "--net", "--score-share", "1", "--epochs", "1"]
    assert cli.main([*fit, "--held-out", "0.4", "--out", str(out)]) == 0
    assert out.exists()


def test_a_teacher_excludes_efforts_and_games_without_a_view_of_it(tmp_path, net_file, capsys):
    arguments = ["--games", "1", "--out", str(tmp_path / "games"), "--teacher", str(net_file)]
    assert cli.main(["selfplay", "--game", SPEC, "--nodes", "9", *arguments]) == 2
    assert "--teacher excludes --depth and --nodes" in capsys.readouterr().err
    assert cli.main(["selfplay", "--game", "dvonn", *arguments]) == 2
    assert "--teacher: expected a game" in capsys.readouterr().err
