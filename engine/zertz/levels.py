"""Levels of play (`search.levels`): depth, positions, turns scored, temperature, solvers, share noticed."""

# Fewer than 20,000 positions score only a few of the hundreds of turns: the temperature then has no effect.
# Of two thousand turns most are sound, and weak play is to overlook nearly all: that spreads the levels.
LEVELS = (
    (1, 20_000, 60, 1.5, 0, 0.006),
    (1, 20_000, 60, 0.7, 0, 0.025),
    (1, 20_000, 40, 0.5, 0, 0.06),
    (1, 20_000, 30, 0.35, 0, 0.2),
    (1, 20_000, 24, 0.33, 0, 0.5),
    (1, 20_000, 14, 0.33, 0),
    (2, 20_000, 8, 0.15, 0),
    (3, 20_000, 4, 0.08, 0),
    (0, 20_000, 2, 0.05, 1),
    (0, 29_000, 2, 0.045, 1),
    (0, 42_000, 2, 0.04, 1),
    (0, 50_000, 2, 0.04, 1),
    (0, 65_000, 2, 0.03, 2),
    (0, 87_000, 2, 0.03, 2),
    (0, 115_000, 2, 0.025, 2),
    (0, 155_000, 2, 0.02, 2),
    (0, 250_000, 2, 0.02, 2),
    (0, 390_000, 2, 0.02, 2),
    (0, 600_000, 2, 0.02, 2),
)
# As docs/levels.md tells: of the basic game, levels 2 to 19 by a tournament, the last estimated.
ELO = (
    600, 708, 716, 724, 818, 913, 948, 956, 1009, 1067, 1138, 1187, 1250, 1335, 1363, 1405, 1439,
    1475, 1510, 1590
)  # fmt: skip
