"""Record dtypes that kernels take as C structs."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

CACHE_LINE = 64  # bytes


class Record(np.record):  # type: ignore[misc]  # final for type checkers only
    """A record for Python, as numpy's, but quicker to read by attributes (twice) and to copy (4 times)."""

    __getattribute__ = np.void.__getattribute__  # in C, while numpy's record has one in Python

    def __getattr__(self, name: str) -> Any:
        """Return the field `name`; records in it are of this class, too."""
        try:
            value = np.void.__getitem__(self, name)
        except ValueError as error:
            raise AttributeError(str(error), name=name, obj=self) from None
        return value if value.dtype.names is None else value.view((Record, value.dtype))

    def copy(self) -> Record:  # type: ignore[override]
        """Return a copy, which nothing else refers to."""
        return cast("Record", np.frombuffer(bytearray(self.tobytes()), self.dtype)[0])


def record(fields: list[Any], *, cache_lines: bool = False) -> np.dtype[Any]:
    """Return the aligned record dtype of `fields`: a C struct that numba passes by pointer.

    Fields may be records themselves, or arrays of them. With `cache_lines`, large fields begin at
    multiples of `CACHE_LINE` from the beginning; `zeros` makes such a record.

    Raises
    ------
    ValueError
        When a field has the name of an array attribute, which would hide it.
    """
    hidden = [field[0] for field in fields if hasattr(np.recarray, field[0])]
    if hidden:
        raise ValueError(f"field names: expected none of an ndarray's attributes, got {hidden}")
    plain = [(name, _struct(dtype), *shape) for name, dtype, *shape in fields]
    struct = np.dtype(plain, align=True)
    return np.dtype((Record, _on_cache_lines(struct) if cache_lines else struct))


def zeros(dtype: np.dtype[Any]) -> Any:
    """Return an array of one record of zeros, which begins at a multiple of `CACHE_LINE`."""
    memory = np.zeros(dtype.itemsize + CACHE_LINE, np.uint8)
    first = -memory.ctypes.data % CACHE_LINE
    return memory[first : first + dtype.itemsize].view(dtype)


def _on_cache_lines(struct: np.dtype[Any]) -> np.dtype[Any]:
    """Return `struct` with its large fields moved to multiples of `CACHE_LINE`."""
    names, formats, offsets, end = struct.names or (), [], [], 0
    for name in names:
        field = struct[name]
        alignment = CACHE_LINE if field.itemsize >= CACHE_LINE else field.alignment
        formats.append(field)
        offsets.append(end + -end % alignment)
        end = offsets[-1] + field.itemsize
    return _layout(names, formats, offsets, end + -end % CACHE_LINE)


def _layout(names: Any, formats: Any, offsets: Any, itemsize: int) -> np.dtype[Any]:
    """Return the aligned struct of fields at given places."""
    layout: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": itemsize}
    return np.dtype(layout, align=True)  # type: ignore[no-any-return]


def _struct(dtype: Any) -> np.dtype[Any]:
    """Return the aligned struct of a record dtype, as making a record of it loses the alignment."""
    made: np.dtype[Any] = np.dtype(dtype)
    if made.fields is None:
        return made
    formats, offsets = zip(*(field[:2] for field in made.fields.values()), strict=True)
    return _layout(made.names, formats, offsets, made.itemsize)
