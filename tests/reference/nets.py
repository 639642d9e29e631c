"""Nets in whole numbers, one multiplication after the other, and what the net of DVONN sees of a position.

Written from docs/nets.md, with the reference of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .dvonn import Dvonn, Space

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


def dvonn_inputs(position: Dvonn) -> list[int]:
    """Return the active inputs of a position of the second phase, ascending."""
    side = position.side
    other = "b" if side == "w" else "w"
    moves = {player: list(position._moves(player).values()) for player in (side, other)}
    distances = _distances(position)
    found = []
    for space, stack in position.stacks.items():
        neighbours = sum(near in position.stacks for near in space.neighbours())
        reaching = {
            player: min(2, sum(target == space for _, target in moves[player])) for player in (side, other)
        }
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


def _height_class(height: int, greatest: tuple[int, ...]) -> int:
    """Return the class of a height; `greatest` are the greatest heights of the classes but the last."""
    return sum(height > limit for limit in greatest)


def _distances(position: Dvonn) -> dict[Space, int]:
    """Return the spaces from each stack to the nearest DVONN piece over the board, at most 5."""
    from .dvonn import SPACES

    found = {space: 0 for space, stack in position.stacks.items() if stack.reds}
    frontier = list(found)
    for space in frontier:  # which grows
        for near in space.neighbours():
            if near in SPACES and near not in found:
                found[near] = found[space] + 1
                frontier.append(near)
    return {space: min(distance, 5) for space, distance in found.items()}
