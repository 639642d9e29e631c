"""Tests: `contract` and `rules` hold the games to account, `reference` has slow implementations of them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
