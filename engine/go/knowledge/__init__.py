"""Learned knowledge of good moves: patterns and tactical features, their strengths, priors of the search."""
