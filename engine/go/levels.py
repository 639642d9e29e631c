"""Levels of play (`search.levels`): simulations, turns scored, temperature, share noticed."""

from __future__ import annotations

# Rows 10 to 14 were spaced by tournaments on 9x9, 1 to 9 by a few games between alike ones (docs/levels.md).
LEVELS = (
    (0, 30, 400, 0.6, 0, 0.05),
    (0, 30, 400, 0.6, 0, 0.065),
    (0, 30, 400, 0.6, 0, 0.085),
    (0, 30, 400, 0.6, 0, 0.11),
    (0, 30, 400, 0.6, 0, 0.135),
    (0, 30, 400, 0.6, 0, 0.165),
    (0, 30, 400, 0.6, 0, 0.2),
    (0, 30, 400, 0.6, 0, 0.26),
    (0, 30, 400, 0.6, 0, 0.4),
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
# As docs/levels.md tells: levels 10 to 14 by tournaments on 9x9, the others estimated.
ELO = (
    600, 750, 880, 1030, 1180, 1410, 1660, 1910, 2160, 2360, 2475, 2571, 2638, 2666, 2706, 2746,
    2786, 2826, 2866, 2956
)  # fmt: skip
