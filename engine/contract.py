"""The names that a game's modules offer; the contract test checks every game against these lists.

`search.binding` gathers the names of ``rules``, ``evaluate`` and ``simulation`` into one module, with which
searches are specialised. It supplies defaults for most missing names (`search.defaults`). A game without the
others is searched without the feature that needs them. ``text`` and ``picture`` are for people. Searches
never call them.

A function is a kernel (`engine.jit.kernel`) unless "Python" stands behind it. `s` is a record of ``STATE``,
`actions` an int32 array of ``MAX_ACTIONS``.
"""

from __future__ import annotations

# Modules that may lie in a folder of the package. Small games keep all of them beside each other.
FOLDERS = {
    "notation": ("text", "editor", "transcript", "archive", "record", "former", "handicap", "katago"),
    "display": ("picture", "sketch", "steps", "motifs"),
    "scores": ("agreement",),
    "knowledge": ("moves", "planes"),
}

# ``rules``: always.
REQUIRED_RULES = (
    "STATE",  # record dtype; always with `side_to_move` (0 first, 1 second), `key` (Zobrist) and `partial`
    "ACTIONS",  # size of the action space: actions are ints in [0, ACTIONS)
    "MAX_ACTIONS",  # upper bound of the length of one list of actions
    "MULTI_ACTION_TURNS",  # True when a turn may take several actions
    "MERGES_TRANSPOSITIONS",  # True when turns to the same position are one: `text.canonical_turns`
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

# ``rules``: copies and move selection. All have defaults.
SELECTION = (
    "generate_candidates",  # like generate, without those that cannot matter; never empty before the end
    "generate_rest",  # generate_rest(s, actions) -> count of what candidates leave out but may help
    "unanswered",  # unanswered(s, scratch) -> turns until the side to move has lost if it answers no threat,
    # where an answer may lose sooner; 0 where none does; scratch: an array for actions
    "generate_noisy",  # generate_noisy(s, actions) -> count of actions for the quiescence search
    "forced",  # forced(s) -> whether a threat must be answered: no standing pat
    "priority",  # priority(s, action) -> ordering hint; quiet actions are reduced and pruned
    "copy_state",  # copy_state(states, to, source): copies one of an array of states, but for unused parts
    "null_action",  # null_action(s) -> action of the null move, legal or not; -1 where zugzwang is likely
    "foresee",  # foresee(s, action) -> (key after an action, its distance), without playing it: `UNKNOWN` if
    # it must be played to know the key, 0 if it wins at once, else the greater, the farther it is from a win
    "PROOF_NUMBERS",  # whether `search.solvers.proof_numbers` looks for wins: for turns of one action
    "TACTICAL_ABOVE",  # greatest priority of a quiet action (default 0); beyond are tactical ones
    "CONTINUATIONS",  # actions back that the continuation history of quiet actions looks, 0 to 2 (default 0)
    "LATE_MOVE_COUNTS",  # tuple: number of quiet actions before late-move pruning, by depth
    "SELECTIVITY",  # mapping: other numbers of the search that suit the game (`search.alphabeta.numbers`)
)

# ``rules``: all or none. `search.solvers.threats` finds forced wins with them.
THREAT_RULES = (
    "generate_attacks",  # generate_attacks(s, quiet, actions) -> count of actions that win or threaten to;
    # quiet: whether quiet threats are wanted, too
    "generate_defences",  # generate_defences(s, actions) -> count of answers to a threat, or NO_THREAT
    "is_quiet_threat",  # is_quiet_threat(before, after) -> whether the attacker's action between these states
    # ended a quiet threat (an open three in Gomoku, a sacrifice in ZÈRTZ), of which a search may use a few
    "close_to_win",  # close_to_win(s) -> whether the search should try a leaf
    "LEAF_THREAT_BUDGET",  # quiet threats that may be used at the leaves of alpha-beta
    "FIRST_THREAT_PLIES",  # depth of the first look ahead, in actions; it doubles while lines are cut off
)
UNKNOWN = -1  # distance that ``foresee`` returns
NO_THREAT = -1  # returned by ``generate_defences`` if there is no threat to answer

# ``rules``: all or none. `search.solvers.endgame` solves endgames with them.
ENDGAME_RULES = (
    "ENDGAME_LIMIT",  # greatest `remaining` at which the solver is tried
    "EAGER_LIMIT",  # ... at which it is tried before the search
    "MAX_MARGIN",  # greatest possible margin
    "remaining",  # remaining(s) -> size of the endgame; every action other than a pass reduces it
    "margin",  # margin(s) -> lead of the side to move in points; the final one if the game is over
)

# ``rules``: for games that declare `Game.repetition`.
REPETITION_RULES = (
    "may_repeat",  # may_repeat(s) -> whether `s`, at the beginning of a turn, may equal an earlier position;
    # False only if no later position can equal an earlier one either
    "draw_by_repetition",  # draw_by_repetition(s): ends the game in place, the key stays; Python
)

# ``evaluate``: always.
EVALUATION = (
    "evaluate",  # evaluate(s) -> centi-points for the side to move; Python will do beside `evaluate_with`
)

# ``evaluate``: all or none, with defaults. For fitted weights (`engine.weights.Evaluation`); the module then
# has `EVALUATION` and `WEIGHTS` as well.
LEARNED_EVALUATION = (
    "TABLE",  # the shipped weights as kernels use them, int64, shape (phases, features)
    "evaluate_with",  # evaluate_with(s, table) -> centi-points for the side to move
    "phase",  # phase(s) -> the row of the table for this position
    "weighted_sum",  # weighted_sum(s, weights) -> sum of its features, each times its weight
)

# ``evaluate``: all or none, with defaults. For evaluations that a net corrects (`engine.nets.correction`).
CORRECTED_EVALUATION = (
    "NET",  # the shipped net as kernels use it, a record of `Shape.dtype`; its `window` is 0 without one
    "correct",  # correct(s, net, linear) -> centi-points for the side to move, from those of `evaluate_with`
    "activate",  # activate(s, net) -> count of the net's active inputs, which it writes to ``net.active``
    "bucket",  # bucket(s) -> the phase in which the net sees `s`; -1 if the net is not for it
)

# ``evaluate``: both or none, with defaults. For nets that know likely actions.
POLICY = (
    "prepare_policy",  # prepare_policy(s, net) -> whether there is a policy for `s`; before `policy`
    "policy",  # policy(s, net, action) -> logit of an action, in units of 1/256
)

# ``simulation``: all or none. Monte-Carlo tree search then evaluates leaves by playouts.
PLAYOUT_RULES = (
    "PLAYOUT",  # record dtype, one for each thread: `random`, `first`, `owner`, `playouts`, `dynamic_komi`...
    "PASS",  # the action that passes
    "prepare",  # prepare(s, o): before a search of s, at once; which stones are dead stays open
    "find_dead",  # find_dead(s, records, stop): decides that for the records of all threads, after the first
    # simulations; it takes time, and ends soon once the StopFlag is set; Python
    "update_dynamic_komi",  # update_dynamic_komi(s, o, value): value is the first side's recent mean
    "set_priors",  # set_priors(s, o, actions, n, priors, weights): prior value and weight of each action
    "simulate",  # simulate(s, o) -> (value, margin) for the first side, by a playout, in place
    "final_score",  # final_score(s, o) -> (Outcome, margin) of a finished game without its dead stones
    "score_is_certain",  # score_is_certain(s, o, root) -> whether no player could dispute that score
    "wins_by_passing",  # wins_by_passing(s, o) -> whether the side to move wins if both pass now
    "is_repetition",  # is_repetition(s) -> whether the last turn repeated an earlier position
    "points",  # points(s) -> indices in `owner` of the board's points, rows from the top; Python
)

# ``simulation``: all or none. For games with a net (`engine.nets.convolution`) that guides Monte-Carlo tree
# search; the evaluation declares it. A net has the numbers ``share`` and ``search``.
LEAF_NET = (
    "LEAF_NETS",  # the shipped nets as kernels use them, records of `Shape.dtype`: the first that knows the
    # root guides a search; of one without a net `window` is 0
    "net_knows",  # net_knows(s, net) -> whether there is a net, and it is for games like that of s
    "ask_net",  # ask_net(s, net) -> win rate of the first side
    "net_policy",  # net_policy(s, net, actions, n, probabilities): of each action, after `ask_net`
)

# ``simulation``: constants of Monte-Carlo tree search, with defaults.
TREE = ("RAVE_EQUIVALENT", "EXPLORATION", "EXPANSION_VISITS", "WIDENING_BASE", "WIDENING_PER_DOUBLING")

# ``text``: always. All in Python.
TEXT = (
    "format_position",  # format_position(s) -> the canonical text of the position
    "parse_position",  # parse_position(options, text) -> state; NotationError or PositionError when faulty
    "format_turn",  # format_turn(s, actions) -> the canonical text of a turn, without blanks
    "parse_turn",  # parse_turn(s, text) -> its actions; NotationError or IllegalTurnError when there is none
    "status",  # status(s) -> list of all reasons why no game can come to the position, in words
    "result",  # result(s) -> the score at the end as GTP writes it: ``B+1``, ``W+5``, ``0``
)

# ``text``: optional, in Python. Candidates can then be grouped (`engine.play.turns.groups`).
GROUPING = (
    "without_details",  # without_details(turn) -> the canonical text of a turn, but for what matters least
)

# ``text``: optional, in Python, where turns are one action. Those below a root can then be left out.
RESTRICTION = (
    "parse_action",  # parse_action(s, text) -> the action of a turn, legal in s or not; NotationError if none
)

# ``calls``: optional, in Python. Warm-up calls it, so that nothing is compiled in the middle of a game.
CALLS = (
    "call_kernels",  # call_kernels(s): calls kernels that Python calls beside those that are listed here
)

# ``picture``: always. All in Python.
PICTURE = (
    "board",  # board(s) -> the board in plain text, several lines
    "draw",  # draw(s) -> the board as a drawing, `engine.board.picture.Picture`
)

# ``steps``: optional, in Python. A turn can then be put together by pointing at places (`engine.play.steps`).
STEPS = (
    "choices",  # choices(s, legal) -> dict of the legal actions to `engine.play.steps.Choice`
    "contents",  # contents(s) -> what stands on each place of the board that is not empty, in words
    "moves",  # moves(s, action) -> pieces that the action moves: pairs of places, from and to, in order
    "removable_places",  # removable_places(s) -> the places of the board that may leave it
    "VERB",  # what happens to pieces that are taken, such as ``captured``
)

# ``editor``: optional, in Python. Positions can then be set up piece by piece (`engine.play.editor`).
EDITOR = (
    "layout",  # layout(options) -> how position texts are built, `engine.play.editor.Layout`
)

# ``sketch``: optional, in Python. Terminals show it; without it they show `picture.board`.
SKETCH = (
    "sketch",  # sketch(s) -> the board as characters with lines between them, `engine.board.sketch.Sketch`
)

# ``motifs``: optional, in Python. Reviews tell by it why a turn loses (`engine.play.motifs`).
MOTIFS = (
    "motifs",  # motifs(s, actions) -> list of `engine.play.motifs.Motif`: what a turn does for certain
)

# ``pace``: optional, in Python. `search.timing.clock` shares out the time of a game with it.
PACE = (
    "progress",  # progress(s) -> a number by which one can tell how far the game has come
    "TURNS",  # pairs in ascending order: a progress, and by how many turns to divide the time left there
)

# ``levels``: optional, in Python. `search.levels` has defaults for games without it. It may also have
# ``ELO``, the measured ratings of all levels, the weakest first.
LEVELS = (
    "LEVELS",  # a row for each level below the highest: depth in actions (0: no limit), positions or
    # simulations, turns scored, temperature, forced wins seen (0: none, 1: at leaves, 2: also by solvers)
)

# ``arrays``: optional, in Python with NumPy. Positions as arrays of numbers, for learning (`engine.arrays`).
ARRAYS = (
    "actions",  # actions(options) -> the actions that can occur, in the order of their numbers
    "PLANES",  # what each plane of an observation holds, in words
    "observe",  # observe(states) -> float32 (states, planes, rows, columns), for the sides to move
)

# What a declaration of ``GAME`` asks of the modules besides, by the attribute of `engine.game.Game`.
DECLARED = {
    "out_of_turn": {"rules": ("set_side_to_move",)},  # set_side_to_move(s, side), in place
    "ends_by_agreement": {
        "rules": ("resume",),  # resume(s), in place: the game that the players have ended goes on
        "agreement": ("agreed_score", "chains_by_status", "dispute"),
        "text": ("counted_result",),  # counted_result(s, dead) -> `result` if these vertices hold dead stones
        "picture": ("draw_counted",),  # draw_counted(s, dead) -> `draw` with the owners in that case
    },
    "five_in_a_row": {"fallback": ("Fallback",)},
    "sgf_properties": {"record": ("TELLING", "options", "properties")},
    "archive_gm": {"archive": ("translate",)},
    "repetition": {"rules": REPETITION_RULES},
    "challenge": {
        "challenge": ("RULE", "challenges_left", "answered", "stake", "forfeit", "name", "max_stakes")
    },
}

PARTS = {
    "rules": REQUIRED_RULES + SELECTION + THREAT_RULES + ENDGAME_RULES + REPETITION_RULES,
    "evaluate": EVALUATION + LEARNED_EVALUATION + CORRECTED_EVALUATION + POLICY,
    "simulation": PLAYOUT_RULES + LEAF_NET + TREE,
}
