"""List the games, their variants, and their options with ranges and defaults.

A game spec is NAME[:VARIANT][,OPTION=VALUE]..., such as gomoku:exactly-five,size=19.
"""

import json
from dataclasses import dataclass
from typing import Any

from tengen.engine import games
from tengen.engine.columns import columns
from tengen.engine.game import Game, Option
from tengen.engine.games import TRIALS
from tengen.protocol.arguments import Options, operand, switch

EXAMPLES = """examples:
  tengen games
  tengen games gipf --json"""


@dataclass(frozen=True, kw_only=True)
class Arguments(Options):
    """The options of ``tengen games``."""

    game: str | None = operand("only this game", "GAME", nargs="?")
    json: bool = switch("print JSON objects, one a game")


def run(options: Arguments) -> int:
    """Print all games."""
    known = [games.find(name) for name in ([options.game.lower()] if options.game else games.names())]
    if options.json:
        for game in known:
            print(json.dumps(report(game)))
    else:
        print("\n\n".join(table(game) for game in known))
    return 0


def report(game: Game) -> dict[str, Any]:
    """Return a game for JSON; bounds and choices only where the option has them."""
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "sides": list(game.sides),
        "letters": list(game.letters),
        "variants": {name: dict(preset) for name, preset in game.variants.items()},
        "options": [_option_report(option) for option in game.options if not option.preset],
    }


def _option_report(option: Option) -> dict[str, Any]:
    bounds: dict[str, Any] = {"low": option.low, "high": option.high, "choices": list(option.choices) or None}
    bounds["several"] = option.several or None
    if option.contest:
        bounds["trials"] = [
            {
                "name": trial.name,
                "summary": trial.summary,
                "options": [_option_report(each) for each in trial.options],
            }
            for trial in TRIALS.values()
        ]
    present = {name: bound for name, bound in bounds.items() if bound is not None}
    return {"name": option.name, "default": option.default, **present, "help": option.help}


def table(game: Game) -> str:
    """Return a game as text: a headline, then rows in three columns."""
    sections: dict[str, list[tuple[str, str]]] = {
        "sides": [(f"{game.sides[0]} begins", f"then {game.sides[1]}")],
        "variants": [],
        "options": [_cells(option) for option in game.options if not option.preset],
        "trials": [],  # that can decide a challenge
    }
    for name, preset in game.variants.items():
        shown = {key: value for key, value in preset.items() if not game.option(key).preset}
        settings = ", ".join(f"{key}={game.option(key).format(value)}" for key, value in shown.items())
        sections["variants"].append((f"{game.name}:{name}", settings))
    for trial in TRIALS.values() if game.challenge is not None else ():
        sections["trials"].append((trial.name, trial.summary))
        sections["trials"] += [_cells(option, f"{trial.name}:") for option in trial.options]
    rows = [
        ("" if number else title, *cells)
        for title, listed in sections.items()
        for number, cells in enumerate(listed)
    ]
    return "\n".join([f"{game.name}: {game.summary}", *(f"  {line}" for line in columns(rows))])


def _cells(option: Option, prefix: str = "") -> tuple[str, str]:
    return f"{prefix}{option.name}={option.format(option.default)}", f"{option.help} ({option.domain})"
