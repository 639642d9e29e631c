"""Tests of the repository itself: which way imports run, and that README and docs are right."""
