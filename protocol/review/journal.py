"""The journal of an analysis: a file of JSON lines that has every position as soon as it is assessed.

The first line tells what is analysed, and how; it decides whether an analysis goes on from here. Every
further line is a position of the record, in order. A line is on disk before the next position is begun; one
that was cut off by the end of the process or of the disk is dropped.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tengen.engine.errors import TengenError
from tengen.engine.files import fsync_folder
from tengen.protocol.review.assessment import Assessment
from tengen.search.info import Score

FORMAT = "tengen analysis"  # the first key of the first line; its value is the version of the format
VERSION = 1
POSITIONS = "positions"  # the key of how many there are to be assessed
JournalSettings = Mapping[str, str | int | float | None]


class JournalError(TengenError):
    """A file that holds no journal, or that of another analysis, or that cannot be written."""


class Journal:
    """The journal of one analysis, opened for this process alone.

    Parameters
    ----------
    path : Path
        Made if it does not exist.
    settings : mapping
        What is analysed, and how; with `POSITIONS`.
    restart : bool
        Drop what an analysis has left there.

    Attributes
    ----------
    completed : list of Assessment
        Of the first positions, from the time before this process.
    notice : str
        What has become of an earlier analysis, for people; empty when there is nothing to say.

    Raises
    ------
    JournalError
        When the file holds something else, or the beginning of another analysis, is in use, or cannot be
        opened or written.
    """

    def __init__(self, path: Path, settings: JournalSettings, restart: bool = False) -> None:
        self.path = path
        self.completed: list[Assessment] = []
        self.notice = ""
        self._header = {FORMAT: VERSION, **settings}
        try:
            self._file = os.open(
                path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666
            )
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror} (--out FILE.sgf names another place)") from None
        try:
            self._require_own()
            self._begin(restart)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def add(self, assessment: Assessment) -> None:
        """Keep the assessment of the next position: it is on disk when this returns.

        Raises
        ------
        JournalError
            When it cannot be written; the file is as it was.
        """
        self._append(_as_line(assessment))

    def _require_own(self) -> None:
        """Lock the file, and raise JournalError unless it is one that can be had alone."""
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            raise JournalError(f"{self.path}: expected a file, got something else")
        try:
            import fcntl
        except ImportError:  # no locks on this system
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"{self.path}: in use by another process") from None
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP):  # no locks on this disk
                raise JournalError(f"{self.path}: {error.strerror}") from None

    def _begin(self, restart: bool) -> None:
        """Take over what is there of the same analysis, or make the file one that has only a first line."""
        data = self._read()
        header, *lines = data.split(b"\n")[:-1] or [b""]
        if not header:
            self._require_journal(data)
            self._start()
            return
        found = _object(header)
        if found is None or found.get(FORMAT) != VERSION:
            raise self._not_a_journal()
        completed = _assessments(lines)
        if found == self._header and not restart:
            self._resume(header, lines, completed)
            return
        if not restart:
            self._require_finished(found, len(completed))
            self.notice = f"{self.path}: begun anew: {self._difference(found)}"
        self._start()

    def _read(self) -> bytes:
        os.lseek(self._file, 0, os.SEEK_SET)
        chunks = iter(lambda: os.read(self._file, 1 << 20), b"")
        return b"".join(chunks)

    def _require_journal(self, data: bytes) -> None:
        """Raise JournalError unless `data`, a line that was cut off, may be the first line of a journal."""
        mark = json.dumps({FORMAT: VERSION}).encode()[:-1]
        if data[: len(mark)] != mark[: len(data)]:
            raise self._not_a_journal()

    def _not_a_journal(self) -> JournalError:
        return JournalError(f"{self.path}: expected the journal of an analysis, got something else")

    def _resume(self, header: bytes, lines: list[bytes], completed: list[Assessment]) -> None:
        """Go on behind the lines that are whole."""
        self.completed = completed
        os.ftruncate(self._file, sum(len(line) + 1 for line in (header, *lines[: len(completed)])))
        if len(completed) < len(lines):
            self.notice = f"{self.path}: damaged in line {len(completed) + 2}: analysed anew from there"

    def _require_finished(self, found: dict[str, Any], completed: int) -> None:
        """Raise JournalError when the file has the beginning of another analysis, which was not finished."""
        total = found.get(POSITIONS)
        if completed and completed != total:
            there = f"{completed} of {total} positions of another analysis ({self._difference(found)})"
            raise JournalError(
                f"{self.path}: expected this analysis, got {there}: go on with that one, or give --restart"
            )

    def _difference(self, found: dict[str, Any]) -> str:
        """Return in words how the analysis with the first line `found` differs from this one."""
        if found.get("record") != self._header.get("record"):
            return "of another record"
        changed = [
            f"{name} was {_shown(found.get(name))}, now {_shown(value)}"
            for name, value in self._header.items()
            if found.get(name) != value
        ]
        return "; ".join(changed)

    def _start(self) -> None:
        """Make the file one that has only a first line."""
        os.ftruncate(self._file, 0)
        self._append(json.dumps(self._header, ensure_ascii=False))
        fsync_folder(self.path)

    def _append(self, line: str) -> None:
        """Write a line and wait until it is on disk; one that does not fit leaves the file as it was."""
        size = os.fstat(self._file).st_size
        data = line.encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, size)
            raise JournalError(f"{self.path}: {error.strerror}; what was written before is kept") from None


def _shown(value: object) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _as_line(assessment: Assessment) -> str:
    """Return the line of an assessment."""
    fields = {**vars(assessment), "score": assessment.score and assessment.score.value}
    return json.dumps(fields, ensure_ascii=False)


def _assessments(lines: list[bytes]) -> list[Assessment]:
    """Return the assessments of `lines` up to the first that is damaged."""
    found = []
    for line in lines:
        assessment = _assessment(_object(line) or {})
        if assessment is None:
            break
        found.append(assessment)
    return found


def _assessment(fields: dict[str, Any]) -> Assessment | None:
    """Return the assessment with these fields; None when they are no assessment."""
    try:
        lead = fields["lead"]
        assessment = Assessment(
            rate=float(fields["rate"]),
            score=Score(int(fields["score"])),
            lead=None if lead is None else float(lead),
            pv=tuple(map(str, fields["pv"])),
            depth=int(fields["depth"]),
            nodes=int(fields["nodes"]),
        )
    except (KeyError, TypeError, ValueError):
        return None
    sound = 0 <= assessment.rate <= 1 and bool(assessment.pv) and math.isfinite(assessment.lead or 0)
    return assessment if sound else None


def _object(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object that stands in `line`; None when it holds something else."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
