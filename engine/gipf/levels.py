"""Levels of play (`search.levels`): depth in actions, positions, turns scored, temperature, insight."""

from __future__ import annotations

# Spaced by small matches (docs/levels.md). No ladder has been played in full.
LEVELS = (
    (1, 4_000, 12, 3.5, 0),
    (1, 4_000, 12, 2.8, 0),
    (1, 4_000, 12, 2.3, 0),
    (1, 4_000, 12, 1.9, 0),
    (1, 4_000, 12, 1.5, 0),
    (1, 4_000, 12, 1.15, 0),
    (1, 4_000, 12, 0.8, 0),
    (1, 4_000, 12, 0.6, 0),
    (1, 4_000, 12, 0.45, 0),
    (1, 4_000, 12, 0.25, 0),
    (1, 4_000, 12, 0.1, 0),
    (2, 8_000, 8, 0.3, 0),
    (2, 8_000, 8, 0.15, 0),
    (2, 8_000, 6, 0.06, 0),
    (3, 12_000, 6, 0.1, 1),
    (3, 16_000, 5, 0.05, 1),
    (4, 30_000, 4, 0.05, 2),
    (0, 60_000, 3, 0.04, 2),
    (0, 120_000, 2, 0.03, 2),
)
ELO = tuple(range(600, 2600, 100))  # not measured
