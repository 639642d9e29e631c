"""The rulebook's statements and worked examples about ZÈRTZ, on the reference and on the engine."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations

import pytest

from tengen.engine.errors import TengenError
from tengen.engine.position import Position
from tests.rules.faces import Face, each_face

face = each_face
COLUMNS = {"37": "4567654", "48": "56787654", "61": "567898765"}
RINGS = {
    board: [
        f"{letter}{number}"
        for letter, rings in zip("abcdefghi", columns, strict=False)
        for number in range(1, int(rings) + 1)
    ]
    for board, columns in COLUMNS.items()
}
ALL = RINGS["37"]
EDGE = {
    "a1", "a2", "a3", "a4", "b5", "c6", "d7", "e6", "f5",
    "g4", "g3", "g2", "g1", "f1", "e1", "d1", "c1", "b1",
}  # fmt: skip
MARBLES = {"basic": (5, 7, 9), "tournament": (6, 8, 10)}
NOTHING = (0, 0, 0)
AROUND_D4 = ["c3", "c4", "d3", "d5", "e3", "e4"]
# 21 rings of the large board, no two of them neighbours: room for all marbles without a capture.
SPREAD = [
    "a2", "a5", "b1", "b4", "c3", "c6", "d2", "d5", "d8", "e1", "e4",
    "e7", "f2", "f5", "f8", "g3", "g6", "h1", "h4", "i2", "i5",
]  # fmt: skip

Count = tuple[int, int, int]


def place(
    marbles: Mapping[str, str],
    rings: Iterable[str] = ALL,
    *,
    first: Count = NOTHING,
    second: Count = NOTHING,
    player: int = 1,
    passes: int = 0,
    board: str = "37",
    rules: str = "basic",
) -> str:
    """Set up a position: marbles by ring, the rings that are left, captures; other marbles in the pool."""
    left = {*rings}
    assert marbles.keys() <= left <= {*RINGS[board]}
    cells = {ring: marbles.get(ring, ".") if ring in left else "-" for ring in RINGS[board]}
    texts = ("".join(cells[ring] for ring in cells if ring[0] == letter) for letter in "abcdefghi")
    used = Counter(marbles.values())
    pool = [
        total - used[marble] - first[n] - second[n]
        for n, (marble, total) in enumerate(zip("wgb", MARBLES[rules], strict=True))
    ]
    assert min(pool) >= 0
    counts = (",".join(map(str, each)) for each in (pool, first, second))
    return " ".join(["/".join(filter(None, texts)), *counts, str(player), *["pass"] * passes])


def without(*gone: str) -> set[str]:
    """Return the rings of the small board except some."""
    assert {*gone} <= {*ALL}
    return {*ALL} - {*gone}


def columns(letters: str) -> set[str]:
    """Return the rings of some columns of the small board."""
    return {ring for ring in ALL if ring[0] in letters}


def spread(white: int, grey: int, black: int) -> dict[str, str]:
    """Return so many marbles on the large board, none beside another."""
    return dict(zip(SPREAD, "w" * white + "g" * grey + "b" * black, strict=False))


def beginning(turns: Iterable[str], prefix: str) -> set[str]:
    """Return the turns that begin with `prefix`, without it."""
    return {turn.removeprefix(prefix) for turn in turns if turn.startswith(prefix)}


def removable(turns: Iterable[str]) -> set[str]:
    """Return the rings that can be removed after one placement or another."""
    return {turn[4:6] for turn in turns if turn[3:4] == ","}


def choices(*groups: str) -> set[str]:
    """Return the claims of some, all or none of the groups, which are in the order of their rings."""
    chosen = [some for number in range(len(groups) + 1) for some in combinations(groups, number)]
    return {"x" + "".join(some) if some else "" for some in chosen}


# ---- The start and the boards ----


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("zertz", "..../...../....../......./....../...../.... 5,7,9 0,0,0 0,0,0 1"),
        ("zertz:basic", "..../...../....../......./....../...../.... 5,7,9 0,0,0 0,0,0 1"),
        ("zertz:tournament", "..../...../....../......./....../...../.... 6,8,10 0,0,0 0,0,0 1"),
        ("zertz,rings=48", "...../....../......./......../......./....../...../.... 5,7,9 0,0,0 0,0,0 1"),
        (
            "zertz:tournament,rings=61,isolation=auto",
            "...../....../......./......../........./......../......./....../..... 6,8,10 0,0,0 0,0,0 1",
        ),
    ],
)
def test_the_start(face: Face, spec: str, text: str) -> None:
    """All rings are vacant, all marbles are in the pool."""
    assert face.start(spec) == text
    assert face.read(spec, text) == text
    assert face.outcome(spec, text) is None


@pytest.mark.parametrize(
    "spec",
    [
        "zertz:fast",
        "zertz,rings=36",
        "zertz,rings=",
        "zertz,isolation=never",
        "zertz,isolation=1",
        "zertz,rings=48,rings=48",
        "zertz,size=37",
    ],
)
def test_a_game_that_does_not_exist_is_refused(face: Face, spec: str) -> None:
    """37, 48 or 61 rings; groups are claimed by choice or all of them."""
    with pytest.raises(ValueError, match=r"\S"):
        face.start(spec)


@pytest.mark.parametrize("variant", ["zertz", "zertz:tournament"])
@pytest.mark.parametrize(("board", "edge"), [("37", 18), ("48", 21), ("61", 24)])
def test_first_turns(face: Face, variant: str, board: str, edge: int) -> None:
    """Any marble on any ring, then any ring of the edge that is still vacant [Z-2] [Z-3]."""
    spec = f"{variant},rings={board}"
    turns = face.turns(spec, face.start(spec))
    inside = len(RINGS[board]) - edge
    assert len({*turns}) == len(turns) == 3 * (edge * (edge - 1) + inside * edge)
    assert len(removable(turns)) == edge
    assert {turn[0] for turn in turns} == {"W", "G", "B"}
    assert {turn[1:3] for turn in turns} == {*RINGS[board]}
    assert all(turn[1:3] != turn[4:6] for turn in turns)


# A marble jumps to the right and up, across the longest column: the numbers depend on the columns' lengths.
@pytest.mark.parametrize(
    ("board", "line"),
    [
        ("37", "b2 c3 d4 e4 f4 g4"),
        ("48", "b2 c3 d4 e4 f4 g4 h4"),
        ("61", "b2 c3 d4 e5 f5 g5 h5 i5"),
        ("37", "b4 c4 d4 e3 f2 g1"),
        ("48", "b4 c4 d4 e3 f2 g1"),
        ("61", "b4 c4 d4 e4 f3 g2 h1"),
        ("48", "f1 f2 f3 f4 f5 f6"),
    ],
)
def test_lines_of_the_boards(face: Face, board: str, line: str) -> None:
    """Neighbouring columns are set off by half a ring; jumps go straight through them in both directions."""
    spec, rings = f"zertz,rings={board}", line.split()
    for here, over, landing in zip(rings, rings[1:], rings[2:], strict=False):
        left = {ring for ring in RINGS[board] if ring[0] not in line} | {*rings}
        ahead = place({here: "w", over: "g"}, left, board=board)
        assert f"x{here}G{landing}" in face.turns(spec, ahead)
        back = place({landing: "b", over: "g"}, left, board=board)
        assert f"x{landing}G{here}" in face.turns(spec, back)


# ---- Placing and removing [Z-2] [Z-3] ----


def test_a_placement_takes_a_marble_and_a_ring(face: Face) -> None:
    """The marble leaves the pool for a ring, another ring leaves the game, the other player is to move."""
    text = face.play("zertz", face.start("zertz"), "Wd4,d1", "Ba1,g1")
    assert text == place({"d4": "w", "a1": "b"}, without("d1", "g1"))
    turns = face.turns("zertz", text)
    assert not {"d1", "g1", "d4", "a1"} & {turn[1:3] for turn in turns}
    assert not {"d1", "g1", "a1"} & removable(turns)


def test_only_marbles_of_the_pool_are_placed(face: Face) -> None:
    """A colour that the pool has not is not placed, also when the player holds such a marble."""
    marbles = {"a1": "w", "a3": "w", "c1": "w", "g1": "w"}
    text = place(marbles, first=(1, 1, 1))
    assert {turn[0] for turn in face.turns("zertz", text)} == {"G", "B"}


@pytest.mark.parametrize(
    ("gone", "more", "less"),
    [
        ("", "", ""),
        ("a1", "", "a1"),
        ("a1 a2 b1", "b2", "a1 a2 b1"),
        ("a1 a2 a3 a4", "b1 b2 b3 b4", "a1 a2 a3 a4"),
        ("a1 b1 c1 d1", "b2 c2 d2", "a1 b1 c1 d1"),
        ("d5 d3", "", ""),  # opposite sides of d4; c4, c5 and others keep five
        ("d5 e3", "", ""),
        ("d5 e3 c3", "", ""),
        ("d5 e4", "d4 e5", ""),
        ("c3 d3", "c2 d4", ""),
        ("b1 b3", "", "b1"),  # b2 is open above and below
        ("b1 b3 b2", "c2 c3", "b1"),
    ],
)
def test_a_ring_is_free_between_two_open_sides_next_to_each_other(
    face: Face, gone: str, more: str, less: str
) -> None:
    """Of an intact board the edge, corners included; further inside it takes two neighbouring gaps [Z-3]."""
    text = place({}, without(*gone.split()))
    assert removable(face.turns("zertz", text)) == (EDGE | {*more.split()}) - {*less.split()}


def test_an_occupied_ring_is_not_free(face: Face) -> None:
    """A ring with a marble stays, also that of the marble just placed [Z-3]."""
    turns = face.turns("zertz", place({"a1": "w", "d7": "g"}))
    assert removable(turns) == EDGE - {"a1", "d7"}
    assert beginning(turns, "Wg1,") == EDGE - {"a1", "d7", "g1"}


def test_no_ring_is_removed_when_none_is_free(face: Face) -> None:
    """The turn ends with the placement when the vacant rings are held by others on all sides [Z-3]."""
    ring = {"c3": "w", "c4": "g", "d3": "b", "e3": "g", "e4": "b"}
    text = place(ring, [*AROUND_D4, "d4"])
    turns = face.turns("zertz", text)
    assert {turn for turn in turns if turn[1:3] == "d5"} == {"Wd5", "Gd5", "Bd5"}
    after = face.play("zertz", text, "Wd5")
    assert after == place({**ring, "d5": "w"}, [*AROUND_D4, "d4"], player=2)
    assert face.outcome("zertz", after) is None


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


# ---- An empty pool [Z-6] ----


@pytest.mark.parametrize(
    ("first", "second", "player", "placed"),
    [
        ((1, 2, 1), (0, 0, 0), 1, "WGB"),
        ((0, 2, 0), (1, 1, 1), 1, "G"),
        ((0, 2, 0), (1, 0, 1), 2, "WB"),
    ],
)
def test_own_captures_are_placed_when_the_pool_is_empty(
    face: Face, first: Count, second: Count, player: int, placed: str
) -> None:
    """Any colour that the player to move holds, none of the opponent's [Z-6]."""
    spec, rings = "zertz,rings=61", RINGS["61"]
    on_board = tuple(5 + 2 * n - first[n] - second[n] for n in range(3))
    text = place(spread(*on_board), rings, first=first, second=second, player=player, board="61")
    assert text.split(" ")[1] == "0,0,0"
    turns = face.turns(spec, text)
    assert {turn[0] for turn in turns} == {*placed}
    vacant = [ring for ring in SPREAD if ring not in spread(*on_board)]
    after = face.play(spec, text, f"{placed[0]}{vacant[-1]},a1").split(" ")
    held = list((first, second)[player - 1])
    held["WGB".index(placed[0])] -= 1
    assert after[1 + player] == ",".join(map(str, held))
    assert after[1] == "0,0,0"


