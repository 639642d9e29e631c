"""The Gobang board in plain text and as a drawing: that of Gomoku, with the pairs taken."""

from engine.gomoku.picture import (
    board as board,
)
from engine.gomoku.picture import (
    draw as draw,
)
