"""Playouts of Go, and what guides them: patterns, ladders, move priors; dead stones by playouts."""
