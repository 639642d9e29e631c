"""How the search weighs challenges: answers, announcements, and what a lot has drawn."""

import pytest

from tengen.engine.play.challenge import ACCEPT, CHALLENGE
from tengen.engine.play.position import Position
from tengen.search.alphabeta.challenge import BRANCH_DEPTH, COST, challenge_worth
from tengen.search.info import WIN, Result, Score
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tests.rules.challenges.contests import JUMP, READY, contest, with_contest

# White's e4 may jump over e5 and take Black's last GIPF-piece; no push does.
SPEC = "gipf,zertz=3,challenges=1,challenge-game=gomoku"
WINNING = "...W/...../....../Bww+w.../....../...../.... 10 10 w zz 2 3 1 1"
CAPTURE = "je4-e6;xe2,e3,e4,e5,e6"
DANGER = "b..w/ww+w../....../w.....b/....../...../b..w 0 11 w -z 0 2 1 2"  # a jump saves White


def searched(text: str, *turns: str, spec: str = SPEC, chance: float = 0.5, **limits: int) -> Result:
    worker = Worker(challenge_chance=chance)
    return worker.search(contest(text, *turns, spec=spec), Limit(**limits or {"depth": 2}))


@pytest.mark.parametrize(
    ("chance", "worth"),
    [(0.0, Score(100)), (1.0, Score(-100)), (0.5, Score(0))],
)
def test_a_challenge_is_worth_the_mean_by_its_chance(chance, worth):
    assert challenge_worth(Score(100), Score(-100), 200.0, 0.0, chance) == worth


@pytest.mark.parametrize(("chance", "answer"), [(0.0, ACCEPT), (0.02, CHALLENGE), (1.0, CHALLENGE)])
def test_the_answer_depends_on_the_chance(chance, answer):
    spec = with_contest("outside")
    assert searched(DANGER, "jc3-c5", spec=spec, chance=chance).turn == answer


def test_the_chance_of_a_lot_is_known():
    """What the engine is told about other contests does not matter."""
    rates = {}
    for least in (2, 6):
        result = searched(
            DANGER, "jc3-c5", spec=with_contest(f"die:least={least}"), chance=0.0, multipv=2, depth=2
        )
        rates[least] = {info.pv[0]: info.win_rate(200.0) for info in result.lines}
    assert rates[2][CHALLENGE] > rates[6][CHALLENGE] > rates[6][ACCEPT]


def test_a_turn_that_cannot_be_stopped_is_announced():
    result = searched(WINNING, chance=0.0)
    assert result.turn == CAPTURE
    assert result.lines[0].score.turns_to_win == 1


def test_a_turn_that_may_be_stopped_is_no_proven_win():
    result = searched(WINNING, chance=0.5, multipv=3, depth=2)
    assert result.turn == CAPTURE, "to put it off is no better"
    assert all(not info.score.is_proven for info in result.lines)
    line = next(info for info in result.lines if info.pv[0] == CAPTURE)
    assert line.pv == (CAPTURE, CHALLENGE)
    assert [info.rank for info in result.lines] == [1, 2, 3]
    values = [info.score.value for info in result.lines]
    assert values == sorted(values, reverse=True)


def test_a_turn_that_will_be_stopped_is_worth_no_more_than_without_its_stake():
    result = searched(WINNING, chance=1.0, multipv=30, depth=1)
    line = next(info for info in result.lines if info.pv[0] == CAPTURE)
    without = WINNING.replace("+", "").replace("1 1", "1 0")
    start = Position(SPEC, without)
    plain = Worker().search(Position.of_state(start.spec, start.state), Limit(depth=BRANCH_DEPTH))
    rate, expected = line.win_rate(200.0), plain.lines[0].win_rate(200.0)
    assert rate == pytest.approx(expected + COST, abs=0.002), "Black has spent a challenge"


def test_a_turn_that_decides_nothing_is_announced_as_if_nobody_challenged_it():
    """To put it off avoids no challenge."""
    values = []
    for chance in (0.0, 1.0):
        result = searched(READY, spec=with_contest("outside"), chance=chance, multipv=60, depth=1)
        values.append({info.pv[0]: info.score.value for info in result.lines})
    assert values[0] == values[1]
    assert JUMP in values[0]


def test_without_challenges_left_nothing_is_weighed():
    text = WINNING.replace("1 1", "1 0")
    result = searched(text, chance=1.0)
    assert result.turn == CAPTURE
    assert result.lines[0].score == Score(WIN - 1)


def test_limits_of_nodes_hold():
    for nodes in (200, *range(291, 1000, 70), 1000, 5000):
        result = searched(READY, spec=with_contest("coin"), nodes=nodes)
        assert result.turn in contest(READY, spec=with_contest("coin")).turns()
        assert result.nodes <= nodes


@pytest.mark.parametrize("method", ["alphabeta", "mcts"])
@pytest.mark.parametrize("kind", ["coin:seed=1", "coin:seed=2", "die"])
def test_the_face_that_is_drawn_is_the_only_turn(kind, method):
    position = contest(READY, JUMP, CHALLENGE, spec=with_contest(kind))
    result = Worker(method=method).search(position, Limit(depth=2))
    assert [result.turn] == position.turns()
    for turn in result.lines[0].pv:
        position.push(turn)


@pytest.mark.parametrize("method", ["alphabeta", "mcts"])
def test_no_result_from_outside_is_made_up(method):
    position = contest(READY, JUMP, CHALLENGE, spec=with_contest("outside"))
    result = Worker(method=method).search(position, Limit(depth=2))
    assert (result.choice, result.lines) == (None, ())
    assert "the controller tells how the challenge has ended" in result.notice


def test_threads_beside_the_weighing_one_search_as_ever():
    position = contest(READY, spec=with_contest("coin"))
    result = Worker(threads=2).search(position, Limit(depth=3))
    assert result.turn in position.turns()
