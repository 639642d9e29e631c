"""Archives of arrays, npz files: written the same every time, and read no further than their format allows.

A reader declares every array: its type, and its greatest length in each dimension. Names, number, types,
shapes and sizes are checked before anything is unpacked: a small file cannot ask for much memory or time.
Nothing is ever unpickled.
"""

import contextlib
import io
import math
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from tengen.engine.errors import TengenError, nearest, quoted
from tengen.engine.storage.files import open_regular

SUFFIX = ".npy"  # of the names of members
MAGIC = b"PK\x03\x04"  # of zip archives
PICKLE_MAGIC = b"\x80"
MAX_FILE = 256 << 20  # bytes
MAX_DIRECTORY = (1 << 16) + 22  # bytes that zipfile reads at once before the members: comment, directory
MAX_HEADER = 10_000  # characters of the header of an array
MAX_UNPACKED = 128 << 20  # bytes of all arrays that are read from one archive
MAX_TEXT = 4 << 20  # bytes of an array of texts
CHUNK = 1 << 16
TEXT = "U"
DAMAGED = "expected an npz file, got one that is damaged"


class ArchiveError(TengenError):
    """A file that is not an archive of the arrays that were expected."""


@dataclass(frozen=True)
class Limit:
    """What an array may be."""

    kind: Any  # its dtype, `TEXT` for texts of any length, or None for any type without objects
    most: tuple[int, ...]  # the greatest length by dimension
    finite: bool = True  # whether all numbers have to be finite; unknown ones may be NaN elsewhere


ONE_TEXT = Limit(TEXT, ())
ONE_NUMBER = Limit("i8", ())


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the bytes of a compressed npz file of `arrays`; they do not depend on the time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}{SUFFIX}", (1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w") as file:
                npy.write_array(file, np.asanyarray(array), allow_pickle=False)
    return buffer.getvalue()


def unpack(path: Path, limits: Mapping[str, Limit]) -> dict[str, NDArray[Any]]:
    """Return the arrays of the npz file at `path`; it may lack some, but has no others than `limits`.

    Raises ArchiveError if the file cannot be read, is not an npz file, is damaged, or has other arrays.
    """
    with Archive(path) as archive:
        archive.require_no_others(limits)
        return {name: archive.read(name, limits[name]) for name in archive.names}


