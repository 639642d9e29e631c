"""Tests of matches, tournaments, players and ratings."""
