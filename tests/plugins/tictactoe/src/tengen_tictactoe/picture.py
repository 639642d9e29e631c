"""The board of tic-tac-toe in plain text and as a drawing."""

from typing import Any

from tengen.engine.board import goban
from tengen.engine.board.picture import Picture
from tengen.engine.game import Outcome
from tengen_tictactoe.rules import SIZE, outcome
from tengen_tictactoe.text import stones

ENDS = {Outcome.FIRST_WINS: "Black has won", Outcome.SECOND_WINS: "White has won", Outcome.DRAW: "Draw"}


def caption(s: Any) -> str:
    """Return whose turn it is, or how the game has ended."""
    return ENDS.get(Outcome(int(outcome(s))), f"{('Black', 'White')[s.side_to_move]} to move")


def board(s: Any) -> str:
    """Return the board in plain text."""
    return "\n".join([*goban.diagram(stones(s), SIZE), caption(s)])


def draw(s: Any) -> Picture:
    """Return the board as a drawing."""
    return goban.draw(f"Tic-tac-toe: {caption(s)}", stones(s), SIZE, (), caption(s))
