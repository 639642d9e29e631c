"""What players agree on before a game with challenges: what is played [P-11], and which uses [P-12]."""

import pytest

from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.play.challenge import ACCEPT, CHALLENGE, ChallengeGame
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tests.rules.challenges.contests import BLACK_WINS, JUMP, LOST, READY, SPEC, WON, contest, with_contest

# ------------------------------------------------------------------------------------------- specs


@pytest.mark.parametrize(
    ("nested", "spec"),
    [
        ("go:size=9:komi=7.5", "go,size=9,komi=7.5"),
        ("gomoku:renju:size=19", "gomoku:renju,size=19"),
        ("gomoku:exactly-five=1", "gomoku,exactly-five=1"),
        ("gobang:capture-win=5", "gobang,capture-win=5"),
        ("gipf:basic:white=16", "gipf:basic,white=16"),
        ("zertz:tournament:rings=48", "zertz:tournament,rings=48"),
        ("dvonn", "dvonn"),
    ],
)
def test_every_game_can_be_played_with_options_of_its_own(nested, spec):
    game = GameSpec.parse(with_contest(nested))
    assert game.challenge == GameSpec.parse(spec)
    assert game.challenge.nested == nested
    assert game.games == (game, GameSpec.parse(spec))
    assert GameSpec.parse(str(game)) == game
    assert contest(READY, JUMP, CHALLENGE, spec=str(game)).turns() == Position.start(spec).turns()


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("challenge-game=gomoku:size=15", "challenge-game=gomoku"),
        ("challenge-game=go:komi=7.5:size=9", "challenge-game=go:size=9:komi=7.5"),
        ("challenge-game=zertz", ""),
        ("challenge-game=die:least=4:seed=0", "challenge-game=die"),
        ("challenge-of=tamsk+zertz", "challenge-of=zertz+tamsk"),
        ("challenge-of=zertz", ""),
        ("challenge-uses=first", "challenge-uses=first"),
    ],
)
def test_specs_have_one_canonical_text(written, canonical):
    spec = GameSpec.parse(f"gipf,zertz=3,{written}")
    assert str(spec) == f"gipf,zertz=3,{canonical}".rstrip(",")
    assert GameSpec.parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("challenge-game=chess", "option challenge-game: game: expected one of dvonn, "),
        ("challenge-game=chess", "zertz, outside, coin, die, got 'chess'"),
        ("challenge-game=gomuko", "(did you mean 'gomoku'?)"),
        (
            "challenge-game=go:size=99",
            "option challenge-game: option size: expected a whole number from 2 to 25",
        ),
        ("challenge-game=go:sise=9", "option challenge-game: options of go: expected one of size, "),
        ("challenge-game=go:size=9:size=9", "option challenge-game: option size: expected once, got twice"),
        ("challenge-game=go:size=9.komi=1", "got '9.komi=1'"),
        ("challenge-game=gomoku:blitz", "variants of gomoku: expected freestyle, "),
        ("challenge-game=outside:chess", "variants of outside: expected none, got 'chess'"),
        ("challenge-game=coin:seed=-1", "option seed: expected a whole number from 0 to"),
        ("challenge-game=die:least=1", "option least: expected a whole number from 2 to 6, got '1'"),
        ("challenge-game=gipf:zertz=1:challenges=1", "expected a game without challenges of its own"),
        ("challenge-game=", "got ''"),
        ("challenge-of=dice", "option challenge-of: expected zertz, tamsk, dvonn"),
        ("challenge-of=zertz+zertz", "option challenge-of: expected zertz, tamsk, dvonn"),
        ("challenge-of=", "option challenge-of: expected zertz, tamsk, dvonn"),
        ("challenge-uses=last", "option challenge-uses: expected all or first, got 'last'"),
    ],
)
def test_errors_name_the_place(setting, message):
    with pytest.raises(OptionError) as refusal:
        GameSpec.parse(f"gipf,{setting}")
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_options_of_the_other_game_that_do_not_go_together_are_refused_at_the_start():
    with pytest.raises(
        OptionError, match="the game for challenges, gipf,white=16: option white: expected 18"
    ):
        Position(with_contest("gipf:white=16"))


