"""Life and death at the end of the game: unconditional life, local search, and playouts for the rest."""
