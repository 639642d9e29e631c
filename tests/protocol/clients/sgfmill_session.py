"""sgfmill, a library for SGF, reads records of tengen and writes one of its own.

usage: python sgfmill_session.py FOLDER WRITTEN READ...; prints a JSON object, and writes a record to WRITTEN.
"""

import json
import sys
from pathlib import Path

FOLDER, WRITTEN, *READ = sys.argv[1:]
sys.path.insert(0, FOLDER)

from sgfmill import sgf, sgf_moves  # noqa: E402


def describe(path: str) -> dict[str, object]:
    """Return what sgfmill finds in the record of a game of Go."""
    game = sgf.Sgf_game.from_bytes(Path(path).read_bytes())
    board, plays = sgf_moves.get_setup_and_moves(game)
    return {
        "size": game.get_size(),
        "komi": game.get_komi(),
        "winner": game.get_winner(),
        "handicap": game.get_handicap(),
        "players": [game.get_player_name("b"), game.get_player_name("w")],
        "set up": len(board.list_occupied_points()),
        "plays": [[color, list(point) if point else None] for color, point in plays],
        "comments": sum(node.has_property("C") for node in game.get_main_sequence()),
    }


def write() -> None:
    """Write a handicap game with a variation and a comment, in Latin-1."""
    game = sgf.Sgf_game(size=9, encoding="ISO-8859-1")
    root = game.get_root()
    root.set("KM", 0.5)
    root.set("HA", 2)
    root.set("PB", "Zoë")
    root.set_setup_stones([(2, 2), (6, 6)], [])
    for color, point in (("w", (4, 4)), ("b", (4, 5)), ("w", None)):
        game.extend_main_sequence().set_move(color, point)
    root.new_child().set_move("w", (3, 3))
    game.get_last_node().set("C", "a pass [é] \\ :")
    Path(WRITTEN).write_bytes(game.serialise())


write()
print(json.dumps([describe(path) for path in READ]))
