"""Texts of ZÈRTZ: positions, turns and records."""
