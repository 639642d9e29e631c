"""Several processes that go on with one game at the same time, killed or short of disk: nothing is lost.

``python -m tests.soak.keeping GAME SEED`` goes on with a game by random turns; after each turn that is kept,
it prints the file and the turns.
"""

import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tengen.apps.play.kept import KeptGame
from tengen.engine.errors import TengenError
from tengen.engine.play.position import Position
from tengen.engine.sgf import Record
from tengen.protocol.archive import SUFFIX, KeptFile, paths
from tests import ROOT
from tests.soak.parts import PATIENCE, Report, limited

WRITERS = 3
LIMITS = (None, None, 0, 250, 300)  # bytes of a file


def play(path: Path, seed: int) -> None:
    """Go on with a game until it is over, and say what is kept."""
    chance = random.Random(seed)
    game = KeptGame.read(path)
    position = game.position()
    while not position.outcome():
        position.push(chance.choice(position.turns()))
        try:
            game.write(position, "")
        except (OSError, TengenError):
            continue
        sys.stdout.write(f"{game.path.name} {' '.join(position.turns_played)}\n")
        sys.stdout.flush()


def attack(folder: Path, chance: random.Random) -> list[str]:
    """Let some processes go on with a game, and kill some of them; return what is wrong."""
    path = folder / f"game{SUFFIX}"
    position = Position("gomoku,size=9")
    game = KeptGame(KeptFile(path), Record(position.spec), 0, None, [])
    position.push("E5")
    game.write(position, "")
    running = [
        subprocess.Popen(
            [sys.executable, "-B", "-m", "tests.soak.keeping", str(path), str(chance.randrange(1 << 30))],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=limited(chance.choice(LIMITS)),
        )
        for _ in range(WRITERS)
    ]  # fmt: skip
    faults, told = [], []
    for writer in running:
        assert writer.stdout
        if chance.random() < 0.6:
            told.append("".join(writer.stdout.readline() for _ in range(chance.randrange(1, 40))))
            writer.kill()
        out, errors = writer.communicate(timeout=PATIENCE)
        told.append(out)
        if errors or writer.returncode not in (0, -signal.SIGKILL):
            faults.append(f"exit code {writer.returncode}: {errors[-300:]!r}")
    kept = {file.name: [turn for _, turn in KeptGame.read(file).turns] for file in paths(folder)}
    whole = [line.split() for text in told for line in text.splitlines(keepends=True) if line.endswith("\n")]
    faults += [
        f"{name} has lost {' '.join(turns)}" for name, *turns in whole if kept[name][: len(turns)] != turns
    ]
    return faults


def round_of(seed: int, share: float) -> Report:
    """Attack a game in a folder of its own, again and again."""
    chance, report = random.Random(seed), Report()
    for _ in range(max(1, round(5 * share))):
        with tempfile.TemporaryDirectory() as folder:
            found = attack(Path(folder), chance)
        report.faults += [f"keeping, seed {seed}: {fault}" for fault in found]
        report.cases += WRITERS
    return report


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]))
