"""Feature extraction for fitting evaluations. Specialised with ``game``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError
from tengen.engine.jit import kernel, specialise
from tengen.engine.nets.patterns import ONE as POLICY_UNIT
from tengen.search.binding import bound
from tengen.search.warmup import run_step

if TYPE_CHECKING:
    from tengen.engine.contract import game
    from tengen.engine.game import Game
    from tengen.engine.nets.correction import Shape
    from tengen.engine.weights import Evaluation, Weights


MOST_ADDED = 4  # turns that lead from a position to another one that is learned from
CHANCES = (0.15, 0.3, 0.3, 0.15, 0.1)  # of 0 to so many of them
ALL_ALIKE = 0.25  # share of these turns that are drawn without the policy
TEMPERATURE = 1.5  # of the policy


@kernel
def count_features(states, units, features, phases, quiet):
    """Count the features of every position, for the side to move.

    Parameters
    ----------
    states : record array, shape (n,)
    units : int64 array, shape (number of features,) * 2
        The identity matrix: with a unit vector as weights, the weighted sum is that one feature.
    features : int32 array, shape (n, number of features)
        Filled in.
    phases : int32 array, shape (n,)
        Filled in: the row of the evaluation's table for each position.
    quiet : bool array, shape (n,)
        Filled in: whether no threat must be answered, so that a static evaluation is meaningful.
    """
    for i in range(states.size):
        s = states[i]
        phases[i] = game.phase(s)
        quiet[i] = not game.forced(s)
        for j in range(units.shape[0]):
            features[i, j] = game.weighted_sum(s, units[j])


class Rows(NamedTuple):
    """What the game's net sees of positions, a row for each."""

    inputs: NDArray[Any]  # shape (n, most active inputs): active ones, from the left; the rest stays as it is
    linear: NDArray[np.int32]  # the linear evaluation in centi-points for the side to move
    buckets: NDArray[np.int8]  # the phase; -1 where the net is not for it, or a threat must be answered


class Scratch(NamedTuple):
    """Working memory of `vary`."""

    states: NDArray[Any]  # shape (1,)
    actions: NDArray[np.int32]  # shape (`MAX_ACTIONS`,)
    logits: NDArray[np.float64]  # shape (`MAX_ACTIONS`,)


@kernel
def activate_inputs(states, table, net, rows):
    """Fill in `rows` (`Rows`) for every position.

    Parameters
    ----------
    states : record array, shape (n,)
    table : int64 array
        The evaluation's table of weights.
    net : record
        Working memory; see `engine.nets.correction.Shape.dtype`.
    rows : Rows
    """
    for i in range(states.size):
        _activate(states[i], table, net, np.int64(i), rows)


@kernel
def _activate(s, table, net, i, rows):
    """Fill in row `i` for the position `s`."""
    rows.buckets[i] = game.bucket(s)
    rows.linear[i] = game.evaluate_with(s, table)
    if rows.buckets[i] >= 0:
        for j in range(game.activate(s, net)):
            rows.inputs[i, j] = net.active[j]
    if game.forced(s):
        rows.buckets[i] = -1


@kernel
def vary(states, added, draws, scratch, table, net, rows):
    """Let some actions follow each position, and fill in `rows` for what they lead to.

    Actions are drawn from the candidates of the search, by the policy of the net or all alike. Where they end
    the game, or lead to a threat that must be answered, the position stays as it is.

    Parameters
    ----------
    states : record array, shape (n,)
    added : int64 array, shape (n,)
        The number of actions.
    draws : float64 array, shape (n, 2 * greatest number of actions)
        Random numbers from 0 to 1, two for each action.
    scratch : Scratch
    table, net, rows
        As in `activate_inputs`; `net` with its numbers.
    """
    varied = scratch.states
    for i in range(states.size):
        varied[0] = states[i]
        for k in range(added[i]):
            n = np.int64(game.generate_candidates(varied[0], scratch.actions))
            if n == 0:
                break
            alike = draws[i, 2 * k] < ALL_ALIKE
            game.do_move(varied[0], _drawn(varied[0], net, scratch, n, alike, draws[i, 2 * k + 1]))
        if game.outcome(varied[0]) != 0 or game.forced(varied[0]):
            varied[0] = states[i]
        _activate(varied[0], table, net, np.int64(i), rows)


