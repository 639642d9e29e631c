"""A local search for life and death, whether a chain can be captured.

The search is a depth-first proof-number search with a table. Only moves in a region count, see
`engine.go.life.region`. The defender may pass; an attacker who has no move has failed. A claim must hold
although the other side wins every ko: that side may retake a ko at once. Or nobody has ko threats. A
repetition counts against the side that makes the claim, unless the other side has retaken a ko at once since.

A captured chain may come back (snapback, under the stones): the attacker succeeds when no stone of the
defender stands on the points of the chain and the defender does not play there. A large chain that comes back
is neither captured nor saved for sure.

Source: Nagai, Df-pn algorithm for searching AND/OR trees and its applications (2002); Kishimoto and Müller,
Search versus knowledge for solving life and death problems in Go (2005).
"""

import numpy as np

from tengen.engine.go import board
from tengen.engine.go.life.benson import BENSON, NO_CHAIN, find_unconditional_life, forget
from tengen.engine.go.life.region import MAX_FOE_LIBERTIES, MAX_POINTS, choose_region
from tengen.engine.go.state import BOARD, EMPTY, KO_KEYS, NEIGHBOURS, NOWHERE, PASS, POINTS, SIDE_KEY
from tengen.engine.jit import StopFlag, is_stopped, kernel, record

MAX_DEPTH = 64
MAX_MOVES = MAX_POINTS + 1
TABLE = 1 << 15  # entries
PROBES = 8
INFINITE = 1 << 30
MIN_BURIED = 4  # stones of a captured chain on whose points an atari is tried afterwards

UNKNOWN, CAPTURED, SAVED = 0, 1, 2

SOLVER = record(
    [
        ("boards", BOARD, (MAX_DEPTH + 1,)),  # by depth
        ("keys", "u8", (MAX_DEPTH + 1,)),  # by depth: key of the node
        ("retaken", "u1", (MAX_DEPTH + 1,)),  # by depth: 1 if the last move has retaken a ko at once
        ("moves", "u2", (MAX_DEPTH + 1, MAX_MOVES)),
        ("children", "u8", (MAX_DEPTH + 1, MAX_MOVES)),  # keys; 0 for a repetition
        ("repeated", "u1", (MAX_DEPTH + 1, MAX_MOVES)),  # of a repetition: the result, else UNKNOWN
        ("count", "u4", (MAX_DEPTH + 1,)),  # of moves
        ("proof_limit", "i8", (MAX_DEPTH + 1,)),
        ("disproof_limit", "i8", (MAX_DEPTH + 1,)),
        ("table_keys", "u8", (TABLE,)),
        ("proof", "u4", (TABLE,)),
        ("disproof", "u4", (TABLE,)),
        ("safe", "u1", (POINTS,)),  # 1 for stones that are known to be alive
        ("points", "u2", (MAX_POINTS,)),  # the region
        ("inside", "u1", (POINTS,)),  # 1 for its points
        ("num_points", "u4"),
        ("num_empty", "u4"),
        ("truncated", "u4"),  # 1 if not all of the region is in `points`
        ("targets", "u2", (POINTS,)),  # the points of the chain in question
        ("num_targets", "u4"),
        ("mark", "u4", (POINTS,)),  # scratch
        ("marks", "u4"),
        ("liberty", "u8", (MAX_FOE_LIBERTIES + 1,)),
        ("benson", BENSON),
        ("threats", "u1"),  # 1 if the side against which a claim is made wins every ko
        ("nodes", "i8"),
        ("stop", "u8"),  # address of a word that ends a search when it is not 0
    ]
)

_0, _1, _3 = np.uint64(0), np.uint64(1), np.uint64(3)


def new_solver(stop: StopFlag) -> np.ndarray:
    """Return an array (1,) of SOLVER, ready for use. The caller keeps `stop`, which ends its searches."""
    solver = np.zeros(1, SOLVER)
    solver["stop"] = stop.address
    solver["benson"]["chain"] = NO_CHAIN
    return solver


def try_to_save(b: np.record, stone: int, most: int, budget: int) -> int:
    """Search whether the chain of `stone` lives if its owner moves first; return what `solve` does.

    CAPTURED holds although the owner wins every ko. The region has at most so many empty points, and the
    search at most `budget` nodes.
    """
    stop = StopFlag()
    w = new_solver(stop)[0]
    choose_region(b, w, np.uint64(stone), most)
    w.boards[0] = b
    return int(solve(w, np.uint64(b.stones[stone]), True, True, True, budget))


