"""The engine's options: their names, ranges and defaults, and how the command line sets them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tengen.engine.game import GameSpec, Option
from tengen.search.levels import MAX_SEED
from tengen.search.limits.limit import AUTO, MAX_LEVEL, MAX_MULTIPV, MAX_THREADS, METHODS, max_hash_mb

if TYPE_CHECKING:
    from tengen.protocol.session import Session

GAME = "Game"  # the option that holds the game spec; it comes before `OPTIONS`
OPENING = "Opening"  # the option that sets the game's own option of that name
LEVEL, LEVEL_SEED = "Level", "LevelSeed"
LIMIT_STRENGTH, ELO = "UCI_LimitStrength", "UCI_Elo"  # names that managers look for
MAX_ELO = 5000
NO_OPENING, PRO, SWAP2 = "none", "pro", "swap2"
OPTIONS = (
    Option("Threads", 1, "search threads", low=1, high=MAX_THREADS),
    Option("Hash", 64, "size of the transposition table, or of the tree, in MB", low=1, high=max_hash_mb()),
    Option("Search", AUTO, "search method; auto: the one that suits the game", choices=METHODS),
    Option("MultiPV", 1, "number of different turns to report", low=1, high=MAX_MULTIPV),
    Option("Ponder", False, "the manager may let the engine think on the opponent's time"),
    Option("CpuTime", False, "times are processor time of the engine, not wall-clock time"),
    Option("Resign", 5, "win rate in percent below which GTP's genmove resigns; 0: never", low=0, high=50),
    Option("ChallengeChance", 50, "chance in percent that a challenger wins", low=0, high=100),
    Option(LEVEL, MAX_LEVEL, "level of play; the highest is full strength", low=1, high=MAX_LEVEL),
    Option(LEVEL_SEED, 0, "seed of the choices of weaker levels; 0: other turns every time", 0, MAX_SEED),
    Option(LIMIT_STRENGTH, False, f"play at the level nearest to {ELO}, not at {LEVEL}"),
    Option(ELO, 1500, f"strength to play at with {LIMIT_STRENGTH}", low=0, high=MAX_ELO),
    Option(OPENING, NO_OPENING, "opening rule of five in a row", choices=(NO_OPENING, PRO, SWAP2)),
)


def opening_of(spec: GameSpec) -> str:
    """Return the value of the option `OPENING` that a game of `spec` begins with."""
    return str(spec.values.get(OPENING.lower(), NO_OPENING))


def add_engine_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that every command with a search has."""
    parser.add_argument("--threads", metavar="N", default="1", help="search threads (default 1)")
    parser.add_argument("--hash", metavar="MB", default="64", help="table or tree in MB (default 64)")
    parser.add_argument("--chance", metavar="P", help="chance in percent that a challenger wins (default 50)")
    parser.add_argument(
        "--search", metavar="METHOD", default=AUTO, help="alphabeta or mcts (default: what suits the game)"
    )


def add_level_argument(parser: argparse.ArgumentParser) -> None:
    """Declare the level of play, for commands in which the engine plays."""
    parser.add_argument(
        "--level",
        metavar="N",
        help=f"level of play, 1 to {MAX_LEVEL} (default {MAX_LEVEL}, full strength)",
    )


def set_engine_options(session: Session, arguments: argparse.Namespace) -> None:
    """Set the options of `session` from the arguments of `add_engine_arguments` and `add_level_argument`."""
    session.set_option("Threads", arguments.threads)
    session.set_option("Hash", arguments.hash)
    session.set_option("Search", arguments.search)
    if arguments.chance is not None:
        session.set_option("ChallengeChance", arguments.chance)
    if getattr(arguments, "level", None) is not None:
        session.set_option(LEVEL, arguments.level)
