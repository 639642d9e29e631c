"""A Go engine for tests: passes, knows no fractions of seconds, and notes down what it is told.

usage: whole.py FILE [COMMAND...]; it knows the commands named.
"""

import re
import sys

with open(sys.argv[1], "a", encoding="utf-8") as notes:
    for line in sys.stdin:
        number, command, *arguments = line.split()
        notes.write(line.partition(" ")[2])
        notes.flush()
        reply = f"={number}"
        if command == "list_commands":
            reply += " " + "\n".join(sys.argv[2:])
        elif command in ("name", "version"):
            reply += " whole"
        elif command == "genmove":
            reply += " PASS"
        elif command.startswith("time_") and re.search(r"\.", line):
            reply = f"?{number} not three integers"
        sys.stdout.write(f"{reply}\n\n")
        sys.stdout.flush()
        if command == "quit":
            break
