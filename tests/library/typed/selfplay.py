"""Self-play of a player of one's own, as a training set."""

import random

import numpy as np
from numpy.typing import NDArray

import tengen

generator = random.Random(1)


def mine(position: tengen.Position, limit: tengen.Limit) -> str:
    """Play at random."""
    return generator.choice(position.legal_turns)


result = tengen.match(mine, mine, game="gomoku,size=7", games=2, limit=tengen.Limit(nodes=1))
parts = [tengen.to_numpy(record) for record in result.records()]
learned: dict[str, NDArray[np.generic]] = {
    name: np.concatenate([part[name] for part in parts]) for name in parts[0]
}
vector = tengen.gymnasium("gomoku,size=7", games=8)
