"""Tests of self-play, the fit of weights, and books."""
