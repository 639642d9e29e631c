"""A game in progress: positions, turns, challenges, and how people put them together."""
