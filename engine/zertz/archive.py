"""Records of the public archive of ZÈRTZ games, translated into records as `engine.sgf` writes them.

The archive logs what the players did on the screen: marbles put on the board, moved and taken back, rings
removed and put back, until ``Done`` ends the turn. What such gestures come to is told in docs/zertz.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.errors import NotationError, TengenError, quoted
from engine.game import GameSpec, Outcome
from engine.position import Position
from engine.zertz.state import COLOURS, NAMES, RINGS

Node = dict[str, list[str]]  # the values of its properties, by name

BOARDS = {"zertz": 37, "zertz+11": 48, "zertz+24": 61}  # rings, by what SU says
BUILT = "zertz+xx"
OWN = {"GM", "VV", "CM", "SU", "RE", "TM", "C"}  # properties that are not handed on as they are
PLAYER = re.compile("P([01])")  # a player's properties; those of P-1, nobody, say who begins
ENTRY = re.compile(r"(?:([0-9]{1,9})\s+)?(\S+)\s*(.*)", re.DOTALL)

_RING, _POOL, _COLOUR = r"([A-Za-z])\s+([0-9]{1,3})", "[012]", "([012])"
GESTURES = {  # what follows the word
    "rtob": rf"{_POOL}\s+{_COLOUR}\s+{_RING}",
    "btob": rf"{_RING}\s+{_RING}",
    "btor": rf"{_RING}\s+{_POOL}",
    "rtor": r"([012])\s+[012]\s+([012])",
    "r-": _RING,
    "r+": _RING,
    "pass": "",
}
WITHOUT_EFFECT = {"swap", "offerdraw", "declinedraw", "pleaseundo", "dontundo", "nullmove", "peek"}
UNDONE = {"undo", "allowundo"}
OTHER = {"start", "edit", "done", "resign", "reset", "acceptdraw", "winontime", *UNDONE, *WITHOUT_EFFECT}


def translated(nodes: Sequence[Node]) -> list[Node]:
    """Return the record in `nodes`, the first one its root, as nodes that `engine.sgf` reads as its own.

    Left out are what follows the end of the game, and a last turn that was not finished. A turn that the
    rules refuse is kept: who replays the record is told.

    Raises
    ------
    NotationError
        When the board is none of this game's, or a gesture is unknown or makes no sense; names the move.
    """
    spec = _spec(nodes[0])
    log = Log(NAMES[RINGS.index(int(spec.values["rings"]))])
    for node in nodes:
        log.read(node)
    log.end()
    first = log.turns[0].player if log.turns else log.beginner
    position = _replayed(spec, log.turns, first)
    root = _root(nodes[0], spec, first, log, position)
    letters = [letter.upper() for letter in spec.game.letters]
    turns = [
        {letters[turn.player ^ first]: [turn.text], **({"C": turn.comments} if turn.comments else {})}
        for turn in log.turns
    ]
    return [root, *turns]


def _spec(root: Node) -> GameSpec:
    """Return the game that SU names: its board; marbles and claims are the same everywhere in the archive."""
    setup = " ".join(root.get("SU", [])).strip() or "Zertz"
    if setup.lower() == BUILT:
        raise NotationError(
            f"record: expected a board of {', '.join(map(str, RINGS))} rings, "
            f"got SU[{BUILT}], one that the players have built ring by ring"
        )
    if setup.lower() not in BOARDS:
        expected = ", ".join(f"SU[{name}]" for name in BOARDS)
        raise NotationError(f"record: expected {expected}, got {quoted(setup)}")
    return GameSpec.parse(f"zertz:tournament,isolation=auto,rings={BOARDS[setup.lower()]}")
