"""Levels of play (`search.levels`): depth in actions, positions, turns scored, temperature, insight."""

from __future__ import annotations

# Spaced by small matches (docs/levels.md). No ladder has been played in full.
LEVELS = (
    (1, 4_000, 12, 1.2, 0),
    (1, 4_000, 10, 0.9, 0),
    (1, 4_000, 8, 0.65, 0),
    (1, 4_000, 8, 0.45, 0),
    (2, 8_000, 8, 0.5, 0),
    (2, 8_000, 8, 0.35, 0),
    (2, 8_000, 8, 0.25, 0),
    (3, 12_000, 6, 0.25, 1),
    (3, 12_000, 6, 0.18, 1),
    (4, 16_000, 6, 0.15, 1),
    (4, 16_000, 5, 0.1, 1),
    (5, 20_000, 4, 0.08, 1),
    (6, 30_000, 4, 0.07, 2),
    (0, 30_000, 4, 0.06, 2),
    (0, 40_000, 3, 0.05, 2),
    (0, 60_000, 3, 0.04, 2),
    (0, 80_000, 3, 0.03, 2),
    (0, 120_000, 2, 0.03, 2),
    (0, 200_000, 2, 0.02, 2),
)
ELO = tuple(range(600, 2600, 100))  # not measured
