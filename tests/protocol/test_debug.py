"""Unexpected errors: one line in every protocol and command, and in debug mode the traceback."""

import re
import subprocess
import sys

import pytest

from tests.protocol.conversation import run

# What a run breaks (module and attribute), its arguments and input, and how the line about it begins.
FAULTS = {
    "gtp": ("session Session.set_up", "gtp --game gomoku", "boardsize 9\nname\n", r"\? "),
    "ugi": ("session Session.set_up", "ugi", "position startpos\n", "info string error: "),
    "gomocup": ("gomocup.settings GomocupSettings.update", "gomocup", "INFO rule 0\nABOUT\nEND\n", "ERROR "),
    "analysis": ("katago.queries QueryParser.read", "analysis", '{"id": "x"}\n', r'\{"error": "'),
    "command": ("games report", "games --json", "", "tengen: error: "),
}
RUN = """
import importlib, operator, sys
from tengen.apps.cli.main import main

def fail(*arguments, **named):
    raise ZeroDivisionError("injected\\nfault")

owner, _, name = "{attribute}".rpartition(".")
module = importlib.import_module("{module}")
setattr(operator.attrgetter(owner)(module) if owner else module, name, fail)
sys.exit(main())
"""
ONE_LINE = r"internal error: ZeroDivisionError: injected fault \((.*)\)"


def failing(name: str, *options: str, **environment: str) -> tuple[int, str, str]:
    """Run a command with a fault of `FAULTS`, and return its exit code, stdout and stderr."""
    broken, arguments, text, _ = FAULTS[name]
    module, attribute = broken.split()
    folder = "tengen.apps.cli" if name == "command" else "tengen.protocol"
    code = RUN.format(module=f"{folder}.{module}", attribute=attribute)
    settings = {"NUMBA_DISABLE_JIT": "1", "TENGEN_DEBUG": "", **environment}
    ended = run(sys.executable, "-c", code, *arguments.split(), *options, said=text, **settings)
    return ended.returncode, ended.stdout, ended.stderr


def reported(name: str, out: str, err: str) -> str:
    """Return what stands in brackets behind the one line about a fault."""
    lines = (err if name == "command" else out).splitlines()
    found = [match[1] for line in lines if (match := re.match(FAULTS[name][3] + ONE_LINE, line))]
    assert len(found) == 1, (out, err)
    return found[0]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_one_line(name, tmp_path):
    log = tmp_path / "tengen.log"
    code, out, err = failing(name, TENGEN_LOG=str(log))
    assert reported(name, out, err) == "TENGEN_DEBUG=1 shows the traceback"
    assert code == (2 if name == "command" else 0)
    assert "Traceback" not in out + err
    assert name == "command" or not err
    assert not log.exists()


@pytest.mark.parametrize("name", FAULTS)
def test_in_debug_mode_its_traceback_is_shown_and_logged(name, tmp_path):
    log = tmp_path / "new" / "tengen.log"
    code, out, err = failing(name, TENGEN_DEBUG="1", TENGEN_LOG=str(log))
    assert reported(name, out, err) == f"traceback in {log}"
    assert code == (2 if name == "command" else 0)
    assert "Traceback" not in out
    for text in (err, log.read_text("utf-8")):
        assert "Traceback (most recent call last)" in text
        assert "in fail" in text


def test_the_option_debug_does_the_same(tmp_path):
    log = tmp_path / "tengen.log"
    _, out, err = failing("command", "--debug", TENGEN_LOG=str(log))
    assert reported("command", out, err) == f"traceback in {log}"
    assert "Traceback" in err


def test_the_log_lies_in_the_user_s_folder_of_logs(tmp_path):
    home = {name: str(tmp_path) for name in ("HOME", "XDG_STATE_HOME", "LOCALAPPDATA", "USERPROFILE")}
    _, out, err = failing("command", TENGEN_DEBUG="1", TENGEN_LOG="", **home)
    assert reported("command", out, err).startswith(f"traceback in {tmp_path}")


def test_a_log_that_cannot_be_written_does_no_harm(tmp_path):
    (tmp_path / "file").touch()
    log = tmp_path / "file" / "tengen.log"
    code, out, err = failing("gtp", TENGEN_DEBUG="1", TENGEN_LOG=str(log))
    assert code == 0
    assert reported("gtp", out, err) == "traceback on standard error"
    assert err.startswith(f"tengen: no log file: {log}: ")
    assert "Traceback" in err
    assert out.endswith("= tengen\n\n")  # and the session goes on


def test_errors_of_the_user_have_a_traceback_in_debug_mode_only(tmp_path):
    def refused(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tengen", "show", "--game", "chess", *options]
        return run(*command, TENGEN_DEBUG="", TENGEN_LOG=str(tmp_path / "tengen.log"))

    assert re.fullmatch("tengen: error: .*\n", refused().stderr)
    debugged = refused("--debug")
    assert debugged.returncode == 2
    assert "Traceback" in debugged.stderr
    assert debugged.stderr.splitlines()[-1] + "\n" == refused().stderr


THREADS = """
import threading
from tengen.engine.debug import configure_logging
from tengen.protocol.lines import Reader
configure_logging()
"""


def run_python(code: str) -> tuple[str, str]:
    ended = run(sys.executable, "-c", THREADS + code, TENGEN_DEBUG="")
    ended.check_returncode()
    return ended.stdout, ended.stderr


def test_a_fault_on_a_thread_is_one_line():
    code = "thread = threading.Thread(target=lambda: 1 / 0, name='other')\nthread.start()\nthread.join()"
    out, err = run_python(code)
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("tengen: thread other ended: internal error: ZeroDivisionError: division by zero (")


def test_a_fault_when_a_line_arrives_does_not_end_the_input():
    code = """
import io
reader = Reader(io.BytesIO(b"one\\ntwo\\n"))
reader.start(lambda line: 1 / 0)
print(*(line.text for line in reader))
"""
    out, err = run_python(code)
    assert out == "one two\n"
    assert err.count("\n") == err.count("tengen: internal error: ZeroDivisionError") == 2
