"""Hostile archives: npz files that lie, are damaged, or unpack to more than anyone wants."""

import io
import pickle
import random
import struct
import warnings
import zipfile
from collections.abc import Callable

import numpy as np
from numpy.lib import format as npy

from tengen.engine.storage.npz import pack

Arrays = dict[str, np.ndarray]
SHAPES = ((-1,), (1 << 62, 9), (0,) * 30)  # that no array has
BOMB = 1 << 28  # bytes that a bomb unpacks to


def member(array: np.ndarray) -> bytes:
    """Return the bytes of an array as a member."""
    buffer = io.BytesIO()
    npy.write_array(buffer, array)
    return buffer.getvalue()


def header(kind: str, shape: tuple[int, ...]) -> bytes:
    """Return the beginning of a member that says it is an array of this type and shape."""
    buffer = io.BytesIO()
    npy.write_array_header_1_0(buffer, {"descr": kind, "fortran_order": False, "shape": shape})
    return buffer.getvalue()


def archive(members: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive of these members; names may occur again."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that occur again
        for name, data in members:
            file.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return buffer.getvalue()


def members_of(arrays: Arrays) -> list[tuple[str, bytes]]:
    return [(f"{name}.npy", member(array)) for name, array in arrays.items()]


def replaced(arrays: Arrays, name: str, data: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return the archive with other bytes in place of one member."""
    members = dict(members_of(arrays)) | {f"{name}.npy": data}
    return archive(list(members.items()), method)


def bomb(arrays: Arrays, name: str, kind: str, size: int = BOMB) -> bytes:
    """Return the archive with a member that is small, and unpacks to very many zeros."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for other, data in members_of(arrays):
            if other != f"{name}.npy":
                file.writestr(other, data)
        with file.open(f"{name}.npy", "w", force_zip64=True) as out:
            out.write(header(kind, (size // np.dtype(kind).itemsize,)))
            for _ in range(size >> 24):
                out.write(bytes(1 << 24))
    return buffer.getvalue()


def many_members(count: int) -> bytes:
    """Return an archive with very many empty members."""
    return archive([(f"{number}.npy", b"") for number in range(count)], zipfile.ZIP_STORED)


def spoiled(whole: bytes, chance: random.Random) -> bytes:
    """Return the bytes of a file with some changed, lost or doubled."""
    data = bytearray(whole)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(data))
        kind = chance.randrange(4)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            data[at : at + 4] = struct.pack("<I", chance.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 20)))
        elif kind == 2:
            del data[at : at + chance.randrange(1, 50)]
        else:
            data[at:at] = data[at : at + chance.randrange(1, 50)]
        if not data:
            return b"PK\x03\x04"
    return bytes(data)


def odd_values(array: np.ndarray, chance: random.Random) -> np.ndarray:
    """Return an array with some numbers, or its shape or type, replaced."""
    kind = chance.randrange(4)
    if array.dtype.kind in "iuf" and kind < 2:
        low, high = (-1e308, 1e308) if array.dtype.kind == "f" else (0, 0)
        if array.dtype.kind != "f":
            low, high = np.iinfo(array.dtype).min, np.iinfo(array.dtype).max
        copy = array.copy().reshape(-1)
        if len(copy):
            values = [low, high, 0, 1] + ([np.nan, np.inf] if array.dtype.kind == "f" else [])
            copy[chance.randrange(len(copy))] = chance.choice(values)
        return copy.reshape(array.shape)
    if kind == 2:
        return chance.choice((array[..., None], array.reshape(-1)[:0], array.reshape(-1)[:1], np.array(7)))
    return np.array(chance.choice(("text", "[" * 5000, "{}", "\x1b[31m\nx", "\u202e" * 100)))


def hostile(arrays: Arrays, chance: random.Random) -> bytes:
    """Return one hostile file that was made of the `arrays` of a good one."""
    name = chance.choice(list(arrays))
    array = arrays[name]
    makers: list[Callable[[], bytes]] = [
        lambda: spoiled(pack(arrays), chance),
        lambda: pack(arrays | {name: odd_values(array, chance)}),
        lambda: pack({key: value for key, value in arrays.items() if key != name}),
        lambda: archive(members_of(arrays) + members_of({name: array})),
        lambda: replaced(arrays, name, pickle.dumps(["x"])),
        lambda: replaced(arrays, name, header("<i8", (2_000_000_000,)) + bytes(99)),
        lambda: replaced(arrays, name, header(array.dtype.str, chance.choice(SHAPES))),
        lambda: replaced(arrays, name, spoiled(member(array), chance)),
        lambda: replaced(arrays, name, member(array), zipfile.ZIP_LZMA),
        lambda: pack(arrays | {chance.choice(("\x1b[2J", "a" * 60_000, "../../x", "tab\tle")): array}),
        lambda: replaced(arrays, name, member(np.array([{"a": 1}], object))),
        lambda: chance.randbytes(chance.randrange(200)),
        lambda: b"PK" + chance.randbytes(chance.randrange(30)),
        lambda: replaced(arrays, name, b""),
    ]
    return chance.choice(makers)()
