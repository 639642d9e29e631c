"""The rules of the games, one page each; `engine.rulebook` reads them."""
