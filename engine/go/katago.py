"""The rules of Go as KataGo names them."""

from __future__ import annotations

from collections.abc import Mapping

from tengen.engine.game import Value

TERRITORY = (
    "territory",
    "japanese",
)  # values of the option `rules` with territory scoring; the others score area


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