def test_a_marble_from_the_captures_may_come_back_by_isolation(face: Face) -> None:
    """Placed on a lone ring it is claimed again [Z-5] [Z-6], and the hand is what it was."""
    spec = "zertz,rings=61"
    rings = {*RINGS["61"]} - {"a2", "b1", "b2"}
    marbles = dict(zip(SPREAD[3:], "w" * 2 + "g" * 7 + "b" * 9, strict=True))
    text = place(marbles, rings, first=(2, 0, 0), second=(1, 0, 0), board="61")
    assert beginning(face.turns(spec, text), "Wa1,i1") == {"", "xWa1"}
    after = face.play(spec, text, "Wa1,i1xWa1")
    assert after.split(" ")[1:] == ["0,0,0", "2,0,0", "1,0,0", "2"]
    assert face.outcome(spec, after) is None


# ---- Passing ----


def test_who_has_nothing_passes(face: Face) -> None:
    """The pool is empty and so is the hand; the other plays on, and the position forgets the pass."""
    spec, rings = "zertz,rings=61", RINGS["61"]
    text = place(spread(4, 4, 5), rings, second=(1, 3, 4), board="61")
    assert face.turns(spec, text) == ["pass"]
    passed = face.play(spec, text, "pass")
    assert passed == place(spread(4, 4, 5), rings, second=(1, 3, 4), player=2, passes=1, board="61")
    assert face.read(spec, passed) == passed
    assert face.outcome(spec, passed) is None
    assert "pass" not in face.turns(spec, passed)
    after = face.play(spec, passed, "Wi5,a1")
    assert after.endswith(" 0,0,0 0,0,0 0,3,4 1")
    assert face.turns(spec, after) == ["pass"]


