"""Turns left out below the root: claims against exhaustive search, lines, and what the table keeps."""

import random

import pytest

from tengen.engine.errors import NotationError
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.search.limits.limit import Limit, Restriction
from tengen.search.worker import Worker
from tests.walks import scaled, some_of, walk

SPECS = ("gomoku,size=5", "gomoku,size=5,renju", "gobang,size=5", "dvonn", "go,size=3")
LEFT = 6  # turns that may be left where every line is played out


def permitted(position: Position, restrictions: tuple[Restriction, ...], turns: int) -> list[str]:
    """Return the turns that may be played `turns` turns from the root; all of them if none may."""
    kept = position.turns()
    for rule in restrictions:
        if rule.side == position.side_to_move and turns < rule.depth:
            kept = [turn for turn in kept if (turn in rule.turns) == rule.only_these]
    return kept or position.turns()


def exhaustive(position: Position, restrictions: tuple[Restriction, ...], turns: int = 0) -> int:
    """Return 1 if the side to move wins, 0 for a draw, -1 if it loses."""
    outcome = position.outcome()
    if outcome != Outcome.ONGOING:
        first = {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1}.get(outcome, 0)
        return first if position.side_to_move == 0 else -first
    best = -1
    for turn in permitted(position, restrictions, turns) if turns else position.turns():
        child = position.copy()
        child.push(turn)
        value = exhaustive(child, restrictions, turns + 1)
        best = max(best, -value if child.side_to_move != position.side_to_move else value)
        if best == 1:
            break
    return best


def endings(spec: str, count: int) -> list[Position]:
    """Return positions in which few turns are left."""
    found: list[Position] = []
    for seed in range(20 * count):
        line = [position.copy() for position in walk(spec, seed)]
        late = [p for p in line[-LEFT:] if p.outcome() == Outcome.ONGOING and 1 < len(p.turns()) <= LEFT]
        found += late[:1]
        if len(found) >= count:
            break
    return found


@pytest.mark.parametrize("spec", ["gomoku,size=5", "gomoku,size=5,renju", "dvonn"])
def test_claims_agree_with_exhaustive_search(spec):
    """One worker, and so one table, searches with different restrictions and without."""
    worker, rng = Worker(hash_mb=1), random.Random(5)
    claims = differing = 0
    for position in endings(spec, scaled(30)):
        free = exhaustive(position, ())
        named = sorted(position.turns())
        for _ in range(3):
            turns = tuple(rng.sample(named, rng.randint(1, max(1, len(named) - 1))))
            rule = Restriction(rng.randint(0, 1), turns, rng.random() < 0.4, rng.choice((2, 3, 4, 9, 1000)))
            value = exhaustive(position, (rule,))
            score = worker.search(position, Limit(depth=12, restrictions=(rule,))).lines[0].score
            differing += value != free
            if score.turns_to_win is not None:
                claims += 1
                assert (score.turns_to_win > 0) == (value > 0), (position.text(), rule)
            unrestricted = worker.search(position, Limit(depth=12)).lines[0].score
            if unrestricted.turns_to_win is not None:
                assert (unrestricted.turns_to_win > 0) == (free > 0), (position.text(), rule)
    assert claims > 0
    assert differing > 0 or spec != "dvonn"


@pytest.mark.parametrize("method", ["alphabeta", "mcts"])
@pytest.mark.parametrize("spec", ["gomoku,size=9", "gobang,size=9", "dvonn", "go,size=5"])
def test_lines_hold_permitted_turns_only(spec, method):
    game = Position.start(spec).spec.game
    if (method == "alphabeta") == game.offers("simulation"):
        pytest.skip("not this game's method")
    worker, rng = Worker(hash_mb=8, method=method), random.Random(3)
    answered = 0
    for position in some_of(spec, 4, slice(2, 40, 6)):
        turns = position.turns()
        if position.outcome() or len(turns) < 4:
            continue
        other = 1 - position.side_to_move
        for only in (False, True):
            names = tuple(rng.sample(turns, len(turns) // 2))
            rules = (Restriction(other, names, only, 4), Restriction(1 - other, names[1:], not only, 4))
            result = worker.search(position, Limit(nodes=scaled(3000), multipv=3, restrictions=rules))
            for info in result.lines:
                at = position.copy()
                for number, turn in enumerate(info.pv):
                    assert number == 0 or turn in permitted(at, rules, number), (position.text(), info.pv)
                    answered += number > 0
                    at.push(turn)
    assert answered > 0


def test_a_defence_that_may_not_be_played_is_none():
    """White's four can be stopped on one point only: F4."""
    four = Position.parse("gomoku,size=7", "......./......./......./OXXX.../......./.OO..../....... b")
    ban = (Restriction(1, ("F4",), only_these=False, depth=2),)
    worker = Worker(hash_mb=1)
    free = worker.search(four, Limit(depth=4, searchmoves=("E4",))).lines[0]
    assert free.score.turns_to_win is None
    assert free.pv[1] == "F4"
    barred = worker.search(four, Limit(depth=4, searchmoves=("E4",), restrictions=ban)).lines[0]
    assert barred.score.turns_to_win == 3
    assert worker.search(four, Limit(depth=4, searchmoves=("E4",))).lines[0].score == free.score


def test_only_games_whose_turns_are_one_action_can_restrict():
    for spec in SPECS:
        assert Position.start(spec).spec.game.can_restrict
    for spec in ("zertz", "gipf:basic"):
        assert not Position.start(spec).spec.game.can_restrict


@pytest.mark.parametrize("spec", SPECS)
def test_actions_are_read_whether_legal_or_not(spec):
    for position in walk(spec, 1):
        text = position.spec.game.text
        for actions in position.turn_actions():
            assert text.parse_action(position.state, position.format(actions)) == actions[0]
        with pytest.raises(NotationError):
            text.parse_action(position.state, "nothing")
