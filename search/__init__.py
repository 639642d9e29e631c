"""Searches, written once against what a rules module offers; they report by callbacks, never print."""
