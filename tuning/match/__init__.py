"""Matches and tournaments: pairings, openings, results on disk, statistics and ratings."""
