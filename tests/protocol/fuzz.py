"""Random bytes and mutated commands into the protocols: they must go on answering, in their own words.

``python -m tests.protocol.fuzz --lines 10000`` runs all protocols; exits with 1 after naming what was wrong.
"""

import json
import random
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests import command_line
from tests.protocol.conversation import Outside

BATCH = 50  # lines between two checks that an answer still comes
SEEDS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
OPTIONS = {"gtp": ("--time", "0.01"), "analysis": ("--time", "0.01")}  # how the protocols are started
SYNC = {
    "gtp": ("\n987654 protocol_version", r"=987654 2$"),
    "ugi": ("\nstop\nisready", r"readyok$"),
    "gomocup": ("\nYXSTOP\nABOUT\nSYNC987654", r"UNKNOWN command 'SYNC987654'$"),
    "analysis": (
        '\n{"id": "", "action": "terminate_all"}\n{"id": "sync", "action": "query_version"}',
        r'\{"id": "sync", ',
    ),
}
GTP_RESPONSE = re.compile(r"[=?]\d*( .*)?")
UGI_LINE = re.compile(r"id .*|option .*|ugiok|uciok|readyok|info .*|bestmove \S+|response .+")
GOMOCUP_LINE = re.compile(r"OK|SWAP|\d+,\d+( \d+,\d+){0,2}|FORBID \d*\.|(MESSAGE|ERROR|UNKNOWN) .+|name=.+")
ANALYSIS_KEYS = ("error", "warning", "isDuringSearch", "action")  # one of them in every line
FORBIDDEN = re.compile(r"internal error|Traceback")
QUITTING = re.compile(rb"\s*[0-9]*\s*quit\b|(?i:\s*end\s*$)")
WRITING = re.compile(rb"printsgf|loadsgf\s+/dev")


def mutated(line: str, chance: random.Random) -> bytes:
    """Return `line` with some words and characters changed, doubled, swapped or lost."""
    words = line.split(" ")
    for _ in range(chance.randrange(3)):
        at = chance.randrange(len(words))
        kind = chance.randrange(4)
        if kind == 0:
            words[at : at + 1] = []
        elif kind == 1:
            words.insert(at, words[at])
        elif kind == 2:
            words[at] = chance.choice(
                ("-1", "0", "nan", "1e999", "99999999999999999999", "ä", "\t", "#", "", "b", "A1")
            )
        else:
            chance.shuffle(words)
        words = words or [""]
    data = bytearray(" ".join(words).encode())
    for _ in range(chance.choice((0, 0, 1, 2))):
        data.insert(chance.randrange(len(data) + 1), chance.randrange(256))
    return bytes(data)


def noise(chance: random.Random) -> bytes:
    """Return random bytes, now and then very many."""
    length = chance.choice((1, 5, 20, 80, 300)) if chance.random() < 0.995 else 1_500_000
    return chance.randbytes(length)


def asks_for_too_long(line: bytes) -> bool:
    """Return whether a line may, rightly, keep the engine busy for long or end it."""
    plain = line.translate(None, bytes(range(9)) + bytes(range(11, 32)) + bytes([127]))
    if QUITTING.match(plain) or b"quit" in line:
        return True
    return bool(WRITING.search(line)) or bool(
        re.search(rb"(?i)time|nodes|depth|visits|report", line) and re.search(rb"[0-9]{4}", line)
    )


def lines(protocol: str, count: int, seed: int) -> Iterator[bytes]:
    """Yield `count` lines of rubbish and near-commands."""
    chance = random.Random(seed)
    while count:
        line = noise(chance) if chance.random() < 0.3 else mutated(chance.choice(SEEDS[protocol]), chance)
        for piece in line.split(b"\n"):
            if count and not asks_for_too_long(piece):
                count -= 1
                yield piece


def malformed(protocol: str, replies: list[str]) -> list[str]:
    """Return those lines of output that the protocol knows not, or that speak of a defect."""
    wrong = [reply for reply in replies if FORBIDDEN.search(reply)]
    if protocol == "ugi":
        return wrong + [reply for reply in replies if not UGI_LINE.fullmatch(reply)]
    if protocol == "gomocup":
        return wrong + [reply for reply in replies if not GOMOCUP_LINE.fullmatch(reply)]
    if protocol == "analysis":
        return wrong + [
            reply for reply in replies if not any(key in json.loads(reply) for key in ANALYSIS_KEYS)
        ]
    # The line after a blank one begins a response; the first line may be the blank one of the batch before.
    begins = replies[1:] if replies[0] == "" else replies
    responses = "\n".join(begins).split("\n\n")
    return wrong + [text for text in responses if not GTP_RESPONSE.fullmatch(text.split("\n")[0])]


def fuzz(protocol: str, count: int, seed: int, game: str = "gomoku,size=7") -> list[str]:
    """Send `count` lines to an engine that begins with `game`; return what was wrong with the replies."""
    faults: list[str] = []
    sync, answer = SYNC[protocol]
    with Outside(protocol, "--game", game, *OPTIONS.get(protocol, ())) as talk:
        batch: list[bytes] = []
        for number, line in enumerate(lines(protocol, count, seed), 1):
            batch.append(line)
            if len(batch) < BATCH and number < count:
                continue
            talk.send(*batch, sync)
            where = f"{protocol}, line {number - len(batch) + 1} to {number}, seed {seed}"
            faults += [f"{where}: {reply!r}" for reply in malformed(protocol, talk.until(answer))]
            batch = []
        code = talk.finish()
        talk.rest()
        complaints = talk.complaints()
        if code:
            faults.append(f"{protocol}, seed {seed}: exit code {code}")
        if FORBIDDEN.search(complaints):
            faults.append(f"{protocol}, seed {seed}: stderr {complaints[-2000:]}")
    return faults


def main() -> int:
    """Fuzz all protocols as the command line says."""
    parser = command_line(__doc__)
    parser.add_argument("--lines", type=int, default=10_000, help="for each protocol (default 10000)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    faults = [fault for protocol in SYNC for fault in fuzz(protocol, arguments.lines, arguments.seed)]
    for fault in faults:
        sys.stdout.write(fault + "\n")
    sys.stdout.write(f"{arguments.lines} lines for each protocol: {len(faults) or 'no'} faults\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
