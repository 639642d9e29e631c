"""Nets in whole numbers, one multiplication after the other, and what the nets see of a position.

Written from docs/nets.md, what the modules `net` say of their inputs, and the reference of the rules.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from tests.reference.dvonn import NEIGHBOURS, Dvonn, Space, Stack
from tests.reference.gipf import Gipf
from tests.reference.zertz import OFF_BOARD, SIDES, VACANT, Zertz

ONE = 255  # of an activation


def value(numbers: Mapping[str, Any], inputs: list[int], bucket: int, linear: int) -> int:
    """Return the corrected value in centi-points; `numbers` are nested lists."""
    sums = list(numbers["bias"])
    for place in inputs:
        for j, number in enumerate(numbers["first"][place]):
            sums[j] += number
    direct = sums.pop()
    hidden = [_clip(found) for found in sums]
    total = 0
    for k, weights in enumerate(numbers["second"][bucket]):
        inner = numbers["second_bias"][bucket][k]
        for weight, activation in zip(weights, hidden, strict=False):
            inner += weight * activation
        total += _clip(inner // 64) * numbers["output"][bucket][k]
    total = numbers["output_bias"][bucket] + total // 64 + 4 * direct
    return int(linear * numbers["share"][bucket] // 256 + total // 16)


def _clip(number: int) -> int:
    """Return the number, but at least 0 and at most `ONE`."""
    return min(max(number, 0), ONE)


# ----------------------------------------------------------------------------------------------------- DVONN


def dvonn_inputs(position: Dvonn) -> list[int]:
    """Return the active inputs of a position of the second phase, ascending."""
    side = position.side
    other = "b" if side == "w" else "w"
    moves = {player: list(position._moves(player).values()) for player in (side, other)}
    distances = _distances(position)
    found = []
    for space, stack in position.stacks.items():
        neighbours = sum(near in position.stacks for near in NEIGHBOURS[space])
        reaching = {
            player: min(2, sum(target == space for _, target in moves[player])) for player in (side, other)
        }
        centre = 16 if stack.owner is None else 8 * (stack.owner != side)
        if stack.owner:
            centre += 2 * (min(stack.height, 4) - 1) + (stack.reds > 0)
        around = [_content(position.stacks.get(near), side) for near in _clockwise(space)]
        kinds = _surroundings(4)
        found.append(1407 + centre * len(kinds) + kinds.index(_least_image(around, 4)))
        if stack.owner is None:
            code = (neighbours * 3 + reaching[side]) * 3 + reaching[other]
            found.append(1008 + 336 + code)
            continue
        enemy = other if stack.owner == side else side
        theirs = int(stack.owner != side)
        targets = sum(origin == space for origin, _ in moves[stack.owner])
        code = theirs * 7 + _height_class(stack.height, (1, 2, 3, 4, 5, 7))
        code = code * 2 + (stack.reds > 0)
        code = code * 6 + (0 if neighbours == 6 else 1 + min(targets, 4))
        code = code * 3 + reaching[enemy]
        found.append(code * 2 + (reaching[stack.owner] > 0))
        code = theirs * 4 + _height_class(stack.height, (1, 2, 4))
        code = code * 6 + distances[space]
        found.append(1008 + code * 7 + neighbours)
    return sorted(found)


def _content(stack: Stack | None, side: str) -> int:
    """Return 0 for an empty cell, 1 for a stack of `side`, 2 for an enemy one, 3 for a lone DVONN piece."""
    if stack is None:
        return 0
    return 3 if stack.owner is None else 1 if stack.owner == side else 2


def _clockwise(space: Space) -> list[Space]:
    """Return the six places around a space, on the board or not, each beside the one before."""
    return [space.step(step) for step in ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))]


def _height_class(height: int, greatest: tuple[int, ...]) -> int:
    """Return the class of a height; `greatest` are the greatest heights of the classes but the last."""
    return sum(height > limit for limit in greatest)


def _distances(position: Dvonn) -> dict[Space, int]:
    """Return the spaces from each stack to the nearest DVONN piece over the board, at most 5."""
    found = {space: 0 for space, stack in position.stacks.items() if stack.reds}
    frontier = list(found)
    for space in frontier:  # which grows
        for near in NEIGHBOURS[space]:
            if near in NEIGHBOURS and near not in found:
                found[near] = found[space] + 1
                frontier.append(near)
    return {space: min(distance, 5) for space, distance in found.items()}


# ------------------------------------------------------------------------------------------------------ GIPF


def gipf_inputs(position: Gipf) -> list[int]:
    """Return the active inputs of a position, ascending."""
    from .gipf.board import LINES

    side = position.side
    other = "b" if side == "w" else "w"
    found = []
    for line in LINES:
        contents = [_owner(position, spot, side) for spot in line.spots]
        shorter = sum(len(_lines(length)) for length in range(4, len(contents)))
        found.append(shorter + _lines(len(contents)).index(min(_number(contents), _number(contents[::-1]))))
    first = sum(len(_lines(length)) for length in (4, 5, 6, 7))
    reserves = [min(position.hands[player].reserve, 18) for player in (side, other)]
    found.append(first + reserves[0] * 19 + reserves[1])
    counts = [
        min(5, sum(piece.kind == "gipf" and piece.side == player for piece in position.pieces.values()))
        for player in (side, other)
    ]
    found.append(first + 19 * 19 + counts[0] * 6 + counts[1])
    return sorted(found)


def _owner(position: Gipf, spot: Any, side: str) -> int:
    """Return 0 for an empty spot, 1 for a piece of `side`, 2 for one of the opponent."""
    piece = position.pieces.get(spot)
    return 0 if piece is None else 1 if piece.side == side else 2


@cache
def _lines(length: int) -> list[int]:
    """Return the numbers of the different lines of that length, ascending."""
    return sorted({min(_number(line), _number(line[::-1])) for line in product((0, 1, 2), repeat=length)})


def _number(contents: Sequence[int], base: int = 3) -> int:
    """Return the number with these digits, the lowest first."""
    return sum(digit * base**place for place, digit in enumerate(contents))


# ----------------------------------------------------------------------------------------------------- ZÈRTZ

CONTENTS = (OFF_BOARD, VACANT, "w", "g", "b")


def zertz_inputs(position: Zertz) -> list[int]:
    """Return the active inputs of a position, ascending."""
    cells, kinds = position.cells, _surroundings(5)
    found = []
    for ring, content in cells.items():
        around = [CONTENTS.index(cells.get(side, OFF_BOARD)) for side in SIDES[position.rings][ring]]
        found.append((CONTENTS.index(content) - 1) * len(kinds) + kinds.index(_least_image(around, 5)))
    first, most = 4 * len(kinds), {"w": 3, "g": 4, "b": 5}
    other: Any = 3 - position.player
    held = [
        {colour: min(position.captures[player][colour], limit) for colour, limit in most.items()}
        for player in (position.player, other)
    ]
    found += [first + 120 * i + mine["w"] + 4 * mine["g"] + 20 * mine["b"] for i, mine in enumerate(held)]
    first += 240
    for colour, limit in most.items():
        found.append(first + (limit + 1) * held[0][colour] + held[1][colour])
        first += (limit + 1) ** 2
    for number, colour in enumerate("wgb"):
        found.append(first + 11 * number + position.pool[colour])
    vacant = sum(content == VACANT for content in cells.values())
    return sorted([*found, first + 33 + min(vacant, 39), first + 73 + min(len(position._free()), 39)])


@cache
def _surroundings(contents: int) -> list[int]:
    """Return the numbers of the different surroundings of a place, ascending."""
    return sorted({_least_image(around, contents) for around in product(range(contents), repeat=6)})


def _least_image(around: Sequence[int], contents: int) -> int:
    """Return the least number of the six contents, read from any of them in either direction."""
    orders = [[*order[turn:], *order[:turn]] for order in (around, around[::-1]) for turn in range(6)]
    return min(_number(order, contents) for order in orders)


INPUTS = {"dvonn": dvonn_inputs, "gipf": gipf_inputs, "zertz": zertz_inputs}  # by game
