"""Captures, and marbles that are isolated."""

from __future__ import annotations

import pytest

from tests.rules.faces import Face
from tests.rules.zertz.boards import (
    AROUND_D4,
    beginning,
    choices,
    columns,
    place,
    without,
)

# ---- Capturing [Z-1] [Z-4] ----


def test_the_marble_placed_and_its_neighbour_may_jump_over_each_other(face: Face) -> None:
    """The rulebook's example: a white and a grey marble side by side, a vacant ring behind each [Z-4]."""
    before = place({"d4": "w"}, player=2)
    text = face.play("zertz", before, "Gd5,a1")
    assert {*face.turns("zertz", text)} == {"xd4Gd6", "xd5Wd3"}
    assert face.play("zertz", text, "xd4Gd6") == place({"d6": "w"}, without("a1"), first=(0, 1, 0), player=2)
    assert face.play("zertz", text, "xd5Wd3") == place({"d3": "g"}, without("a1"), first=(1, 0, 0), player=2)


@pytest.mark.parametrize("colours", ["ww", "wg", "gb", "bb"])
@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize(
    ("over", "landing", "behind"),
    [
        ("d5", "d6", "d3"),
        ("e4", "f4", "c3"),
        ("e3", "f2", "c4"),
        ("d3", "d2", "d5"),
        ("c3", "b2", "e4"),
        ("c4", "b4", "e3"),
    ],
)
def test_a_capture_is_compulsory_in_any_direction(
    face: Face, over: str, landing: str, behind: str, player: int, colours: str
) -> None:
    """Colours do not matter, nor who placed the marbles; nothing else may be played [Z-1] [Z-4]."""
    text = place({"d4": colours[0], over: colours[1]}, player=player)
    jumper, taken = colours.upper()
    assert {*face.turns("zertz", text)} == {f"xd4{taken}{landing}", f"x{over}{jumper}{behind}"}


@pytest.mark.parametrize(
    ("marbles", "gone"),
    [
        ({"d4": "w", "d6": "g"}, ""),  # not adjacent
        ({"d4": "w", "e5": "g"}, ""),  # in no line
        ({"d1": "w", "d2": "g", "d3": "b"}, "d4"),  # nothing behind the three
        ({"a1": "w", "a2": "g"}, "a3"),  # the edge and a gap behind
        ({"d7": "w", "c6": "g"}, "b5"),
        ({"a1": "w", "b1": "g"}, "c1"),
        ({"a1": "w", "a2": "g", "a3": "b", "a4": "b"}, ""),  # a whole line
    ],
)
def test_a_jump_needs_a_neighbour_and_a_vacant_ring_behind(
    face: Face, marbles: dict[str, str], gone: str
) -> None:
    """No capture over a distance, onto a marble, over the edge or into a gap [Z-4]."""
    turns = face.turns("zertz", place(marbles, without(*gone.split())))
    assert not beginning(turns, "x")
    assert turns


def test_a_capture_removes_no_ring_and_places_no_marble(face: Face) -> None:
    """It is a whole turn; the pool stays as it is [Z-4]."""
    marbles = {"d4": "w", "d5": "g", "g1": "b"}
    text = face.play("zertz", place(marbles, first=(1, 0, 0)), "xd5Wd3")
    assert text == place({"d3": "g", "g1": "b"}, first=(2, 0, 0), player=2)


def test_scheme_3_the_ways_to_capture(face: Face) -> None:
    """1 takes 2 and 3, or 2, 4 and 5; 2 takes 1; 3 takes 2 and 1: which is free, not how far [Z-4].

    Up to symmetry there is only one place for five marbles that allows this and nothing else with a single
    ring gone, without which 2 could take 3 as well.
    """
    one, two, three, four, five = "c4", "c3", "b2", "d2", "f1"
    marbles = {one: "w", two: "g", three: "b", four: "g", five: "b"}
    text = place(marbles, without("a1"))
    assert {*face.turns("zertz", text)} == {
        "xc4Gc2Ba2",
        "xc4Gc2Ge1Bg1",
        "xc3Wc5",
        "xb2Gd4Wb4",
    }
    assert face.play("zertz", text, "xc3Wc5") == place(
        {"c5": "g", three: "b", four: "g", five: "b"}, without("a1"), first=(1, 0, 0), player=2
    )


