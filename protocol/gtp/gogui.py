"""GTP commands for GoGui: its menu, rules of other games, several moves at once, graphics."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING

from tengen.engine.errors import NotationError, TengenError
from tengen.engine.game import Game
from tengen.protocol.dialogue import Commands
from tengen.protocol.errors import CommandError
from tengen.protocol.gtp.dialogue import GtpBase
from tengen.protocol.numbers import parse_integer
from tengen.protocol.output import plain
from tengen.protocol.session import turns_of
from tengen.search.info import Info

if TYPE_CHECKING:
    from tengen.engine.play.position import Position

MAX_LABELS = 10  # on the board
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


has_square_board = attrgetter("square")  # others GoGui does not support


def has_playouts(game: Game) -> bool:
    """Return whether GoGui supports the board, and playouts tell who will own its points."""
    return game.square and game.offers("simulation")


def _result_in_words(position: Position) -> str:
    winner = position.winner()
    return {None: "", "draw": "Draw"}.get(winner, f"{winner} wins".capitalize())


RULES: dict[str, Callable[[Position], str]] = {  # what GoGui asks about games that it does not know
    "game_id": lambda position: plain(position.spec.game.title),
    "board": lambda position: "\n".join(map(" ".join, position.text().split()[0].split("/"))),
    "board_size": lambda position: str(position.spec.values["size"]),
    "legal_moves": lambda position: " ".join(position.turns()),
    "side_to_move": lambda position: position.side,
    "final_result": _result_in_words,
}


class GoguiCommands(GtpBase):
    """GoGui's commands, and ours that it can draw."""

    commands = Commands()

    @commands.add("gogui-analyze_commands", available=has_square_board)
    def gogui_analyze_commands(self, arguments: list[str]) -> str:
        """Return the entries of GoGui's menu."""
        game = self.session.spec.game
        known = self.commands.names(game)
        lines = [line for line in ANALYSES if line.split("/")[2].split()[0] in known]
        return "\n".join(line for line in lines if game.ends_by_agreement or "/final_" not in line)

    # That it exists tells GoGui that it may send ``# interrupt``.
    commands.add("gogui-interrupt", available=has_square_board)(lambda engine, arguments: None)

    @commands.add("gogui-play_sequence COLOR TURN [COLOR TURN...]", available=has_square_board)
    def gogui_play_sequence(self, arguments: list[str]) -> None:
        """Play several turns, all or none."""
        if len(arguments) % 2:
            raise NotationError(f"expected pairs of COLOR and TURN, got {len(arguments)} arguments")
        sides = [self._side(color) for color in arguments[::2]]
        session = self.session
        before = session.setup, turns_of(session.position)
        try:
            for side, turn in zip(sides, arguments[1::2], strict=True):
                session.position.push(turn, side)
        except TengenError:
            session.set_up(session.spec, *before)
            raise

    @commands.add("gg-undo [TURNS]", available=has_square_board)
    def gg_undo(self, arguments: list[str]) -> None:
        """Take back several turns, all or none."""
        turns = parse_integer("TURNS", arguments[0], 1) if arguments else 1
        if turns > self.session.position.ply:
            raise CommandError("cannot undo")
        for _ in range(turns):
            self.session.position.pop()

    # ------------------------------------------------------------------------------------------ GoGui's rules

    for name, tell in RULES.items():  # it knows those of Go
        commands.add(f"gogui-rules_{name}", available=lambda game: game.square and game.sgf_gm != GO)(
            lambda engine, arguments, tell=tell: tell(engine.session.position)
        )

    # ------------------------------------------------------------------------------------- drawn on the board

    @commands.add("tengen-ownership [COLOR]", available=has_playouts)
    def tengen_ownership(self, arguments: list[str]) -> str:
        """Return the expected owner of every point, rows from the top: -1 White, 1 Black."""
        return self._search_and_draw(arguments, _ownership, 1)

    @commands.add("tengen-candidates [COLOR]", available=has_playouts)
    def tengen_candidates(self, arguments: list[str]) -> str:
        """Return the best turns and their win rates as GoGui graphics."""
        return self._search_and_draw(arguments, _candidates, MAX_LABELS)

    def _search_and_draw(
        self, arguments: list[str], draw: Callable[[Position, tuple[Info, ...]], str], multipv: int
    ) -> str:
        """Search for a side (default: the one to move), and return the result drawn by `draw`."""
        side = self._side(arguments[0]) if arguments else self.session.position.side_to_move
        position = self._require_ongoing(side)
        lines = self._search(position, self._limits(side, multipv)).lines
        if not (lines and lines[0].ownership):
            raise CommandError("no playouts were made")
        return draw(position, lines)


def _ownership(position: Position, lines: tuple[Info, ...]) -> str:
    """Return the rows of a ``dboard``."""
    sign = 1 if position.side_to_move == 0 else -1
    owners = [f"{sign * owner + 0.0:.2f}" for owner in lines[0].ownership]
    size = int(position.spec.values["size"])
    return "\n".join(" ".join(owners[first : first + size]) for first in range(0, len(owners), size))


def _candidates(position: Position, lines: tuple[Info, ...]) -> str:
    """Return the lines of a ``gfx``: win rates in percent on the turns, and a status line."""
    scale = position.scale
    best = lines[0]
    labels = [
        f"LABEL {info.pv[0]} {100 * info.win_rate(scale):.0f}" for info in lines if info.pv[0] != "pass"
    ]
    status = f"{position.side}: {best.pv[0]}, {100 * best.win_rate(scale):.1f} %"
    lead = "" if best.lead is None else f", {best.lead:+.1f} points"
    return "\n".join([*labels, f"STATUS {status}{lead}"])
