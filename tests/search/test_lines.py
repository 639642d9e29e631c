"""Lines of proven results: they go on until the game has ended as told."""

import random
from collections.abc import Iterator

import pytest

from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.search.info import Info
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tengen.tuning.openings import random_turn
from tests.solver.claims import is_claim

GAMES = 3
OPENING, LONGEST = 6, 150  # turns
SPECS = ["gomoku", "gomoku:renju", "gobang,size=13", "gobang,size=13,capture-win=5", "zertz", "gipf:basic"]


def claims(spec: str, seed: int, threads: int) -> Iterator[tuple[Position, Info]]:
    """Yield the positions whose end the engine knows, in a game against itself; it keeps its table."""
    generator, position, worker = random.Random(seed), Position.start(spec), Worker(threads)
    for _ in range(OPENING):
        position.push(random_turn(position, generator))
    while position.outcome() == Outcome.ONGOING and len(position.turns_played) < LONGEST:
        info = worker.search(position, Limit(nodes=3_000)).lines[0]
        if is_claim(info):
            yield position, info
        position.push(info.pv[0])


def is_told(position: Position, info: Info) -> bool:
    """Return whether the line of a claim leads to the end that it tells; fail if it leads to another one."""
    end = position.copy()
    for turn in info.pv:
        end.push(turn)
    assert info.score.turns_to_win is not None
    assert 0 < len(info.pv) <= abs(info.score.turns_to_win)
    side = position.side_to_move if info.score.value > 0 else 1 - position.side_to_move
    assert end.winner() in (None, position.spec.game.sides[side])
    return end.outcome() != Outcome.ONGOING


@pytest.mark.parametrize("spec", SPECS)
def test_lines_of_proven_results_lead_to_the_end(spec):
    """But for a few, whose positions the table has lost."""
    told = [is_told(position, info) for seed in range(GAMES) for position, info in claims(spec, seed, 1)]
    assert told
    assert sum(told) >= 0.9 * len(told)


def test_lines_of_several_threads_lead_to_no_other_end():
    """They may end early: one thread may replace what another one is about to read."""
    told = [is_told(position, info) for seed in range(GAMES) for position, info in claims("gomoku", seed, 2)]
    assert any(told)
