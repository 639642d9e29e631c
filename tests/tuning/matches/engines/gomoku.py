"""A Gomoku engine for tests: plays the first free point, in any protocol, and misbehaves as it is told.

usage: gomoku.py ugi|gtp|gomocup [FAULT]
"""

import os
import subprocess
import sys
import time

SIZE = 7
POINTS = [f"{'ABCDEFG'[x]}{y + 1}" for y in range(SIZE) for x in range(SIZE)]
FAULT = sys.argv[2] if len(sys.argv) > 2 else "none"
PATIENT = 2  # turns played soundly before the fault shows


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def hang() -> None:
    if "NOTE_OF_HANGING" in os.environ:
        open(os.environ["NOTE_OF_HANGING"], "w").close()
    while True:
        time.sleep(60)


def compute(seconds: float) -> None:
    """Take so much processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def choose(occupied: list[str]) -> str:
    """Return a turn, or do what `FAULT` says."""
    if len(occupied) >= PATIENT:
        if FAULT == "hang":
            hang()
        if FAULT == "die":
            sys.stderr.write("out of cheese\n")
            sys.stderr.flush()
            os._exit(3)
        if FAULT == "late":
            time.sleep(0.4)
        if FAULT == "busy":
            compute(0.6)
        if FAULT == "illegal" and occupied:
            return occupied[0]
        if FAULT == "nonsense":
            return "\x1b[31mwat"
        if FAULT == "rubbish":
            say("\x00\xff lorem ipsum\n= \nbestmove? maybe\n\n\t")
            hang()
        if FAULT == "flood":
            while True:
                say(("MESSAGE " if sys.argv[1] == "gomocup" else "info string ") + "x" * 100)
        if FAULT == "resign":
            return "resign"
    return next(point for point in POINTS if point not in occupied)


def ugi() -> None:
    occupied: list[str] = []
    for line in sys.stdin:
        words = line.split()
        if FAULT == "mute":
            continue
        if words[0] == "ugi":
            say("chatter before the greeting\nid name first free\nid author nobody\nugiok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            occupied = words[3:]
        elif words[0] == "go":
            say(f"info string {line.strip()}")
            say(f"bestmove {choose(occupied)}")
        elif words[0] == "quit":
            if FAULT == "stay":
                hang()
            return


def gtp() -> None:
    occupied: list[str] = []
    for line in sys.stdin:
        number, command, *arguments = line.split()
        reply = ""
        if command == "name":
            reply = "first free"
        elif command == "version":
            reply = "1.0"
        elif command == "clear_board":
            occupied = []
        elif command == "play":
            if FAULT == "refuse":
                say(f"?{number} no\n")
                continue
            occupied.append(arguments[1])
        elif command == "genmove":
            reply = choose(occupied)
            occupied.append(reply)
        say(f"={number} {reply}\n")
        if command == "quit":
            return


def gomocup() -> None:
    occupied: list[str] = []
    for line in sys.stdin:
        command, _, text = line.strip().partition(" ")
        if command == "ABOUT":
            say('DEBUG about\nname="first free", author="nobody", version="1.0"')
        elif command in ("START", "RESTART"):
            if FAULT == "refuse":
                say("ERROR no")
            elif FAULT == "forgetful" and command == "RESTART":
                say("UNKNOWN what is that")
            else:
                occupied = []
                say("MESSAGE chatter before the greeting\nOK - everything is good")
        elif command in ("BEGIN", "TURN", "DONE"):
            if command == "TURN":
                occupied.append(vertex(text))
            turn = choose(occupied)
            occupied.append(turn)
            say(f"MESSAGE {len(occupied)}\n{point(turn)}")
        elif command == "BOARD":
            occupied = []
        elif command == "PLAY":
            say(text)
        elif command == "END":
            if FAULT == "stay":
                hang()
            return
        elif "," in command:
            occupied.append(vertex(command.rpartition(",")[0]))


def vertex(text: str) -> str:
    x, y = map(int, text.split(","))
    return f"{'ABCDEFG'[x]}{SIZE - y}"


def point(turn: str) -> str:
    """Return ``x,y`` for a vertex, from the upper left corner; suggest it when that is the fault."""
    if turn not in POINTS:
        return turn
    text = f"{'ABCDEFG'.index(turn[0])},{SIZE - int(turn[1:])}"
    return f"SUGGEST {text}" if FAULT == "suggest" else text


if FAULT == "stray":  # out of our process group, and with our output
    subprocess.Popen(["sleep", f"61.{os.getppid()}"], start_new_session=True)
{"ugi": ugi, "gtp": gtp, "gomocup": gomocup}[sys.argv[1]]()