def test_trials_are_no_games():
    with pytest.raises(OptionError, match="game: expected one of"):
        GameSpec.parse("coin")
    spec = GameSpec.parse(with_contest("coin"))
    assert spec.challenge.is_trial
    assert spec.games == (spec,)


# ------------------------------------------------------------------------------------------- Go


@pytest.mark.parametrize(
    ("turns", "verdict", "text"),
    [
        (["pass", "pass"], f"Black has not won at Go (W+0.5): White makes the turn {JUMP}.", LOST),
        (["B2", "pass", "pass"], "Black has won at Go (B+8.5): White loses the potential on c3", WON),
    ],
)
def test_two_passes_of_go_decide(turns, verdict, text):
    position = contest(READY, JUMP, CHALLENGE, *turns, spec=with_contest("go:size=3:komi=0.5:rules=chinese"))
    assert position.text() == text
    assert position.explanation().startswith(verdict)


def test_a_game_may_be_played_for_a_jump_of_the_same_game():
    position = contest(READY, JUMP, CHALLENGE, spec=with_contest("gipf:basic"))
    assert position.side == "white"
    position.push("a1-b2")
    assert position.text() == READY[:-1] + "1"
    with pytest.raises(ValueError, match=f"GIPF is played for {JUMP}"):
        position.push("jc3-c5")


# ------------------------------------------------------------------------------------------- kinds

# White's c3 may jump over c4, or the TAMSK potential on e5 make its extra push, or both.
BOTH = "b..w/.w+b../....../w..w*..b/....../...../b..w 9 11 w zz 1 2 1 2 1 1"
EXTRA = "pi1-h2;a1-b2"


def with_kinds(kinds: str, *turns: str, text: str = BOTH, uses: str = "all") -> ChallengeGame:
    spec = SPEC.replace(",challenges", f",tamsk=2,challenge-of={kinds},challenge-uses={uses},challenges")
    return contest(text, *turns, spec=spec)


@pytest.mark.parametrize(
    ("kinds", "turn", "announced"),
    [
        ("zertz", EXTRA, False),
        ("tamsk", EXTRA, True),
        ("zertz+tamsk", EXTRA, True),
        ("zertz", f"p-;{JUMP}", True),
        ("tamsk", f"p-;{JUMP}", False),
        ("zertz+tamsk", f"p-;{JUMP}", True),
        ("tamsk", "p-;a1-b2", False),
    ],
)
def test_only_uses_of_the_kinds_agreed_on_are_announced(kinds, turn, announced):
    """[P-12]; giving up a potential is no use."""
    position = with_kinds(kinds)
    canonical = position.push(turn)
    assert position.challenge == (f"announced {canonical}" if announced else "none")


@pytest.mark.parametrize(("kinds", "lost"), [("zertz", "c3"), ("tamsk", "e5"), ("zertz+tamsk", "e5")])
def test_the_first_use_in_a_turn_is_at_stake(kinds, lost):
    position = with_kinds(kinds, f"pi1-h2;{JUMP}", CHALLENGE, *BLACK_WINS)
    assert f"White loses the potential on {lost}, and has the turn again" in position.explanation()
    mark = {"c3": "w+", "e5": "w*"}[lost]
    assert position.text() == BOTH.replace(mark, "w").replace("1 2 1 2 1 1", "1 2 1 1 1 1")


def test_a_potential_that_comes_to_the_centre_loses_where_it_stood():
    text = "b..w/...../....../wbw*...b/....../...../b..w 9 11 w zz 1 2 1 2 1 1"
    turn = "e1-e2;pi1-h2"
    position = with_kinds("tamsk", turn, text=text)
    assert position.challenge == f"announced {turn}"
    for other in (CHALLENGE, *BLACK_WINS):
        position.push(other)
    assert position.text() == text.replace("*", "").replace("1 2 1 2 1 1", "1 2 1 1 1 1")


