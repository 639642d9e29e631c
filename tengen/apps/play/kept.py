"""The games that a person has played: SGF files in `archive.games_folder`, written after every turn."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tengen.apps.language import translate
from tengen.engine import sgf
from tengen.engine.columns import columns
from tengen.engine.errors import NotationError, OptionError, TengenError, nearest, printable, quoted
from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.sgf import Record
from tengen.engine.sgf.node import Node, format_turn
from tengen.engine.sgf.record import winning_side
from tengen.engine.spec import GameSpec
from tengen.protocol import archive
from tengen.protocol.archive import KeptFile
from tengen.protocol.session import turns_of
from tengen.search.levels import named_levels, next_level
from tengen.search.limits.limit import MAX_LEVEL

MAX_DIGITS = 9  # of a number that is read
OWN = ("PB", "PW", "BR", "WR", "RE", "DT", archive.SETTINGS)  # properties that are written anew
MAX_RESULT = 40  # characters of a result in a table; it is what the record says
AUTO_LEVEL = "auto"
FIRST_LEVEL = "beginner"  # for a person without games
COLUMNS = ("", "last played", "game", "you", "level", "turns", "result")


def carried_over(source: Record, turns: list[tuple[int, str]]) -> Record:
    """Return a copy of `source` with other turns: notes and variations stay where both have the same turns.

    What follows in `source` where they part becomes a variation. Turns that were taken back are gone; where
    there are variations to them, an empty node ends the main line.
    """
    made = source.copy()
    node = made.root
    for played in turns:
        while node.next and not node.next.colour:  # notes
            node = node.next
        child = node.child(*played) or node.add(*played)
        node.children.remove(child)
        node.children.insert(0, child)
        node = child
    others = node.children[1:]  # the first one has been taken back
    node.children = []
    if others:
        Node(node)
        node.children += others
    return made


@dataclass
class KeptGame:
    """A game in a file."""

    file: KeptFile
    source: Record  # as it was read: what else it says stays in the file
    side: int  # the person's side
    level: int | None  # the engine's level; None for full strength
    turns: list[tuple[int, str]]  # side and text of each turn
    result: str = ""  # empty while the game goes on; else as in SGF: ``B+5``, ``W+R``, ``0``
    opponent: str = ""  # the name of a player of one's own in place of the engine

    @classmethod
    def new(cls, position: Position, side: int, level: int | None) -> KeptGame:
        """Return a game that is not in a file yet: `write` creates it."""
        now = f"{datetime.now():{archive.DATED}}-{position.spec.game.name}"
        file = KeptFile(archive.unused(archive.games_folder() / f"{now}{archive.SUFFIX}"))
        start = None if position.start_text == Position(position.spec).text() else position.start_text
        return cls(file, Record(position.spec, start), side, level, turns_of(position))

    @classmethod
    def read(cls, path: Path) -> KeptGame:
        """Return the game in a file."""
        file = KeptFile(path)  # before it is read: what comes later is somebody else's
        record = sgf.read_file(path)
        if len(record.opening_line()) < len(record.turns):
            raise NotationError("record: expected one game, got a position that is set up in the middle")
        seats = list(archive.players(record))
        side = int(seats[0][0].startswith(archive.ENGINE_NAME) or seats[1][0] == archive.PERSON)
        level = archive.level_of_rank(seats[1 - side][1])
        result = record.properties.get("RE", [""])[0]
        return cls(file, record, side, level, record.turns, result)

    @property
    def spec(self) -> GameSpec:
        """What is played."""
        return self.source.spec

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return self.file.path

    @property
    def won(self) -> bool | None:
        """Whether the person has won; None if nobody has, or not yet."""
        winner = winning_side(self.spec.game, self.result)
        return None if winner is None else winner == self.side

    def position(self) -> Position:
        """Return the position after all turns."""
        position = Position(self.spec, self.source.start)
        sgf.replay(position, self.turns)
        self.turns = turns_of(position)
        for node, reached in self.source.walk():
            if node.colour:  # canonical
                node.properties[node.colour] = [format_turn(self.spec, reached.turns_played[-1])]
        return position

    def record(self) -> Record:
        """Return the game as a record, with the notes and the variations that it had before."""
        rank = "" if self.level is None else archive.rank_of(self.level)
        seats = [(self.opponent or archive.ENGINE_PLAYER, rank)] * 2
        seats[self.side] = (archive.PERSON, "")
        source = carried_over(self.source, self.turns)
        properties = source.root.properties
        for name in OWN:
            properties.pop(name, None)
        archive.name_players(properties, self.spec.game, seats, self.result)
        properties["DT"] = [f"{datetime.now():%Y-%m-%d}"]
        return source

    def write(self, position: Position, result: str) -> bool:
        """Keep the turns of `position`, if there has ever been one; return what `KeptFile.write` does."""
        self.turns = turns_of(position)
        self.result = result
        if not self.turns and not self.path.exists():
            return False
        return self.file.write(sgf.write(self.record()).encode())


def paths() -> list[Path]:
    """Return the files of all games, the one that was played last first."""
    return archive.paths(archive.games_folder())


def readable() -> Iterator[KeptGame]:
    """Yield the games that can be read, the one that was played last first."""
    for path in paths():
        with contextlib.suppress(TengenError):
            yield KeptGame.read(path)


def suitable_level(game: Game) -> int:
    """Return the level that suits the person: next to that of the last kept game of `game` with a winner."""
    for kept in readable():
        if kept.spec.game == game and kept.level is not None and kept.won is not None:
            return next_level(kept.level, kept.won)
    return named_levels(game)[FIRST_LEVEL]


def chosen_level(text: str | None, game: Game) -> int | None:
    """Return the level that `text` names, `AUTO_LEVEL` for one that suits; None is full strength."""
    if text is None:
        return None
    word, named = text.lower(), named_levels(game)
    if word == AUTO_LEVEL:
        return suitable_level(game)
    if called := next((name for name in named if word in (name, translate(name))), None):
        return named[called]
    if not text.isdecimal() or len(text) > 2 or not 1 <= int(text) <= MAX_LEVEL:
        words = ", ".join([AUTO_LEVEL, *named])
        raise OptionError(
            f"level: expected 1 to {MAX_LEVEL}, {words}, got {quoted(text)}{nearest(word, [*named])}"
        )
    return int(text)


def level_names(game: Game) -> str:
    """Return the names of levels of `game` in the person's language, with their numbers."""
    return ", ".join(f"{translate(name)} {level}" for name, level in named_levels(game).items())


