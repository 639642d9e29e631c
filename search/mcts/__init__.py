"""Monte-Carlo tree search, its tree, and plain UCT as a baseline."""
