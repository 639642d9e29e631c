"""Commands that are obeyed, 20,000 at once: all are answered, in their order, and memory stays as it was."""

import json
import random
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from tests.soak.floods import MOST_MEMORY, measured
from tests.soak.parts import Report


@dataclass(frozen=True)
class Conversation:
    """Commands for a protocol, and the answers to them."""

    command: str  # words of the command line, after ``tengen``
    asked: Callable[[int], str]  # returns the lines of a round, by its number
    size: int  # commands of a round
    # a regular expression of the answers that are looked at; if it has a group, that is the number of the
    # round or of the command
    answer: str
    answers: int = 1  # their number in a round
    before: str = ""  # lines before all rounds


def _query(number: int) -> str:
    fields = {"id": str(number), "moves": [["B", "A1"]], "maxDepth": 1, "multiPV": 1}
    return json.dumps({**fields, "game": "gomoku,size=7"}) + "\n"


CONVERSATIONS = (
    Conversation(
        "gtp --game gomoku,size=7",
        lambda number: f"{number} play b a1\n{number} undo\n",
        2,
        r"=(\d+)",
        2,
    ),
    Conversation(
        "gtp --game go,size=9",
        lambda number: f"{number} play b a1\n{number} play w pass\n{number} undo\n{number} undo\n",
        4,
        r"=(\d+)",
        4,
    ),
    Conversation(
        "gtp --game go,size=9",
        lambda number: f"{number} name\n{number} komi {number % 7}\n{number} clear_board\n",
        3,
        r"=(\d+)",
        3,
    ),
    Conversation(
        "ugi --game gomoku,size=7",
        lambda number: f"position startpos moves {'ABCDEFG'[number % 7]}1\ngo depth 1\n",
        2,
        "bestmove [A-G][1-7]",
    ),
    Conversation(
        "ugi --game go", lambda number: "ugi\nuginewgame\nposition startpos\nisready\n", 4, "readyok|ugiok", 2
    ),
    Conversation("gomocup", lambda number: "ABOUT\nSTART 15\nYXSHOWFORBID\n", 3, "name=|OK|FORBID", 3),
    Conversation("gomocup", lambda number: "BEGIN\nRESTART\n", 2, r"\d+,\d+", 1, "START 7\n"),
    Conversation(
        "gomocup", lambda number: "TURN 3,3\nRESTART\n", 2, r"\d+,\d+", 1, "START 7\nINFO max_node 1\n"
    ),
    Conversation("analysis --time 0.1", _query, 1, r'\{"id": "(\d+)", "isDuringSearch": false'),
    Conversation(
        "analysis", lambda number: f'{{"id": "{number}", "action": "query_version"}}\n', 1, r'\{"id": "(\d+)"'
    ),
)


def hold(talk: Conversation, count: int) -> tuple[list[str], float, float]:
    """Send so many commands; return what is wrong, and the memory in MB and the seconds beyond one round."""
    one, memory_before, seconds_before = _sent(talk, 1)
    found, memory, seconds = _sent(talk, max(1, count // talk.size))
    memory, seconds = memory - memory_before, seconds - seconds_before
    if memory > MOST_MEMORY:
        found.append(f"{talk.command}: {memory:.0f} MB more than for one round")
    return one + found, memory, seconds


def _sent(talk: Conversation, rounds: int) -> tuple[list[str], float, float]:
    """Send so many rounds; return what is wrong, the peak of memory in MB, and the processor time in s."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as output:
        source.write(talk.before.encode())
        source.writelines(talk.asked(number).encode() for number in range(rounds))
        source.seek(0)
        fault, memory, seconds = measured(talk.command, source, 7200.0, output)
        output.seek(0)
        found = re.findall(rf"^{talk.answer}", output.read().decode(), re.M)
    faults = [f"{talk.command}: {fault}"] if fault else []
    if len(found) != rounds * talk.answers:
        faults.append(f"{talk.command}: expected {rounds * talk.answers} answers, got {len(found)}")
    elif found[0].isdigit() and found != [str(at // talk.answers) for at in range(len(found))]:
        faults.append(f"{talk.command}: answers are out of order")
    return faults, memory, seconds


def round_of(seed: int, share: float) -> Report:
    """Hold one of the conversations with a share of 20,000 commands."""
    count = max(500, round(20_000 * share))
    faults, memory, seconds = hold(random.Random(seed).choice(CONVERSATIONS), count)
    return Report(count, faults, max(0.0, memory), seconds)
