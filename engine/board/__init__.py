"""Grids of hexagonal and square boards, their pictures, and the code that square boards share."""
