"""The rules of Go as KataGo names them, and the options of a game spec that mean the same.

KataGo knows more rules than tengen: rules without a counterpart are refused. Suicide is illegal and White
gets no points for handicap stones, whatever KataGo has under a name (``tromp-taylor`` and ``new-zealand``,
``aga`` and ``chinese``). With area scoring, ``friendlyPassOk`` tells whether dead stones are removed first
(``chinese``) or must have been captured (``tromp-taylor``).
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from tengen.engine.errors import OptionError, nearest, quoted
from tengen.engine.game import Value

# Values of the option `rules` with territory scoring; the others score area
TERRITORY = ("territory", "japanese")

# Shorthand names, and the values of the options `rules` and `ko` that they stand for.
NAMED = {
    "tromp-taylor": ("tromp-taylor", "positional"),
    "chinese": ("chinese", "simple"),
    "chinese-ogs": ("chinese", "positional"),
    "chinese-kgs": ("chinese", "positional"),
    "japanese": ("japanese", "simple"),
    "korean": ("japanese", "simple"),
    "aga": ("chinese", "situational"),
    "bga": ("chinese", "situational"),
    "new-zealand": ("chinese", "situational"),
}
UNKNOWN = {  # names of KataGo's rules that have no counterpart, and why
    "stone-scoring": "no tax on groups",
    "aga-button": "no button",
}
FIELDS: dict[str, tuple[str | bool, ...]] = {
    "ko": ("SIMPLE", "POSITIONAL", "SITUATIONAL"),
    "scoring": ("AREA", "TERRITORY"),
    "tax": ("NONE", "SEKI"),  # follows from scoring
    "suicide": (False,),
    "hasButton": (False,),
    "whiteHandicapBonus": ("0",),
    "friendlyPassOk": (False, True),
}
SYNONYMS = {"score": "scoring"}
REASONS = {  # why a field allows a single value
    "suicide": "suicide is illegal, of several stones too [O-3]",
    "hasButton": "there is no button",
    "whiteHandicapBonus": "White gets no points for handicap stones",
}


def katago_rules(values: Mapping[str, Value]) -> dict[str, str | bool]:
    """Return the rules of the option `values` as a KataGo rules object."""
    territory = values["rules"] in TERRITORY
    return {
        "ko": str(values["ko"]).upper(),
        "scoring": "TERRITORY" if territory else "AREA",
        "tax": "SEKI" if territory else "NONE",
        "suicide": False,
        "hasButton": False,
        "whiteHandicapBonus": "0",
    }


def katago_rules_in_full(values: Mapping[str, Value]) -> dict[str, str | bool]:
    """Return `katago_rules` and the field that older versions of KataGo do not know."""
    return katago_rules(values) | {"friendlyPassOk": values["rules"] == "chinese"}


def usual_komi(values: Mapping[str, Value]) -> float:
    """Return the komi that KataGo takes under the rules of `values` when nobody says one."""
    return 6.5 if values["rules"] in TERRITORY else 7.5


def options_by_name(name: str) -> dict[str, Value]:
    """Return the values of the options that stand for the rules called `name`; OptionError without any."""
    key = re.sub(r"[ _]", "-", name.strip().lower())
    if key in UNKNOWN:
        expected = f"rules that tengen knows ({', '.join(NAMED)})"
        raise OptionError(f"rules: expected {expected}, got {key}: tengen has {UNKNOWN[key]}")
    if key not in NAMED:
        expected = f"an object or one of {', '.join(NAMED)}"
        raise OptionError(f"rules: expected {expected}, got {quoted(name)}{nearest(key, NAMED)}")
    rules, ko = NAMED[key]
    return {"rules": rules, "ko": ko}


def options_from_rules(fields: Mapping[str, Any], values: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of the options that stand for the rules in `fields`.

    A missing ``ko`` is POSITIONAL, a missing ``scoring`` AREA, and without ``friendlyPassOk`` an area is
    counted as Chinese with ``ko`` SIMPLE, as by Tromp and Taylor otherwise. The `values` of the options so
    far tell by which of the rules that mean the same a territory is counted. Raise OptionError when tengen
    knows no such rules.
    """
    rules = {SYNONYMS.get(key, key): _checked(SYNONYMS.get(key, key), value) for key, value in fields.items()}
    ko, scoring = rules.get("ko", "POSITIONAL"), rules.get("scoring", "AREA")
    tax = "SEKI" if scoring == "TERRITORY" else "NONE"
    if rules.get("tax", tax) != tax:
        raise OptionError(f"rules: tax: expected {tax!r} with {scoring}, got {rules['tax']!r}")
    if scoring == "TERRITORY":
        counted = str(values["rules"]) if values["rules"] in TERRITORY else "japanese"
    else:
        counted = "chinese" if rules.get("friendlyPassOk", ko == "SIMPLE") else "tromp-taylor"
    return {"rules": counted, "ko": str(ko).lower()}


def options_with_rule(values: Mapping[str, Value], key: str, value: str) -> dict[str, Value]:
    """Return the values of the options once one field is changed; `value` is a text such as ``SIMPLE``.

    Raise OptionError as `options_from_rules` does.
    """
    fields = katago_rules_in_full(values)
    del fields["tax"]
    boolean = {"true": True, "false": False}.get(value.lower(), value)
    return options_from_rules(fields | {SYNONYMS.get(key, key): boolean}, values)


def _checked(key: str, value: Any) -> str | bool:
    """Return the value of a field, texts in upper case."""
    if key not in FIELDS:
        known = ", ".join(FIELDS)
        raise OptionError(f"rules: expected fields among {known}, got {quoted(key)}{nearest(key, FIELDS)}")
    value = value.upper() if isinstance(value, str) else value
    for allowed in FIELDS[key]:
        if type(value) is type(allowed) and value == allowed:
            return allowed
    expected = " or ".join(json.dumps(allowed) for allowed in FIELDS[key])
    reason = f": {REASONS[key]}" if key in REASONS else ""
    raise OptionError(f"rules: {key}: expected {expected}, got {quoted(json.dumps(value))}{reason}")
