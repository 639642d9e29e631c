"""``tengen play`` in a terminal: what is asked, what is drawn with lines and colours, and how it ends."""

import os
import re
import signal
import struct
import sys
from collections.abc import Iterator

import pytest

from tengen.apps.play import kept
from tengen.apps.terminal import TONES, WOOD, Style, board_text, style_of
from tengen.engine import games
from tengen.engine.board.sketch import Tone
from tengen.engine.notation import shown
from tengen.engine.play.position import Position
from tengen.protocol.archive import DATA
from tengen.protocol.interrupts import EXIT_INTERRUPTED
from tests import ROOT
from tests.processes import PATIENCE
from tests.protocol.conversation import COMMAND
from tests.walks import walk

fcntl, pty, select, termios = (
    pytest.importorskip(name) for name in ("fcntl", "pty", "select", "termios")
)  # not on every system
SPECS = [
    "dvonn",
    "gipf",
    "gipf:tournament,zertz=2",
    "zertz",
    "zertz,rings=61",
    "go,size=9",
    "gomoku",
    "gobang",
]
DRAWN, PLAIN = Style(True, False), Style()
PRESS_AGAIN = 20.0  # seconds after which a key is pressed again
CODES = re.compile(r"\x1b\[[\d;?]*[a-zA-Z]")
FAKE = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


