"""Boards as tables, the wooden look of their pictures, and what games on square boards share."""
