"""How the time of a game is shared out over its turns."""

from __future__ import annotations

import pytest

from tengen.engine.challenge import begin
from tengen.engine.position import Position
from tengen.search.clock import time_budget
from tengen.search.limits import Clock, Limits


def after(turns: int) -> Position:
    """Return a position of a game of so many turns; which turns does not matter to the clock."""
    position = Position.start("dvonn")
    position.turns_played = ["a1"] * turns
    return position


@pytest.mark.parametrize("remaining", [0.0, 0.01, 0.1, 1.0, 60.0, 3600.0, 1e6])
@pytest.mark.parametrize("increment", [0.0, 0.1, 10.0])
@pytest.mark.parametrize("moves_to_go", [None, 1, 2, 40])
@pytest.mark.parametrize("played", [0, 120])
def test_clock_never_runs_out(remaining, increment, moves_to_go, played):
    budget = time_budget(Limits(clock=Clock(remaining, increment, moves_to_go)), after(played))
    assert 0 < budget.soft <= budget.hard
    assert budget.hard <= max(remaining, 0.002)
    if moves_to_go == 1 and remaining >= 1:
        assert budget.hard > 0.3 * remaining, "the time control ends here: time is there to be used"


@pytest.mark.parametrize("stones", [1, 5, 25])
def test_byo_yomi_is_used_and_kept(stones):
    budget = time_budget(Limits(clock=Clock(0.0, byoyomi=30.0, byoyomi_stones=stones)), after(20))
    assert 0.5 * 30 / stones < budget.hard <= 30 / stones


def test_game_of_clocked_turns_is_played_within_its_time():
    remaining = 60.0
    for played in range(200):
        remaining += 0.5 - time_budget(Limits(clock=Clock(remaining, 0.5)), after(2 * played)).hard
        assert remaining > 0


def test_no_limit_means_no_budget():
    assert time_budget(Limits(depth=5), after(0)).hard is None
    assert time_budget(Limits(infinite=True, movetime=1.0), after(0)).hard is None


def test_clock_keeps_time_for_the_game_that_waits_for_another():
    contest = begin(
        "gipf:basic,zertz=1,challenges=1", "w+b../...../....../......./....../...../...b 9 9 w -- 0 0 1 1"
    )
    clock = Limits(clock=Clock(60.0))
    before = time_budget(clock, contest).soft
    for turn in ("jb2-b4", "challenge", "Wd4,d1"):
        contest.play(turn)
    assert contest.own_turns == 0
    assert contest.active.spec.game.name == "zertz"
    assert time_budget(clock, contest).soft < min(before, time_budget(clock, contest.active).soft)
