"""Training sets: records as arrays, many games searched together."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tengen


def rows(paths: list[Path]) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return what was seen and what was played in the games of files."""
    sets = [tengen.to_numpy(record) for path in paths for record in tengen.Record.read_all(path)]
    return (
        np.concatenate([arrays["observations"] for arrays in sets]),
        np.concatenate([arrays["actions"] for arrays in sets]),
    )


def ignorant(
    observations: NDArray[np.float32], masks: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Know nothing."""
    return np.zeros(masks.shape, np.float32), np.zeros(len(observations), np.float32)


games = [tengen.Position("gomoku,size=7") for _ in range(4)]
search = tengen.GuidedSearch("gomoku,size=7", ignorant, noise=(0.3, 0.25))
random = np.random.default_rng(1)
for position, found in zip(games, search.run_many(games, simulations=20), strict=True):
    if found:
        position.step(found.sample(random, temperature=0.5))
        print(position.side, position.observation("black").shape)
record: tengen.Record = tengen.from_numpy("gomoku,size=7", [0, 1, 2])
lost: list[str] = record.write("game.sgf")
