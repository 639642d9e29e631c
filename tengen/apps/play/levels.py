"""Levels of the engine for a person: the next one, and the one that suits by the games kept."""

from __future__ import annotations

from tengen.apps.play.kept import readable
from tengen.engine.errors import OptionError, quoted
from tengen.engine.game import Game
from tengen.search.levels import next_level
from tengen.search.limits.limit import MAX_LEVEL

AUTO = "auto"
FIRST = 4  # for a person without games


def suitable_level(game: Game) -> int:
    """Return the level that suits the person: next to that of the last kept game of `game` with a winner."""
    for _, kept in readable():
        if kept.spec.game == game and kept.level is not None and kept.won is not None:
            return next_level(kept.level, kept.won)
    return FIRST


def chosen_level(text: str | None, game: Game) -> int | None:
    """Return the level that `text` names, `AUTO` for one that suits; None for full strength without a level.

    Raises
    ------
    OptionError
        When it names none.
    """
    if text is None:
        return None
    if text.lower() == AUTO:
        return suitable_level(game)
    if not text.isdecimal() or len(text) > 2 or not 1 <= int(text) <= MAX_LEVEL:
        raise OptionError(f"level: expected a number from 1 to {MAX_LEVEL} or {AUTO}, got {quoted(text)}")
    return int(text)
