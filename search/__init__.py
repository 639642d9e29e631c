"""Searches, written once against what a game's rules module offers; reports through callbacks and never prints."""
