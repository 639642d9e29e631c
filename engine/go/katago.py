"""The rules of a game of Go in KataGo's words."""

from __future__ import annotations

from collections.abc import Mapping

from tengen.engine.game import Value

TERRITORY = ("territory", "japanese")  # values of the option `rules`; by the others area counts


def katago_rules(values: Mapping[str, Value]) -> dict[str, str | bool]:
    """Return the rules that option `values` stand for, in the fields that every KataGo knows."""
    territory = values["rules"] in TERRITORY
    return {
        "ko": str(values["ko"]).upper(),
        "scoring": "TERRITORY" if territory else "AREA",
        "tax": "SEKI" if territory else "NONE",
        "suicide": False,
        "hasButton": False,
        "whiteHandicapBonus": "0",
    }
