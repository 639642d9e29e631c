"""Applications: the command line, games in the terminal and the browser, reviews, puzzles."""
