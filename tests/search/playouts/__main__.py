"""Light playouts of Go against the same in C: ``python -m tests.search.playouts [SIZE]``, with gcc.

Runs of both alternate; the ratio of their medians is what counts, since machines are busy with other things.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tengen.engine.go import board
from tengen.engine.go.state import BLACK, BOARD, NOWHERE
from tengen.engine.jit import kernel, record
from tengen.engine.xorshift import random_below

RUNS = 9
PLAYOUTS = 20_000

_0, _1, _3 = np.uint64(0), np.uint64(1), np.uint64(3)


@kernel
def play_out(b, random):
    """Play uniformly random moves that fill no eye, until two passes in a row; return how many moves."""
    colour, passes, moves = np.uint64(BLACK), 0, 0
    while moves < 3 * np.int64(b.width) * np.int64(b.width):
        count = np.uint64(b.num_empty)
        i = random_below(random, count)
        found = False
        for _ in range(count):
            p = np.uint64(b.empty[i])
            i += _1
            if i == count:
                i = _0
            if not board.is_eye(b, p, colour) and board.is_legal(b, p, colour):
                board.play(b, p, colour)
                found = True
                break
        moves += 1
        if found:
            passes = 0
        else:
            b.ko = NOWHERE
            passes += 1
            if passes == 2:
                break
        colour = _3 - colour
    return moves


@kernel
def play_outs(boards, random, number):
    """Play the first of `boards` out so many times, on the second; return how many moves that were."""
    moves = 0
    for _ in range(number):
        boards[1] = boards[0]
        moves += play_out(boards[1], random)
    return moves


def ours(size: int, number: int) -> tuple[float, float]:
    """Return moves a playout, and playouts a second of processor time."""
    boards = np.zeros(2, BOARD)
    board.clear(boards[0], size)
    random = np.zeros(1, record([("random", "u8")]))[0]
    random.random = 88172645463325252
    play_outs(boards, random, 10)
    began = time.process_time()
    moves = play_outs(boards, random, number)
    return moves / number, number / (time.process_time() - began)


def compare(size: int) -> None:
    """Print both speeds and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "light"
        source = Path(__file__).with_name("light.c")
        subprocess.run(["gcc", "-O3", "-march=native", "-o", program, source], check=True)
        speeds: tuple[list[float], list[float]] = ([], [])
        for _ in range(RUNS):
            moves, speed = ours(size, PLAYOUTS)
            speeds[0].append(speed)
            command = [str(program), str(size), str(PLAYOUTS)]
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            length, speed = map(float, said.split())
            speeds[1].append(speed)
    mine, reference = map(statistics.median, speeds)
    sys.stdout.write(f"kernel {mine:,.0f} playouts/s, {moves:.1f} moves each\n")
    sys.stdout.write(f"C      {reference:,.0f} playouts/s, {length:.1f} moves each\n")
    sys.stdout.write(f"the kernel takes {reference / mine:.2f} of C's time\n")


if __name__ == "__main__":
    compare(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
