"""The memory of one search thread, as kernels see it. Specialised with ``game``."""

from typing import TYPE_CHECKING

from tengen.engine.jit import record, specialise
from tengen.search.alphabeta import params
from tengen.search.limits import restrictions
from tengen.search.limits.limit import MAX_SAMPLE, MAX_SEARCHMOVES
from tengen.search.repetition import MAX_DRAWN

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.solvers import proof_numbers as proof_numbers
    from tengen.search.solvers import threats as threats
else:
    threats = specialise("tengen.search.solvers.threats", game) if hasattr(game, "generate_attacks") else None
    proof_numbers = specialise("tengen.search.solvers.proof_numbers", game) if game.PROOF_NUMBERS else None


MAX_PLY = 128  # actions from the root
VALUES = 1 << 14  # positions whose values are kept
CONTINUATION_BITS = 16  # of the hash of a pair of actions

THREAD = record(
    [
        ("stop", "u8"),  # address of the stop flag
        ("table", "u8"),  # address and mask of the table, age of this search
        ("mask", "u8"),
        ("age", "i8"),
        ("currently_searching", "u8"),  # address of `CurrentlySearching`; 0 when no other thread searches
        ("nodes", "i8"),  # positions visited
        ("node_limit", "i8"),  # stop there; 0 for no limit
        ("floor", "i8"),  # neither the flag nor the limit ends the search before so many positions
        ("stopped", "i8"),  # 1: the search was aborted, returned values are invalid
        ("deepest", "i8"),  # greatest ply reached
        ("repetition", "i8"),  # 1 where repetition draws
        ("cycle", "i8"),  # turns from the root to the position that the last value repeats, or `NO_CYCLE`
        ("drawn_count", "i8"),  # of `drawn`
        ("root_value", "i8"),  # value of ``pv[0]``, if there is one
        ("hint", "i8"),  # action to try first at the root, -1 for none
        ("excluded_count", "i8"),
        ("searchmoves_count", "i8"),
        *restrictions.fields(game.ACTIONS),
        ("turns", "i4", (MAX_PLY + 2,)),  # turns completed from the root, by ply
        ("killers", "i4", (MAX_PLY + 2, 2)),
        ("pv_length", "i4", (MAX_PLY + 2,)),
        ("history", "i4", (2, game.ACTIONS)),  # by side: how well an action has done at cut-offs
        ("played", "i4", (MAX_PLY + 2,)),  # by ply: the action that led there
        # By actions back from the last one: how well a pair of actions, by its hash, has done at cut-offs
        ("continuation", "i2", (max(1, game.CONTINUATIONS), 1 << CONTINUATION_BITS)),
        ("left_out", "i4", (MAX_PLY + 2,)),  # by ply: 1 more than the action that is not searched; 0: all are
        ("likeliest", "i4", (MAX_PLY + 2,)),  # by ply: greatest order of a quiet action or the hash move
        ("after_null_move", "i1", (MAX_PLY + 2,)),  # by ply: 1 right below a null move
        ("attacker", "i8"),  # side for which `search.solvers.threats` looks for a win
        ("threat_nodes", "i8"),  # actions that the threat search has tried
        ("threat_limit", "i8"),  # the threat search gives up there
        ("gave_up", "i8"),  # 1: the threat search has given up
        ("depth_limited", "i8"),  # 1: the threat search has cut off a line
        ("budget_limited", "i8"),  # 1: it has left out quiet threats beyond the budget
        ("leaf_threat_nodes", "i8"),  # actions that the threat search has tried at leaves
        ("params", params.RECORD),  # of the search
        ("weights", "i8", game.TABLE.shape),  # of the evaluation
        # Of positions, by hash of the key: the key's complement, and values (see `node.evaluate`)
        ("values", "u8", (VALUES, 2)),
        ("sample_size", "i8"),  # number of evaluated positions to keep, for self-play
        ("sample_ranks", "u8", (MAX_SAMPLE,)),
        ("disproved", "u8", (threats.SLOTS if threats else 1,)),  # positions without a win by threats
        # Of `search.solvers.proof_numbers`: its table
        ("proof_keys", "u8", (proof_numbers.SLOTS if proof_numbers else 1,)),
        ("proofs", "u8", (proof_numbers.SLOTS if proof_numbers else 1,)),
        ("line", "u8", (MAX_PLY + 2,)),  # keys of the positions that led here, by turns from the root
        ("drawn", "u8", (MAX_DRAWN,)),  # keys of positions that would occur in the game for the third time
        # From here on nothing is cleared for a new search, which writes before it reads
        ("net", game.NET.dtype),  # that corrects it
        ("stack", game.STATE, (MAX_PLY + 2,)),
        ("pv", "i4", (MAX_PLY + 2, MAX_PLY + 2)),  # by ply: the best actions found from there
        ("actions", "i4", (MAX_PLY + 2, game.MAX_ACTIONS)),
        ("order", "i4", (MAX_PLY + 2, game.MAX_ACTIONS)),
        ("excluded", "u8", (MAX_SEARCHMOVES,)),  # keys after root turns to leave out (multi-PV)
        ("searchmoves", "u8", (MAX_SEARCHMOVES,)),  # keys after the only root turns to search; all if none
        ("sample", game.STATE, (MAX_SAMPLE,)),
        # Of `search.solvers.proof_numbers`, by ply: the children's keys and first numbers
        ("child_keys", "u8", (MAX_PLY + 2, proof_numbers.CHILDREN if proof_numbers else 1)),
        ("child_firsts", "u1", (MAX_PLY + 2, proof_numbers.CHILDREN if proof_numbers else 1)),
    ],
    cache_lines=True,
)
assert THREAD.fields
CLEARED = THREAD.fields["net"][1]  # bytes that are zeros when a search begins
