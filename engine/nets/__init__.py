"""Nets that tell what a position is worth: their shapes, and the kernels that run them."""
