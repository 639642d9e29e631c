"""The players of a game: people, and the engine at a level."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.engine.errors import quoted
from tengen.protocol.archive import ENGINE_NAME, ENGINE_PLAYER, PERSON, level_of_rank, rank_of
from tengen.protocol.errors import CommandError
from tengen.search.limits.limit import MAX_LEVEL, Clock, Limit

ENGINE = "engine"
TURN_SECONDS = 2.0  # of a turn at full strength without a clock
KINDS = (PERSON, ENGINE)


@dataclass
class Seat:
    """One of the two players.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    level : int
        Of the engine.
    name : str
        Of a person, or of a player of the record.
    """

    kind: str = PERSON
    level: int = MAX_LEVEL
    name: str = ""

    @classmethod
    def parse(cls, data: object) -> Seat:
        """Return the player that a message describes.

        Raises
        ------
        CommandError
            If it is malformed.
        """
        fields = data if isinstance(data, dict) else {}
        kind, level, name = fields.get("kind"), fields.get("level", MAX_LEVEL), fields.get("name", "")
        if kind not in KINDS or type(level) is not int or not 1 <= level <= MAX_LEVEL:
            expected = f"expected {' or '.join(KINDS)} with a level from 1 to {MAX_LEVEL}"
            raise CommandError(f"player: {expected}, got {quoted(str(data), 80)}")
        return cls(str(kind), level, str(name)[:40])

    def limits(self, clock: Clock | None = None) -> Limit:
        """Return the limits of a turn of the engine; below full strength its level bounds the effort."""
        time = TURN_SECONDS if clock is None and self.level == MAX_LEVEL else None
        return Limit(time=time, clock=clock, level=self.level)

    @property
    def title(self) -> str:
        """The name for records."""
        return ENGINE_PLAYER if self.kind == ENGINE else self.name or PERSON

    @property
    def rank(self) -> str:
        """The rank for records; empty for a person, and for an engine at full strength."""
        return rank_of(self.level) if self.kind == ENGINE and self.level < MAX_LEVEL else ""

    @classmethod
    def of_record(cls, name: str, rank: str) -> Seat:
        """Return the player that a record of a person's game names."""
        if name.startswith(ENGINE_NAME):
            return cls(ENGINE, level_of_rank(rank) or MAX_LEVEL)
        return cls(name=name[:40])