@kernel
def _drawn(s, net, scratch, n, alike, draw):
    """Return one of the first `n` (int64) actions, by the policy, or `alike`; `draw` is from 0 to 1."""
    actions, logits = scratch.actions, scratch.logits
    if alike or not game.prepare_policy(s, net):
        return actions[np.int64(draw * n)]
    most = -np.inf
    for i in range(n):
        logits[i] = game.policy(s, net, np.int64(actions[i])) / (POLICY_UNIT * TEMPERATURE)
        most = max(most, logits[i])
    total = 0.0
    for i in range(n):
        logits[i] = math.exp(logits[i] - most)
        total += logits[i]
    left = draw * total
    for i in range(n):
        left -= logits[i]
        if left < 0.0:
            return actions[i]
    return actions[n - 1]


@kernel
def corrected_values(states, table, net, values):
    """Write the evaluations of positions, corrected by the net, into `values` (int32)."""
    for i in range(states.size):
        values[i] = game.correct(states[i], net, np.int64(game.evaluate_with(states[i], table)))


def evaluation_of(game: Game) -> Evaluation:
    """Return the evaluation that the game declares.

    Raises OptionError if there is none, and so nothing to learn.
    """
    evaluation: Evaluation | None = game.evaluation
    if evaluation is None:
        raise OptionError(f"game: expected one whose evaluation can be learned, got {game.name}")
    return evaluation


def features_of(
    game: Game, states: NDArray[Any]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """Return the features, phases and quietness of positions, as `count_features` fills them in.

    Raises OptionError when the game's evaluation cannot be learned.
    """
    evaluation = evaluation_of(game)
    units = np.eye(len(evaluation.features), dtype=np.int64)
    features = np.zeros((len(states), len(units)), np.int32)
    phases, quiet = np.zeros(len(states), np.int32), np.zeros(len(states), np.bool_)
    _run(game, "count_features", (states,), units, features, phases, quiet)
    return features, phases, quiet


def inputs_of(game: Game, weights: Weights, states: NDArray[Any]) -> Rows:
    """Return what the net of `game` sees of positions, whose linear evaluation has these weights.

    Rows of inputs are filled up with the number of inputs, which is no input. Raises OptionError if the game
    declares no net.
    """
    shape, table = _net_of(game, weights)
    rows = _new_rows(shape, len(states))
    _run(game, "activate_inputs", (states,), table, shape.record(None), rows)
    return rows


def varied_inputs(game: Game, weights: Weights, states: NDArray[Any], generator: np.random.Generator) -> Rows:
    """Return what the net of `game` sees of positions that random turns lead to, as `vary` fills it in.

    Rows, arguments and errors are those of `inputs_of`; turns are drawn by the net of `weights`, if any.
    """
    shape, table = _net_of(game, weights)
    added = generator.choice(MOST_ADDED + 1, len(states), p=CHANCES)
    draws = generator.random((len(states), 2 * MOST_ADDED))
    rules, rows = bound(game), _new_rows(shape, len(states))
    scratch = Scratch(
        np.zeros(1, rules.STATE), np.zeros(rules.MAX_ACTIONS, np.int32), np.zeros(rules.MAX_ACTIONS)
    )
    _run(game, "vary", (states, added, draws), scratch, table, shape.record(weights.net), rows)
    return rows


def values_of(game: Game, weights: Weights, states: NDArray[Any]) -> NDArray[np.int32]:
    """Return the evaluations of positions by `weights` and their net, in centi-points for the side to move.

    Raises OptionError if the game declares no net.
    """
    shape, table = _net_of(game, weights)
    values = np.zeros(len(states), np.int32)
    _run(game, "corrected_values", (states,), table, shape.record(weights.net), values)
    return values


def _run(game: Game, name: str, by_position: tuple[NDArray[Any], ...], *others: Any) -> None:
    """Run a kernel of this module; it is compiled with one position."""
    compiled = getattr(specialise("tengen.tuning.learn.features", bound(game)), name)
    run_step(game, lambda: compiled(*(array[:1] for array in by_position), *others))
    compiled(*by_position, *others)


def _new_rows(shape: Shape, count: int) -> Rows:
    inputs = np.full((count, shape.most), shape.inputs, shape.input_type)
    return Rows(inputs, np.zeros(count, np.int32), np.zeros(count, np.int8))


def _net_of(game: Game, weights: Weights) -> tuple[Shape, NDArray[np.int64]]:
    """Return the shape of the game's net, and the table of the linear evaluation."""
    evaluation = game.evaluation
    if evaluation is None or evaluation.net is None:
        raise OptionError(f"game: expected one whose evaluation has a net, got {game.name}")
    return evaluation.net, evaluation.expand(weights)
