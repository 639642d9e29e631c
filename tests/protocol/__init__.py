"""Tests of the protocols: transcripts, sessions, processes, fuzz."""
