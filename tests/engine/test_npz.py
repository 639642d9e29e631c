"""Archives of arrays: whatever a file says, little is unpacked, and the refusal is one line."""

import json
import pickle
import random
import zipfile

import numpy as np
import pytest

from tengen.engine.errors import TengenError
from tengen.engine.go.knowledge import gammas
from tengen.engine.spec import GameSpec
from tengen.engine.storage import npz
from tengen.engine.storage.npz import TEXT, Archive, ArchiveError, Limit, pack, unpack
from tengen.tuning.learn.shards import PositionShard, layout
from tests.engine import hostile
from tests.processes import peak_memory

ARRAYS = {"numbers": np.arange(5), "words": np.array(["a", "bc"]), "share": np.array([0.5])}
LIMITS = {"numbers": Limit("i8", (10,)), "words": Limit(TEXT, (3,)), "share": Limit("f8", (1,))}
GOMOKU = GameSpec.parse("gomoku,size=5")
ATTEMPTS = 60  # hostile files of each format; `make soak` makes many more


@pytest.fixture
def path(tmp_path):
    return tmp_path / "archive.npz"


def test_an_archive_is_read_as_it_was_written(path):
    arrays = ARRAYS | {"numbers": np.asfortranarray(np.arange(6).reshape(2, 3))}
    path.write_bytes(pack(arrays))
    found = unpack(path, LIMITS | {"numbers": Limit("i8", (2, 3))})
    assert all(np.array_equal(found[name], array) for name, array in arrays.items())
    np.savez(path, **ARRAYS)
    assert unpack(path, LIMITS)["numbers"].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "expected an npz file, got something else"),
        (b"PK", "expected an npz file, got something else"),
        (pickle.dumps([1]), "expected an npz file, got pickled objects, which are never loaded"),
        (pack(ARRAYS)[:-9], "expected an npz file, got one that is damaged (File is not a zip file)"),
        (hostile.many_members(20_000), "expected an npz file, got one that is damaged (too many arrays)"),
        (
            hostile.archive(hostile.members_of(ARRAYS) + hostile.members_of({"words": ARRAYS["words"]})),
            "expected each array once, got 'words.npy' 2 times",
        ),
        (hostile.archive([("words.txt", b"")]), "expected arrays (.npy), got 'words.txt'"),
        (hostile.replaced(ARRAYS, "words", b"", zipfile.ZIP_BZIP2), "expected it stored or deflated, got"),
        (pack(ARRAYS | {"wards": np.array(1)}), "expected no array 'wards', got one (did you mean 'words'?)"),
        (
            hostile.replaced(ARRAYS, "numbers", pickle.dumps([1])),
            "expected arrays, got pickled objects, which",
        ),
        (
            hostile.replaced(ARRAYS, "numbers", hostile.member(np.array([{}], object))),
            "expected arrays, got pickled objects, which are never loaded",
        ),
        (hostile.replaced(ARRAYS, "numbers", b""), "numbers: expected an array, got something else (EOF"),
        (pack(ARRAYS | {"numbers": np.arange(5.0)}), "numbers: expected int64, got float64"),
        (pack(ARRAYS | {"words": np.arange(5)}), "words: expected texts, got int64"),
        (pack(ARRAYS | {"numbers": np.array(5)}), "numbers: expected shape 10 at most, got a single value"),
        (pack(ARRAYS | {"numbers": np.arange(11)}), "numbers: expected shape 10 at most, got shape 11"),
        (
            hostile.replaced(ARRAYS, "numbers", hostile.header("<i8", (2_000_000_000,))),
            "numbers: expected shape 10 at most, got shape 2000000000",
        ),
        (
            hostile.replaced(ARRAYS, "numbers", hostile.header("<i8", (-1,))),
            "numbers: expected shape 10 at most, got shape -1",
        ),
        *(
            (
                hostile.replaced(
                    ARRAYS, "words", hostile.header(f"{order}U1", (1,)) + code.to_bytes(4, name)
                ),
                "words: expected texts, got numbers that are no characters",
            )
            for code in (0x110000, 0xFFFFFFFF)
            for order, name in (("<", "little"), (">", "big"))
        ),
        (
            hostile.replaced(ARRAYS, "words", hostile.header("<U500000000", (2,))),
            "words: expected at most 4 MB of text, got more",
        ),
        (
            hostile.replaced(ARRAYS, "numbers", hostile.header("<i8", (5,)) + bytes(48)),
            "got one that is damaged (an array of another length than it says)",
        ),
        (
            hostile.replaced(ARRAYS, "numbers", hostile.header("<i8", (5,)) + bytes(32)),
            "got one that is damaged (an array of another length than it says)",
        ),
        (pack(ARRAYS | {"share": np.array([np.nan])}), "share: expected finite numbers, got others"),
    ],
)
def test_what_the_format_does_not_allow_is_refused(path, data, complaint):
    path.write_bytes(data)
    with pytest.raises(ArchiveError) as refusal:
        unpack(path, LIMITS)
    assert complaint in str(refusal.value)
    assert str(refusal.value).startswith(f"{path}: ")


