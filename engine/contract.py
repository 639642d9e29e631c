"""What searches see of a game: typed protocols of its modules ``rules``, ``evaluate`` and ``simulation``.

Searches are specialised with ``game``, one module of type `Kernels` that `search.binding` makes of the three.
It supplies defaults for most missing names (`search.defaults`). A game without the others is searched without
the feature that needs them. `engine.modules` describes the modules for people.

A function is a kernel (`engine.jit.kernel`) unless it says "Python". The contract test holds every game
against `PARTS`, the names of the protocols.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tengen.engine.options import Value

UNKNOWN = -1  # distance that `Selection.foresee` returns
NO_THREAT = -1  # returned by `ThreatRules.generate_defences` if there is no threat to answer

State = Any  # a record of ``STATE``
Action = Any  # an integer of Python or NumPy
Actions = Any  # an int32 array of ``MAX_ACTIONS``, to be filled
Net = Any  # a record of `Shape.dtype`
Playout = Any  # a record of ``PLAYOUT``


# ------------------------------------------------------------------------------------------------- ``rules``


class RequiredRules(Protocol):
    """``rules``: always."""

    __name__: str  # of the module
    STATE: Any  # record dtype; always with `side_to_move` (0 first, 1 second), `key` (Zobrist) and `partial`
    ACTIONS: int  # size of the action space: actions are ints in [0, ACTIONS)
    MAX_ACTIONS: int  # upper bound of the length of one list of actions
    MULTI_ACTION_TURNS: bool  # whether a turn may take several actions
    MERGES_TRANSPOSITIONS: bool  # whether turns to the same position are one: `text.canonical_turns`
    ONGOING: int  # outcomes, see `engine.game.Outcome`
    FIRST_WINS: int
    SECOND_WINS: int
    DRAW: int

    def __hash__(self) -> int:
        """Return the hash of the module."""

    def start(self, options: Mapping[str, Value]) -> State:
        """Return the start position; Python."""

    def generate(self, s: State, actions: Actions) -> int:
        """Write the legal actions, in a fixed order; return their count, 0 only at the end."""

    def count(self, s: State) -> int:
        """Return what `generate` would return, without the list."""

    def do_move(self, s: State, action: Action) -> None:
        """Play an action in place: the caller copied the state."""

    def outcome(self, s: State) -> int:
        """Return the `Outcome` as an int."""

    def recompute_key(self, s: State) -> int:
        """Return the key from scratch."""

    def check(self, s: State) -> list[str]:
        """Return broken invariants in words; Python."""

    def symmetries(self, s: State) -> list[State]:
        """Return equivalent states; Python."""


class Selection(Protocol):
    """``rules``: copies and move selection. All have defaults."""

    PROOF_NUMBERS: bool  # whether `search.solvers.proof_numbers` looks for wins: for turns of one action
    TACTICAL_ABOVE: int  # greatest priority of a quiet action (default 0); beyond are tactical ones
    CONTINUATIONS: int  # actions back that the continuation history of quiet actions looks: 0 (default) to 2
    LATE_MOVE_COUNTS: tuple[int, ...]  # number of quiet actions before late-move pruning, by depth
    SELECTIVITY: Mapping[str, int]  # other parameters of the search (`alphabeta.params`)

    def generate_candidates(self, s: State, actions: Actions) -> int:
        """Do as `generate`, without those that cannot matter; never empty before the end."""

    def generate_rest(self, s: State, actions: Actions) -> int:
        """Write what the candidates leave out but may help; return the count."""

    def unanswered(self, s: State, scratch: Actions) -> int:
        """Return the turns until the side to move has lost if it answers no threat.

        An answer may lose sooner; 0 where none does. `scratch` is an array for actions.
        """

    def generate_noisy(self, s: State, actions: Actions) -> int:
        """Write the actions for the quiescence search; return the count."""

    def forced(self, s: State) -> bool:
        """Return whether a threat must be answered: no standing pat."""

    def priority(self, s: State, action: Action) -> int:
        """Return an ordering hint; quiet actions are reduced and pruned."""

    def copy_state(self, states: Any, to: int, source: int) -> None:
        """Copy one of an array of states, but for unused parts."""

    def null_action(self, s: State) -> int:
        """Return the action of the null move, legal or not; -1 where zugzwang is likely."""

    def foresee(self, s: State, action: Action) -> tuple[int, int]:
        """Return (key after an action, its distance) without playing it.

        The distance is `UNKNOWN` if it must be played to know the key, 0 if it wins at once, else the
        greater, the farther it is from a win.
        """


class ThreatRules(Protocol):
    """``rules``: all or none. `search.solvers.threats` finds forced wins with them."""

    LEAF_THREAT_BUDGET: int  # quiet threats that may be used at the leaves of alpha-beta
    FIRST_THREAT_PLIES: int  # depth of the first look ahead, in actions; it doubles while lines are cut off

    def generate_attacks(self, s: State, quiet: bool, actions: Actions) -> int:
        """Write actions that win or threaten to, `quiet` ones too if wanted; return the count."""

    def generate_defences(self, s: State, actions: Actions) -> int:
        """Write answers to a threat; return the count, or `NO_THREAT`."""

    def is_quiet_threat(self, before: State, after: State) -> bool:
        """Return whether the attacker's action between these states ended a quiet threat.

        Such as an open three in Gomoku or a sacrifice in ZÈRTZ; a search may use a few of them.
        """

    def close_to_win(self, s: State) -> bool:
        """Return whether the search should try a leaf."""


class EndgameRules(Protocol):
    """``rules``: all or none. `search.solvers.endgame` solves endgames with them."""

    ENDGAME_LIMIT: int  # greatest `remaining` at which the solver is tried
    EAGER_LIMIT: int  # ... at which it is tried before the search
    MAX_MARGIN: int  # greatest possible margin

    def remaining(self, s: State) -> int:
        """Return the size of the endgame; every action other than a pass reduces it."""

    def margin(self, s: State) -> int:
        """Return the lead of the side to move in points; the final one if the game is over."""


class RepetitionRules(Protocol):
    """``rules``: for games that declare `Game.repetition`."""

    def may_repeat(self, s: State) -> bool:
        """Return whether `s`, at the beginning of a turn, may equal an earlier position.

        False only if no later position can equal an earlier one either.
        """

    def draw_by_repetition(self, s: State) -> None:
        """End the game in place, the key stays; Python."""


class MergingRules(Protocol):
    """``rules``: optional, where `MERGES_TRANSPOSITIONS`. The turns to a position are then found sooner."""

    def may_become(self, s: State, end: State) -> bool:
        """Return whether the turn in `s` may still lead to the board of `end`; True when in doubt."""


class SetUpRules(Protocol):
    """``rules``: for games that declare `Game.out_of_turn`."""

    def set_side_to_move(self, s: State, side: int) -> None:
        """Let `side` move, in place."""


class ResumableRules(Protocol):
    """``rules``: for games that declare `Game.ends_by_agreement`."""

    def resume(self, s: State) -> None:
        """Go on, in place, with the game that the players have ended."""


class Rules(
    RequiredRules,
    Selection,
    ThreatRules,
    EndgameRules,
    RepetitionRules,
    MergingRules,
    SetUpRules,
    ResumableRules,
    Protocol,
):
    """The module ``rules`` with all that it may offer."""


# ---------------------------------------------------------------------------------------------- ``evaluate``


class Evaluating(Protocol):
    """``evaluate``: always."""

    def evaluate(self, s: State) -> int:
        """Return centi-points for the side to move; Python will do beside `evaluate_with`."""


class LearnedEvaluation(Protocol):
    """``evaluate``: all or none, with defaults. For fitted weights (`engine.weights.Evaluation`).

    The module then has `EVALUATION` and `WEIGHTS` as well.
    """

    TABLE: Any  # the shipped weights as kernels use them, int64, shape (phases, features)

    def evaluate_with(self, s: State, table: Any) -> int:
        """Return centi-points for the side to move."""

    def phase(self, s: State) -> int:
        """Return the row of the table for this position."""

    def weighted_sum(self, s: State, weights: Any) -> float:
        """Return the sum of its features, each times its weight."""


class CorrectedEvaluation(Protocol):
    """``evaluate``: all or none, with defaults. For a net that corrects (`engine.nets.correction`)."""

    NET: Net  # the shipped net as kernels use it; its `window` is 0 without one

    def correct(self, s: State, net: Net, linear: Action) -> int:
        """Return centi-points for the side to move, from those of `evaluate_with`."""

    def activate(self, s: State, net: Net) -> int:
        """Write the net's active inputs into ``net.active``; return their count."""

    def bucket(self, s: State) -> int:
        """Return the phase in which the net sees `s`; -1 if the net is not for it."""


