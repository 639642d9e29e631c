"""Reviews of whole games: `tengen analyze FILE.sgf`."""
