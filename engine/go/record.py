"""Options of Go in SGF records: komi KM, ruleset RU and handicap HA (docs/go.md, Records)."""

import re
from collections.abc import Callable, Mapping, Sequence

from tengen.engine.board.goban import BLACK, Stones
from tengen.engine.game import Value
from tengen.engine.go.state import HUNDREDTHS, star_points
from tengen.engine.spec import GameSpec

# Rulesets by words in their names; all others score territory.
RULESETS = {
    "japanese": "japanese",
    "jp": "japanese",
    "korean": "japanese",
    "chinese": "chinese",
    "cn": "chinese",
    "aga": "chinese",
    "bga": "chinese",
    "french": "chinese",
    "goe": "chinese",
    "ing": "chinese",
    "nz": "chinese",
    "zealand": "chinese",
    "area": "chinese",
    "tromp": "tromp-taylor",
    "中国": "chinese",
    "中國": "chinese",
    "日本": "japanese",
    "韩国": "japanese",
}
TELLING = ("KM", "RU")
NAMES = {
    "territory": "Japanese",
    "japanese": "Japanese",
    "chinese": "Chinese",
    "tromp-taylor": "Tromp-Taylor",
}  # in RU


def options(
    root: Mapping[str, Sequence[str]], size: int, stones: Stones, first: int, guess: Callable[[str], None]
) -> dict[str, Value]:
    """Return the options in the `root` of a record on a board of this size, with these `stones` set up.

    `first` is the side of the first turn, or the side to move; `guess` is told how a value is read that is no
    number.
    """
    said = _value(root, "RU")
    words = re.findall("[a-z]+|[一-鿿]{2}", said.lower())
    known = [RULESETS[word] for word in words if word in RULESETS]
    if said and not known:
        guess(f"RU[{said}] as territory")
    rules = known[0] if known else "territory"
    komi = _number(root, "KM", r"[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)", guess)
    if komi >= HUNDREDTHS:  # Fox: hundredths of a point, or of two with area scoring
        komi /= HUNDREDTHS / 2 if rules == "chinese" else HUNDREDTHS
    number = int(_number(root, "HA", "[0-9]{1,3}", guess))
    fixed = dict.fromkeys(star_points(size, number), BLACK)
    handicap = number if fixed and first == 1 and stones in ({}, fixed) else 0  # 0 if placed freely
    return {"komi": komi, "rules": rules, "handicap": handicap}


def _value(root: Mapping[str, Sequence[str]], name: str) -> str:
    """Return the value of a property; empty without one."""
    return root.get(name, [""])[0].strip()


def _number(root: Mapping[str, Sequence[str]], name: str, form: str, guess: Callable[[str], None]) -> float:
    """Return the numeric value of a property, 0 without one.

    Of another value it is the number with which it begins; 半 and ½ add a half, 子 are worth two points.
    """
    text = _value(root, name)
    if not text:
        return 0.0
    if re.fullmatch(form, text):
        return float(text.replace(",", "."))
    number = re.match(form, text)
    found = float(number[0].replace(",", ".")) if number else 0.0
    found = (found + 0.5 * bool(re.search("[半½]", text))) * (
        2 if number and "子" in text and name == "KM" else 1
    )
    guess(f"{name}[{text}] as {found:g}")
    return found


def properties(spec: GameSpec) -> dict[str, list[str]]:
    """Return the properties for the options of `spec`, which `options` reads back."""
    values = spec.values
    told = {"KM": [f"{values['komi']:.10g}"], "RU": [NAMES[str(values["rules"])]]}
    return {**told, "HA": [str(values["handicap"])]} if values["handicap"] else told
