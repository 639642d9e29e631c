"""Gomocup's protocol, for five in a row."""
