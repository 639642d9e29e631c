"""Turns that a search leaves out below its root (`Limit.restrictions`), in games whose turns are one action.

What is known of a position then depends on how many restricted turns are to follow. Alpha-beta keeps it in
its table under keys that say so.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from tengen.engine.jit import kernel
from tengen.engine.play.position import Position
from tengen.search.limits.limit import Restriction

_MIX = np.uint64(0x9E3779B97F4A7C15)


def fields(actions: int) -> list[tuple[Any, ...]]:
    """Return the fields of a search's record that concern restrictions, in a game with `actions` actions."""
    return [
        ("free_from", "i4", (2, actions)),  # by side and action: turns from the root, permitted from there on
        ("restricted", "i8"),  # turns from the root, the first of all lines, that may be restricted
        ("restriction_salt", "u8"),  # a hash of `free_from`
    ]


def set_up(record: Any, position: Position, restrictions: Sequence[Restriction]) -> None:
    """Set the `fields` of a search's record, which are 0 as they come; `position` is the root.

    In games whose turns may be several actions nothing is restricted.
    """
    if not (restrictions and position.spec.game.can_restrict):
        return
    free_from, read = record["free_from"], position.spec.game.text.parse_action
    for restriction in restrictions:
        actions = [read(position.state, text) for text in restriction.turns]
        chosen = np.isin(np.arange(free_from.shape[1]), actions) != restriction.only_these
        side = free_from[restriction.side]
        side[chosen] = np.maximum(side[chosen], restriction.depth)
    record["restricted"] = max(restriction.depth for restriction in restrictions)
    digest = hashlib.blake2b(free_from.tobytes(), digest_size=8).digest()
    record["restriction_salt"] = int.from_bytes(digest, "little")


@kernel
def are_restricted(t, turns):
    """Return whether turns `turns` below the root are restricted by ``t.free_from``; never those of it."""
    return 0 < turns < t.restricted


@kernel
def keep_permitted(t, actions, n, side, turns):
    """Move those of the `n` first `actions` to the front that `side` may play; return their number (int64).

    Parameters
    ----------
    t : record with `fields`
    actions : int32 array
    n : int64
    side : int8
    turns : int64
        Turns from the root.
    """
    kept = np.int64(0)
    for i in range(n):
        if t.free_from[side, actions[i]] <= turns:
            actions[kept] = actions[i]
            kept += 1
    return kept


@kernel
def table_key(t, key, turns):
    """Return the key (uint64) under which the table has a position, `turns` from the root.

    Parameters
    ----------
    t : record with `fields`
    key : uint64
        Its Zobrist key.
    turns : int64
    """
    if turns >= t.restricted:
        return key
    return key ^ ((t.restriction_salt + np.uint64(turns)) * _MIX)
