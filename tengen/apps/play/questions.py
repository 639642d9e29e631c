"""What a person is asked before a game: which game, which side, which level."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tengen.apps.play.kept import chosen_level, suitable_level
from tengen.engine import games
from tengen.engine.errors import OptionError, TengenError, quoted
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.limits.limit import MAX_LEVEL

Ask = Callable[[str], str]
T = TypeVar("T")


def ask_game(ask: Ask) -> GameSpec:
    """Return the game that the person chooses, by number, name or spec."""
    known = games.known()
    width = max(len(game.title) for game in known)
    for number, game in enumerate(known, 1):
        print(f"  {number}  {game.title:<{width}}  {game.summary}")
    print("\nA name may have options: gipf:basic, go,size=9,komi=7 (tengen games lists them).")

    def spec_of(answer: str) -> GameSpec:
        if answer.isdecimal() and 1 <= int(answer) <= len(known):
            return _as_usual(known[int(answer) - 1])
        if answer.isdecimal() or not answer:
            raise OptionError(
                f"game: expected a number from 1 to {len(known)}, or a name, got {quoted(answer)}"
            )
        spec = GameSpec.parse(answer.lower())
        Position(spec)  # options that do not go together are refused here
        return spec

    return _asked(ask, f"game, 1 to {len(known)} or a name> ", spec_of)


def _as_usual(game: Game) -> GameSpec:
    """Return the game with the options that most people play with; name those that its rules leave out."""
    spec = GameSpec.parse(game.name)
    for option in game.options:
        if option.usual is not None:
            spec = spec.with_option(option.name, option.usual)
            print(f"{option.name} {option.usual} ({option.help})")
    return spec


def ask_side(ask: Ask, game: Game) -> int:
    """Return the side that the person chooses."""
    first, second = game.titles
    prompt = f"your side, {first} (begins) or {second} [{first}]> "
    return _asked(ask, prompt, lambda answer: game.side(answer) if answer else 0)


def ask_level(ask: Ask, game: Game) -> int:
    """Return the level that the person chooses."""
    suits = suitable_level(game)
    prompt = f"level, 1 (weak) to {MAX_LEVEL} (full strength) [{suits}]> "
    return _asked(ask, prompt, lambda answer: chosen_level(answer, game) or suits if answer else suits)


def _asked(ask: Ask, prompt: str, read: Callable[[str], T]) -> T:
    """Ask until `read` accepts the answer; return what it makes of it."""
    while True:
        try:
            return read(ask(prompt).strip())
        except TengenError as error:
            print(error)
