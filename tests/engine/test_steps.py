"""Turns put together step by step."""

import random
from pathlib import Path

import pytest

from tengen.engine.errors import IllegalTurnError
from tengen.engine.play.position import Position
from tengen.engine.play.steps import contents, descriptions, effects, ending, prompts, refusal, stage
from tests import rows
from tests.walks import position_after

CASES = rows(Path(__file__).parent / "steps.txt")
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


@pytest.mark.parametrize(
    ("spec", "start", "chosen", "places", "reason"), [case for case in CASES if len(case) == 5]
)
def test_what_cannot_be_chosen_is_refused_with_the_rule(spec, start, chosen, places, reason):
    position = Position(spec, None if start == "-" else start)
    reached = stage(position)
    for place in chosen.strip("-").split():
        action = next(a for a, choice in reached.choices.items() if (place,) in choice.paths)
        reached = stage(position, (*reached.chosen, action))
    assert refusal(position, reached.state, places.split()) == reason


@pytest.mark.parametrize(("spec", "start", "turns", "words"), [case for case in CASES if len(case) == 4])
def test_why_a_game_is_over_is_said_with_the_rule(spec, start, turns, words):
    position = position_after(spec, turns.strip("-"), None if start == "-" else start)
    assert (ending(position)[0] or "-") == words


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
    position = position_after("gobang,size=9", "A1 B1 E5 C1")
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
