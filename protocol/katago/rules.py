"""Rules as KataGo names and describes them, for games that have a module ``katago`` to understand them."""

from collections.abc import Mapping
from types import ModuleType

from tengen.engine.errors import OptionError
from tengen.engine.game import Value
from tengen.engine.spec import GameSpec
from tengen.protocol.fields import parse_finite


def spec_with_rules(spec: GameSpec, text: str) -> GameSpec:
    """Return `spec` under the rules that `text` names, komi as before.

    The text is a name such as ``tromp-taylor``, or an object such as ``{"ko":"SIMPLE","scoring":"AREA"}``.
    Raises OptionError when the game has no such rules, or tengen does not know them; NotationError when
    `text` begins like an object and is no JSON.
    """
    words = _words(spec)
    if text.strip().startswith("{"):
        return _with_options(spec, words.options_from_rules(parse_finite(text), spec.values))
    return _with_options(spec, words.options_by_name(text))


def spec_with_rule(spec: GameSpec, key: str, value: str) -> GameSpec:
    """Return `spec` with one field of its rules changed; `value` is a text such as ``SIMPLE``."""
    return _with_options(spec, _words(spec).options_with_rule(spec.values, key, value))


def rules_of(spec: GameSpec) -> dict[str, str | bool]:
    """Return the rules of `spec` as KataGo's object has them."""
    rules: dict[str, str | bool] = _words(spec).katago_rules_in_full(spec.values)
    return rules


def usual_komi(spec: GameSpec) -> float:
    """Return the komi that KataGo takes under the rules of `spec` when nobody says one."""
    return float(_words(spec).usual_komi(spec.values))


def _words(spec: GameSpec) -> ModuleType:
    """Return the module that understands KataGo's words; OptionError when the game has no rules to choose."""
    if not spec.game.offers("katago"):
        raise OptionError(f"rules: {spec.game.title} has none to choose")
    return spec.game.module("katago")


def _with_options(spec: GameSpec, values: Mapping[str, Value]) -> GameSpec:
    for name, value in values.items():
        spec = spec.with_option(name, value)
    return spec
