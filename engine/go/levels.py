"""Levels of play (`search.levels`): simulations, turns scored, temperature, share noticed."""

# Rows 1 to 9 were spaced by tournaments on 9x9 with the net before; the others follow them (docs/levels.md).
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
    (0, 30, 10, 0.25, 0),
    (0, 45, 8, 0.18, 0),
    (0, 70, 8, 0.14, 0),
    (0, 110, 6, 0.12, 0),
    (0, 170, 6, 0.1, 0),
    (0, 270, 5, 0.1, 0),
    (0, 430, 5, 0.08, 0),
    (0, 700, 4, 0.08, 0),
    (0, 1100, 4, 0.06, 0),
    (0, 1800, 3, 0.05, 0),
)
# As docs/levels.md tells: by tournaments on 9x9 with earlier nets, and from 15 on estimated.
ELO = (
    600, 635, 774, 859, 1089, 1096, 1204, 1312, 1427, 1627, 1742, 1838, 1905, 1933, 1973, 2013,
    2053, 2093, 2133, 2223
)  # fmt: skip
