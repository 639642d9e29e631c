"""Functions of a user that evaluate positions for searches, many at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine.errors import OptionError, argument_error
from tengen.engine.game import Game
from tengen.engine.spec import GameSpec
from tengen.search.batch import Batch

Numbers = NDArray[np.float32]
Evaluate = Callable[[Numbers, NDArray[np.bool_]], tuple[Any, Any]]
EvaluateValues = Callable[[Numbers, NDArray[np.bool_]], Any]  # values alone, or as `Evaluate`


class Evaluator:
    """Asks a function about positions of a spec, and checks what it returns."""

    def __init__(self, spec: GameSpec | Game | str, evaluate: EvaluateValues) -> None:
        from tengen.engine.arrays import action_space

        self.spec = GameSpec.of(spec)
        if self.spec.challenge:
            raise OptionError(f"search: expected a game without challenges, got {self.spec}")
        if not callable(evaluate):
            raise argument_error(evaluate, "evaluate", "a function")
        self.space = action_space(self.spec)
        self._evaluate = evaluate

    def policy_and_values(self, states: NDArray[Any]) -> tuple[Numbers, Numbers]:
        """Return the logits of the policy and the values of states of kernels."""
        masks, found = self._ask(states)
        try:
            policy, value = found
        except (TypeError, ValueError):
            raise argument_error(found, "evaluate", "a policy and values as its result") from None
        logits, values = (np.ascontiguousarray(each, np.float32) for each in (policy, value))
        shapes = masks.shape, (len(states),)
        if (logits.shape, values.shape) != shapes:
            got = f"{logits.shape} and {values.shape}"
            raise OptionError(f"evaluate: expected arrays of shapes {shapes[0]} and {shapes[1]}, got {got}")
        if not np.isfinite(logits[masks]).all():
            raise OptionError("evaluate: expected finite numbers for all legal actions, got others")
        _require_bounds(values)
        return logits, values

    def values(self, states: NDArray[Any]) -> Numbers:
        """Return the values of states of kernels, which the function returns with a policy or alone."""
        found = self._ask(states)[1]
        values = np.asarray(found[1] if isinstance(found, tuple) and len(found) == 2 else found, np.float32)
        if values.shape != (len(states),):
            raise OptionError(f"evaluate: expected values of shape {(len(states),)}, got {values.shape}")
        _require_bounds(values)
        return values

    def _ask(self, states: NDArray[Any]) -> tuple[NDArray[np.bool_], Any]:
        """Return which actions are legal, and what the function returns."""
        masks = Batch.of_states(self.spec, states, threads=1).legal_mask()
        return masks, self._evaluate(self.space.observe(states), masks)


def _require_bounds(values: Numbers) -> None:
    """Raise OptionError unless all values are from -1 to 1."""
    if wrong := values[~(np.abs(values) <= 1)].tolist():
        raise OptionError(f"evaluate: expected values from -1 to 1, got {wrong[0]:g}")