class Policy(Protocol):
    """``evaluate``: both or none, with defaults. For nets that know likely actions."""

    def prepare_policy(self, s: State, net: Net) -> bool:
        """Return whether there is a policy for `s`; before `policy`."""

    def policy(self, s: State, net: Net, action: Action) -> int:
        """Return the logit of an action, in units of 1/256."""


# -------------------------------------------------------------------------------------------- ``simulation``


class PlayoutRules(Protocol):
    """``simulation``: all or none. Monte-Carlo tree search then evaluates leaves by playouts."""

    # record dtype, one for each thread: `random`, `first`, `owner`, `playouts`, `dynamic_komi`...
    PLAYOUT: Any
    PASS: int  # the action that passes

    def prepare(self, s: State, o: Playout) -> None:
        """Prepare a search of `s`, at once; which stones are dead stays open."""

    def find_dead(self, s: State, records: Any, stop: Any) -> None:
        """Decide that for the records of all threads, after the first simulations; Python.

        It takes time, and ends soon once the StopFlag is set.
        """

    def update_dynamic_komi(self, s: State, o: Playout, value: float) -> None:
        """Adapt it to `value`, the first side's recent mean."""

    def set_priors(self, s: State, o: Playout, actions: Actions, n: int, priors: Any, weights: Any) -> None:
        """Write prior value and weight of each action."""

    def simulate(self, s: State, o: Playout) -> tuple[float, float]:
        """Return (value, margin) for the first side, by a playout, in place."""

    def final_score(self, s: State, o: Playout) -> tuple[int, float]:
        """Return (Outcome, margin) of a finished game without its dead stones."""

    def score_is_certain(self, s: State, o: Playout, root: State) -> bool:
        """Return whether no player could dispute that score."""

    def wins_by_passing(self, s: State, o: Playout) -> bool:
        """Return whether the side to move wins if both pass now."""

    def is_repetition(self, s: State) -> bool:
        """Return whether the last turn repeated an earlier position."""

    def points(self, s: State) -> Any:
        """Return indices in `owner` of the board's points, rows from the top; Python."""


