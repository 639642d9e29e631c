"""Tests of self-play and the fit of weights."""
