"""Tests with real clients, where they are installed: GNU Go, Sabaki, KaTrain, pygomo, sgfmill."""
