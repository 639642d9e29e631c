"""What all commands of GTP share: lines in, responses out, and searching to an answer."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tengen.engine.errors import IllegalTurnError, NotationError, OptionError, TengenError
from tengen.engine.game import GameSpec, Outcome
from tengen.protocol.common.dialogue import Dialogue
from tengen.protocol.common.lines import Line
from tengen.protocol.common.resignation import Resignation
from tengen.protocol.common.session import Refusal
from tengen.search.info import Result
from tengen.search.limits import Limits

if TYPE_CHECKING:
    from tengen.engine.position import Position

RESIGN = "resign"


class GtpDialogue(Dialogue):
    """One side of a conversation in GTP: commands return the text of their reply, or raise why not."""

    _id = ""  # of the command that is obeyed
    _open = False  # its reply has begun, and will come line by line

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._resignation = Resignation()

    # ------------------------------------------------------------------------------------------------ replies

    def obey(self, line: Line) -> None:
        """Reply to one line; blank lines and comments have no reply."""
        words = line.text.partition("#")[0].split()
        if not words:
            return
        self._id = words.pop(0) if re.fullmatch(r"[0-9]+", words[0]) else ""
        self._open = False
        try:
            self.require_whole(line)
            self._reply(self._result(words))
        except TengenError as error:
            self._fail(message(error))
        except Exception as error:  # a defect of ours must not end the game in progress
            self._fail(f"internal error: {type(error).__name__}: {error}")

    def _result(self, words: list[str]) -> str:
        """Obey the command in `words` and return the text of its reply."""
        name, *arguments = words or [""]
        command = self.command(name, arguments)
        if command is None:
            raise Refusal("unknown command")
        return str(command.handler(self, arguments))

    def _reply(self, text: str) -> None:
        """Write the reply `text`, or what is still missing of a reply that is open."""
        if self._open:
            self.writer.write(*([text] if text else []), "")
        else:
            self._write_response("=", text)

    def _fail(self, text: str) -> None:
        """Write the error message `text`; a reply that is open can only be ended."""
        if self._open:
            complain(text)
            self.writer.write("")
        else:
            self._write_response("?", text)

    def _write_response(self, status: str, text: str) -> None:
        """Write a whole response; no line within it may be empty, which would end it."""
        first, *others = text.split("\n")
        self.writer.write(f"{status}{self._id} {first}".rstrip(), *(other or " " for other in others), "")

    def _open_reply(self) -> None:
        """Write the beginning of a reply that will come line by line."""
        self.writer.write(f"={self._id}")
        self._open = True

    # ----------------------------------------------------------------------------------------------- the game

    def _begin(self, spec: GameSpec, text: str = "") -> None:
        """Begin a game of `spec` from the position `text`, with fresh clocks."""
        self.session.set_up(spec, text)
        self.session.clocks.restart()
        self.session.preload()

    def _side(self, color: str) -> int:
        return self.session.spec.game.side(color)

    @property
    def _over(self) -> bool:
        return self.session.position.outcome() != Outcome.ONGOING

    # -------------------------------------------------------------------------------------- the engine's turn

    def _open_position(self, side: int) -> Position:
        """Return the position with `side` to move; Refusal when it may not move."""
        if self._over:
            raise Refusal("game is over")
        return self.session.as_side(side)

    def _limits(self, side: int, multipv: int = 1) -> Limits:
        """Return what a turn of `side` may cost; without a clock, once the search is compiled."""
        clock = self.session.clocks.clock(side)
        if clock is None:
            self.session.prepare(complain)
        return Limits(clock=clock, movetime=None if clock else self.session.movetime, multipv=multipv)

    def _search(self, position: Position, limits: Limits) -> Result:
        """Search to the end; lines that arrive meanwhile wait for their turn."""
        self.session.go(position, limits, on_notice=complain)
        return self._outcome()

    def _outcome(self) -> Result:
        """Wait for the search and return its result."""
        result = self.session.wait()
        assert result is not None
        return result

    def _play_found(self, side: int, search: Callable[[], Result], may_resign: bool = True) -> str:
        """Call `search`, play what it found for `side`, take the time off the clock, and return the turn.

        A hopeless game is resigned instead, if that is wanted.
        """
        began = time.monotonic()
        result = search()
        turn = found(result)
        self.session.clocks.spend(side, time.monotonic() - began)
        if may_resign and self._resigns(side, result):
            return RESIGN
        return self.session.play(turn, side)

    def _resigns(self, side: int, result: Result) -> bool:
        """Return whether `side` resigns, in a game on a square board that ends by agreement."""
        position, percent = self.session.position, self.session.option("Resign")
        game = position.spec.game
        agreed = game.judged and game.square
        return agreed and self._resignation.due(position, side, result, percent / 100)


def message(error: TengenError) -> str:
    """Return the GTP error message for `error`, in the draft's words where it has any."""
    if isinstance(error, IllegalTurnError):
        return f"illegal move: {error.reason}"
    if isinstance(error, NotationError | OptionError):
        return f"syntax error: {error}"
    return str(error)


def found(result: Result) -> str:
    """Return the turn that a search has found, after saying aloud what was wrong with it.

    Raises
    ------
    Refusal
        When there is none.
    """
    if result.notice:
        complain(result.notice)
    if result.turn is None:
        raise Refusal("no turn was found")
    return result.turn


def complain(text: str) -> None:
    """Tell people, not the controller: stdout is for replies."""
    sys.stderr.write(f"tengen: {text}\n")
