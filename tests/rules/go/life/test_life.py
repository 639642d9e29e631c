"""Life and death at the end of a game [O-5]: what tengen says, held against what is known.

`constructed.txt` has shapes of the books; `games.txt` the ends of games, looked at by hand.
"""

from __future__ import annotations

import numpy as np
import pytest

from tengen.engine.board.grids import vertex
from tengen.engine.go.agreement import AgreedScore, agreed_score, chains_by_status
from tengen.engine.go.life.status import Judge, Status, find_chains
from tengen.engine.go.state import HUNDREDTHS, POINTS, coordinates
from tengen.engine.position import Position
from tests.reference.go_life import Board
from tests.rules.go.life.positions import FinalPosition, read_positions

CONSTRUCTED = read_positions("constructed.txt")
SMALL_FIELD = 7  # points of a fight that brute force goes through in no time
each_constructed = pytest.mark.parametrize("final", CONSTRUCTED, ids=str)


def vertices(points: frozenset[int]) -> frozenset[str]:
    """Return the vertices of points."""
    return frozenset(vertex(*coordinates(p)) for p in points)


def unsure(score: AgreedScore) -> frozenset[str]:
    """Return the vertices of the stones whose status was not proven."""
    return vertices(score.unsure)


@each_constructed
def test_dead_stones_of_constructed_positions(final: FinalPosition) -> None:
    """No stone is called dead or alive that is not, unless tengen says that it is unsure."""
    score = agreed_score(Position.parse(final.spec, final.text).state)
    settled = final.board.stones.keys() - final.unsure
    assert vertices(score.dead) & settled == final.dead & settled
    assert final.unsettled <= unsure(score)
    if not final.unsure:
        assert score.margin == HUNDREDTHS * final.margin


@pytest.mark.parametrize("final", read_positions("games.txt"), ids=str)
def test_the_score_of_games(final: FinalPosition) -> None:
    """No game goes to the wrong side, unless tengen says that it is unsure."""
    score = agreed_score(Position.parse(final.spec, final.text).state)
    if not score.unsure:
        assert vertices(score.dead) == final.dead
        assert score.margin == HUNDREDTHS * final.margin


@pytest.mark.parametrize(("final", "turns"), [(each, 1 + i % 7) for i, each in enumerate(CONSTRUCTED)])
def test_no_direction_and_no_colour_is_special(final: FinalPosition, turns: int) -> None:
    """Dead stones stay dead when the board is turned or mirrored, and the colours are swapped."""
    image = final.turned(turns)
    score = agreed_score(Position.parse(image.spec, image.text).state)
    settled = image.board.stones.keys() - image.unsure
    assert vertices(score.dead) & settled == image.dead & settled


@pytest.mark.parametrize("final", [each for each in CONSTRUCTED if each.seki], ids=str)
def test_seki_of_constructed_positions(final: FinalPosition) -> None:
    """Only territory scoring has a word for it."""
    state = Position.parse(final.spec.replace("chinese", "territory"), final.text).state
    assert {v for chain in chains_by_status(state, "seki") for v in chain} == final.seki


@pytest.mark.parametrize("final", [each for each in CONSTRUCTED if each.brute_force], ids=str)
def test_brute_force_agrees(final: FinalPosition) -> None:
    """The status of the chains is proven from the rules, where the fight for them is over a few points."""
    board, keys = Board(final.board, final.safe), final.brute_force
    fights = [key for key in keys if board.race(key, *keys).field.bit_count() <= SMALL_FIELD]
    if not fights:
        pytest.skip("a fight over many points: python -m tests.tools.judge --brute-force")
    for key in fights:
        assert board.status(key, *keys) == keys[key], key


@pytest.mark.interpreted
@pytest.mark.checked
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("XXXXO../...XO../XXXXO../OOOOO../......./......./....... b - 0 0 0", {"A7": Status.UNSETTLED}),
        ("XXXXXXO/X....XO/XXXXXXO/OOOOOOO/......./......./....... b - 0 0 0", {"A5": Status.ALIVE}),
    ],
)
def test_kernels_of_local_search(text, found):
    """Three in a row, and four in a row."""
    board = Position.parse("go,size=7", text).state.board
    chains = find_chains(board, np.zeros(POINTS))
    Judge(board, chains, 3_000).run()
    status = {vertex(*coordinates(p)): chain.status for chain in chains for p in chain.stones}
    assert {name: status[name] for name in found} == found