@kernel
def _look_up(w, key):
    """Return the slot (int64) of `key` in the table; -1 if it is not there."""
    for i in range(PROBES):
        slot = (np.int64(key & np.uint64(TABLE - 1)) + i) % TABLE
        if w.table_keys[slot] == key:
            return slot
        if w.table_keys[slot] == _0:
            return np.int64(-1)
    return np.int64(-1)


@kernel
def _store(w, key, proof, disproof):
    """Write the numbers of a node into the table, over the last probe if there is no room."""
    slot = np.int64(0)
    for i in range(PROBES):
        slot = (np.int64(key & np.uint64(TABLE - 1)) + i) % TABLE
        if w.table_keys[slot] == key or w.table_keys[slot] == _0:
            break
    w.table_keys[slot] = key
    w.proof[slot] = min(proof, INFINITE)
    w.disproof[slot] = min(disproof, INFINITE)


@kernel
def _stands(b, w, defender):
    """Return whether a stone of the defender stands on a point of the target."""
    stands = False
    for i in range(np.uint64(w.num_targets)):
        stands |= b.stones[np.uint64(w.targets[i])] == defender
    return stands


@kernel
def _reaches_safety(b, w, defender):
    """Return whether a target is connected with a safe stone, or with a point outside a truncated region."""
    w.marks += _1
    mark = np.uint64(w.marks)
    for i in range(np.uint64(w.num_targets)):
        first = np.uint64(w.targets[i])
        if b.stones[first] != defender or w.mark[first] == mark:
            continue
        p = first
        while True:
            w.mark[p] = mark
            if w.safe[p]:
                return True
            if w.truncated:
                for step in NEIGHBOURS:
                    if b.stones[p + step] == EMPTY and not w.inside[p + step]:
                        return True
            p = np.uint64(b.next_in_chain[p])
            if p == first:
                break
    return False


@kernel
def _is_unconditional(b, w, defender):
    """Return whether a target is unconditionally alive."""
    found = find_unconditional_life(b, w.benson, defender, w.points, np.int64(w.num_points), w.inside)
    alive = False
    if found:
        for i in range(np.uint64(w.num_targets)):
            p = np.uint64(w.targets[i])
            if b.stones[p] == defender:
                n = np.uint64(w.benson.chain[b.chain[p]])
                alive |= n != NO_CHAIN and w.benson.alive[n] != 0
    forget(w.benson)
    return alive


@kernel
def _is_safe_stone(b, w, p):
    """Return whether the stone on `p` belongs to a chain with a safe stone; remembers it in ``w.mark``."""
    dangerous, safe = np.uint64(w.marks) - _1, np.uint64(w.marks)
    if w.mark[p] == dangerous or w.mark[p] == safe:
        return w.mark[p] == safe
    found = False
    q = p
    while True:
        found |= w.safe[q] != 0
        q = np.uint64(b.next_in_chain[q])
        if q == p or found:
            break
    while True:
        w.mark[q] = safe if found else dangerous
        q = np.uint64(b.next_in_chain[q])
        if w.mark[q] == safe or w.mark[q] == dangerous:
            return found


@kernel
def _cannot_make_two_eyes(b, w, defender):
    """Return whether there is no room for two eyes of the defender, nor a way out of the region.

    An eye needs a point that is not next to a safe enemy stone. The attacker can fill all others.
    """
    if w.truncated:
        return False
    w.marks += np.uint64(2)
    first = _0
    count = 0
    for i in range(np.uint64(w.num_points)):
        p = np.uint64(w.points[i])
        here = b.stones[p]
        if here == _3 - defender and _is_safe_stone(b, w, p):
            continue
        room = here != defender
        for step in NEIGHBOURS:
            q = p + step
            if b.stones[q] == defender and w.safe[q]:
                return False
            if room and b.stones[q] == _3 - defender:
                room = not _is_safe_stone(b, w, q)
        if room:
            count += 1
            if count == 1:
                first = p
            elif count > 2:
                return False
            else:
                near = False
                for step in NEIGHBOURS:
                    near |= first + step == p
                if not near:
                    return False
    return True


