"""The board of Gobang: that of Gomoku."""

from engine.gomoku.state import (
    STATE as STATE,
)
