"""Settings that identify a match or a run of self-play: it resumes only with the ones it began with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from tengen.engine.errors import OptionError
from tengen.engine.storage.files import read_bytes

UNSET = "none"  # shown in place of the value of a setting that is missing


def settings_diff(known: Mapping[str, str], settings: Mapping[str, str]) -> str:
    """Return the differences between the `known` settings and these as text; empty without any."""
    return "; ".join(
        f"{name} is {known.get(name, UNSET)} there, {settings.get(name, UNSET)} here"
        for name in {**known, **settings}
        if known.get(name) != settings.get(name)
    )


def fingerprint(settings: Mapping[str, str]) -> str:
    """Return eight hexadecimal digits of a hash of `settings`."""
    return hashlib.sha256(json.dumps(dict(settings), sort_keys=True).encode()).hexdigest()[:8]


def file_hash(path: Path, most: int) -> str:
    """Return a hash of what a file of at most so many bytes holds; OptionError if it cannot be read."""
    try:
        return hashlib.sha256(read_bytes(path, most)).hexdigest()[:16]
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}") from None


def require_setting(sound: bool, name: str, expected: str, got: object) -> None:
    """Raise OptionError unless the setting `name` is sound."""
    if not sound:
        raise OptionError(f"{name}: expected {expected}, got {got}")
