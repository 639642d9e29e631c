"""The commands that a person may enter in place of a turn; among them hints, and why a turn is good."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.apps.language import say, spoken, translate
from tengen.apps.play import kept as kept_games
from tengen.apps.play.kept import KeptGame, chosen_level
from tengen.apps.play.turn_entry import TurnEntry
from tengen.apps.review.reasons import merits
from tengen.apps.terminal import chosen, page
from tengen.engine import sgf
from tengen.engine.errors import OptionError, quoted
from tengen.engine.notation import shown, typed
from tengen.engine.play.position import Position
from tengen.engine.play.trials import AWAITS_RESULT
from tengen.engine.rulebook import rulebook
from tengen.engine.spec import GameSpec
from tengen.engine.storage.files import replace_file
from tengen.protocol.archive import SUFFIX
from tengen.protocol.engine_options import LEVEL
from tengen.search.limits.limit import MAX_LEVEL

if TYPE_CHECKING:
    from tengen.apps.play.dialogue import InteractiveGame
    from tengen.search.info import Info, Result

MOST_LISTED = 300  # legal turns
REVIEW_TIME = 0.3  # seconds a position
LINES = 2  # turns that are compared
CLOSE = 0.03  # a difference in win rate that decides nothing
EXPECTED = 4  # turns of the expected line that are shown
IN_STEPS = ("rules", "board", "help", "?")  # words that are understood while a turn is entered in steps


@dataclass(frozen=True)
class Command:
    """How it is entered, what it does, and the function that does it, given what follows its name."""

    usage: str
    summary: str
    execute: Callable[[InteractiveGame, str], None]


def turns_from(position: Position, beginning: str) -> list[str]:
    """Return the legal turns that begin with a text, in small letters or capitals."""
    begin = shown(position.spec, typed(position.spec, beginning)).lower()
    return [turn for turn in position.turns() if shown(position.spec, turn).lower().startswith(begin)]


def show_moves(game: InteractiveGame, beginning: str) -> None:
    """List the legal turns, or those with a beginning."""
    turns = turns_from(game.position, beginning)
    if not turns:
        say(f"no legal turn begins with {quoted(beginning)}" if beginning else "there is no legal turn")
        return
    turns = shown(game.position.spec, turns)
    listed = turns[:MOST_LISTED]
    print(textwrap.fill(" ".join(listed), game.style.width, break_on_hyphens=False, break_long_words=False))
    if len(turns) > len(listed):
        some = turns[0][: len(beginning) + 3]
        say(f"... {len(turns):,} turns in all; moves {some} lists those that begin with {some}")


def show_hint(game: InteractiveGame, _: str) -> None:
    """Print the turn that the engine would play at full strength, and why."""
    if game.over:
        say("the game is over")
    elif game.position.awaits_result:
        say(AWAITS_RESULT)
    else:
        result = game.search(replace(game.limits, level=MAX_LEVEL, multipv=LINES))
        game.say(f"the engine would play {judged(game.position, result)}")
        for reason in reasons(game.position, result):
            game.say(f"  {reason}")


def judged(position: Position, result: Result) -> str:
    """Return the turn of `result`, not yet played, with its value for the side that plays it."""
    if not result.lines:
        return f"{result.turn}"
    best = result.lines[0]
    return translate(f"{result.turn} ({best.score}, wins {100 * best.win_rate(position.scale):.0f}%)")


def reasons(position: Position, result: Result) -> list[str]:
    """Return why the turn of `result` is good: what it does, what follows, what the next best is worth."""
    found = [translate(text) for text in merits(position, result.turn, result.lines)]
    if not result.lines:
        return [*found, translate("it was chosen without a search")]
    best, *others = result.lines
    if len(best.pv) > 1:
        found.append(translate(f"expected: {' '.join(best.pv[:EXPECTED])}"))
    if best.score.turns_to_win is None:
        return [*found, _compared(position, best, others[0])] if others else found
    if best.score.value < 0:
        found.append(translate("all turns lose; this one holds out longest"))
    return found


def _compared(position: Position, best: Info, other: Info) -> str:
    """Return how much better a turn is than another one."""
    scale = position.scale
    better, worse = best.win_rate(scale), other.win_rate(scale)
    if other.score.turns_to_win is not None and other.score.value < 0:
        return translate(f"anything else loses, such as {other.pv[0]}")
    if better - worse < CLOSE:
        return translate(f"{other.pv[0]} is as good: it wins {100 * worse:.0f}%")
    return translate(f"the next best, {other.pv[0]}, wins {100 * worse:.0f}%")


def show_rules(game: InteractiveGame, tag: str) -> None:
    """Show the rules, one rule, or hints for good play; those of the game that is being played."""
    print(page(*chosen(rulebook(game.position.game, spoken()), tag or None), game.style))


def enter_steps(game: InteractiveGame, _: str) -> None:
    """Enter a turn in steps."""
    if game.over:
        say("the game is over")
    elif game.position.turns():
        game.enter_steps(TurnEntry(game.position))


def save(game: InteractiveGame, name: str) -> None:
    """Write the game to a file of its own, or say where it is kept."""
    if not name:
        where = f"kept in {game.on_disk}" if game.on_disk else "not kept yet"
        say(f"the game is {where}; save FILE writes a copy")
        return
    path = Path(os.path.expanduser(name))
    if path.name in ("", ".."):
        raise OptionError(f"save: expected a file, got {quoted(name)}")
    path = path if path.suffix else path.with_suffix(SUFFIX)
    written = KeptGame.new(game.position, game.side, game.kept.level)
    written.result = game.result
    try:
        if path.exists():
            raise OptionError(f"save: expected a new file, got {quoted(str(path), 200)}, which exists")
        replace_file(path, sgf.write(written.record()).encode())
    except OSError as error:
        raise OptionError(f"save: {quoted(str(path), 200)}: {error.strerror}") from None
    say(f"written to {path}")


def load(game: InteractiveGame, name: str) -> None:
    """Go on with a kept game, or with one in a file; without a name, list the kept games."""
    if not name:
        print(kept_games.table().replace("tengen play --resume", "load"))
        return
    game.leave(kept_games.find(name))


def review(game: InteractiveGame, _: str) -> None:
    """Judge every turn of the game."""
    if not game.kept.turns or not game.on_disk:
        say("there is nothing to review: no turn has been kept")
        return
    from tengen.apps.review import review as reviews
    from tengen.apps.review.options import ReviewOptions

    reviews.run(ReviewOptions(time=REVIEW_TIME), game.on_disk)


def begin_new(game: InteractiveGame, text: str) -> None:
    """Begin a new game, the same or another one."""
    spec = GameSpec.parse(text.lower()) if text else game.position.spec
    game.leave(KeptGame.new(Position(spec), game.side, game.kept.level))


def set_level(game: InteractiveGame, text: str) -> None:
    """Change the engine's level, or begin a game against it after the end."""
    if not text:
        level = MAX_LEVEL if game.kept.level is None else game.kept.level
        say(f"the engine plays at level {level} of {MAX_LEVEL}")
        print(f"  {kept_games.level_names(game.position.spec.game)}")
        return
    level_asked = chosen_level(text, game.position.spec.game)
    if game.over:
        game.leave(KeptGame.new(Position(game.position.spec), game.side, level_asked))
        return
    game.kept.level = level_asked
    game.keep()
    game.session.set_option(LEVEL, str(level_asked))
    say(f"the engine now plays at level {level_asked}")


