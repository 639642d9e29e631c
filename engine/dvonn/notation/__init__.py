"""Texts of DVONN: positions, turns and records."""
