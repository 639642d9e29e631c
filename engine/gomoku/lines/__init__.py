"""Kernels that the rules of Gomoku are made of: stones on lines, patterns, threats, forbidden points."""
