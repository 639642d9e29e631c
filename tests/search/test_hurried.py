"""A search that is stopped before it begins still plays a searched turn, and keeps what it has proven."""

import pytest

from tengen.engine.jit import COMPILED, StopFlag
from tengen.search import run
from tengen.search.alphabeta.run import AlphaBetaRun
from tengen.search.levels import Handicap, level_of
from tengen.search.limits.limit import Clock, Limit
from tengen.search.worker import Worker
from tests.walks import position_after, specs, walk

SPECS = [
    "dvonn",
    "zertz",
    "zertz:tournament",
    "gipf",
    *specs("gobang")[-1:],
    "gomoku",
    "gomoku:renju",
    "go,size=9",
]
# Black to move after ply 84; all its turns but i4k4 lose.
ENDING = """
    b2 a1 i4 e5 h2 e3 b1 a2 c2 i5 c3 j5 b3 i3 h3 j4 h4 k5 c1 a3 d3 k4 d4 b4 g2 h5 g4 c4 g3 j3 d2 i2 e1
    k3 e2 c5 f1 i1 f5 d5 e4 f4 f3 h1 j2 d1 f2 g5 g1 f5f4 i1j2 e4e3 e5d4 d3d4 d1c1 c3c4 b4b3 c4a2 g5g4
    g1h1 j2h2 g2h2 b3b1 h1j3 b1e1 h3i3 i2i3 g3g4 h5h4 f1e1 i3f3 f2f3 a3a2 g4j4 h4f4 j4f4 i5i4 f3k3 a2e2
    e3c1
"""


class SetFlag(StopFlag):
    """A flag that is set from the beginning."""

    def __init__(self) -> None:
        super().__init__()
        self.set()


@pytest.fixture
def hurry(monkeypatch):
    """Let no search have any time."""
    monkeypatch.setattr(run, "StopFlag", SetFlag)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec", SPECS)
def test_every_turn_is_searched(hurry, spec, threads):
    """By the game's own method; that simulations have time in other games, too, is in `test_mcts`."""
    worker = Worker(threads, 1)
    for position in walk(spec, seed=3):
        if len(position.turns_played) % 5 or not position.turns():
            continue
        for limits in (Limit(nodes=1), Limit(time=0.0), Limit(clock=Clock(0.0))):
            result = worker.search(position, limits)
            assert result.lines, position.text()
            assert result.nodes > 0 or result.lines[0].score.is_proven
            assert result.turn == result.lines[0].pv[0] in position.turns()
            assert not result.notice


def test_the_only_winning_turn_is_found_without_time(hurry):
    position = position_after("dvonn", ENDING)
    assert Worker().search(position, Limit(clock=Clock(0.06))).turn == "i4k4"


@pytest.mark.parametrize("spec", ["dvonn", "gipf:basic", "zertz", "gomoku"])
def test_what_was_found_by_looking_further_ahead_is_played(monkeypatch, spec):
    """After two expected turns a search without time plays the third one, not what it sees itself."""
    position = next(position for position in walk(spec, seed=2) if len(position.turns_played) == 8)
    worker = Worker()
    line = worker.search(position, Limit(depth=6)).lines[0]
    position.push(line.pv[0])
    position.push(line.pv[1])
    monkeypatch.setattr(run, "StopFlag", SetFlag)
    result = worker.search(position, Limit(time=0.0))
    assert result.lines[0].depth > 1
    assert result.turn == line.pv[2]


@pytest.mark.skipif(not COMPILED, reason="twelve thousand positions a turn")
def test_a_level_is_a_number_of_positions_however_late_they_come(monkeypatch):
    """The weakest levels play the same turns without time."""

    def turns() -> list[str]:
        worker = Worker(level=1, level_seed=7)
        return [worker.search(position, Limit(clock=Clock(0.01))).turn for position in middle]

    middle = [position.copy() for position in walk("dvonn", seed=1) if 45 < len(position.turns_played) < 60]
    monkeypatch.setattr(run, "StopFlag", SetFlag)
    hurried = turns()
    monkeypatch.setattr(run, "StopFlag", StopFlag)
    monkeypatch.setattr(AlphaBetaRun, "_start_clock", lambda run: None)
    assert turns() == hurried
    assert Handicap(level_of(middle[0].spec.game, 1)).limits(Limit()).nodes <= 12_000
