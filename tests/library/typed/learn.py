"""Arrays, batches, a search with a net, environments, matches."""

import numpy as np
from numpy.typing import NDArray

import tengen


def evaluate(
    observations: NDArray[np.float32], masks: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Know nothing."""
    return np.zeros(masks.shape, np.float32), np.zeros(len(observations), np.float32)


batch = tengen.Batch("gomoku,size=9", games=4, seed=1)
batch.step(batch.sample())
search = tengen.GuidedSearch("gomoku,size=9", evaluate, batch_size=8)
found = search.run(batch.position(0), simulations=20)
many: list[tengen.GuidedResult | None] = search.run_many(batch, simulations=20)
share: float = float(found.policy.max()) + found.value
result = tengen.match("greedy", "random", game="gomoku,size=7", games=2, limit=0.1, seed=3, max_turns=60)
print(result.elo.low, result.pentanomial, [record.main_line() for record in result.records()])
state = tengen.openspiel("gomoku,size=7").new_initial_state()
returns: list[float] = state.returns()
observation, info = tengen.gymnasium("gomoku,size=7", side="white").reset(seed=1)
print(tengen.pettingzoo("gomoku,size=7").position.legal_turns[0])
