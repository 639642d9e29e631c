"""When every puzzle is asked again: a file in the user's data folder, written after every answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tengen.engine.errors import TengenError
from tengen.engine.storage.files import exclusive_lock, read_bytes, replace_file
from tengen.engine.storage.parsing import parse_json
from tengen.protocol.archive import PATIENCE, data_folder

NAME_BYTES = 12  # of the hash that names a puzzle
FILE = "quiz.json"
FORMAT, VERSION = "tengen quiz", 1
MAX_BYTES = 64 << 20
INTERVALS = (1, 3, 7, 14, 30, 90, 180)  # days until the next time, by right answers in a row


def name_of(*parts: str) -> str:
    """Return the name of a puzzle of which these texts tell everything."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[: 2 * NAME_BYTES]


class ProgressError(TengenError):
    """The file is not the progress of a quiz."""


@dataclass(frozen=True)
class Standing:
    """How a puzzle has gone so far."""

    right: int  # right answers in a row
    due: date  # the first day on which it is asked again

    @classmethod
    def after(cls, earlier: Standing | None, right: bool, today: date) -> Standing:
        """Return the standing after an answer today."""
        if not right:
            return cls(0, today)
        row = earlier.right + 1 if earlier else 1
        return cls(row, today + timedelta(INTERVALS[min(row, len(INTERVALS)) - 1]))


class Progress:
    """The standing of every puzzle that has been asked."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_folder() / FILE
        self._standings, self._days, self._last_day = self._read()

    def standing(self, name: str) -> Standing | None:
        """Return the standing of a puzzle; None if it has never been asked."""
        return self._standings.get(name)

    def is_due(self, name: str, today: date) -> bool:
        """Return whether a puzzle is to be asked today."""
        known = self.standing(name)
        return known is None or known.due <= today

    def note(self, name: str, right: bool, today: date) -> Standing:
        """Keep the answer to a puzzle, with whatever others have written meanwhile; return the standing."""
        with self._changing():
            found = self._standings[name] = Standing.after(self.standing(name), right, today)
        return found

    def streak(self, today: date) -> int:
        """Return on how many days in a row, up to today or yesterday, the puzzle of the day was solved."""
        return self._days if self._last_day in (today, today - timedelta(1)) else 0

    def note_day(self, today: date) -> int:
        """Keep that the puzzle of the day is solved; return on how many days in a row."""
        with self._changing():
            if self._last_day != today:
                self._days, self._last_day = self.streak(today) + 1, today
        return self._days

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Read what others have written meanwhile, and write what the block makes of it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(self.path, PATIENCE):
            self._standings, self._days, self._last_day = self._read()
            yield
            self._write()

    def _write(self) -> None:
        kept = {name: {"right": each.right, "due": str(each.due)} for name, each in self._standings.items()}
        days = {"days": {"row": self._days, "last": str(self._last_day)}} if self._days else {}
        text = json.dumps({FORMAT: VERSION, "puzzles": kept, **days}, indent=1) + "\n"
        replace_file(self.path, text.encode())

    def _read(self) -> tuple[dict[str, Standing], int, date]:
        """Return the standings, and on how many days in a row up to which one the day's puzzle was solved."""
        if not self.path.exists():
            return {}, 0, date.min
        try:
            found: Any = parse_json(read_bytes(self.path, MAX_BYTES))
            if found[FORMAT] != VERSION:
                raise ValueError
            standings = {
                str(name): Standing(int(each["right"]), date.fromisoformat(each["due"]))
                for name, each in found["puzzles"].items()
            }
            days = found.get("days", {"row": 0, "last": str(date.min)})
            return standings, int(days["row"]), date.fromisoformat(days["last"])
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
            raise ProgressError(f"{self.path}: expected the progress of a quiz, got something else") from None
