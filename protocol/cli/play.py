"""Play against the engine in the terminal.

On your turn, enter a turn or one of these words:
  moves    list the legal turns          undo     take your last turn and its answer back
  hint     let the engine suggest one    resign   resign the game
  board    show the board again          quit     leave; shows the command that resumes
  help     list these words

In a game with challenges, answer a turn that your opponent announces by accept or challenge. If a challenge
is settled outside, enter how it has ended: result challenger, result owner or result draw.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import shutil
import sys
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.engine.errors import TengenError, nearest
from tengen.engine.trials import AWAITS_RESULT
from tengen.protocol.common.arguments import add_game_arguments, command_line, positive_seconds
from tengen.protocol.common.engine_options import add_engine_arguments, set_engine_options
from tengen.protocol.common.interrupts import EXIT_INTERRUPTED, stop_on_sigint
from tengen.protocol.common.output import print_notice
from tengen.protocol.common.session import Session
from tengen.search.info import Result
from tengen.search.limits import Limits

if TYPE_CHECKING:
    from tengen.engine.position import Position

EXAMPLES = """examples:
  tengen play --game dvonn
  tengen play --game gomoku,size=19 --side w --time 5 --threads 2"""
DEFAULT_TIME = 2.0
PASS = "pass"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen play``."""
    parser.epilog = EXAMPLES
    add_game_arguments(parser, file=False)
    add = parser.add_argument
    add("--side", metavar="b|w", help="your side (default: the one that begins)")
    add(
        "--time",
        metavar="S",
        type=positive_seconds,
        default=DEFAULT_TIME,
        help=f"seconds a turn for the engine (default {DEFAULT_TIME:g})",
    )
    add_engine_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play one game."""
    from tengen.protocol.common.arguments import position_of

    position = position_of(arguments)
    side = position.spec.game.side(arguments.side) if arguments.side else 0
    session = Session(position.spec)
    set_engine_options(session, arguments)
    session.ensure_compiled(print_notice)
    game = InteractiveGame(position, session, side, Limits(movetime=arguments.time))
    try:
        game.play(reader())
        return 0
    except KeyboardInterrupt:
        print()
        return EXIT_INTERRUPTED
    finally:
        session.stop_and_wait()
        if game.unfinished:
            print(f"The game is unfinished. To resume:\n  {resume_command(arguments, position)}")


def reader() -> Callable[[str], str]:
    """Return a function like ``input``; answers from a file or a pipe are echoed."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin is not None and sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # not available on every system
            importlib.import_module("readline")
        return input
    return read_echoing


def read_echoing(prompt: str) -> str:
    """Return the next line of standard input, after printing it behind `prompt`.

    Raises
    ------
    EOFError
        At the end of input.
    """
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError
    print(f"{prompt}{line.rstrip()}", flush=True)
    return line


def resume_command(arguments: argparse.Namespace, position: Position) -> str:
    """Return the command that resumes a game."""
    return command_line("play", {**vars(arguments), "moves": " ".join(position.turns_played)})


