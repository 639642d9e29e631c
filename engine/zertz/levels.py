"""Levels of play (`search.levels`): depth in actions, positions, turns scored, temperature, insight."""

from __future__ import annotations

# Spaced by small matches (docs/levels.md). No ladder has been played in full. Fewer than 20,000 positions
# score only a few of the hundreds of turns, and the temperature then has no effect.
LEVELS = (
    (1, 20_000, 12, 3.0, 0),
    (1, 20_000, 12, 1.8, 0),
    (1, 20_000, 10, 1.0, 0),
    (1, 20_000, 8, 0.6, 0),
    (1, 20_000, 6, 0.3, 0),
    (1, 20_000, 6, 0.15, 0),
    (2, 20_000, 5, 0.15, 0),
    (2, 20_000, 4, 0.1, 0),
    (3, 20_000, 4, 0.1, 0),
    (3, 20_000, 3, 0.06, 0),
    (4, 20_000, 3, 0.05, 1),
    (0, 20_000, 2, 0.03, 1),
    (0, 30_000, 2, 0.03, 2),
    (0, 40_000, 2, 0.03, 2),
    (0, 50_000, 2, 0.03, 2),
    (0, 70_000, 2, 0.03, 2),
    (0, 90_000, 2, 0.02, 2),
    (0, 120_000, 2, 0.02, 2),
    (0, 160_000, 2, 0.02, 2),
)
ELO = tuple(range(600, 2600, 100))  # not measured
