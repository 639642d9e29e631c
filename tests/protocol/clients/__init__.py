"""Tests with GNU Go and Sabaki, where they are installed."""
