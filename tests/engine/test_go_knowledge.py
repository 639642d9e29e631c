"""What Go knows of moves: features and patterns as the reference tells them, and the file of gammas."""

import json
from itertools import islice

import numpy as np
import pytest

from tengen.engine.go import moves
from tengen.engine.go.knowledge import features, gammas, shapes
from tengen.engine.go.state import PASS
from tengen.engine.jit import COMPILED
from tengen.engine.play.position import Position
from tengen.engine.storage.npz import pack
from tengen.engine.weights import WeightsError
from tests.reference import Go, reference
from tests.reference.go.moves import Knower
from tests.reference.words import COLUMNS
from tests.walks import walk

SIZES = {3: 2, 5: 4, 7: 6, 9: 8, 12: 20, 13: 25, 16: 50, 19: 70}  # turns between positions, by board size
LARGEST = 7  # board for interpreted kernels


def vertex(point: int) -> str:
    """Return the vertex of a point of the engine."""
    y, x = divmod(point, shapes.STRIDE)
    return f"{COLUMNS[x - 1]}{y}"


def positions(size: int, seed: int = 0) -> list[Position]:
    """Return some positions of a random game."""
    step = SIZES[size] * (1 if COMPILED else 3)
    return [position.copy() for position in islice(walk(f"go,size={size}", seed), 1, 6 * step, step)]


def candidates(position: Position) -> list[int]:
    """Return the points that a search tries."""
    actions = np.zeros(position.spec.game.rules.MAX_ACTIONS, np.int32)
    count = position.spec.game.rules.generate_candidates(position.state, actions)
    return [int(action) for action in actions[:count] if action != PASS]


def knower(position: Position) -> Knower:
    """Return what tells the features of moves in a position of the engine."""
    twin = reference(str(position.spec), position.text())
    assert isinstance(twin, Go)
    before, last = ([None, None, *position.turns_played])[-2:]
    return Knower(twin, None if last == "pass" else last, None if before == "pass" else before)


def described(position: Position, keys: np.ndarray) -> dict[str, list[int]]:
    """Return the numbers of all features of every candidate, if the patterns of `keys` are known."""
    o, state = np.zeros(1, moves.PLAYOUT)[0], position.state.copy()
    table, numbers = shapes.make_table(keys)
    colour = np.uint64(state.side_to_move + 1)
    last, before = (np.uint64(action) for action in state.last_actions)
    features.prepare(o, state.board, colour)
    found = {}
    for p in candidates(position):
        features.describe(o, state.board, np.uint64(p), colour, last, before, table, numbers)
        found[vertex(p)] = o.levels[: features.COLUMNS].tolist()
    return found


def keys_of(position: Position) -> dict[str, list[int]]:
    """Return the keys of the patterns of every candidate, smallest first."""
    o, state = np.zeros(1, moves.PLAYOUT)[0], position.state.copy()
    shapes.set_contents(o, state.board, np.uint64(state.side_to_move + 1))
    found = {}
    for p in candidates(position):
        keys = np.zeros(len(shapes.SIZES), np.uint64)
        shapes.write_keys(o, np.uint64(p), keys)
        found[vertex(p)] = keys.tolist()
    return found


BOARDS = [size for size in SIZES if COMPILED or size <= LARGEST]


@pytest.mark.interpreted
@pytest.mark.parametrize("size", BOARDS)
def test_features_are_those_of_the_reference(size):
    names = [level for levels in features.CLASSES.values() for level in levels]
    for position in positions(size):
        twin = knower(position)
        for move, numbers in described(position, np.zeros(0, np.uint64)).items():
            found = {name: names[number] for name, number in zip(features.CLASSES, numbers, strict=False)}
            expected = twin.features(move)
            wrong = {name: level for name, level in found.items() if level not in expected[name]}
            assert not wrong, (position.text(), move, {name: expected[name] for name in wrong})
            assert numbers[features.PATTERN] == moves.NO_PATTERN


def test_moves_have_the_same_key_where_their_surroundings_are_the_same():
    chosen = [position for size in (5, 9, 13, 19) if size in BOARDS for position in positions(size, 1)[::3]]
    patterns: list[dict[int, str]] = [{} for _ in shapes.SIZES]
    for position in chosen:
        twin = knower(position)
        for move, keys in keys_of(position).items():
            for number, size in enumerate(shapes.SIZES):
                pattern = twin.pattern(move, size)
                assert patterns[number].setdefault(keys[number], pattern) == pattern
    for known in patterns:
        assert len(set(known.values())) == len(known)
    every = [key for known in patterns for key in known]
    assert 0 not in every
    assert len(set(every)) == len(every)


