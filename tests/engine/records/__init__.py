"""What tests ask of records."""

from tengen.engine.sgf import Node, Properties, Record
from tengen.engine.sgf.record import derived_names


def info(record: Record) -> Properties:
    """Return the properties of the root that do not follow from the game and its start."""
    return {
        name: values for name, values in record.properties.items() if name not in derived_names(record.spec)
    }


def played(record: Record) -> list[Node]:
    """Return the nodes of the main line with turns."""
    return [node for node in record.line if node.colour]


def comments(record: Record) -> dict[int, str]:
    """Return the comments on turns of the main line, by index."""
    return {index: node.comment for index, node in enumerate(played(record)) if node.comment}


def details(record: Record) -> dict[int, Properties]:
    """Return the other properties of turns of the main line, by index."""
    found = {
        index: {name: values for name, values in node.properties.items() if name not in ("B", "W", "C")}
        for index, node in enumerate(played(record))
    }
    return {index: properties for index, properties in found.items() if properties}


def tree(node: Node) -> list:
    """Return the properties of a node and of all that follow it."""
    twins: dict[Node, list] = {}
    for each in node:
        twins[each] = [list(each.properties.items()), []]
        if each is not node:
            twins[each.parent][1].append(twins[each])
    return twins[node]
