"""Learning from games: self-play, its shards and the fit of weights."""
