"""Scores of Go: counting, agreeing about dead stones, and what passing is worth."""
