"""Playouts of Go, and what guides them: patterns and ladders; ownership by playouts."""
