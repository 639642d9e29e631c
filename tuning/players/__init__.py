"""Players of matches: the engine itself, baselines, and external engines."""
