"""Engines: tengen's own search, other programs, and matches between them."""
