"""Defaults for the optional names of `engine.contract`. Specialised with ``game``."""

from typing import TYPE_CHECKING

import numpy as np

from tengen.engine.contract import UNKNOWN
from tengen.engine.jit import kernel, record
from tengen.engine.nets.correction import net_value

if TYPE_CHECKING:
    from tengen.engine.contract import game


TABLE = np.zeros((1, 1), np.int64)  # of an evaluation without weights
NET = np.zeros(1, record([("window", "i8")]))[0]  # of an evaluation without a net
TACTICAL_ABOVE = 0
PROOF_NUMBERS = False
CONTINUATIONS = 0
LATE_MOVE_COUNTS: tuple[int, ...] = ()
SELECTIVITY: dict[str, int] = {}
RAVE_EQUIVALENT = 0.0  # no RAVE
EXPLORATION = 0.4
EXPANSION_VISITS = 1
WIDENING_BASE, WIDENING_PER_DOUBLING = 12.0, 3.0


@kernel
def generate_candidates(s, actions):
    """Write all legal actions into `actions`; return their number."""
    return game.generate(s, actions)


@kernel
def _nothing(s, other):
    """Return 0 (int64)."""
    return np.int64(0)


generate_rest = _nothing  # the candidates leave nothing out
unanswered = _nothing  # no answer to a threat loses sooner than other actions
generate_noisy = _nothing  # every position is quiet
priority = _nothing  # all actions are quiet and equal
activate = _nothing  # there is no net
weighted_sum = _nothing  # there are no features


@kernel
def _never(s):
    """Return False."""
    return False


forced = _never  # no threat has to be answered
may_repeat = _never  # no position occurs again


@kernel
def _none(s):
    """Return -1 (int64)."""
    return np.int64(-1)


null_action = _none  # no action passes the turn on
bucket = _none  # there is no net


@kernel
def copy_state(states, to, source):
    """Copy ``states[source]`` to ``states[to]``, indices (int64) of an array of STATE."""
    states[to] = states[source]


@kernel
def foresee(s, action):
    """Return 0 (uint64) and `UNKNOWN` (int64): an action must be played to know where it leads."""
    return np.uint64(0), np.int64(UNKNOWN)


@kernel
def evaluate_with(s, table):
    """Return the game's evaluation (int64, centi-points for the side to move), which has no weights."""
    return np.int64(game.evaluate(s))


if hasattr(globals().get("game"), "activate"):

    @kernel
    def correct(s, net, linear):
        """Return the value (int64) of `s` by the net, given its `linear` value, or that where it has none."""
        place = game.bucket(s)
        return linear if place < 0 else net_value(net, game.activate(s, net), place, linear)

else:

    @kernel
    def correct(s, net, linear):
        """Return the `linear` value (int64): there is no net."""
        return linear


@kernel
def prepare_policy(s, net):
    """Return False: there is no policy."""
    return False


@kernel
def policy(s, net, action):
    """Return 0 (int64): there is no policy."""
    return np.int64(0)


@kernel
def phase(s):
    """Return 0 (int64): the table has one row."""
    return np.int64(0)
