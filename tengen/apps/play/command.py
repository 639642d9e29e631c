"""Play against the engine in the terminal.

Without --game, a person is asked for the game, the side and the level. On your turn, enter a turn, the
beginning of one, or a word: help lists them. Games are kept, and can be gone on with.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from tengen.apps.terminal.style import style_of
from tengen.engine.errors import OptionError
from tengen.protocol.arguments import (
    add_game_arguments,
    command_line,
    position_of,
    positive_seconds,
)
from tengen.protocol.engine_options import LEVEL, add_engine_arguments, set_engine_options
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.lines import Reader, standard_input
from tengen.protocol.output import print_notice
from tengen.protocol.session import Session
from tengen.search.limits.limit import AUTO, MAX_LEVEL, Limits

if TYPE_CHECKING:
    from tengen.apps.play.dialogue import InteractiveGame
    from tengen.apps.play.kept import Setup

EXAMPLES = """examples:
  tengen play
  tengen play --game dvonn --level 5
  tengen play --game gomoku,size=19 --side w --time 5 --threads 2
  tengen play --list
  tengen play --resume"""
DEFAULT_TIME = 2.0
MAX_ANSWERS, MAX_ANSWER = 20_000, 4096  # from a file or a pipe, and the characters of each
LAST = ""  # stands for the last unfinished game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``tengen play``."""
    parser.epilog = EXAMPLES
    add_game_arguments(parser, file=False, optional=True)
    add = parser.add_argument
    add("--side", metavar="b|w", help="your side (default: the one that begins)")
    add(
        "--level",
        metavar="N",
        help=f"level of the engine, 1 to {MAX_LEVEL}, or auto: by the games kept (default: full strength)",
    )
    add(
        "--time",
        metavar="S",
        type=positive_seconds,
        default=DEFAULT_TIME,
        help=f"seconds a turn for the engine, at most (default {DEFAULT_TIME:g})",
    )
    add_engine_arguments(parser)
    add("--list", action="store_true", help="list the games kept")
    add(
        "--resume",
        metavar="GAME",
        nargs="?",
        const=LAST,
        help="go on with a kept game, by number or name, or with a file (default: the last unfinished one)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Play games until the person leaves."""
    from tengen.apps.play import kept
    from tengen.apps.play.dialogue import InteractiveGame

    if arguments.list:
        print(kept.table())
        return 0
    ask = reader()
    try:
        setup: Setup | None = _setup(arguments, ask)
    except (EOFError, KeyboardInterrupt):
        print()
        return EXIT_INTERRUPTED
    style = style_of()
    while setup is not None:
        session = Session(setup.position.spec)
        _configure(session, arguments, setup.level)
        session.ensure_compiled(print_notice)
        game = InteractiveGame(setup, session, Limits(time=arguments.time), style)
        try:
            game.play(ask)
            setup = game.following
        except KeyboardInterrupt:
            print()
            return EXIT_INTERRUPTED
        finally:
            session.stop_and_wait()
            if not game.over:
                print(f"The game is unfinished. To resume:\n  {resume_command(arguments, game)}")
    return 0


def _setup(arguments: argparse.Namespace, ask: Callable[[str], str]) -> Setup:
    """Return the game that the arguments name, or that the person chooses."""
    from tengen.apps.play import kept, questions
    from tengen.apps.play.kept import Setup
    from tengen.apps.play.levels import chosen_level

    if arguments.resume is not None:
        return _resumed(arguments)
    asked = arguments.game is None and sys.stdin.isatty()
    if asked:
        arguments.game = str(questions.ask_game(ask))
    elif arguments.game is None:
        raise OptionError("--game is required, such as --game dvonn (tengen games lists all)")
    position = position_of(arguments)
    game = position.spec.game
    if asked and arguments.side is None:
        side = questions.ask_side(ask, game)
    else:
        side = game.side(arguments.side) if arguments.side else 0
    if asked and arguments.level is None:
        level: int | None = questions.ask_level(ask, game)
    else:
        level = chosen_level(arguments.level, game)
    return Setup(position, side, level, kept.KeptGame.new(position, side, level))


def _resumed(arguments: argparse.Namespace) -> Setup:
    """Return the kept game to go on with; its level may be another one now."""
    from tengen.apps.play import kept
    from tengen.apps.play.levels import chosen_level
    from tengen.apps.play.words import resumed

    given = [name for name in ("game", "position", "moves", "side") if getattr(arguments, name)]
    if given:
        raise OptionError(f"--{given[0]} and --resume exclude each other")
    setup = resumed(kept.find(arguments.resume or None))
    if arguments.level is not None:
        setup.level = chosen_level(arguments.level, setup.position.spec.game)
    return setup


def _configure(session: Session, arguments: argparse.Namespace, level: int | None) -> None:
    """Set the engine's options."""
    engine = argparse.Namespace(**{**vars(arguments), "level": None})
    set_engine_options(session, engine)
    if level is not None:
        session.set_option(LEVEL, str(level))


def reader() -> Callable[[str], str]:
    """Return a function like ``input``; answers from a file or a pipe are echoed."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # not available on every system
            importlib.import_module("readline")
        return input
    return EchoingReader(Reader(standard_input()))


class EchoingReader:
    """Takes answers from a file or a pipe, as many as a person might give; waiting for one, it heeds SIGINT.

    Parameters
    ----------
    reader : Reader
        Of the input, not yet started.
    """

    def __init__(self, reader: Reader) -> None:
        reader.start()
        self._lines = iter(reader)
        self._answers = 0

    def __call__(self, prompt: str) -> str:
        """Return the next line of the input, after printing it behind `prompt`.

        Only the beginning of a long line is kept.

        Raises
        ------
        EOFError
            At the end of input, and after `MAX_ANSWERS`.
        """
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        self._answers += 1
        if self._answers > MAX_ANSWERS:
            print_notice(f"expected at most {MAX_ANSWERS:,} answers, got more")
            raise EOFError
        answer = line.text[:MAX_ANSWER].rstrip()
        print(f"{prompt}{answer}", flush=True)
        return answer


def resume_command(arguments: argparse.Namespace, game: InteractiveGame) -> str:
    """Return the command that goes on with a game: with its file, or with its turns if it is not kept."""
    usual = {"time": DEFAULT_TIME, "threads": "1", "hash": "64", "search": AUTO, "chance": None}
    options = {name: vars(arguments)[name] for name in usual if vars(arguments)[name] != usual[name]}
    if game.on_disk:
        return command_line("play", {"resume": game.on_disk.stem, **options})
    from tengen.apps.play.kept import start_of

    position = game.position
    named = {
        "game": str(position.spec),
        "position": start_of(position),
        "moves": " ".join(position.turns_played),
        "side": position.spec.game.letters[game.side],
        "level": game.level,
    }
    return command_line("play", {**named, **options})
