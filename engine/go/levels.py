"""Levels of play (`search.levels`): simulations, turns scored, temperature."""

from __future__ import annotations

# Spaced by small matches on 9x9 (docs/levels.md). No ladder has been played in full.
LEVELS = (
    (0, 8, 16, 4.0, 0),
    (0, 8, 16, 2.2, 0),
    (0, 16, 12, 1.2, 0),
    (0, 16, 12, 0.6, 0),
    (0, 32, 12, 0.5, 0),
    (0, 32, 10, 0.4, 0),
    (0, 64, 8, 0.3, 0),
    (0, 100, 8, 0.3, 0),
    (0, 150, 8, 0.3, 0),
    (0, 200, 8, 0.3, 0),
    (0, 250, 8, 0.3, 0),
    (0, 300, 6, 0.3, 0),
    (0, 400, 6, 0.3, 0),
    (0, 600, 6, 0.3, 0),
    (0, 800, 5, 0.25, 0),
    (0, 1200, 5, 0.2, 0),
    (0, 1600, 4, 0.2, 0),
    (0, 2400, 4, 0.15, 0),
    (0, 4000, 3, 0.1, 0),
)
