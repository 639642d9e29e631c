"""The opening Swap2: the first player puts three stones, the second chooses a colour or puts two more.

What is asked depends on the stones on the board. With none, three are to be put, two black and a white one.
With three, the answer is `SWAP`, to take Black, or where White's next stone goes, to keep White. With five
it is one of the same two.

Two stones more, and the choice for the other side, are permitted with three stones on the board, but never
answered: who chooses a colour may expect an even game or better, who leaves the choice an even game or worse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.game import Game
from tengen.protocol.common.session import NO_OPENING, OPENING, PRO, SWAP2, Refusal, Session

if TYPE_CHECKING:
    from tengen.engine.board.goban import Place
    from tengen.search.info import Result

SWAP = "swap"
STAGES = (0, 3, 5)  # stones on the board when there is something to answer
LEAST_SIZE = 5  # of a board that has room for `OPENINGS`

# Black, White, Black: columns and rows from the middle, no more than two, so that every board has them.
# Of all such openings `python -m tests.tools.balance` found these within 0.55 points of even for White, to
# move: in freestyle and with exactly five on a board of 15, and in freestyle on one of 20.
OPENINGS: tuple[tuple[Place, Place, Place], ...] = (
    ((-2, -2), (-2, 1), (2, 2)),
    ((-2, -2), (-1, 0), (2, 2)),
    ((-2, -2), (-2, 0), (2, 2)),
    ((-2, -2), (-1, 1), (2, 2)),
    ((-2, -2), (1, -2), (-2, 2)),
    ((-2, -2), (2, -2), (1, 2)),
    ((-2, -2), (2, 2), (1, 2)),
    ((-2, -2), (-1, 1), (1, 2)),
    ((-2, -2), (-2, 0), (1, 2)),
    ((-2, -2), (-1, -1), (2, 2)),
    ((-2, -2), (0, -1), (1, 2)),
    ((-2, -1), (2, 2), (1, 1)),
)


def is_swapped(game: Game) -> bool:
    """Return whether `game` can begin with Swap2."""
    return game.five_in_a_row


def stage(session: Session) -> int:
    """Return how many stones are on the board: one of `STAGES`.

    Raises
    ------
    Refusal
        When there is nothing to answer about the position of `session`.
    """
    position = session.position
    if not is_swapped(session.spec.game) or int(session.spec.values["size"]) < LEAST_SIZE:
        raise Refusal(f"swap2: expected five in a row on a board with room for it, got {session.spec}")
    if session.options[OPENING] == PRO:
        raise Refusal(f"swap2: expected {OPENING} {NO_OPENING} or {SWAP2}, got {PRO}")
    rows, letter, *_ = position.text().split()
    black, white = rows.count("X"), rows.count("O")
    stones = black + white
    if stones in STAGES and black - white == stones % 2 and letter == "bw"[stones % 2]:
        return stones
    expected = "no stones, or two black and one white, or three and two, and the other colour to move"
    raise Refusal(f"swap2: expected {expected}, got {black} black and {white} white, {letter} to move")


def choose_opening(session: Session) -> tuple[str, ...]:
    """Return three turns for an empty board: one of `OPENINGS`, turned and mirrored by chance."""
    from tengen.engine.board.grids import vertex

    chance, middle = session.chance, int(session.spec.values["size"]) // 2
    flips = [chance.choice((-1, 1)), chance.choice((-1, 1))]
    crossed = chance.random() < 0.5
    turns = []
    for place in chance.choice(OPENINGS):
        x, y = (middle + flip * offset for flip, offset in zip(flips, place, strict=True))
        turns.append(vertex(y, x) if crossed else vertex(x, y))
    return tuple(turns)


def choose_colour(result: Result, scale: float) -> str:
    """Return what a search for White, who is to move, comes to: White's turn, or `SWAP`.

    Parameters
    ----------
    result : Result
        A search that found nothing says nothing either: Black it is then, who has begun.
    scale : float
        The game's logistic scale.
    """
    if result.turn and result.lines and result.lines[0].win_rate(scale) >= 0.5:
        return result.turn
    return SWAP
