"""Candidates as GTP's analysis commands ask for and report them: the formats of Leela Zero and KataGo."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tengen.engine.errors import IllegalTurnError, NotationError, nearest, quoted
from tengen.protocol.common.numbers import parse_integer
from tengen.protocol.common.session import Refusal
from tengen.search.info import Info, Result
from tengen.search.limits import MAX_MULTIPV

if TYPE_CHECKING:
    from tengen.engine.position import Position

INTERVAL = 100  # centiseconds between two reports when nothing is said
SHORTEST = 1
LONGEST = 10**8

Key = Callable[["Request", "Position", Iterator[str]], None]


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
    extras : set of str
        What else to say, by KataGo's keys.
    """

    interval: float
    least: int
    most: int = MAX_MULTIPV
    excluded: set[str] = field(default_factory=set)
    extras: set[str] = field(default_factory=set)

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

        While an iteration is under way, its lines come before those of the iteration before. Simulations have
        no iterations: all candidates are reported at a time, and those of the last report alone are good.
        """
        infos = list(infos)
        latest = max((info.seconds for info in infos if info.visits is not None), default=None)
        if latest is not None:
            infos = [info for info in infos if info.seconds == latest]
        permitted = [info for info in infos if info.pv[0] not in self.excluded]

        def order(info: Info) -> tuple[int, int]:
            return (-info.depth if latest is None else 0, info.rank)

        return sorted(permitted, key=order)[: self.lines]

    def permitted(self, position: Position, result: Result) -> Result:
        """Return `result`, of a search of `position`, with the best turn that is not excluded."""
        if result.turn not in self.excluded:
            return result
        if best := self.candidates(result.lines):
            return replace(result, turn=best[0].pv[0], ponder=None)
        turn = next(turn for turn in position.turns() if turn not in self.excluded)
        return replace(result, turn=turn, ponder=None, notice="no turn that is permitted was worth a search")


class Findings:
    """What a search reports while it runs: put in by its thread, looked at by others.

    The candidates of one report by simulations are seen together, once all of them are there.
    """

    def __init__(self) -> None:
        self._lines: dict[str, Info] = {}  # by first turn
        self._whole: list[Info] = []  # the last report by simulations that is known to be whole

    @property
    def infos(self) -> list[Info]:
        """The last ones of different turns."""
        return self._whole or list(self._lines.values())

    def add(self, info: Info) -> None:
        """Take note of one line."""
        if info.visits is not None and info.rank == 1:
            self._whole, self._lines = list(self._lines.values()), {}
        self._lines[info.pv[0]] = info

    def finish(self, result: Result) -> None:
        """Take note of the end: what simulations have come to is known only then."""
        if result.lines and result.lines[0].visits:
            self._whole = list(result.lines)


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


def _extra(key: str) -> Key:
    """Return what takes in a key of KataGo's that asks for something more, ``true`` or ``false``."""

    def take(request: Request, position: Position, words: Iterator[str]) -> None:
        if (word := next(words)) not in ("true", "false"):
            raise NotationError(f"expected true or false, got {quoted(word)}")
        request.extras -= {key}
        if word == "true":
            request.extras |= {key}

    return take


OWNERSHIP, ROOT_INFO = "ownership", "rootInfo"
UNKNOWN = (
    "ownershipStdev",
    "movesOwnership",
    "movesOwnershipStdev",
    "pvVisits",
    "pvEdgeVisits",
    "noResultValue",
)
KEYS: dict[str, Key] = {
    "interval": _interval,
    "minmoves": _minmoves,
    "maxmoves": _maxmoves,
    "avoid": _avoid,
    "allow": _allow,
    **{key: _extra(key) for key in (OWNERSHIP, ROOT_INFO, *UNKNOWN)},
}


def _named_turns(position: Position, words: Iterator[str]) -> set[str] | None:
    """Return the legal turns of ``COLOR TURN[,TURN...] UNTIL``; None when they are the opponent's.

    Where the text of a turn may hold a comma, there is one turn; of the answers to an announced turn both may
    be named.
    """
    side, named = position.spec.game.side(next(words)), next(words)
    active = position.active
    several = active is None or not active.spec.game.commas
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


def report(style: str, candidates: list[Info], scale: float, extras: Collection[str] = ()) -> str:
    """Return the line that reports `candidates`.

    Parameters
    ----------
    style : str
        A key of `FIELDS`.
    candidates : list of Info
        Best first, at least one.
    scale : float
        The game's logistic scale.
    extras : collection of str
        Which of `OWNERSHIP` and `ROOT_INFO` to add, as far as they are known; in KataGo's style only.
    """
    fields, best = FIELDS[style], candidates[0]
    words = [
        f"info move {info.pv[0]} visits {visits(info)} {fields(info, scale)} order {i} pv {' '.join(info.pv)}"
        for i, info in enumerate(candidates)
    ]
    if style == KATAGO and ROOT_INFO in extras:
        words.append(f"rootInfo visits {_root_visits(candidates)} {_katago(best, scale, ROOT_FIELDS)}")
    if style == KATAGO and OWNERSHIP in extras and best.ownership:
        words.append(f"ownership {' '.join(f'{owner:.3f}' for owner in best.ownership)}")
    return " ".join(words)


def _root_visits(candidates: list[Info]) -> int:
    """Return how often the root was visited, by earlier searches too if their tree was kept."""
    return max(candidates[0].nodes, sum(info.visits or 0 for info in candidates))


def visits(info: Info) -> int:
    """Return how often a candidate was visited; positions of the whole search when that is not counted."""
    return info.nodes if info.visits is None else info.visits


def _leela_zero(info: Info, scale: float) -> str:
    """Return the fields in ten-thousandths."""
    values = katago_values(info, scale)
    return " ".join(f"{name} {round(10_000 * values[name])}" for name in ("winrate", "prior", "lcb"))


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
ROOT_FIELDS = ("utility", "winrate", "scoreMean", "scoreLead")


def _katago(info: Info, scale: float, names: Collection[str] = ()) -> str:
    """Return the fields as fractions and points, those in `names` if there are any."""
    values = katago_values(info, scale).items()
    return " ".join(
        f"{name} {value:{KATAGO_FORMATS.get(name, '.6f')}}"
        for name, value in values
        if not names or name in names
    )


LEELA_ZERO, KATAGO = "lz", "kata"
FIELDS: dict[str, Callable[[Info, float], str]] = {LEELA_ZERO: _leela_zero, KATAGO: _katago}
