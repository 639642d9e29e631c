"""Players that are other programs, whatever protocol they speak."""