class LeafNet(Protocol):
    """``simulation``: all or none. For games whose net (`engine.nets.convolution`) guides the tree search.

    The evaluation declares the net, which has the numbers ``share`` and ``search``.
    """

    LEAF_NETS: Any  # the shipped nets: the first that knows the root guides; without one `window` is 0

    def net_knows(self, s: State, net: Net) -> bool:
        """Return whether there is a net, and it is for games like that of `s`."""

    def ask_net(self, s: State, net: Net) -> float:
        """Return the win rate of the first side."""

    def net_margin(self, s: State, net: Net) -> float:
        """Return the margin of the first side, hundredths of a point, after `ask_net`."""

    def net_policy(self, s: State, net: Net, actions: Actions, n: int, probabilities: Any) -> None:
        """Write the probability of each action, after `ask_net`."""


class TreeConstants(Protocol):
    """``simulation``: constants of Monte-Carlo tree search, with defaults."""

    RAVE_EQUIVALENT: float
    EXPLORATION: float
    EXPANSION_VISITS: int
    WIDENING_BASE: float
    WIDENING_PER_DOUBLING: float


class Kernels(
    Rules,
    Evaluating,
    LearnedEvaluation,
    CorrectedEvaluation,
    Policy,
    PlayoutRules,
    LeafNet,
    TreeConstants,
    Protocol,
):
    """What searches see of a game: kernels and constants of its three modules, and defaults."""


class Planes(RequiredRules, Protocol):
    """The module ``planes``, which self-play in batches sees in their place (`search.mcts.gumbel`).

    For games with a net of planes of bits. It also has ``SHAPE``, the net's `ConvolutionShape`.
    """

    def copy_position_from(self, states: Any, to: Action, sources: Any) -> None:
        """Copy ``sources[0]`` to ``states[to]``, but for history and keys."""

    def write_bits(self, s: State, bits: Any) -> None:
        """Write what the net sees of the points into `bits` (int16): plane k is bit k."""

    def write_about(self, s: State, about: Any) -> None:
        """Write the numbers about the position into `about` (float32)."""

    def final_margin(self, s: State, owners: Any) -> int:
        """Return the first side's margin (hundredths) with all stones alive; write the owners of points."""


if TYPE_CHECKING:  # what `engine.jit.specialise` binds in a search module
    game: Kernels
    planes: Planes


def names_of(*protocols: type) -> tuple[str, ...]:
    """Return the names that protocols declare themselves, constants and functions."""
    return tuple(
        name
        for protocol in protocols
        for name in (*vars(protocol).get("__annotations__", {}), *vars(protocol))
        if not name.startswith("_")
    )


# What searches see, by module.
PARTS = {
    "rules": names_of(RequiredRules, Selection, ThreatRules, EndgameRules, RepetitionRules),
    "evaluate": names_of(Evaluating, LearnedEvaluation, CorrectedEvaluation, Policy),
    "simulation": names_of(PlayoutRules, LeafNet, TreeConstants),
}
