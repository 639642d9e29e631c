"""Write the weights that learning begins with: ``python first_weights.py``."""

from pathlib import Path

import numpy as np

from tengen.engine.weights import Weights

table = np.array([[1000, 200, 50, 500]], np.int64)  # tenths of a centi-point
weights = Weights(
    "hex", ("missing", "bridges", "outside", "tempo"), ("all",), table, (200.0,), ({"by": "hand"},)
)
weights.save(Path(__file__).parent / "src" / "tengen_hex" / "weights.npz")
