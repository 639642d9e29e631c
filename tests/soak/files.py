"""Hostile files, those of a kind read in one process: ``python -m tests.soak.files SEED COUNT [KIND...]``."""

import errno
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tengen.engine import sgf
from tengen.engine.errors import MAX_MESSAGE, TengenError
from tengen.engine.formats.files import read_file
from tengen.engine.spec import GameSpec
from tengen.protocol.settings import read_settings
from tengen.tuning.openings import read_openings
from tests.engine.hostile import bomb, hostile, spoiled
from tests.engine.records.test_formats import PSQ
from tests.engine.records.test_go_servers import GIB, NGF, UGF
from tests.engine.records.test_renlib import BRANCHED, HEADER
from tests.engine.test_npz import FORMATS
from tests.processes import peak_memory
from tests.soak.parts import Report, in_process

RECORDS = (
    "(;GM[1]SZ[9]KM[6.5]AB[aa][bb:cc]AW[hh];B[dd]C[a\\]b];W[ee](;B[ff])(;B[gg];W[]))",
    "(;TG[dvonn];W[a1]C[first];B[b1];W[c1])",
    "(;GM[4]SZ[15]PB[one]PW[two]RE[B+R];B[hh];W[ii];B[gg])",
    "(;TG[gipf:basic]GN[GIPF];W[a1-b2];B[i5-h5])",
    "(;TG[zertz];W[Wd4,b1])",
)
REPEATED = (
    ";B[aa]",
    ";",
    "(;B[aa]",
    "(",
    ")",
    "AB[aa:ii]",
    "C[x]",
    "[y]",
    "\\",
    "\\]",
    "]",
    "\x1b[2J",
    "\u202e",
    "AB[]",
    "X[a]",
    "9",
)
MEGABYTE = 1 << 20
SIZES = (1_000, 100_000, MEGABYTE, 8 * MEGABYTE, 16 * MEGABYTE)
CODECUP = "".join(f"{turn}\n" for turn in ("D3", "E3", "F3", "G3", "H3"))
TEXTS = {  # by suffix: what there is of records of other programs, lists of openings, and settings
    ".psq": [PSQ.encode()],
    ".lib": [HEADER + BRANCHED],
    ".txt": [b"h8i9g7\n", CODECUP.encode(), b"1. Gi2-e4 i5-h5\n2. a1-b2 x\n"],
    ".gib": [GIB.encode()],
    ".ngf": [NGF.encode()],
    ".ugf": [UGF.encode("cp932")],
    ".ugi": [UGF.encode("cp932")],
    ".openings": [b"H8 J9 G7\n0,0,1,1,-1,2\nh8i9g7  # a comment\n"],
    ".toml": [b'[all]\nthreads = 2\n[show]\nsvg = "board.svg"\n'],
}


def record(chance: random.Random) -> bytes:
    """Return a hostile record: a damaged one, or up to 16 MB of repetition."""
    return damaged(chance.choice(RECORDS).encode(), chance, list(map(str.encode, REPEATED)))


def damaged(text: bytes, chance: random.Random, pieces: list[bytes]) -> bytes:
    """Return a text that is damaged, or has one of `pieces` in it again and again."""
    if chance.random() < 0.8:
        return spoiled(text, chance)
    piece, at = chance.choice(pieces), chance.randrange(len(text))
    return text[:at] + piece * (chance.choice(SIZES) // len(piece)) + text[at:]


def text_of(suffix: str, chance: random.Random) -> bytes:
    """Return a hostile file of a format; one of its own lines or characters may be in it again and again."""
    text = chance.choice(TEXTS[suffix])
    lines = text.splitlines(keepends=True)
    letters = [bytes([letter]) for letter in {*text}]
    return damaged(text, chance, [*lines, *letters, b"9", b"[", b"{a=", b"\x1b[2J", b"\xff"])


def read_text(suffix: str, path: Path) -> None:
    """Read a file as the format of a suffix."""
    named = path.with_suffix(suffix)
    path.replace(named)
    if suffix == ".openings":
        list(read_openings(named, GameSpec.parse("gomoku,size=15")))
    elif suffix == ".toml":
        read_settings(named)
    else:
        sgf.position(read_file(named))


def read_record(path: Path) -> None:
    """Read a record and play it."""
    for record in sgf.read_all(path):
        record.legal_line()


def kinds() -> dict[str, tuple[Callable[[random.Random], bytes], Callable[[Path], object]]]:
    """Return, by the kind of file, what makes a hostile one, and what reads it."""
    found: dict[str, tuple[Callable[[random.Random], bytes], Callable[[Path], object]]] = {
        "record": (record, read_record)
    }
    for suffix in TEXTS:
        found[suffix] = partial(text_of, suffix), partial(read_text, suffix)
    for name, (make, reader) in FORMATS.items():
        arrays = make()
        big = next(iter(arrays))

        def attack(chance: random.Random, arrays=arrays, big=big) -> bytes:
            return bomb(arrays, big, "<i8") if chance.random() < 0.01 else hostile(arrays, chance)

        found[name] = (attack, reader)
    return found


KINDS = ("record", *TEXTS, *FORMATS)


def attack(kind: str, seed: int, count: int) -> Report:
    """Read `count` hostile files of a kind."""
    make, reader = kinds()[kind]
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_text(RECORDS[0])
        for number in range(seed * count, (seed + 1) * count):
            data = make(random.Random(number))
            path.write_bytes(data)
            del data
            memory, began = peak_memory(), time.process_time()
            text = ""
            try:
                reader(path)
            except TengenError as error:
                text = str(error)
            except OSError as error:  # it is larger than any may be
                text = error.strerror if error.errno == errno.EFBIG else "\n"
            except Exception as error:
                report.faults.append(f"{kind} {number}: {type(error).__name__}: {error}"[:300])
            report.cases += 1
            report.slowest = max(report.slowest, time.process_time() - began)
            report.peak = max(report.peak, peak_memory() - memory)
            if not text.isprintable() or len(text) > MAX_MESSAGE:
                report.faults.append(f"{kind} {number}: a message that is not one short line")
    if report.slowest > 10 or report.peak > 256:
        report.faults.append(f"{kind}, seed {seed}: {report.slowest:.1f} s, {report.peak:.0f} MB")
    return report


def round_of(seed: int, share: float) -> Report:
    """Attack every kind."""
    return in_process("tests.soak.files", seed, max(1, round(100 * share)))


def main(seed: str, count: str, *only: str) -> None:
    """Attack some kinds, or all, each in a process of its own, which has what this one has loaded."""
    report = Report()
    for kind in only or KINDS:
        with ProcessPoolExecutor(1, get_context("fork")) as fresh:
            report.add(fresh.submit(attack, kind, int(seed), int(count)).result())
    sys.stdout.write(json.dumps(vars(report)) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