def test_who_has_nothing_but_can_capture_does(face: Face) -> None:
    """Passing is for who can neither place nor capture [Z-1]."""
    spec, rings = "zertz,rings=61", RINGS["61"]
    marbles = {**spread(4, 4, 4), "a1": "b"}  # beside a2
    text = place(marbles, rings, second=(1, 3, 4), board="61")
    turns = face.turns(spec, text)
    assert turns
    assert {turn[0] for turn in turns} == {"x"}


def test_two_passes_draw(face: Face) -> None:
    """All marbles are on the board, none can be captured: nobody can ever play again."""
    spec, rings = "zertz,rings=61", RINGS["61"]
    *placed, last = spread(5, 7, 9).items()
    text = place(dict(placed), rings, first=(0, 0, 1), board="61")
    text = face.play(spec, text, f"B{last[0]},a1")
    assert face.turns(spec, text) == ["pass"]
    once = face.play(spec, text, "pass")
    assert once.endswith(" 1 pass")
    assert face.turns(spec, once) == ["pass"]
    assert face.outcome(spec, once) is None
    twice = face.play(spec, once, "pass")
    assert twice == f"{once.removesuffix(' 1 pass')} 2 pass pass"
    assert face.read(spec, twice) == twice
    assert face.turns(spec, twice) == []
    assert face.outcome(spec, twice) == "draw"


