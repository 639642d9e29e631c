"""Play against the engine in the terminal.

Without --game, a person is asked for the game, the side and the level. On your turn, enter a turn, the
beginning of one, or a word: help lists them. Games are kept, and can be gone on with.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tengen.apps.terminal.style import style_of
from tengen.engine.errors import OptionError
from tengen.protocol.arguments import command_line, option, positive_seconds, switch
from tengen.protocol.engine_options import SearchOptions, set_engine_options
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.lines import Reader, standard_input
from tengen.protocol.output import print_notice
from tengen.protocol.positions import GameOptions, position_of
from tengen.protocol.session import Session
from tengen.search.limits.limit import MAX_LEVEL, Limit

if TYPE_CHECKING:
    from tengen.apps.play.dialogue import InteractiveGame
    from tengen.apps.play.kept import Setup

EXAMPLES = """examples:
  tengen play
  tengen play --game dvonn --level 5
  tengen play --game gomoku,size=19 --side w --time 5 --threads 2
  tengen play --list
  tengen play --resume"""
MAX_ANSWERS, MAX_ANSWER = 20_000, 4096  # from a file or a pipe, and the characters of each
LAST = ""  # stands for the last unfinished game


@dataclass(frozen=True, kw_only=True)
class Arguments(SearchOptions, GameOptions):
    """The options of ``tengen play``."""

    game: str | None = option("game to play, such as gomoku,size=19", "SPEC")
    side: str | None = option("your side (default: the one that begins)", "b|w")
    level: str | None = option(
        f"level of the engine, 1 to {MAX_LEVEL}, or auto: by the games kept (default: full strength)", "N"
    )
    resume: str | None = option(
        "go on with a kept game, by number or name, or with a file (default: the last unfinished one)",
        "GAME",
        nargs="?",
        const=LAST,
    )
    time: float = option(
        "seconds a turn for the engine, at most (default 2)", "S", positive_seconds, default=2.0
    )
    list: bool = switch("list the games kept")


def run(options: Arguments) -> int:
    """Play games until the person leaves."""
    from tengen.apps.play import kept
    from tengen.apps.play.dialogue import InteractiveGame

    if options.list:
        print(kept.table())
        return 0
    ask = reader()
    try:
        setup: Setup | None = _setup(options, ask)
    except (EOFError, KeyboardInterrupt):
        print()
        return EXIT_INTERRUPTED
    style = style_of()
    while setup is not None:
        session = Session(setup.position.spec)
        set_engine_options(session, replace(options, level=None if setup.level is None else str(setup.level)))
        session.ensure_compiled(print_notice)
        game = InteractiveGame(setup, session, Limit(time=options.time), style)
        try:
            game.play(ask)
            setup = game.following
        except KeyboardInterrupt:
            print()
            return EXIT_INTERRUPTED
        finally:
            session.stop_and_wait()
            if not game.over:
                print(f"The game is unfinished. To resume:\n  {resume_command(options, game)}")
    return 0


def _setup(options: Arguments, ask: Callable[[str], str]) -> Setup:
    """Return the game that the options name, or that the person chooses."""
    from tengen.apps.play import kept, questions
    from tengen.apps.play.kept import Setup, chosen_level

    if options.resume is not None:
        return _resumed(options)
    asked = options.game is None and sys.stdin.isatty()
    if asked:
        options = replace(options, game=str(questions.ask_game(ask)))
    elif options.game is None:
        raise OptionError("--game is required, such as --game dvonn (tengen games lists all)")
    position = position_of(options)
    game = position.spec.game
    if asked and options.side is None:
        side = questions.ask_side(ask, game)
    else:
        side = game.side(options.side) if options.side else 0
    if asked and options.level is None:
        level: int | None = questions.ask_level(ask, game)
    else:
        level = chosen_level(options.level, game)
    return Setup(position, side, level, kept.KeptGame.new(position, side, level))


def _resumed(options: Arguments) -> Setup:
    """Return the kept game to go on with; its level may be another one now."""
    from tengen.apps.play import kept
    from tengen.apps.play.commands import resumed

    given = [name for name in ("game", "position", "moves", "side") if getattr(options, name)]
    if given:
        raise OptionError(f"--{given[0]} and --resume exclude each other")
    setup = resumed(kept.find(options.resume or None))
    if options.level is not None:
        setup.level = kept.chosen_level(options.level, setup.position.spec.game)
    return setup


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


def resume_command(options: Arguments, game: InteractiveGame) -> str:
    """Return the command that goes on with a game: with its file, or with its turns if it is not kept."""
    usual = replace(options, game=None, position=None, moves="", side=None, level=None, resume=None)
    if game.on_disk:
        return command_line("play", replace(usual, resume=game.on_disk.stem), defaults=False)
    from tengen.apps.play.kept import start_of

    position = game.position
    named = replace(
        usual,
        game=str(position.spec),
        position=start_of(position),
        moves=" ".join(position.turns_played),
        side=position.spec.game.letters[game.side],
        level=None if game.level is None else str(game.level),
    )
    return command_line("play", named, defaults=False)
