"""Tests of the whole house; ``tests/reference`` holds the slow implementations that kernels are held against."""
