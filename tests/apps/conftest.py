"""What the tests of all commands are handed."""

import pytest

from tengen.apps.cli import main as cli
from tengen.apps.language import speak
from tengen.engine.games import find
from tengen.engine.jit import COMPILED
from tengen.engine.play.position import Position
from tengen.protocol.archive import DATA
from tengen.search import perft, warmup
from tests.processes import complaints


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Compile what the commands below run: they are not to say that they do."""
    if COMPILED:
        for name in ("dvonn", "gipf", "go", "gomoku", "zertz"):
            warmup.compile_kernels(find(name))
        for spec in ("dvonn", "gipf", "gomoku,size=5"):
            perft.count(Position.start(spec), 2)


@pytest.fixture(autouse=True)
def english():
    """Speak English again after a test that has used another language in this process."""
    yield
    speak("en")


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A data folder of the test's own."""
    monkeypatch.setenv(DATA, str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def tengen(capsys):
    """Run the command within this process; return its exit code, its output and its complaints."""

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = cli.main(arguments)
        except SystemExit as exit_:
            code = exit_.code
        out, err = capsys.readouterr()
        return code, out, complaints(err)

    return run


@pytest.fixture
def printed(tengen):
    """Run the command; return what it prints, or the one line that refuses it if its code is 2."""

    def run(*arguments: str, code: int = 0) -> str:
        found, out, err = tengen(*arguments)
        assert found == code
        if code:
            assert (out, err.count("\n")) == ("", 1)
        return err if code else out

    return run
