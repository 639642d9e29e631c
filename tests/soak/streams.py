"""Closed and full streams, clocks of all kinds, engines that do not read, Ctrl-C at any moment of a start."""

import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from tests import ROOT
from tests.soak.parts import PATIENCE, Report, complaint, run, tengen

REDIRECTIONS = ("<&-", ">&-", "2>&-", "> /dev/full", "2> /dev/full", "<&- >&- 2>&-", "2>&- > /dev/full")
COMMANDS = (
    "games",
    "show --game dvonn",
    "perft --game gomoku,size=5 --depth 1",
    "match --game gomoku,size=5 --first greedy --second random --games 2 --out {folder}/match",
    "gtp --game gomoku,size=5",
    "ugi --game gomoku,size=5",
    "gomocup",
    "analysis",
)
SAID = "name\nugi\nABOUT\n"
TIMES = ("-1", "-20", "0", "0.5", "1e1", "3", "nan", "", "x", "-1e99", "٣", "--1", "1e-400", "0x10")
WORDS = (
    "p1time",
    "p2time",
    "wtime",
    "p1inc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "searchmoves",
)
DEAF = "while True: print('id name deaf\\nugiok\\nreadyok\\nbestmove z9', flush=True)"
OURS = tuple(f"{ROOT}/{folder}/" for folder in ("engine", "search", "tuning", "protocol", "tengen"))
LONGEST_START = 1.5  # seconds, after which SIGINT comes at the latest


def redirected(chance: random.Random) -> str:
    """Run a command with a stream that is closed or full; return what is wrong."""
    words, redirection = chance.choice(COMMANDS), chance.choice(REDIRECTIONS)
    with tempfile.TemporaryDirectory() as folder:
        command = f"{shlex.join(tengen())} {words.format(folder=folder)} {redirection}"
        return complaint(run(["sh", "-c", f"echo '{SAID}' | {command}"]))


def timed(chance: random.Random) -> str:
    """Ask for turns with clocks of all kinds; return what is wrong: each gets one."""
    asked = [
        "go depth 1 " + " ".join(f"{chance.choice(WORDS)} {chance.choice(TIMES)}" for _ in range(4))
        for _ in range(10)
    ]
    command = tengen("ugi", game="gomoku,size=5")
    lines = "\n".join(["isready", *asked])
    done = subprocess.run(command, cwd=ROOT, input=lines, capture_output=True, text=True, timeout=PATIENCE)
    turns = sum(line.startswith("bestmove ") for line in done.stdout.splitlines())
    return complaint(done) or ("" if turns == len(asked) else f"{turns} turns for {asked}")


def unread(chance: random.Random) -> str:
    """Play against an engine that answers ahead and never reads; return what is wrong."""
    deaf = f"ugi:{shlex.join([sys.executable, '-c', DEAF])}"
    players = ("--first", deaf, "--second", "random")
    with tempfile.TemporaryDirectory() as folder:
        ran = run(tengen("match", *players, game="gomoku,size=5", games=2, nodes=1, out=f"{folder}/match"))
    return complaint(ran) or ("" if ran.returncode == 0 else f"match: {ran.stderr[-500:]!r}")


def interrupted(chance: random.Random) -> str:
    """Send SIGINT to a command that starts; return what is wrong. Before our first line nothing is ours."""
    command = tengen("analyze", game="gomoku,size=5", depth=3)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as started:
        time.sleep(chance.uniform(0, LONGEST_START))
        started.send_signal(signal.SIGINT)
        _, errors = started.communicate(timeout=PATIENCE)
    ours = any(folder in errors.decode() for folder in OURS)
    return f"SIGINT: {errors[-500:]!r}" if ours else ""


KINDS = (redirected, timed, unread, interrupted)


def round_of(seed: int, share: float) -> Report:
    """Try each kind some times."""
    chance, report = random.Random(seed), Report()
    for _ in range(max(1, round(40 * share))):
        for kind in KINDS:
            report.cases += 1
            if wrong := kind(chance):
                report.faults.append(f"{kind.__name__}, seed {seed}: {wrong}")
    return report