@pytest.mark.parametrize(
    ("kind", "column", "without", "numbers", "turn"),
    [
        ("zertz", ".w+b..", ".wb..", "2 3 {}", JUMP),
        ("dvonn", ".wdb..", ".wb..", "0 0 {} 2 3", "jc3-c4"),
        ("yinsh", ".wyb..", ".wb..", "0 0 {} 2 3", "jc3-c2"),
        ("punct", ".wubu..", ".wbu..", "0 0 {} 2 2", "jc3-c4"),
    ],
)
def test_every_kind_can_be_open_to_challenges(kind, column, without, numbers, turn):
    spec = f"gipf:basic,{kind}=3,challenges=2,challenge-of={kind},challenge-game=gomoku"
    text = f"b..w/{{}}/....../w.....b/....../...../b..w 10 11 w zz {numbers}"
    position = contest(text.format(column, "1 2"), turn, CHALLENGE, spec=spec)
    for stone in BLACK_WINS:
        position.push(stone)
    assert position.text() == text.format(without, "1 1")
    assert type(Position(spec.replace(f",challenge-of={kind}", ",challenge-of=tamsk"))) is Position


def test_without_potentials_that_may_be_challenged_there_are_no_challenges():
    assert type(Position("gipf,zertz=3,challenges=1,challenge-of=tamsk")) is Position
    assert isinstance(Position("gipf,tamsk=3,challenges=1,challenge-of=tamsk"), ChallengeGame)
    assert type(Position("gipf,tamsk=3,challenges=1")) is Position


# ------------------------------------------------------------------------------------------- first uses

FIRST = SPEC.replace(",challenges", ",challenge-uses=first,challenges")
TWO = "b..w/.w+b../....../w.....b/....../.w+b../b..w 9 10 w zz 1 2 1 2"  # White's c3 and g3 may jump


@pytest.mark.parametrize("answer", [[ACCEPT], [CHALLENGE, *BLACK_WINS], [CHALLENGE, "A1", "A2"]])
def test_only_the_first_use_may_be_challenged(answer):
    position = contest(TWO, JUMP, *answer, spec=FIRST)
    if position.challenge != "none":  # the rest of a game that White wins
        for turn in ("B1", "B2", "C1", "C2", "D1", "D2", "P15", "E2"):
            position.push(turn)
    assert position.text().endswith(" 1 2 1 0")
    if position.side == "black":
        position.push("e9-e8")
    position.push("jg3-g5")
    assert position.challenge == "none"


def test_each_player_has_a_first_use():
    text = "b..w/.w+b../....../w.....b/....../.wb+../b..w 9 10 w zz 1 2 1 2"
    position = contest(text, JUMP, ACCEPT, spec=FIRST)
    assert position.text().endswith(" 1 2 1 0")
    black = next(turn for turn in position.turns() if turn.startswith("j"))
    position.push(black)
    assert position.challenge == f"announced {black}"
    assert position.side == "white"
    position.pop()
    position.pop()
    assert position.text() == text


def test_a_position_text_shows_that_the_first_use_is_over():
    position = contest(TWO[:-1] + "0", JUMP, spec=FIRST)
    assert position.challenge == "none"
    assert position.outcome() == Outcome.ONGOING


def test_expected_lines_know_that_only_the_first_use_is_answered():
    position = contest(TWO, spec=FIRST)
    plain = Position.of_state(position.spec, position.state)
    actions = [*plain.parse_turn(JUMP)]
    plain.push(JUMP)
    actions += plain.parse_turn("e9-e8")
    plain.push("e9-e8")
    actions += plain.parse_turn("jg3-g5")
    assert position.whole_turns(actions) == (JUMP, ACCEPT, "e9-e8", "jg3-g5")
    assert contest(TWO).whole_turns(actions) == (JUMP, ACCEPT, "e9-e8", "jg3-g5", ACCEPT)
