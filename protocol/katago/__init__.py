"""KataGo's analysis engine: JSON queries in, JSON analyses out."""