# ---- The end [Z-7] [Z-8] ----


@pytest.mark.parametrize(
    ("rules", "held"),
    [
        *(("basic", held) for held in [(2, 2, 2), (3, 0, 0), (0, 4, 0), (0, 0, 5), (3, 1, 2), (2, 3, 2)]),
        *(("tournament", held) for held in [(3, 3, 3), (4, 0, 0), (0, 5, 0), (0, 0, 6), (3, 4, 3)]),
    ],
)
def test_a_goal_wins(face: Face, rules: str, held: Count) -> None:
    """So many of each colour, or more of one: who holds it has won, and nothing can be played [Z-7]."""
    spec = f"zertz:{rules}"
    second = place({}, second=held, player=1, rules=rules)
    assert face.outcome(spec, second) == "second"
    assert face.turns(spec, second) == []
    first = place({}, first=held, player=2, rules=rules)
    assert face.outcome(spec, first) == "first"
    assert face.turns(spec, first) == []


@pytest.mark.parametrize(
    ("rules", "held"),
    [
        *(("basic", held) for held in [(2, 3, 1), (2, 1, 4), (1, 3, 4)]),
        *(("tournament", held) for held in [(3, 4, 2), (3, 2, 5), (2, 4, 5), (3, 2, 2)]),
    ],
)
def test_one_marble_less_wins_nothing(face: Face, rules: str, held: Count) -> None:
    """The goals of the tournament are higher by one of each colour [Z-7]."""
    spec = f"zertz:{rules}"
    for player in (1, 2):
        text = place({}, first=held, player=player, rules=rules)
        assert face.outcome(spec, text) is None
        assert face.turns(spec, text)


