"""What a net of KataGo sees and says, from its descriptions of inputs (version 7) and layers, in NumPy."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.reference.go.life import OTHER, Grid, safe_chains
from tests.reference.go.moves import Knower, catches, is_caught
from tests.reference.go.rules import Go, neighbours
from tests.reference.words import COLUMNS, STONES, Stone

Array = NDArray[np.float64]
Layers = Mapping[str, Any]


def _index(go: Go, vertex: str) -> int:
    return (int(vertex[1:]) - 1) * go.size + COLUMNS.index(vertex[0])


def planes(game: Sequence[Go], moves: Sequence[str]) -> tuple[Array, set[int]]:
    """Return the planes of the last position of a game, and the points whose ladders can be read otherwise.

    `game` has the positions from the start on, `moves` the moves between them.
    """
    go = game[-1]
    own: Stone = STONES[go.side]
    here, seen = Knower(go, None, None), np.zeros((22, go.size**2))
    seen[0] = 1
    for vertex in neighbours(go.size):
        i, stone = _index(go, vertex), go.stones.get(vertex)
        if stone:
            seen[1 if stone == own else 2, i] = 1
            liberties = len(here.liberties(here.chains[vertex]))
            if liberties < 4:
                seen[2 + liberties, i] = 1
        seen[6, i] = vertex == go.ban
    for k, move in enumerate(reversed(moves[-5:])):
        if move != "pass":
            seen[9 + k, _index(go, move)] = 1
    unsure = set[int]()
    for k in range(3):
        caught, starts, open_ = _ladders(game[max(0, len(game) - 1 - k)], own)
        unsure |= open_
        seen[14 + k, list(caught)] = 1
        if k == 0:
            seen[17, list(starts)] = 1
    for vertex, stone in _area(go).items():
        seen[18 if stone == own else 19, _index(go, vertex)] = 1
    return seen, unsure


def _ladders(go: Go, own: Stone) -> tuple[set[int], set[int], set[int]]:
    """Return points of stones that ladders capture, points where these begin, and points to leave out."""
    here = Knower(go, None, None)
    caught, starts, unsure = set[int](), set[int](), set[int]()
    for chain in {*here.chains.values()}:
        stone, liberties = go.stones[min(chain)], here.liberties(chain)
        if len(liberties) > 2:
            continue
        if len(liberties) == 1:
            ways = {"": is_caught(here.by(stone), min(chain))}
        else:
            ways = {at: catches(here.by(OTHER[stone]), at, min(chain)) for at in liberties}
        if any(len(way) > 1 for way in ways.values()):
            unsure |= {_index(go, vertex) for vertex in (*chain, *liberties)}
            continue
        good = {at for at, way in ways.items() if True in way}
        if good:
            caught |= {_index(go, vertex) for vertex in chain}
        if stone != own:
            starts |= {_index(go, at) for at in good if at}
    return caught, starts, unsure


def _area(go: Go) -> dict[str, Stone]:
    """Return whose each point is: unconditional territory, else stones and what one side alone surrounds."""
    grid, found = Grid(go.size), dict[str, Stone]()
    for own, other in (("X", "O"), ("O", "X")):
        stones = {stone: grid.points(v for v, s in go.stones.items() if s == stone) for stone in ("X", "O")}
        safe = safe_chains(grid, stones[own], stones[other])
        for region in grid.parts(grid.all & ~stones[own]):
            beside = grid.around(region) & stones[own]
            inner = region & ~stones[other] & ~grid.around(stones[own])
            if beside and not beside & ~safe and inner.bit_count() < 2:
                found |= dict.fromkeys(grid.vertices(region), own)
    for region in grid.parts(grid.all & ~grid.points(go.stones)):
        colours = {go.stones[v] for v in grid.vertices(grid.around(region))}
        if len(colours) == 1:
            found = dict.fromkeys(grid.vertices(region), *colours) | found
    return {**go.stones, **found}


def numbers(go: Go, moves: Sequence[str]) -> Array:
    """Return the numbers about the position."""
    seen = np.zeros(19)
    for k, move in enumerate(reversed(moves[-5:])):
        seen[k] = move == "pass"
    komi = float(go.komi) * (-1 if go.side == "b" else 1)
    seen[5] = komi / 20
    seen[14] = go.passes > 0
    # Distance from the nearest komi with which the game can be drawn, and the one with which it cannot
    drawn = next(k for k in sorted(range(-60, 60), key=lambda k: abs(k - komi)) if (k - go.size) % 2 == 0)
    seen[18] = (
        komi - drawn if abs(komi - drawn) <= 0.5 else math.copysign(1 - abs(komi - drawn), komi - drawn)
    )
    return seen


def answer(layers: Layers, seen: Array, told: Array) -> dict[str, Any]:
    """Return policy logits, win rate, lead in points and owners of a position.

    For the `layers` see `tests.tuning.learning.teacher_file`; `seen` has the shape (planes, rows, columns).
    """
    x = _convolved(seen, layers["stem"]) + (told @ layers["globals"])[:, None, None]
    for block in layers["blocks"]:
        h = _active(x, block["before"])
        inner = _convolved(h, block["first"])
        if "pooled" in block:
            pooled = _pooled(_active(_convolved(h, block["seen"]), block["scale"]))
            inner = inner + (pooled @ block["pooled"])[:, None, None]
        x = x + _convolved(_active(inner, block["between"]), block["second"])
    x, policy, value = _active(x, layers["tip"]), layers["policy"], layers["value"]
    pooled = _pooled(_active(_convolved(x, policy["global"]), policy["scale"]))
    p = _active(_convolved(x, policy["points"]) + (pooled @ policy["biases"])[:, None, None], policy["after"])
    v = _active(_convolved(x, value["first"]), value["scale"])
    side = math.sqrt(v.shape[1] * v.shape[2]) - 14
    means = v.mean((1, 2))
    pooled_v = np.concatenate([means, means * side / 10, means * (side * side / 100 - 0.1)])
    h = np.maximum(pooled_v @ value["second"] + value["second_bias"], 0)
    logits = h @ value["third"] + value["third_bias"]
    chances = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    return {
        "policy": np.append(_convolved(p, policy["last"]).ravel(), pooled @ policy["passing"]),
        "win": chances[0] + chances[2] / 2,
        "lead": 20 * (h @ value["scores"] + value["scores_bias"])[2],
        "owners": np.tanh(_convolved(v, value["owners"])).ravel(),
    }


def _active(x: Array, norm: Mapping[str, Any]) -> Array:
    """Return relu of what is normalised by `norm`."""
    scaled = (x - norm["mean"][:, None, None]) / np.sqrt(norm["variance"] + norm["epsilon"])[:, None, None]
    return np.maximum(scaled * norm["scale"][:, None, None] + norm["bias"][:, None, None], 0)


def _pooled(x: Array) -> Array:
    means = x.mean((1, 2))
    return np.concatenate([means, means * (math.sqrt(x[0].size) - 14) / 10, x.max((1, 2))])


def _convolved(x: Array, weights: Array) -> Array:
    """Return a convolution by weights of shape (rows, columns, inputs, outputs), zero beyond the edge."""
    reach, (_, rows, columns) = len(weights) // 2, x.shape
    padded = np.pad(x, ((0, 0), (reach, reach), (reach, reach)))
    return sum(
        np.einsum("iyx,io->oyx", padded[:, y : y + rows, z : z + columns], weights[y, z])
        for y in range(len(weights))
        for z in range(len(weights))
    )