def find(word: str | None) -> KeptGame:
    """Return the game that `word` names: by number, by name, or as a file; None: the last unfinished one.

    One from elsewhere will be kept as a copy.
    """
    listed = paths()
    if word is None:
        found = next((game for game in readable() if not game.result), None)
        if found is None:
            raise OptionError(f"there is no unfinished game in {archive.games_folder()}")
    elif word.isdecimal():
        number = int(word[:MAX_DIGITS])
        if not 1 <= number <= len(listed):
            kept = f"1 to {len(listed)}" if listed else "none, as no game is kept yet"
            raise OptionError(f"game: expected a number of a kept game, {kept}, got {quoted(word)}")
        found = KeptGame.read(listed[number - 1])
    else:
        named = next((path for path in listed if word in (path.name, path.stem)), None)
        found = KeptGame.read(named or Path(os.path.expanduser(word)))
    position = found.position()
    own = found.path.parent == archive.games_folder()
    return found if own else KeptGame.new(position, found.side, found.level)


def table() -> str:
    """Return all kept games as a table, the one that was played last first."""
    rows = [COLUMNS]
    for number, path in enumerate(paths(), 1):
        played = archive.played_at(path)
        try:
            game = KeptGame.read(path)
        except TengenError:
            rows.append((f"{number}", played, f"{printable(path.name)} cannot be read", "", "", "", ""))
            continue
        side, level = game.spec.game.titles[game.side], "-" if game.level is None else f"{game.level}"
        outcome = {None: game.result, True: f"you won, {game.result}", False: f"you lost, {game.result}"}
        result = printable(outcome[game.won] or "unfinished", MAX_RESULT)
        rows.append((f"{number}", played, f"{game.spec}", side, level, f"{len(game.turns)}", result))
    if len(rows) == 1:
        return translate(f"no games yet; they will be kept in {archive.games_folder()}")
    where = translate(f"kept in {archive.games_folder()}")
    table = columns([[translate(cell) for cell in row] for row in rows])
    return "\n".join([*table, "", translate("tengen play --resume N goes on with game N"), where])
