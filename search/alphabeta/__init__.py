"""Alpha-beta with its transposition table, iterative deepening and the endgame solver."""
