"""The command ``tengen``: runs the subcommand, and turns errors into one line and an exit code.

A subcommand is a module with its options, ``Arguments`` (see `protocol.arguments`), ``EXAMPLES`` of its use,
and ``run(options: Arguments) -> int``. Heavy imports belong inside ``run``, so that --help and --version are
fast.

Exit codes: 0 for success, 2 for a failure of any kind, 130 after SIGINT, 141 when nobody reads the output any
more; ``tengen gate`` has its own.
"""

import argparse
import gc
import importlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from tengen import __version__
from tengen.engine.debug import DEBUG, configure_logging, internal_error, log
from tengen.engine.errors import OptionError, TengenError, nearest, printable, quoted
from tengen.engine.options import BOOKS
from tengen.engine.system import join_command
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.output import accept_any_console, open_standard_streams, print_notice
from tengen.protocol.settings import apply_settings

GROUPS = {
    "to play": {
        "play": ("tengen.apps.play.main", "play against the engine in the terminal"),
        "serve": ("tengen.apps.cli.serve", "play, analyse and review in the browser"),
        "quiz": ("tengen.apps.quiz.main", "solve puzzles, or find better turns for your own mistakes"),
        "rules": ("tengen.apps.cli.rules", "show the rules of a game, or one by its number"),
        "games": ("tengen.apps.cli.games", "list games, variants and options"),
    },
    "positions and records": {
        "analyze": ("tengen.apps.cli.analyze", "evaluate a position, or review a record"),
        "show": ("tengen.apps.cli.show", "draw a position as text, SVG or PNG"),
        "convert": ("tengen.apps.cli.convert", "convert a record between SGF and other formats"),
        "theory": ("tengen.apps.cli.tuning.theory", "show the best openings, or search for them"),
    },
    "for other programs": {
        "gtp": (
            "tengen.protocol.gtp.commands",
            "speak GTP 2 on stdin and stdout (GoGui, Sabaki, tournament managers)",
        ),
        "ugi": ("tengen.protocol.ugi", "speak UGI on stdin and stdout (managers of board games)"),
        "gomocup": (
            "tengen.protocol.gomocup.commands",
            "speak Gomocup's protocol on stdin and stdout (Piskvork, Yixin Board)",
        ),
        "analysis": (
            "tengen.protocol.katago.analysis",
            "speak the JSON of KataGo's analysis engine on stdin and stdout",
        ),
    },
    "matches": {
        "match": ("tengen.apps.cli.tuning.match", "play engines against each other and rate them"),
        "levels": ("tengen.apps.cli.tuning.levels", "rate the levels of play by a tournament"),
        "openings": ("tengen.apps.cli.tuning.openings", "draw balanced openings for matches"),
        "gate": ("tengen.apps.cli.tuning.gate", "accept new weights if they are proven better"),
    },
    "learning": {
        "selfplay": (
            "tengen.apps.cli.tuning.selfplay",
            "play training games of the engine against itself",
        ),
        "fit": ("tengen.apps.cli.tuning.fit", "learn the weights of an evaluation from games"),
        "reinforce": ("tengen.apps.cli.tuning.reinforce", "learn a net of Go by playing, on a GPU"),
    },
    "upkeep": {
        "warmup": ("tengen.apps.cli.warmup", "compile the games in advance"),
        "kernels": ("tengen.apps.cli.kernels", "carry compiled games to other machines"),
        "bench": ("tengen.apps.cli.bench", "measure node signature and speed"),
        "perft": ("tengen.apps.cli.perft", "count turns, to test a move generator"),
        "completion": ("tengen.apps.cli.completion", "complete the command line in bash, zsh or fish"),
    },
}
RETIRED = {  # commands of version 0.1, and why they are gone
    "book": BOOKS,
    "tune": "tuning by SPSA is gone; nothing was gained by it",
}
SPELLINGS = {"analyse": "analyze"}  # other ones of commands
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
EXIT_USAGE = 2
EXIT_CLOSED = 141  # as after SIGPIPE
MAX_USAGE_ERROR = 300  # characters of what argparse says; it quotes whole arguments
YOUNG_OBJECTS = 100_000  # made between two collections of garbage: imports make many that stay


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, with the nearest known option.

    The value of ``--game`` may stand first without it.
    """

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments; a file or folder with the name of a game goes before the game."""
        from tengen.engine import games

        words = list(sys.argv[1:] if args is None else args)
        named = re.match(r"(\w+)(?:[,:]|$)", words[0]) if words else None
        is_missing = "--game" in self._option_string_actions and "--game" not in words
        if named and is_missing and named[1] in games.names() and not Path(words[0]).exists():
            words = ["--game", *words]
        return super().parse_known_args(words, namespace)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a message; unlike argparse, which drops it, say so if that fails."""
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """Print one line to stderr and exit with code 2."""
        from tengen.engine import games

        unknown = re.match(r"unrecognized arguments: ([\w-]+)", message)
        if unknown:
            known = [*self._option_string_actions, *games.names()]
            message += (
                nearest(unknown[1], known)
                if unknown[1] not in known
                else " (a game stands before the options)"
            )
        shown = printable(message, MAX_USAGE_ERROR)
        sys.stderr.write(f"{self.prog}: error: {shown} (see {self.prog} --help)\n")
        sys.exit(EXIT_USAGE)


def overview() -> str:
    """Return the text of ``tengen --help``."""
    width = max(map(len, COMMANDS))
    lines = []
    for title, group in GROUPS.items():
        lines += ["", f"{title}:", *(f"  {name:<{width}}  {summary}" for name, (_, summary) in group.items())]
    return "\n".join(
        [
            "usage: tengen COMMAND [options]    (tengen COMMAND --help explains one)",
            "",
            "AI opponent and analysis engine for GIPF, ZÈRTZ, DVONN, Go, Gomoku and Gobang.",
            *lines,
            "",
            "examples:",
            "  tengen play",
            "  tengen analyze --game dvonn --time 5",
            "  tengen gtp --game gomoku,size=19",
            "  tengen show --game dvonn --moves 'a1 b1 c1'",
        ]
    )


def welcome() -> str:
    """Return what ``tengen`` alone says in a terminal: what most people want, as commands that work there."""
    import shutil

    called = [sys.argv[0]] if Path(sys.argv[0]).stem == "tengen" else [sys.executable, "-m", "tengen"]
    found = shutil.which("tengen")
    command = "tengen" if found and Path(found) == Path(called[0]).absolute() else join_command(called)
    offers = {
        "serve": "play, analyse and review in the browser",
        "play": "play in this terminal",
        "analyze --game dvonn": "what a position is worth",
        "rules gipf": "the rules of a game, with examples",
        "--help": "all commands, also those for GUIs and matches",
    }
    width = max(map(len, offers))
    lines = [f"  {command} {words:<{width}}  {summary}" for words, summary in offers.items()]
    title = f"tengen {__version__}: an opponent and analysis engine for six board games"
    return "\n".join([title, "", *lines])


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's) and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    gc.set_threshold(YOUNG_OBJECTS)  # by default, collections take a tenth of the time until the first answer
    try:
        mute = sys.stdout is None
        open_standard_streams()
        configure_logging()
        accept_any_console()
        if mute:
            return _report_error("standard output is closed")
        try:
            return _dispatch(arguments)
        finally:
            sys.stdout.flush()
    except TengenError as error:
        log.debug("refused", exc_info=error)
        return _report_error(str(error))
    except KeyboardInterrupt:
        print_notice("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader has gone: print nothing more, not even at exit
        _drop_output()
        return EXIT_CLOSED
    except OSError as error:
        log.debug("failed", exc_info=error)
        try:
            sys.stdout.flush()
        except OSError:  # the disk is full
            _drop_output()
        where = f"{error.filename}: " if error.filename else ""
        return _report_error(f"{where}{error.strerror or error}")
    except Exception as error:
        return _report_error(internal_error(error))


def _drop_output() -> None:
    """Let what has not been printed yet vanish: it cannot be, and the interpreter would complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _report_error(message: str) -> int:
    """Write one line to stderr and return the exit code of a failed command."""
    sys.stderr.write(f"tengen: error: {printable(message)}\n")
    return EXIT_USAGE


