"""Turns put together step by step."""

from __future__ import annotations

import random

import pytest

from tengen.engine.errors import IllegalTurnError
from tengen.engine.play.position import Position
from tengen.engine.play.steps import contents, descriptions, effects, ending, prompts, refusal, stage

CHALLENGED = "gipf:tournament,zertz=2,challenges=1,challenge-game=coin"


@pytest.mark.parametrize(
    "spec", ["dvonn", "zertz", "gipf", CHALLENGED, "gomoku:renju", "gobang", "go,size=5"]
)
def test_every_turn_that_is_put_together_is_legal(spec):
    position, rng = Position(spec), random.Random(1)
    for _ in range(40):
        if position.winner():
            return
        reached = stage(position)
        while not reached.turn:
            reached = stage(position, (*reached.chosen, rng.choice(list(reached.choices))))
        assert reached.turn in position.turns()
        position.push(reached.turn)


def test_a_placement_of_zertz_is_a_marble_then_two_rings():
    reached = stage(Position("zertz"))
    assert [choice.label for choice in reached.choices.values()] == [
        "white marble",
        "grey marble",
        "black marble",
    ]
    for place in ("W", "d4", "d1"):
        action = next(a for a, choice in reached.choices.items() if (place,) in choice.paths)
        reached = stage(Position("zertz"), (*reached.chosen, action))
    assert reached.turn == "Wd4,d1"


@pytest.mark.parametrize(
    ("spec", "start", "chosen", "said"),
    [
        ("zertz", None, (), "Place a marble: choose its colour."),
        ("zertz", None, ("W",), "Choose a vacant ring for the white marble."),
        ("zertz", None, ("W", "d4"), "Now take away a free ring at the edge (ringed)."),
        ("zertz", "..../...../....../...wg../....../...../.... 4,6,9 0,0,0 0,0,0 2", (), "You must capture:"),
        ("gipf:tournament", None, (), "Push a GIPF-piece in: choose a dot at the edge."),
        ("gipf:basic", "b.../.b.../bbbbb./...b.../....../...../.... 9 3 b --", (), "Four in a row:"),
        ("dvonn", None, (), "Place a red DVONN piece on an empty space, 1 of 49."),
    ],
)
def test_each_step_is_asked_for_in_a_sentence(spec, start, chosen, said):
    position, actions = Position(spec, start), ()
    reached = stage(position)
    for place in chosen:
        action = next(a for a, choice in reached.choices.items() if (place,) in choice.paths)
        reached = stage(position, actions := (*actions, action))
    assert prompts(position, reached.state)[0].startswith(said)


FULL = (
    "W1,B1,W1,B1,W1,B1,W1,B1,W1/B1,D,W1,B1,W1,B1,W1,B1,W1,B1/W1,B1,W1,B1,W1,D,B1,W1,B1,W1,B1/"
    "W1,B1,W1,B1,W1,B1,W1,B1,D,W1/B1,W1,B1,W1,B1,W1,B1,W1,B1 w m"
)
EMPTY_ROWS = "-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-,-"
STUCK = f"D,W2,D,-,D,B1,W1,-,-/{EMPTY_ROWS} w m"
RENJU = "........./........./......O../....XX.../...X...../...X...../........./........./.......OO b"
PAIR = "..../...../....../...wg../....../...../.... 4,6,9 0,0,0 0,0,0 2"


@pytest.mark.parametrize(
    ("spec", "start", "chosen", "places", "reason"),
    [
        ("gomoku:renju,size=9", RENJU, "", "D6", "D6 is forbidden for Black: double three [R-7]"),
        ("gomoku:renju,size=9", RENJU, "", "E6", "E6 is occupied [M-1]"),
        ("go,size=5", "X..../...../...../...../..... b - 0 0 0", "", "A5", "A5 is occupied [O-1]"),
        ("dvonn", FULL, "", "c3", "the stack on c3 has six occupied neighbours [D-4]"),
        ("dvonn", FULL, "", "b1", "the stack on b1 is the opponent's [D-3]"),
        ("dvonn", FULL, "", "a1 c1", "the stack on a1 moves exactly 1, in a straight line [D-3]"),
        ("dvonn", STUCK, "", "b1", "the stack on b1 moves exactly 2, and finds nothing there [D-3]"),
        ("zertz", None, "", "d4", "the colour of the marble comes first: choose one beside the board [Z-2]"),
        ("zertz", None, "W", "G", "the marble is chosen: it needs a ring, or go back [Z-2]"),
        ("zertz", None, "W d4", "d3", "the ring d3 cannot slide out: rings around it hold it [Z-3]"),
        ("zertz", None, "W d4", "d4", "the ring d4 is occupied [Z-2]"),
        ("zertz", PAIR, "", "W", "a capture must be made: choose a marble that can jump [Z-1]"),
        ("zertz", PAIR, "", "d4 a1", "the marble on d4 jumps to d6, got a1 [Z-4]"),
        ("gipf", None, "", "c5", "pieces come in from the dots at the edge, and c5 is a spot [G-1]"),
        ("gipf", None, "", "a1 c5", "from a1 pieces are pushed to b2, got c5 [G-1]"),
        (
            "gipf:basic",
            "b.../.w.../..b.../...w.../...b../...w./...b 8 9 w --",
            "",
            "a1",
            "the line from a1-b2 has no empty spot [G-2]",
        ),
    ],
)
def test_what_cannot_be_chosen_is_refused_with_the_rule(spec, start, chosen, places, reason):
    position = Position(spec, start)
    reached = stage(position)
    for place in chosen.split():
        action = next(a for a, choice in reached.choices.items() if (place,) in choice.paths)
        reached = stage(position, (*reached.chosen, action))
    assert refusal(position, reached.state, places.split()) == reason


