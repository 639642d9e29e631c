"""Levels of play (`search.levels`): simulations, turns scored, temperature."""

from __future__ import annotations

# Spaced by small tournaments on 9x9 (docs/levels.md); levels from 13 on were not played.
LEVELS = (
    (0, 8, 400, 8.0, 0),
    (0, 8, 400, 3.2, 0),
    (0, 8, 400, 2.2, 0),
    (0, 8, 400, 1.6, 0),
    (0, 40, 12, 0.5, 0),
    (0, 60, 10, 0.35, 0),
    (0, 90, 8, 0.3, 0),
    (0, 140, 8, 0.3, 0),
    (0, 210, 8, 0.3, 0),
    (0, 320, 8, 0.3, 0),
    (0, 480, 6, 0.3, 0),
    (0, 720, 6, 0.3, 0),
    (0, 1000, 6, 0.25, 0),
    (0, 1400, 6, 0.25, 0),
    (0, 1900, 5, 0.2, 0),
    (0, 2600, 5, 0.2, 0),
    (0, 3600, 4, 0.15, 0),
    (0, 5000, 4, 0.15, 0),
    (0, 8000, 3, 0.1, 0),
)
