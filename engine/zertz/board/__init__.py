"""Kernels that the rules of ZÈRTZ are made of: moves, jumps, isolated groups, threats."""
