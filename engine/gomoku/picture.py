"""The Gomoku board in plain text and as a drawing."""

from __future__ import annotations

from typing import Any

from engine.game import Outcome
from engine.gomoku.rules import outcome
from engine.gomoku.state import BLACK, EMPTY, point
from engine.grids import GTP_LETTERS
from engine.picture import FAINT_INK, INK, Circle, Line, Picture, Shade, Shape, Text, disc
from engine.picture import board as wooden_board

SYMBOLS = ".XO"
CELL = 32  # pixels between two lines
MARGIN = 46  # from the edge of the picture to the first line
CAPTION = 34  # height of the caption
SHADES = {1: (Shade("#6d6a68", "#0c0b0b"), "#000000"), 2: (Shade("#ffffff", "#c9c2b6"), "#8d8577")}
ENDS = {Outcome.FIRST_WINS: "Black has won", Outcome.SECOND_WINS: "White has won", Outcome.DRAW: "Draw"}


def caption(s: Any) -> str:
    """Return whose turn it is, or how the game has ended."""
    over = ENDS.get(Outcome(int(outcome(s))))
    return over or f"{('Black', 'White')[s.turn]} (%s) to move" % SYMBOLS[s.turn + 1]


def board(s: Any) -> str:
    """Return the board in plain text: rows from the top, ``X`` black, ``O`` white, columns without the letter I."""
    size = int(s.width)
    letters = "   " + " ".join(GTP_LETTERS[:size])
    rows = [
        f"{y + 1:>2} {' '.join(SYMBOLS[s.board[point(x, y)]] for x in range(size))} {y + 1}" for y in reversed(range(size))
    ]
    return "\n".join([letters, *rows, letters, caption(s)])
