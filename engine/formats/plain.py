"""Games without set-up, which are all that most other formats can hold, and what they lose."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tengen.engine.errors import NotationError
from tengen.engine.sgf.node import COLOURS, Node
from tengen.engine.sgf.record import Record, derived_names

GO = 1  # SGF's number of the game, in GM


def require_plain(record: Record) -> list[Node]:
    """Return the turns of the main line, up to a set-up, which have to alternate in five in a row.

    Raises NotationError if they do not begin on the empty board, or a side plays twice in a row, or in
    another game.
    """
    if not record.spec.game.five_in_a_row:
        raise NotationError(f"record: expected five in a row for this format, got {record.spec}")
    nodes = plain_line(record)
    if [node.side for node in nodes] != [number % 2 for number in range(len(nodes))]:
        raise NotationError("record: expected turns of both sides from the empty board, got set-up")
    return nodes


def plain_line(record: Record) -> list[Node]:
    """Return the turns of the main line, up to a set-up; NotationError if the game begins otherwise."""
    if record.start is not None:
        raise NotationError("record: expected turns of both sides from the empty board, got set-up")
    return record.opening_line()


def require_go(record: Record) -> None:
    """Raise NotationError unless `record` is one of Go."""
    if record.spec.game.sgf_gm != GO:
        raise NotationError(f"record: expected Go for this format, got {record.spec}")


def losses(record: Record, form: Any) -> list[str]:
    """Return what a format cannot hold of a record apart from the game, by kind and count.

    The format may have these names: ``holds(node, name)``, whether it has a property of a node;
    ``VARIATIONS``, whether it has variations; ``left_out(record)``, how many nodes of them it leaves out.
    """
    holds: Callable[[Node, str], bool] = getattr(form, "holds", lambda node, name: False)
    variations = getattr(form, "VARIATIONS", False)
    ignored = {*derived_names(record.spec), *COLOURS}
    line = {id(node) for node in record.line}
    lost: Counter[str] = Counter()
    if left := form.left_out(record) if variations else 0:
        lost["nodes of variations"] = left
    over: set[int] = set()  # nodes after a set-up
    for node in record.root:
        if id(node.parent) in over or (node.is_set_up and node is not record.root):
            over.add(id(node))
            lost["nodes from a set-up on"] += 1
        elif not variations and id(node) not in line:
            lost["nodes of variations"] += 1
        else:
            for name in node.properties:
                if name not in ignored and not holds(node, name):
                    lost["comments" if name == "C" else name] += 1
    return [f"{name}: {count:,}" for name, count in lost.items()]
