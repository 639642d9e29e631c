"""The third occurrence of a position is a draw [R-1], in GIPF and in ZÈRTZ."""

from itertools import cycle, islice
from typing import NamedTuple

import pytest

from tengen.engine.errors import IllegalTurnError
from tengen.engine.game import Outcome
from tengen.engine.jit import COMPILED
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search import perft
from tests.reference import reference

pytestmark = pytest.mark.interpreted


class Cycle(NamedTuple):
    """A position, and turns that lead back to it."""

    spec: str
    text: str
    turns: tuple[str, ...]

    def position(self, repetition: str = "threefold") -> Position:
        """Return the position, in a game with or without the rule."""
        return Position.parse(f"{self.spec},repetition={repetition}", self.text)

    def played(self, turns: int) -> Position:
        """Return the position after so many turns of the cycle."""
        position = self.position()
        for turn in islice(cycle(self.turns), turns):
            position.push(turn)
        return position


# The pool is empty and no ring is free. Between the marbles of columns c and e, which can neither jump nor be
# jumped over, a black marble takes two others on its way up, and two on its way down.
ZERTZ = Cycle(
    "zertz",
    "----/-----/wwwggg/-b....-/ggbbbb/-----/---- 0,0,0 1,2,2 1,0,2 1",
    ("Bd5", "Bd3", "xd2Bd4Bd6", "Bd3", "Bd5", "xd6Bd4Bd2"),
)
# A player whose three GIPF-pieces stand in a row pushes a fourth piece behind them, and takes back only that.
GIPF_PIECES = Cycle(
    "gipf", "..../.BBB./....../.WWW.../....../...../.... 6 6 w --", ("d1-e2;xe2", "b1-c2;xc2")
)
# Four pushes on an empty line make a row, and the four pieces come back.
BASIC = Cycle(
    "gipf:basic",
    Position.start("gipf:basic").text(),
    ("c1-d2", *("f1-f2", "d1-d2") * 2, "f1-f2", "d1-d2;xd2,d3,d4,d5", "f1-f2;xf2,f3,f4,f5"),
)
CYCLES = [ZERTZ, GIPF_PIECES, BASIC]
every_cycle = pytest.mark.parametrize("case", CYCLES, ids=lambda case: case.spec)


@every_cycle
def test_the_third_occurrence_draws_in_engine_and_reference(case):
    position, model = case.position(), reference(case.spec, case.text)
    for turn in 2 * case.turns:
        assert (position.outcome(), model.outcome()) == (Outcome.ONGOING, None)
        assert turn in position.turns()
        position.push(turn)
        model = model.play(turn)
        assert position.text() == model.format()
    assert position.text() == case.text
    assert (position.outcome(), model.outcome()) == (Outcome.DRAW, "draw")
    assert position.turns() == model.turns() == []
    assert (position.winner(), position.result()) == ("draw", "0")
    assert position.end_reason() == "the position has occurred three times [R-1]"


@every_cycle
def test_without_the_rule_nothing_ends_the_game(case):
    position, model = case.position("none"), reference(f"{case.spec},repetition=none", case.text)
    for turn in 3 * case.turns:
        position.push(turn)
        model = model.play(turn)
        assert (position.outcome(), model.outcome(), position.end_reason()) == (Outcome.ONGOING, None, "")
    assert position.turns_played == tuple(3 * case.turns)


@every_cycle
def test_every_position_of_the_cycle_counts_not_only_the_first(case):
    """The game begins elsewhere in the cycle."""
    position = Position.parse(case.spec, case.played(1).text())
    turns = cycle(case.turns[1:] + case.turns[:1])
    played = 0
    while position.outcome() == Outcome.ONGOING:
        position.push(next(turns))
        played += 1
    assert played == 2 * len(case.turns)


@every_cycle
def test_a_turn_after_the_draw_is_refused_and_names_the_rule(case):
    position = case.played(2 * len(case.turns))
    before = position.state.tobytes()
    message = r"the game is over, the position has occurred three times \[R-1\]"
    with pytest.raises(IllegalTurnError, match=message) as caught:
        position.push(case.turns[0])
    assert caught.value.rule == "R-1"
    assert position.state.tobytes() == before


@every_cycle
def test_undo_takes_the_draw_back_and_the_count_with_it(case):
    position = case.played(2 * len(case.turns))
    for _ in range(2):
        position.pop()
        assert (position.outcome(), position.end_reason()) == (Outcome.ONGOING, "")
        position.push(case.turns[-1])
        assert position.outcome() == Outcome.DRAW
    while position.turns_played:
        position.pop()
    assert (position.text(), list(position.past_keys)) == (case.text, [])


@every_cycle
def test_a_copy_counts_for_itself(case):
    position = case.played(2 * len(case.turns) - 1)
    twin = position.copy()
    twin.push(case.turns[-1])
    assert (twin.outcome(), position.outcome()) == (Outcome.DRAW, Outcome.ONGOING)


@every_cycle
def test_a_position_text_has_no_history(case):
    drawn = case.played(2 * len(case.turns))
    assert Position.parse(case.spec, drawn.text()).outcome() == Outcome.ONGOING


def test_other_captures_make_another_position():
    """Player 1 places a white marble instead of a black one, which changes hands; the board is the same."""
    position = ZERTZ.position()
    for turn in ("Bd5", "Bd3", "xd2Bd4Bd6", "Bd3", "Wd5", "xd6Wd4Bd2"):
        position.push(turn)
    assert position.text().split()[0] == ZERTZ.text.split()[0]
    assert int(position.state.key) not in position.past_keys


def test_while_marbles_are_in_the_pool_nothing_is_remembered():
    """Every placement takes one of them, and every capture one of those on the board."""
    position = Position.start("zertz")
    for turn in ("Wd4,d1", "Wd5,d7", "xd5Wd3"):
        position.push(turn)
        assert not len(position.past_keys)


@every_cycle
def test_perft_counts_with_and_without_the_rule(case):
    """After all but the last turn of two rounds, that turn ends the game, or does not."""
    before = case.played(2 * len(case.turns) - 1)
    twin = Position.parse(f"{case.spec},repetition=none", before.text())
    after = len(case.position().turns())
    distinct = before.spec.game.rules.MERGES_TRANSPOSITIONS
    assert perft.count(twin, 1, distinct) == perft.count(before, 1, distinct) == len(before.turns())
    assert perft.count(twin, 2, distinct) - perft.count(before, 2, distinct) == after
    assert (case.turns[-1], 0) in perft.divide(before, 2)


def test_perft_counts_repetitions_on_its_way_as_the_reference_does():
    """One round has been played; some lines of seven turns are a second one."""
    depth = 7 if COMPILED else 3
    position, model = ZERTZ.played(len(ZERTZ.turns)), reference(ZERTZ.spec, ZERTZ.text)
    for turn in ZERTZ.turns:
        model = model.play(turn)

    def count(model, depth):
        turns = model.turns()
        return len(turns) if depth == 1 else sum(count(model.play(turn), depth - 1) for turn in turns)

    assert perft.count(position, depth) == count(model, depth) == (10500 if COMPILED else 150)


@pytest.mark.parametrize("name", ["gipf", "zertz"])
def test_the_rule_is_on_unless_a_spec_says_otherwise(name):
    assert GameSpec.parse(name).repetition == "R-1"
    assert GameSpec.parse(f"{name},repetition=none").repetition == ""
    assert str(GameSpec.parse(f"{name},repetition=threefold")) == name
    assert str(GameSpec.parse(f"{name},repetition=none")) == f"{name},repetition=none"
    assert GameSpec.parse("dvonn").repetition == ""
