"""Files: read only if they are regular and small enough, replaced atomically, and locked."""

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from tengen.engine import system
from tengen.engine.errors import TengenError

UNFINISHED = ".partial"  # ends the names of files that are being written
LOCK_INTERVAL = 0.01  # seconds between two tries
_BINARY = getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | _BINARY
_LOCK_FILE = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | _BINARY


def open_regular(path: Path, most: int) -> BinaryIO:
    """Open the file at `path`, of at most so many bytes, for reading.

    Raises OSError, whose message says why, if it cannot be opened, is larger than `most`, or is a device, a
    pipe, a socket or a folder: reading these could take for ever.
    """
    try:
        # Opening a pipe would wait for its other end; opening a terminal could make it ours.
        file = os.open(path, _READ)
    except (ValueError, RuntimeError) as error:  # NUL in its name; a circle of links
        raise OSError(errno.EINVAL, str(error), str(path)) from None
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, f"expected a file, got {_kind(status.st_mode)}", str(path))
        if status.st_size > most:
            raise OSError(errno.EFBIG, f"expected at most {_size(most)}, got more", str(path))
        return os.fdopen(file, "rb")
    except BaseException:
        os.close(file)
        raise


def read_bytes(path: Path, most: int) -> bytes:
    """Return the contents of the file at `path`; see `open_regular`."""
    with open_regular(path, most) as file:
        data = file.read(most + 1)
    if len(data) > most:  # it has grown, or is one of those that hide their size
        raise OSError(errno.EFBIG, f"expected at most {_size(most)}, got more", str(path))
    return data


def user_folder(kind: str) -> Path:
    """Return the user's folder of a kind, ``cache``, ``config``, ``data`` or ``log``, which need not exist.

    Who has no home gets a path where nothing can be: no folder called ``~`` is made anywhere.
    """
    import platformdirs  # here: protocols must introduce themselves at once

    nowhere = Path(os.devnull, "tengen", kind)
    try:
        path = Path(getattr(platformdirs, f"user_{kind}_dir")("tengen", appauthor=False))
    except RuntimeError:  # of newer versions; older ones leave the tilde
        return nowhere
    return path if path.is_absolute() else nowhere


def without_links(path: Path) -> Path:
    """Return the absolute path without links; a circle of links, which `Path.resolve` refuses, stays."""
    return Path(os.path.realpath(path))


def replace_file(path: Path, data: bytes) -> None:
    """Replace the file at `path` by `data` atomically; the data is on disk when this returns.

    The data is first written to a new file beside it, whose name nobody can foresee. A link is replaced, not
    what it points to. Raises OSError if the file cannot be written, or `path` is a folder, a device, a pipe
    or a socket; it then stays.
    """
    require_replaceable(path)
    unfinished = path.with_name(f".{os.urandom(8).hex()}{UNFINISHED}")
    try:
        try:
            with os.fdopen(os.open(unfinished, _NEW_FILE, 0o666), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            system.replace(unfinished, path)
        except BaseException:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise
        fsync_folder(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def require_replaceable(path: Path) -> None:
    """Raise OSError if `path` is neither a file, a link to one, nor free."""
    try:
        mode = path.stat().st_mode
    except ValueError as error:  # NUL in its name
        raise OSError(errno.EINVAL, str(error), str(path)) from None
    except OSError:
        return
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, f"expected a file to write, got {_kind(mode)}", str(path))


def remove_unfinished(folder: Path) -> None:
    """Remove what killed processes have left of `replace_file` in `folder`, which must be locked."""
    for path in folder.glob(f".*{UNFINISHED}"):
        with contextlib.suppress(OSError):
            path.unlink()


def fsync_folder(path: Path) -> None:
    """Sync the folder of `path` to disk, so that it keeps the new file; ignored where not supported."""
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextlib.contextmanager
def exclusive_lock(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Lock `path` against other processes: by the file ``lock`` in a folder, else by ``NAME.lock``.

    Another process that holds the lock is waited for as many seconds as there is `patience`. Nothing is done
    on disks without file locks. Raises TengenError if another process still holds the lock.
    """
    lock = path / "lock" if path.is_dir() else path.with_name(f"{path.name}.lock")
    deadline = time.monotonic() + patience
    with os.fdopen(os.open(lock, _LOCK_FILE, 0o666), "wb") as file:
        while True:
            try:
                system.lock_file(file.fileno())
            except BlockingIOError:
                if time.monotonic() < deadline:
                    time.sleep(LOCK_INTERVAL)
                    continue
                kind = "folder" if path.is_dir() else "file"
                raise TengenError(f"{path}: this {kind} is in use by another run") from None
            break
        yield


def _size(number: int) -> str:
    """Return a number of bytes, a whole one of kilobytes, in words."""
    return f"{number >> 20} MB" if number >> 20 else f"{number >> 10} kB"


def _kind(mode: int) -> str:
    """Return in words what a file that is not regular is."""
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return kinds.get(stat.S_IFMT(mode), "something else")
