"""Playing games with the engine and learning from them: matches, players, openings, statistics."""
