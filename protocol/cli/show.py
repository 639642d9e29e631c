"""Draw a position as text on stdout, and as SVG or PNG."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine.errors import OptionError
from tengen.engine.storage.files import replace_file
from tengen.protocol.common.options.arguments import add_game_arguments

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

STDOUT = "-"
EXAMPLES = """examples:
  tengen show --game dvonn --moves 'a1 b1 c1'
  tengen show --game gomoku --moves 'H8 H9' --png board.png
  tengen show game.sgf --svg - > board.svg"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen show``."""
    parser.epilog = EXAMPLES
    add_game_arguments(parser, file=True)
    drawing = parser.add_mutually_exclusive_group()
    drawing.add_argument(
        "--svg", metavar="FILE", help="write an SVG drawing (-: to stdout, instead of the text)"
    )
    drawing.add_argument("--png", metavar="FILE", help="write a PNG drawing (needs Pillow: the extra png)")
    parser.add_argument("--json", action="store_true", help="print a JSON object instead of the board")


def run(arguments: argparse.Namespace) -> int:
    """Print the position, and draw it if asked."""
    from tengen.protocol.common.options.arguments import position_of

    position = position_of(arguments)
    _draw(position, arguments)
    if arguments.svg == STDOUT:
        return 0
    print(json.dumps(summary(position)) if arguments.json else text(position))
    return 0


def _draw(position: Position, arguments: argparse.Namespace) -> None:
    """Write the drawing, if one is requested."""
    if arguments.svg is None and arguments.png is None:
        return
    if arguments.png == STDOUT:
        raise OptionError("--png: expected a file (only --svg writes to stdout), got '-'")
    shown = position.foreground
    picture = shown.spec.game.picture.draw(shown.state)
    if arguments.png is not None:
        picture.save_png(Path(arguments.png))
    elif arguments.svg == STDOUT:
        sys.stdout.write(picture.to_svg())
    else:
        replace_file(Path(arguments.svg), picture.to_svg().encode("ascii"))


def text(position: Position) -> str:
    """Return the board, and below it the position's text, the side to move, challenges and the outcome."""
    challenge = [f"challenge {position.challenge}"] if position.spec.challenge else []
    return "\n".join(
        [
            position.board(),
            "",
            f"position {position.text()}",
            f"side {position.side}",
            *challenge,
            f"outcome {_outcome(position)}",
            *([f"reason {reason}"] if (reason := position.end_reason()) else []),
        ]
    )


def summary(position: Position) -> dict[str, Any]:
    """Return the position for JSON."""
    return {
        "game": str(position.spec),
        "position": position.text(),
        "side": position.side,
        **({"challenge": position.challenge} if position.spec.challenge else {}),
        "outcome": _outcome(position),
        **({"reason": reason} if (reason := position.end_reason()) else {}),
        "turns": position.turns(),
        "played": position.turns_played,
    }


def _outcome(position: Position) -> str:
    """Return ``ongoing``, or the winner or ``draw`` and the score, such as ``white W+4``."""
    winner = position.winner()
    return f"{winner} {position.result()}" if winner else "ongoing"