class Archive:
    """An npz file that is open for reading. A context manager.

    Raises ArchiveError if the file cannot be read, is not an npz file, or is damaged.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._room = MAX_UNPACKED
        try:
            self._file = open_regular(path, MAX_FILE)
        except OSError as error:
            raise ArchiveError(f"{path}: {error.strerror}") from error
        try:
            self._members = self._directory()
        except BaseException:
            self._file.close()
            raise
        self.names = tuple(self._members)  # of its arrays, all different

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def require_no_others(self, known: Mapping[str, object]) -> None:
        """Raise ArchiveError if there is an array that is not `known`."""
        for name in self.names:
            if name not in known:
                raise self._error(f"expected no array {quoted(name)}, got one{nearest(name, known)}")

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of the array `name`, which the archive has; ArchiveError if it is damaged."""
        with self._opened(name) as file:
            return self._header(name, file)[1]

    def read(self, name: str, limit: Limit) -> NDArray[Any]:
        """Return the array `name`, which the archive has.

        Raises ArchiveError if it exceeds `limit`, or is damaged.
        """
        with self._opened(name) as file:
            dtype, shape, fortran = self._header(name, file)
            self._check(name, limit, dtype, shape)
            size = dtype.itemsize * math.prod(shape)
            if size > self._room:
                raise self._error(f"expected at most {MAX_UNPACKED >> 20} MB of arrays, got more")
            self._room -= size
            data = self._data(file, size)
        array = np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")
        if limit.finite and array.dtype.kind == "f" and not np.isfinite(array).all():
            raise self._error(f"{name}: expected finite numbers, got others")
        if dtype.kind == TEXT:  # NumPy would make strings of them that crash Python
            codes = np.frombuffer(data, np.dtype(np.uint32).newbyteorder(dtype.byteorder))
            if codes.max(initial=0) > sys.maxunicode:
                raise self._error(f"{name}: expected texts, got numbers that are no characters")
        return array

    @contextlib.contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        """Open the member of an array."""
        try:
            with self._zip.open(self._members[name]) as file:
                yield file
        except ArchiveError:
            raise
        except Exception as error:  # a damaged archive may raise anything
            raise self._error(f"{DAMAGED} ({error})") from None

    def _directory(self) -> dict[str, zipfile.ZipInfo]:
        """Return the members of the archive by the names of their arrays."""
        magic = self._file.read(len(MAGIC))
        self._file.seek(0)
        if magic != MAGIC:
            pickled = magic.startswith(PICKLE_MAGIC)
            found = "pickled objects, which are never loaded" if pickled else "something else"
            raise self._error(f"expected an npz file, got {found}")
        try:
            self._zip = zipfile.ZipFile(_ShortReads(self._file))  # type: ignore[arg-type] # all that it asks for
        except Exception as error:  # a damaged archive may raise anything
            raise self._error(f"{DAMAGED} ({error})") from None
        members = self._zip.infolist()
        counts = Counter(member.filename for member in members)
        for member in members:
            name = quoted(member.filename)
            if counts[member.filename] > 1:
                raise self._error(f"expected each array once, got {name} {counts[member.filename]} times")
            if not member.filename.endswith(SUFFIX):
                raise self._error(f"expected arrays ({SUFFIX}), got {name}")
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise self._error(f"{name}: expected it stored or deflated, got another compression")
        return {member.filename.removesuffix(SUFFIX): member for member in members}

    def _header(self, name: str, file: IO[bytes]) -> tuple[np.dtype[Any], tuple[int, ...], bool]:
        """Return type, shape and order of the array whose member is open."""
        if file.peek(1)[:1] == PICKLE_MAGIC:  # type: ignore[attr-defined]
            raise self._error("expected arrays, got pickled objects, which are never loaded")
        try:
            version = npy.read_magic(file)
            reader = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, fortran, dtype = reader(file, max_header_size=MAX_HEADER)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
            reason = str(error).partition("\n")[0]
            raise self._error(f"{name}: expected an array, got something else ({reason})") from None
        if dtype.hasobject:
            raise self._error("expected arrays, got pickled objects, which are never loaded")
        return dtype, shape, fortran

    def _check(self, name: str, limit: Limit, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
        """Raise ArchiveError if an array of this type and shape exceeds `limit`."""
        kind = np.dtype(limit.kind) if limit.kind not in (TEXT, None) else None
        if (limit.kind == TEXT and dtype.kind != TEXT) or (kind is not None and dtype != kind):
            expected = "texts" if limit.kind == TEXT else str(kind)
            raise self._error(f"{name}: expected {expected}, got {dtype}")
        if len(shape) != len(limit.most) or any(
            not 0 <= length <= most for length, most in zip(shape, limit.most, strict=True)
        ):
            expected = f"shape {' x '.join(map(str, limit.most))} at most" if limit.most else "a single value"
            got = f"shape {' x '.join(map(str, shape))}" if shape else "a single value"
            raise self._error(f"{name}: expected {expected}, got {quoted(got)[1:-1]}")
        if limit.kind == TEXT and dtype.itemsize * math.prod(shape) > MAX_TEXT:
            raise self._error(f"{name}: expected at most {MAX_TEXT >> 20} MB of text, got more")

    def _data(self, file: IO[bytes], size: int) -> bytearray:
        """Return the `size` bytes that are left of a member; to its end, where its checksum is compared."""
        data = bytearray()
        while chunk := file.read(CHUNK):
            data += chunk
            if len(data) > size:
                break
        if len(data) != size:
            raise self._error(f"{DAMAGED} (an array of another length than it says)")
        return data

    def _error(self, text: str) -> ArchiveError:
        return ArchiveError(f"{self._path}: {text}")


class _ShortReads:
    """A file as zipfile needs one, which refuses to read more than a directory of usual size at once."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, or all; ValueError for more than a directory of members may have."""
        most = MAX_DIRECTORY + 1
        data = self._file.read(most if size < 0 else min(size, most))
        if len(data) == most:
            raise ValueError("too many arrays")
        return data