def _dispatch(arguments: list[str]) -> int:
    """Run the subcommand that `arguments` name."""
    if not arguments and sys.stdin and sys.stdin.isatty() and sys.stdout.isatty():
        print(welcome())
        return 0
    if arguments[:1] == ["help"] and len(arguments) == 2:
        arguments = [arguments[1], "--help"]
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(overview())
        return 0 if arguments else EXIT_USAGE
    name, *rest = SPELLINGS.get(arguments[0], arguments[0]), *arguments[1:]
    if name in ("-V", "--version", "version"):
        print(f"tengen {__version__}")
        return 0
    if name in RETIRED:
        raise OptionError(f"command {name}: {RETIRED[name]}")
    if name not in COMMANDS:
        known = ", ".join(COMMANDS)
        raise OptionError(f"command: expected one of {known}, got {quoted(name)}{nearest(name, COMMANDS)}")
    parser = build_parser(name)
    apply_settings(parser, name, [*COMMANDS, *RETIRED])
    namespace = parser.parse_args(rest)
    if namespace.debug:
        os.environ[DEBUG] = "1"  # for the processes that this one starts, too
        configure_logging()
    from tengen.protocol.arguments import parsed

    module = importlib.import_module(COMMANDS[name][0])
    return int(module.run(parsed(module.Arguments, namespace)))


def build_parser(name: str) -> Parser:
    """Return the parser of the arguments of a subcommand."""
    from tengen.protocol.arguments import add_arguments  # here: the overview comes at once

    module = importlib.import_module(COMMANDS[name][0])
    parser = Parser(
        prog=f"tengen {name}",
        description=module.__doc__,
        epilog=module.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_arguments(parser, module.Arguments)
    parser.add_argument("--debug", action="store_true", help="show and log tracebacks of errors")
    return parser
