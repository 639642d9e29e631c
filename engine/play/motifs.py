"""Tactical motifs: what a turn does for certain, such as taking pieces, in words.

The module ``motifs`` of a game finds them by its rules alone (see `engine.contract`): no search and no
evaluation is believed.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from tengen.engine.play.position import Position

MAX_TURNS = 4000  # that are looked at to find whether a motif exists
MAX_PLACES = 8  # that are named in words


@dataclass(frozen=True)
class Motif:
    """What a turn does."""

    kind: str  # a short name, such as ``capture`` or ``ladder``
    words: str  # what the turn does, as the end of a sentence: ``captures D4, E4``
    # how much it does: the greater, the better for the side that plays it. Comparable within a kind.
    worth: int
    places: tuple[str, ...] = ()  # the places of the board that it is about
    # whether it follows from the rules alone; otherwise it is a name for a turn, worth telling only if the
    # turn is proven to win
    sure: bool = True
    harm: bool = False  # whether it harms the side that plays the turn
    defends: bool = False  # whether all that it does is to end a threat of the other side


def motifs_of(position: Position, turn: str) -> list[Motif]:
    """Return the motifs of a legal turn, the most important first; none where the game knows none.

    Raises NotationError or IllegalTurnError if the turn cannot be played.
    """
    current = position.current
    if position.awaits_answer or not position.game.offers("motifs"):
        return []
    return list(position.game.module("motifs").motifs(current.state, current.parse_turn(turn)))


def is_available(position: Position, motif: Motif) -> bool:
    """Return whether the side to move has a turn with a motif of this kind that is worth as much.

    Also if that cannot be told, because there are more than `MAX_TURNS` turns.
    """
    current = position.current
    module = position.game.module("motifs")
    for number, actions in enumerate(candidates(current, motif)):
        if number == MAX_TURNS:
            return True
        found = module.motifs(current.state, actions)
        if any(other.kind == motif.kind and other.worth >= motif.worth for other in found):
            return True
    return False


def candidates(position: Position, motif: Motif) -> Iterator[tuple[int, ...]]:
    """Yield the turns that may have `motif`: all, unless the game knows better."""
    module = position.spec.game.module("motifs")
    if hasattr(module, "candidates"):
        yield from module.candidates(position.state, motif)
    else:
        yield from position.turn_actions()


def listed(places: Collection[str]) -> str:
    """Return the names of places in words, at most `MAX_PLACES` of them."""
    named = ", ".join(islice(places, MAX_PLACES))
    return named + (" ..." if len(places) > MAX_PLACES else "")


def counted(number: int, noun: str) -> str:
    """Return a number with a noun: ``1 piece``, ``2 pieces``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def most_important(found: Iterable[Motif]) -> list[Motif]:
    """Return motifs sorted by what they are worth."""
    return sorted(found, key=lambda motif: -motif.worth)
