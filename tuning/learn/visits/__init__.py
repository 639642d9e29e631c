"""Learning from Monte-Carlo searches: games with the visits of every search, and nets that see boards."""