@pytest.mark.parametrize(
    ("spec", "start", "turns", "words"),
    [
        ("gomoku", None, "H8 A1 H9 A2 H10 A3 H11 A4 H12", "5 in a row, from H8 to H12 [M-2]"),
        ("gobang,size=9,capture-win=2", None, "A1 B1 A2 C1 D1 B2 A9 C2 D2", "2 pairs captured [B-3]"),
        (
            "dvonn",
            f"W5*2,B4,D,-,-,-,-,-,-/{EMPTY_ROWS} w m",
            "",
            "nobody can move; White controls 5 pieces, Black 4 [D-8]",
        ),
        (
            "zertz",
            "b.--/--g../....../......./....../...../.... 2,3,5 1,2,1 2,1,2 1",
            "Bc3,b4 xb3Bd3 Wa2,b3xBa1Wa2",
            "2 marbles of each colour captured [Z-7]",
        ),
        (
            "gipf:basic",
            "..../...../....../......./....../...../.... 1 1 w --",
            "a1-b2 h6-h5",
            "White has nothing left to bring in [G-7]",
        ),
        (
            "gipf",
            "..../.w.../..W.../...w.../...B../...../.... 5 9 w --",
            "a1-b2;xb2,c3,e5,f5",
            "the last GIPF-piece of Black is gone [G-11]",
        ),
        ("gomoku", None, "H8", ""),
    ],
)
def test_why_a_game_is_over_is_said_with_the_rule(spec, start, turns, words):
    position = Position(spec, start)
    for turn in turns.split():
        position.push(turn)
    assert ending(position)[0] == words


def test_the_points_of_go_are_counted_by_side():
    """A white stone in the corner that is dead is a prisoner, and what it stands on territory."""
    position = Position("go,size=5,komi=0.5", "O.X../..X../XXXOO/...../..... b - 1 0 0")
    for _ in range(2):
        position.push("pass")
    counted = "points of territory and prisoners: Black 4 and 2, White 0 and 0; komi 0.5 [O-5]"
    assert ending(position, ["A5"])[0] == counted


def test_a_push_of_gipf_may_begin_at_any_dot_that_leads_to_the_same():
    choices = stage(Position("gipf")).choices.values()
    assert any({("d1", "d2"), ("c1", "d2")} <= set(choice.paths) for choice in choices)


def test_the_first_basic_piece_warns_of_what_it_gives_up():
    position = Position("gipf:tournament,zertz=1")
    assert not any(choice.warning for choice in stage(position).choices.values()), "a GIPF-piece comes first"
    for turn in ("Ga1-b2", "Gi5-h5"):
        position.push(turn)
    choices = stage(position).choices.values()
    assert {choice.label.split(" from ")[0]: choice.warning for choice in choices} == {
        "basic piece": "This basic piece ends your right to bring in GIPF-pieces and potentials [P-2].",
        "GIPF-piece": "",
        "ZERTZ-charged piece": "This ZERTZ-charged piece ends your right to bring in GIPF-pieces [G-12].",
    }
    for turn in ("c1-d2", "Gb1-c2"):
        position.push(turn)
    assert not any(choice.warning for choice in stage(position).choices.values())


def test_steps_that_are_not_legal_are_refused():
    with pytest.raises(IllegalTurnError):
        stage(Position("zertz"), (999,))


def test_effects_say_what_has_moved_and_what_has_been_taken():
    position = Position("gobang,size=9")
    for turn in ("A1", "B1", "E5", "C1"):
        position.push(turn)
    assert effects(position, "D1").taken == ("B1", "C1")


def test_rings_that_are_gone_and_marbles_of_the_pool_are_described():
    position = Position("zertz")
    position.push("Wd4,d1")
    game, state = position.spec.game, position.state
    said = descriptions(game, state, [place.name for place in game.picture.draw(state).places])
    assert said == {
        "d4": "white",
        "d1": "no ring",
        "W": "white marble",
        "G": "grey marble",
        "B": "black marble",
    }
    assert contents(game, state) == {"d4": "white"}
