"""Subcommands that play and learn: matches, self-play and fits."""
