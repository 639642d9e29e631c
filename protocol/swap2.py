"""The opening Swap2 [M-5]: the first player puts three stones, the second chooses a colour.

The question depends on the stones on the board. With none, the answer is three stones, two black and one
white. With three or five, it is `SWAP`, to take Black, or White's next stone, to keep White.

With three stones the rules also allow to put two more and leave the choice to the opponent. That is never
answered: choosing a colour is at least as good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.game import Game
from tengen.protocol.engine_options import NO_OPENING, OPENING, PRO, SWAP2
from tengen.protocol.errors import CommandError

if TYPE_CHECKING:
    import random

    from tengen.engine.board.goban import Place
    from tengen.engine.play.position import Position
    from tengen.search.info import Result

SWAP = "swap"
STAGES = (0, 3, 5)  # numbers of stones at which there is a question
MIN_SIZE = 5  # of the board, so that `OPENINGS` fit on it

# Black, White, Black: columns and rows from the middle, at most two, so that they fit on every board.
# `python -m tests.tools.balance` found these within 0.55 points of even for White to move, in freestyle and
# with exactly five on a 15x15 board, and in freestyle on a 20x20 board.
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


def supports_swap2(game: Game) -> bool:
    """Return whether `game` can begin with Swap2."""
    return game.five_in_a_row


def swap2_stage(position: Position, opening: str) -> int:
    """Return the number of stones on the board: one of `STAGES`; `opening` is the engine option `OPENING`.

    Raises CommandError if Swap2 asks nothing in this position.
    """
    spec = position.spec
    if not supports_swap2(spec.game) or int(spec.values["size"]) < MIN_SIZE:
        raise CommandError(f"swap2: expected five in a row on a board with room for it, got {spec}")
    if opening == PRO:
        raise CommandError(f"swap2: expected {OPENING} {NO_OPENING} or {SWAP2}, got {PRO}")
    rows, letter, *_ = position.text().split()
    black, white = rows.count("X"), rows.count("O")
    stones = black + white
    if stones in STAGES and black - white == stones % 2 and letter == "bw"[stones % 2]:
        return stones
    expected = "no stones, or two black and one white, or three and two, and the other colour to move"
    raise CommandError(f"swap2: expected {expected}, got {black} black and {white} white, {letter} to move")


def choose_opening(size: int, rng: random.Random) -> tuple[str, ...]:
    """Return three turns for an empty board: one of `OPENINGS`, in a random orientation."""
    from tengen.engine.board.grids import vertex

    middle = size // 2
    flips = [rng.choice((-1, 1)), rng.choice((-1, 1))]
    crossed = rng.random() < 0.5
    turns = []
    for place in rng.choice(OPENINGS):
        x, y = (middle + flip * offset for flip, offset in zip(flips, place, strict=True))
        turns.append(vertex(y, x) if crossed else vertex(x, y))
    return tuple(turns)


def choose_color(result: Result, scale: float) -> str:
    """Return the better colour after a search with White to move: White's turn, or `SWAP` for Black.

    A search without lines chooses Black, which has the first move. `scale` is the game's logistic scale.
    """
    if result.choice and result.lines and result.lines[0].win_rate(scale) >= 0.5:
        return result.choice
    return SWAP
