"""Files that are there whole or not at all, whatever happens to the process or the machine meanwhile."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from tengen.engine.errors import TengenError


def replace_file(path: Path, data: bytes) -> None:
    """Write `data` to the file at `path`, in place of what it held; it is on disk when this returns.

    Raises
    ------
    OSError
        When that cannot be done, of `path`; what was there stays.
    """
    unfinished = path.with_name(f"{path.name}.partial")
    try:
        try:
            with unfinished.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, path)
        except BaseException:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise
        fsync_folder(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def fsync_folder(path: Path) -> None:
    """Make sure that the folder remembers the file at `path`; does nothing where folders cannot be synced."""
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextlib.contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Keep other processes that ask for the same from `path`: ``lock`` in a folder, else ``NAME.lock``.

    Nobody is kept out where files cannot be locked.

    Raises
    ------
    TengenError
        When another process has it.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    lock = path / "lock" if path.is_dir() else path.with_name(f"{path.name}.lock")
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            kind = "folder" if path.is_dir() else "file"
            raise TengenError(f"{path}: expected a {kind} for this run alone, got one in use") from None
        yield
