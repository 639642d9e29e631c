"""Hostile command lines, run in one process: ``python -m tests.soak.words SEED COUNT``."""

import contextlib
import io
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tengen.apps.cli.main import main
from tests.engine.hostile import spoiled
from tests.processes import peak_memory
from tests.soak.files import record
from tests.soak.parts import VOCABULARY, Report, in_process

LONGEST = 2_300  # characters of a line on standard error
SPECIAL = (
    "",
    "\x1b[2J",
    "\u202ex",
    "\udcff",
    "a\nb",
    "x" * 100_000,
    "9" * 5_000,  # more digits than `int` takes
    "A1 B2",
    "${HOME}",
    "`id`",
    "🙂",
    "gtp:",
    " ",
)
PLAIN = """-1 0 1 2 3 1,2 0,5 1e999 nan 99999999999999999999 None -- - = , : %s%n [1] {} w a1 A1 pass balanced
greedy random gtp:false tengen,weights=file tcp://127.0.0.1:1 /dev/zero /dev/null /proc/self/mem . file pipe
link missing/file go dvonn gomoku,size=5 gipf:tournament,zertz=9 go,size=0 gomoku,size=5,size=5
zertz,rings=61"""
VALUES = (*SPECIAL, *PLAIN.split())
SHORT = "--games 1 --depth 1 --workers 1"  # ends soon
TWO = "--games 2 --nodes 1 --out out.sqlite"
COMMANDS = {
    **dict.fromkeys(("games", "show", "rules", "play", "gtp", "ugi", "gomocup", "analysis"), ""),
    **dict.fromkeys(("completion", "convert", "quiz"), ""),
    **dict.fromkeys(("match", "gate", "levels"), TWO),
    "openings": "--count 1",
    "perft": "--depth 1",
    "analyze": "--nodes 10",
    "selfplay": f"{SHORT} --out out",
    "fit": "--out out.npz",
    "reinforce": "--minutes 0.01 --games 2 --out out",
}
OPTIONS = VOCABULARY["options"]
ENDLESS = {"gtp", "ugi", "gomocup", "analysis"}  # protocols end the process


def words(chance: random.Random) -> list[str]:
    """Return a hostile command line."""
    command = chance.choice([*COMMANDS, *COMMANDS, chance.choice(VALUES)])
    given = [command]
    if chance.random() < 0.7:
        given += ["--game", chance.choice(("dvonn", "gomoku,size=5", "go,size=5", chance.choice(VALUES)))]
    for _ in range(chance.randrange(4)):
        given.append(chance.choice(OPTIONS) if chance.random() < 0.8 else f"--{chance.choice(VALUES)}")
        if chance.random() < 0.8:
            given.append(chance.choice(VALUES))
    if chance.random() < 0.4:
        given.append(chance.choice(VALUES))
    given += COMMANDS.get(command, "").split()  # the last value of an option counts
    if command in ENDLESS:
        given.append("--no-such-option")
    return given


def attack(seed: int, count: int) -> Report:
    """Run `count` command lines."""
    report = Report()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ["TENGEN_DATA"] = folder
        os.mkfifo("pipe")
        Path("link").symlink_to("link")
        for number in range(seed * count, (seed + 1) * count):
            chance = random.Random(number)
            Path("file").write_bytes(
                record(chance) if number % 50 == 0 else spoiled(b"(;GM[1];B[aa])", chance)
            )
            given = words(chance)
            memory, began = peak_memory(), time.process_time()
            fault = fault_of(given)
            if fault:
                report.faults.append(f"case {number}: {[word[:60] for word in given]}: {fault}")
            report.cases += 1
            report.slowest = max(report.slowest, time.process_time() - began)
            report.peak = max(report.peak, peak_memory() - memory)
    return report


def fault_of(given: list[str]) -> str:
    """Return what is wrong with how a command line ends; empty if nothing is."""
    out, err = io.StringIO(), io.StringIO()
    stdin, sys.stdin = sys.stdin, io.StringIO("")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(given)
    except SystemExit as end:
        code = end.code
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:200]
    finally:
        sys.stdin = stdin
    text = err.getvalue()
    lines = text.splitlines()
    if code not in (0, 1, 2, 130):
        return f"exit code {code}"
    if "internal error" in text or "Traceback" in text:
        return text[-300:]
    if "\x1b" in text or "\u202e" in text or any(len(line) > LONGEST for line in lines):
        return f"echoes {text[:200]!r}"
    if code == 2 and not any("error: " in line for line in lines) and given[0] not in ("", "help"):
        return "fails without a word"
    return ""


def round_of(seed: int, share: float) -> Report:
    """Run a share of 300 command lines in a process of its own."""
    return in_process("tests.soak.words", seed, max(1, round(300 * share)))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(vars(attack(int(sys.argv[1]), int(sys.argv[2])))) + "\n")
