"""Texts of GIPF: positions, turns and records."""
