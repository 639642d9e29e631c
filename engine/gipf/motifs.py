"""Motifs of GIPF: rows that take pieces of the opponent."""

from collections.abc import Sequence
from typing import Any

from tengen.engine.gipf.board.turns import removed_spots
from tengen.engine.gipf.picture import GIPF_KIND, piece_on
from tengen.engine.gipf.rules import do_move
from tengen.engine.gipf.state import NAMES, REMOVE
from tengen.engine.play.motifs import Motif, counted, listed

GIPF_WORTH = 2  # basic pieces that make a GIPF-piece [G-8]


def motifs(s: Any, actions: Sequence[int]) -> list[Motif]:
    """Return what the turn made of `actions` does in state `s`."""
    me, after = int(s.side_to_move), s.copy()
    taken: dict[str, str] = {}
    for action in actions:
        for name in removed_spots(action) if action >= REMOVE else ():
            piece = piece_on(after, NAMES[name])
            if piece and piece.side != me:
                taken[name] = piece.kind
        do_move(after, action)
    if not taken:
        return []
    gipf = sum(kind == GIPF_KIND for kind in taken.values())
    special = f", {counted(gipf, 'GIPF-piece')} among them" if gipf else ""
    words = f"captures {counted(len(taken), 'piece')}{special}: {listed(taken)}"
    worth = len(taken) + (GIPF_WORTH - 1) * gipf
    return [Motif("capture", words, worth, tuple(taken))]
