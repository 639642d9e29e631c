"""Commands of GTP that GoGui knows: its menu, rules of other games, several moves at once, what it draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.engine.errors import NotationError, TengenError
from tengen.engine.game import Game
from tengen.protocol.common.dialogue import Commands
from tengen.protocol.common.lines import Line
from tengen.protocol.common.numbers import parse_integer
from tengen.protocol.common.session import Refusal
from tengen.protocol.gtp.dialogue import GtpDialogue
from tengen.protocol.gtp.go import is_judged
from tengen.search.info import Info

if TYPE_CHECKING:
    from tengen.engine.position import Position

INTERRUPT = "# interrupt"  # a comment that ends the command under way
LABELLED = 10  # turns that are shown on the board
GO = 1  # the number that SGF has for Go
ANALYSES = (
    "string/Game/gogui-rules_game_id",
    "string/Board Size/gogui-rules_board_size",
    "string/Board/gogui-rules_board",
    "plist/Legal Moves/gogui-rules_legal_moves",
    "string/Side to Move/gogui-rules_side_to_move",
    "string/Final Result/gogui-rules_final_result",
    "dboard/Territory/tengen-ownership",
    "gfx/Best Turns/tengen-candidates",
    "string/Final Score/final_score",
    "plist/Dead Stones/final_status_list dead",
    "plist/Stones in Seki/final_status_list seki",
    "string/Rules/kata-get-rules",
    "string/Swap2/tengen-swap2",
    "string/Position/tengen-position",
    "string/Options/tengen-options",
)


def is_square(game: Game) -> bool:
    """Return whether GoGui has a board for `game`."""
    return game.square


def is_unknown(game: Game) -> bool:
    """Return whether GoGui has a board for `game`, and has to be told its rules: those of Go it knows."""
    return game.square and game.sgf_gm != GO


def plays_out(game: Game) -> bool:
    """Return whether `game` has a board for GoGui, and playouts that tell whose its points become."""
    return game.square and game.offers("simulation")


class GoguiCommands(GtpDialogue):
    """GoGui's commands, and ours that it draws."""

    commands = Commands()

    _heard = 0  # interrupts that have come in, counted by the reading thread
    _passed = 0  # those of them that have had their turn

    def overhear(self, line: Line) -> None:
        """End the search under way when GoGui asks for it."""
        if line.text.strip() == INTERRUPT:
            self._heard += 1
            self.session.interrupted = True  # should the search only be about to begin
            self.session.stop()

    def obey(self, line: Line) -> None:
        """Reply to one line; a search is stopped at once when an interrupt is waiting behind it."""
        self._passed += line.text.strip() == INTERRUPT
        if self._heard > self._passed:
            self.session.interrupted = True
        super().obey(line)

    @commands.add("gogui-analyze_commands", offered=is_square)
    def gogui_analyze_commands(self, arguments: list[str]) -> str:
        """Return what GoGui is to offer in its menu."""
        known = self.commands.names(self.session.spec.game)
        return "\n".join(
            line for line in ANALYSES if line.split("/")[2].split()[0] in known and self._offers(line)
        )

    def _offers(self, line: str) -> bool:
        """Return whether a line of the menu can come to something in this game."""
        return is_judged(self.session.spec.game) or "/final_" not in line

    @commands.add("gogui-interrupt", offered=is_square)
    def gogui_interrupt(self, arguments: list[str]) -> str:
        """Do nothing: that there is this command tells GoGui that it may send `INTERRUPT`."""
        return ""

    @commands.add("gogui-play_sequence COLOR TURN [COLOR TURN...]", offered=is_square)
    def gogui_play_sequence(self, arguments: list[str]) -> str:
        """Play several turns, all or none."""
        if len(arguments) % 2:
            raise NotationError(f"expected pairs of COLOR and TURN, got {len(arguments)} arguments")
        sides = [self._side(color) for color in arguments[::2]]
        session = self.session
        before = session.setup, list(zip(session.movers, session.position.turns_played, strict=True))
        try:
            for side, turn in zip(sides, arguments[1::2], strict=True):
                self.session.play(turn, side)
        except TengenError:
            session.set_up(session.spec, *before)
            raise
        return ""

    @commands.add("gg-undo [TURNS]", offered=is_square)
    def gg_undo(self, arguments: list[str]) -> str:
        """Take several turns back, all or none."""
        turns = parse_integer("TURNS", arguments[0], 1) if arguments else 1
        if turns > len(self.session.movers):
            raise Refusal("cannot undo")
        for _ in range(turns):
            self.session.undo()
        return ""

    # ------------------------------------------------------------------------------------------ GoGui's rules

    @commands.add("gogui-rules_game_id", offered=is_unknown)
    def gogui_rules_game_id(self, arguments: list[str]) -> str:
        """Return the name of the game as GoGui knows it."""
        return self.session.spec.game.title

    @commands.add("gogui-rules_board", offered=is_unknown)
    def gogui_rules_board(self, arguments: list[str]) -> str:
        """Return the stones, rows from the top."""
        rows = self.session.position.text().split()[0].split("/")
        return "\n".join(" ".join(row) for row in rows)

    @commands.add("gogui-rules_board_size", offered=is_unknown)
    def gogui_rules_board_size(self, arguments: list[str]) -> str:
        """Return the size of the board."""
        return str(self.session.spec.values["size"])

    @commands.add("gogui-rules_legal_moves", offered=is_unknown)
    def gogui_rules_legal_moves(self, arguments: list[str]) -> str:
        """Return all legal turns; none when the game is over."""
        return " ".join(self.session.position.turns())

    @commands.add("gogui-rules_side_to_move", offered=is_unknown)
    def gogui_rules_side_to_move(self, arguments: list[str]) -> str:
        """Return the side to move."""
        return self.session.position.side

    @commands.add("gogui-rules_final_result", offered=is_unknown)
    def gogui_rules_final_result(self, arguments: list[str]) -> str:
        """Return the result in words; nothing while the game goes on."""
        winner = self.session.position.winner()
        return {"": "", "draw": "Draw"}.get(winner, f"{winner.capitalize()} wins")

    # ------------------------------------------------------------------------------------- drawn on the board

    @commands.add("tengen-ownership [COLOR]", offered=plays_out)
    def tengen_ownership(self, arguments: list[str]) -> str:
        """Return whose the points become, rows from the top, from -1 (White's) to 1 (Black's)."""
        return self._drawn(arguments, _ownership, 1)

    @commands.add("tengen-candidates [COLOR]", offered=plays_out)
    def tengen_candidates(self, arguments: list[str]) -> str:
        """Return the best turns with their win rates, as GoGui's graphics."""
        return self._drawn(arguments, _candidates, LABELLED)

    def _drawn(
        self, arguments: list[str], draw: Callable[[Position, tuple[Info, ...]], str], multipv: int
    ) -> str:
        """Search for one side, the one to move unless it is named, and return what `draw` makes of it."""
        side = self._side(arguments[0]) if arguments else self.session.position.turn
        position = self._open_position(side)
        lines = self._search(position, self._limits(side, multipv)).lines
        if not (lines and lines[0].ownership):
            raise Refusal("no playouts were made")
        return draw(position, lines)


def _ownership(position: Position, lines: tuple[Info, ...]) -> str:
    """Return the rows of a ``dboard``."""
    sign = 1 if position.turn == 0 else -1
    owners = [f"{sign * owner + 0.0:.2f}" for owner in lines[0].ownership]
    size = int(position.spec.values["size"])
    return "\n".join(" ".join(owners[first : first + size]) for first in range(0, len(owners), size))


def _candidates(position: Position, lines: tuple[Info, ...]) -> str:
    """Return the lines of a ``gfx``: win rates in percent upon the turns, and how it stands."""
    scale = position.scale
    best = lines[0]
    labels = [
        f"LABEL {info.pv[0]} {100 * info.win_rate(scale):.0f}" for info in lines if info.pv[0] != "pass"
    ]
    stands = f"{position.side}: {best.pv[0]}, {100 * best.win_rate(scale):.1f} %"
    lead = "" if best.lead is None else f", {best.lead:+.1f} points"
    return "\n".join([*labels, f"STATUS {stands}{lead}"])
