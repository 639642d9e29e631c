"""The convolutional net of Go: what it sees and what it says is what the reference tells; its file."""

from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest

from tengen.engine import games
from tengen.engine.go import planes
from tengen.engine.go.knowledge import net
from tengen.engine.go.state import PASS
from tengen.engine.jit import (
    COMPILED,
    PARTS,
    TILE,
    kernel,
    multiply,
    restore_tiles,
    transform_tiles,
    transform_weights,
)
from tengen.engine.nets import convolution
from tengen.engine.nets.correction import Net
from tengen.engine.play.position import Position
from tengen.engine.weights import WeightsError
from tests.reference import Go, reference
from tests.reference.go import net as go_net
from tests.walks import walk

pytestmark = pytest.mark.interpreted

GO = games.find("go")
SHAPE = net.SHAPE
SIZES = (2, 5, 9, 10, 13, 19, 25) if COMPILED else (2, 5)
TOLERANCE = 2e-4  # of numbers up to a few tens


def random_net(seed: int, shape: convolution.ConvolutionShape = SHAPE) -> Net:
    """Return a net of random numbers under which signals neither vanish nor grow."""
    generator, numbers = np.random.default_rng(seed), {}
    for name, (kind, lengths) in shape.numbers.items():
        inputs = max(1, int(np.prod(lengths[-4:-1] if name in convolution.CONVOLUTIONS else lengths[:-1])))
        numbers[name] = (generator.normal(size=lengths) * 0.8 / np.sqrt(inputs)).astype(kind)
    numbers |= {
        "sizes": np.array([2, 25], np.int32),
        "komis": np.array([[-10000, 10000]] * 2, np.int32),
        "share": np.array([0.3], np.float32),
        "search": np.array([1.0, 0.1, 1.0, 0.0], np.float32),
    }
    return Net(numbers, {})


