"""The variations of a record: each is reviewed from the position before its first turn on."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.apps.review.assessment import Review, record_positions
from tengen.engine.play.position import Position
from tengen.engine.sgf import Node, Record
from tengen.search.limits.limit import Limit


@dataclass(frozen=True)
class ReviewedVariation:
    """A variation and its review, as far as it has come."""

    number: int  # from 1, in the order of the record: a variation, then those within it
    parent: int  # the variation that it leaves; 0 for the main line
    source: Node  # its first node
    review: Review  # its first position is that before the first turn of the variation

    @property
    def title(self) -> str:
        """What it is, in words."""
        left = f" of variation {self.parent}" if self.parent else ""
        return f"variation {self.number}, instead of turn {self.review.positions[0].number + 1}{left}"


def variations_of(record: Record, limits: Limit, faults: list[str] | None = None) -> list[ReviewedVariation]:
    """Return all variations of a record, none of their positions assessed yet.

    A turn that cannot be played ends a variation; `faults`, if given, gets the reasons.
    """
    found: list[ReviewedVariation] = []
    places: dict[Node | None, tuple[int, int]] = {None: (0, 0)}  # number of its line, and of its turn
    forks: dict[Node, Position] = {}
    for node, position in record.explore():
        if len(node.children) > 1:
            forks[node] = position.copy()
    pending = [record.root]
    while pending:
        node = pending.pop()
        line, number = places[node.parent]
        if node.parent and node.parent in forks and node is not node.parent.next:
            said: list[str] = []
            positions = record_positions(record, said, [node, *node.main_line()], forks[node.parent], number)
            if len(positions) > 1:
                found.append(
                    ReviewedVariation(len(found) + 1, line, node, Review(record.spec, positions, [], limits))
                )
                line = len(found)
            if faults is not None:
                faults += [f"variation instead of turn {number + 1}: {reason}" for reason in said]
        places[node] = line, number + bool(node.colour)
        pending += reversed(node.children)
    return found
