"""Kernels that Python calls while a game is played, beside those of the contract."""

from typing import Any

from tengen.engine.zertz.isolation import first_claimable


def call_kernels(s: Any) -> None:
    """Call them, so that they are compiled: claims are rare."""
    first_claimable(s)
