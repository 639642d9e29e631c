"""Candidates as GTP's analysis commands ask for and report them: the formats of Leela Zero and KataGo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine.errors import IllegalTurnError, NotationError, nearest, quoted
from protocol.numbers import parse_integer
from protocol.session import Refusal
from search.info import Info, Result
from search.limits import MAX_MULTIPV

if TYPE_CHECKING:
    from engine.position import Position

INTERVAL = 100  # centiseconds between two reports when nothing is said
SHORTEST = 1
LONGEST = 10**8


@dataclass
class Request:
    """What an analysis command asks for.

    Attributes
    ----------
    interval : float
        Seconds between two reports.
    least, most : int
        How many candidates to report.
    excluded : set of str
        Turns that are to be neither reported nor played.
    """

    interval: float
    least: int
    most: int = MAX_MULTIPV
    excluded: set[str] = field(default_factory=set)

    @property
    def lines(self) -> int:
        """How many candidates are reported."""
        return min(self.least, self.most)

    @property
    def multipv(self) -> int:
        """How many candidates to search, so that enough are left when the excluded ones are dropped."""
        return min(self.lines + len(self.excluded), MAX_MULTIPV)

    def candidates(self, infos: Iterable[Info]) -> list[Info]:
        """Return what is to be reported of `infos`, the last ones of different turns, best first.

        While an iteration is under way, its lines come before those of the iteration before.
        """
        permitted = [info for info in infos if info.pv[0] not in self.excluded]
        return sorted(permitted, key=lambda info: (-info.depth, info.rank))[: self.lines]

    def permitted(self, position: Position, result: Result) -> Result:
        """Return `result`, of a search of `position`, with the best turn that is not excluded."""
        if result.turn not in self.excluded:
            return result
        if best := self.candidates(result.lines):
            return replace(result, turn=best[0].pv[0], ponder=None)
        turn = next(turn for turn in position.turns() if turn not in self.excluded)
        return replace(result, turn=turn, ponder=None, notice="no turn that is permitted was worth a search")


def parse_request(position: Position, words: list[str], lines: int) -> Request:
    """Return what ``[INTERVAL] [KEY VALUE...]`` asks for.

    Parameters
    ----------
    position : Position
        What is analyzed.
    words : list of str
    lines : int
        How many candidates to report when nothing is said.

    Raises
    ------
    NotationError
        For an unknown key, or a value that it does not take.
    Refusal
        When no turn is left.
    """
    pending = iter(["interval", *words] if words and words[0].isdecimal() else words)
    request = Request(INTERVAL / 100, lines)
    for key in pending:
        if key not in KEYS:
            known = ", ".join(KEYS)
            raise NotationError(f"expected one of {known}, got {quoted(key)}{nearest(key, KEYS)}")
        try:
            KEYS[key](request, position, pending)
        except StopIteration:
            raise NotationError(f"expected more behind {key}") from None
    if request.excluded and request.excluded.issuperset(position.turns()):
        raise Refusal("no turn is left to analyze")
    return request


def _interval(request: Request, position: Position, words: Iterator[str]) -> None:
    centiseconds = parse_integer("interval", next(words), 0, LONGEST)
    request.interval = max(SHORTEST, centiseconds) / 100


def _minmoves(request: Request, position: Position, words: Iterator[str]) -> None:
    request.least = max(request.least, parse_integer("minmoves", next(words), 0, MAX_MULTIPV))


def _maxmoves(request: Request, position: Position, words: Iterator[str]) -> None:
    request.most = parse_integer("maxmoves", next(words), 1)


def _avoid(request: Request, position: Position, words: Iterator[str]) -> None:
    request.excluded |= _named_turns(position, words) or set()


def _allow(request: Request, position: Position, words: Iterator[str]) -> None:
    named = _named_turns(position, words)
    if named is not None:
        request.excluded |= set(position.turns()) - named


def _boolean(request: Request, position: Position, words: Iterator[str]) -> None:
    """Check the value of a key of KataGo's that asks for what alpha-beta does not know."""
    if (word := next(words)) not in ("true", "false"):
        raise NotationError(f"expected true or false, got {quoted(word)}")


