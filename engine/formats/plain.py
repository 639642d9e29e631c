"""Games without set-up, which are all that most other formats can hold, and what they lose."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tengen.engine.errors import NotationError
from tengen.engine.sgf.node import COLOURS, Node
from tengen.engine.sgf.record import Record, derived_names
from tengen.engine.spec import GameSpec

FIVE_IN_A_ROW = "gomoku"  # what formats of five in a row hold when nobody says it
GO = 1  # SGF's number of the game, in GM
TOLD = {"size", "komi", "handicap"}  # options that a format for a game has a place for, or is refused


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


def losses(record: Record, form: Any) -> str:
    """Return what a format cannot hold of a record, by kind and count; empty if it holds all.

    The format may have these names: ``holds(node, name)``, whether it has a property of a node;
    ``VARIATIONS``, whether it has variations; ``left_out(record)``, how many nodes of them it leaves out;
    ``TOLD``, the options that it has a place for.
    """
    holds: Callable[[Node, str], bool] = getattr(form, "holds", lambda node, name: False)
    variations = getattr(form, "VARIATIONS", False)
    game, ignored = record.spec.game, {*derived_names(record.spec), *COLOURS}
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
    rules = []
    if game.square and not holds(record.root, "RU"):
        usual = GameSpec.parse(FIVE_IN_A_ROW if game.five_in_a_row else game.name)  # as it is read back
        other = {name for name, value in record.spec.options if value != usual.values.get(name)}
        if other - getattr(form, "TOLD", TOLD) or game != usual.game:
            rules = [f"the rules ({record.spec})"]
    return ", ".join([*rules, *(f"{name}: {count:,}" for name, count in lost.items())])
