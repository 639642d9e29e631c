"""A program for tests that reports lines of play, in any protocol, and misbehaves as it is told.

usage: reporter.py ugi|gtp|gomocup [FAULT]; it always finds the first free point of a Gomoku board of 5x5, and
notes what it is told in the file that the variable NOTES names.
"""

import os
import sys
import threading
import time

PROTOCOL, FAULT = sys.argv[1], (sys.argv[2:] or [""])[0]
POINTS = [f"{'ABCDE'[x]}{y + 1}" for y in range(5) for x in range(5)]
LINES = {
    "ugi": [
        "info depth 1 multipv 1 score cp 31 nodes 5 time 2 pv {0} {1}",
        "info depth 1 multipv 2 score cp 12 nodes 6 time 2 pv {1}",
        "info depth 2 multipv 1 score mate -4 nodes 9 time 3 pv {0} {0}",
    ],
    "gtp": [
        "info move {1} visits 3 winrate 0.25 prior 0.5 lcb 0.2 order 1 pv {1} "
        "info move {0} visits 5 winrate 0.75 scoreLead 3.5 prior 0.5 lcb 0.7 order 0 pv {0} {1} pvVisits 5 2"
    ],
    "gomocup": ["MESSAGE depth 3-5 ev 31 n 2K tm 12", "DEBUG depth 9 ev 9"],
}
DETAILS = [
    "PV 0",
    "DEPTH 4",
    "SELDEPTH 6",
    "TOTALNODES 7",
    "TOTALTIME 3",
    "EVAL 52",
    "BESTLINE 2,4 3,4",
    "PV DONE",
]
NONSENSE = [
    "info depth x score cp y pv Z99",
    "info move Q9 winrate 1e999 visits -1 pv",
    "MESSAGE depth 1-1 ev +",
]
PARAMETERS = {"maxVisits": "500", "wideRootNoise": "0.04", "antiMirror": "false", "humanSLProfile": "rank_3d"}
occupied: list[str] = []
searching = False


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def hang() -> None:
    while True:
        time.sleep(60)


def report() -> str:
    """Say what has been found; return the best turn."""
    free = [point for point in POINTS if point not in occupied]
    if FAULT == "die":
        os._exit(3)
    if FAULT == "details":
        say("\n".join(f"INFO {detail}" for detail in DETAILS))
    for line in NONSENSE if FAULT == "nonsense" else [] if FAULT == "silent" else LINES[PROTOCOL]:
        say(line.format(*free))
    return "Z99" if FAULT == "nonsense" else free[0]


def stopped() -> None:
    if FAULT == "hang":
        hang()


def ugi(line: str) -> None:
    global occupied, searching
    words = line.split()
    if words[0] == "ugi":
        say("id name reporter\noption name Skill Level type combo default low var low var high")
        say("option name Clear type button\noption name Log type string default")
        say("option name Fast type check default true")
        say("ugiok" if FAULT == "plain" else "option name MultiPV type spin default 1 min 1 max 9\nugiok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "position":
        occupied = words[words.index("moves") + 1 :] if "moves" in words else []
        if words[1] == "fen":
            rows = words[2].split("/")[::-1]
            occupied += [point for point in POINTS if rows[int(point[1]) - 1]["ABCDE".index(point[0])] != "."]
    elif words[0] == "go":
        occupied.append(report())
        searching = "infinite" in words
        if not searching:
            say(f"bestmove {occupied[-1]}")
    elif words[0] == "stop" and searching:
        stopped()
        searching = False
        say(f"bestmove {occupied[-1]}")


def gtp(line: str) -> None:
    global occupied
    number, command, *arguments = line.split()
    reply = {"name": "reporter", "version": "1"}.get(command, "")
    if command == "list_commands":
        reply = "undo" if FAULT == "plain" else "undo\nkata-analyze\nkata-genmove_analyze\nkata-list-params"
    elif command == "kata-list-params":
        reply = " ".join(PARAMETERS)
    elif command == "kata-get-param":
        reply = PARAMETERS[arguments[0]]
    elif command == "kata-set-param":
        PARAMETERS[arguments[0]] = arguments[1]
    elif command == "play":
        occupied.append(arguments[1])
    elif command == "undo":
        occupied.pop()
    elif command == "clear_board":
        occupied = []
    elif command == "kata-analyze":
        say(f"={number}")
        report()
        after = sys.stdin.readline()
        note(after)
        stopped()
        say("")
        number = after.split()[0]
    elif command == "kata-genmove_analyze":
        say(f"={number}")
        occupied.append(turn := report())
        say(f"play {turn}\n")
        return
    elif command == "genmove":
        occupied.append(reply := report())
    say(f"={number} {reply}\n")


def gomocup(line: str) -> None:
    command, _, text = line.partition(" ")
    if FAULT == "tidies" and time.monotonic() < answered + 0.2:
        say("ERROR Unknown command")
    elif command == "ABOUT":
        say('name="reporter", version="1"')
    elif command in ("START", "RESTART"):
        occupied.clear()
        say("OK")
    elif command == "BOARD":
        occupied.clear()
    elif command == "TURN":
        occupied.append(vertex(text))
        answer()
    elif command == "INFO" and text.startswith("timeout_turn"):
        global seconds
        seconds = int(text.split()[1]) / 1000
    elif command in ("BEGIN", "DONE"):
        answer()
    elif command == "YXSTOP":
        say("UNKNOWN command")
        stop.set()
    elif "," in command:
        occupied.append(vertex(command.rpartition(",")[0]))


seconds = answered = 0.0
stop = threading.Event()


def answer() -> None:
    """Answer when the time is over, or once the search is stopped."""
    occupied.append(turn := report())
    point = f"{'ABCDE'.index(turn[0])},{5 - int(turn[1:])}" if turn in POINTS else turn
    stop.clear()

    def finish() -> None:
        global answered
        stop.wait(seconds)
        answered = time.monotonic()
        say(point)

    threading.Thread(target=finish, daemon=True).start()


def vertex(text: str) -> str:
    x, y = map(int, text.split(","))
    return f"{'ABCDE'[x]}{5 - y}"


def note(line: str) -> None:
    if "NOTES" in os.environ:
        with open(os.environ["NOTES"], "a") as notes:
            notes.write(line)


for line in iter(sys.stdin.readline, ""):
    note(line)
    if "quit" in line.split() or line.startswith("END"):
        break
    {"ugi": ugi, "gtp": gtp, "gomocup": gomocup}[PROTOCOL](line.strip())
