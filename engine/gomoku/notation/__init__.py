"""Texts of Gomoku: positions, turns and records."""
