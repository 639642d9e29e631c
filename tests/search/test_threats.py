"""Threats of Gomoku and Gobang: what a list of answers leaves out loses indeed, whatever follows."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tengen.engine.contract import NO_THREAT
from tengen.engine.game import Outcome
from tengen.engine.gomoku import rules
from tengen.engine.gomoku.evaluate import point_value
from tengen.engine.gomoku.lines import patterns
from tengen.engine.gomoku.lines.board import KIND_BITS
from tengen.engine.gomoku.lines.renju import rank_at
from tengen.engine.play.position import Position
from tengen.engine.play.turns import legal_actions
from tengen.engine.spec import GameSpec
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker

SPECS = [
    "gomoku,size=9",
    "gomoku:exactly-five,size=9",
    "gomoku:renju,size=9",
    "gobang,size=9",
    "gobang,size=9,capture-win=3",
]
actions = np.zeros(rules.MAX_ACTIONS, np.int32)


def after(s: Any, action: int) -> Any:
    """Return the state after `action`."""
    child = s.copy()
    rules.do_move(child, np.int32(action))
    return child


def sensible_walk(spec: str, generator: random.Random) -> Iterator[Any]:
    """Yield the states of a game whose stones stand near each other, and often make lines."""
    s = Position.start(spec).state
    while rules.outcome(s) == Outcome.ONGOING:
        number = rules.generate_candidates(s, actions)
        ordered = sorted(actions[:number].tolist(), key=lambda action: -int(point_value(s, np.int64(action))))
        s = after(s, ordered[min(int(generator.expovariate(0.5)), number - 1)])
        yield s


def wins_at_once(s: Any) -> bool:
    """Return whether the side to move has a winning turn."""
    won = 1 + int(s.side_to_move)
    return any(rules.outcome(after(s, action)) == won for action in legal_actions(rules, s))


def wins_next(s: Any) -> bool:
    """Return whether the side to move wins now, or has a turn after which no answer keeps it from winning."""
    if wins_at_once(s):
        return True
    for action in legal_actions(rules, s):
        child = after(s, action)
        if rules.outcome(child) == Outcome.ONGOING and rules.forced(child) and loses_next(child):
            return True
    return False


def loses_next(s: Any) -> bool:
    """Return whether the opponent of the side to move wins at once, whatever that side plays."""
    answers = (after(s, answer) for answer in legal_actions(rules, s))
    return all(rules.outcome(reply) == Outcome.ONGOING and wins_at_once(reply) for reply in answers)


@pytest.mark.parametrize("spec", SPECS)
def test_answers_left_out_lose(spec: str) -> None:
    generator, looked_at = random.Random(spec), 0
    while looked_at < 10:
        for s in sensible_walk(spec, generator):
            number = rules.generate_defences(s, actions)
            if rules.outcome(s) != Outcome.ONGOING or number == NO_THREAT:
                continue
            listed = set(actions[:number].tolist())
            assert 0 < number == len(listed) <= len(legal_actions(rules, s))
            left_out = set(legal_actions(rules, s)) - listed
            if wins_at_once(s):
                continue
            looked_at += 1
            for action in generator.sample(sorted(left_out), min(4, len(left_out))):
                assert wins_next(after(s, action)), (Position.start(spec).spec, action)


@pytest.mark.parametrize("spec", SPECS)
def test_who_is_forced_faces_a_win(spec: str) -> None:
    generator = random.Random(spec)
    for _ in range(2):
        for s in sensible_walk(spec, generator):
            if rules.outcome(s) == Outcome.ONGOING:
                passed = s.copy()
                rules.set_side_to_move(passed, 1 - int(s.side_to_move))
                passed.pro = 0
                assert rules.forced(s) == wins_at_once(passed)


@pytest.mark.parametrize("spec", SPECS[:-1])
def test_attacks_are_the_points_that_make_fours_and_open_threes_best_first(spec: str) -> None:
    generator, compared = random.Random(spec), 0
    for s in itertools.chain.from_iterable(sensible_walk(spec, generator) for _ in range(4)):
        me = np.int64(s.side_to_move)
        passed = s.copy()
        rules.set_side_to_move(passed, 1 - int(me))
        if rules.outcome(s) != Outcome.ONGOING or rules.forced(s) or rules.forced(passed):
            continue  # a five is made, or answered
        ranks = {action: int(rank_at(s, me, np.int64(action))) for action in legal_actions(rules, s)}
        for lowest, with_threes in ((patterns.RANK_FOUR, False), (patterns.RANK_THREE, True)):
            attacks = [action for action in sorted(ranks) if lowest <= ranks[action] <= patterns.WINNING_FOUR]
            attacks.sort(key=lambda action: -ranks[action])
            listed = actions[: rules.generate_attacks(s, with_threes, actions)].tolist()
            if s.capturing:  # the stones that take others come after the fours
                taking = {action for action in ranks if after(s, action).pairs[me] > s.pairs[me]}
                assert taking <= set(listed)
                assert [action for action in listed if action not in taking] == [
                    action for action in attacks if action not in taking
                ]
            else:
                won = attacks and ranks[attacks[0]] == patterns.WINNING_FOUR
                assert listed == (attacks[:1] if won else attacks)
            compared += len(listed) > 1
    assert compared > 10


# A window of eleven points, a stone put on its middle `*`; what it makes where six win too, and where not.
WINDOWS = [
    (".....*XXXX.", "FIVE", "FIVE"),
    ("....X*XXXX.", "FIVE", "OVERLINE"),
    (".....*XXX..", "OPEN_FOUR", "OPEN_FOUR"),
    ("....O*XXX..", "FOUR", "FOUR"),
    ("...X.*XX...", "FOUR", "FOUR"),
    (".X.XX*.X...", "DOUBLE_FOUR", "DOUBLE_FOUR"),
    (".X.X.*.X.X.", "THREE", "THREE"),
    ("..X.X*X.X..", "DOUBLE_FOUR", "DOUBLE_FOUR"),
    (".....*XX...", "OPEN_THREE", "OPEN_THREE"),
    (".....*X.X..", "OPEN_THREE", "OPEN_THREE"),
    ("..O..*XX.O.", "OPEN_THREE", "OPEN_THREE"),
    ("...O.*XX.O.", "THREE", "THREE"),
    ("....O*XX...", "THREE", "THREE"),
    (".....*X....", "OPEN_TWO", "OPEN_TWO"),
    ("....O*X....", "TWO", "TWO"),
    (".....*.....", "OPEN_ONE", "OPEN_ONE"),
    ("..O..*.O...", "NONE", "NONE"),
    (".O...*O....", "NONE", "NONE"),
    ("O....*O....", "ONE", "ONE"),
]


@pytest.mark.interpreted
@pytest.mark.parametrize(("window", "freestyle", "exactly"), WINDOWS)
def test_kinds_of_lines(window: str, freestyle: str, exactly: str) -> None:
    own, blocked = (sum(1 << i for i, c in enumerate(window) if c == stone) for stone in "XO")
    for word, kind in ((0, freestyle), (1, exactly)):
        made = int(patterns.line_value(np.int64(own), np.int64(blocked), np.int64(word)))
        assert made & KIND_BITS == getattr(patterns, kind)
        mirrored = [int(f"{bits:011b}"[::-1], 2) for bits in (own, blocked)]
        assert int(patterns.line_value(np.int64(mirrored[0]), np.int64(mirrored[1]), np.int64(word))) == made


# Where a list of answers, or of candidates, was once too short: what has to be in it.
FAR_FOUR = (
    "....................../....................../....................../................O...../"
    "...............X....../....O......OO.X......./.....X...O.X.XOO....../......X.O.OX.O......../"
    ".......XO......O....../..............O......./......OXX.....XXO...../........O.......O...../"
    "..............OX....../........OO.XO..OX...../.........X.X.O...X..../........X.OO......O.../"
    ".......X............../......O.............../....................../....................../"
    "....................../...................... w"
)
MADE_FORBIDDEN = (
    ".............../......O......../.............../.............../.....OX......../......XO......./"
    "......X.O.O..../........XXXO.../......OXO....../......OX.O...../........XXX.O../.....OX..O...../"
    ".....X.O..O..../.............../............... w"
)
MADE_TO_CAPTURE = (
    ".............../.............../.............../.............../.............../.....X........./"
    ".....O........./...O.OO......../.....X........./.............../.......O......./.............../"
    ".............../.............../............... b 2 0"
)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("spec", "text", "generate", "point"),
    [
        ("gomoku,size=22", FAR_FOUR, "generate_rest", "M12"),
        ("gomoku:renju", MADE_FORBIDDEN, "generate_defences", "G8"),
        ("gobang,size=15,capture-win=3", MADE_TO_CAPTURE, "generate_defences", "G6"),
    ],
)
def test_answers_that_are_easily_overlooked(spec: str, text: str, generate: str, point: str) -> None:
    position = Position.parse(spec, text)
    number = getattr(rules, generate)(position.state, actions)
    assert point in [position.format((action,)) for action in actions[:number].tolist()]


AN_ANSWER_LOSES_SOONER = "XX...O/.X.OO./...XXX/X.OO../.XXX../OOOOXO w 4 4"


def test_a_loss_does_not_come_sooner_because_an_answer_lets_the_opponent_capture() -> None:
    """Of the answers to the open three only C4 and B4 stop it, and after both Black captures at once."""
    position = Position.parse("gobang,size=6,capture-win=5", AN_ANSWER_LOSES_SOONER)
    assert not loses_next(position.state)
    found = Worker(hash_mb=1).search(position, Limit(nodes=2_000))
    assert found.lines[0].score.turns_to_win == -4
    assert found.turn not in ("C4", "B4")
    before = Position.parse("gobang,size=6,capture-win=5", AN_ANSWER_LOSES_SOONER.replace("XO w", ".O b"))
    assert not wins_next(before.state)
    assert Worker(hash_mb=1).search(before, Limit(nodes=2_000)).lines[0].score.turns_to_win == 5


@pytest.mark.parametrize("options", ["", ",capture-win=1", ",capture-win=2"])
def test_no_win_or_loss_comes_later_than_claimed(options: str) -> None:
    spec, looked_at = f"gobang,size=6{options}", 0
    generator = random.Random(spec)
    while looked_at < 12:
        states = [s for s in sensible_walk(spec, generator) if rules.outcome(s) == Outcome.ONGOING]
        for s in states[14::3]:
            position = Position.of_state(GameSpec.parse(spec), s)
            best = Worker(hash_mb=1).search(position, Limit(nodes=200)).lines[0]
            if not best.bound and best.score.turns_to_win in (3, -2):
                looked_at += 1
                assert wins_next(s) if best.score.turns_to_win == 3 else loses_next(s), position
