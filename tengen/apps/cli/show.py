"""Draw a position as text on stdout, and as SVG or PNG; or list the games of a file.

Of a record the last position is shown, or with --turn the one after turn N. --numbers writes the numbers of
the turns, or of the last K, where they end: into the cells of a square board, else below it and in drawings.
--list has a line for each game of a file: number, game, players, turns, result, date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine.errors import OptionError, printable
from tengen.engine.notation import edge, shown_picture
from tengen.engine.notation import shown as as_shown
from tengen.engine.storage.files import replace_file
from tengen.protocol.arguments import operand, option, positive_int, require_target, switch
from tengen.protocol.positions import PositionOptions, position_and_turns

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

Turns = list[tuple[int, str]]  # number and text of each

STDOUT = "-"
EXAMPLES = """examples:
  tengen show --game dvonn --moves 'a1 b1 c1'
  tengen show --game gomoku --moves 'H8 H9' --png board.png
  tengen show game.sgf --svg - > board.svg
  tengen show game.sgf --turn 30 --numbers 5
  tengen show problems.sgf --list
  tengen show problems.sgf#12"""
ALL = 0  # turns with numbers, of --numbers without K
MAX_TEXT = 30  # characters of a name in the list


@dataclass(frozen=True, kw_only=True)
class Arguments(PositionOptions):
    """The options of ``tengen show``."""

    records: Sequence[Path] = operand(
        "game record, instead of --game; FILE#3: its third game",
        "FILE.sgf",
        lambda text: [Path(text)],
        nargs="?",
        default=(),
    )
    numbers: int | None = option(
        "write the numbers of the turns, or of the last K, on the board",
        "K",
        positive_int,
        nargs="?",
        const=ALL,
    )
    list: bool = switch("list the games of the file")
    svg: str | None = option("write an SVG drawing (-: to stdout, instead of the text)", "FILE")
    png: str | None = option("write a PNG drawing (needs Pillow: the extra png)", "FILE")
    json: bool = switch("print a JSON object instead of the board")


def run(options: Arguments) -> int:
    """Print the position, and draw it if asked; or print the list."""
    options = options.prefer_typed("svg", "png")
    if options.svg is not None and options.png is not None:
        raise OptionError("--svg and --png exclude each other")
    if options.list:
        return list_games(
            options.refusing("--list and {} exclude each other", "turn", "numbers", "svg", "png")
        )
    if options.json and options.svg == STDOUT:
        raise OptionError("--json and --svg - exclude each other")
    if options.turn is not None and not options.record:
        raise OptionError("--turn requires FILE.sgf")
    for name, path in (("--svg", options.svg), ("--png", options.png)):
        if path not in (None, STDOUT):
            require_target(Path(path), name, options.records)
    position, played = position_and_turns(options)
    turns = list(enumerate(played, 1))
    turns = turns[-options.numbers :] if options.numbers is not None else []
    _draw(position, turns, options)
    if options.svg == STDOUT:
        return 0
    print(json.dumps(summary(position)) if options.json else text(position, turns))
    return 0


def list_games(options: Arguments) -> int:
    """Print a line for each game of a file; return 2 if one cannot be read."""
    from tengen.engine.formats import files
    from tengen.protocol.archive import game_reports

    if not options.record:
        raise OptionError("--list requires FILE.sgf")
    listed = files.read_all(files.split_number(options.record)[0], options.game)
    failed = 0
    for report in game_reports(listed):
        number = report["number"]
        if "error" in report:
            failed += 1
            report["error"] = report["error"].removeprefix(f"game {number}: ")
        if options.json:
            print(json.dumps(report))
        else:
            turns = f"{report.pop('turns'):,} turns" if "turns" in report else ""
            cells = [
                printable(each, MAX_TEXT if name not in ("game", "error") else 300)
                for name, each in report.items()
                if each and name != "number"
            ]
            print(f"{number:>4}  {'  '.join([*cells[:1], *filter(None, [turns]), *cells[1:]])}")
    return 2 if failed else 0


def _draw(position: Position, turns: Turns, options: Arguments) -> None:
    """Write the drawing, if one is requested, with the numbers of `turns`."""
    if options.svg is None and options.png is None:
        return
    if options.png == STDOUT:
        raise OptionError("--png: expected a file (only --svg writes to stdout), got '-'")
    shown = position.current
    picture = position.draw()
    if turns:
        from tengen.apps.review.pages.diagram import with_numbers

        picture = with_numbers(picture, turns, _cells(shown, ".") if shown.spec.game.square else ())
    picture = shown_picture(position.spec, picture)
    if options.png is not None:
        picture.save_png(Path(options.png))
    elif options.svg == STDOUT:
        sys.stdout.write(picture.to_svg())
    elif options.svg is not None:
        replace_file(Path(options.svg), picture.to_svg().encode("ascii"))


def _cells(position: Position, symbols: str) -> dict[str, str]:
    """Return what stands on the points of a square board, as far as it is one of `symbols`, by vertex."""
    from tengen.engine.board.grids import vertex

    rows = position.text().split()[0].split("/")
    placed = {vertex(x, y): symbol for y, row in enumerate(reversed(rows)) for x, symbol in enumerate(row)}
    return {name: symbol for name, symbol in placed.items() if symbol in symbols}


def numbered_board(position: Position, turns: Turns) -> str:
    """Return the board with the numbers of turns: in its cells if it is square, else in a line below it."""
    from tengen.engine.board.grids import GTP_LETTERS, vertex

    shown = position.current
    if not shown.spec.game.square:
        listed = " ".join(f"{number}. {turn}" for number, turn in turns)
        return as_shown(position.spec, f"{position.board()}\n\n{listed}")
    cells, numbers = _cells(shown, ".XO"), {turn: number for number, turn in turns}
    width, size = len(str(max(numbers.values(), default=0))) + 2, int(shown.spec.values["size"])
    letters = "  " + "".join(f"{edge(position.spec, letter):>{width}}" for letter in GTP_LETTERS[:size])
    lines = [letters]
    for y in reversed(range(size)):
        names = [vertex(x, y) for x in range(size)]
        texts = [cells[name] + (str(numbers.get(name, "")) if cells[name] != "." else "") for name in names]
        lines.append(f"{y + 1:>2}" + "".join(f"{each:>{width}}" for each in texts) + f" {y + 1}")
    below = as_shown(position.spec, position.board().splitlines()[size + 2 :])
    return "\n".join([*lines, letters, *below])


def text(position: Position, turns: Turns | None = None) -> str:
    """Return the board, perhaps with numbers of `turns`, and below it text, side, challenge and outcome."""
    board = numbered_board(position, turns) if turns else as_shown(position.spec, position.board())
    return "\n".join([board, "", *(f"{name} {said}" for name, said in _described(position).items())])


def summary(position: Position) -> dict[str, Any]:
    """Return the position for JSON."""
    told = _described(position)
    return {"game": str(position.spec), **told, "turns": position.turns(), "played": position.turns_played}


def _described(position: Position) -> dict[str, str]:
    """Return what is told of a position; the outcome with the score, such as ``white W+4``."""
    winner = position.winner()
    return {
        "position": position.text(),
        "side": position.side,
        **({"challenge": position.challenge} if position.spec.challenge else {}),
        "outcome": f"{winner} {position.result()}" if winner else "ongoing",
        **({"reason": reason} if (reason := position.end_reason()) else {}),
    }
