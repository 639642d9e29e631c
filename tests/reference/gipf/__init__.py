"""GIPF, literally: pieces on named spots, and a turn as every sequence of choices that the rules leave."""

from .position import Gipf

__all__ = ["Gipf"]