@pytest.mark.parametrize("player", [1, 2])
def test_a_capture_wins_at_its_end(face: Face, player: int) -> None:
    """Who makes the turn wins by it [Z-7]."""
    held = {"first": (2, 0, 0)} if player == 1 else {"second": (2, 0, 0)}
    text = place({"d4": "g", "d5": "w"}, player=player, **held)
    won = face.play("zertz", text, "xd4Wd6")
    assert face.outcome("zertz", won) == ("first", "second")[player - 1]
    other = face.play("zertz", text, "xd5Gd3")
    assert face.outcome("zertz", other) is None


def test_a_goal_in_mid_sequence_is_no_end_of_the_turn(face: Face) -> None:
    """The third white marble wins, but the marble jumps on first [Z-4] [Z-7]."""
    text = place({"d4": "g", "d5": "w", "e5": "b"}, first=(2, 0, 0))
    assert beginning(face.turns("zertz", text), "xd4W") == {"d6Bf4"}
    with pytest.raises(ValueError, match=r"\S"):
        face.play("zertz", text, "xd4Wd6")
    won = face.play("zertz", text, "xd4Wd6Bf4")
    assert won == place({"f4": "g"}, first=(3, 0, 1), player=2)
    assert face.outcome("zertz", won) == "first"


@pytest.mark.parametrize("isolation", ["choice", "auto"])
@pytest.mark.parametrize("player", [1, 2])
def test_who_fills_the_last_ring_takes_all_and_wins(face: Face, player: int, isolation: str) -> None:
    """No ring is removed, nothing can be declined, no ring is left; an old group goes with the rest [Z-8]."""
    spec = f"zertz,isolation={isolation}"
    marbles = {"a1": "g", "c3": "b", "c4": "b", "d3": "g", "d5": "b", "e3": "g", "e4": "w"}
    text = place(marbles, [*AROUND_D4, "d4", "a1"], player=player)
    claims = "xGa1Bc3Bc4Gd3Wd4Bd5Ge3We4"
    assert {*face.turns(spec, text)} == {
        f"{marble}d4{claims.replace('Wd4', f'{marble}d4')}" for marble in "WGB"
    }
    won = face.play(spec, text, f"Wd4{claims}")
    held = (2, 3, 3)
    captures = {"first": held} if player == 1 else {"second": held}
    assert won == place({}, [], player=3 - player, **captures)
    assert face.read(spec, won) == won
    assert face.outcome(spec, won) == ("first", "second")[player - 1]
    assert face.turns(spec, won) == []


def test_all_rings_win_without_a_goal(face: Face) -> None:
    """Two marbles win when they are on the last two rings [Z-8]."""
    text = place({"d4": "b"}, ["d4", "d5"], second=(2, 3, 1))
    assert {*face.turns("zertz", text)} == {f"{marble}d5xBd4{marble}d5" for marble in "WGB"}
    won = face.play("zertz", text, "Gd5xBd4Gd5")
    assert won == place({}, [], first=(0, 1, 1), second=(2, 3, 1), player=2)
    assert face.outcome("zertz", won) == "first"


def test_who_removes_the_last_vacant_ring_takes_all_and_wins(face: Face) -> None:
    """Every ring left is occupied then too [Z-8], also those of a group that was declined."""
    marbles = {"a1": "g", "d4": "b"}
    text = place(marbles, ["a1", "d4", "d5", "d6"])
    assert beginning(face.turns("zertz", text), "Wd5,") == {"d6xGa1Bd4Wd5"}
    assert beginning(face.turns("zertz", text), "Wd6,") == {"d5xGa1Bd4Wd6"}
    won = face.play("zertz", text, "Wd6,d5xGa1Bd4Wd6")
    assert won == place({}, [], first=(1, 1, 1), player=2)
    assert face.outcome("zertz", won) == "first"


# ---- What is refused ----


