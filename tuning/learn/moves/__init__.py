"""Move knowledge, learned from records of games: the strengths of the features of moves."""
