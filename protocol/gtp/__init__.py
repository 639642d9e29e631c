"""The Go Text Protocol, version 2, for every game."""