START = place({})


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        (START, ""),
        (START, "pass"),
        (START, "Wd4"),  # a ring must be removed
        (START, "Wd4,d4"),
        (START, "Wd4,d2"),  # not free
        (START, "Wd8,d1"),
        (START, "Wh1,d1"),
        (START, "Wd4,d1xWd4"),  # not isolated
        (START, "xd4Gd6"),
        (START, "Xd4,d1"),
        (place({"d4": "w"}), "Wd4,d1"),  # occupied
        (place({"d1": "w"}), "Wd4,d1"),
        (place({"d4": "w"}, without("d1")), "Wd1,a1"),  # no ring
        (place({"d4": "w"}, without("d1")), "Wd3,d1"),
        (place({"d4": "w", "d5": "g"}), "Wa1,g4"),  # a capture is compulsory
        (place({"d4": "w", "d5": "g"}), "xd4Wd6"),
        (place({"d4": "w", "d5": "g"}), "xd4Gd7"),
        (place({"d4": "w", "d5": "g"}), "pass"),
        (place({"a1": "g"}, without("a2", "b1", "b3")), "Wd4,b2xWa1"),
        (place({"a1": "g"}, without("a2", "b1", "b3")), "Wd4,c1xGa1"),
        (place({}, second=(3, 0, 0)), "Wd4,d1"),  # the game is over
        (place({}, [], second=(1, 0, 0)), "pass"),
    ],
)
def test_a_turn_that_breaks_a_rule_is_refused(face: Face, text: str, turn: str) -> None:
    """It is none of the legal turns."""
    assert turn not in face.turns("zertz", text)
    with pytest.raises(ValueError, match=r"\S"):
        face.play("zertz", text, turn)


@pytest.mark.parametrize(
    "text",
    [
        "",
        START.removesuffix(" 1"),
        f"{START} 1",
        f"{START} pass pass pass",
        START.removesuffix("1") + "3",
        START.removesuffix("1") + "0",
        START.replace(".", "x", 1),
        START.replace(".", "W", 1),
        START.removeprefix("."),
        f".{START}",
        START.replace("/", "", 1),
        START.replace("5,7,9", "5,7"),
        START.replace("5,7,9", "5,7,9,0"),
        START.replace("5,7,9", "5,7,x"),
        START.replace("5,7,9", "5,7,8"),
        START.replace("5,7,9", "5,7,10"),
        START.replace("5,7,9", "6,8,10"),
        START.replace("5,7,9 0,0,0", "6,7,9 -1,0,0"),
        START.replace(".", "w", 1),  # a sixth white marble
        place({"d4": "w"}).replace("w", "."),  # a lost one
        place({}, rules="tournament"),
        place({}, RINGS["48"], board="48"),
        place({}, first=(3, 0, 0)),  # the player to move has won before
        place({}, second=(2, 2, 2), player=2),
        place({}, first=(3, 0, 0), second=(0, 4, 0)),
        place({}, [], first=(0, 0, 5)),
        place({"d4": "w"}, ["d4"]),  # who filled the last ring has taken it [Z-8]
        place({"d4": "w", "a1": "g"}, ["a1", "d4"], second=(1, 1, 1)),
        f"{START} pass",  # the pool is not empty
        f"{START} pass pass",
    ],
)
def test_an_impossible_position_is_refused(face: Face, text: str) -> None:
    """Wrong shapes, marbles too many or lost, a goal of who is to move, a full board, a pass at choice."""
    with pytest.raises(ValueError, match=r"\S"):
        face.read("zertz", text)


@pytest.mark.parametrize(
    ("marbles", "first", "second", "passes"),
    [
        (spread(5, 7, 8), (0, 0, 0), (0, 0, 1), 1),  # player 2 held a marble and could not pass
        (spread(5, 7, 8), (0, 0, 1), (0, 0, 0), 2),
        (spread(5, 7, 8), (0, 0, 0), (0, 0, 1), 2),
        ({**spread(5, 7, 8), "a1": "b"}, (0, 0, 0), (0, 0, 0), 1),  # a1 and a2 can be captured
        (spread(5, 7, 8), (0, 0, 0), (0, 0, 0), 1),  # a black marble is in the pool
    ],
)
def test_a_pass_of_who_could_play_is_refused(
    face: Face, marbles: dict[str, str], first: Count, second: Count, passes: int
) -> None:
    """A pass says that pool and hand are empty and nothing can be captured."""
    text = place(marbles, RINGS["61"], first=first, second=second, passes=passes, board="61")
    with pytest.raises(ValueError, match=r"\S"):
        face.read("zertz,rings=61", text)


