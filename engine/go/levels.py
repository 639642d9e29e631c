"""Levels of play (`search.levels`): simulations, turns scored, temperature, share noticed."""

from __future__ import annotations

# Rows 1 to 14 were spaced by tournaments on 9x9, the others follow them (docs/levels.md).
LEVELS = (
    (0, 30, 400, 0.6, 0, 0.05),
    (0, 30, 400, 0.6, 0, 0.06),
    (0, 30, 400, 0.6, 0, 0.075),
    (0, 30, 400, 0.6, 0, 0.095),
    (0, 30, 400, 0.6, 0, 0.12),
    (0, 30, 400, 0.6, 0, 0.16),
    (0, 30, 400, 0.6, 0, 0.24),
    (0, 30, 400, 0.6, 0, 0.45),
    (0, 40, 60, 0.5, 0),
    (0, 100, 10, 0.25, 0),
    (0, 220, 8, 0.18, 0),
    (0, 480, 8, 0.14, 0),
    (0, 1000, 6, 0.12, 0),
    (0, 1700, 6, 0.1, 0),
    (0, 2900, 5, 0.1, 0),
    (0, 5000, 5, 0.08, 0),
    (0, 8500, 4, 0.08, 0),
    (0, 14000, 4, 0.06, 0),
    (0, 24000, 3, 0.05, 0),
)
# As docs/levels.md tells: levels 2 to 14 by tournaments on 9x9, the others estimated.
ELO = (
    600, 805, 913, 1013, 1264, 1428, 1643, 1774, 1979, 2118, 2233, 2329, 2396, 2424, 2464,
    2504, 2544, 2584, 2624, 2714
)  # fmt: skip
