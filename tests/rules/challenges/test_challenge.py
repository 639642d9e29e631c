"""Challenges [P-9]: announced jumps, the answers to them, and the game that is played for them."""

import random
from collections.abc import Iterator

import pytest

from tengen.engine import sgf
from tengen.engine.errors import IllegalTurnError, NotationError, PositionError
from tengen.engine.game import Outcome
from tengen.engine.play.challenge import ACCEPT, CHALLENGE, ChallengeGame
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.alphabeta.challenge import CHANCE, COST, challenge_worth
from tengen.search.info import WIN, Score
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.openings import RandomTurns, random_turn
from tests.rules.challenges.contests import (
    ACCEPTED,
    BLACK_WINS,
    JUMP,
    LOST,
    READY,
    SPEC,
    WHITE_WINS,
    WON,
    contest,
)


def drawn() -> Iterator[str]:
    """Yield the turns of a game of Gomoku in which the board is filled and no five is made."""
    points = [(x, y) for x in range(15) for y in range(15)]
    stones: list[list[str]] = [[], []]
    for x, y in points:
        stones[(x // 2 + y) % 2].append(f"{'ABCDEFGHJKLMNOP'[x]}{y + 1}")
    for black, white in zip(stones[0], [*stones[1], ""], strict=True):
        yield black
        if white:
            yield white


def fields(position: Position) -> list[object]:
    """Return all fields of a state; what lies between them in memory means nothing."""
    return [position.state[name].tolist() for name in position.state.dtype.names]


def face(position: Position) -> tuple[object, ...]:
    """Return all that a position says of itself."""
    current = position.current
    return (
        fields(position),
        current is not position and fields(current),
        position.text(),
        position.challenge,
        position.side_to_move,
        position.side,
        position.outcome(),
        position.winner(),
        position.turns(),
        position.board(),
        list(position.turns_played),
    )


# ------------------------------------------------------------------------------------------- which games


def test_only_games_with_challenges_are_contests():
    assert type(Position("gipf,zertz=3")) is Position
    assert type(Position("dvonn")) is Position
    assert isinstance(Position("gipf,zertz=3,challenges=1"), ChallengeGame)
    assert [str(spec) for spec in GameSpec.parse("gipf,zertz=3,challenges=1").games][1:] == ["zertz"]
    assert GameSpec.parse("gipf,zertz=3").games == (GameSpec.parse("gipf,zertz=3"),)


def test_a_game_without_an_announced_jump_is_as_ever():
    position = contest()
    plain = Position.of_state(position.spec, position.state)
    assert position.turns() == plain.turns()
    assert position.challenge == plain.challenge == "none"
    assert position.current is position
    assert not position.awaits_answer
    for turn in ("e9-e8", "a1-b2"):
        assert position.push(turn) == plain.push(turn)
    assert position.text() == plain.text()
    assert position.board() == plain.board()


# ------------------------------------------------------------------------------------------- the branches


def test_a_jump_is_announced_first():
    position = contest(READY, JUMP)
    assert position.text() == READY
    assert position.challenge == f"announced {JUMP}"
    assert position.side == "black"
    assert position.legal_turns == position.turns() == [ACCEPT, CHALLENGE]
    assert position.legal_turns.index("Challenge") == 1
    assert position.awaits_answer
    assert position.outcome() == Outcome.ONGOING
    assert position.board().endswith(
        f"White announces {JUMP}. Black may accept it, or challenge it to play Gomoku for it (2 left)."
    )


def test_a_push_is_not():
    assert contest(READY, "i1-h2").challenge == "none"


def test_an_accepted_jump_is_made():
    position = contest(READY, JUMP, "Accept")
    assert position.text() == ACCEPTED
    assert position.turns_played == (JUMP, ACCEPT)
    assert (position.challenge, position.side) == ("none", "black")


def test_a_challenge_begins_the_other_game():
    position = contest(READY, JUMP, CHALLENGE)
    assert position.challenge == f"playing gomoku for {JUMP}"
    assert position.text() == READY[:-1] + "1"
    assert position.side == "black", "Black is Black there, and begins"
    assert position.turns() == Position.start("gomoku").turns()
    assert position.outcome() == Outcome.ONGOING
    assert position.current is not position
    assert position.current.text() == Position.start("gomoku").text()
    position.push("h8")
    assert position.side == "white"
    assert "Gomoku is played for White's jc3-c5: Black must win, or else it is made." in position.board()
    assert position.board().endswith(position.current.board())


def test_what_is_shown_and_valued_is_the_game_that_is_played():
    announced, playing = contest(READY, JUMP), contest(READY, JUMP, CHALLENGE, "h8")
    for position, alone in (
        (announced, Position.of_state(announced.spec, announced.state)),
        (playing, playing.current),
    ):
        assert alone
        assert (position.game, position.scale) == (alone.spec.game, alone.scale)
        assert position.evaluate() == alone.evaluate()
        assert position.draw().to_svg() == alone.spec.game.picture.draw(alone.state).to_svg()
    assert playing.scale != announced.scale


def test_a_challenge_that_is_won_takes_the_potential():
    position = contest(READY, JUMP, CHALLENGE, *BLACK_WINS)
    assert position.text() == WON
    assert (position.challenge, position.side) == ("none", "white")
    assert JUMP not in position.turns()
    assert position.turns() == Position.of_state(position.spec, position.state).turns()
    last = position.board().splitlines()[-1]
    assert last == "Black has won at Gomoku: White loses the potential on c3, and has the turn again."
    position.push("i1-h2")
    assert position.board() == Position.parse(SPEC, position.text()).board()


def test_a_challenge_that_is_lost_lets_the_jump_be_made():
    position = contest(READY, JUMP, CHALLENGE, *WHITE_WINS)
    assert position.text() == LOST
    assert position.side == "black"
    assert position.board().endswith("Black has not won at Gomoku: White makes the turn jc3-c5.")


def test_a_draw_is_not_enough():
    position = contest(READY, JUMP, CHALLENGE, *drawn())
    assert position.text() == LOST
    assert len(position.turns_played) == 2 + 15 * 15


def test_white_challenges_as_white():
    text = "b..w/.b+w../....../w.....b/....../...../b..w 10 11 b zz 2 1 1 2"
    position = contest(text, JUMP)
    assert position.side == "white"
    position.push(CHALLENGE)
    assert position.side == "black", "who begins the other game"
    for turn in WHITE_WINS:
        position.push(turn)
    assert position.text() == "b..w/.bw../....../w.....b/....../...../b..w 10 11 b zz 2 1 0 2"
    assert position.side == "black"


@pytest.mark.parametrize(("agreed", "played"), [("", "zertz"), (",challenge-game=dvonn", "dvonn")])
def test_the_game_for_challenges_is_zertz_unless_agreed_otherwise(agreed, played):
    """[P-9]"""
    position = contest(READY, JUMP, CHALLENGE, spec=f"gipf:basic,zertz=3,challenges=2{agreed}")
    assert position.challenge == f"playing {played} for {JUMP}"
    assert position.legal_turns == Position.start(played).turns()
    assert position.side == "white"


def test_without_challenges_left_a_jump_is_made_at_once():
    position = contest(READY[:-1] + "0", JUMP)
    assert position.text() == ACCEPTED[:-1] + "0"
    assert position.challenge == "none"


def test_another_jump_may_be_announced_after_a_lost_potential():
    text = "b..w/.w+b../....../w.....b/....../.w+b../b..w 9 10 w zz 1 2 1 2"
    position = contest(text, JUMP, CHALLENGE, *BLACK_WINS, "jg3-g5", CHALLENGE, *BLACK_WINS)
    assert position.text() == "b..w/.wb../....../w.....b/....../.wb../b..w 9 10 w zz 1 2 1 0"
    assert position.outcome() == Outcome.ONGOING


def test_a_player_with_nothing_but_the_lost_potential_loses():
    """[P-7]"""
    text = "b..w/.w+b../....../w.....b/....../...../b..w 0 11 w -z 0 2 1 2"
    position = contest(text)
    assert position.turns() == [JUMP]
    for turn in (JUMP, CHALLENGE, *BLACK_WINS):
        assert position.outcome() == Outcome.ONGOING
        position.push(turn)
    assert position.winner() == "black"
    assert position.result() == "B+"
    assert position.turns() == []
    with pytest.raises(IllegalTurnError, match="over"):
        position.push(ACCEPT)
    position.pop()
    assert position.challenge == f"playing gomoku for {JUMP}"


def test_rows_taken_before_the_jump_are_put_back():
    text = "b..w/.w+b../....../wwww..b/....../...../b..w 6 11 w zz 1 2 1 2"
    turn = "xe2,e3,e4,e5;jc3-c5"
    position = contest(text, turn)
    assert position.challenge == f"announced {turn}"
    assert position.text() == text
    position.push(CHALLENGE)
    for other in BLACK_WINS:
        position.push(other)
    assert position.text() == "b..w/.wb../....../wwww..b/....../...../b..w 6 11 w zz 1 2 1 1"
    assert "xe2,e3,e4,e5;a1-b2" in position.turns()


def test_a_piece_moved_before_the_jump_loses_its_potential_where_it_stood():
    spec = "gipf:basic,zertz=3,tamsk=2,challenges=1,challenge-game=gomoku"
    text = "b..w/w+b.../....../w..w*..b/....../...../b..w 9 11 w zz 1 2 1 1 1 1"
    turn = "pc1-c2;jc3-c5"
    position = contest(text, turn, CHALLENGE, *BLACK_WINS, spec=spec)
    assert position.text() == "b..w/wb.../....../w..w*..b/....../...../b..w 9 11 w zz 1 2 1 0 1 1"
    assert "the potential on c2" in position.explanation()
    assert any(turn.startswith("p") for turn in position.turns())


# ------------------------------------------------------------------------------------------- undo, copies


@pytest.mark.parametrize("end", [[ACCEPT], [CHALLENGE, *BLACK_WINS], [CHALLENGE, *WHITE_WINS]])
def test_undo_comes_back_to_every_stage(end):
    position = contest()
    faces = [face(position)]
    for turn in ("e9-e8", "i1-h2", JUMP, *end):
        position.push(turn)
        faces.append(face(position))
    position.push(position.turns()[0])
    for expected in reversed(faces):
        position.pop()
        assert face(position) == expected
    with pytest.raises(PositionError, match="no turn to take back"):
        position.pop()


@pytest.mark.parametrize("turns", [[], [JUMP], [JUMP, CHALLENGE], [JUMP, CHALLENGE, "H8"], [JUMP, ACCEPT]])
def test_copies_are_independent(turns):
    position = contest(READY, *turns)
    before, twin = face(position), position.copy()
    assert face(twin) == before
    twin.push(twin.turns()[-1])
    assert face(position) == before
    position.push(position.turns()[0])
    assert face(twin) != face(position)
    twin.pop()
    assert face(twin) == before


# ------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("turns", "text", "error", "message"),
    [
        ([], "challenge", IllegalTurnError, "no turn is announced that could be challenged [P-9]"),
        ([], "accept", IllegalTurnError, "no turn is announced that could be challenged [P-9]"),
        ([JUMP, ACCEPT], "accept", IllegalTurnError, "no turn is announced"),
        (
            [JUMP],
            "i1-h2",
            IllegalTurnError,
            "White has announced jc3-c5: expected accept or challenge from Black",
        ),
        ([JUMP], JUMP, IllegalTurnError, "expected accept or challenge from Black [P-9]"),
        ([JUMP], "rubbish", IllegalTurnError, "expected accept or challenge from Black [P-9]"),
        (
            [JUMP, CHALLENGE],
            "challenge",
            IllegalTurnError,
            "Gomoku is played for jc3-c5, and knows no challenges",
        ),
        ([JUMP, CHALLENGE], "i1-h2", NotationError, "Gomoku is played for jc3-c5: turn: expected a vertex"),
        (
            [JUMP, CHALLENGE, "H8"],
            "h8",
            IllegalTurnError,
            "Gomoku is played for jc3-c5: H8 is occupied [M-1]",
        ),
    ],
)
def test_what_does_not_belong_to_the_stage_is_refused(turns, text, error, message):
    position = contest(READY, *turns)
    before = face(position)
    with pytest.raises(error) as refusal:
        position.push(text)
    assert message in str(refusal.value)
    assert str(refusal.value).isprintable()
    assert face(position) == before


@pytest.mark.parametrize("turns", [[], [JUMP], [JUMP, CHALLENGE], [JUMP, CHALLENGE, "H8"]])
def test_only_the_side_to_move_plays(turns):
    position = contest(READY, *turns)
    with pytest.raises(IllegalTurnError, match=f"it is {position.side}'s turn"):
        position.push(position.turns()[0], 1 - position.side_to_move)
    position.push(position.turns()[0], position.side_to_move)


# ------------------------------------------------------------------------------------------- whole games


def random_contest(seed: int) -> ChallengeGame:
    """Return a contest played to its end by chance, but with a liking for charged pieces and jumps."""
    generator = random.Random(seed)
    position = Position("gipf,zertz=6,tamsk=2,challenges=2,challenge-game=dvonn")
    assert isinstance(position, ChallengeGame)
    while position.outcome() == Outcome.ONGOING:
        liked = [turn for turn in position.turns() if "Z" in turn or "j" in turn]
        position.push(generator.choice(liked) if liked else random_turn(position, generator))
    return position


@pytest.mark.parametrize("seed", range(3))
def test_random_contests_end_and_can_be_played_again(seed):
    position = random_contest(seed)
    assert CHALLENGE in position.turns_played
    sides, again = [], Position(position.spec)
    for turn in position.turns_played:
        sides.append(again.side_to_move)
        assert again.push(turn, again.side_to_move) == turn
    assert face(again) == face(position)
    record = sgf.Record(position.spec, turns=list(zip(sides, position.turns_played, strict=True)))
    assert sgf.parse(record.to_sgf()).to_sgf() == record.to_sgf()
    assert face(sgf.position(record)) == face(position)
    while again.turns_played:
        again.pop()
    assert face(again) == face(Position(position.spec))


def test_a_record_may_end_within_a_challenge():
    record = sgf.Record(GameSpec.parse(SPEC), READY, [(0, JUMP), (1, CHALLENGE), (1, "H8")])
    position = sgf.position(sgf.parse(sgf.write(record)))
    assert position.challenge == f"playing gomoku for {JUMP}"
    assert position.side == "white"


def test_openings_do_not_end_within_a_challenge():
    spec = GameSpec.parse("gipf:basic,zertz=6,challenges=1,challenge-game=gomoku")
    source = RandomTurns(9).draw(spec, seed=1)
    for _ in range(40):
        position = Position(spec)
        for turn in next(source):
            position.push(turn)
        assert position.challenge == "none"


# ------------------------------------------------------------------------------------------- the engine


def test_expected_turns_can_be_played():
    result = Worker().search(
        contest("b..w/.w+b../....../w.....b/....../...../b..w 0 11 w -z 0 2 1 2"), Limit(depth=3)
    )
    assert result.turn == JUMP
    assert result.ponder == ACCEPT
    position = contest("b..w/.w+b../....../w.....b/....../...../b..w 0 11 w -z 0 2 1 2")
    for turn in result.lines[0].pv:
        position.push(turn)


def test_a_challenge_that_wins_the_game_is_made():
    text = "b..w/ww+w../....../w.....b/....../...../b..w 0 11 w -z 0 2 1 2"
    position = contest(text, "jc3-c5")
    result = Worker().search(position, Limit(depth=2, multipv=2))
    assert result.turn == CHALLENGE, "after the jump White has three pieces, without it nothing"
    assert [line.pv[0] for line in result.lines] == [CHALLENGE, ACCEPT]
    for turn in result.lines[1].pv:
        position.push(turn)


def test_an_answer_is_searched_however_few_positions_there_may_be():
    result = Worker().search(contest(READY, JUMP), Limit(nodes=1))
    assert {line.pv[0] for line in result.lines} <= {ACCEPT, CHALLENGE}
    assert result.turn == result.lines[0].pv[0]
    assert not result.notice


def test_an_answer_is_to_accept_if_the_search_fails(monkeypatch):
    monkeypatch.setattr("tengen.search.alphabeta.run.Deepening", None)
    result = Worker().search(contest(READY, JUMP), Limit(nodes=1))
    assert result.turn == ACCEPT
    assert "failed" in result.notice


def test_the_engine_plays_the_other_game():
    result = Worker().search(contest(READY, JUMP, CHALLENGE, *BLACK_WINS[:-1]), Limit(depth=2))
    assert result.turn == "E1"
    assert str(result.lines[0].score) == "win in 1"


@pytest.mark.parametrize(
    ("accepted", "denied", "cost", "challenges"),
    [
        (0, 0, 0.0, False),
        (0, 30, 0.0, True),
        (0, 20, COST, False),  # a gain of 2.5 points
        (0, 30, COST, True),  # 3.7 points
        (-400, -380, COST, False),
        (WIN - 4, 300, 0.0, False),
        (WIN - 4, WIN - 2, 0.0, False),
        (4 - WIN, 6 - WIN, COST, True),  # lost, but later
        (4 - WIN, -500, COST, True),
        (500, WIN - 3, COST, True),
    ],
)
def test_challenges_are_for_what_matters(accepted, denied, cost, challenges):
    worth = challenge_worth(Score(accepted), Score(denied), 200.0, cost)
    assert (worth.value > accepted) == challenges
    assert CHANCE == 0.5
