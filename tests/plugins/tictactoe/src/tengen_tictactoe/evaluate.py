"""What a position of tic-tac-toe is worth: nobody can tell without looking ahead."""

import numpy as np

from tengen.engine.jit import kernel


@kernel
def evaluate(s):
    """Return 0 (int64)."""
    return np.int64(0)
