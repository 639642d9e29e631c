"""Learning from games: self-play, its shards, the fit of weights, and books."""
