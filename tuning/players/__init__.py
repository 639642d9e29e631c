"""Players of matches: the engine itself, baselines, and programs that speak a protocol."""
