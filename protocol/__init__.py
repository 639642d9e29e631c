"""Text protocols and the command line: the only part of the house that reads and prints."""
