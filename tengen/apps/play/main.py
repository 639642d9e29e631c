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
from typing import TYPE_CHECKING, TypeVar

from tengen.apps.language import LanguageOptions, say, speak, translate
from tengen.engine import games
from tengen.engine.errors import OptionError, TengenError, quoted
from tengen.engine.spec import GameSpec
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
    from tengen.apps.play.kept import KeptGame
    from tengen.apps.terminal import Ask

EXAMPLES = """examples:
  tengen play
  tengen play dvonn --level 5
  tengen play --game gomoku,size=19 --side w --time 5 --threads 2
  tengen play --lesson dvonn
  tengen play --list
  tengen play --resume"""
MAX_ANSWERS, MAX_ANSWER = 20_000, 4096  # from a file or a pipe, and the characters of each
LAST = ""  # stands for the last unfinished game
FIRST = "1"  # the lesson to begin with

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Arguments(SearchOptions, GameOptions, LanguageOptions):
    """The options of ``tengen play``."""

    game: str | None = option("game to play, such as gomoku,size=19", "SPEC")
    side: str | None = option("your side (default: the one that begins)", "b|w")
    level: str | None = option(
        f"level of the engine, 1 to {MAX_LEVEL}, a name such as club, or auto: by games kept (default: full)",
        "N|NAME",
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
    lesson: str | None = option(
        "go through the lessons of a game, or of --game from lesson N on", "GAME|N", nargs="?", const=FIRST
    )
    list: bool = switch("list the games kept")
    player: str | None = option(
        "a player of your own in place of the engine, python:FILE.py:NAME; its code is run", "PLAYER"
    )


def run(options: Arguments) -> int:
    """Play games until the person leaves."""
    from tengen.apps.play import kept
    from tengen.apps.play.dialogue import InteractiveGame
    from tengen.apps.terminal import style_of

    speak(options.language)
    if options.list:
        options.refusing("{} and --list exclude each other", "resume", "lesson")
        print(kept.table())
        return 0
    ask = reader()
    if options.lesson is not None:
        return _teach(options, options.lesson, ask)
    opponent = None
    if options.player is not None:
        from tengen.tuning.players.specs import Opponent

        named, options = options.player, options.refusing("--player and {} exclude each other", "level")
        opponent = Opponent(named)
    try:
        game: KeptGame | None = _game(options, ask)
    except (EOFError, KeyboardInterrupt):
        print()
        return EXIT_INTERRUPTED
    style = style_of()
    while game is not None:
        game.opponent = opponent.name if opponent else ""
        session = Session(game.spec)
        set_engine_options(session, replace(options, level=None if game.level is None else str(game.level)))
        session.ensure_compiled(print_notice)
        played = InteractiveGame(game, session, Limit(time=options.time), style, opponent)
        try:
            played.play(ask)
            game = played.following
        except KeyboardInterrupt:
            print()
            return EXIT_INTERRUPTED
        finally:
            session.stop_and_wait()
            if not played.over:
                say(f"The game is unfinished. To resume:\n  {resume_command(options, played)}")
    return 0


def _teach(options: Arguments, named: str, ask: Ask) -> int:
    """Go through the lessons of the game that the options name, or that the person chooses."""
    from tengen.apps.play.lesson import teach
    from tengen.apps.terminal import style_of

    others = "resume", "position", "moves", "side", "level", "player"
    options = options.refusing("{} and --lesson exclude each other", *others)
    try:
        if named.isalpha() or (options.game is None and not named.isdecimal()):
            options.refusing("{} and a game after --lesson exclude each other", "game")
            game, named = GameSpec.parse(named.lower()).game, FIRST
        else:
            if options.game is None and not sys.stdin.isatty():
                raise OptionError("--lesson requires a game, such as --lesson dvonn")
            game = (GameSpec.parse(options.game) if options.game else _ask_game(ask)).game
        teach(game, named, ask, style_of())
    except (EOFError, KeyboardInterrupt) as end:
        print()
        return EXIT_INTERRUPTED if isinstance(end, KeyboardInterrupt) else 0
    return 0


def _game(options: Arguments, ask: Ask) -> KeptGame:
    """Return the game that the options name, or that the person chooses."""
    from tengen.apps.play import kept
    from tengen.apps.play.kept import KeptGame, chosen_level

    if options.resume is not None:
        others = "game", "position", "moves", "side"
        options = options.refusing("{} and --resume exclude each other", *others)
        old = kept.find(options.resume or None)
        if options.level is not None:
            old.level = chosen_level(options.level, old.spec.game)
        return old
    asked = options.game is None and sys.stdin.isatty()
    if asked:
        options = replace(options, game=str(_ask_game(ask)))
    elif options.game is None:
        raise OptionError("a game is required, such as tengen play dvonn (tengen games lists all)")
    position = position_of(options)
    game = position.spec.game
    if asked and options.side is None:
        first, second = game.titles
        prompt = f"your side, {first} (begins) or {second} [{first}]> "
        side = _asked(ask, prompt, lambda answer: game.side(answer or 0))
    else:
        side = game.side(options.side or 0)
    if asked and options.level is None and options.player is None:
        print(f"  {kept.level_names(game)}")
        prompt = f"level, a name or 1 (weak) to {MAX_LEVEL} (full strength) [{kept.suitable_level(game)}]> "
        level = _asked(ask, prompt, lambda answer: chosen_level(answer or kept.AUTO_LEVEL, game))
    else:
        level = chosen_level(options.level, game)
    return KeptGame.new(position, side.number, level)


def _ask_game(ask: Ask) -> GameSpec:
    """Return the game that the person chooses, by number, name or spec."""
    from tengen.engine.play.position import Position

    known = games.known()
    width = max(len(game.title) for game in known)
    for number, game in enumerate(known, 1):
        print(f"  {number}  {game.title:<{width}}  {translate(game.summary)}")
    say("\nA name may have options: gipf:basic, go,size=9,komi=7 (tengen games lists them).")

    def spec_of(answer: str) -> GameSpec:
        if answer.isdecimal() and 1 <= int(answer) <= len(known):
            spec = GameSpec.of(known[int(answer) - 1])
            for each in spec.game.options:
                if each.usual is not None:  # what most people play with, and the rules leave out
                    spec = spec.with_option(each.name, each.usual)
                    print(f"{each.name} {each.usual} ({translate(each.help)})")
            return spec
        if answer.isdecimal() or not answer:
            raise OptionError(
                f"game: expected a number from 1 to {len(known)}, or a name, got {quoted(answer)}"
            )
        spec = GameSpec.parse(answer.lower())
        Position(spec)  # options that do not go together are refused here
        return spec

    return _asked(ask, f"game, 1 to {len(known)} or a name> ", spec_of)


def _asked(ask: Ask, prompt: str, read: Callable[[str], T]) -> T:
    """Ask until `read` accepts the answer; return what it makes of it."""
    while True:
        try:
            return read(ask(translate(prompt)).strip())
        except TengenError as error:
            print(error)


def reader() -> Ask:
    """Return a function like ``input``; answers from a file or a pipe are echoed."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # not available on every system
            importlib.import_module("readline")
        return input
    return echoing(Reader(standard_input()))


def echoing(source: Reader) -> Ask:
    """Return a function that takes answers from a file or a pipe, as many as a person might give.

    It heeds SIGINT while it waits, prints each answer behind its prompt, and raises EOFError at the end.
    """
    source.start()
    lines = enumerate(source, 1)

    def ask(prompt: str) -> str:
        number, line = next(lines, (0, None))
        if number > MAX_ANSWERS:
            print_notice(f"expected at most {MAX_ANSWERS:,} answers, got more")
        if line is None or number > MAX_ANSWERS:
            raise EOFError
        answer = line.text[:MAX_ANSWER].rstrip()
        print(f"{prompt}{answer}", flush=True)
        return answer

    return ask


def resume_command(options: Arguments, game: InteractiveGame) -> str:
    """Return the command that goes on with a game: with its file, or with its turns if it is not kept."""
    usual = replace(options, game=None, position=None, moves="", side=None, level=None, resume=None)
    if game.on_disk:
        return command_line("play", replace(usual, resume=game.on_disk.stem), defaults=False)
    position = game.position
    named = replace(
        usual,
        game=str(position.spec),
        position=game.kept.source.start,
        moves=" ".join(position.turns_played),
        side=position.spec.game.letters[game.side],
        level=None if game.kept.level is None else str(game.kept.level),
    )
    return command_line("play", named, defaults=False)
