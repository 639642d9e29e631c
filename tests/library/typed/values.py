"""Players of one's own: values for alpha-beta, other programs, and what goes wrong."""

import sys

import numpy as np
from numpy.typing import NDArray

import tengen


def material(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the difference of the first two planes, for the sides to move."""
    more: NDArray[np.float32] = (observations[:, 0] - observations[:, 1]).sum(axis=(1, 2), dtype=np.float32)
    values: NDArray[np.float32] = np.tanh(more / np.float32(len(masks[0])))
    return values


search = tengen.ValueSearch("dvonn", material)
try:
    with tengen.external([sys.executable, "-m", "tengen", "ugi"], "ugi", log=print) as program:
        names: list[str] = [option.name for option in program.declared_options]
        print(names, program.play(tengen.Position("dvonn"), tengen.Limit(depth=1)).turn)
except (tengen.EngineError, FileNotFoundError) as error:
    print(error)
clock = tengen.Limit(clock=tengen.Clock(60.0, 0.5))
outcome = tengen.match(search, "greedy", game="dvonn", games=2, limit=tengen.Limit(depth=1))
print(outcome, clock, tengen.Position("dvonn").outcome() is tengen.Outcome.ONGOING)
