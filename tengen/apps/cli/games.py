"""List the games, their variants, and their options with ranges and defaults.

A game spec is NAME[:VARIANT][,OPTION=VALUE]..., such as gomoku:exactly-five,size=19.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tengen.engine import games
from tengen.engine.columns import columns
from tengen.engine.game import Game, Option
from tengen.engine.games import TRIALS
from tengen.protocol.arguments import Options, operand, switch

Row = tuple[str, str, str]


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
    bounds["trials"] = [_trial_report(trial) for trial in TRIALS.values()] if option.contest else None
    present = {name: bound for name, bound in bounds.items() if bound is not None}
    return {"name": option.name, "default": option.default, **present, "help": option.help}


def _trial_report(trial: Game) -> dict[str, Any]:
    options = [_option_report(option) for option in trial.options]
    return {"name": trial.name, "summary": trial.summary, "options": options}


def table(game: Game) -> str:
    """Return a game as text: a headline, then rows in three columns."""
    sides = ("sides", f"{game.sides[0]} begins", f"then {game.sides[1]}")
    rows = [sides, *_variants(game), *_options(game), *_trials(game)]
    return "\n".join([f"{game.name}: {game.summary}", *(f"  {line}" for line in columns(rows))])


def _variants(game: Game) -> list[Row]:
    """Return a row for each variant: its spec and its options."""
    rows = []
    for number, (name, preset) in enumerate(game.variants.items()):
        shown = {key: value for key, value in preset.items() if not game.option(key).preset}
        settings = ", ".join(f"{key}={game.option(key).format(value)}" for key, value in shown.items())
        rows.append(("variants" if number == 0 else "", f"{game.name}:{name}", settings))
    return rows


def _options(game: Game) -> list[Row]:
    """Return a row for each option: its default, its meaning and its values."""
    return [
        ("" if number else "options", *_cells(option))
        for number, option in enumerate(option for option in game.options if not option.preset)
    ]


def _cells(option: Option) -> tuple[str, str]:
    return f"{option.name}={option.format(option.default)}", f"{option.help} ({option.domain})"


def _trials(game: Game) -> list[Row]:
    """Return rows for the trials that can decide a challenge, and for their options."""
    if game.challenge is None:
        return []
    rows = []
    for trial in TRIALS.values():
        rows.append(("", trial.name, trial.summary))
        for option in trial.options:
            name, text = _cells(option)
            rows.append(("", f"{trial.name}:{name}", text))
    return [("trials", *rows[0][1:]), *rows[1:]]
