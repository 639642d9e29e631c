"""A convolutional net learns from games first, and then teaches the pattern net of a game."""