KATAGO_KEYS = (
    "ownership",
    "ownershipStdev",
    "movesOwnership",
    "movesOwnershipStdev",
    "pvVisits",
    "pvEdgeVisits",
    "rootInfo",
    "noResultValue",
)
KEYS: dict[str, Callable[[Request, Position, Iterator[str]], None]] = {
    "interval": _interval,
    "minmoves": _minmoves,
    "maxmoves": _maxmoves,
    "avoid": _avoid,
    "allow": _allow,
    **dict.fromkeys(KATAGO_KEYS, _boolean),
}


def _named_turns(position: Position, words: Iterator[str]) -> set[str] | None:
    """Return the legal turns of ``COLOR TURN[,TURN...] UNTIL``; None when they are the opponent's.

    On other than square boards a turn's text may hold a comma, and there is one turn; of the answers to an
    announced turn both may be named.
    """
    side, named = position.spec.game.side(next(words)), next(words)
    active = position.active
    several = active is None or active.spec.game.square
    parse_integer("UNTIL", next(words), 1)
    turns = set()
    for text in named.split(",") if several else [named]:
        try:
            turns.add(position.format(position.parse_turn(text)))
        except IllegalTurnError as error:
            if active is None:
                raise NotationError(str(error)) from None
            continue  # not there to be avoided: a region may be named whole, stones and all
    return turns if side == position.turn else None


def report(style: str, candidates: list[Info], scale: float) -> str:
    """Return the line that reports `candidates`.

    Parameters
    ----------
    style : str
        A key of `FIELDS`.
    candidates : list of Info
        Best first.
    scale : float
        The game's logistic scale.
    """
    fields = FIELDS[style]
    return " ".join(
        f"info move {info.pv[0]} visits {visits(info)} {fields(info, scale)} order {i} pv {' '.join(info.pv)}"
        for i, info in enumerate(candidates)
    )


def visits(info: Info) -> int:
    """Return how often a candidate was visited; positions of the whole search when that is not counted."""
    return info.nodes if info.visits is None else info.visits


def _leela_zero(info: Info, scale: float) -> str:
    """Return the fields in ten-thousandths. Alpha-beta knows neither priors nor a spread."""
    win_rate = round(10_000 * info.win_rate(scale))
    return f"winrate {win_rate} prior 0 lcb {win_rate}"


def katago_values(info: Info, scale: float) -> dict[str, float]:
    """Return what KataGo says of a candidate in numbers, for the side to move, as far as it is known.

    Without a spread the lower bound is the win rate itself. The lead is in points of the game's evaluation
    when the search expects no margin, and missing once a win or a loss is proven.
    """
    win_rate = info.win_rate(scale)
    low = win_rate if info.low is None else info.low
    lead = info.score.value / 100 if info.lead is None else info.lead
    decided = info.lead is None and info.score.end_in is not None
    return {
        "utility": 2 * win_rate - 1,
        "winrate": win_rate,
        **({} if decided else {"scoreMean": lead, "scoreLead": lead}),
        "prior": info.prior or 0.0,
        "lcb": low,
        "utilityLcb": 2 * low - 1,
    }


KATAGO_FORMATS = {"scoreMean": ".2f", "scoreLead": ".2f", "prior": "g"}  # the others are fractions


def _katago(info: Info, scale: float) -> str:
    """Return the fields as fractions and points."""
    values = katago_values(info, scale)
    return " ".join(f"{name} {value:{KATAGO_FORMATS.get(name, '.6f')}}" for name, value in values.items())


FIELDS: dict[str, Callable[[Info, float], str]] = {"lz": _leela_zero, "kata": _katago}
