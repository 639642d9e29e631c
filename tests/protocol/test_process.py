"""Protocols as processes: how they begin, and how they end."""

import shlex
import signal
import subprocess
import sys

import pytest

from tests import ROOT
from tests.processes import PATIENCE
from tests.protocol.conversation import COMMAND, HEAVY, Outside, run

TALKS = {  # what is said to each protocol, and the answer
    "gtp --game gomoku": ("name\nquit\n", "= tengen\n"),
    "ugi": ("ugi\nquit\n", "ugiok\n"),
    "gomocup": ("ABOUT\nEND\n", 'name="tengen"'),
    "analysis": ('{"id": "1", "action": "query_version"}\n', '"version":'),
}


def redirected(words: str, redirection: str, said: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command by a shell that redirects its streams."""
    return run("/bin/sh", "-c", f"{shlex.join(COMMAND)} {words} {redirection}", said=said)


def test_introductions_import_nothing_heavy():
    script = f"""
import io, sys
from tengen.apps.cli.main import main
from tengen.protocol.gomocup.commands import Gomocup
from tengen.protocol.gtp.commands import Gtp
from tengen.protocol.katago.analysis import AnalysisEngine
from tengen.protocol.ugi import Ugi
from tengen.protocol.lines import InputLine, Reader, Writer
from tengen.protocol.session import Session
from tengen.engine.spec import GameSpec
introductions = {{
    Gtp: ("name", "version", "protocol_version", "list_commands", "known_command play", "quit"),
    Ugi: ("ugi", "uci", "stop", "quit"),
    Gomocup: ("ABOUT", "INFO timeout_turn 1000", "INFO rule 1", "YXSTOP", "END"),
    AnalysisEngine: ('{{"id": "tengen", "action": "query_version"}}',),
}}
for protocol, lines in introductions.items():
    sink = io.BytesIO()
    dialogue = protocol(Session(GameSpec.parse("dvonn")), Reader(io.BytesIO()), Writer(sink, sys.exit))
    for line in lines:
        dialogue.execute(InputLine(line))
    assert dialogue.quit_requested == (protocol is not AnalysisEngine) and b"tengen" in sink.getvalue()
heavy = [name for name in {HEAVY!r} if name in sys.modules]
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


def test_quit_while_searching_answers_and_ends_at_once():
    with Outside("ugi") as talk:
        talk.send("isready", "go infinite")
        talk.until("info depth 3 ")
        talk.send("quit")
        assert talk.process.wait(PATIENCE) == 0
        assert talk.rest()[-1].startswith("bestmove ")


def test_quit_while_compiling_ends_at_once(tmp_path):
    with Outside("ugi", environment={"TENGEN_CACHE_DIR": str(tmp_path)}) as talk:
        talk.send("isready", "go infinite")
        talk.until("info string compiling")
        talk.send("quit")
        assert talk.process.wait(PATIENCE) == 0
        assert talk.complaints() == ""


@pytest.mark.parametrize("ending", ["", "\n"])
def test_end_of_input_lets_a_bounded_search_finish(ending):
    with Outside("ugi") as talk:
        talk.process.stdin.write(f"position startpos moves a1\ngo movetime 300{ending}".encode())
        assert talk.finish() == 0
        lines = talk.rest()
        assert lines[-1].startswith("bestmove ")
        assert len(lines[-1].split()) == 2


def test_end_of_input_stops_an_endless_search():
    with Outside("ugi") as talk:
        talk.send("go ponder movetime 100")
        assert talk.finish() == 0
        assert talk.rest()[-1].startswith("bestmove ")


def test_gtp_answers_everything_before_the_end_of_input():
    said = "1 genmove b\r\n2 genmove w\r\n3 genmove b\n4 quit\n5 name\n"
    done = run(*COMMAND, "gtp", "--game", "gomoku,size=9", "--time", "0.1", said=said)
    assert done.returncode == 0
    responses = done.stdout.split("\n\n")
    assert [response.split(" ")[0] for response in responses] == ["=1", "=2", "=3", "=4", ""]


def test_interrupt_stops_the_search_and_a_second_one_ends_the_process():
    with Outside("ugi") as talk:
        talk.send("go infinite")
        talk.until("info depth 2 ")
        talk.process.send_signal(signal.SIGINT)
        talk.until(r"bestmove \S+$")
        talk.send("query p1turn")
        assert talk.line() == "response true"
        talk.send("go infinite")  # an interrupt before has no part in what comes after
        talk.until("info depth 2 ")
        talk.process.send_signal(signal.SIGINT)
        talk.until(r"bestmove \S+$")
        talk.process.send_signal(signal.SIGINT)
        assert talk.process.wait(PATIENCE) == 130
        assert talk.complaints() == ""


@pytest.mark.posix
def test_closed_output_is_a_silent_end():
    command = " ".join(f"'{word}'" for word in [*COMMAND, "ugi"])
    endless = "echo go infinite; read _"  # its standard input stays open, and says nothing
    script = f"({endless}) | {{ {command}; echo code $? >&2; }} | head -1"
    pipe = subprocess.PIPE
    with subprocess.Popen(script, shell=True, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as done:
        assert done.stdout.readline().startswith(b"info ")
        assert done.stderr.readline() == b"code 0\n"


@pytest.mark.posix
@pytest.mark.parametrize("redirection", ["<&-", "< /dev/null"])
def test_without_input_there_is_nothing_to_say(redirection):
    done = redirected("gtp --game dvonn", redirection, "name\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.linux
@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full"])
@pytest.mark.parametrize("words", TALKS)
def test_nobody_needs_to_read_what_is_said_to_people(words, redirection):
    said, answer = TALKS[words]
    done = redirected(words, redirection, said)
    assert done.returncode == 0
    assert answer in done.stdout


@pytest.mark.linux
@pytest.mark.parametrize("words", TALKS)
def test_a_reply_that_cannot_be_written_is_told_and_ends_the_dialogue(words):
    done = redirected(words, "> /dev/full", TALKS[words][0])
    assert done.returncode == 2
    assert done.stderr == "tengen: standard output: No space left on device\n"


def test_gtp_gives_the_name_that_a_client_expects():
    with Outside("gtp", "--game", "go", "--name", "KataGo") as talk:
        talk.send("name", "quit")
        assert talk.line() == "= KataGo"
        assert talk.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("words", TALKS)
def test_endless_rubbish_ends_the_dialogue(words):
    """A command in between begins the count anew. All but one take fewer lines for endless."""
    said, answer = TALKS[words]
    start, most = "import tengen.protocol.dialogue as d; d.MAX_FUTILE = 50; ", 50
    if words == "gomocup":
        start, most = "", 100_000
    command, almost = said.partition("\n")[0], "x\n" * (most - 1)
    talk = [*COMMAND[:-1], start + COMMAND[-1], *words.split()]
    done = run(*talk, said=f"{almost}{command}\n{almost}#\n{command}\n")
    assert (done.returncode, done.stdout.count(answer)) == (2, 1)
    assert done.stderr == (
        f"tengen: expected commands, got {most:,} lines in a row that are none or were refused\n"
    )
