"""The report on how the time of a match was spent."""

import numpy as np
import pytest

from tengen.engine.game import Outcome
from tengen.engine.spec import GameSpec
from tengen.tuning.match.records import FinishedGame
from tengen.tuning.players.base import EndReason
from tests.tools.timing.pace import clock_left, planned_left, report, step_function, together, turns_of

SPEC = GameSpec.parse("gomoku")
TURNS = ("H8", "A1", "H9", "C1", "H10", "E1", "H11", "G1", "H12")
SECONDS = (1.0, 2.0, 0.0, 2.0, 1.0, 2.0, 1.0, 2.0, 0.0)


def game(first_side: int) -> FinishedGame:
    """Return a game that the first side wins in nine turns, two of which it plays at once."""
    return FinishedGame(0, first_side, TURNS[:0], TURNS, SECONDS, Outcome.FIRST_WINS, "B+", EndReason.RULES)


def test_turns_played_at_once_need_no_plan():
    turns = turns_of(SPEC, game(0), np.ones_like, at_once=0.5)
    assert turns.progress.tolist() == [*range(9)]
    assert turns.player.tolist() == [0, 1] * 4 + [0]
    assert turns.to_go.tolist() == [5, 4, 4, 3, 3, 2, 2, 1, 1]
    assert turns.to_plan.tolist() == [3, 4, 2, 3, 2, 2, 1, 1, 0]


def test_turns_weigh_what_they_are_told():
    turns = turns_of(SPEC, game(0), step_function("0:0.5,4:1"), at_once=0.0)
    assert turns.to_plan[:2].tolist() == [8, 6]
    assert turns.to_plan[4:].tolist() == turns.to_go[4:].tolist()


def test_report_tells_who_spent_how_much_where():
    both = together([turns_of(SPEC, game(side), np.ones_like, at_once=0.5) for side in (0, 1)])
    lines = [line.split() for line in report(both, bins=2)]
    assert lines[0][:3] == ["progress", "first", "second"]
    assert [line[0] for line in lines[1:]] == ["0", "4"]
    assert [line[1] for line in lines[1:]] == [line[2] for line in lines[1:]] == ["45.5%", "54.5%"]


def test_a_table_leaves_what_its_plans_do_not_use():
    """Each side plans for twice as many turns as it has from turn 4 of the game on, before that for ten."""
    turns = turns_of(SPEC, game(1), np.ones_like, at_once=0.5)
    table = ((3, 10), (4, 6), (5, 4), (6, 4), (7, 2), (8, 2))
    assert planned_left([turns], table) == pytest.approx([0.9**2 * 5 / 6 * 3 / 4 / 2, 0.9**2 * 3 / 4 / 2])


def test_clock_left_counts_increments():
    first, second = (turns_of(SPEC, game(side), np.ones_like, at_once=0.5) for side in (0, 1))
    assert clock_left([first], 10.0, 0.5) == pytest.approx([0.95, 0.4])
    assert clock_left([second], 10.0, 0.5) == pytest.approx([0.4, 0.95])
    assert clock_left([first, second], 10.0, 0.5) == pytest.approx([0.675, 0.675])
