"""Settings that identify a match or a run of self-play: it resumes only with the ones it began with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from tengen.engine.errors import OptionError

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


def require_setting(sound: bool, name: str, expected: str, got: object) -> None:
    """Raise OptionError unless the setting `name` is sound."""
    if not sound:
        raise OptionError(f"{name}: expected {expected}, got {got}")
