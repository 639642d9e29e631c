"""Challenges that no game decides [P-11]: a result that is told, a coin, a die."""

import hashlib
from collections import Counter

import pytest

from tengen.engine import sgf
from tengen.engine.errors import IllegalTurnError, NotationError, TengenError
from tengen.engine.game import Outcome
from tengen.engine.games import CHALLENGER, OWNER
from tengen.engine.play.challenge import ACCEPT, CHALLENGE, ChallengeGame
from tengen.engine.play.position import Position
from tengen.engine.play.trials import DRAW, Trial, join_results
from tengen.engine.spec import GameSpec
from tests.rules.challenges.contests import JUMP, LOST, READY, WON, contest, with_contest

TELLS = {CHALLENGER: WON, OWNER: LOST, DRAW: LOST}


def trial(kind: str, *turns: str) -> ChallengeGame:
    """Return a game in which Black has challenged White's jump, and `turns` have followed."""
    return contest(READY, JUMP, CHALLENGE, *turns, spec=with_contest(kind))


# ------------------------------------------------------------------------------------------- told


def test_a_result_from_outside_is_a_turn():
    position = trial("outside")
    assert position.challenge == f"playing outside for {JUMP}"
    assert (position.awaits_answer, position.outcome(), position.side) == (True, Outcome.ONGOING, "black")
    assert position.awaits_result
    assert position.legal_turns == position.turns() == ["result-challenger", "result-owner", "result-draw"]
    assert position.board().endswith(
        f"White's {JUMP} is settled outside: Black must win, or else it is made."
        " Expected result challenger, result owner or result draw."
    )


@pytest.mark.parametrize(("winner", "text"), TELLS.items())
def test_only_a_challenger_who_wins_neutralises(winner, text):
    """[P-11]: a draw does not."""
    position = trial("outside", f"result-{winner}")
    assert position.text() == text
    assert position.challenge == "none"
    assert position.side == ("white" if winner == CHALLENGER else "black")


def test_the_end_is_explained():
    lost = "Black has won outside: White loses the potential on c3, and has the turn again."
    assert trial("outside", "result-challenger").explanation() == lost
    made = f"Black has not won outside: White makes the turn {JUMP}."
    assert trial("outside", "result-draw").explanation() == made


@pytest.mark.parametrize("side", [0, 1, None])
@pytest.mark.parametrize("spelling", ["result-owner", "result owner", "Result  Owner"])
def test_either_side_may_tell_the_result(side, spelling):
    position = trial("outside")
    assert position.push(spelling, side) == "result-owner"
    assert position.text() == LOST


def test_the_word_result_belongs_to_the_next_in_a_list_of_turns():
    assert join_results(["result", "owner", "a1-b2"]) == ["result-owner", "a1-b2"]
    assert join_results(["result-owner", "Result", "draw", "result"]) == [
        "result-owner",
        "Result-draw",
        "result",
    ]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("challenge", IllegalTurnError, f"outside is played for {JUMP}, and knows no challenges [P-9]"),
        ("i1-h2", NotationError, "expected result-challenger or result-owner or result-draw, got 'i1-h2'"),
        ("result", NotationError, "expected result-challenger"),
        ("result white", NotationError, "got 'result white'"),
    ],
)
def test_what_is_no_result_is_refused(text, error, message):
    position = trial("outside")
    with pytest.raises(error) as refusal:
        position.push(text)
    assert message in str(refusal.value)
    assert position.challenge == f"playing outside for {JUMP}"


def test_a_result_can_only_be_told_when_it_is_due():
    position = contest(READY, JUMP, spec=with_contest("outside"))
    with pytest.raises(IllegalTurnError, match="expected accept or challenge from Black"):
        position.push("result-owner")


# ------------------------------------------------------------------------------------------- drawn


@pytest.mark.parametrize("kind", ["coin", "die"])
def test_a_lot_has_one_legal_turn_which_the_seed_determines(kind):
    faces = Counter()
    for seed in range(60):
        position = trial(f"{kind}:seed={seed}")
        assert position.turns() == trial(f"{kind}:seed={seed}").turns()
        assert not position.awaits_result
        assert not position.has_choice()
        (face,) = position.turns()
        faces[face] += 1
    assert set(faces) == set(Trial(GameSpec.parse_contest(kind)).outcomes)


