"""Learning by self-play of a convolutional net: games and training share a device."""