@kernel
def _add_move(w, depth, p, key, retakes, claims_capture):
    """Append a move, given the key of the position after it, which may repeat one on the path."""
    n = np.uint64(w.count[depth])
    w.moves[depth, n] = p
    w.children[depth, n] = key
    w.repeated[depth, n] = UNKNOWN
    w.count[depth] += _1
    forced = retakes
    for d in range(depth, -1, -1):
        if w.keys[d] == key:
            w.repeated[depth, n] = CAPTURED if claims_capture == forced else SAVED
            return
        forced |= w.retaken[d] != 0


@kernel
def _generate(w, depth, defender, attacks, claims_capture):
    """Write the moves of the node at `depth`, with the keys of the positions after them."""
    b = w.boards[depth]
    colour = _3 - defender if attacks else defender
    favoured = w.threats != 0 and attacks != claims_capture  # the side to move wins every ko
    bound = favoured or w.threats == 0  # the other side must not retake a ko at once
    stands = attacks or _stands(b, w, defender)
    w.count[depth] = 0
    side = _0 if attacks else np.uint64(SIDE_KEY)
    for i in range(np.uint64(w.num_points)):
        p = np.uint64(w.points[i])
        if b.stones[p] != EMPTY or board.is_eye(b, p, colour):
            continue
        ko = np.uint64(b.ko)
        retakes = ko == p
        if retakes:
            if not favoured:
                continue
            b.ko = NOWHERE
        legal = board.is_legal(b, p, colour)
        b.ko = ko
        if not legal or (not stands and not _comes_back(b, w, p, colour, claims_capture)):
            continue
        key = board.key_after(b, p, colour) ^ side
        if bound:
            key ^= KO_KEYS[board.takes_ko(b, p, colour)]
        _add_move(w, depth, p, key, retakes, claims_capture)
    if not attacks:
        key = np.uint64(b.key) ^ side
        if bound:
            key ^= KO_KEYS[NOWHERE]
        _add_move(w, depth, np.uint64(PASS), key, False, claims_capture)


@kernel
def _comes_back(b, w, p, colour, claims_capture):
    """Return whether a move on `p` may bring back a captured chain.

    It must capture. If many stones were captured, an atari will do to refute the capture. But part of the
    place may be lost, so that is no life.
    """
    if w.num_targets >= MIN_BURIED and not claims_capture:
        return False
    hit = False
    for i in range(np.uint64(w.num_targets)):
        hit |= w.targets[i] == p
    if not hit:
        return False
    most = np.uint64(2 if w.num_targets >= MIN_BURIED else 1)
    for step in NEIGHBOURS:
        q = p + step
        if b.stones[q] == _3 - colour and board.liberties(b, np.uint64(b.chain[q]), w.liberty) <= most:
            return True
    return False


@kernel
def _enter(w, depth, defender, attacks, claims_capture):
    """Return the result of the node at `depth` if it is evident, or else generate its moves."""
    b = w.boards[depth]
    if not _stands(b, w, defender):
        if attacks:
            return CAPTURED
    elif _reaches_safety(b, w, defender) or _is_unconditional(b, w, defender):
        return SAVED
    elif _cannot_make_two_eyes(b, w, defender):
        return CAPTURED
    if depth == MAX_DEPTH:
        return SAVED if claims_capture else CAPTURED
    _generate(w, depth, defender, attacks, claims_capture)
    return UNKNOWN


@kernel
def _descend(w, depth, i, defender, attacks):
    """Play the `i`-th move of the node at `depth` on the board of the next depth."""
    p = np.uint64(w.moves[depth, i])
    w.boards[depth + 1] = w.boards[depth]
    b = w.boards[depth + 1]
    w.retaken[depth + 1] = 0
    if p == PASS:
        b.ko = NOWHERE
    else:
        w.retaken[depth + 1] = b.ko == p
        b.ko = NOWHERE
        board.play(b, p, _3 - defender if attacks else defender)
    w.keys[depth + 1] = w.children[depth, i]


@kernel
def _child_numbers(w, depth, i):
    """Return the proof and the disproof number (int64) of the `i`-th child of the node at `depth`."""
    repeated = w.repeated[depth, i]
    if repeated != UNKNOWN:
        proof = np.int64(0 if repeated == CAPTURED else INFINITE)
        return proof, np.int64(INFINITE) - proof
    slot = _look_up(w, w.children[depth, i])
    if slot < 0:
        return np.int64(1), np.int64(1)
    return np.int64(w.proof[slot]), np.int64(w.disproof[slot])


