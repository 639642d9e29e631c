"""JSON that others may have written."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str | bytes, **hooks: Any) -> Any:
    """Return what a JSON text means.

    Parameters
    ----------
    text : str or bytes
    **hooks
        See `json.loads`.

    Raises
    ------
    ValueError
        If it is no JSON, has a number of thousands of digits, or is nested too deeply.
    """
    try:
        return json.loads(text, **hooks)
    except RecursionError:
        raise ValueError("nested too deeply") from None