def test_the_largest_known_pattern_is_found():
    position = positions(9, 2)[-1]
    keys = keys_of(position)
    known = {move: number % (len(shapes.SIZES) + 1) for number, move in enumerate(keys)}  # by their sizes
    table = sorted({key for move, count in known.items() for key in keys[move][:count]})
    found = described(position, np.array(table, np.uint64))
    for move, numbers in found.items():
        count = next((i for i, key in enumerate(keys[move]) if key not in table), len(shapes.SIZES))
        largest = table.index(keys[move][count - 1]) + 1 if count else 0
        assert numbers[features.PATTERN] == moves.NO_PATTERN + largest, move


@pytest.mark.parametrize(
    ("board", "move", "expected"),
    [
        ("...../...../...../OX.../X....", "A3", "capture: saves"),
        ("...../...../...../OX.../XX...", "A3", "capture: one"),
        ("...../...../...../OX.../OX...", "A3", "capture: several"),
        ("...../...../...../O..../.....", "A1", "self-atari: one"),
        ("...../...../O..../XO.../.....", "A1", "self-atari: shape"),
        ("...../...../O..../XO.../.....", "A1", "escape: doomed"),
        ("...../OX.../.OX../OX.../.....", "A3", "ko: takes"),
        ("..X..../...X.../X.X..../.X...../......./......./.......", "B6", "eye: own"),
        ("..O..../...O.../O.O..../.O...../......./......./.......", "B6", "eye: other"),
    ],
)
def test_features_by_example(board, move, expected):
    position = Position.parse(f"go,size={board.count('/') + 1}", f"{board} b - 0 0 0")
    numbers = described(position, np.zeros(0, np.uint64))[move]
    assert expected in {features.NAMES[number] for number in numbers[: features.PATTERN]}


# ---- The file ----


def arrays() -> dict[str, np.ndarray]:
    """Return the arrays of the shipped file."""
    with np.load(gammas.FILE) as archive:
        return dict(archive)


def test_a_file_is_read_as_it_was_written(tmp_path):
    shipped = gammas.load(gammas.FILE)
    path = tmp_path / "gammas.npz"
    shipped.save(path)
    again = gammas.load(path)
    assert again.fingerprint == shipped.fingerprint
    assert dict(again.origin) == dict(shipped.origin)
    shipped.save(path.with_name("again.npz"))
    assert path.read_bytes() == path.with_name("again.npz").read_bytes()


def test_the_shipped_gammas_say_where_they_come_from():
    origin = gammas.load(gammas.FILE).origin
    assert {"source", "data", "games", "positions", "loss", "seed"} <= origin.keys()
    assert json.dumps(dict(origin))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("game", np.array("hex"), "game: expected go, got hex"),
        ("format", np.array(2), "format: expected 1, got 2"),
        ("features", np.array(["luck"]), "features: expected those of this version, got others"),
        (
            "logs",
            np.zeros(3, np.float32),
            r"logs: expected \d+ numbers, got 3",
        ),
        (
            "logs",
            np.full(len(features.NAMES) + 1, np.nan, np.float32),
            "logs: expected finite numbers, got others",
        ),
        ("pattern_keys", np.zeros(1, np.int8), "pattern_keys: expected uint64, got int8"),
        (
            "pattern_keys",
            np.zeros(60_001, np.uint64),
            "pattern_keys: expected shape 60000 at most, got shape",
        ),
        ("pattern_logs", np.zeros(1, np.float32), r"pattern_logs: expected \d+ numbers, got 1"),
        ("origin", np.array("{"), "origin: expected JSON, got "),
        ("origin", None, "expected gammas of go, got a file without origin"),
    ],
)
def test_other_gammas_are_refused(tmp_path, name, value, message):
    found = arrays() | {name: value}
    path = tmp_path / "gammas.npz"
    path.write_bytes(pack({key: array for key, array in found.items() if array is not None}))
    with pytest.raises(WeightsError, match=f"{path}: {message}"):
        gammas.load(path)


def test_damaged_and_missing_files_are_refused(tmp_path):
    path = tmp_path / "gammas.npz"
    with pytest.raises(WeightsError, match=f"{path}: No such file"):
        gammas.load(path)
    whole = gammas.FILE.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(WeightsError, match=f"{path}: expected an npz file, got one that is damaged"):
        gammas.load(path)
    path.write_text("gammas")
    with pytest.raises(WeightsError, match=f"{path}: expected an npz file, got something else"):
        gammas.load(path)
