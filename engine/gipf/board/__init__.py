"""Kernels that the rules of GIPF are made of: pushes, rows, potentials, complete turns."""
