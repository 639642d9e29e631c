"""A game on the server: its tree, its players and clock, Swap2, the agreement at its end, its record."""
