"""Show the rules of a game: all of them, one by the number that a refusal cites, or hints for good play."""

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tengen.apps.language import LanguageOptions, speak
from tengen.engine import games
from tengen.engine.errors import OptionError
from tengen.engine.rulebook import rulebook
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import operand, switch

EXAMPLES = """examples:
  tengen rules dvonn
  tengen rules dvonn D-5
  tengen rules gipf tips"""


@dataclass(frozen=True, kw_only=True)
class Arguments(LanguageOptions):
    """The options of ``tengen rules``."""

    game: str | None = operand("the game (default: list the games)", "GAME", nargs="?")
    tag: str | None = operand("the number of a rule, such as D-5, or tips", "TAG", nargs="?")
    json: bool = switch("print a JSON object")


def run(options: Arguments) -> int:
    """Print the rules, or which games have them."""
    from tengen.apps.terminal import chosen, page, show_paged, style_of

    if options.game is None:
        print(_overview(options.json))
        return 0
    game = GameSpec.parse(options.game.lower()).game
    title, sections = chosen(rulebook(game, speak(options.language)), options.tag)
    if options.json:
        listed = [
            {"heading": section.heading, "blocks": [block.report() for block in section.blocks]}
            for section in sections
        ]
        print(json.dumps({"game": game.name, "title": game.title, "sections": listed}))
    else:
        show_paged(page(title, sections, style_of()))
    return 0


def _overview(as_json: bool) -> str:
    """Return the games that have rules to read, with the numbers of the rules."""
    found = {}
    for game in games.known():
        with contextlib.suppress(OptionError):  # a game of another package need not have a page
            found[game.name] = rulebook(game).tags
    if as_json:
        return json.dumps(found)
    width = max(map(len, found))
    lines = [f"{name:<{width}}  {', '.join(_ranges(tags))}" for name, tags in found.items()]
    usage = "tengen rules GAME shows all rules of a game, tengen rules GAME D-5 one of them, and\n"
    return "\n".join([*lines, "", f"{usage}tengen rules GAME tips hints for good play."])


def _ranges(tags: Sequence[str]) -> Iterator[str]:
    """Yield the numbers of rules, those that follow one another as a range: ``D-1 to D-9``."""

    def distance(place: tuple[int, str]) -> tuple[str, int]:
        letters, _, number = place[1].partition("-")
        return letters, int(number) - place[0]

    for _, places in groupby(enumerate(tags), distance):
        first, *_, last = [tag for _, tag in places] * 2
        yield first if first == last else f"{first} to {last}"
