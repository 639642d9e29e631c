"""What the transposition table knows of a proven win: its first turn, its line. Specialised with ``game``."""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.game import Outcome
from tengen.engine.jit import kernel, specialise
from tengen.search.alphabeta.table import LOWER, UPPER, action_of, bound_of, depth_of, probe, value_of
from tengen.search.info import PROVEN, WIN

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.search.alphabeta import node, record
else:
    node = specialise("tengen.search.alphabeta.node", game)
    record = specialise("tengen.search.alphabeta.record", game)

threats, MAX_PLY = record.threats, record.MAX_PLY
HAS_THREATS = threats is not None

LINE_LIMIT = 5_000  # actions that the threat search may try at a position of a line
QUIET_THREATS = 2  # of a win that it looks for there

ONGOING = int(Outcome.ONGOING)


@kernel
def follow_win(t, winner, turns):
    """Continue ``pv[0]``, along which `winner` (int64) wins in `turns` (int64), by what the table knows.

    The winner plays what the table has, or a win by threats. The loser plays what lasts longest, of what is
    known, or answers a threat. The line ends early where the table has lost a position.

    Parameters
    ----------
    t : THREAD record
    turns : int64
        0: a win of the side to move that an earlier search has proven, if the table knows of one.

    Returns
    -------
    int64
        The turns of the win, 0 if none is known.
    """
    if turns == 0:
        turns, _ = _winning_action(t, np.int64(0), winner)
        t.pv_length[0] = 0
    ply = np.int64(0)
    while ply < t.pv_length[0]:
        node.descend(t, ply, np.int64(t.pv[0, ply]))
        ply += 1
    sure = ply
    while t.turns[ply] < turns and ply < MAX_PLY and game.outcome(t.stack[ply]) == ONGOING:
        left, winning = turns - t.turns[ply], t.stack[ply].side_to_move == winner
        known, action = _winning_action(t, ply, winner) if winning else _longest_defence(t, ply, winner, left)
        if known > left:
            known = np.int64(0)
        if known or (action >= 0 and not winning):
            t.pv[ply, 0], t.pv_length[ply] = action, 1
        elif not (winning and _find_win(t, ply, left)):
            break
        for i in range(t.pv_length[ply]):
            t.pv[0, ply + i] = t.pv[ply, i]
            node.descend(t, ply + i, np.int64(t.pv[ply, i]))
        ply += t.pv_length[ply]
        if known or winning:
            sure = ply
    t.pv_length[0] = sure
    return turns


@kernel
def recall_turn(t):
    """Write the turn that the table has for the root to ``pv[0]``.

    Parameters
    ----------
    t : THREAD record

    Returns
    -------
    depth, value, bound : int64
        Of the root's entry: the depth searched, what the turn is worth at least or exactly, ``LOWER`` or
        ``EXACT``. 0 for all if it has none, or a proven one.
    """
    none = np.int64(0), np.int64(0), np.int64(0)
    root = probe(t.table, t.mask, t.stack[0].key)
    t.pv_length[0] = 0
    if not root or bound_of(root) == UPPER or abs(value_of(root)) >= PROVEN:
        return none
    ply = np.int64(0)
    while ply == 0 or (t.stack[ply].partial and ply < MAX_PLY):
        s = t.stack[ply]
        data, n = probe(t.table, t.mask, s.key), game.generate(s, t.actions[ply])
        action = np.int64(t.actions[ply, 0]) if n == 1 else action_of(data) if data else np.int64(-1)
        legal = False
        for i in range(n):
            legal = legal or t.actions[ply, i] == action
        if not legal:
            return none
        t.pv[0, ply] = action
        node.descend(t, ply, action)
        ply += 1
    t.pv_length[0] = ply
    return depth_of(root), value_of(root), bound_of(root)


@kernel
def _turns_to_win(s, winner, data):
    """Return in how many turns (int64) `winner` wins in `s` according to its entry's `data`, 0 if unknown."""
    value, against = value_of(data), UPPER
    if s.side_to_move != winner:
        value, against = -value, LOWER
    return np.int64(WIN) - value if data and bound_of(data) != against and value >= PROVEN else np.int64(0)


@kernel
def _winning_action(t, ply, winner):
    """Return in how many turns (int64) `winner`, who is to move, wins according to the table, and its action.

    0 and -1 if the table knows of no win, or of none by a legal action.
    """
    s = t.stack[ply]
    data = probe(t.table, t.mask, s.key)
    turns, action = _turns_to_win(s, winner, data), action_of(data)
    if turns:
        for i in range(game.generate(s, t.actions[ply])):
            if t.actions[ply, i] == action:
                return turns, action
    return np.int64(0), np.int64(-1)


@kernel
def _longest_defence(t, ply, winner, turns):
    """Return in how many turns (int64) `winner` wins, at most `turns`, against an action, and that action.

    It is the one that is known to last longest. If nothing is known, 0 and an answer to a threat, or any one;
    -1 without any.
    """
    longest, best = np.int64(0), np.int64(-1)
    n = game.generate(t.stack[ply], t.actions[ply])
    for i in range(n):
        node.descend(t, ply, np.int64(t.actions[ply, i]))
        child, completed = t.stack[ply + 1], np.int64(t.turns[ply + 1] - t.turns[ply])
        if game.outcome(child) == ONGOING:
            known = _turns_to_win(child, winner, probe(t.table, t.mask, child.key))
            if known and longest < known + completed <= turns:
                longest, best = known + completed, np.int64(t.actions[ply, i])
    if best < 0 and n > 0:
        best = np.int64(t.actions[ply, 0])
        if HAS_THREATS and game.generate_defences(t.stack[ply], t.actions[ply]) > 0:
            best = np.int64(t.actions[ply, 0])
    return longest, best


if HAS_THREATS:

    @kernel
    def _find_win(t, ply, turns):
        """Write a win of the side to move by threats, in `turns` at most, to ``pv[ply]``; return if any.

        What the thread's own search for threats has noted of its progress stays as it is.
        """
        nodes, limit, gave_up = t.threat_nodes, t.threat_limit, t.gave_up
        attacker, t.attacker = t.attacker, t.stack[ply].side_to_move
        found = np.int64(0)
        for budget in range(QUIET_THREATS + 1):
            t.threat_limit, t.gave_up, t.budget_limited = t.threat_nodes + LINE_LIMIT, 0, 0
            found = threats.prove(t, ply, np.int64(MAX_PLY), np.int64(budget))
            if found or t.gave_up or not t.budget_limited:
                break
        t.threat_nodes, t.threat_limit, t.gave_up, t.attacker = nodes, limit, gave_up, attacker
        return 0 < found <= turns

else:

    @kernel
    def _find_win(t, ply, turns):
        """Write an action by which the side to move wins at once to ``pv[ply]``; return if any."""
        s = t.stack[ply]
        for i in range(game.generate(s, t.actions[ply])):
            node.descend(t, ply, np.int64(t.actions[ply, i]))
            result = game.outcome(t.stack[ply + 1])
            if result != ONGOING and node.terminal_value(result, s.side_to_move, np.int64(0)) > 0:
                t.pv[ply, 0], t.pv_length[ply] = t.actions[ply, i], 1
                return True
        return False
