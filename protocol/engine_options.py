"""The registry of the engine's options: their names in every protocol, bounds, and what they set.

UGI, GTP, Gomocup's INFO, KataGo's parameters, the command line and the user's settings are made from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tengen.engine.game import Option, Value
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import Options, option
from tengen.search.levels import MAX_SEED
from tengen.search.limits.limit import AUTO, MAX_LEVEL, MAX_MULTIPV, MAX_THREADS, METHODS, max_hash_mb

if TYPE_CHECKING:
    from tengen.protocol.session import Session

GAME = "Game"  # the option that holds the game spec; it comes before `OPTIONS`
OPENING = "Opening"  # the option that sets the game's own option of that name
THREADS, HASH, SEARCH, CHANCE = "Threads", "Hash", "Search", "ChallengeChance"
LEVEL, LEVEL_SEED = "Level", "LevelSeed"
LIMIT_STRENGTH, ELO = "UCI_LimitStrength", "UCI_Elo"  # names that managers look for
MAX_ELO = 5000
NO_OPENING, PRO, SWAP2 = "none", "pro", "swap2"


@dataclass(frozen=True)
class EngineOption(Option):
    """An option of the engine."""

    worker: str = ""  # the parameter of the search worker that it sets; empty for none
    percent: bool = False  # whether the worker takes a fraction instead
    argument: str = ""  # its name on the command line and in the user's settings, without dashes
    info: str = ""  # the key of Gomocup's INFO that sets it
    kata: str = ""  # the parameter of ``kata-set-param`` that sets it

    def for_worker(self, value: Value) -> dict[str, Any]:
        """Return the argument of the search worker that `value` stands for; none if that does not heed it."""
        if not self.worker:
            return {}
        return {self.worker: float(value) / 100 if self.percent else value}


OPTIONS = {
    option.name: option
    for option in (
        EngineOption(
            THREADS, 1, "search threads", 1, MAX_THREADS,
            worker="threads", argument="threads", info="thread_num", kata="numSearchThreads",
        ),
        EngineOption(
            HASH, 64, "size of the transposition table, or of the tree, in MB", 1, max_hash_mb(),
            worker="hash_mb", argument="hash",
        ),
        EngineOption(
            SEARCH, AUTO, "search method; auto: the one that suits the game", choices=METHODS,
            worker="method", argument="search",
        ),
        EngineOption("MultiPV", 1, "number of different turns to report", 1, MAX_MULTIPV),
        EngineOption("Ponder", False, "the manager may let the engine think on the opponent's time"),
        EngineOption(
            "CpuTime", False, "times are processor time of the engine, not wall-clock time",
            worker="processor_time",
        ),
        EngineOption("Resign", 5, "win rate in percent below which GTP's genmove resigns; 0: never", 0, 50),
        EngineOption(
            CHANCE, 50, "chance in percent that a challenger wins", 0, 100,
            worker="challenge_chance", percent=True, argument="chance",
        ),
        EngineOption(
            LEVEL, MAX_LEVEL, "level of play; the highest is full strength", 1, MAX_LEVEL,
            argument="level", info="level",
        ),
        EngineOption(
            LEVEL_SEED, 0, "seed of the choices of weaker levels; 0: other turns every time", 0, MAX_SEED,
            worker="level_seed",
        ),
        EngineOption(LIMIT_STRENGTH, False, f"play at the level nearest to {ELO}, not at {LEVEL}"),
        EngineOption(ELO, 1500, f"strength to play at with {LIMIT_STRENGTH}", 0, MAX_ELO),
        EngineOption(
            OPENING, NO_OPENING, "opening rule of five in a row", choices=(NO_OPENING, PRO, SWAP2)
        ),
    )
}  # fmt: skip


def opening_of(spec: GameSpec) -> str:
    """Return the value of the option `OPENING` that a game of `spec` begins with."""
    return str(spec.values.get(OPENING.lower(), NO_OPENING))


def engine_option(name: str, metavar: str) -> Any:
    """Return the field of an engine option on the command line: its text, which the session reads."""
    registered = OPTIONS[name]
    return option(
        f"{registered.help} (default {registered.default})", metavar, default=str(registered.default)
    )


@dataclass(frozen=True, kw_only=True)
class SearchOptions(Options):
    """The engine options of every command with a search."""

    threads: str = engine_option(THREADS, "N")
    hash: str = engine_option(HASH, "MB")
    chance: str = engine_option(CHANCE, "P")
    search: str = engine_option(SEARCH, "METHOD")


@dataclass(frozen=True, kw_only=True)
class EngineOptions(SearchOptions):
    """Those of a command in which the engine plays."""

    level: str | None = engine_option(LEVEL, "N")


def set_engine_options(session: Session, options: SearchOptions) -> None:
    """Set the engine options that stand on the command line."""
    for registered in OPTIONS.values():
        text = getattr(options, registered.argument, None) if registered.argument else None
        if text is not None:
            session.set_option(registered.name, text)
