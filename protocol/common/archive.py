"""The folder of the games that people have played, and how their records name the players.

Games are SGF files in the folder ``games`` of the user's data folder, for which `DATA` names another one. The
person's name is `PERSON`, an engine's begins with `ENGINE_NAME`; its rank (``BR``, ``WR``) is its level.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from tengen import __version__
from tengen.engine.sgf import Record
from tengen.search.timing.limits import MAX_LEVEL

DATA = "TENGEN_DATA"
SUFFIX = ".sgf"
REVIEWED = ".analyzed.sgf"  # what a review of a game is called
REVIEW_JOURNALS = (".analyzed.jsonl", ".review.jsonl")  # of `tengen analyze`, and of the page
DATED = "%Y-%m-%d-%H%M%S"  # how the name of a game begins: when it did
PERSON = "person"
ENGINE_NAME = "tengen"
ENGINE_PLAYER = f"{ENGINE_NAME} {__version__}"


def data_folder() -> Path:
    """Return the folder of what is kept for the user, which need not exist yet."""
    if chosen := os.environ.get(DATA):
        return Path(chosen).expanduser()
    return Path(platformdirs.user_data_dir("tengen", appauthor=False))


def games_folder() -> Path:
    """Return the folder of the games, which need not exist yet."""
    return data_folder() / "games"


def paths(folder: Path) -> list[Path]:
    """Return the files of all games in `folder`, the one that was played last first."""
    files = [path for path in folder.glob(f"*{SUFFIX}") if not path.name.endswith(REVIEWED)]
    return sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)


def result_path(record: Path, suffix: str) -> Path:
    """Return where a result of the review of `record` is kept: ``game.sgf`` and ``game.psq`` have their own.

    Parameters
    ----------
    record : Path
    suffix : str
        Such as `REVIEWED`.
    """
    own = "" if record.suffix.lower() == SUFFIX else record.suffix
    return record.with_suffix(own + suffix)


def players(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the name and the rank of each side's player; empty where the record has none."""
    for letter in map(str.upper, record.spec.game.letters):
        name, rank = (record.properties.get(key, [""])[0] for key in (f"P{letter}", f"{letter}R"))
        yield name, rank


def rank_of(level: int) -> str:
    """Return the rank of an engine at `level`."""
    return f"level {level}"


def level_of_rank(rank: str) -> int | None:
    """Return the level that a rank names; None if it is no level."""
    level = re.fullmatch(r"level (\d{1,2})", rank)
    return int(level[1]) if level and 1 <= int(level[1]) <= MAX_LEVEL else None