def test_another_face_than_the_one_drawn_is_refused():
    position = trial("coin")
    (drawn,) = position.turns()
    other = "tails" if drawn == "heads" else "heads"
    with pytest.raises(IllegalTurnError) as refusal:
        position.push(other)
    assert f"coin is played for {JUMP}: expected {drawn}, which is drawn [P-11]" in str(refusal.value)
    assert position.turns() == [drawn]
    with pytest.raises(NotationError, match="expected heads or tails, got 'edge'"):
        position.push("edge")


def test_heads_wins_for_the_challenger():
    ends = {}
    for seed in range(20):
        position = trial(f"coin:seed={seed}")
        face = position.push(position.turns()[0])
        ends[face] = position.text()
    assert ends == {"heads": WON, "tails": LOST}


@pytest.mark.parametrize("least", range(2, 7))
def test_a_die_wins_for_the_challenger_from_a_number_on(least):
    spec = GameSpec.parse_contest(f"die:least={least}")
    winning = {f"die-{n}" for n in range(least, 7)}
    assert {turn for turn, winner in Trial(spec).outcomes.items() if winner == CHALLENGER} == winning
    assert Trial(spec).chance == pytest.approx((7 - least) / 6)


def test_chances():
    chances = {kind: Trial(GameSpec.parse_contest(kind)).chance for kind in ("coin", "die", "outside")}
    assert chances == {"coin": 0.5, "die": 0.5, "outside": None}


@pytest.mark.parametrize("kind", ["coin", "die"])
def test_draws_are_fair(kind):
    spec = GameSpec.parse_contest(kind)
    drawn = Counter(Trial(spec, str(occasion)).turns[0] for occasion in range(6000))
    expected = 6000 / len(Trial(spec).outcomes)
    assert all(abs(number - expected) < 5 * expected**0.5 for number in drawn.values())


def test_a_draw_is_the_documented_hash():
    """docs/gipf.md: the first eight bytes of SHA-256 of seed, position and turn."""
    number = int(hashlib.sha256(f"7 {READY[:-1]}1 {JUMP}".encode()).hexdigest()[:16], 16)
    assert trial("coin:seed=7").turns() == [("heads", "tails")[number % 2]]
    assert trial("die:seed=7").turns() == [f"die-{1 + number % 6}"]


def test_what_a_lot_is_for_is_explained():
    position = contest(READY, JUMP, spec=with_contest("coin"))
    assert position.explanation().endswith("may accept it, or challenge it to toss a coin for it (2 left).")
    position.push(CHALLENGE)
    tossed = f"A coin is tossed for White's {JUMP}: Black needs heads, or else it is made."
    assert position.explanation() == tossed
    position = trial("die:least=5")
    assert "A die is rolled" in position.explanation()
    assert "Black needs 5 or more" in position.explanation()
    (face,) = position.turns()
    position.push(face)
    assert position.explanation().startswith(f"The die shows {face[-1]}: White ")


# ------------------------------------------------------------------------------------------- records


@pytest.mark.parametrize("kind", ["outside", "coin:seed=3", "die:least=3"])
def test_a_trial_is_kept_in_a_record_and_taken_back(kind):
    position = trial(kind)
    before = (position.text(), position.turns(), position.challenge)
    position.push(position.turns()[0])
    spec = GameSpec.parse(with_contest(kind))
    turns = [(0, JUMP), (1, CHALLENGE), (1, position.turns_played[-1])]
    record = sgf.Record(spec, READY, turns)
    read = sgf.parse(sgf.write(record))
    assert read.to_sgf() == record.to_sgf()
    assert sgf.position(read).text() == position.text()
    position.pop()
    assert (position.text(), position.turns(), position.challenge) == before


def test_a_record_with_another_face_is_refused():
    face = "heads" if trial("coin").turns() == ["tails"] else "tails"
    record = sgf.Record(GameSpec.parse(with_contest("coin")), READY, [(0, JUMP), (1, CHALLENGE), (1, face)])
    with pytest.raises(TengenError, match=r"turn 3: .* which is drawn"):
        sgf.position(record)


def test_copies_are_independent():
    position = trial("outside")
    twin = position.copy()
    twin.push("result-challenger")
    assert position.awaits_result
    assert not twin.awaits_result
    assert Position(position.spec, READY).push("i1-h2") == "i1-h2"
    assert ACCEPT not in twin.turns()
