"""A page of HTML about many reviewed games: the games of each player, their losses, the worst turns."""

import html
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tengen.apps.review.assessment import MISTAKES, ReviewSummary
from tengen.apps.review.pages.page import style
from tengen.engine.storage.files import replace_file
from tengen.protocol.archive import result_path

PAGE = ".analyzed.html"  # what the page about a game is called
WORST = 20  # turns that are listed of a player
PHASES = ("first third", "second third", "last third")  # of the turns of a game
BAR, HEIGHT, FULL = 18, 90, 0.2  # width of a bar, height of the graph, and the mean loss that fills it


@dataclass(frozen=True)
class ReviewedSide:
    """How one side has played, in one game or in several."""

    file: str
    side: str
    player: str  # empty if it is unknown
    summary: ReviewSummary
    date: str = ""  # of the game; empty if it is unknown
    turns: tuple[dict[str, Any], ...] = ()  # the side's own turns, as in the lines of ``analyze --json``

    def link(self, folder: Path, turn: int | None = None) -> str:
        """Return a link to the page about the game, seen from `folder`, perhaps at a turn."""
        file = Path(self.file)
        address = quote(Path(os.path.relpath(result_path(file, PAGE), folder)).as_posix())
        at, said = ("", "") if turn is None else (f"#{turn}", f", turn {turn}")
        return f'<a href="{address}{at}">{html.escape(file.name)}{said}</a>'


def write(path: Path, sides: Sequence[ReviewedSide]) -> None:
    """Write the page to the file at `path`, which is replaced."""
    names = list(dict.fromkeys(side.player for side in sides if side.player))
    names.sort(key=lambda name: -sum(side.player == name for side in sides))
    parts = [_games("All games", sides, path.parent)]
    for name in names:
        own = sorted((side for side in sides if side.player == name), key=lambda side: (side.date, side.file))
        parts += _player(name, own, path.parent)
    body = "\n".join(parts)
    replace_file(
        path,
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Reviewed games</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{style()}\n</style></head>\n"
        f"<body>\n<h1>Reviewed games</h1>\n{body}\n</body></html>\n".encode(),
    )


def _player(name: str, own: Sequence[ReviewedSide], folder: Path) -> Iterator[str]:
    """Yield the part of the page about a player."""
    yield f"<h2>{html.escape(name)}</h2>"
    yield _games(f"{len(own)} {'game' if len(own) == 1 else 'games'}", own, folder)
    if len(own) > 1:
        yield f"<h3>Mean loss by game</h3>\n{_graph(own)}"
    yield f"<h3>Mean loss by phase</h3>\n{_phases(own)}"
    if kinds := Counter(
        reason["kind"] for side in own for turn in side.turns for reason in turn.get("reasons", ())
    ):
        rows = [[kind, str(number)] for kind, number in kinds.most_common()]
        yield f"<h3>Why turns lost</h3>\n{_table(['reason', 'turns'], rows, {1})}"
    if any(turn.get("mark") for side in own for turn in side.turns):
        yield f"<h3>The worst turns</h3>\n{_worst(own, folder)}"


def _games(title: str, sides: Sequence[ReviewedSide], folder: Path) -> str:
    """Return the table of games, with links to their pages, and a sum."""
    head = ["game", "date", "side", "player", "turns", "mean loss", *MISTAKES, "as the engine"]
    rows = []
    for side in sides:
        turns, loss, *others = side.summary.cells
        names = [side.link(folder), html.escape(side.date), side.side, html.escape(side.player)]
        rows.append([*names, turns, f"{loss}%", *others])
    return f"<h3>{title}</h3>\n{_table(head, rows, set(range(4, len(head))))}"


def _graph(own: Sequence[ReviewedSide]) -> str:
    """Return a bar for the mean loss of each game, in order of their dates."""
    bars = []
    for number, side in enumerate(own):
        height = HEIGHT * min(1.0, side.summary.loss / FULL)
        title = html.escape(f"{Path(side.file).name} {side.date}: {100 * side.summary.loss:.1f}%")
        bars.append(
            f'<rect x="{BAR * number + 2}" y="{HEIGHT - height:.1f}" width="{BAR - 4}" height="{height:.1f}">'
            f"<title>{title}</title></rect>"
        )
    width = BAR * len(own)
    return (
        f'<svg class="bars" width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" role="img" '
        f'aria-label="mean loss by game; the full height is {100 * FULL:.0f}%">{"".join(bars)}</svg>'
    )


def _phases(own: Sequence[ReviewedSide]) -> str:
    """Return the mean loss in each third of the games."""
    losses: list[list[float]] = [[] for _ in PHASES]
    for side in own:
        length = max((turn["turn"] for turn in side.turns), default=1)
        for turn in side.turns:
            if turn.get("loss") is not None:
                losses[min(len(PHASES) - 1, len(PHASES) * (turn["turn"] - 1) // length)].append(turn["loss"])
    means = [f"{100 * sum(found) / len(found):.1f}%" if found else "-" for found in losses]
    return _table(list(PHASES), [means], set(range(len(PHASES))))


def _worst(own: Sequence[ReviewedSide], folder: Path) -> str:
    """Return the table of the turns that lost most."""
    marked = [(turn["loss"], side, turn) for side in own for turn in side.turns if turn.get("mark")]
    marked.sort(key=lambda found: -found[0])
    rows = [
        [
            side.link(folder, turn["turn"]),
            f"{html.escape(turn['played'])} {turn['mark']}",
            f"{100 * loss:.1f}%",
            html.escape(turn["best"]),
            html.escape("; ".join(reason["text"] for reason in turn.get("reasons", ()))),
        ]
        for loss, side, turn in marked[:WORST]
    ]
    return _table(["game", "played", "loss", "better", "why"], rows, {2})


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int]) -> str:
    """Return a table; cells are HTML, the columns `numbers` are aligned to the right."""

    def row(cells: Sequence[str], name: str) -> str:
        made = (
            f"<{name}{' class=n' if place in numbers else ''}>{cell}</{name}>"
            for place, cell in enumerate(cells)
        )
        return f"<tr>{''.join(made)}</tr>"

    return "\n".join(["<table>", row(head, "th"), *(row(cells, "td") for cells in rows), "</table>"])
