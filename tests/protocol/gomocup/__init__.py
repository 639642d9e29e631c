"""Gomocup's protocol where transcripts do not reach."""
