"""The rules of a game, for the page's panel."""

from __future__ import annotations

from typing import Any

from tengen.engine.games import find
from tengen.engine.play.position import Position
from tengen.engine.rulebook import Block, Kind, rulebook


def rules_of(name: str) -> dict[str, Any]:
    """Return the rules of a game: sections of blocks, with their boards drawn.

    Raises
    ------
    OptionError
        If the game is unknown, or has no page.
    """
    book = rulebook(find(name))
    sections = [
        {"heading": section.heading, "blocks": [_described(block) for block in section.blocks]}
        for section in book.sections
    ]
    return {"title": book.title, "sections": sections}


def _described(block: Block) -> dict[str, Any]:
    """Return a block for the page."""
    if block.kind != Kind.BOARD:
        return block.report()
    position = Position(block.spec, block.position or None)
    drawn = position.draw()
    return {**block.report(), "svg": drawn.to_svg()}
