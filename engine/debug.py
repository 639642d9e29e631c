"""Unexpected errors: always one line for the user; in debug mode also the traceback.

``TENGEN_DEBUG=1`` turns debug mode on, for this process and for those that it starts. Tracebacks then go to
standard error and to a log file, which ``TENGEN_LOG`` names.
"""

import logging
import os
import threading
from pathlib import Path
from typing import Any

from tengen.engine.errors import printable
from tengen.engine.storage.files import user_folder

log = logging.getLogger("tengen")

DEBUG = "TENGEN_DEBUG"
LOG_FILE = "TENGEN_LOG"
LINE = "tengen: %(message)s"
RECORD = "%(asctime)s %(process)d %(threadName)s %(levelname)s %(message)s"


class _Printable(logging.Formatter):
    """A format of records, in debug mode with tracebacks below them, in which foreign text is escaped."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = printable(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:
        if not is_debugging():
            return ""
        return "\n".join(map(printable, super().formatException(ei).split("\n")))


def is_debugging() -> bool:
    """Return whether debug mode is on."""
    return os.environ.get(DEBUG, "0") not in ("", "0")


def configure_logging() -> None:
    """Log to standard error; in debug mode more, and to the log file as well. Calling it again is harmless.

    An exception that ends a thread is reported like any other, in one line.
    """
    console = logging.StreamHandler()
    console.setFormatter(_Printable(LINE))
    logging.basicConfig(handlers=[console], level=logging.WARNING)
    threading.excepthook = _report_thread
    if not is_debugging() or _file_handler():
        return
    log.setLevel(logging.DEBUG)
    path = Path(os.environ.get(LOG_FILE) or user_folder("log") / "tengen.log").expanduser()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        log.warning("no log file: %s: %s", path, error.strerror or error)
        return
    handler.setFormatter(_Printable(RECORD))
    logging.getLogger().addHandler(handler)


def internal_error(error: BaseException) -> str:
    """Return one line about an unexpected error; in debug mode log its traceback.

    The line ends with where the traceback is, or how to get it. Every record is flushed when it is logged, so
    that the process may end at any time afterwards.
    """
    line = printable(" ".join(f"internal error: {type(error).__name__}: {error}".split()))
    if not is_debugging():
        return f"{line} ({DEBUG}=1 shows the traceback)"
    log.error(line, exc_info=error)
    handler = _file_handler()
    return f"{line} (traceback {f'in {handler.baseFilename}' if handler else 'on standard error'})"


def _file_handler() -> logging.FileHandler | None:
    """Return the handler that writes the log file, if there is one."""
    handlers = logging.getLogger().handlers
    return next((handler for handler in handlers if type(handler) is logging.FileHandler), None)


def _report_thread(failed: threading.ExceptHookArgs) -> None:
    """Report the exception that has ended a thread."""
    if failed.exc_value is not None and failed.exc_type is not SystemExit:
        name = failed.thread.name if failed.thread else "unknown"
        log.error("thread %s ended: %s", name, internal_error(failed.exc_value))
