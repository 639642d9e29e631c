"""The folder of games: their names and files, see `archive.KeptFile`."""

from __future__ import annotations

import re
import secrets
import time
from pathlib import Path

from tengen.engine import sgf
from tengen.engine.errors import TengenError, quoted
from tengen.engine.sgf import Record
from tengen.protocol.archive import DATED, REVIEW_JOURNALS, REVIEWED, SUFFIX, KeptFile, paths
from tengen.protocol.errors import CommandError

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?")
REVIEW_SUFFIX = REVIEW_JOURNALS[1]
MAX_GAMES = 10_000  # listed


class GameStore:
    """The games that are kept.

    Parameters
    ----------
    folder : Path
        Made if it does not exist.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def new(self, game: str) -> KeptFile:
        """Return the file of a new game of this kind, which is not there yet."""
        return KeptFile(self.path(f"{time.strftime(DATED)}-{game}-{secrets.token_hex(3)}"))

    def names(self) -> list[str]:
        """Return the names of all games, the one that was played last first."""
        listed = [path for path in paths(self.folder) if NAME.fullmatch(path.stem)]
        return [path.stem for path in listed[:MAX_GAMES]]

    def path(self, name: str, suffix: str = SUFFIX) -> Path:
        """Return the file of a game; no name leads out of the folder.

        Raises
        ------
        CommandError
            If it is no name of a game.
        """
        if not NAME.fullmatch(name):
            raise CommandError(f"game: expected a name of letters, digits and hyphens, got {quoted(name)}")
        return self.folder / f"{name}{suffix}"

    def load(self, name: str) -> tuple[KeptFile, Record]:
        """Return the file of a game, and its record.

        Raises
        ------
        CommandError
            If there is none of this name, or it cannot be read.
        """
        path = self.path(name)
        if not path.is_file():
            raise CommandError(f"game: expected one that is kept, got {quoted(name)}")
        file = KeptFile(path)  # before it is read: what comes later is somebody else's
        try:
            return file, sgf.read_file(path)
        except TengenError as error:
            raise CommandError(f"game {name}: {error}") from error

    def delete(self, name: str) -> None:
        """Delete a game and its reviews.

        Raises
        ------
        CommandError
            If that fails, or the name is none.
        """
        for suffix in (SUFFIX, REVIEW_SUFFIX, REVIEWED):
            path = self.path(name, suffix)
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise CommandError(f"game: {quoted(path.name)}: {error.strerror}") from None
