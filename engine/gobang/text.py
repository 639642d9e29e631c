"""Texts of Gobang: those of Gomoku, with the pairs taken behind the side to move (notation.md)."""

from engine.gomoku.text import (
    format_position as format_position,
)
from engine.gomoku.text import (
    format_turn as format_turn,
)
from engine.gomoku.text import (
    parse_position as parse_position,
)
from engine.gomoku.text import (
    parse_turn as parse_turn,
)
from engine.gomoku.text import (
    result as result,
)
from engine.gomoku.text import (
    status as status,
)
