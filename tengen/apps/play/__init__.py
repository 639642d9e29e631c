"""``tengen play``: a person against the engine in the terminal."""
