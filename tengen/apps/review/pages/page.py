"""A review as one page of HTML: boards to click through, a graph, the mistakes and the better lines.

The page needs nothing from outside. Boards share most of their elements: each element is stored once.
"""

import html
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tengen.apps.review.annotation import FIRST_SIDE, better_line, comment, overview, value_after
from tengen.apps.review.assessment import JudgedMove, Review, ReviewedVariation
from tengen.apps.review.pages.diagram import BETTER, PLAYED, with_turn
from tengen.apps.review.reasons import reasons
from tengen.engine.errors import OptionError, quoted
from tengen.engine.notation import shown, shown_picture
from tengen.engine.play.position import Position
from tengen.engine.sgf import Record
from tengen.engine.storage.files import replace_file
from tengen.protocol.archive import players
from tengen.protocol.arguments import require_target

MAX_LINE = 8  # turns shown of a better line
SUFFIXES = (".html", ".htm")
STATIC = Path(__file__).with_name("static")
BUILD = re.compile(r" \([^()]*\([0-9a-f]+-[0-9a-f]+\)\)")  # of a version that played, after its name


class Boards:
    """Boards as lists of numbers of their elements, each of which is kept once."""

    def __init__(self) -> None:
        self.elements: dict[str, int] = {}

    def add(self, position: Position, played: str = "", better: str = "") -> list[int]:
        """Return the board of `position` with the turns `played` and `better` marked."""
        picture = position.draw()
        for turn, colour in ((better, BETTER), (played, PLAYED)):
            picture = with_turn(picture, turn, colour)
        lines = shown_picture(position.spec, replace(picture, places=())).to_svg().splitlines()
        return [self.elements.setdefault(line, len(self.elements)) for line in lines]


def require(path: Path) -> None:
    """Raise OptionError unless a page can be written to this file."""
    if path.suffix.lower() not in SUFFIXES:
        raise OptionError(f"--html: expected a file named *.html, got {quoted(str(path), 200)}")
    require_target(path, "--html")


def write(path: Path, record: Record, review: Review, variations: Sequence[ReviewedVariation] = ()) -> None:
    """Write the page about a game and its variations to the file at `path`, which is replaced."""
    boards = Boards()
    rates = [round(100 * value.rate, 1) for value in review.values_for(FIRST_SIDE)]
    start = {"board": boards.add(review.positions[0].position), "text": overview(review), "line": []}
    data = {
        "side": review.spec.game.sides[FIRST_SIDE],
        "sides": review.spec.game.sides,
        "rates": rates,
        "turns": [start, *(_turn(boards, review, move) for move in review.moves)],
        "variations": [
            {
                "at": each.review.positions[0].number + 1,  # the turn that it replaces
                "title": each.title,
                "turns": [_turn(boards, each.review, move) for move in each.review.moves],
            }
            for each in variations
        ],
        "elements": list(boards.elements),
    }
    text = json.dumps(shown(review.spec, data), ensure_ascii=True).replace("<", "\\u003c")
    sides = record.spec.game.sides
    names = (name or side.capitalize() for (name, _), side in zip(players(record), sides, strict=True))
    title = " ".join(f"{BUILD.sub('', ' – '.join(names))}, {record.spec}".split())
    page = (STATIC / "page.html").read_text("utf-8").replace("{style}", style())
    page = page.replace("{title}", html.escape(title))
    replace_file(path, page.replace("{data}", text).encode())


def style() -> str:
    """Return the look of all pages about reviews."""
    return (STATIC / "report.css").read_text("utf-8").rstrip()


def _turn(boards: Boards, review: Review, move: JudgedMove) -> dict[str, Any]:
    """Return what the page shows of a turn."""
    better = move.before_value.best if move.mark else ""
    return {
        "name": f"{move.number}. {move.before.played}",
        "side": review.spec.game.sides[move.before.mover],
        "mark": move.mark,
        "loss": round(100 * (move.loss or 0)),
        "text": _said(review, move) if move.mark else comment(review, move),
        "board": boards.add(move.after.position, move.before.played),
        "line": _line(boards, move, better) if better else [],
    }


def _said(review: Review, move: JudgedMove) -> str:
    """Return a mistake in sentences: what it lost, what was better, and why."""
    side = review.spec.game.sides[move.before.mover].capitalize()
    error = f", give or take {100 * move.error:.0f}%" if move.error and round(100 * move.error) else ""
    lost = f"{side} lost {100 * (move.loss or 0):.0f}% here{error}. Better was {move.before_value.best}."
    return "\n".join([lost, *(reason.text for reason in reasons(move)), value_after(review, move)])


def _line(boards: Boards, move: JudgedMove, better: str) -> list[dict[str, Any]]:
    """Return the boards of a better line: the two turns side by side, then the line turn by turn."""
    found = [{"name": "before", "board": boards.add(move.before.position, move.before.played, better)}]
    for _, turn, position in better_line(move, MAX_LINE):
        found.append({"name": turn, "board": boards.add(position, "", turn)})
    return found
