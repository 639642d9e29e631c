"""Jobs for tests of the worker pool: worker processes import them from a module."""

import os
import signal
import time
from pathlib import Path

from tengen.engine.errors import IllegalTurnError

PREPARED: list[int] = []


def prepare() -> None:
    PREPARED.append(1)


def double(number: int) -> tuple[int, int, int]:
    """Return twice the number, the process, and how often that was prepared."""
    return 2 * number, os.getpid(), len(PREPARED)


def die_at_first(job: tuple[int, str]) -> int:
    """Kill the worker the first time that a job is done which has a file to remember it by."""
    number, path = job
    if path and not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(job: str) -> None:
    if job == "deadly":
        os.kill(os.getpid(), signal.SIGKILL)


def refuse(number: int) -> None:
    raise IllegalTurnError("a1", "there is no a1", "X-1")


def fail() -> None:
    raise ZeroDivisionError("no")


def wait_and_wind_up(path: str) -> None:
    """Say who works, wait for ever, and leave a note at the end."""
    begun = Path(path).with_suffix(".begun")
    begun.with_suffix(".new").write_text(str(os.getpid()))
    begun.with_suffix(".new").rename(begun)
    try:
        time.sleep(60)
    finally:
        Path(path).touch()


def wait_for_ever(path: str) -> None:
    """Say who works, and do not hear that it is time to go."""
    Path(path).write_text(str(os.getpid()))
    while True:
        try:
            time.sleep(60)
        except SystemExit:
            continue


def wait_until_told(path: str) -> tuple[str, int]:
    """Say that the work has begun, wait for a file that ends it, and return the job and the process."""
    Path(path).touch()
    while not Path(path).with_suffix(".go").exists():
        time.sleep(0.01)
    return path, os.getpid()


def echo(value: bytes) -> bytes:
    return value