def test_all_arrays_together_are_bounded(path, monkeypatch):
    monkeypatch.setattr(npz, "MAX_UNPACKED", 50)
    path.write_bytes(pack(ARRAYS))
    with Archive(path) as archive:
        archive.read("numbers", LIMITS["numbers"])
        with pytest.raises(ArchiveError, match="expected at most 0 MB of arrays, got more"):
            archive.read("words", LIMITS["words"])


def test_a_bomb_is_not_unpacked(path):
    """A small file that would unpack to 256 MB is refused, even where its format has no limit of its own."""
    path.write_bytes(hostile.bomb(ARRAYS, "numbers", "<i8"))
    assert path.stat().st_size < 1 << 20
    before = peak_memory()
    with pytest.raises(ArchiveError, match="expected at most 128 MB of arrays, got more"):
        unpack(path, LIMITS | {"numbers": Limit("i8", (1 << 62,))})
    assert peak_memory() - before < 64


# ----------------------------------------------------------------------------------- the files of the product


def shard_arrays():
    states = np.zeros(3, GOMOKU.game.rules.STATE)
    fields = {"format": 1, "game": str(GOMOKU), "settings": {}, "layout": layout(states.dtype)}
    return {
        "header": np.array(json.dumps({**fields, "first": 0, "count": 1})),
        "states": states,
        **{name: np.zeros(3, kind) for name, kind in (("scores", "i4"), ("plies", "i4"), ("games", "i8"))},
        "results": np.array([1], np.int8),
        "turns": np.array([3], np.int32),
    }


def shipped(path):
    with np.load(path) as archive:
        return {name: archive[name] for name in archive.files}


FORMATS = {
    "weights": (
        lambda: shipped(GameSpec.parse("gipf").game.folder / "weights.npz"),
        lambda path: GameSpec.parse("gipf").game.evaluation.load(path),
    ),
    "gammas": (lambda: shipped(gammas.FILE), gammas.load),
    "shard": (shard_arrays, lambda path: PositionShard.read(path, GOMOKU)),
}


def refusal(reader, path) -> str:
    """Return what `reader` says of a file, which is one line; empty if it takes it."""
    try:
        reader(path)
    except TengenError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_files_are_refused_in_one_line(path, name):
    """Whatever is wrong with a file, its reader raises nothing but its own error."""
    make, reader = FORMATS[name]
    arrays, chance, refused = make(), random.Random(1), 0
    path.write_bytes(pack(arrays))
    assert refusal(reader, path) == ""
    for _ in range(ATTEMPTS):
        path.write_bytes(hostile.hostile(arrays, chance))
        text = refusal(reader, path)
        refused += bool(text)
        assert text == "" or text.isprintable()
        assert len(text) <= 2_000
    assert refused > ATTEMPTS // 2