def test_a_sequence_is_played_to_its_end(face: Face) -> None:
    """Who has jumped and can jump on, must, whatever the direction [Z-4]."""
    text = place({"d1": "w", "d2": "g", "d4": "b", "e5": "g", "c4": "w"})
    turns = face.turns("zertz", text)
    assert beginning(turns, "xd1") == {"Gd3Bd5Gf5", "Gd3Bd5Wb3"}


def test_a_marble_jumps_back_to_where_it_began_and_takes_each_once(face: Face) -> None:
    """Its ring is vacant once it has left; a marble taken is gone at once [Z-4]."""
    text = place({"d4": "w", "d5": "g", "e5": "b", "e4": "g"})
    turns = face.turns("zertz", text)
    assert beginning(turns, "xd4") == {"Gd6Bf4Gd4", "Gf4Bd6Gd4"}
    for turn in ("xd4Gd6Bf4Gd4", "xd4Gf4Bd6Gd4"):
        assert face.play("zertz", text, turn) == place({"d4": "w"}, first=(0, 2, 1), player=2)


# ---- Isolating [Z-5] ----


def test_scheme_4_removing_a_ring_isolates_a_marble(face: Face) -> None:
    """The ring that held a1 to the board is removed: the marble on a1 may be claimed, with its ring."""
    text = place({"a1": "g"}, without("a2", "b1", "b3"))
    turns = face.turns("zertz", text)
    assert beginning(turns, "Wd4,b2") == {"", "xGa1"}
    assert all(turn[4:6] == "b2" for turn in turns if "x" in turn)
    claimed = face.play("zertz", text, "Wd4,b2xGa1")
    assert claimed == place({"d4": "w"}, without("a1", "a2", "b1", "b2", "b3"), first=(0, 1, 0), player=2)


def test_a_declined_group_stays_and_is_not_offered_again(face: Face) -> None:
    """Claiming is not compulsory; no later turn fills or cuts off what is full and cut off already [Z-5]."""
    gone = ["a2", "b1", "b2", "b3"]
    text = face.play("zertz", place({"a1": "g"}, without("a2", "b1", "b3")), "Wd4,b2")
    assert text == place({"a1": "g", "d4": "w"}, without(*gone), player=2)
    for turn in ("Bg1,d7", "Bg3,a3", "Be1,a4"):
        turns = face.turns("zertz", text)
        assert not [each for each in turns if "x" in each]
        text = face.play("zertz", text, turn)
    assert text.startswith("g---/")


def test_a_lone_vacant_ring_is_free_and_can_be_filled_and_claimed_at_once(face: Face) -> None:
    """It can slide out; or a marble put on it isolates itself, and a ring is removed all the same [Z-5]."""
    text = place({}, columns("defg") | {"a1"})
    turns = face.turns("zertz", text)
    assert "Wd4,a1" in turns
    assert beginning(turns, "Wa1,d1") == {"", "xWa1"}
    claimed = face.play("zertz", text, "Wa1,d1xWa1")
    assert claimed == place({}, columns("defg") - {"d1"}, first=(1, 0, 0), player=2)


def test_the_last_vacant_ring_of_a_group_is_filled_or_removed(face: Face) -> None:
    """A group with a vacant ring cannot be claimed; filling it and removing it both complete one [Z-5]."""
    rings = columns("defg") | {"a1", "a2"}
    assert beginning(face.turns("zertz", place({}, rings)), "Ga2,d1") == {""}
    turns = face.turns("zertz", place({"a1": "w"}, rings))
    assert beginning(turns, "Ga2,d1") == {"", "xWa1Ga2"}
    assert beginning(turns, "Gd4,a2") == {"", "xWa1"}
    assert beginning(turns, "Gd4,d1") == {""}


