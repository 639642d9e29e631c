"""Text and JSON that others may have written."""

import json
import re
from typing import Any

from tengen.engine.errors import NotationError, quoted

_HALF = re.compile("[\ud800-\udfff]")  # lone surrogates: Python's texts may have them, files cannot
_ESCAPED_HALF = (r"\ud", r"\uD")  # how the escapes of surrogates begin in JSON


def require_characters(text: str, where: str) -> str:
    """Return `text`, without lone surrogates; raise NotationError, which names `where`, if it has one."""
    half = None if text.isascii() else _HALF.search(text)
    if half:
        around = text[max(0, half.start() - 20) : half.end() + 20]
        raise NotationError(f"{where}: expected characters, got a half of one: {quoted(around)}")
    return text


def parse_json(text: str | bytes, halves: bool = False, **hooks: Any) -> Any:
    """Return what a JSON text means; `halves` allows lone surrogates, `hooks` are those of `json.loads`.

    Raises ValueError if it is no JSON, has a number of thousands of digits, is nested too deeply, or has lone
    surrogates.
    """
    try:
        found = json.loads(text, **hooks)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    whole = text if isinstance(text, str) else text.decode("utf-8", "replace")
    if not halves and (any(half in whole for half in _ESCAPED_HALF) or not whole.isascii()):
        require_json_characters(found)
    return found


def require_json_characters(value: Any) -> None:
    """Raise NotationError if there are lone surrogates in a value that JSON has."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        raise NotationError("JSON: expected less nesting, got too much") from None
    require_characters(text, "JSON")