class InteractiveGame:
    """A game between a person and the engine.

    Parameters
    ----------
    position : Position
        The start position; turns are played on it.
    session : Session
        The engine.
    side : int
        The person's side, 0 or 1.
    limits : Limits
        Of the engine's search for a turn.

    Attributes
    ----------
    unfinished : bool
        Whether the game is neither over nor resigned.
    """

    def __init__(self, position: Position, session: Session, side: int, limits: Limits) -> None:
        self.position = position
        self.session = session
        self.side = side
        self.limits = limits
        self.unfinished = True
        self._human_turns: list[int] = []  # indices of the turns that the person chose
        self._last_challenge = position.challenge  # the state that was explained last
        self._quit = False

    def play(self, ask: Callable[[str], str]) -> None:
        """Play until the game is over or the person leaves; `ask` takes a prompt and returns an answer."""
        print(f"You play {self._sides[self.side]}. Enter help for other commands.")
        try:
            while self.unfinished and not self._quit and not self.position.winner():
                if self.position.awaits_result:
                    self._person(ask, "result")
                elif self.position.trial:
                    self._draw()
                elif self.position.side_to_move == self.side:
                    self._person(ask, self.position.side)
                else:
                    self._engine()
        except EOFError:  # the input has ended
            print()
            return
        if winner := self.position.winner():
            self.unfinished = False
            self.board()
            reason = self.position.end_reason()
            draw = f"A draw: {reason}." if reason else "A draw."
            print(draw if winner == "draw" else f"{winner.capitalize()} wins, {self.position.result()}.")

    @property
    def _sides(self) -> tuple[str, str]:
        return self.position.spec.game.sides

    # ---------------------------------------------------------------------------- the engine

    def _engine(self) -> None:
        """Let the engine play a turn."""
        self._explain()
        side = self.position.side
        result = self._search()
        assert result.turn is not None  # the game goes on
        description = self._describe_move(result)
        self.position.play(result.turn)
        print(f"{side} plays {description}, {result.seconds:.2f} s")

    def _draw(self) -> None:
        """Draw the lot of a challenge, and say what for and with which result."""
        print(self.position.explanation())
        (turn,) = self.position.turns()
        self.position.play(turn)
        self._last_challenge = self.position.challenge
        print(self.position.explanation(), flush=True)

    def _explain(self) -> None:
        """Explain the state of a challenge if it has changed."""
        if self.position.challenge != self._last_challenge:
            self._last_challenge = self.position.challenge
            print(self.position.explanation(), flush=True)

    def _search(self) -> Result:
        """Return the result of the engine's search.

        Raises
        ------
        KeyboardInterrupt
            If the person interrupts it.
        """
        with stop_on_sigint(self.session):
            self.session.go(self.position, self.limits, on_notice=print_notice)
            result = self.session.wait()
        if self.session.interrupted:
            raise KeyboardInterrupt
        assert result is not None  # no timeout was set
        if result.notice:
            print_notice(result.notice)
        return result

    def _describe_move(self, result: Result) -> str:
        """Return the turn of `result`, not yet played, with its value for the side that plays it."""
        if not result.lines:
            return f"{result.turn}"
        score = result.lines[0].score
        searched = self.position.foreground
        win_rate = 100 * score.win_rate(searched.scale)
        return f"{result.turn} ({score}, wins {win_rate:.0f}%)"

    # ---------------------------------------------------------------------------- the person

    def _person(self, ask: Callable[[str], str], prompt: str) -> None:
        """Let the person play a turn or leave; a forced pass is played automatically."""
        self.board()
        if self.position.turns() == [PASS]:
            print(f"{self.position.side} can only pass")
            self.position.play(PASS)
            return
        length = len(self.position.turns_played)
        while self.unfinished and not self._quit and len(self.position.turns_played) == length:
            self._execute(ask(f"{prompt}> ").strip())

    def _execute(self, answer: str) -> None:
        """Execute an answer, or print the error in one line."""
        if command := COMMANDS.get(answer.lower()):
            command(self)
        elif answer:
            try:
                self.position.play(answer)
                self._human_turns.append(len(self.position.turns_played) - 1)
            except TengenError as error:
                print(f"{error}{nearest(answer, COMMANDS)}")

    def board(self) -> None:
        """Show the board, with the state of a challenge."""
        self._last_challenge = self.position.challenge
        print(f"\n{self.position.board()}\n", flush=True)

    def moves(self) -> None:
        """List the legal turns."""
        width = shutil.get_terminal_size().columns - 1
        print(textwrap.fill(" ".join(self.position.turns()), width, break_on_hyphens=False))

    def hint(self) -> None:
        """Print the turn that the engine would play."""
        if self.position.awaits_result:
            print(AWAITS_RESULT)
            return
        print(f"the engine would play {self._describe_move(self._search())}")

    def undo(self) -> None:
        """Take back the last turn that the person chose, and all after it."""
        if not self._human_turns:
            print("you have no turn to take back")
            return
        length = self._human_turns.pop()
        while len(self.position.turns_played) > length:
            self.position.undo()

    def resign(self) -> None:
        """Resign."""
        self.unfinished = False
        print(f"{self._sides[self.side].capitalize()} resigns, {self._sides[1 - self.side]} wins.")

    def help(self) -> None:
        """List the words that are not turns."""
        print((__doc__ or "").partition("\n\n")[2].rstrip())

    def quit(self) -> None:
        """Leave."""
        self._quit = True


COMMANDS: dict[str, Callable[[InteractiveGame], None]] = {
    "moves": InteractiveGame.moves,
    "hint": InteractiveGame.hint,
    "board": InteractiveGame.board,
    "undo": InteractiveGame.undo,
    "resign": InteractiveGame.resign,
    "quit": InteractiveGame.quit,
    "exit": InteractiveGame.quit,
    "help": InteractiveGame.help,
    "?": InteractiveGame.help,
}
