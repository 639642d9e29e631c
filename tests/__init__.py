"""Tests of the whole house; ``reference`` holds the slow implementations beside the kernels."""