class Terminal:
    """A process in a terminal of 100 by 50 characters."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.pid, self._descriptor = pty.fork()
        if not self.pid:
            os.chdir(ROOT)
            os.execve(sys.executable, [*COMMAND, *arguments], {**os.environ, **FAKE, **environment})
        fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
        self.shown = ""

    def wait_for(self, text: str) -> str:
        """Return what is shown up to `text`, since what was waited for last."""
        while text not in self.shown:
            assert self._read(PATIENCE), self.shown
        found, _, self.shown = self.shown.partition(text)
        return found + text

    def enter(self, line: str) -> None:
        os.write(self._descriptor, f"{line}\n".encode())

    def end(self, key: str = "") -> tuple[int, str]:
        """Press `key` until the process ends; return the exit code and what was shown until then.

        An interrupt between the prompt and Python's waiting for input counts with the next key only.
        """
        reading = True
        for _ in range(round(PATIENCE / PRESS_AGAIN)):
            if key:
                os.write(self._descriptor, key.encode())
            while reading and select.select([self._descriptor], [], [], PRESS_AGAIN)[0]:
                reading = self._read(0)
            if not reading:
                break
        assert not reading, self.shown
        _, status = os.waitpid(self.pid, 0)
        os.close(self._descriptor)
        self.pid = 0
        return os.waitstatus_to_exitcode(status), self.shown

    def _read(self, patience: float) -> bool:
        """Add to `shown` what comes within `patience` seconds; return whether anything has."""
        if not select.select([self._descriptor], [], [], patience)[0]:
            return False
        try:
            data = os.read(self._descriptor, 1 << 16)
        except OSError:  # how a terminal reports that the process has gone
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)


@pytest.fixture
def terminal(tmp_path, monkeypatch) -> Iterator:
    """Start processes in terminals; they are ended with the test."""
    monkeypatch.setenv(DATA, str(tmp_path))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("COLORTERM", raising=False)
    started: list[Terminal] = []

    def start(*arguments: str, **environment: str) -> Terminal:
        started.append(Terminal("play", *arguments, **environment))
        return started[-1]

    yield start
    for process in started:
        if process.pid:
            os.kill(process.pid, signal.SIGKILL)
            os.waitpid(process.pid, 0)


def test_a_person_is_asked_for_game_side_and_level(terminal):
    asked = terminal()
    assert "place marbles that nobody owns" in asked.wait_for("a name> ")
    asked.enter("gomko,size=5")
    assert "(did you mean 'gomoku'?)" in asked.wait_for("a name> ")
    asked.enter("gomoku,size=5")
    asked.wait_for("[black]> ")
    asked.enter("red")
    assert "side: expected b or w, got 'red'" in asked.wait_for("[black]> ")
    asked.enter("")
    asked.wait_for("[4]> ")
    asked.enter("3")
    asked.wait_for("You play black against level 3.")
    asked.wait_for("black> ")
    asked.enter("C3")
    asked.wait_for("white plays ")
    asked.wait_for("black> ")
    asked.enter("quit")
    code, shown = asked.end()
    assert code == 0
    assert "tengen play --resume " in shown


def test_go_chosen_by_its_number_has_the_usual_komi(terminal):
    asked = terminal()
    asked.wait_for("a name> ")
    asked.enter(str(games.known().index(games.find("go")) + 1))
    assert "komi 6.5" in asked.wait_for("[black]> ")


def test_the_board_has_lines_and_colours(terminal):
    shown = terminal("--game", "gomoku,size=5").wait_for("black> ")
    assert "\x1b[0;48;5;" in shown
    assert "├─┼─" in CODES.sub("", shown)


@pytest.mark.parametrize(
    ("environment", "lines", "colours"),
    [
        ({"NO_COLOR": "1"}, True, False),
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, False, True),
        ({"PYTHONIOENCODING": "latin-1"}, False, True),
    ],
    ids=["NO_COLOR", "few colours", "dumb", "C", "Latin-1"],
)
def test_a_terminal_that_shows_less_gets_less(terminal, environment, lines, colours):
    shown = terminal("--game", "gomoku,size=5", **environment).wait_for("black> ")
    assert ("├─┼─" in CODES.sub("", shown)) == lines
    assert (" 5 . . . . . 5" in shown) == (not lines)
    assert ("\x1b[0;48;5;" in shown) == (lines and colours)


def test_ctrl_c_and_the_end_of_input_leave_and_lose_nothing(terminal):
    for key, expected in (("\x03", EXIT_INTERRUPTED), ("\x04", 0)):
        left = terminal("--game", "gomoku,size=5", "--time", "0.02")
        left.wait_for("black> ")
        left.enter("C3")
        left.wait_for("white plays ")
        left.wait_for("black> ")
        code, shown = left.end(key)
        assert code == expected
        assert "tengen play --resume " in shown
    assert [len(game.turns) for game in kept.readable()] == [2, 2]


def test_steps_are_asked_for_in_a_terminal(terminal):
    game = terminal("--game", "zertz", "--level", "1", NO_COLOR="1")
    game.wait_for("Player 1> ")
    game.enter("W")
    game.wait_for("put it on ...")
    game.wait_for("W ...> ")
    game.enter("d4")
    assert "remove the ring ..." in game.wait_for("W d4 ...> ")
    game.enter("rules Z-3")
    assert "[Z-3] Free rings." in game.wait_for("W d4 ...> ")
    game.enter("d1")
    game.wait_for("you play Wd4,d1")
    game.wait_for("Player 2 plays ")


# ------------------------------------------------------------------------------------------------- drawings


@pytest.mark.parametrize("spec", SPECS)
def test_a_drawing_shows_every_place_and_all_that_lies_on_it(spec):
    """In both ways of drawing, all positions of a game have a board of the same size."""
    sizes = set()
    for number, position in enumerate(walk(spec, 3)):
        if number % 9 == 0:
            board = board_text(position, DRAWN).split("\n\n")[0].splitlines()
            assert all(len(line) <= 80 for line in board)
            sizes.add(len(board_text(position, Style(True, True)).splitlines()))
            assert board_text(position, PLAIN) == shown(position.spec, position.board())
    assert len(sizes) <= 2  # a note may come and go


def test_the_last_turn_is_marked():
    position = Position("dvonn")
    before = position.copy()
    position.push("f3")
    marked = board_text(position, DRAWN, before)
    assert marked.count("(◆)") == 1
    assert "(" not in board_text(position, DRAWN).split("\n\n")[0]
    assert "\x1b[0;48;5;65" in board_text(position, Style(True, True), before)


def test_what_a_turn_takes_away_is_marked():
    position = Position("zertz", "-.../.b.../..gw../.g...../....../b..../.... 4,5,7 0,0,0 0,0,0 1")
    before = position.copy()
    position.push("xc3Wc5")
    assert board_text(position, DRAWN, before).count("(") == 3  # from where, what was taken, and where to


def test_colours_change_no_sign_of_a_side():
    position = Position("gomoku,size=5")
    position.push("C3")
    position.push("C4")
    drawn, coloured = board_text(position, DRAWN), board_text(position, Style(True, True))
    assert "○" in drawn
    assert re.sub("\x1b.*?m", "", coloured).split() == drawn.replace("(", " ").replace(")", " ").split()


@pytest.mark.parametrize("columns", ["1", "20", "80", "400"])
def test_text_is_wrapped_to_the_width_of_the_terminal(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert 40 <= style_of().width <= 100
    assert style_of() == Style(width=style_of().width), "what is no terminal gets plain text"


# -------------------------------------------------------------------------------------------------- contrast


def luminance(code: str) -> float:
    """Return the relative luminance (WCAG 2) of the last colour of some SGR codes."""
    number = int(code.rpartition(";")[2]) - 16
    steps = (0, 95, 135, 175, 215, 255)
    grey = 8 + 10 * (number - 216)
    channels = (
        (grey,) * 3 if number >= 216 else (steps[number // 36], steps[number // 6 % 6], steps[number % 6])
    )
    linear = [((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 3294.6 for c in channels]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(code: str, ground: str) -> float:
    dark, light = sorted((luminance(code), luminance(ground)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    "tone", sorted(TONES.keys() - {Tone.GREY}, key=str)
)  # grey marbles are told by their shape
def test_colours_of_a_board_can_be_told_from_wood(tone):
    assert contrast(TONES[tone], WOOD) >= (4.5 if tone == Tone.NAME else 3)
