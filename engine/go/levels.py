"""Levels of play (`search.levels`): simulations, turns scored, temperature, share noticed."""

from __future__ import annotations

# Rows 1 to 14 were spaced by tournaments on 9x9, the others follow them (docs/levels.md).
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
# As docs/levels.md tells: levels 2 to 9 and 11 to 14 by tournaments on 9x9, the others estimated.
ELO = (
    600, 635, 774, 859, 1089, 1096, 1204, 1312, 1427, 1627, 1742, 1838, 1905, 1933, 1973, 2013,
    2053, 2093, 2133, 2223
)  # fmt: skip
