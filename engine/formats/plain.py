"""Games of five in a row without set-up, which is all that the other formats can hold."""

from __future__ import annotations

from tengen.engine.errors import NotationError
from tengen.engine.sgf import Record


def require_plain(record: Record) -> None:
    """Raise NotationError unless both sides took turns from the empty board, in five in a row."""
    if not record.spec.game.five_in_a_row:
        raise NotationError(f"record: expected five in a row for this format, got {record.spec}")
    alternating = [number % 2 for number in range(len(record.turns))]
    if record.start is not None or [side for side, _ in record.turns] != alternating:
        raise NotationError("record: expected turns of both sides from the empty board, got set-up")
