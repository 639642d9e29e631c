"""What the rules keep in every game, asked of the references and of the engine alike."""

import random
from collections.abc import Iterator
from itertools import islice, product

import pytest

from tests.reference.zertz import MARBLES
from tests.rules.faces import Face, each_face

face = each_face
CHARGED = ["gipf:tournament,zertz=2,challenges=1", "gipf,zertz=1,tamsk=2"]
GIPF = ["gipf:basic", "gipf", "gipf:tournament", *CHARGED]
ZERTZ = ["zertz", "zertz:tournament,isolation=auto", "zertz:tournament,rings=48"]
GO = [f"go,size={size},ko={ko}" for size in range(2, 7) for ko in ("simple", "positional", "situational")]
GOBANG = ["gobang,size=4", "gobang,size=5,capture-win=2", "gobang,size=6"]


def walk(face: Face, spec: str, seed: int = 0) -> Iterator[tuple[str, list[str], str, str]]:
    """Yield text, turns, a turn and the text after it through a random game, whose end has no turns."""
    generator = random.Random(f"{spec} {seed}")
    text = face.start(spec)
    while turns := face.turns(spec, text):
        assert face.outcome(spec, text) is None
        assert len({*turns}) == len(turns)
        turn = generator.choice(turns)
        after = face.play(spec, text, turn)
        assert face.read(spec, after) == after
        yield text, turns, turn, after
        text = after
    assert face.outcome(spec, text) is not None


@pytest.mark.parametrize("spec", GIPF)
def test_turns_of_gipf_lead_to_different_positions(face: Face, spec: str) -> None:
    for text, turns, _, _ in islice(walk(face, spec), 12):
        some = random.Random(text).sample(turns, min(len(turns), 4))
        assert len({face.play(spec, text, turn) for turn in some}) == len(some)


@pytest.mark.parametrize("spec", ZERTZ)
def test_marbles_are_moved_never_made_or_lost_and_rings_only_go(face: Face, spec: str) -> None:
    totals = MARBLES["tournament" if "tournament" in spec else "basic"]
    for text, turns, turn, after in walk(face, spec):
        assert sum(each.startswith("x") for each in turns) in (0, len(turns))  # [Z-1]
        board, *counts = after.split(" ")[:4]
        off_board = [sum(int(count.split(",")[colour]) for count in counts) for colour in range(3)]
        assert {mark: board.count(mark) + off_board[n] for n, mark in enumerate("wgb")} == totals
        before, left = (sum(mark not in "/-" for mark in each.split(" ")[0]) for each in (text, after))
        assert left == before if turn.startswith("x") else left <= before


@pytest.mark.parametrize(("spec", "seed"), [*product(GO, [0]), *product(GOBANG, range(3))])
def test_every_stone_is_on_the_board_or_taken(face: Face, spec: str, seed: int) -> None:
    """One comes with every turn but a pass, which is always possible in Go; pairs are two stones."""
    placed = {"b": 0, "w": 0}
    for text, turns, turn, after in islice(walk(face, spec, seed), 60):
        placed[text.split(" ")[1]] += turn != "pass"
        rows, _, *fields = after.split(" ")
        by_black, by_white = map(int, fields[1:3] if spec.startswith("go,") else fields)
        each = 1 if spec.startswith("go,") else 2
        assert placed == {"b": rows.count("X") + each * by_white, "w": rows.count("O") + each * by_black}
        if spec.startswith("go,"):
            assert "pass" in turns
            assert text.split(" ")[2] not in turns  # the point of ko
        else:
            assert len(turns) == text.count(".")


def test_isolation_auto_leaves_out_only_what_declines(face: Face) -> None:
    """Every placement of ZÈRTZ is there once, with the longest of its claims."""
    for text, turns, _, _ in walk(face, "zertz"):
        longest: dict[str, str] = {}
        for turn in turns:
            head = turn if turn.startswith("x") else turn.partition("x")[0]
            longest[head] = max(longest.get(head, ""), turn, key=len)
        assert {*face.turns("zertz,isolation=auto", text)} == {*longest.values()}
