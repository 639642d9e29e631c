"""Texts of Go: positions, turns and records."""
