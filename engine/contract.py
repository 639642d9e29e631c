"""What a game's modules offer to searches, by name; the contract test holds each game against these lists.

`search.binding` gathers the names of ``rules``, ``evaluate`` and ``simulation`` into the one module that
searches are specialised with. It has defaults for most names that a game lacks. A game without the others is
searched without what they are for.
"""

from __future__ import annotations

# ``rules``: always.
REQUIRED_RULES = (
    "STATE",  # record dtype; always with `side_to_move` (0 first, 1 second), `key` (Zobrist) and `partial`
    "ACTIONS",  # size of the action space: actions are ints in [0, ACTIONS)
    "MAX_ACTIONS",  # upper bound of the length of one list of actions
    "MULTI_ACTION_TURNS",  # True when a turn may take several actions
    "MERGES_TRANSPOSITIONS",  # True when turns to the same position are one; ``text`` offers `canonical_turns` then
    "start",  # start(options) -> state; Python
    "generate",  # generate(s, actions) -> count of legal actions, in a fixed order; 0 only at the end
    "count",  # count(s) -> what generate would return, without the list
    "do_move",  # do_move(s, action), in place: the caller copied the state
    "outcome",  # outcome(s) -> Outcome as an int, one of the next four
    "ONGOING",
    "FIRST_WINS",
    "SECOND_WINS",
    "DRAW",
    "recompute_key",  # recompute_key(s) -> key from scratch
    "check",  # check(s) -> list of broken invariants in words; Python
    "symmetries",  # symmetries(s) -> list of equivalent states; Python
)

# ``rules``: what makes searches better. All have defaults.
SELECTION = (
    "generate_candidates",  # like generate, without those that cannot matter; never empty before the end
    "generate_rest",  # generate_rest(s, actions) -> count of what candidates leave out but may help
    "generate_noisy",  # generate_noisy(s, actions) -> count of actions that quiescence looks at
    "forced",  # forced(s) -> whether a threat must be answered: quiescence may not stand pat
    "priority",  # priority(s, action) -> ordering hint; > 0 tactical (never reduced), 0 quiet
    "null_action",  # null_action(s) -> action that passes the turn on, where a turn is nearly always
    # better than none; it need not be legal. -1 elsewhere
    "LATE_MOVE_COUNTS",  # tuple: how many quiet actions alpha-beta looks at, by depth
)

# ``rules``: all or none. With them `search.threats` looks for wins by threats.
THREAT_RULES = (
    "generate_attacks",  # generate_attacks(s, quiet, actions) -> count of actions that win or threaten to;
    # quiet: whether quiet threats are wanted, too
    "generate_defences",  # generate_defences(s, actions) -> count of those that may help, or NO_THREAT
    "is_quiet_threat",  # is_quiet_threat(before, after) -> whether the attacker's action between these states
    # ended a quiet threat (an open three in Gomoku, a sacrifice in ZÈRTZ), of which a search may use a few
    "close_to_win",  # close_to_win(s) -> whether a leaf is worth a look
    "LEAF_THREAT_BUDGET",  # quiet threats that may be used at the leaves of alpha-beta
    "FIRST_THREAT_PLIES",  # depth of the first look ahead, in actions; it doubles while lines are cut off
)
NO_THREAT = -1  # what ``generate_defences`` returns when nothing has to be answered

# ``rules``: all or none. They let `search.alphabeta.endgame` solve endgames to the final margin.
ENDGAME_RULES = (
    "ENDGAME_LIMIT",  # greatest `remaining` with which that is tried
    "EAGER_LIMIT",  # ... with which it is likely enough to be tried before all else
    "MAX_MARGIN",  # greatest margin that there is
    "remaining",  # remaining(s) -> what becomes less with every action that is no pass
    "margin",  # margin(s) -> points by which the side to move leads, in the end if the game is over
)

# ``evaluate``: always.
EVALUATION = ("evaluate",)  # evaluate(s) -> centi-points for the side to move

# ``evaluate``: all or none, with defaults. The evaluation can be learned (`engine.weights.Evaluation`); the
# module has `EVALUATION` and `WEIGHTS` then.
LEARNED_EVALUATION = (
    "TABLE",  # the shipped weights as kernels use them, int64, shape (phases, features)
    "evaluate_with",  # evaluate_with(s, table) -> centi-points for the side to move
    "phase",  # phase(s) -> the row of the table for this position
    "weighted_sum",  # weighted_sum(s, weights) -> sum of its features, each times its weight
)

# ``simulation``: all or none. Monte-Carlo tree search evaluates leaves by playouts instead of the evaluation.
PLAYOUT_RULES = (
    "PLAYOUT",  # record dtype of a thread's memory: `random`, `first`, `owner`, `playouts`, `dynamic_komi`...
    "PASS",  # the action that offers to end the game
    "prepare",  # prepare(s, o): before a search of s; Python
    "update_dynamic_komi",  # update_dynamic_komi(s, o, value): value is the first side's mean since the last call
    "set_priors",  # set_priors(s, o, actions, n, priors, weights): what actions are worth before simulations
    "simulate",  # simulate(s, o) -> (value, margin) for the first side, by a playout, in place
    "final_score",  # final_score(s, o) -> (Outcome, margin) of a finished game as the players would agree
    "score_is_certain",  # score_is_certain(s, root) -> whether they must agree, after a search from root
    "wins_by_passing",  # wins_by_passing(s, o) -> whether the side to move wins if both pass now
    "is_repetition",  # is_repetition(s) -> whether the position occurred before
    "points",  # points(s) -> indices in `owner` of the board's points, rows from the top; Python
)

# ``simulation``: constants of Monte-Carlo tree search, with defaults.
TREE = ("RAVE_EQUIVALENT", "EXPLORATION", "EXPANSION_VISITS", "WIDENING_BASE", "WIDENING_PER_DOUBLING")

PARTS = {
    "rules": REQUIRED_RULES + SELECTION + THREAT_RULES + ENDGAME_RULES,
    "evaluate": EVALUATION + LEARNED_EVALUATION,
    "simulation": PLAYOUT_RULES + TREE,
}