# ---- What holds everywhere ----


@pytest.mark.parametrize("spec", ["zertz", "zertz:tournament,isolation=auto", "zertz:tournament,rings=48"])
def test_random_games_keep_what_the_rules_keep(face: Face, spec: str) -> None:
    """Marbles are moved, never made or lost; rings only go; a game ends, and not before its end."""
    generator = random.Random(spec)
    text = face.start(spec)
    totals = MARBLES["tournament" if "tournament" in spec else "basic"]
    rings = len(text.split(" ")[0].replace("/", ""))
    while turns := face.turns(spec, text):
        assert face.outcome(spec, text) is None
        assert len({*turns}) == len(turns)
        captures = beginning(turns, "x")
        assert len(captures) in (0, len(turns))  # [Z-1]
        text = face.play(spec, text, generator.choice(turns))
        assert face.read(spec, text) == text
        board, *counts = text.split(" ")[:4]
        off_board = [sum(int(count.split(",")[colour]) for count in counts) for colour in range(3)]
        assert tuple(board.count("wgb"[n]) + off_board[n] for n in range(3)) == totals
        left = len(board.replace("/", "").replace("-", ""))
        assert left == rings if captures else left <= rings
        rings = left
    assert face.outcome(spec, text) is not None


def test_isolation_auto_leaves_out_only_what_declines(face: Face) -> None:
    """Every placement is there once, with the longest of its claims."""
    generator = random.Random("zertz")
    text = face.start("zertz")
    while turns := face.turns("zertz", text):
        longest: dict[str, str] = {}
        for turn in turns:
            head = turn if turn.startswith("x") else turn.partition("x")[0]
            longest[head] = max(longest.get(head, ""), turn, key=len)
        assert {*face.turns("zertz,isolation=auto", text)} == {*longest.values()}
        text = face.play("zertz", text, generator.choice(turns))


# ---- What the engine reads besides ----


ISOLATED = place({"a1": "g"}, without("a2", "b1", "b3"))
LAST_RING = place({"d4": "b"}, ["d4", "d5"])
TWO_JUMPS = place({"d4": "g", "d5": "w", "e5": "b"})


@pytest.mark.parametrize(
    ("spec", "text", "turn", "canonical"),
    [
        ("zertz", START, "wD4,D1", "Wd4,d1"),
        ("zertz", START, "Wd4 , d1", "Wd4,d1"),
        ("zertz", ISOLATED, "Wd4, b2 x Ga1", "Wd4,b2xGa1"),
        ("zertz", ISOLATED, "wd4,b2Xga1", "Wd4,b2xGa1"),
        ("zertz", TWO_JUMPS, "xd4d6f4", "xd4Wd6Bf4"),
        ("zertz", TWO_JUMPS, "x d4wd6bf4", "xd4Wd6Bf4"),
        ("zertz,isolation=auto", ISOLATED, "Wd4,b2", "Wd4,b2xGa1"),
        ("zertz", ISOLATED, "Wd4,b2", "Wd4,b2"),
        ("zertz", LAST_RING, "Wd5", "Wd5xBd4Wd5"),
        ("zertz,isolation=auto", LAST_RING, "Wd5", "Wd5xBd4Wd5"),
    ],
)
def test_other_spellings_of_a_turn(spec: str, text: str, turn: str, canonical: str) -> None:
    """Letters of either case, blanks, captures without colours, claims that leave no choice left out."""
    position = Position.parse(spec, text)
    assert position.play(turn) == canonical


@pytest.mark.parametrize("turn", ["xd4Bd6Bf4", "xd4d6", "xd4Wd6f4e4"])
def test_a_misspelt_capture_is_refused(turn: str) -> None:
    """Colours that stand there must be right, and a sequence goes to its end."""
    with pytest.raises(TengenError):
        Position.parse("zertz", TWO_JUMPS).play(turn)
