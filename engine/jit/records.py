"""Record dtypes that kernels take as C structs."""

from __future__ import annotations

from typing import Any

import numpy as np


def record(fields: list[Any]) -> np.dtype[Any]:
    """Return the aligned record dtype of `fields`: a C struct that numba passes by pointer.

    Fields may be records themselves, or arrays of them.

    Raises
    ------
    ValueError
        When a field has the name of an array attribute, which would hide it.
    """
    hidden = [field[0] for field in fields if hasattr(np.recarray, field[0])]
    if hidden:
        raise ValueError(f"field names: expected none of an ndarray's attributes, got {hidden}")
    plain = [(name, _struct(dtype), *shape) for name, dtype, *shape in fields]
    return np.dtype((np.record, np.dtype(plain, align=True)))


def _struct(dtype: Any) -> np.dtype[Any]:
    """Return the aligned struct of a record dtype, as making a record of it loses the alignment."""
    made: np.dtype[Any] = np.dtype(dtype)
    if made.fields is None:
        return made
    formats, offsets = zip(*(field[:2] for field in made.fields.values()), strict=True)
    layout: Any = {"names": made.names, "formats": formats, "offsets": offsets, "itemsize": made.itemsize}
    return np.dtype(layout, align=True)  # type: ignore[no-any-return]
