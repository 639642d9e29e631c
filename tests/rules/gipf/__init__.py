"""The rulebooks' statements and worked examples about GIPF, on the reference and on the engine."""
