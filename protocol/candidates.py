"""Candidate moves, as requested and reported by analysis commands of Leela Zero and KataGo."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from tengen.engine.errors import IllegalTurnError, NotationError, nearest, quoted
from tengen.protocol.errors import CommandError
from tengen.protocol.numbers import parse_integer
from tengen.protocol.output import print_notice
from tengen.search.info import Info, Result
from tengen.search.limits.limit import MAX_MULTIPV, MAX_PLIES, Limit, Restriction

if TYPE_CHECKING:
    from tengen.engine.play.position import Position
    from tengen.protocol.session import Session

INTERVAL = 100  # default time between two reports, centiseconds
MIN_INTERVAL = 1
MAX_TURN_SECONDS = 10**8
MAX_VISITS = 1 << 40  # more than any search has


@dataclass
class AnalyzeRequest:
    """The arguments of an analysis command."""

    interval: float  # seconds between two reports
    min_moves: int  # bounds on the number of candidates to report
    max_moves: int = MAX_MULTIPV
    searchmoves: tuple[str, ...] = ()  # the only turns to search, as in `Limit`; empty for all
    restrictions: tuple[Restriction, ...] = ()  # as in `Limit`
    extras: set[str] = field(default_factory=set)  # KataGo's keys for additional fields

    @property
    def lines(self) -> int:
        """The number of candidates to report."""
        return min(self.min_moves, self.max_moves)

    def restrict(self, restriction: Restriction, position: Position, legal: Collection[str]) -> None:
        """Heed a restriction, given those of its turns that are legal.

        Raises CommandError if no turn is left.
        """
        if restriction.depth > 1:
            self.restrictions += (restriction,)
        if restriction.side == position.side_to_move and (legal or restriction.only_these):
            turns = self.searchmoves or position.turns()
            self.searchmoves = tuple(turn for turn in turns if (turn in legal) == restriction.only_these)
            if not self.searchmoves:
                raise CommandError("no turn is left to analyze")

    def limits(self, limits: Limit) -> Limit:
        """Return `limits` with the turns restricted as requested."""
        return replace(limits, searchmoves=self.searchmoves, restrictions=self.restrictions)

    def candidates(self, infos: Iterable[Info]) -> list[Info]:
        """Return the candidates to report, best first, of the lines of one iteration."""
        return sorted(infos, key=lambda info: info.rank)[: self.lines]


class SearchReports:
    """Collects the reports of a running search; written by its thread, read by others.

    The candidates of one report by MCTS, or of one iteration by alpha-beta, become visible together, once all
    of them are known. Values of different iterations cannot be compared.
    """

    def __init__(self) -> None:
        self._lines: dict[str, Info] = {}  # of the report or iteration that goes on, by first turn
        self._whole: list[Info] = []  # the last complete one

    @property
    def infos(self) -> list[Info]:
        """The candidates; until all of them are known once, those found so far."""
        return self._whole or list(self._lines.values())

    def add(self, info: Info) -> None:
        """Add one line."""
        if info.visits is not None:
            begins_anew = info.rank == 1
        else:
            begins_anew = any(line.depth != info.depth for line in self._lines.values())
        if begins_anew:  # another report or iteration
            self._whole = [line for line in self._lines.values() if not line.bound] or self._whole
            self._lines = {}
        self._lines = {
            turn: line for turn, line in self._lines.items() if not (line.bound and line.rank == info.rank)
        }
        self._lines[info.pv[0]] = info

    def finish(self, result: Result) -> None:
        """Add the result: which candidates count, and the final counts of MCTS, are known only then."""
        if result.lines:
            self._whole = list(result.lines)


def parse_request(position: Position, words: list[str], lines: int) -> AnalyzeRequest:
    """Parse ``[INTERVAL] [KEY VALUE...]`` for a position; `lines` candidates are reported by default.

    Raises NotationError for an unknown key, or a value that it does not accept; CommandError if all turns are
    avoided.
    """
    pending = iter(["interval", *words] if words and words[0].isdecimal() else words)
    request = AnalyzeRequest(INTERVAL / 100, lines)
    for key in pending:
        if key not in KEYS:
            known = ", ".join(KEYS)
            raise NotationError(f"expected one of {known}, got {quoted(key)}{nearest(key, KEYS)}")
        try:
            _take(request, position, key, pending)
        except StopIteration:
            raise NotationError(f"expected a value after {key}") from None
    return request


def _take(request: AnalyzeRequest, position: Position, key: str, words: Iterator[str]) -> None:
    """Heed a key with its values, the next of `words`."""
    if key == "interval":
        request.interval = max(MIN_INTERVAL, parse_integer(key, next(words), 0, MAX_TURN_SECONDS)) / 100
    elif key == "minmoves":
        request.min_moves = max(request.min_moves, parse_integer(key, next(words), 0, MAX_MULTIPV))
    elif key == "maxmoves":
        request.max_moves = parse_integer(key, next(words), 1)
    elif key in ("avoid", "allow"):
        side, named = position.spec.game.side(next(words)).number, next(words)
        several = position.awaits_answer or not position.current.spec.game.commas  # else a turn may hold one
        depth = parse_integer("UNTIL", next(words), 1, MAX_PLIES)
        turns = tuple(named.split(",") if several else [named])
        restriction = Restriction(side, turns, key == "allow", depth)
        request.restrict(restriction, position, legal_turns(position, turns))
    else:
        if (word := next(words)) not in ("true", "false"):
            raise NotationError(f"expected true or false, got {quoted(word)}")
        request.extras -= {key}
        request.extras |= {key} if word == "true" else set()


def legal_turns(position: Position, texts: Iterable[str], lenient: bool = False) -> set[str]:
    """Return the canonical texts of those turns that are legal: a region may be named whole.

    Raises NotationError if a text is no turn, unless `lenient`; in games with challenges also if the turn is
    illegal.
    """
    turns = set()
    for text in texts:
        try:
            turns.add(position.format(position.parse_turn(text)))
        except (NotationError, IllegalTurnError) as error:
            if not lenient and (isinstance(error, NotationError) or position.awaits_answer):
                raise NotationError(str(error)) from None
    return turns


OWNERSHIP, MOVES_OWNERSHIP, ROOT_INFO, PV_VISITS = "ownership", "movesOwnership", "rootInfo", "pvVisits"
UNKNOWN = ("ownershipStdev", "movesOwnershipStdev", "pvEdgeVisits", "noResultValue")
SWITCHES = (OWNERSHIP, MOVES_OWNERSHIP, ROOT_INFO, PV_VISITS, *UNKNOWN)  # KataGo's, for additional fields
KEYS = ("interval", "minmoves", "maxmoves", "avoid", "allow", *SWITCHES)


def report(
    style: str,
    candidates: list[Info],
    scale: float,
    extras: Collection[str] = (),
    owners: Mapping[str, Sequence[float]] = MappingProxyType({}),
) -> str:
    """Return the line that reports `candidates`, best first, in a style of `FIELDS`.

    `scale` is the game's logistic scale. What `extras` names is added if it is known, in KataGo's style only;
    `owners` are those of the points after candidates, by turn.
    """
    fields, best, counted = FIELDS[style], candidates[0], style == KATAGO and PV_VISITS in extras
    words = [
        f"info move {info.pv[0]} visits {visits(info)} {fields(info, scale)} order {i} pv {' '.join(info.pv)}"
        + (f" pvVisits {' '.join(map(str, info.pv_visits))}" if counted and info.pv_visits else "")
        + (f" {MOVES_OWNERSHIP} {_owners_text(owners[info.pv[0]])}" if info.pv[0] in owners else "")
        for i, info in enumerate(candidates)
    ]
    if style == KATAGO and ROOT_INFO in extras:
        known = max(best.nodes, sum(info.visits or 0 for info in candidates))  # also of a tree that was kept
        words.append(f"rootInfo visits {known} {_katago(best, scale, ROOT_FIELDS)}")
    if style == KATAGO and OWNERSHIP in extras and best.ownership:
        words.append(f"{OWNERSHIP} {_owners_text(best.ownership)}")
    return " ".join(words)


def _owners_text(owners: Iterable[float]) -> str:
    return " ".join(f"{owner:.3f}" for owner in owners)


def visits(info: Info) -> int:
    """Return the visits of a candidate; without MCTS, the nodes of the whole search."""
    return info.nodes if info.visits is None else info.visits


def _leela_zero(info: Info, scale: float) -> str:
    """Return the fields, in ten-thousandths."""
    values = katago_values(info, scale)
    return " ".join(f"{name} {round(10_000 * values[name])}" for name in ("winrate", "prior", "lcb"))


def katago_values(info: Info, scale: float) -> dict[str, float]:
    """Return KataGo's numeric fields of a candidate, for the side to move.

    ``lcb`` is the win rate if no deviation is known. ``scoreLead`` is the evaluation in points if the search
    predicts no margin, and omitted once a win or a loss is proven.
    """
    win_rate = info.win_rate(scale)
    low = win_rate if info.low is None else info.low
    lead = info.score.value / 100 if info.lead is None else info.lead
    decided = info.lead is None and info.score.turns_to_win is not None
    return {
        "utility": 2 * win_rate - 1,
        "winrate": win_rate,
        **({} if decided else {"scoreMean": lead, "scoreLead": lead}),
        "prior": info.prior or 0.0,
        "lcb": low,
        "utilityLcb": 2 * low - 1,
    }


KATAGO_FORMATS = {"scoreMean": ".2f", "scoreLead": ".2f", "prior": "g"}  # all others are fractions
ROOT_FIELDS = ("utility", "winrate", "scoreMean", "scoreLead")


def _katago(info: Info, scale: float, names: Collection[str] = ()) -> str:
    """Return the fields as fractions and points, restricted to `names` if given."""
    values = katago_values(info, scale).items()
    return " ".join(
        f"{name} {value:{KATAGO_FORMATS.get(name, '.6f')}}"
        for name, value in values
        if not names or name in names
    )


LEELA_ZERO, KATAGO = "lz", "kata"
FIELDS: dict[str, Callable[[Info, float], str]] = {LEELA_ZERO: _leela_zero, KATAGO: _katago}


def owners_after(
    session: Session,
    position: Position,
    request: AnalyzeRequest,
    candidates: Sequence[Info],
    stopped: Callable[[], bool] = lambda: False,
    most: int = MAX_VISITS,
) -> dict[str, tuple[float, ...]]:
    """Return the owners of the points after each candidate, by turn, as far as the search knows them.

    The simulations of a search, which must have ended, are counted for all candidates together. So each is
    searched alone, with as many simulations as it has had, `most` at most, until it is `stopped`.
    """
    found: dict[str, tuple[float, ...]] = {}
    for info in candidates if candidates and candidates[0].ownership else ():
        if stopped():
            break
        limits = request.limits(Limit(nodes=max(1, min(visits(info), most))))
        session.go(position, replace(limits, searchmoves=(info.pv[0],)), on_notice=print_notice)
        if stopped():  # before the search could be stopped
            session.stop()
        result = session.wait()
        if result and result.lines and result.lines[0].ownership:
            found[info.pv[0]] = result.lines[0].ownership
    return found
