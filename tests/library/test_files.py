"""Files that cannot be opened: the same errors from all that opens files, in one line that names the file."""

import pytest

import tengen

START = tengen.Position("dvonn")


def searched(weights):
    with tengen.Engine(weights=weights) as engine:
        engine.play(START, tengen.Limit(nodes=1))


def played(first="random", **more):
    tengen.match(first, "random", game="dvonn", games=2, limit=tengen.Limit(nodes=1), **more)


def exported(*path, **more):
    pytest.importorskip("onnx")
    tengen.export_onnx("dvonn", *path, **more)


READERS = [
    tengen.Record.read,
    tengen.Record.read_all,
    searched,
    lambda path: exported("net.onnx", weights=path),
    lambda path: tengen.net_inputs([START], weights=path),
]
WRITERS = [
    lambda path: tengen.Record("dvonn").write(path),
    lambda path: played(file=path),
    exported,
]


@pytest.mark.parametrize("opened", [*READERS, *WRITERS])
def test_what_cannot_be_opened_is_a_file_error(opened, tmp_path):
    with pytest.raises(
        tengen.MissingFileError, match=r"missing.file\.sgf.*: No such file or directory"
    ) as caught:
        opened(tmp_path / "missing" / "file.sgf")
    assert caught.value.filename.endswith("file.sgf")
    folder = tmp_path / "folder.sgf"
    folder.mkdir()
    with pytest.raises(tengen.FileError, match=r"folder\.sgf.*: expected a file.*, got a folder"):
        opened(folder)
    with pytest.raises(tengen.FileError, match="null"):
        opened("a\0b.sgf")
    with pytest.raises(tengen.ArgumentError, match="expected a path, got '5'"):
        opened(5)
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("player", ["tengen,weights={}", "python:{}.py:Player", "ugi:{}"])
def test_files_of_players_are_no_exception(player, tmp_path):
    with pytest.raises(tengen.MissingFileError, match=r"missing.*No such file"):
        played(player.format(tmp_path / "missing"))
