"""Atomic writes that survive crashes, and locks."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from tengen.engine.errors import TengenError


def replace_file(path: Path, data: bytes) -> None:
    """Replace the file at `path` by `data` atomically; the data is on disk when this returns.

    Raises
    ------
    OSError
        When the file cannot be written; the old file stays.
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
    """Sync the folder of `path` to disk, so that it keeps the new file; ignored where not supported."""
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextlib.contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Lock `path` against other processes: by the file ``lock`` in a folder, else by ``NAME.lock``.

    Does nothing on systems without file locks.

    Raises
    ------
    TengenError
        When another process holds the lock.
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
