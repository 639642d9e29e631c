"""Turns that are entered in steps: every legal turn can be, and what is no choice is refused."""

import pytest

from tengen.apps.play.turn_entry import StepError, TurnEntry
from tengen.engine.play.position import Position
from tests.walks import walk

ROW = "w..W/.W.../bw..../...w..B/...W../...b./...B 3 9 w --"  # White's d1-d2 makes a row


def entered(position: Position, *answers: str) -> TurnEntry:
    steps = TurnEntry(position)
    for answer in answers:
        steps.enter(answer)
    return steps


def test_a_placement_is_a_marble_a_place_and_a_ring():
    steps = entered(Position("zertz"), "W", "d4", "d1")
    assert (steps.done, steps.turn) == (True, "Wd4,d1")


@pytest.mark.parametrize("text", ["w", "W", "wd4", "Wd4", "W d4", "wd4,"])
def test_the_beginning_of_a_placement_is_understood(text):
    steps = TurnEntry.begun(Position("zertz"), text)
    assert steps
    assert not steps.done
    for answer in ("d4", "d1")[len(text.strip(",").replace(" ", "")) > 1 :]:
        steps.enter(answer)
    assert steps.turn == "Wd4,d1"


@pytest.mark.parametrize("text", ["x", "d4", "Wd4,d1", "Wd9", "hnit", "", "Wd4,d1xx", "pass"])
def test_what_begins_no_turn_is_none(text):
    assert TurnEntry.begun(Position("zertz"), text) is None


def test_a_capture_that_can_go_on_is_gone_on_with():
    position = Position("zertz", "-.../.b.../..gw../.g...../....../b..../.... 4,5,7 0,0,0 0,0,0 1")
    for text in ("xc4Gc2", "c4c2"):
        steps = TurnEntry.begun(position, text)
        steps.enter("a2")
        assert steps.turn == "xc4Gc2Ba2"


def test_a_push_is_followed_by_what_is_to_be_taken():
    steps = TurnEntry.begun(Position("gipf", ROW), "d1-d2")
    assert "take b2, d4, e5, g5" in steps.menu(80)
    steps.enter("xb2,d4,e5,g5,h5")
    assert steps.turn == "d1-d2;xb2,d4,e5,g5,h5"


def test_a_choice_is_entered_by_number_by_places_or_by_its_label():
    for answer in ("1", "w", "W", "white marble"):
        assert "put it on ..." in entered(Position("zertz"), answer).menu(80)


@pytest.mark.parametrize("answer", ["0", "4", "d4", "", "x" * 500, "\x1b[A", "-1", "१"])
def test_what_is_no_choice_is_refused_and_changes_nothing(answer):
    steps = TurnEntry(Position("zertz"))
    with pytest.raises(StepError, match=r"expected W or G or B, or a number from 1 to 3, got") as refusal:
        steps.enter(answer)
    assert str(refusal.value).isprintable()
    assert "white marble" in steps.menu(80)


def test_each_choice_can_be_taken_back():
    steps = entered(Position("zertz"), "W", "d4")
    assert steps.so_far == "W d4"
    assert steps.back()
    assert steps.so_far == "W"
    assert steps.back()
    assert not steps.back()
    assert "white marble" in steps.menu(80)


def test_games_whose_turns_have_one_part_begin_none():
    assert TurnEntry.begun(Position("dvonn"), "a") is None
    assert TurnEntry.begun(Position("gomoku"), "H") is None


def test_a_game_that_says_nothing_of_its_steps_lists_its_turns(monkeypatch):
    position = Position("gomoku")
    monkeypatch.setattr(type(position.spec.game), "offers", lambda game, part: part != "steps")
    menu = TurnEntry(position).menu(10_000)
    assert sorted(menu.split()) == sorted(position.turns())


@pytest.mark.parametrize("spec", ["zertz", "gipf", "gipf:tournament,zertz=2,tamsk=1"])
def test_turns_can_be_put_together_by_the_first_entry_of_each_menu(spec):
    """Whatever is entered first at each step ends in a legal turn."""
    for number, position in enumerate(walk(spec, 11)):
        if number % 7 or not position.turns():
            continue
        steps = TurnEntry(position)
        while not steps.done:
            steps.enter(next(iter(steps.menu(10_000).splitlines()[-1].split())))
        assert steps.turn in position.turns()
