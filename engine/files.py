"""Files that are there whole or not at all, whatever happens to the process or the machine meanwhile."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


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
        keep_entry(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def keep_entry(path: Path) -> None:
    """Make sure that the folder remembers the file at `path`; does nothing where folders cannot be synced."""
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