def show_help(game: InteractiveGame, _: str) -> None:
    """List the words."""
    listed = {command.usage: command.summary for command in COMMANDS.values()}
    width = max(map(len, listed))
    say("On your turn, enter a turn, the beginning of one (the rest is asked for), or one of these words:")
    for usage, summary in listed.items():
        print(f"  {usage:<{width}}  {translate(summary)}")
    if game.position.spec.challenge:
        say(CHALLENGES)


CHALLENGES = """Answer a turn that your opponent announces by accept or challenge. If a challenge is settled
outside, enter how it has ended: result challenger, result owner or result draw."""

COMMANDS = {
    command.usage.partition(" ")[0]: command
    for command in (
        Command("moves [A1]", "list the legal turns, or those that begin with A1", show_moves),
        Command("step", "enter a turn in steps, with the choices listed", enter_steps),
        Command("hint", "ask the engine for a good turn, and why", show_hint),
        Command("rules [TAG]", "show the rules, one of them (rules D-5), or hints: rules tips", show_rules),
        Command("board", "show the board again", lambda game, _: game.show_board()),
        Command(
            "undo", "take back your last turn and its answer, also after the end", lambda game, _: game.undo()
        ),
        Command("resign", "resign the game", lambda game, _: game.resign()),
        Command("level [N]", "show or change the engine's level", set_level),
        Command("review", "let the engine judge every turn so far", review),
        Command("save [FILE]", "write the game to a file; it is kept in any case", save),
        Command("load [GAME]", "go on with a kept game, by its number, or with a file", load),
        Command("new [GAME]", "begin a new game", begin_new),
        Command("quit", "leave; tengen play --resume goes on with the game", lambda game, _: game.leave()),
        Command("help", "list these words", show_help),
    )
}
COMMANDS |= {"exit": COMMANDS["quit"], "?": COMMANDS["help"]}
