"""Learning nets with PyTorch: those that correct linear evaluations, and those that see whole boards."""
