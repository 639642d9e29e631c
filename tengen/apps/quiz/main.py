"""Puzzles: positions with one turn that is right, or your own mistakes.

With --daily, or with --game and no records, puzzles of the collection are asked: only one turn wins, or
only one does not lose. Those asked before come first, then the easiest ones. --daily asks the puzzle of the
day, the same one for everybody, and counts the days in a row on which you have solved it.

Otherwise your mistakes are asked. Records are reviewed first, as far as they have not been (tengen
analyze); without any, those of the games that you have played here. Turns marked ? or ?? are asked. In
games against the engine it is you who is asked, in other records both sides, or the one that --side or
--player names. An answer is right if it loses less than 5 % against the best turn.

The first answer counts: after a right one the puzzle is asked again in 1, 3, 7, 14, 30, 90 and 180 days,
after a wrong one the next time. Every answer is kept at once, in quiz.json in the user's data folder
(TENGEN_DATA names another folder): Ctrl-C loses none.

JSON (--json, asks nothing) has a line for each puzzle: game, side, position, right (answers in a row) and
due; of a mistake also file, turn, played, loss, best, pv and reasons; of other puzzles number, goal (win or
hold), length (turns until the win), missed (levels of play, of four) and line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.apps.language import LanguageOptions, say, speak, translate
from tengen.apps.review.options import search_limits
from tengen.engine.errors import OptionError, quoted
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import operand, option, positive_int, positive_seconds, switch
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tengen.protocol.output import print_notice
from tengen.protocol.positions import RecordOptions

if TYPE_CHECKING:
    from tengen.apps.quiz.dialogue import Puzzle
    from tengen.apps.quiz.progress import Progress, Standing

EXAMPLES = """examples:
  tengen quiz --daily
  tengen quiz --game gipf
  tengen quiz
  tengen quiz games/ --player Ann
  tengen quiz game.sgf --side black --nodes 20000 --count 5
  tengen quiz games/ --list"""
DEFAULT_TIME = 1.0  # seconds a position of a review


@dataclass(frozen=True, kw_only=True)
class Arguments(RecordOptions, LanguageOptions):
    """The options of ``tengen quiz``."""

    records: Sequence[Path] = operand(
        "records, or folders of them (default: the kept games)", "FILE.sgf", Path, nargs="*", default=()
    )
    game: str | None = option("whose puzzles are asked; with records, what they do not say", "SPEC")
    daily: bool = switch("ask the puzzle of the day")
    side: str | None = option("the side whose mistakes are asked, such as black", "SIDE")
    player: str | None = option("the player whose mistakes are asked", "NAME")
    count: int = option("puzzles at most (default 10)", "N", positive_int, default=10)
    all: bool = switch("ask puzzles that are not due yet, too")
    list: bool = switch("list the puzzles and when they are due; ask nothing")
    json: bool = switch("list them as JSON lines")
    time: float | None = option("seconds a position of a new review (default 1)", "S", positive_seconds)
    nodes: int | None = option("positions to search for each, instead", "N", positive_int)


def run(options: Arguments) -> int:
    """Ask the puzzles, or list them."""
    from tengen.apps.quiz.progress import Progress

    options = options.prefer_typed("side", "player")
    if options.side is not None and options.player is not None:
        raise OptionError("--side and --player exclude each other")
    speak(options.language)
    progress, today = Progress(), date.today()
    found = list({puzzle.name: puzzle for puzzle in _puzzles(options, progress, today)}.values())
    if options.json or options.list:
        for puzzle in found:
            print(_listed(puzzle, progress.standing(puzzle.name), options.json))
        if not found and not options.json:
            say("no mistakes found")
        return 0
    due = [puzzle for puzzle in found if options.all or options.daily or progress.is_due(puzzle.name, today)]
    if not due:
        from tengen.apps.quiz.dialogue import due_text

        standings = [progress.standing(puzzle.name) for puzzle in found]
        known = [standing for standing in standings if standing]
        if not known:
            say("no mistakes found: nothing to ask")
            return 0
        when = due_text(min(known, key=lambda standing: standing.due), today)
        say(f"nothing is due today; the next puzzle is asked {when} (--all asks at once)")
        return 0
    return _ask(due[: options.count], progress, today, options.daily)


def _puzzles(options: Arguments, progress: Progress, today: date) -> Iterable[Puzzle]:
    """Return what there is to ask: puzzles of the collection, or mistakes of records."""
    from tengen.apps.quiz import collection
    from tengen.apps.quiz.mistakes import of_files

    if not options.daily and (options.records or not options.game):
        limits = search_limits(DEFAULT_TIME, options.time, options.nodes)
        sides = options.side, options.player
        return of_files(_files(options), sides, limits, options.game, options.strict)
    complaint = "{}: for mistakes, which --daily or --game alone does not ask"
    options.refusing(complaint, "records", "number", "side", "player", "time", "nodes", "strict")
    game = GameSpec.parse(options.game).game.name if options.game else None
    if options.game and game and GameSpec.parse(options.game) != GameSpec.parse(game):
        print_notice(f"--game: expected {game} without options for its puzzles, got {quoted(options.game)}")
    if options.daily or not game:
        return [collection.of_day(today, game)]
    return collection.in_order(game, progress, today)


def _ask(due: Sequence[Puzzle], progress: Progress, today: date, daily: bool) -> int:
    """Ask puzzles in the terminal."""
    from tengen.apps.quiz.dialogue import Quiz
    from tengen.apps.terminal import style_of

    quiz = Quiz(due, progress, style_of(), today)
    code = 0
    try:
        quiz.run(input)
    except (EOFError, KeyboardInterrupt) as end:
        print()
        code = EXIT_INTERRUPTED if isinstance(end, KeyboardInterrupt) else 0
    if daily and any(attempt.solved for attempt in quiz.attempts):
        say(f"Puzzles of the day solved in a row: {progress.note_day(today)}")
    first = [attempt.first for attempt in quiz.attempts if attempt.first is not None]
    say(f"{sum(first)} of {len(first)} right at once; kept in {progress.path}")
    return code


def _files(options: Arguments) -> list[Path]:
    """Return the records to ask from."""
    from tengen.apps.review.batch import games_of, record_files
    from tengen.protocol import archive

    if options.records:
        return games_of(map(options.numbered, record_files(options.records)), options.game)
    kept = archive.paths(archive.games_folder())
    if not kept:
        others = "name records, or take puzzles: --daily, or --game NAME"
        raise OptionError(f"there are no games of yours in {archive.games_folder()} yet; {others}")
    return kept


def _listed(puzzle: Puzzle, standing: Standing | None, as_json: bool) -> str:
    """Return a line of the list, as text or JSON."""
    if not as_json:
        return f"{standing.due if standing else translate('new')!s:<10}  {puzzle.row()}"
    right, due = (standing.right, str(standing.due)) if standing else (0, None)
    return json.dumps({**puzzle.report(), "right": right, "due": due})
