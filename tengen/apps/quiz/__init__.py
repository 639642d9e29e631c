"""`tengen quiz`: one's own mistakes as puzzles in the terminal, asked again at growing intervals."""
