"""The agreement on dead stones, after two passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tengen.engine.errors import quoted
from tengen.engine.play.position import Position
from tengen.protocol.errors import CommandError

STATUSES = ("alive", "dead", "seki")


def judged_dead(position: Position) -> list[str]:
    """Return the vertices of the stones that the engine judges dead."""
    return sorted(vertex for chain in _chains(position, "dead") for vertex in chain)


def toggled(position: Position, dead: Iterable[str], vertex: str) -> set[str]:
    """Return `dead` with the chain on `vertex` called dead, or alive if it was dead.

    Raises
    ------
    CommandError
        If no stone is there.
    """
    chain = next((chain for chain in _all_chains(position) if vertex in chain), None)
    if chain is None:
        raise CommandError(f"expected a stone, got {quoted(vertex)}")
    before = set(dead)
    return before - set(chain) if vertex in before else before | set(chain)


def counted_result(position: Position, dead: list[str]) -> str:
    """Return the result with these dead stones, as SGF has it."""
    return str(position.spec.game.text.counted_result(position.state, dead))


def stones(position: Position) -> set[str]:
    """Return the vertices of all stones."""
    return {vertex for chain in _all_chains(position) for vertex in chain}


def _all_chains(position: Position) -> Iterator[list[str]]:
    for status in STATUSES:
        yield from _chains(position, status)


def _chains(position: Position, status: str) -> list[list[str]]:
    """Return the chains of a status, each as its vertices."""
    found: list[list[str]] = position.spec.game.module("agreement").chains_by_status(position.state, status)
    return found
