"""GTP commands of games such as Go: handicap, rules, the end of a game, and KGS's commands."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING

from tengen.engine.errors import TengenError
from tengen.protocol.dialogue import Commands
from tengen.protocol.errors import CommandError, require_known
from tengen.protocol.gtp.clocks import KGS_SYSTEMS, parse_system
from tengen.protocol.gtp.dialogue import GtpBase
from tengen.protocol.katago.rules import rules_of, spec_with_rule, spec_with_rules
from tengen.protocol.numbers import parse_integer
from tengen.protocol.session import as_side_to_move
from tengen.search.info import Result
from tengen.search.limits.limit import MAX_MULTIPV

if TYPE_CHECKING:
    from tengen.engine.board.goban import Place
    from tengen.engine.play.position import Position

PASS = "pass"
KOMI = "komi"  # an option of some games
MIN_VISITS = 10  # of a turn that takes a liberty of dead stones
MAX_WINRATE_LOSS = 0.05  # of such a turn
KGS_RULES = {  # KGS's names, and those of KataGo
    "chinese": "chinese-kgs",
    "japanese": "japanese",
    "aga": "aga",
    "new_zealand": "new-zealand",
}


ends_by_agreement = attrgetter("ends_by_agreement")  # as KGS asks of its engines
has_handicap = methodcaller("offers", "handicap")
has_katago_rules = methodcaller("offers", "katago")  # KataGo has words for them


class GoCommands(GtpBase):
    """Commands of Go."""

    commands = Commands()

    # ----------------------------------------------------------------------------------------------- handicap

    @commands.add("fixed_handicap STONES", available=has_handicap)
    def fixed_handicap(self, arguments: list[str]) -> str:
        """Place handicap stones on GTP's fixed points, and return their vertices."""
        number = self._handicap(arguments[0])
        places = self._fixed_points(number)
        if not places:
            raise CommandError("invalid number of stones")
        return self._set_up_handicap(places)

    @commands.add("place_free_handicap STONES", available=has_handicap)
    def place_free_handicap(self, arguments: list[str]) -> str:
        """Place handicap stones of the engine's choice, fewer if there is no room; return their vertices."""
        number = self._handicap(arguments[0])
        places = self.session.spec.game.module("handicap").free_handicap_points(self._size, number)
        return self._set_up_handicap(places)

    @commands.add("set_free_handicap VERTEX [VERTEX...]", available=has_handicap)
    def set_free_handicap(self, arguments: list[str]) -> str:
        """Place handicap stones of the controller's choice."""
        from tengen.engine.board.goban import parse_vertex

        self._require_empty()
        try:
            places = list(dict.fromkeys(parse_vertex(word, self._size) for word in arguments))
            if len(places) < max(2, len(arguments)):
                raise CommandError("expected different vertices, at least two")
            self._set_up_handicap(places)
        except TengenError as error:
            raise CommandError("bad vertex list") from error
        return ""

    @property
    def _size(self) -> int:
        return int(self.session.spec.values["size"])

    def _fixed_points(self, number: int) -> list[Place]:
        """Return the fixed points of GTP for that many handicap stones; empty if there are none."""
        places: list[Place] = self.session.spec.game.module("handicap").fixed_handicap_points(
            self._size, number
        )
        return places

    def _handicap(self, text: str) -> int:
        """Return the number of handicap stones in `text`."""
        number = parse_integer("STONES", text)
        self._require_empty()
        if number < 2:
            raise CommandError("invalid number of stones")
        return number

    def _require_empty(self) -> None:
        """Raise CommandError unless the board is empty."""
        if set(self.session.position.text().split()[0]) > {".", "/"}:
            raise CommandError("board not empty")

    def _set_up_handicap(self, places: Collection[Place]) -> str:
        """Start the game with black stones on `places`, White to move; return their vertices."""
        from tengen.engine.board.goban import BLACK, position_text
        from tengen.engine.board.grids import vertex

        spec = self.session.spec.with_option("handicap", 0)
        if set(places) == set(self._fixed_points(len(places))):
            self.session.set_up(spec.with_option("handicap", len(places)))
        else:
            self.session.set_up(spec, position_text(spec, dict.fromkeys(places, BLACK), "w"))
        return " ".join(vertex(*place) for place in places)

    # -------------------------------------------------------------------------------------------------- rules

    @commands.add("get_komi", available=lambda game: any(option.name == KOMI for option in game.options))
    def get_komi(self, arguments: list[str]) -> str:
        """Return the komi."""
        return f"{self.session.spec.values[KOMI]:.10g}"

    @commands.add("kata-get-rules", available=has_katago_rules)
    def kata_get_rules(self, arguments: list[str]) -> str:
        """Return the rules as KataGo's JSON object."""
        return json.dumps(rules_of(self.session.spec), separators=(",", ":"))

    @commands.add("kata-set-rules RULES...", available=has_katago_rules)
    def kata_set_rules(self, arguments: list[str]) -> None:
        """Change the rules of the current game."""
        self.session.replace_spec(spec_with_rules(self.session.spec, " ".join(arguments)))

    @commands.add("kata-set-rule KEY VALUE", available=has_katago_rules)
    def kata_set_rule(self, arguments: list[str]) -> None:
        """Change one of the rules of the current game."""
        self.session.replace_spec(spec_with_rule(self.session.spec, *arguments))

    # ---------------------------------------------------------------------------------------------------- KGS

    @commands.add("kgs-rules RULES", available=has_katago_rules)
    def kgs_rules(self, arguments: list[str]) -> None:
        """Change the rules of the current game."""
        name = require_known("RULES", arguments[0], KGS_RULES)
        self.session.replace_spec(spec_with_rules(self.session.spec, KGS_RULES[name]))

    @commands.add("kgs-time_settings SYSTEM [NUMBER...]", available=ends_by_agreement)
    def kgs_time_settings(self, arguments: list[str]) -> None:
        """Set both clocks."""
        self.clocks.set(parse_system(KGS_SYSTEMS, *arguments))

    @commands.add("kgs-genmove_cleanup COLOR", available=ends_by_agreement)
    def kgs_genmove_cleanup(self, arguments: list[str]) -> str:
        """Play on after the passes; do not pass while the other side has dead stones on the board."""
        side = self._side(arguments[0])
        position = as_side_to_move(self.session.position.resumed(), side)
        return self._play_result(side, self._search_cleanup(position), may_resign=False)

    def _search_cleanup(self, position: Position) -> Result:
        """Search a turn that helps to capture dead stones, preferably a liberty of theirs."""
        from tengen.engine.play.position import Position

        spec, legal = position.spec, set(position.turns())
        dispute = spec.game.module("agreement").dispute(position.state)
        if dispute is None or legal == {PASS}:
            return self._search(position, self._limits(position.side_to_move))
        disputed = spec.with_option("rules", "tromp-taylor").with_option(KOMI, dispute.komi)
        limits = self._limits(position.side_to_move, MAX_MULTIPV)
        result = self._search(Position.parse(disputed, dispute.text), limits)
        min_winrate = result.lines[0].win_rate(1.0) - MAX_WINRATE_LOSS if result.lines else 0.0
        for info in result.lines:
            good = info.win_rate(1.0) >= min_winrate and (info.visits or 0) >= MIN_VISITS
            if good and info.pv[0] in dispute.liberties & legal:
                return replace(result, choice=info.pv[0], ponder=None)
        forbidden = {PASS} | {info.pv[0] for info in result.lines} - legal
        if result.choice not in forbidden:
            return result
        ranked = [*(info.pv[0] for info in result.lines), *position.turns()]
        turn = next(turn for turn in ranked if turn not in forbidden)
        return replace(result, choice=turn, ponder=None)

    commands.add("kgs-game_over", available=ends_by_agreement)(lambda engine, arguments: None)
