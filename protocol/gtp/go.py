"""Commands of GTP for games such as Go: handicap, rules, the end of a game, and what KGS asks for."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.engine.errors import NotationError, TengenError, nearest, quoted
from tengen.engine.game import Game
from tengen.protocol.common.candidates import Request
from tengen.protocol.common.clocks import TimeSettings
from tengen.protocol.common.dialogue import Commands
from tengen.protocol.common.katago_rules import rules_of, spec_with_rule, spec_with_rules
from tengen.protocol.common.numbers import MOST_SECONDS, parse_integer, parse_number
from tengen.protocol.common.session import Refusal, seen_by
from tengen.protocol.gtp.dialogue import GtpDialogue
from tengen.search.info import Result
from tengen.search.limits import MAX_MULTIPV

if TYPE_CHECKING:
    from tengen.engine.board.goban import Place
    from tengen.engine.position import Position

PASS = "pass"
KOMI = "komi"  # the option of games that know it
TRIED_VISITS = 10  # least visits of a turn that takes a liberty of dead stones
EQUAL = 0.05  # win rate that it may cost
SITUATIONAL_AREA = '{"ko": "SITUATIONAL", "scoring": "AREA", "friendlyPassOk": true}'
KGS_RULES = {  # by KGS's names, as `katago_rules` has them
    "chinese": "chinese-kgs",
    "japanese": "japanese",
    "aga": SITUATIONAL_AREA,
    "new_zealand": SITUATIONAL_AREA,
}
TIME_SYSTEMS = {  # KGS's, with what is told of each
    "none": (),
    "absolute": ("MAIN",),
    "byoyomi": ("MAIN", "BYOYOMI", "PERIODS"),
    "canadian": ("MAIN", "BYOYOMI", "STONES"),
}


def is_judged(game: Game) -> bool:
    """Return whether the players of `game` have to agree on its end, as KGS asks its engines to."""
    return game.judged


def has_handicap(game: Game) -> bool:
    """Return whether `game` begins with stones of the weaker side, if that is wanted."""
    return game.offers("handicap")


def has_komi(game: Game) -> bool:
    """Return whether komi counts in `game`."""
    return any(option.name == KOMI for option in game.options)


def has_rules(game: Game) -> bool:
    """Return whether KataGo has words for the rules of `game`."""
    return game.offers("katago")


class GoCommands(GtpDialogue):
    """Commands of Go."""

    commands = Commands()

    # ----------------------------------------------------------------------------------------------- handicap

    @commands.add("fixed_handicap STONES", offered=has_handicap)
    def fixed_handicap(self, arguments: list[str]) -> str:
        """Put handicap stones where GTP has them, and return where."""
        number = self._handicap(arguments[0])
        places = self._fixed_places(number)
        if not places:
            raise Refusal("invalid number of stones")
        return self._set_up_handicap(places)

    @commands.add("place_free_handicap STONES", offered=has_handicap)
    def place_free_handicap(self, arguments: list[str]) -> str:
        """Put handicap stones where the engine likes, fewer if there is no room, and return where."""
        number = self._handicap(arguments[0])
        places = self.session.spec.game.module("handicap").free_places(self._size, number)
        return self._set_up_handicap(places)

    @commands.add("set_free_handicap VERTEX [VERTEX...]", offered=has_handicap)
    def set_free_handicap(self, arguments: list[str]) -> str:
        """Put handicap stones where the controller likes."""
        from tengen.engine.board.goban import parse_vertex

        self._require_empty()
        try:
            places = list(dict.fromkeys(parse_vertex(word, self._size) for word in arguments))
            if len(places) < max(2, len(arguments)):
                raise Refusal("expected different vertices, at least two")
            self._set_up_handicap(places)
        except TengenError as error:
            raise Refusal("bad vertex list") from error
        return ""

    @property
    def _size(self) -> int:
        return int(self.session.spec.values["size"])

    def _fixed_places(self, number: int) -> list[Place]:
        """Return where GTP puts so many handicap stones; none when it knows no places for them."""
        places: list[Place] = self.session.spec.game.module("handicap").fixed_places(self._size, number)
        return places

    def _handicap(self, text: str) -> int:
        """Return the number that `text` names of stones that may be put on the board."""
        number = parse_integer("STONES", text)
        self._require_empty()
        if number < 2:
            raise Refusal("invalid number of stones")
        return number

    def _require_empty(self) -> None:
        """Raise Refusal unless there are no stones on the board."""
        if set(self.session.position.text().split()[0]) > {".", "/"}:
            raise Refusal("board not empty")

    def _set_up_handicap(self, places: Collection[Place]) -> str:
        """Begin the game with black stones on `places`, White to move, and return their vertices."""
        from tengen.engine.board.goban import BLACK, position_text
        from tengen.engine.board.grids import vertex

        spec = self.session.spec.with_option("handicap", 0)
        if set(places) == set(self._fixed_places(len(places))):
            self.session.set_up(spec.with_option("handicap", len(places)))
        else:
            self.session.set_up(spec, position_text(spec, dict.fromkeys(places, BLACK), "w"))
        return " ".join(vertex(*place) for place in places)

    # -------------------------------------------------------------------------------------------------- rules

    @commands.add("get_komi", offered=has_komi)
    def get_komi(self, arguments: list[str]) -> str:
        """Return the komi."""
        return f"{self.session.spec.values[KOMI]:.10g}"

    @commands.add("kata-get-rules", offered=has_rules)
    def kata_get_rules(self, arguments: list[str]) -> str:
        """Return the rules as KataGo describes them."""
        return json.dumps(rules_of(self.session.spec), separators=(",", ":"))

    @commands.add("kata-set-rules RULES...", offered=has_rules)
    def kata_set_rules(self, arguments: list[str]) -> str:
        """Go on under other rules."""
        self.session.change(spec_with_rules(self.session.spec, " ".join(arguments)))
        return ""

    @commands.add("kata-set-rule KEY VALUE", offered=has_rules)
    def kata_set_rule(self, arguments: list[str]) -> str:
        """Go on with one of the rules changed."""
        self.session.change(spec_with_rule(self.session.spec, *arguments))
        return ""

    # ---------------------------------------------------------------------------------------------------- KGS

    @commands.add("kgs-rules RULES", offered=has_rules)
    def kgs_rules(self, arguments: list[str]) -> str:
        """Go on under other rules."""
        name = _known("RULES", arguments[0], KGS_RULES)
        self.session.change(spec_with_rules(self.session.spec, KGS_RULES[name]))
        return ""

    @commands.add("kgs-time_settings SYSTEM [NUMBER...]", offered=is_judged)
    def kgs_time_settings(self, arguments: list[str]) -> str:
        """Set both clocks."""
        self.session.clocks.set(_time_settings(*arguments))
        return ""

    @commands.add("kgs-genmove_cleanup COLOR", offered=is_judged)
    def kgs_genmove_cleanup(self, arguments: list[str]) -> str:
        """Play on, without a pass while the other side has dead stones on the board."""
        side = self._side(arguments[0])
        position = seen_by(self.session.position.resumed(), side)
        return self._play_found(side, lambda: self._clean_up(position), may_resign=False)

    def _clean_up(self, position: Position) -> Result:
        """Search a turn that helps to take dead stones, if there are any; one of their liberties if good."""
        from tengen.engine.position import Position

        spec, legal = position.spec, set(position.turns())
        dispute = spec.game.module("judge").dispute(position.state)
        if dispute is None or legal == {PASS}:
            return self._search(position, self._limits(position.turn))
        disputed = spec.with_option("rules", "tromp-taylor").with_option(KOMI, dispute.komi)
        limits = self._limits(position.turn, MAX_MULTIPV)
        result = self._search(Position.parse(disputed, dispute.text), limits)
        least = result.lines[0].win_rate(1.0) - EQUAL if result.lines else 0.0
        for info in result.lines:
            good = info.win_rate(1.0) >= least and (info.visits or 0) >= TRIED_VISITS
            if good and info.pv[0] in dispute.liberties & legal:
                return replace(result, turn=info.pv[0], ponder=None)
        forbidden = {PASS} | {info.pv[0] for info in result.lines} - legal
        return Request(0.0, 1, excluded=forbidden).permitted(position, result)

    @commands.add("kgs-game_over", offered=is_judged)
    def kgs_game_over(self, arguments: list[str]) -> str:
        """Take note of the end of a game; there is nothing to be done."""
        return ""


def _time_settings(system: str, *numbers: str) -> TimeSettings | None:
    """Return what ``SYSTEM NUMBER...`` says; None for no clocks.

    Raises
    ------
    NotationError
        For an unknown system, or other numbers than it takes.
    """
    system = _known("SYSTEM", system, TIME_SYSTEMS)
    told = TIME_SYSTEMS[system]
    if len(numbers) != len(told):
        raise NotationError(f"expected {' '.join([system, *told])}, got {len(numbers)} numbers")
    if not told:
        return None
    main, *rest = numbers
    settings = TimeSettings(parse_number("MAIN", main, 0, MOST_SECONDS))
    if not rest:
        return settings
    byoyomi, turns = parse_number("BYOYOMI", rest[0], 0, MOST_SECONDS), parse_integer(told[2], rest[1], 1)
    if system == "byoyomi":
        return replace(settings, byoyomi=byoyomi, periods=turns)
    return replace(settings, byoyomi=byoyomi, stones=turns)


def _known(what: str, word: str, known: Collection[str]) -> str:
    """Return `word`, in lower case, if it is among `known`; NotationError otherwise."""
    if word.lower() not in known:
        names = ", ".join(known)
        raise NotationError(f"{what}: expected one of {names}, got {quoted(word)}{nearest(word, known)}")
    return word.lower()
