"""The net of Go in NumPy, convolution by convolution, written from docs/go-net.md; what it sees."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.reference.go.moves import OTHER, Knower, chase, choices, run_out
from tests.reference.go.rules import TERRITORY_RULES, Go, neighbours
from tests.reference.words import COLUMNS, STONES, Side

Numbers = Mapping[str, NDArray[Any]]
LONG = 6  # turns that a chain runs in a ladder of which the net is told


def planes(go: Go, last: str | None, before: str | None) -> list[NDArray[np.float64]]:
    """Return what the net may see of the board, shape (16, rows, columns); `last` and `before` are moves.

    There are several answers where a ladder can be read in several ways.
    """
    plain = _planes(go, last, before)
    return [_with_ladders(plain, go, readings) for readings in choices(_ladders(go))]


class Reading(NamedTuple):
    """What is told of a chain: how many liberties it is shown with, None for its own; planes of points."""

    chain: frozenset[str]
    shown: int | None
    marks: frozenset[tuple[int, str]]


def _ladders(go: Go) -> list[set[Reading]]:
    """Return how each chain with one or two liberties may be read."""
    here, own = Knower(go, None, None), STONES[go.side]
    found: list[set[Reading]] = []
    for chain in {*here.chains.values()}:
        stone, liberties = go.stones[min(chain)], sorted(here.liberties(chain))
        if len(liberties) == 1 and stone == own:
            caught = {turns >= LONG for turns in run_out(go, min(chain))}
            found.append(
                {Reading(chain, None, frozenset([(12, liberties[0])] if each else [])) for each in caught}
            )
        if len(liberties) == 2:
            attacking = here.by(OTHER[stone])
            lengths = [
                chase(attacking, at, min(chain)) if left == 2 else {int(left < 2)}
                for at, out in (liberties, liberties[::-1])
                for left in [here.extension(out, at, stone)]
            ]
            capture = 15 if stone == own else 13
            found.append({_reading(chain, liberties, each, capture) for each in choices(lengths)})
    return found


def _reading(chain: frozenset[str], liberties: list[str], lengths: list[int], capture: int) -> Reading:
    """Return what is told of a chain with two liberties, if ataris on them make it run so many turns."""
    marks = {(capture, at) for at, turns in zip(liberties, lengths, strict=True) if turns >= LONG}
    escapes = any(turns <= -LONG for turns in lengths) and max(lengths) <= 0
    return Reading(chain, 1 if marks else 3 if escapes else None, frozenset(marks))


def _with_ladders(plain: NDArray[np.float64], go: Go, readings: list[Reading]) -> NDArray[np.float64]:
    """Return planes with what is told of ladders."""
    seen, own = plain.copy(), STONES[go.side]
    for chain, shown, marks in readings:
        for plane, point in marks:
            seen[plane, int(point[1:]) - 1, COLUMNS.index(point[0])] = 1
        for point in chain if shown else ():
            first = 0 if go.stones[point] == own else 4
            y, x = int(point[1:]) - 1, COLUMNS.index(point[0])
            seen[first : first + 4, y, x] = 0
            seen[first + shown - 1, y, x] = 1
    return seen


def _planes(go: Go, last: str | None, before: str | None) -> NDArray[np.float64]:
    """Return the planes without what is told of ladders."""
    size, own, here = go.size, STONES[go.side], Knower(go, None, None)
    seen = np.zeros((16, size, size))
    seen[11] = 1
    for vertex in neighbours(size):
        x, y = COLUMNS.index(vertex[0]), int(vertex[1:]) - 1
        stone = go.stones.get(vertex)
        if stone:
            liberties = len(here.liberties(here.chains[vertex]))
            seen[(0 if stone == own else 4) + min(liberties, 4) - 1, y, x] = 1
            continue
        seen[8, y, x] = vertex == go.ban
        for plane, colour in ((12, own), (14, OTHER[own])):
            seen[plane, y, x] = len(here.liberties_after(vertex, colour)) < 2
            seen[plane + 1, y, x] = bool(here.captured(vertex, colour))
    for plane, move in ((9, last), (10, before)):  # a stone stands there, unless it has been taken
        if move:
            seen[plane, int(move[1:]) - 1, COLUMNS.index(move[0])] = 1
    return seen


def about(go: Go) -> NDArray[np.float64]:
    """Return the numbers about the position."""
    sign = -1 if go.side == "b" else 1
    sides: tuple[Side, Side] = ("b", "w") if go.side == "b" else ("w", "b")
    territory = go.rules in TERRITORY_RULES
    taken = go.prisoners[sides[0]] - go.prisoners[sides[1]] if territory else 0
    return np.array(
        [
            _limited(sign * float(go.komi)),
            float(territory),
            float(go.passes > 0),
            (go.size - 9) / 10,
            _limited(taken),
        ]
    )


def _limited(points: float) -> float:
    return max(-4.0, min(4.0, points / 10))


def run(numbers: Numbers, seen: NDArray[np.float64], told: NDArray[np.float64]) -> dict[str, Any]:
    """Return win logit, score, ownership and logits of points and pass for a position.

    For the `numbers` see `engine.nets.convolution.ConvolutionShape.numbers`, for what is `seen` and `told`
    `planes` and `about`.
    """
    n = {name: array.astype(np.float64) for name, array in numbers.items()}
    x = _relu(_convolved(seen, n["stem"], n["stem_bias"] + told @ n["stem_globals"]))
    for b in range(len(n["first"])):
        h = _relu(_convolved(x, n["first"][b], n["first_bias"][b]))
        if b % 2:
            h = h + (_pooled(h) @ n["pooled"][b // 2])[:, None, None]
        x = _relu(x + _convolved(h, n["second"][b], n["second_bias"][b]))
    summary = _pooled(x)
    points = x.transpose(1, 2, 0)
    p = _relu(points @ n["policy"][0] + n["policy_bias"] + summary @ n["policy_pooled"])
    v = _relu(np.concatenate([summary, told]) @ n["value"] + n["value_bias"])
    win, score = v @ n["value_output"] + n["value_output_bias"]
    return {
        "win": win,
        "score": score,
        "owners": np.tanh(points @ n["ownership"] + n["ownership_bias"]),
        "logits": p @ n["policy_output"],
        "passing": summary @ n["passing"] + n["passing_bias"][0],
    }


def _relu(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.maximum(x, 0)


def _pooled(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the means and maxima of all channels."""
    return np.concatenate([x.mean((1, 2)), x.max((1, 2))])


def _convolved(
    x: NDArray[np.float64], weights: NDArray[np.float64], bias: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the convolution of planes of shape (channels, rows, columns), with zeros beyond the edge."""
    _, rows, columns = x.shape
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    total = np.zeros((weights.shape[3], rows, columns)) + bias[:, None, None]
    for dy in range(3):
        for dx in range(3):
            part = padded[:, dy : dy + rows, dx : dx + columns]
            total += np.tensordot(weights[dy, dx], part, (0, 0))
    return total
