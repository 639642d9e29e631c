"""The pictures of the rules: ``python -m tests.tools.pictures`` draws all of ``docs/rules/pictures``."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tengen.engine import games
from tengen.engine.board.picture import GRAIN, Polyline
from tengen.engine.notation import shown_picture
from tengen.engine.play.position import Position
from tengen.engine.rulebook import Block, Kind, rulebook

SCALE = 0.55  # of the size in which `tengen show` draws


def drawings(name: str) -> Iterator[tuple[Path, str]]:
    """Yield the file and the SVG text of each picture on the page of a game."""
    page = rulebook(games.find(name))
    for section in page.sections:
        for block in section.blocks:
            if block.kind == Kind.BOARD and block.picture:
                yield page.folder / block.picture, drawing(block)


def drawing(block: Block) -> str:
    """Return the SVG text of a board, made smaller and without the grain of its wood, half of the file."""
    position = Position(block.spec, block.position or None)
    drawn = shown_picture(position.spec, position.draw())
    plain = (shape for shape in drawn.shapes if not (isinstance(shape, Polyline) and shape.stroke == GRAIN))
    picture = replace(drawn, shapes=tuple(plain))
    full = f'width="{picture.width}" height="{picture.height}"'
    small = f'width="{round(SCALE * picture.width)}" height="{round(SCALE * picture.height)}"'
    return str(picture.to_svg().replace(full, small, 1))


if __name__ == "__main__":
    for name in games.built_in():
        for path, svg in drawings(name):
            path.parent.mkdir(exist_ok=True)
            path.write_text(svg, "ascii")
