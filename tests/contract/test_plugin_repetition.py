"""Three men's morris: a game of another package in which the third occurrence of a position is a draw."""

import json
import random
import re

import pytest

from tengen.engine.errors import IllegalTurnError
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search import perft
from tests import ROOT
from tests.plugins.morris.reference import Reference
from tests.walks import scaled

START = "..O/OX./XOX b"
CYCLE = ("B2-B3", "A2-A3", "B3-B2", "A3-A2")
PLACED = ("A1", "A2", "C1", "B1", "B2", "C3")  # from the empty board to `START`
GAME = (*PLACED, *CYCLE, *CYCLE)
REASON = "the position has occurred three times [MM-4]"

# White, to move, has lost. After a round, one turn wins for Black; after two, it repeats the position.
LOST = ".X./.OX/XOO w"
BACK = ("B2-A2", "B3-C3", "A2-B2", "C3-B3")
DRAWN = "X.O/O.X/X.O b"  # with correct play


@pytest.fixture
def interpreted(monkeypatch):
    """Have other processes run kernels as plain Python: they take too few steps to be worth compiling."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def played(turns, text="", repetition="threefold") -> Position:
    spec = f"morris,repetition={repetition}"
    position = Position.parse(spec, text) if text else Position.start(spec)
    for turn in turns:
        position.push(turn)
    return position


# ----------------------------------------------------------------------------------------------------- rules


def named(turn) -> str:
    """Return the text of a turn of the reference."""
    places = turn if isinstance(turn[0], tuple) else (turn,)
    return "-".join(f"{'ABC'[x]}{y + 1}" for x, y in places)


@pytest.mark.interpreted
@pytest.mark.checked
@pytest.mark.usefixtures("here")
def test_the_game_agrees_with_its_reference():
    """Half of the slides go back where the side has just come from, so that many games repeat."""
    ends = set()
    for seed in range(max(8, scaled(60))):
        chance, reference, position = random.Random(seed), Reference(), Position.start("morris")
        while True:
            legal = {named(turn): turn for turn in reference.legal()}
            assert set(position.turns()) == legal.keys()
            assert (position.end_reason() != "") == reference.is_drawn()
            assert position.winner() == ("draw" if reference.is_drawn() else winner_of(reference))
            if not legal:
                break
            back = "-".join(reversed(position.turns_played[-2].split("-"))) if len(legal) < 7 else ""
            turn = back if back in legal and chance.random() < 0.5 else chance.choice(sorted(legal))
            assert position.push(turn.lower()) == turn
            reference.play(legal[turn])
        ends.add(position.winner())
    assert ends == {"black", "white", "draw"}


def winner_of(reference) -> str | None:
    return {None: None, 0: "black", 1: "white"}[reference.winner()]


@pytest.mark.interpreted
@pytest.mark.checked
@pytest.mark.usefixtures("here")
def test_the_third_occurrence_draws():
    for turns in range(len(GAME)):
        assert played(GAME[:turns]).outcome() == Outcome.ONGOING
    position = played(GAME)
    assert (position.winner(), position.result(), position.end_reason()) == ("draw", "0", REASON)
    assert (position.text(), position.turns()) == (START, [])
    with pytest.raises(IllegalTurnError, match="the game is over, the position has occurred") as caught:
        position.push(CYCLE[0])
    assert caught.value.rule == "MM-4"
    position.pop()
    assert (position.outcome(), position.end_reason()) == (Outcome.ONGOING, "")
    position.push("a3-a2")
    assert position.outcome() == Outcome.DRAW


@pytest.mark.interpreted
@pytest.mark.checked
@pytest.mark.usefixtures("here")
def test_positions_are_remembered_once_all_men_are_placed():
    assert not len(played(PLACED[:5]).past_keys)
    assert len(played(GAME[:-1]).past_keys) == len(CYCLE) * 2
    assert played(CYCLE, START).outcome() == Outcome.ONGOING


@pytest.mark.interpreted
@pytest.mark.checked
@pytest.mark.usefixtures("here")
def test_without_the_rule_the_game_goes_on():
    assert GameSpec.parse("morris").repetition == "MM-4"
    assert played((*GAME, *CYCLE), repetition="none").outcome() == Outcome.ONGOING
    before = played(GAME[:-1])
    free = Position.parse("morris,repetition=none", before.text())
    after = len(Position.parse("morris", START).turns())
    assert perft.count(free, 2) - perft.count(before, 2) == after


@pytest.mark.interpreted
@pytest.mark.usefixtures("here")
def test_bad_positions_and_turns_are_refused_with_a_reason():
    for text, fault in {
        ".../... b": "expected 3 rows, got 2",
        "XX./XX./... b": "expected at most three men of a side .*got 4 black and 0 white",
        "X../.../... b": "expected as many black men as white ones with b to move, got 1 and 0",
        "XXX/.O./O.O b": "the side to move has won before",
    }.items():
        with pytest.raises(ValueError, match=fault):
            Position.parse("morris", text)
    for text, fault in {
        "a1-b2-c3": "expected points from A1 to C3, such as B2 or A1-B2",
        "A3": r"all men are placed; they slide, such as A1-B2 \[MM-3\]",
        "B2-C3": "C3 is occupied",
        "C3-B3": "there is no man of the side to move",
        "A1-C2": "the points are not next to each other on a line",
    }.items():
        with pytest.raises(ValueError, match=fault):
            played((text,), START)
    with pytest.raises(ValueError, match=r"men slide once all are placed \[MM-2\]"):
        played(("A1-A2",))


# -------------------------------------------------------------------------------------------------- programs


@pytest.mark.usefixtures("interpreted")
def test_the_command_line_shows_the_draw(tengen):
    out, _ = tengen("games")
    assert re.search(r"repetition=threefold +whether a position that occurs for the third time", out)
    out, _ = tengen("show --game morris --moves", " ".join(GAME))
    assert out.endswith(f"position {START}\nside black\noutcome draw 0\nreason {REASON}\n")
    _, err = tengen("show --game morris --moves", " ".join([*GAME, "B2-B3"]), code=2)
    assert err == f"tengen: error: turn 15: illegal turn 'B2-B3': the game is over, {REASON}"


@pytest.mark.usefixtures("interpreted")
def test_a_challenge_that_is_drawn_by_repetition_has_failed(tengen):
    """The jump is made [P-9], unless the game that is played for the challenge goes on."""
    jumper = "w+b../...../....../......./....../...../...b 9 9 w -- 0 0 1 2"
    moves = " ".join(["jb2-b4", "challenge", *GAME])
    spec = "gipf:basic,zertz=3,challenges=2,challenge-game=morris"
    out, _ = tengen(f"show --game {spec} --position", jumper, "--moves", moves)
    assert "position wbw^./" in out
    out, _ = tengen(f"show --game {spec}:repetition=none --position", jumper, "--moves", moves)
    assert "challenge playing morris,repetition=none for jb2-b4" in out


# ------------------------------------------------------------------------------------------------ the search


@pytest.fixture
def best(tengen, interpreted):
    """Return a function that gives the best line of a search, as ``tengen analyze --json`` does."""

    def search(text: str, moves: tuple[str, ...], *more: str, spec: str = "morris") -> dict:
        out, _ = tengen(
            f"analyze --game {spec} --json", "--position", text, "--moves", " ".join(moves), *more
        )
        return json.loads(out.splitlines()[-2])

    return search


METHODS = pytest.mark.parametrize(
    "method", [("--depth", "6"), ("--search", "mcts", "--nodes", "200")], ids=["alphabeta", "mcts"]
)


@pytest.mark.nightly
@METHODS
def test_a_win_is_played_before_it_repeats_for_the_third_time(best, method):
    """A second occurrence in the game is none in the tree: the position was not on this line."""
    line = best(LOST, BACK[:3], *method)
    assert line["pv"][0] == BACK[3]
    assert line["score"] == {"win": 5}


@pytest.mark.nightly
@METHODS
def test_a_turn_that_repeats_for_the_third_time_is_a_draw(best, method):
    line = best(LOST, (*BACK, *BACK[:3]), *method)
    assert (line["pv"], line["score"]) == ([BACK[3]], {"cp": 0}), "the other turns lose"


@pytest.mark.nightly
def test_a_line_that_comes_back_is_a_draw(best):
    """No evaluation of this game is 0, so the score tells of a repetition in the tree."""
    line = best(DRAWN, (), "--depth", "7")
    assert line["score"] == {"cp": 0}
    assert best(DRAWN, (), "--depth", "7", spec="morris,repetition=none")["score"]["cp"] != 0


# -------------------------------------------------------------------------------------------------- the guide


def test_the_guide_shows_what_is_in_the_file():
    guide = (ROOT / "docs" / "add-a-game.md").read_text("utf-8")
    (block,) = re.findall(r"is an example:\n\n```python\n(.*?)\n```", guide, re.S)
    rules = ROOT / "tests" / "plugins" / "morris" / "src" / "tengen_morris" / "rules.py"
    assert block in rules.read_text("utf-8")
