"""The user's settings, the scripts that complete the command line, and consoles of few characters."""

import asyncio
import importlib
import os
import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

from tengen.apps.cli import main as cli
from tengen.apps.cli import serve
from tengen.apps.cli.completion import SHELLS, options_of
from tengen.engine.jit.cache import cache_root
from tengen.engine.storage.files import user_folder
from tengen.protocol.arguments import Options, parsed
from tests import ROOT
from tests.processes import PATIENCE, complaints
from tests.protocol.conversation import COMMAND


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


def defaults(monkeypatch, tmp_path, command: str, text: str) -> dict:
    """Return the defaults of the options of `command` with the settings in `text`."""
    path = tmp_path / "config.toml"
    path.write_text(text, "utf-8")
    monkeypatch.setenv("TENGEN_CONFIG", str(path))
    parser = cli.build_parser(command)
    cli.apply_settings(parser, command, list(cli.COMMANDS))
    return vars(arguments(command, parser, []))


def arguments(command: str, parser, words: list[str]) -> Options:
    return parsed(importlib.import_module(cli.COMMANDS[command][0]).Arguments, parser.parse_args(words))


def test_settings_are_defaults_of_a_command(monkeypatch, tmp_path):
    text = "[all]\nthreads = 2\nsize = 3\n[gtp]\ngame = 'dvonn'\n[games]\njson = true\n"
    options = defaults(monkeypatch, tmp_path, "gtp", text)
    assert (options["game"], options["threads"], options["hash"]) == ("dvonn", "2", "64")
    assert defaults(monkeypatch, tmp_path, "games", text)["json"] is True


@pytest.mark.parametrize(
    ("settings", "words", "complaint"),
    [
        ("[play]\ngame = 'go,size=9'\nlevel = 3", "play --resume no-such-game", "no-such-game"),
        ("[play]\nlevel = 3", "play --player x", "player: expected one of"),
        ("[play]\nside = 'b'\nlevel = 3", "play --lesson dvon", "game: expected one of"),
        ("[match]\nmovetime = 0.1", "match --game go --first x --second x --clock 5+x", "clock: expected"),
        ("[match]\nclock = '5+1'", "match --game go --first x --second x --movetime 1", "player: expected"),
        ("[match]\nconcurrency = 2", "match --game go --first x --second x --dask x", "player: expected"),
        ("[analyze]\nmultipv = 3\nparallel = 2", "analyze no.sgf", "no.sgf"),
        (
            "[analyze]\nparallel = 2\nplot = 'p.png'",
            "analyze --game dvonn --position x",
            "position: expected",
        ),
        ("[quiz]\ntime = 0.5", "quiz --daily --game x", "game: expected one of"),
        ("[show]\nsvg = 'a.svg'", "show --game dvon --png b.png", "game: expected one of"),
        ("[show]\nsvg = 'a.svg'", "show no.sgf --list", "no.sgf"),
    ],
)
def test_what_is_typed_displaces_settings_that_it_excludes(tmp_path, settings, words, complaint):
    (tmp_path / "config.toml").write_text(settings, "utf-8")
    done = run(*words.split(), TENGEN_CONFIG=str(tmp_path / "config.toml"), TENGEN_DATA=str(tmp_path))
    said = complaints(done.stderr.decode())
    assert (done.returncode, said.count("\n")) == (2, 1)
    assert complaint in said
    assert "exclude" not in said