def positions(size: int, seed: int = 0) -> list[Position]:
    """Return some positions of a random game."""
    rules = ("territory", "chinese")[seed % 2]
    step = max(1, size * size // 6)
    found = islice(walk(f"go,size={size},komi=3.5,rules={rules}", seed), 0, 6 * step, step)
    return [position.copy() for position in found]


def twin_of(position: Position) -> tuple[Go, str | None, str | None]:
    """Return the position in the reference, and the last two moves."""
    twin = reference(str(position.spec), position.text())
    assert isinstance(twin, Go)
    before, last = (None if turn == "pass" else turn for turn in [None, None, *position.turns_played][-2:])
    return twin, last, before


@cache
def seen_and_told(size: int) -> list[tuple[Position, list[np.ndarray], np.ndarray]]:
    """Return positions of a random game, with what the reference sees and is told: the same for all nets."""
    found = []
    for position in positions(size, size):
        twin, last, before = twin_of(position)
        found.append((position, go_net.planes(twin, last, before), go_net.about(twin)))
    return found


def on_board(numbers: np.ndarray, size: int) -> np.ndarray:
    """Return those of numbers by place that belong to points, shape (rows, columns, ...)."""
    places = [[convolution.place(size, x, y) for x in range(size)] for y in range(size)]
    return numbers[np.array(places)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", [SHAPE, SHAPE.resized(5, 64), SHAPE.resized(1, 32)], ids=str)
def test_what_the_net_sees_and_says_is_what_the_reference_tells(size, shape):
    found = random_net(size, shape)
    record = SHAPE.record(found)
    for position, views, told in seen_and_told(size):
        rate = net.ask_net(position.state, record)
        seen = on_board(record.board, size).transpose(2, 0, 1)
        assert any(np.array_equal(seen, view) for view in views), position.board()
        assert record.about == pytest.approx(told)
        says = go_net.run(found.numbers, seen, told)
        assert record["values"].tolist() == pytest.approx([says["win"], says["score"]], abs=TOLERANCE)
        assert on_board(record.logits, size) == pytest.approx(says["logits"], abs=TOLERANCE)
        assert record.logits[-1] == pytest.approx(says["passing"], abs=TOLERANCE)
        side = position.side_to_move
        assert rate == pytest.approx(1 / (1 + np.exp((2 * side - 1) * says["win"])), abs=TOLERANCE)


LADDER = (
    "........./........./......{}../........./........./.O......./.OX....../..OO...../......... {} - 0 0 0"
)


@pytest.mark.parametrize("side", ["w", "b"])
@pytest.mark.parametrize(("breaker", "plane"), [(".", 0), ("X", 2)])
def test_ends_of_ladders_are_shown(breaker, plane, side):
    """A chain that a ladder captures is shown in atari, and with three liberties if something saves it."""
    position = Position.parse("go,size=9,rules=chinese", LADDER.format(breaker, side))
    record, stone = SHAPE.record(random_net(1)), net.OTHER if side == "w" else net.OWN
    net.write_planes(position.state, record)
    seen = on_board(record.board, 9)
    assert np.flatnonzero(seen[2, 2, stone : stone + 4]).tolist() == [plane]
    captures = seen[:, :, net.CAPTURE + (0 if side == "w" else net.SIDES)]
    assert {*zip(*np.nonzero(captures), strict=True)} == (set() if breaker == "X" else {(2, 3), (3, 2)})
    assert any(np.array_equal(seen.transpose(2, 0, 1), view) for view in go_net.planes(*twin_of(position)))


def test_running_from_a_ladder_in_vain_looks_like_self_atari():
    text = LADDER.format(".", "b").replace("/.O......./.OX", "/.OO....../.OX")
    record = SHAPE.record(random_net(1))
    net.write_planes(Position.parse("go,size=9,rules=chinese", text).state, record)
    assert on_board(record.board, 9)[2, 3, net.SELF_ATARI] == 1


def test_one_record_serves_boards_of_all_sizes():
    found = random_net(3)
    shared = SHAPE.record(found)
    for size in (9, 5, 7, 9):
        position = positions(size)[-1]
        alone = SHAPE.record(found)
        assert net.ask_net(position.state, shared) == net.ask_net(position.state, alone)
        assert np.array_equal(on_board(shared.logits, size), on_board(alone.logits, size))


def test_images_of_a_position_are_seen_as_images():
    record, size = SHAPE.record(random_net(1)), 5
    position = positions(size, 4)[-1]
    fresh = Position.parse(str(position.spec), position.text())  # images have no last moves
    views = []
    for state in GO.rules.symmetries(fresh.state):
        net.write_planes(state, record)
        views.append(on_board(record.board, size).copy())
    turned = [np.rot90(side, turns) for side in (views[0], views[0].transpose(1, 0, 2)) for turns in range(4)]
    for view in views:
        assert any(np.array_equal(view, image) for image in turned)
    assert len({view.tobytes() for view in views}) == len({image.tobytes() for image in turned}) > 1


def test_colours_are_seen_from_the_side_to_move():
    record, views = SHAPE.record(random_net(1)), []
    for text in ("...../..X../.XO../...../..... b - 0 0 0", "...../..O../.OX../...../..... w - 0 0 0"):
        position = Position.parse("go,size=5,rules=chinese", text)
        rate = net.ask_net(position.state, record)
        views.append((on_board(record.board, 5).tolist(), record.logits.tolist(), rate))
    (seen, logits, rate), (other_seen, other_logits, other_rate) = views
    assert (seen, logits) == (other_seen, other_logits)
    assert rate == pytest.approx(1 - other_rate)


def test_probabilities_of_the_policy_are_those_of_its_logits():
    position, record = positions(5)[-1], SHAPE.record(random_net(2))
    net.ask_net(position.state, record)
    actions = np.zeros(GO.rules.MAX_ACTIONS, np.int32)
    count = GO.rules.generate_candidates(position.state, actions)
    shares = np.zeros(GO.rules.MAX_ACTIONS, np.float32)
    net.net_policy(position.state, record, actions, count, shares)
    places = [
        -1 if action == PASS else net.place_of(5, np.uint64(action)) for action in actions[:count].tolist()
    ]
    expected = np.exp(record.logits[places].astype(np.float64))
    assert shares[:count] == pytest.approx(expected / expected.sum(), abs=1e-5)
    assert not shares[count:].any()


def test_a_net_knows_the_sizes_that_it_has_learned_from():
    found = random_net(0)
    found = Net({**found.numbers, "sizes": np.array([5, 9], np.int32)}, {})
    known = [
        bool(net.net_knows(Position.start(f"go,size={size}").state, SHAPE.record(made)))
        for size, made in [(4, found), (5, found), (9, found), (10, found), (9, None)]
    ]
    assert known == [False, True, True, False, False]


def test_a_net_knows_the_komis_that_it_has_learned_from():
    names = [f"go,size=9,komi={komi},rules=chinese" for komi in (5.5, 7.5, 6)]
    komis = planes.komi_ranges(Position.start(name).state for name in names)
    assert komis.tolist() == [[550, 750], [1, 0]]
    record = SHAPE.record(Net({**random_net(0).numbers, "komis": komis}, {}))
    names += [f"go,size=9,komi={komi}" for komi in ("5,rules=chinese", "8,rules=chinese", "6,rules=japanese")]
    known = [bool(net.net_knows(Position.start(name).state, record)) for name in names]
    assert known == [True] * 3 + [False] * 3


# ---------------------------------------------------------------------------------------------- convolutions


@kernel
def convolve(plane, weights, bias, residual, size, transforms, products, target):
    """Convolve a plane by tiles, as a net does; the transforms and products are scratch."""
    side = (size + TILE - 1) // TILE
    first, stride = convolution.place(size, 0, 0), side * TILE + 1
    transform_tiles(plane, first, stride, side, transforms)
    multiply(transforms, weights, side * side, products)
    restore_tiles(products, bias, residual, first, stride, side, target)


@pytest.mark.parametrize("size", [1, 3, 4, 8, 19])
@pytest.mark.parametrize("channels", [(16, 32), (32, 64)])
def test_convolutions_by_tiles_are_those_of_the_definition(size, channels):
    inputs, outputs = channels
    generator = np.random.default_rng(size)
    side = -(-size // TILE)
    points, tiles = (TILE * side + 3) * (TILE * side + 1) + 9, side * side + 9
    plane = np.zeros((points, inputs), np.float32)
    places = np.array([[convolution.place(size, x, y) for x in range(size)] for y in range(size)])
    plane[places] = generator.normal(size=(size, size, inputs))
    weights = generator.normal(size=(3, 3, inputs, outputs)).astype(np.float32)
    bias = generator.normal(size=outputs).astype(np.float32)
    residual = generator.normal(size=(points, outputs)).astype(np.float32)
    transforms, products = (np.zeros((PARTS, tiles, channel), np.float32) for channel in (inputs, outputs))
    target = np.zeros((points, outputs), np.float32)
    convolve(plane, transform_weights(weights), bias, residual, size, transforms, products, target)
    board = plane[places].transpose(2, 0, 1).astype(np.float64)
    expected = go_net._convolved(board, weights.astype(np.float64), bias.astype(np.float64))
    expected = np.maximum(expected.transpose(1, 2, 0) + residual[places], 0)
    assert target[places] == pytest.approx(expected, abs=3e-4)


# ------------------------------------------------------------------------------------------------------ files


@pytest.mark.parametrize("shape", [SHAPE, SHAPE.resized(6, 64)], ids=str)
def test_a_net_is_kept_in_a_file_of_weights(tmp_path, shape):
    evaluation, path = GO.evaluation, tmp_path / "weights.npz"
    weights = replace(evaluation.shipped(), net=random_net(5, shape))
    weights.save(path)
    read = evaluation.load(path)
    assert path.stat().st_size < 2_000_000
    assert read.fingerprint == weights.fingerprint != replace(weights, net=None).fingerprint
    assert all(np.array_equal(read.net.numbers[name], array) for name, array in weights.net.numbers.items())


@pytest.mark.parametrize(
    ("name", "array", "complaint"),
    [
        (
            "sizes",
            np.array([9, 5], np.int32),
            "sizes: expected two from 2 to 25 .*, got 9 and 5",
        ),
        ("sizes", np.array([9, 26], np.int32), "sizes: expected two from 2 to 25"),
        (
            "komis",
            np.array([[700, 700], [700, 650]], np.int32),
            "komis: expected two in ascending order, or 1 and 0, got 700 and 650",
        ),
        ("share", np.array([1.0], np.float32), "share: expected a number from 0 to less than 1, got 1"),
        ("share", np.array([np.nan], np.float32), "share: expected finite numbers, got others"),
        ("stem_bias", np.full(32, 1e5, np.float32), "stem_bias: expected numbers up to 10000, got others"),
        (
            "first",
            np.zeros((7, 3, 3, 32, 32), np.float32),
            "first: expected shape 4 x .* at most, got shape 7 x",
        ),
        ("search", np.zeros(3, np.float32), "search: expected float32 of shape 4, got float32 of shape 3"),
    ],
)
def test_numbers_that_no_net_has_are_refused(tmp_path, name, array, complaint):
    numbers = {**random_net(5).numbers, name: array}
    replace(GO.evaluation.shipped(), net=Net(numbers, {})).save(tmp_path / "weights.npz")
    with pytest.raises(WeightsError, match=complaint):
        GO.evaluation.load(tmp_path / "weights.npz")
