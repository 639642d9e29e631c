"""Bad input of every game is refused, by an error that says what is wrong, and changes nothing."""

from pathlib import Path

import pytest

from tengen.engine import games
from tengen.engine.errors import TengenError
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tests import rows

FOLDER = Path(__file__).parent / "rejected"
CASES = [case for path in sorted(FOLDER.glob("*.txt")) for case in rows(path)]


def refusal_of_turn(spec: str, text: str) -> str:
    start, given, turns = text.rpartition(" > ")
    position = Position.parse(spec, start) if given else Position.start(spec)
    *played, refused = turns.split()
    for turn in played:
        position.push(turn)
    before = position.text()
    with pytest.raises(TengenError) as refusal:
        position.push(refused)
    assert (position.text(), len(position.turns_played)) == (before, len(played))
    return str(refusal.value)


@pytest.mark.parametrize(("spec", "kind", "text", "fragments"), CASES)
def test_bad_input_is_refused_by_an_error_that_says_why(spec, kind, text, fragments):
    if kind == "turn":
        message = refusal_of_turn(spec, text)
    else:
        with pytest.raises(TengenError) as refusal:
            GameSpec.parse(text) if kind == "spec" else Position.parse(spec, text)
        message = str(refusal.value)
    for fragment in fragments.split(" & "):
        assert fragment in message
    assert message.isprintable()


@pytest.mark.parametrize("name", games.built_in())
def test_every_kind_of_input_has_its_cases(name):
    assert {kind for _, kind, _, _ in rows(FOLDER / f"{name}.txt")} == {"spec", "position", "turn"}
