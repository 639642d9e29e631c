"""A game in progress: positions, turns, challenges, and how people put them together."""

from tengen.engine.play.challenge import ChallengeGame as ChallengeGame
from tengen.engine.play.position import Position as Position
