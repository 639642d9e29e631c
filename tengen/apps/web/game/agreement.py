"""The agreement on dead stones, after two passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tengen.engine.errors import quoted
from tengen.engine.play.position import Position
from tengen.protocol.errors import CommandError


def chains(position: Position, *statuses: str) -> Iterator[list[str]]:
    """Yield the chains with these statuses, by default all, each as its vertices."""
    for status in statuses or ("alive", "dead", "seki"):
        yield from position.spec.game.module("agreement").chains_by_status(position.state, status)


def judged_dead(position: Position) -> list[str]:
    """Return the vertices of the stones that the engine judges dead."""
    return sorted(vertex for chain in chains(position, "dead") for vertex in chain)


def toggled(position: Position, dead: Iterable[str], vertex: str) -> set[str]:
    """Return `dead` with the chain on `vertex` called dead, or alive if it was dead.

    Raises
    ------
    CommandError
        If no stone is there.
    """
    chain = next((chain for chain in chains(position) if vertex in chain), None)
    if chain is None:
        raise CommandError(f"expected a stone, got {quoted(vertex)}")
    before = set(dead)
    return before - set(chain) if vertex in before else before | set(chain)
