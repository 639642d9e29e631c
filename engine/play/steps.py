"""Turns in steps: what can be chosen next while a turn is put together, by pointing at places or by name.

A step is an action of the turn. The module ``steps`` of a game says how its actions are pointed at (see
`engine.contract`). All choices are legal, and every legal turn can be put together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tengen.engine.errors import IllegalTurnError, NotationError
from tengen.engine.game import Game, Outcome
from tengen.engine.play.turns import legal_actions

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

MAX_STEPS = 64  # of a turn: more than any has


@dataclass(frozen=True)
class Choice:
    """One thing that can be chosen."""

    label: str  # what it is, in words
    # places to point at, one after another; several paths lead to the same. Empty if it is chosen by its
    # label only.
    paths: tuple[tuple[str, ...], ...] = ()
    # the places of the pieces that it takes, for choices that differ in what is taken; None otherwise
    taken: tuple[str, ...] | None = None
    warning: str = ""  # what it gives up for the rest of the game, in a sentence; empty if nothing


@dataclass(frozen=True)
class Stage:
    """A turn as far as it has been put together."""

    state: Any  # the state of the game that is being played, with the steps so far
    chosen: tuple[int, ...]  # the actions so far, those without an alternative included
    choices: dict[int, Choice]  # what can be chosen next, by action; empty once the turn is complete
    turn: str = ""  # the complete turn; empty before that


def stage(position: Position, chosen: Sequence[int] = ()) -> Stage:
    """Return what can be chosen in `position` after the actions `chosen`.

    An action without an alternative is taken at once, but for the first one of a turn. Raises
    IllegalTurnError if the actions are not legal.
    """
    if position.awaits_answer:
        return _answers(position, chosen)
    state = position.current.state.copy()
    taken: list[int] = []
    game, over = position.game, position.outcome() != Outcome.ONGOING
    rules = game.rules
    legal = [] if over else legal_actions(rules, state)
    pending = list(chosen)
    while pending or (taken and len(legal) == 1):
        action = pending.pop(0) if pending else legal[0]
        if action not in legal or len(taken) == MAX_STEPS:
            raise IllegalTurnError(str(action), f"expected one of {len(legal)} steps")
        rules.do_move(state, action)
        taken.append(action)
        legal = legal_actions(rules, state) if state.partial else []
        if not legal and pending:
            raise IllegalTurnError(str(pending[0]), "the turn is complete")
    if taken and not legal:
        return Stage(state, tuple(taken), {}, position.format(tuple(taken)))
    if game.offers("steps"):
        choices = dict(game.module("steps").choices(state, legal))
    elif state.partial:
        choices = {action: Choice(f"step {number}") for number, action in enumerate(legal, 1)}
    else:
        choices = {action: Choice(position.current.format((action,))) for action in legal}
    return Stage(state, tuple(taken), choices)


def _answers(position: Position, chosen: Sequence[int]) -> Stage:
    """Return the turns of a position in which no game is played: answers to an announced turn, or results."""
    turns = {actions[0]: position.format(actions) for actions in position.turn_actions()}
    if not chosen:
        return Stage(position.state, (), {action: Choice(turn) for action, turn in turns.items()})
    if len(chosen) > 1 or chosen[0] not in turns:
        raise IllegalTurnError(str(chosen[0]), f"expected {' or '.join(turns.values())}")
    return Stage(position.state, tuple(chosen), {}, turns[chosen[0]])


def _none(*_: Any) -> list[Any]:
    return []


def _own(game: Game, name: str) -> Callable[..., Any]:
    """Return a function of the game's module ``steps``; one that says nothing if there is none."""
    return getattr(game.module("steps"), name, _none) if game.offers("steps") else _none


def contents(game: Game, state: Any) -> dict[str, str]:
    """Return what stands on each place that is not empty, in words; nothing if the game does not say."""
    return dict(_own(game, "contents")(state))


def descriptions(game: Game, state: Any, places: Iterable[str]) -> dict[str, str]:
    """Return `contents`, and what else is to be said of `places`: those beside the board, and those gone."""
    if not game.offers("steps"):
        return {}
    module = game.module("steps")
    beside, gone = getattr(module, "NAMES_BESIDE", {}), getattr(module, "GONE", "")
    left = set(module.removable_places(state)) if gone else set(places)
    words = {place: beside.get(place, "" if place in left else gone) for place in places}
    return {**{place: text for place, text in words.items() if text}, **contents(game, state)}


@dataclass(frozen=True)
class Effects:
    """What a turn has done, for people."""

    moved: tuple[tuple[str, str], ...] = ()  # pieces that have moved: from where, and where to, in order
    # places where pieces have come into play, and where pieces have left the board
    placed: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()  # places that have left the board themselves
    verb: str = ""  # what has been done to the pieces taken: ``captured``, ``cut off``


def prompts(position: Position, state: Any) -> list[str]:
    """Return what to do next in `state`, a turn as far as it is: a sentence for each place to point at."""
    return [] if position.awaits_answer else list(_own(position.game, "prompts")(state))


def ending(position: Position, dead: Iterable[str] = ()) -> tuple[str, tuple[str, ...]]:
    """Return why a game is over, in words, and the places of what has won, as far as the game says.

    `dead` are the vertices of the dead stones, in games that end by agreement.
    """
    game = position.spec.game
    if (reason := position.end_reason()) or not position.is_over():
        return reason, ()
    said = _own(game, "ending")(position.state, *([dead] if game.ends_by_agreement else []))
    words, places = said or ("", ())
    return words, tuple(places)


def refusal(position: Position, state: Any, places: Sequence[str]) -> str:
    """Return why `places`, pointed at in turn, choose nothing in `state`, a turn as far as it is."""
    if position.awaits_answer:
        return f"expected {' or '.join(position.turns())}"
    game = position.current.spec.game
    said = _own(game, "refusal")(state, places) or objection(game.text.parse_turn, state, "".join(places))
    return str(said or f"{places[-1]} cannot be chosen now")


def objection(parse_turn: Callable[[Any, str], object], state: Any, turn: str) -> str:
    """Return why the rules refuse a turn, with their number; empty if they do not, or if it is none."""
    try:
        parse_turn(state, turn)
    except IllegalTurnError as error:
        return error.reason
    except NotationError:
        pass
    return ""


def effects(position: Position, text: str) -> Effects:
    """Return what the legal turn `text` does in `position`; nothing where no game is played."""
    current, game = position.current, position.game
    if position.awaits_answer or not game.offers("steps"):
        return Effects()
    module, rules = game.module("steps"), game.rules
    state = current.state.copy()
    standing = set(module.contents(state))
    moved: list[tuple[str, str]] = []
    for action in current.parse_turn(text):
        for source, target in _own(game, "moves")(state, action):
            moved.append((source, target))
            standing.discard(source)
            standing.add(target)
        rules.do_move(state, action)
    after = set(module.contents(state))
    removable = _own(game, "removable_places")
    gone = set(removable(current.state)) - set(removable(state))
    return Effects(
        tuple(moved),
        tuple(sorted(after - standing)),
        tuple(sorted(standing - after)),
        tuple(sorted(gone)),
        module.VERB,
    )
