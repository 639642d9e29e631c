"""What every game is held against, and its data: perft counts, golden games, bad input."""
