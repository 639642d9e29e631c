"""The journal of a review: a file of JSON lines with every assessment made so far.

The first line identifies the record and the settings: a journal is resumed only if it matches. Each further
line is one position, flushed to disk before the next search. A truncated last line is dropped.
"""

import itertools
import json
import math
import os
import stat
from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any, Self

from tengen.apps.review.assessment import Assessment, Comparison, Estimate
from tengen.engine.errors import TengenError
from tengen.engine.storage.files import fsync_folder, open_regular
from tengen.engine.storage.parsing import parse_json
from tengen.engine.system import lock_file
from tengen.search.info import Score

FORMAT = "tengen analysis"  # the first key of the first line; its value is the version of the format
VERSION = 1
MAX_BYTES = 64 << 20
MAX_HEADER = 10_000  # bytes of the first line
POSITIONS = "positions"  # the key of the number of positions to assess
JournalSettings = Mapping[str, str | int | float | None]


class JournalError(TengenError):
    """A file is no journal, or belongs to another analysis, or cannot be written."""


class Journal:
    """The journal of one review, locked for this process."""

    def __init__(self, path: Path, settings: JournalSettings, restart: bool = False) -> None:
        self.path = path
        self.completed: list[Assessment] = []  # earlier assessments, of the first positions
        self.notice = ""  # what happened to earlier results, in words; empty if nothing did
        self._header = {FORMAT: VERSION, **settings}
        try:
            self._file = os.open(
                path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666
            )
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror} (--out FILE.sgf names another place)") from None
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise JournalError(f"{path}: expected a file, got something else")
            try:
                lock_file(self._file)
            except BlockingIOError:
                raise JournalError(f"{path}: in use by another process") from None
            except OSError as error:
                raise JournalError(f"{path}: {error.strerror}") from None
            self._begin(restart)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def add(self, assessment: Assessment) -> None:
        """Append the assessment of the next position; it is on disk when this returns."""
        score = assessment.score
        fields = {**vars(assessment), "score": score and score.value}
        for name in ("compared", "mean", "checked"):
            fields[name] = fields[name] and astuple(fields[name])
        if score and score.margin is not None:
            fields["margin"] = score.margin
        self._append(json.dumps(fields, ensure_ascii=False))

    def _begin(self, restart: bool) -> None:
        """Resume the journal in the file, or start a new one."""
        os.lseek(self._file, 0, os.SEEK_SET)
        if os.fstat(self._file).st_size > MAX_BYTES:
            raise JournalError(f"{self.path}: expected at most {MAX_BYTES >> 20} MB, got more")
        data = b"".join(iter(lambda: os.read(self._file, 1 << 20), b""))
        header, *lines = data.split(b"\n")[:-1] or [b""]
        mark = json.dumps({FORMAT: VERSION}).encode()[:-1]
        if not header and data[: len(mark)] == mark[: len(data)]:  # empty, or the first line was cut off
            self._start()
            return
        found = _parse_object(header)
        if found is None or found.get(FORMAT) != VERSION:
            raise JournalError(f"{self.path}: expected the journal of an analysis, got something else")
        sound = itertools.takewhile(bool, (_assessment(_parse_object(line) or {}) for line in lines))
        completed = [each for each in sound if each]
        if found == self._header and not restart:
            self.completed = completed
            whole = sum(len(line) + 1 for line in (header, *lines[: len(completed)]))
            if whole < len(data):
                os.ftruncate(self._file, whole)
            if len(completed) < len(lines):
                self.notice = f"{self.path}: damaged in line {len(completed) + 2}: analysed again from there"
            return
        if not restart:
            total = found.get(POSITIONS)
            if completed and len(completed) != total:
                there = (
                    f"{len(completed)} of {total} positions of another analysis ({self._difference(found)})"
                )
                raise JournalError(
                    f"{self.path}: expected this analysis, got {there}: resume that one, or use --restart"
                )
            self.notice = f"{self.path}: restarted: {self._difference(found)}"
        self._start()

    def _difference(self, found: dict[str, Any]) -> str:
        """Return how the analysis with the first line `found` differs from this one, in words."""
        if found.get("record") != self._header.get("record"):
            return "of another record"
        changed = [
            f"{name} was {_setting_text(found.get(name))}, now {_setting_text(self._header.get(name))}"
            for name in {**self._header, **found}
            if found.get(name) != self._header.get(name)
        ]
        return "; ".join(changed)

    def _start(self) -> None:
        """Start a new journal with only a first line."""
        os.ftruncate(self._file, 0)
        self._append(json.dumps(self._header, ensure_ascii=False))
        fsync_folder(self.path)

    def _append(self, line: str) -> None:
        """Write a line to disk; if that fails, the file is unchanged."""
        size = os.fstat(self._file).st_size
        data = line.encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, size)
            raise JournalError(f"{self.path}: {error.strerror}; what was written earlier is kept") from None


def read_settings(path: Path) -> dict[str, Any] | None:
    """Return the settings in the first line of a journal; None if there is no such journal."""
    try:
        with open_regular(path, MAX_BYTES) as file:
            found = _parse_object(file.readline(MAX_HEADER))
    except OSError:
        return None
    if found is None or found.pop(FORMAT, None) != VERSION:
        return None
    return found


def _setting_text(value: object) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _assessment(fields: dict[str, Any]) -> Assessment | None:
    """Return the assessment with these fields; None if they are invalid."""
    try:
        lead, compared, margin = fields["lead"], fields["compared"], fields.get("margin")
        mean, checked = fields.get("mean"), fields.get("checked")
        assessment = Assessment(
            rate=float(fields["rate"]),
            score=Score(int(fields["score"]), None if margin is None else int(margin)),
            lead=None if lead is None else float(lead),
            pv=tuple(map(str, fields["pv"])),
            depth=int(fields["depth"]),
            nodes=int(fields["nodes"]),
            compared=compared and (Estimate if len(compared) == 2 else Comparison)(*map(float, compared)),
            mean=mean and Estimate(*map(float, mean)),
            checked=checked and Comparison(*map(float, checked)),
        )
    except (KeyError, TypeError, ValueError):
        return None
    parts = (astuple(part) for part in (assessment.compared, assessment.mean, assessment.checked) if part)
    rates = [assessment.rate, *itertools.chain(*parts)]
    sound = all(0 <= rate <= 1 for rate in rates) and bool(assessment.pv)
    sound = sound and math.isfinite(assessment.lead or 0)
    return assessment if sound else None


def _parse_object(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object in `line`; None if it is something else."""
    try:
        value = parse_json(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
