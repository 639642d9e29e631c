"""Kernels that Python calls while a game is played, beside those of the contract."""

from typing import Any

from tengen.engine.dvonn.rules import can_move
from tengen.engine.dvonn.state import surrounded


def call_kernels(s: Any) -> None:
    """Call them, so that they are compiled: `s` is from the placement, which asks for none of them."""
    surrounded(s.occupied)
    can_move(s, s.side_to_move)
