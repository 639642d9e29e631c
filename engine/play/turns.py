"""Enumerating the complete turns of a position."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tengen.engine.game import Outcome

if TYPE_CHECKING:
    from tengen.engine.contract import RequiredRules, Rules
    from tengen.engine.modules import Text

MAX_COMPARED = 2_000  # turns that `best_turn` looks at: some milliseconds
NO_ACTION = -1  # in arrays, behind the last action of a turn
WON = 10**9  # beyond all static evaluations


def legal_actions(rules: RequiredRules, state: Any, generate: Callable[..., int] | None = None) -> list[int]:
    """Return the legal actions of a state, in the order of ``generate``; or those that another one lists."""
    import numpy as np  # here, as in `history`

    actions = np.zeros(rules.MAX_ACTIONS, np.int32)
    return list(actions[: (generate or rules.generate)(state, actions)].tolist())


def without_padding(turn: Iterable[int]) -> tuple[int, ...]:
    """Return the actions of a turn; rows of an array have `NO_ACTION` behind them, tuples have nothing."""
    if isinstance(turn, tuple):
        return turn
    actions = tuple(map(int, turn))
    return actions[: actions.index(NO_ACTION)] if NO_ACTION in actions else actions


def turn_sequences(
    rules: RequiredRules, state: Any, generate: Callable[..., int] | None = None
) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Yield every complete turn, as its actions and the state after it; for the order see `legal_actions`.

    The state is at the beginning of the turn, or any within it.
    """
    for action in legal_actions(rules, state, generate):
        child = state.copy()
        rules.do_move(child, action)
        if child.partial:
            for rest, end in turn_sequences(rules, child, generate):
                yield (action, *rest), end
        else:
            yield (action,), child


def groups(rules: RequiredRules, text: Text, state: Any) -> dict[int, tuple[int, ...]]:
    """Return the keys after the turns that differ in details only, by the key after each of them.

    Details are what ``text.without_details`` leaves out.
    """
    alike: dict[str, list[int]] = {}
    for actions, after in turn_sequences(rules, state):
        alike.setdefault(text.without_details(text.format_turn(state, actions)), []).append(int(after.key))
    return {key: tuple(keys) for keys in alike.values() for key in keys}


def first_turn(rules: RequiredRules, state: Any, actions: Sequence[int]) -> tuple[Sequence[int], int | None]:
    """Return the first turn that `actions` complete and the key after it; all and None without any."""
    state = state.copy()
    for number, action in enumerate(actions, 1):
        rules.do_move(state, action)
        if not state["partial"]:
            return actions[:number], int(state["key"])
    return actions, None


def best_turn(rules: Rules, evaluation: ModuleType, state: Any) -> tuple[int, ...]:
    """Return the turn after which the static evaluation is best for the side to move, as its actions.

    Only candidates are compared, and of many only the first `MAX_COMPARED`. The state may be within the turn.
    The rules must have defaults, as in `search.binding`.
    """
    side, best, chosen = state.side_to_move, -math.inf, tuple[int, ...]()
    for actions, after in islice(turn_sequences(rules, state, rules.generate_candidates), MAX_COMPARED):
        result = Outcome(rules.outcome(after))
        if result == Outcome.ONGOING:
            value = int(evaluation.evaluate(after)) * (1 if after.side_to_move == side else -1)
        elif result == Outcome.DRAW:
            value = 0
        else:
            value = WON if result - Outcome.FIRST_WINS == side else -WON
        if value > best:
            best, chosen = value, actions
    return chosen


def finish_turn(rules: Rules, state: Any) -> list[int]:
    """Finish the turn of `state` by actions of the highest priority, in place; return them.

    Of several such actions it takes the middle one of the list, the centre on an empty board. The rules must
    have defaults, as in `search.binding`.
    """
    actions: list[int] = []
    import numpy as np

    listed = np.zeros(rules.MAX_ACTIONS, np.int32)
    while state.partial or not actions:
        candidates = listed[: rules.generate_candidates(state, listed)].tolist()
        priorities = [int(rules.priority(state, action)) for action in candidates]
        highest = max(priorities)
        best = [action for action, most in zip(candidates, priorities, strict=True) if most == highest]
        actions.append(best[(len(best) - 1) // 2])
        rules.do_move(state, actions[-1])
    return actions
