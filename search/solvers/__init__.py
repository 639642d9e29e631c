"""Solvers: wins by threats, and endgames."""