@kernel
def _sum_up(w, depth, attacks):
    """Sum up the children of the node at `depth`.

    Each has a number that the side to move wants to be small, and one that it wants to be large. Returns the
    two smallest of the first ones, the sum of the second ones, the child with the smallest, its second one.
    """
    least = second = np.int64(INFINITE)
    total = best_total = np.int64(0)
    best = _0
    for i in range(np.uint64(w.count[depth])):
        proof, disproof = _child_numbers(w, depth, i)
        mine, theirs = (proof, disproof) if attacks else (disproof, proof)
        total = min(total + theirs, np.int64(INFINITE))
        if mine < least:
            least, second = mine, least
            best, best_total = i, theirs
        elif mine < second:
            second = mine
    return least, second, total, best, best_total


@kernel
def _limits(w, depth, attacks):
    """Return the limits (int64) of the number that the side to move wants to be small, and of the other."""
    proof, disproof = np.int64(w.proof_limit[depth]), np.int64(w.disproof_limit[depth])
    return (proof, disproof) if attacks else (disproof, proof)


@kernel
def _root_key(w, attacks, bound):
    """Return the key (uint64) of the first node; `bound` if a side must not retake a ko at once."""
    key = np.uint64(w.boards[0].key)
    if attacks:
        key ^= SIDE_KEY
    if bound:
        key ^= KO_KEYS[NOWHERE]
    return key


@kernel
def solve(w, defender, defends_first, claims_capture, threats, budget):
    """Search whether the targets can be captured.

    Parameters
    ----------
    w : SOLVER record
        With the position in ``boards[0]``, and the region and the targets of `choose_region`.
    defender : uint64
        The colour of the targets.
    defends_first : bool
        Whether the defender moves first.
    claims_capture : bool
        Which result must hold against all odds of ko and repetition: CAPTURED, or else SAVED. The other
        result is then no proof.
    threats : bool
        Whether the other side has as many ko threats as it needs; else nobody has any.
    budget : int
        Nodes at most.

    Returns
    -------
    int64
        CAPTURED, SAVED, or UNKNOWN if the budget did not suffice or the search was stopped.
    """
    w.table_keys[:] = 0
    w.nodes = 0
    w.threats = threats
    w.retaken[0] = 0
    w.boards[0].ko = NOWHERE
    attacks = not defends_first
    result = _enter(w, 0, defender, attacks, claims_capture)
    if result != UNKNOWN:
        return result
    w.keys[0] = _root_key(w, attacks, attacks == claims_capture or not threats)
    w.proof_limit[0] = w.disproof_limit[0] = INFINITE
    depth = 0
    while True:
        # 1. Sum up the children. Give up if there is no budget for another one
        least, second, total, best, best_total = _sum_up(w, depth, attacks)
        if (w.nodes >= budget or is_stopped(w.stop, w.nodes - 1, w.nodes)) and least != 0 and total != 0:
            return UNKNOWN

        # 2. Leave the node if a limit is reached
        mine_limit, theirs_limit = _limits(w, depth, attacks)
        if least >= mine_limit or total >= theirs_limit:
            proof, disproof = (least, total) if attacks else (total, least)
            if depth == 0:
                return CAPTURED if proof == 0 else SAVED if disproof == 0 else UNKNOWN
            _store(w, w.keys[depth], proof, disproof)
            depth -= 1
            attacks = not attacks
            continue

        # 3. Enter the best child, and leave it again if its result is evident
        _descend(w, depth, best, defender, attacks)
        limit, rest = min(mine_limit, second + 1), min(np.int64(INFINITE), theirs_limit - total + best_total)
        depth += 1
        w.nodes += 1
        w.proof_limit[depth], w.disproof_limit[depth] = (limit, rest) if attacks else (rest, limit)
        attacks = not attacks
        result = _enter(w, depth, defender, attacks, claims_capture)
        if result != UNKNOWN:
            proof = np.int64(0 if result == CAPTURED else INFINITE)
            _store(w, w.keys[depth], proof, np.int64(INFINITE) - proof)
            depth -= 1
            attacks = not attacks
