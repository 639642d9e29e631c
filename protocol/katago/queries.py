"""Queries of KataGo's analysis engine: what to search, how long, and what to report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.engine.errors import IllegalTurnError, NotationError, OptionError, quoted
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import int_in_range, option, positive_seconds, switch
from tengen.protocol.engine_options import SearchOptions
from tengen.protocol.fields import MAX_COUNT, FieldError, Fields, field_errors
from tengen.protocol.katago.rules import spec_with_rules, usual_komi
from tengen.protocol.numbers import MAX_SECONDS, parse_integer, parse_number
from tengen.protocol.session import as_side_to_move
from tengen.search.limits.limit import (
    MAX_DEPTH,
    MAX_LEVEL,
    MAX_MULTIPV,
    MAX_PLIES,
    MAX_THREADS,
    Limit,
    Restriction,
)

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

DEFAULT_GAME = "go"
BLACKS, WHITES, SIDE_TO_MOVE = PERSPECTIVES = ("black", "white", "side")
PERSPECTIVE_SETTINGS = {"BLACK": BLACKS, "WHITE": WHITES, "SIDETOMOVE": SIDE_TO_MOVE}
SETTINGS = ("reportAnalysisWinratesAs", "maxVisits", "maxTime")  # of overrideSettings
MAX_PRIORITY = 1 << 62
MAX_PV = 1000
MAX_POINTS = 1000  # on a side; the games have their own limits
MIN_INTERVAL, MAX_TURN_SECONDS = 0.001, 10**6  # seconds

# Features of KataGo that tengen lacks: a request is answered with a warning.
UNKNOWN_SWITCHES = (
    "includeOwnershipStdev",
    "includeMovesOwnershipStdev",
    "includeNoResultValue",
)
UNKNOWN_NUMBERS = ("rootPolicyTemperature", "rootFpuReductionMax")


@dataclass(frozen=True, kw_only=True)
class AnalysisOptions(SearchOptions):
    """The options of ``tengen analysis``, for all queries."""

    game: str = option(
        f"game of queries that do not name one (default {DEFAULT_GAME})", "SPEC", default=DEFAULT_GAME
    )
    perspective: str = option(
        f"point of view of win rates and leads: {', '.join(PERSPECTIVES)} to move (default {BLACKS})",
        choices=PERSPECTIVES,
        default=BLACKS,
    )
    time: float = option(
        "seconds for a turn whose query sets no limit (default 1)", "S", positive_seconds, default=1.0
    )
    multipv: int = option(
        "number of different moves to report (default 10)", "K", int_in_range(1, MAX_MULTIPV), default=10
    )
    parallel: int = option(
        "number of turns to analyze at once, each with its own threads and table (default 1)",
        "N",
        int_in_range(1, MAX_THREADS),
        default=1,
    )
    quit_without_waiting: bool = switch("drop unanswered queries when the input ends")


@dataclass(frozen=True)
class Query:
    """A parsed query."""

    id: str
    position: Position  # after all turns; never changed
    priorities: dict[int, int]  # the priority of each turn to analyze, by number
    limits: Limit  # for one position
    perspective: str  # point of view of win rates and leads, one of `PERSPECTIVES`
    restrictions: tuple[Restriction, ...]
    pv_length: int | None  # maximum length of a line of play; None for no limit
    # whether to report the expected owner of each point, also after each candidate, the policy, and the
    # visits along each line
    ownership: bool
    moves_ownership: bool
    policy: bool
    pv_visits: bool
    # seconds until the first report during the search, and between two; None for no reports
    first_report: float | None
    interval: float | None

    def at(self, turn: int) -> Position:
        """Return the position after `turn` turns, with its history."""
        position = self.position.copy()
        while len(position.turns_played) > turn:
            position.pop()
        return position


class QueryParser:
    """Parses one query, whose game is `default` if it does not name one."""

    def __init__(self, fields: Fields, default: GameSpec, options: AnalysisOptions) -> None:
        self.warnings: list[tuple[str, str]] = []  # ignored fields, and why
        self._fields = fields
        self._default = default
        self._options = options
        self._overridden: dict[str, str] = {}

    def read(self, id_: str) -> Query:
        """Return the parsed query; raise FieldError for the first field with a wrong value."""
        fields = self._fields
        spec = self._spec()
        moves = fields.pairs("moves")
        if moves is None:
            fields.reject("moves", 'a list of pairs such as ["B","D4"], empty for none')
        priorities = self._priorities(len(moves))
        self._read_overrides()
        pv_length = fields.integer("analysisPVLen", 1, MAX_PV)
        first_report, interval = self._reports()
        query = Query(
            id=id_,
            priorities=priorities,
            limits=self._limits(spec),
            perspective=self._perspective(),
            pv_length=None if pv_length is None else pv_length + 1,
            ownership=fields.boolean("includeOwnership"),
            moves_ownership=fields.boolean("includeMovesOwnership"),
            policy=fields.boolean("includePolicy"),
            pv_visits=fields.boolean("includePVVisits"),
            first_report=first_report,
            interval=interval,
            restrictions=self._restrictions(spec),
            position=self._position(spec, moves),
        )
        asked = [name for name in UNKNOWN_SWITCHES if fields.boolean(name)]
        asked += [name for name in UNKNOWN_NUMBERS if fields.number(name, 0, 100) is not None]
        self.warnings += [(name, f"{name}: not supported") for name in asked]
        _check_restrictions(query.restrictions, query.position)
        self.warnings += [(name, f"{name}: unknown field{meant}") for name, meant in fields.unused().items()]
        return query

    # ----------------------------------------------------------------------------------------- what is played

    def _spec(self) -> GameSpec:
        """Return the game with its size, rules and komi."""
        fields = self._fields
        spec, named = self._default, fields.text("game")
        if named is not None:
            with field_errors("game"):
                spec = GameSpec.parse(named)
        if not spec.game.offers("katago"):
            names = [name for name in ("rules", "komi", "whiteHandicapBonus") if name in fields]
            self.warnings += [(name, f"{name}: {spec.game.title} has none") for name in names]
            return self._with_board_size(spec, optional=True)
        optional = named is not None or str(spec) != spec.game.name  # else required, as in KataGo
        return self._with_rules(self._with_board_size(spec, optional), optional)

    def _with_board_size(self, spec: GameSpec, optional: bool) -> GameSpec:
        """Return `spec` with the board size of the query."""
        x, y = (self._fields.integer(name, 1, MAX_POINTS) for name in ("boardXSize", "boardYSize"))
        if optional and x is None and y is None:
            return spec
        if x is None:
            self._fields.reject("boardXSize", "a whole number")
        if x != y:
            self._fields.reject("boardYSize", f"{x}, as boardXSize")
        with field_errors("boardXSize"):
            return spec.with_option("size", x)

    def _with_rules(self, spec: GameSpec, optional: bool) -> GameSpec:
        """Return `spec` with the rules and the komi of the query."""
        fields = self._fields
        expected = "the name of rules such as tromp-taylor, or an object"
        rules = fields.value("rules", expected, (str, dict))
        if rules is None and not optional:
            fields.reject("rules", expected)
        if rules is not None:
            with field_errors("rules"):
                spec = spec_with_rules(spec, rules if isinstance(rules, str) else json.dumps(rules))
        komi = fields.number("komi", *spec.game.option("komi").range)
        if komi is None and not optional:
            komi = usual_komi(spec)
        if fields.text("whiteHandicapBonus") not in (None, "0"):
            fields.reject("whiteHandicapBonus", '"0"')
        if komi is None:
            return spec
        with field_errors("komi"):
            return spec.with_option("komi", float(komi))

    # ------------------------------------------------------------------------------------------- the position

    def _position(self, spec: GameSpec, moves: Sequence[tuple[str, str]]) -> Position:
        """Return the position after all turns."""
        from tengen.engine.play.position import Position
        from tengen.engine.sgf import replay

        fields = self._fields
        text, stones = fields.text("position"), fields.pairs("initialStones")
        if stones and text is not None:
            fields.reject("initialStones", "none beside position")
        if stones:
            with field_errors("initialStones"):
                text = _set_up(spec, stones)
        with field_errors("position" if "position" in fields else "initialStones"):
            position = Position(spec, text)
        position = self._first_to_move(position, moves)
        with field_errors("moves"):
            replay(position, [(spec.game.side(player), turn) for player, turn in moves])
        return position

    def _first_to_move(self, position: Position, moves: Sequence[tuple[str, str]]) -> Position:
        """Return the initial position with initialPlayer, or the player of the first move, to move."""
        game = position.spec.game
        player = self._fields.text("initialPlayer")
        with field_errors("initialPlayer"):
            if player is not None:
                return as_side_to_move(position, game.side(player).number)
        with field_errors("moves"):
            if moves and game.out_of_turn:
                return as_side_to_move(position, game.side(moves[0][0]).number)
        return position

    # --------------------------------------------------------------------------------------------- the search

    def _priorities(self, moves: int) -> dict[int, int]:
        """Return the turns to analyze and their priorities."""
        fields = self._fields
        turns = fields.integers("analyzeTurns", 0, moves)
        several = fields.integers("priorities", -MAX_PRIORITY, MAX_PRIORITY)
        one = fields.integer("priority", -MAX_PRIORITY, MAX_PRIORITY)
        if several is None:
            return dict.fromkeys(sorted([moves] if turns is None else turns), one or 0)
        if one is not None:
            fields.reject("priority", "none beside priorities")
        if turns is None or len(turns) != len(several):
            fields.reject("priorities", "one for each of analyzeTurns")
        return dict(sorted(zip(turns, several, strict=True)))

    def _read_overrides(self) -> None:
        """Read ``overrideSettings``, and warn of unknown ones."""
        settings = self._fields.value("overrideSettings", "an object", dict)
        for name, value in (settings or {}).items():
            if name in SETTINGS:
                self._overridden[name] = value if isinstance(value, str) else json.dumps(value)
        unknown = [name for name in settings or {} if name not in SETTINGS]
        if unknown:
            names = ", ".join(map(quoted, unknown))
            text = f"overrideSettings: expected some of {', '.join(SETTINGS)}; ignored: {names}"
            self.warnings.append(("overrideSettings", text))

    def _limits(self, spec: GameSpec) -> Limit:
        """Return the limits of the search of one position."""
        fields, overridden = self._fields, self._overridden
        visits, seconds = fields.integer("maxVisits"), fields.number("maxTime", MIN_INTERVAL, MAX_SECONDS)
        with field_errors("overrideSettings"):
            if visits is None and "maxVisits" in overridden:
                visits = parse_integer("maxVisits", overridden["maxVisits"], 1, MAX_COUNT)
            if seconds is None and "maxTime" in overridden:
                seconds = parse_number("maxTime", overridden["maxTime"], MIN_INTERVAL, MAX_SECONDS)
        counts = [count for count in (visits, fields.integer("maxNodes")) if count is not None]
        depth = fields.integer("maxDepth", 1, MAX_DEPTH)
        if not counts and seconds is None and depth is None:
            seconds = self._options.time
        multipv = fields.integer("multiPV", 1, MAX_MULTIPV) or self._options.multipv
        level, grouped = fields.integer("level", 1, MAX_LEVEL), fields.boolean("groupMoves")
        if grouped and not spec.game.has_details:
            text = f"groupMoves: expected a game whose turns differ in details, got {spec.game.name}"
            self.warnings.append(("groupMoves", text))
        return Limit(
            depth=depth,
            nodes=min(counts, default=None),
            time=seconds,
            multipv=multipv,
            level=level,
            grouped=grouped,
        )

    def _restrictions(self, spec: GameSpec) -> tuple[Restriction, ...]:
        """Return the restrictions of ``avoidMoves`` or ``allowMoves``."""
        fields = self._fields
        avoided, allowed = fields.objects("avoidMoves"), fields.objects("allowMoves")
        if avoided is not None and allowed is not None:
            fields.reject("allowMoves", "none beside avoidMoves")
        if allowed is not None and len(allowed) > 1:
            fields.reject("allowMoves", "a list of one object")
        name, objects = ("allowMoves", allowed) if allowed else ("avoidMoves", avoided)
        with field_errors(name):
            found = tuple(_restriction(spec, each, bool(allowed), name) for each in objects or ())
            if not spec.game.can_restrict and any(each.depth > 1 for each in found):
                text = f"{name}: untilDepth: heeded at the root only, like 1, as turns are several actions"
                self.warnings.append((name, text))
        return found

    # --------------------------------------------------------------------------------------- what is reported

    def _perspective(self) -> str:
        """Return the requested point of view."""
        word = self._overridden.get("reportAnalysisWinratesAs")
        if word is None:
            return self._options.perspective
        if word.upper() not in PERSPECTIVE_SETTINGS:
            expected = " or ".join(PERSPECTIVE_SETTINGS)
            text = f"reportAnalysisWinratesAs: expected {expected}, got {quoted(word)}"
            raise FieldError("overrideSettings", text)
        return PERSPECTIVE_SETTINGS[word.upper()]

    def _reports(self) -> tuple[float | None, float | None]:
        """Return the seconds until the first report during the search, and between two."""
        interval = self._fields.number("reportDuringSearchEvery", MIN_INTERVAL, MAX_TURN_SECONDS)
        first = self._fields.number("firstReportDuringSearchAfter", MIN_INTERVAL, MAX_TURN_SECONDS)
        if interval is None and first is None:
            return None, None
        return (interval if first is None else first), (MAX_TURN_SECONDS if interval is None else interval)


def _set_up(spec: GameSpec, stones: Sequence[tuple[str, str]]) -> str:
    """Return the text of the initial position with `stones` on it, pairs of player and vertex.

    White is to move if there are at least two stones and all are black, like a handicap; else Black.
    """
    from tengen.engine.board.goban import BLACK, WHITE, parse_rows, parse_vertex, position_text
    from tengen.engine.play.position import Position

    if not spec.game.square:
        raise OptionError(f"{spec.game.title} cannot be set up by stones: expected position")
    size = int(spec.values["size"])
    placed, _ = parse_rows(Position.start(spec).text().split()[0], size)
    for player, vertex in stones:
        letter = spec.game.letters[spec.game.side(player)]
        if (place := parse_vertex(vertex, size)) in placed:
            raise NotationError(f"expected free points, each once, got {quoted(vertex)} as well")
        placed[place] = BLACK if letter == "b" else WHITE
    handicap = len(placed) > 1 and WHITE not in placed.values()
    return position_text(spec, placed, "w" if handicap else "b")


def _restriction(spec: GameSpec, entry: Fields, only_these: bool, name: str) -> Restriction:
    """Return the restriction in one object of ``avoidMoves`` or ``allowMoves``."""
    player, turns = entry.text("player"), entry.texts("moves")
    depth = entry.integer("untilDepth", 1, MAX_PLIES)
    if player is None or turns is None or depth is None:
        raise NotationError(f"{name}: expected player, moves and untilDepth in each object")
    return Restriction(spec.game.side(player).number, tuple(turns), only_these, depth)


def _check_restrictions(restrictions: Sequence[Restriction], position: Position) -> None:
    """Raise FieldError if a restricted turn does not exist; not checked in games with challenges."""
    if position.spec.challenge:
        return
    for restriction in restrictions:
        with field_errors("allowMoves" if restriction.only_these else "avoidMoves"):
            for text in restriction.turns:
                try:
                    position.parse_turn(text)
                except IllegalTurnError:
                    continue
