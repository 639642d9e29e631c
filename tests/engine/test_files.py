"""Files: only regular ones are read or replaced, and no name that others can foresee is written to."""

import os
import socket
from pathlib import Path

import pytest

from tengen.engine.storage import files
from tengen.engine.storage.files import (
    exclusive_lock,
    open_regular,
    read_bytes,
    remove_unfinished,
    replace_file,
)

REFUSED = {
    "pipe": "expected a file, got a pipe",
    "folder": "expected a file, got a folder",
    "socket": "No such device",  # as the system has it: sockets cannot be opened
    "device": "expected a file, got a device",
}


@pytest.fixture
def strange(tmp_path, monkeypatch):
    """Return, by what they are, paths that are no regular files."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        found = {name: tmp_path / name for name in ("pipe", "folder", "socket")}
        yield found | {"device": Path("/dev/zero")}


@pytest.mark.posix
@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_file_is_neither_read_nor_replaced(strange, kind):
    path = strange[kind]
    with pytest.raises(OSError, match=REFUSED[kind]) as refusal:
        open_regular(path, 100)
    assert refusal.value.filename == str(path)
    before = path.stat()
    with pytest.raises(OSError, match=f"expected a file to write, got a {kind}"):
        replace_file(path, b"data")
    assert path.stat().st_ino == before.st_ino


@pytest.mark.posix
def test_a_device_behind_a_link_is_not_replaced(tmp_path):
    path = tmp_path / "null"
    path.symlink_to("/dev/null")
    with pytest.raises(OSError, match="expected a file to write, got a device"):
        replace_file(path, b"data")
    assert path.is_symlink()


@pytest.mark.linux
def test_larger_files_are_not_read(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(10))
    assert read_bytes(path, 10) == bytes(10)
    with pytest.raises(OSError, match="expected at most 0 kB, got more"):
        read_bytes(path, 9)
    with pytest.raises(OSError, match="expected at most 0 kB, got more"):  # which says that it is empty
        read_bytes(Path("/proc/self/status"), 10)
    path.write_bytes(bytes(1 << 17))
    with pytest.raises(OSError, match="expected at most 64 kB, got more"):
        read_bytes(path, 1 << 16)


@pytest.mark.parametrize("name", ["a\0b", "a" * 300, "missing"])
def test_impossible_names_are_refused(tmp_path, name):
    for work in (lambda path: open_regular(path, 9), lambda path: replace_file(path / "file", b"")):
        with pytest.raises((OSError, ValueError)):
            work(tmp_path / name)


@pytest.mark.posix
def test_a_planted_link_is_not_written_through(tmp_path, monkeypatch):
    """Even if somebody guesses the name of the unfinished file, what the link points to stays as it is."""
    monkeypatch.setattr(os, "urandom", bytes)  # zeros
    victim, path = tmp_path / "victim", tmp_path / "result"
    victim.write_text("precious")
    planted = tmp_path / f".{bytes(8).hex()}{files.UNFINISHED}"
    planted.symlink_to(victim)
    with pytest.raises(FileExistsError):
        replace_file(path, b"data")
    assert victim.read_text() == "precious"
    assert not path.exists()
    for name in ("result.partial", "result.lock"):
        (tmp_path / name).symlink_to(victim)
    monkeypatch.undo()
    replace_file(path, b"data")
    assert (path.read_bytes(), victim.read_text()) == (b"data", "precious")
    with pytest.raises(OSError, match="symbolic links"), exclusive_lock(path):
        pass


@pytest.mark.posix
def test_unfinished_files_of_killed_processes_are_removed(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: os._exit(1))
        if (child := os.fork()) == 0:
            replace_file(tmp_path / "file", b"data")
        os.waitpid(child, 0)
    (unfinished,) = tmp_path.iterdir()
    assert unfinished.name != "file"
    remove_unfinished(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_long_names_can_be_replaced(tmp_path):
    path = tmp_path / ("名" * 85)  # 255 bytes, as many as a name may have
    replace_file(path, b"data")
    assert path.read_bytes() == b"data"
