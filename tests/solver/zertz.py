"""Forced wins of ZÈRTZ: the cases of its suite, and a brute force that confirms them."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import kernel
from tengen.engine.play.position import Position
from tengen.engine.zertz.rules import MAX_ACTIONS, STATE, do_move, forced, generate, outcome
from tests import rows
from tests.solver import NO_WIN, Unfinished

SUITE = Path(__file__).parent / "suites" / "zertz.txt"
MOST = 3  # sacrifices
DEEPEST = 128  # actions from the root


class Case(NamedTuple):
    """A position, and how many sacrifices the mover's forced win takes: None when `MOST` do not do.

    The mover has to capture, or places a marble after which the opponent has to: that is a sacrifice, unless
    it wins. The win is forced when it comes about against all captures of the opponent.
    """

    spec: str
    text: str
    sacrifices: int | None

    def position(self) -> Position:
        """Return the position."""
        return Position.parse(self.spec, self.text)

    def line(self) -> str:
        """Return the case as a line of the suite."""
        sacrifices = NO_WIN if self.sacrifices is None else self.sacrifices
        return f"{self.spec} ; {self.text} ; {sacrifices}"


def cases() -> list[Case]:
    """Return the cases of the suite."""
    return [
        Case(spec, text, None if sacrifices == NO_WIN else int(sacrifices))
        for spec, text, sacrifices in rows(SUITE)
    ]


# ------------------------------------------------------------------------------------------------ brute force


@kernel
def _wins(stack, actions, tried, most, ply, attacker, sacrifices, placing):
    """Return whether `attacker` wins ``stack[ply]`` by turns that leave the opponent nothing but captures.

    Parameters
    ----------
    stack : STATE array, shape (DEEPEST + 1,)
    actions : int32, shape (DEEPEST, MAX_ACTIONS)
    tried : int64, shape (1,)
        Counts actions. The answer means nothing once they are more than `most`.
    most, ply, attacker, sacrifices : int64
    placing : bool
        Whether the position lies within a placement of the attacker.
    """
    s = stack[ply]
    attacking = s.side_to_move == attacker
    if s.partial == 0:
        placing = attacking and not forced(s)
    n = generate(s, actions[ply])
    tried[0] += n
    if tried[0] > most:
        return False
    for i in range(n):
        stack[ply + 1] = s
        child = stack[ply + 1]
        do_move(child, actions[ply, i])
        if child.partial:
            wins = _wins(stack, actions, tried, most, ply + 1, attacker, sacrifices, placing)
        elif outcome(child) != 0:
            wins = outcome(child) == 1 + attacker
        elif not attacking:
            wins = _wins(stack, actions, tried, most, ply + 1, attacker, sacrifices, False)
        elif not forced(child) or (placing and sacrifices == 0):
            wins = False
        else:
            left = sacrifices - 1 if placing else sacrifices
            wins = _wins(stack, actions, tried, most, ply + 1, attacker, left, False)
        if wins == attacking:
            return wins
    return not attacking


assert (Outcome.ONGOING, Outcome.FIRST_WINS, Outcome.SECOND_WINS) == (0, 1, 2)  # what `_wins` counts on


def wins(position: Position, sacrifices: int, most: int = 10**15) -> tuple[bool, int]:
    """Return whether the mover wins by force with up to so many sacrifices, and how many actions that took.

    `Unfinished` is raised when it takes more than `most`.
    """
    stack = np.zeros(DEEPEST + 1, STATE)
    actions = np.zeros((DEEPEST, MAX_ACTIONS), np.int32)
    tried = np.zeros(1, np.int64)
    stack[0] = position.state
    won = bool(_wins(stack, actions, tried, most, 0, position.side_to_move, sacrifices, False))
    if tried[0] > most:
        raise Unfinished(f"{position.text()}: more than {most} actions with {sacrifices} sacrifices")
    return won, int(tried[0])


def fewest_sacrifices(position: Position, most: int = 10**15) -> tuple[int | None, int]:
    """Return how many sacrifices a forced win takes, None when `MOST` do not do, and the actions tried.

    `Unfinished` is raised when any number of sacrifices takes more than `most`.
    """
    total = 0
    for sacrifices in range(MOST + 1):
        won, tried = wins(position, sacrifices, most)
        total += tried
        if won:
            return sacrifices, total
    return None, total
