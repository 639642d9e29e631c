"""Subcommands that play and learn: matches, self-play, fits and books."""