@pytest.mark.linux
@pytest.mark.parametrize("home", ["/dev/null", "/proc/nobody"])
def test_nobody_needs_a_home(home, tmp_path):
    nowhere = {f"XDG_{kind}_HOME": "" for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
    environment = {"HOME": home, "TENGEN_CACHE_DIR": str(cache_root()), **nowhere}
    for words in (["games"], ["play", "--list"], ["perft", "--game", "gomoku,size=5", "--depth", "1"]):
        done = run(*words, **environment)
        assert (done.returncode, complaints(done.stderr.decode())) == (0, "")


@pytest.mark.posix
def test_who_has_no_home_at_all_has_no_folder_called_tilde(monkeypatch):
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.delenv(f"XDG_{kind}_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", str)  # what it does without an entry in the list of users
    assert user_folder("data") == Path("/dev/null/tengen/data")


def test_answers_of_a_server_wait_for_no_receipt():
    async def option():
        with serve._listen("127.0.0.1", 0) as listener:
            served = asyncio.Queue()
            server = await asyncio.start_server(lambda _, writer: served.put_nowait(writer), sock=listener)
            _, client = await asyncio.open_connection(*listener.getsockname())
            writer = await served.get()
            found = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for each in (client, writer, server):
                each.close()
            return found

    assert asyncio.run(option())


@pytest.mark.posix
def test_games_of_a_server_without_a_place_are_kept_among_temporary_files(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("TENGEN_DATA", "/dev/null/here")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = serve._user_folder()
    assert folder.parent == tmp_path
    assert f"games are kept in {folder}, since /dev/null/here/games cannot be" in capsys.readouterr().err


def test_the_table_of_a_command_comes_before_that_of_all(monkeypatch, tmp_path):
    text = "[all]\nconcurrency = 2\n[match]\nconcurrency = 3\ngame = 'dvonn'\n"
    assert defaults(monkeypatch, tmp_path, "match", text)["concurrency"] == 3


def test_the_command_line_comes_before_the_settings(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("[perft]\ngame = 'dvonn'\ndepth = 5\n")
    done = run("perft", "--depth", "1", TENGEN_CONFIG=str(path))
    assert (done.returncode, complaints(done.stderr.decode())) == (0, "")
    assert done.stdout.startswith(b"depth 1 turns 49 ")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[gpt]\n", "expected tables named all or after a command, got 'gpt' (did you mean 'gtp'?)"),
        ("gtp = 3\n", "expected tables named all or after a command, got 'gtp'"),
        ("[gtp]\nhsh = 3\n", "[gtp]: expected an option of tengen gtp, got 'hsh' (did you mean 'hash'?)"),
        ("[gtp]\nhash = [3]\n", "[gtp] hash: expected a text or a number, got '[3]'"),
        ("[gtp]\ndebug = 1\n", "[gtp] debug: expected true or false, got '1'"),
        ("[gtp]\nname = ''\n", "[gtp] name: expected 1 to 100 printable characters, got ''"),
        ("x", "expected TOML: "),
    ],
)
def test_bad_settings_are_refused_in_one_line(tmp_path, printed, monkeypatch, text, complaint):
    path = tmp_path / "config.toml"
    path.write_text(text)
    monkeypatch.setenv("TENGEN_CONFIG", str(path))
    err = printed("gtp", "--game", "dvonn", code=cli.EXIT_USAGE)
    assert err.startswith(f"tengen: error: {path}: {complaint}")


def test_a_value_that_is_no_choice_is_refused(tmp_path, printed, monkeypatch):
    path = tmp_path / "config.toml"
    command, option = next(
        (command, action)
        for command in cli.COMMANDS
        for action in cli.build_parser(command)._actions
        if action.choices and action.option_strings
    )
    name = option.option_strings[-1].removeprefix("--")
    path.write_text(f"[{command}]\n{name} = 'neither'\n")
    monkeypatch.setenv("TENGEN_CONFIG", str(path))
    assert f"[{command}] {name}: expected one of " in printed(command, code=cli.EXIT_USAGE)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_names_all_commands_and_options(shell, printed):
    script = printed("completion", shell)
    assert {*re.findall(r"[\w-]+", script)} >= {*cli.COMMANDS}
    wanted = {option.text.strip("-") for option in options_of("gtp")}
    assert {"game", "threads", "level"} <= wanted <= {*re.findall(r"\w[\w-]*", script)}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_can_read_its_script(shell, printed):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell}")
    script = printed("completion", shell)
    done = subprocess.run([program, "-n"], input=script, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_bash_completes_commands_options_and_games(printed):
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    script = (
        printed("completion", "bash")
        + """
answer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _tengen; echo "${COMPREPLY[@]}"; }
answer tengen gt; answer tengen gtp --ga; answer tengen gtp --game go; answer tengen completion f
"""
    )
    done = subprocess.run(["bash"], input=script, text=True, capture_output=True, check=True)
    assert done.stdout.splitlines() == ["gtp", "--game", "go gobang gomoku", "fish"]


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_any_console_prints_titles_and_infinity(encoding, tmp_path):
    games = run("games", PYTHONIOENCODING=encoding)
    assert (games.returncode, games.stderr) == (0, b"")
    assert re.search(r"Z(È|E)RTZ", games.stdout.decode(encoding))
    match = ["--game", "gomoku,size=7", "--first", "greedy", "--second", "random", "--games", "2"]
    match += ["--nodes", "100", "--out", str(tmp_path / "m.sqlite")]
    report = run("match", *match, PYTHONIOENCODING=encoding)
    assert (report.returncode, complaints(report.stderr.decode(encoding))) == (0, "")
    assert re.search(r"Elo +\+(inf|∞) ", report.stdout.decode(encoding))
