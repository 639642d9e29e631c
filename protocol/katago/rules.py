"""Rules of Go as KataGo names and describes them, and the options of a game spec that say the same.

KataGo knows more rules than tengen: what has no counterpart is refused. Suicide is illegal and White gets no
points for handicap stones, whatever KataGo has under a name. Where an area is counted, ``friendlyPassOk``
tells whether dead stones are taken off first (``chinese``) or must have been captured (``tromp-taylor``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tengen.engine.errors import OptionError, nearest, quoted
from tengen.engine.game import GameSpec
from tengen.engine.go.katago import TERRITORY, katago_rules
from tengen.protocol.katago.fields import parse_json

# Shorthand names, and the values of the options `rules` and `ko` that they stand for.
NAMED = {
    "tromp-taylor": ("tromp-taylor", "positional"),
    "chinese": ("chinese", "simple"),
    "chinese-ogs": ("chinese", "positional"),
    "chinese-kgs": ("chinese", "positional"),
    "japanese": ("japanese", "simple"),
    "korean": ("japanese", "simple"),
}
VALUES: dict[str, tuple[str | bool, ...]] = {
    "ko": ("SIMPLE", "POSITIONAL", "SITUATIONAL"),
    "scoring": ("AREA", "TERRITORY"),
    "tax": ("NONE", "SEKI"),  # follows from scoring
    "suicide": (False,),
    "hasButton": (False,),
    "whiteHandicapBonus": ("0",),
    "friendlyPassOk": (False, True),
}
SYNONYMS = {"score": "scoring"}


def spec_with_rules(spec: GameSpec, text: str) -> GameSpec:
    """Return `spec` under the rules that `text` names, komi as before.

    Parameters
    ----------
    spec : GameSpec
    text : str
        A name such as ``tromp-taylor``, or a JSON object such as ``{"ko":"SIMPLE","scoring":"AREA"}``. There
        a missing ``ko`` is POSITIONAL, a missing ``scoring`` AREA, and without ``friendlyPassOk`` an area is
        counted as Chinese with ``ko`` SIMPLE, as by Tromp and Taylor otherwise.

    Raises
    ------
    OptionError
        When the game has no such rules, or tengen does not know them.
    NotationError
        When `text` begins like an object and is no JSON.
    """
    require_rules(spec)
    if text.strip().startswith("{"):
        return _spec_from_object(spec, parse_json(text))
    name = re.sub(r"[ _]", "-", text.strip().lower())
    if name not in NAMED:
        expected = f"an object or one of {', '.join(NAMED)}"
        raise OptionError(f"rules: expected {expected}, got {quoted(text)}{nearest(name, NAMED)}")
    return _with_options(spec, *NAMED[name])


def spec_with_rule(spec: GameSpec, key: str, value: str) -> GameSpec:
    """Return `spec` with one field of its rules changed; `value` is a text such as ``SIMPLE`` or ``false``.

    Raises
    ------
    OptionError
        As `spec_with_rules`.
    """
    rules = rules_of(spec)
    del rules["tax"]
    boolean = {"true": True, "false": False}.get(value.lower(), value)
    return _spec_from_object(spec, rules | {SYNONYMS.get(key, key): boolean})


def rules_of(spec: GameSpec) -> dict[str, str | bool]:
    """Return the rules of `spec` as KataGo's object has them.

    Raises
    ------
    OptionError
        When the game has no such rules.
    """
    require_rules(spec)
    return katago_rules(spec.values) | {"friendlyPassOk": spec.values["rules"] == "chinese"}


def usual_komi(spec: GameSpec) -> float:
    """Return the komi that KataGo takes under the rules of `spec` when nobody says one."""
    return 6.5 if spec.values["rules"] in TERRITORY else 7.5


def has_rules(spec: GameSpec) -> bool:
    """Return whether the game has rules to choose."""
    return spec.values.keys() >= {"rules", "ko"}


def require_rules(spec: GameSpec) -> None:
    """Raise OptionError unless the game has rules to choose."""
    if not has_rules(spec):
        raise OptionError(f"rules: {spec.game.title} has none to choose")


def _spec_from_object(spec: GameSpec, given: Mapping[str, Any]) -> GameSpec:
    """Return `spec` under the rules of an object."""
    rules = {SYNONYMS.get(key, key): _checked(SYNONYMS.get(key, key), value) for key, value in given.items()}
    ko, scoring = rules.get("ko", "POSITIONAL"), rules.get("scoring", "AREA")
    tax = "SEKI" if scoring == "TERRITORY" else "NONE"
    if rules.get("tax", tax) != tax:
        raise OptionError(f"rules: tax: expected {tax!r} with {scoring}, got {rules['tax']!r}")
    if scoring == "TERRITORY":
        counted = str(spec.values["rules"]) if spec.values["rules"] in TERRITORY else "japanese"
    else:
        counted = "chinese" if rules.get("friendlyPassOk", ko == "SIMPLE") else "tromp-taylor"
    return _with_options(spec, counted, str(ko).lower())


def _checked(key: str, value: Any) -> str | bool:
    """Return the value of a field, texts in upper case."""
    if key not in VALUES:
        known = ", ".join(VALUES)
        raise OptionError(f"rules: expected fields among {known}, got {quoted(key)}{nearest(key, VALUES)}")
    value = value.upper() if isinstance(value, str) else value
    for allowed in VALUES[key]:
        if type(value) is type(allowed) and value == allowed:
            return allowed
    expected = " or ".join(json.dumps(allowed) for allowed in VALUES[key])
    raise OptionError(f"rules: {key}: expected {expected}, got {quoted(json.dumps(value))}")


def _with_options(spec: GameSpec, rules: str, ko: str) -> GameSpec:
    return spec.with_option("rules", rules).with_option("ko", ko)