def test_the_marble_placed_is_claimed_when_a_ring_removed_cuts_it_off(face: Face) -> None:
    """The group may hold the new marble; a group that the turn does not touch is none [Z-5]."""
    rings = columns("defg") | {"a1", "a2", "a3", "c6"}
    text = place({"a1": "w", "c6": "b"}, rings - {"d6", "d7"})
    turns = face.turns("zertz", text)
    assert beginning(turns, "Ga2,a3") == {"", "xWa1Ga2"}
    assert beginning(turns, "Ga3,a2") == choices("Wa1", "Ga3")


@pytest.mark.parametrize(
    ("head", "groups"),
    [
        ("Ge1,b2", ("Wa1", "Bc3")),
        ("Ga4,b2", ("Wa1", "Ga4", "Bc3")),
        ("Ga4,e1", ("Ga4",)),
        ("Ge1,a4", ()),
        ("Gb2,a4", ("Wa1Gb2Bc3",)),
    ],
)
def test_several_groups_are_claimed_one_by_one(face: Face, head: str, groups: tuple[str, ...]) -> None:
    """By a placement, by a removal, by both: any of them may be taken, or with `isolation=auto` all are."""
    text = place({"a1": "w", "c3": "b"}, columns("efg") | {"a1", "b2", "c3", "a4"})
    assert beginning(face.turns("zertz", text), head) == choices(*groups)
    everything = "x" + "".join(groups) if groups else ""
    assert beginning(face.turns("zertz,isolation=auto", text), head) == {everything}
    marbles = [each for each in everything if each in "WGB"]
    gained = tuple(marbles.count(marble) for marble in "WGB")
    after = face.play("zertz", text, head + everything)
    assert after.split(" ")[2] == ",".join(map(str, gained))


def test_the_larger_part_may_be_the_full_one(face: Face) -> None:
    """Any group with every ring occupied counts, however many rings the rest has [Z-5]."""
    text = place({"d4": "w", "d5": "g", "e4": "b"}, ["d4", "d5", "e4", "e3", "f2", "g1"])
    assert beginning(face.turns("zertz", text), "Wg1,e3") == {"", "xWd4Gd5Be4"}
    after = face.play("zertz", text, "Wg1,e3xWd4Gd5Be4")
    assert after == place({"g1": "w"}, ["f2", "g1"], first=(1, 1, 1), player=2)


def test_a_group_is_claimed_without_a_removal_when_no_ring_is_free(face: Face) -> None:
    """A claim takes the place of no removal, and needs none [Z-3] [Z-5]."""
    flower = dict.fromkeys(AROUND_D4, "b")
    text = place(flower, [*AROUND_D4, "d4", "a1"])
    assert beginning(face.turns("zertz", text), "Wa1") == {"", "xWa1"}
    assert face.play("zertz", text, "Wa1xWa1") == place(flower, [*AROUND_D4, "d4"], first=(1, 0, 0), player=2)


def test_scheme_5_a_sacrifice_makes_way(face: Face) -> None:
    """A offers a black marble on 1 and removes 2; B must take it, and A isolates white and black [Z-5] [Z-7].

    The jump takes the grey marble off ring 4, which the removal of 2 has made free.
    """
    one, two, three, four = "c3", "b4", "a2", "b3"
    rings = without("a3", "a4", "b1", "b2")
    marbles = {"a1": "b", four: "g"}
    text = place(marbles, rings, first=(1, 2, 1), second=(2, 1, 2))
    offered = face.play("zertz", text, f"B{one},{two}")
    assert {*face.turns("zertz", offered)} == {"xb3Bd3"}
    taken = face.play("zertz", offered, "xb3Bd3")
    assert taken == place({"a1": "b", "d3": "g"}, rings - {two}, first=(1, 2, 1), second=(2, 1, 3))
    assert face.outcome("zertz", taken) is None
    won = face.play("zertz", taken, f"W{three},{four}xBa1Wa2")
    assert won.split(" ")[2:] == ["2,2,2", "2,1,3", "2"]
    assert face.outcome("zertz", won) == "first"
    assert face.turns("zertz", won) == []
