"""The command `tengen` at a shell: help, output, exit codes, and one line for whatever is wrong."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tengen import Engine
from tengen.apps.cli import compiling
from tengen.apps.cli import main as cli
from tengen.engine import jit, options
from tengen.engine.games import find, names
from tengen.engine.notation import shown
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.engine.system import join_command
from tengen.protocol.session import Session
from tengen.tuning.players.specs import PlayerSpec
from tengen.tuning.workers.pool import WorkerPool
from tests import ROOT
from tests.apps.processes import process, read_terminal
from tests.processes import PATIENCE, complaints, keeps_busy
from tests.protocol.conversation import COMMAND

HEAVY = ("numpy", "numba", "tqdm", "sqlite3", "PIL", "matplotlib")
SGF = "(;FF[4]GM[4]SZ[15];B[hh];W[gi];B[jh])"
RECORDED = "/".join([*["." * 15] * 7, ".......X.X.....", "......O........", *["." * 15] * 6]) + " w"
ROW = re.compile(
    r" *(\d+) +(\d+)/(\d+) +((?:[<>]= )?(?:[+-]\d+\.\d\d|win in \d+|loss in \d+)) +(\d+\.\d)  (\S.*)"
)
FOOTER = re.compile(r"[\d,]+ nodes   [\d,]+ nodes/s   hash \d+\.\d% full   \d+\.\d\d s")


# --------------------------------------------------------------------------------------------------- help


@pytest.mark.parametrize("command", [None, *cli.COMMANDS])
def test_help_is_short_of_nothing(tengen, command):
    code, out, err = tengen(*([command] if command else []), "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: tengen {command or 'COMMAND'}")
    assert f"\nexamples:\n  tengen {command or ''}" in out


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (["help", "play"], ["play", "--help"]),
        (["analyse", "--help"], ["analyze", "--help"]),
        (["rules", "GIPF", "G-1"], ["rules", "gipf", "G-1"]),
        (["games", "GIPF", "--json"], ["games", "gipf", "--json"]),
        (["show", "gomoku:renju,size=7"], ["show", "--game", "gomoku:renju,size=7"]),
    ],
)
def test_other_spellings_mean_the_same(tengen, words, same):
    assert tengen(*words) == tengen(*same)
    assert tengen(*words)[0] == 0


def test_one_game_is_listed_alone(tengen):
    _, out, _ = tengen("games", "gipf")
    assert out.startswith("gipf: ")
    assert "dvonn: " not in out


def test_what_needs_no_engine_loads_nothing_heavy():
    """It is said at once, then: in a twentieth of the time that NumPy and numba take to load."""
    helps = [["--version"], ["--help"], ["games"], *([command, "--help"] for command in cli.COMMANDS)]
    script = f"""
import contextlib, io, sys
from tengen.apps.cli.main import main
for arguments in {helps}:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        main(arguments)
    assert said.getvalue(), arguments
    heavy = {{*{HEAVY}}} & {{*sys.modules}}
    assert not heavy, (arguments, heavy)
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, timeout=PATIENCE)


def examples():
    """Yield the command line of every example; what is said of them, or what they print, is passed over."""
    texts = [cli.overview().partition("examples:\n")[2]]
    texts += [cli.build_parser(command).epilog.replace("\\\n", " ") for command in cli.COMMANDS]
    for text in texts:
        yield from (line.strip() for line in text.splitlines() if line.startswith("  tengen "))


@pytest.mark.parametrize("line", list(examples()))
def test_examples_are_understood(line):
    program, command, *arguments = shlex.split(re.split(" > | && ", line)[0])
    assert program == "tengen"
    parsed = cli.build_parser(command).parse_args(arguments)
    if spec := getattr(parsed, "game", None):
        assert str(GameSpec.parse(spec)) == spec


def test_version(tengen):
    code, out, err = tengen("--version")
    assert (code, err) == (0, "")
    assert re.fullmatch(r"tengen \d+\.\d+\S*\n", out)


def test_without_a_command_there_is_help_and_an_error_code(tengen):
    assert tengen() == (cli.EXIT_USAGE, cli.overview() + "\n", "")


@pytest.mark.parametrize("place", ["/somewhere/bin/tengen", "/some where/bin/tengen"])
def test_in_a_terminal_the_command_alone_offers_commands_that_work_there(tengen, monkeypatch, place):
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "argv", [place])
    code, out, err = tengen()
    assert (code, err) == (0, "")
    offered = re.findall(rf"^  {re.escape(join_command([place]))} (\S+)", out, re.M)
    assert len(offered) == 5
    assert {*offered} <= {*cli.COMMANDS, "--help"}


def test_retired_commands_say_why_and_their_settings_do_no_harm(tengen, monkeypatch, tmp_path):
    for command, why in cli.RETIRED.items():
        assert tengen(command, "--help") == (2, "", f"tengen: error: command {command}: {why}\n")
    (tmp_path / "config.toml").write_text("".join(f"[{command}]\ngames = 3\n" for command in cli.RETIRED))
    monkeypatch.setenv("TENGEN_CONFIG", str(tmp_path / "config.toml"))
    assert tengen("games")[0] == 0


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("ownbook", lambda: Session(GameSpec.parse("dvonn")).set_option("OwnBook", "false")),
        ("book", lambda: Engine(book=False).configure(book=True)),
        ("book", lambda: PlayerSpec.parse("tengen,book=off,depth=2")),
    ],
)
def test_retired_options_are_ignored_with_one_warning(caplog, name, use):
    options._warn_of_retired.cache_clear()
    for _ in range(2):
        use()
    assert caplog.messages == [f"option {name} is ignored: {options.RETIRED[name]}"]


# -------------------------------------------------------------------------------------------------- games


def test_games_are_all_listed(tengen):
    code, out, err = tengen("games")
    assert (code, err) == (0, "")
    assert re.findall(r"^(\w+): ", out, re.M) == list(names())
    assert "size=15              points on a side of the board (a whole number from 5 to 22)" in out


def test_games_as_json_name_what_specs_take(tengen):
    code, out, _ = tengen("games", "--json")
    games = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [game["name"] for game in games] == list(names())
    for game in games:
        for option in game["options"]:
            for value in (
                option["default"],
                option.get("low"),
                option.get("high"),
                *option.get("choices", ()),
            ):
                if value is not None:
                    text = int(value) if isinstance(value, bool) else value
                    assert GameSpec.parse(f"{game['name']},{option['name']}={text}")
        for variant in game["variants"]:
            assert GameSpec.parse(f"{game['name']}:{variant}").variant == variant


# -------------------------------------------------------------------------------------------------- perft


def test_perft_prints_a_line_a_depth(tengen):
    code, out, err = tengen("perft", "--game", "dvonn", "--depth", "3")
    assert (code, err) == (0, "")
    rows = [re.fullmatch(r"depth (\d+) turns (\d+) seconds \d+\.\d{3,}", line) for line in out.splitlines()]
    assert [(int(row[1]), int(row[2])) for row in rows] == [(1, 49), (2, 2352), (3, 110544)]


def test_perft_divide_lists_the_last_depth_first(tengen):
    _, out, _ = tengen("perft", "--game", "gomoku,size=5", "--moves", "C3 C4", "--depth", "2", "--divide")
    first, *turns, last = out.splitlines()
    assert first.startswith("depth 1 turns 23 ")
    assert turns[0] == "A1 22"
    assert len(turns) == 23
    assert last.startswith(f"depth 2 turns {23 * 22} ")


def test_perft_as_json(tengen):
    _, out, _ = tengen("perft", "--game", "gomoku,size=5", "--depth", "2", "--divide", "--json")
    *rows, last = [json.loads(line) for line in out.splitlines()]
    assert rows[1] == {"turn": "A1", "count": 24}
    assert last.keys() == {"depth", "turns", "seconds"}
    assert last["turns"] == sum(row["count"] for row in rows[1:]) == 600


def test_perft_distinct_counts_no_less_where_all_turns_differ(tengen):
    arguments = ("perft", "--game", "gomoku,size=5", "--depth", "2", "--json")
    plain, distinct = tengen(*arguments)[1], tengen(*arguments, "--distinct")[1]
    assert [json.loads(line)["turns"] for line in plain.splitlines()] == [25, 600]
    assert [json.loads(line)["turns"] for line in distinct.splitlines()] == [25, 600]


def test_perft_of_a_finished_game_is_nothing(tengen):
    code, out, _ = tengen(
        "perft",
        "--game",
        "gomoku,size=5",
        "--position",
        "XXXXX/OOOO./" + "...../" * 2 + "..... w",
        "--depth",
        "1",
    )
    assert code == 0
    assert out.startswith("depth 1 turns 0 seconds ")


def test_warmup_refuses_a_cache_that_cannot_be_written(tengen, monkeypatch):
    monkeypatch.setattr(jit, "keeps_kernels", lambda package: False)
    code, out, complaint = tengen("warmup", "--game", "dvonn")
    assert (code, out) == (2, "")
    assert "expected a cache folder that can be written" in complaint


def test_all_games_are_warmed_up_by_as_many_workers_as_there_are_cores(tengen, monkeypatch):
    asked = []

    def run(self: WorkerPool, function: object, jobs: list[object]) -> Iterator[tuple[object, None]]:
        asked.append((function, jobs))
        yield from ((job, None) for job in jobs)

    monkeypatch.setattr(WorkerPool, "run", run)
    code, out, _ = tengen("warmup")
    jobs = [(name, "") for name in names() if not find(name).shares_kernels]
    assert (code, asked.pop()) == (0, (compiling.compile_job, jobs))
    assert out.startswith(f"{', '.join(names())} ready in ")
    code, out, _ = tengen("warmup", "--game", "gipf:basic")
    function, jobs = asked.pop()
    assert (code, function) == (0, compiling.compile_job)
    assert {("gipf", "rules"), ("gipf", "search"), ("gipf", "tree"), ("gipf", "perft")} <= set(jobs)
    assert out.startswith("gipf ready in ")


# ------------------------------------------------------------------------------------------------ analyze


def test_analyze_groups_turns_of_zertz_that_differ_in_the_ring_taken(tengen):
    code, out, _ = tengen("analyze", "--game", "zertz", "--depth", "1", "--multipv", "6", "--group", "--json")
    placements = {json.loads(line)["pv"][0].split(",")[0] for line in out.splitlines()[:-1]}
    assert (code, len(placements)) == (0, 6)


def test_analyze_prints_the_board_and_a_row_a_candidate(tengen):
    moves = "H8 G7 J7"
    code, out, err = tengen("analyze", "--game", "gomoku", "--moves", moves, "--depth", "3", "--multipv", "4")
    assert (code, err) == (0, "")
    position = Position.start("gomoku")
    for turn in moves.split():
        position.push(turn)
    assert out.startswith(f"gomoku\n\n{shown(position.spec, position.board())}\n\n")
    heading, *rows, footer = out.splitlines()[-6:]
    assert heading.split() == ["depth", "score", "win", "%", "turns"]
    parts = [ROW.fullmatch(row) for row in rows]
    assert [part[1] for part in parts] == ["1", "2", "3", "4"]
    assert len({part[6].split()[0] for part in parts}) == 4  # different turns
    assert FOOTER.fullmatch(footer)
    assert "\x1b" not in out


def test_analyze_as_json(tengen):
    code, out, err = tengen("analyze", "--game", "dvonn", "--nodes", "20000", "--multipv", "2", "--json")
    assert (code, err) == (0, "")
    *infos, last = [json.loads(line) for line in out.splitlines()]
    keys = {"depth", "seldepth", "multipv", "score", "winrate", "nodes", "nps", "hashfull", "time", "pv"}
    for info in infos:
        assert info.keys() - {"bound"} == keys
        assert info["score"].keys() <= {"cp", "win", "loss"}
        assert len(info["score"]) == 1
        assert 0 <= info["winrate"] <= 1
    assert {info["multipv"] for info in infos} == {1, 2}
    assert last.keys() == {"bestturn", "ponder", "nodes", "time"}
    best = [info for info in infos if info["multipv"] == 1 and info.get("bound") != "upper"][-1]
    assert best["pv"][:2] == [last["bestturn"], last["ponder"]]
    assert 10_000 <= last["nodes"] <= 40_000


def test_analyze_finds_a_proven_win(tengen):
    code, out, _ = tengen(
        "analyze", "--game", "gomoku", "--moves", "H8 A1 J8 A3 K8 A5 L8 A7", "--depth", "2", "--json"
    )
    assert code == 0
    best = json.loads(out.splitlines()[-2])
    assert best["score"] == {"win": 1}
    assert best["winrate"] == 1
    assert best["pv"] in (["G8"], ["M8"])


def test_analyze_reads_a_record(tengen, tmp_path):
    record = tmp_path / "game.sgf"
    record.write_text(SGF)
    code, out, err = tengen("analyze", str(record), "--turn", "last", "--depth", "1")
    assert code == 0
    assert err == f"tengen: {record}: the record does not say RU: read as gomoku (--game names others)\n"
    board = out.partition("\n\n")[2].partition("\n\n")[0]
    position = Position.parse("gomoku", RECORDED)
    assert board == shown(position.spec, position.board())


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["table", "json"])
def test_analyze_says_how_a_finished_game_ended(tengen, form):
    position = "XX.XX/...../OOOO./...../..... b"
    code, out, err = tengen(
        "analyze", "--game", "gomoku,size=5", "--position", position, "--moves", "C5", *form
    )
    assert (code, err) == (0, "")
    assert "black wins" in out.splitlines()[-1]
    if form:
        assert json.loads(out)["bestturn"] is None


def test_analyze_tells_when_there_was_no_time_to_search(tengen):
    code, out, err = tengen("analyze", "--game", "gomoku", "--time", "1e-9", "--json")
    last = json.loads(out.splitlines()[-1])
    assert code == 0
    assert last["bestturn"]
    assert last.get("notice", "") in err
    assert len(err.splitlines()) == ("notice" in last)


def test_analyze_is_updated_in_place_on_a_terminal():
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "72", "LINES": "24"}
    with process("analyze", "--game", "gomoku", "--time", "1000", stdout=theirs, env=environment) as running:
        os.close(theirs)
        shown = b""
        while chunk := read_terminal(ours):
            shown += chunk
            if shown.count(b"\x1b[J") >= 3:
                running.send_signal(signal.SIGINT)
                break
        while chunk := read_terminal(ours):
            shown += chunk
        assert running.wait(PATIENCE) == cli.EXIT_INTERRUPTED
    os.close(ours)
    drawings = re.split(r"\r\x1b\[\d+A\x1b\[J", shown.decode().replace("\r\n", "\n"))
    assert len(drawings) > 2
    assert all(len(line) < 72 for drawing in drawings[:-1] for line in drawing.splitlines())
    assert all(FOOTER.fullmatch(drawing.splitlines()[-1]) for drawing in drawings)


@pytest.mark.posix
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["table", "json"])
def test_an_interrupted_analysis_prints_what_there_is(form):
    with process("analyze", "--game", "dvonn", "--time", "1000", *form) as running:
        begun = running.stdout.readline()
        while not form and not begun.isspace():  # the board is shown before the search begins
            begun = running.stdout.readline()
        if not form:
            keeps_busy(running.pid, 2.0)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert re.fullmatch(r"tengen: interrupted after \d+\.\d\d s\n", err)
    last = out.splitlines()[-1]
    assert json.loads(last)["bestturn"] if form else FOOTER.fullmatch(last)


# ---------------------------------------------------------------------------------------------- bad input

FAULTY_DVONN = (
    "D,D,W9,B1,W1,B1,W1,B1,W1/B1,D,W1,B1,W1,B1,W1,B1,W1,B1/W1,B1,W1,B1,W1,D,B1,W1,B1,W1,B1/"
    "W1,B1,W1,B1,W1,B1,W1,B1,D,W1/B1,W1,B1,W1,B1,W1,B1,W1,B1 w m"
)
DVONN = ["analyze", "--game", "dvonn"]
REFUSED = [
    (["analize"], r"command: expected one of play, .*, got 'analize' \(did you mean 'analyze'\?\)"),
    (["games", "chess"], r"game: expected one of dvonn, .*, got 'chess'"),
    (["analyze"], r"name a game, such as --game dvonn, or a FILE.sgf"),
    (["analyze", "--game", "gomuko"], r"got 'gomuko' \(did you mean 'gomoku'\?\)"),
    (["play", "--game", "gomoku:freestile"], r"got 'freestile' \(did you mean 'freestyle'\?\)"),
    (["perft", "--game", "gomoku,sise=9", "--depth", "1"], r"got 'sise' \(did you mean 'size'\?\)"),
    (["perft", "--game", "gomoku,size=4", "--depth", "1"], r"option size: expected .* 5 to 22, got '4'"),
    (["perft", "--game", "gomoku,size=9,size=9", "--depth", "1"], r"option size: expected once, got twice"),
    (["perft", "--game", "dvonn,size=9", "--depth", "1"], r"options of dvonn: expected none, got 'size'"),
    (["perft", "--game", "dvonn"], r"required: --depth"),
    ([*DVONN, "--dept", "3"], r"unrecognized arguments: --dept"),
    ([*DVONN, "--position", "W1/B1 w m"], r"position: expected 5 rows, got 2"),
    (
        [*DVONN, "--position", FAULTY_DVONN],
        r"impossible position: .*DVONN pieces.*; .*at most 49 pieces, got 57",
    ),
    ([*DVONN, "--moves", "a1 a1"], r"turn 2: illegal turn 'a1': a1 is occupied \[D-1\]"),
    ([*DVONN, "--moves", "a1 b1 xy"], r"turn 3: turn: expected a placement such as c3, .* got 'xy'"),
    (["play", "--game", "gomoku", "--moves", "H8 H8"], r"turn 2: illegal turn 'h8': h8 is occupied \[M-1\]"),
    (["play", "--game", "dvonn", "--side", "red"], r"side: expected w or b, got 'red'"),
    (["play", "--game", "dvonn", "--time", "0"], r"--time: expected a positive number of seconds"),
    ([*DVONN, "--depth", "65"], r"--depth: expected a whole number from 1 to 64, got '65'"),
    (["perft", "--game", "dvonn", "--depth", "0"], r"--depth: expected a whole number from 1 to 64, got '0'"),
    ([*DVONN, "--nodes", "0"], r"--nodes: expected a whole number from 1 to \d+, got '0'"),
    ([*DVONN, "--multipv", "257"], r"--multipv: expected a whole number from 1 to 256, got '257'"),
    ([*DVONN, "--group"], r"--group: expected a game whose turns can be grouped, such as zertz, got dvonn"),
    ([*DVONN, "--threads", "0"], r"Threads: expected a whole number from 1 to 256, got '0'"),
    ([*DVONN, "--hash", "1000000"], r"[Hh]ash: expected .*1 to \d+.*, got '?1000000"),  # more than memory
    ([*DVONN, "--hash", "-1"], r"Hash: expected a whole number from 1 to \d+, got '-1'"),
    (["gtp"], r"required: --game"),
    (["gtp", "--game", "dvonn", "--time", "-1"], r"--time: expected a number"),
    (["ugi", "--hash", "much"], r"option Hash: expected"),
    (["gomocup", "--game", "go"], r"--game: expected five in a row, such as gomoku, got 'go'"),
    (["gomocup", "--seed", "one"], r"--seed: expected a whole number"),
    *(
        (["gtp", "--game", "go", "--name", name], r"argument --name: expected 1 to 100 printable characters")
        for name in ("", "Kata\nGo", "K" * 101)
    ),
]


@pytest.mark.parametrize(("arguments", "complaint"), REFUSED)
def test_bad_input_is_refused_in_one_line(tengen, arguments, complaint):
    code, out, err = tengen(*arguments)
    assert (code, out) == (cli.EXIT_USAGE, "")
    assert re.fullmatch(rf"tengen( \w+)?: error: .*{complaint}.*\n", err)


@pytest.mark.parametrize(
    "arguments",
    [
        ["games"],
        ["perft", "--game", "gomoku,size=5", "--depth", "3", "--divide"],
        ["analyze", "--game", "gomoku", "--time", "1000", "--json"],
        ["analyze", "--game", "gomoku", "--depth", "1"],
    ],
    ids=" ".join,
)
def test_a_reader_who_leaves_ends_the_command_in_silence(arguments):
    with process(*arguments) as running:
        assert running.stdout.readline()
        running.stdout.close()
        assert running.wait(PATIENCE) in (0, cli.EXIT_CLOSED)
        assert complaints(running.stderr.read()) == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["games"],
        ["show", "--game", "dvonn"],
        ["perft", "--game", "gomoku,size=5", "--depth", "1"],
        ["analyze", "--game", "gomoku", "--depth", "1"],
        ["analyze", "--game", "gomoku", "--depth", "1", "--json"],
    ],
    ids=" ".join,
)
def test_a_stdout_that_was_closed_before_is_told_in_one_line(arguments, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)  # what the interpreter makes of a closed descriptor
    assert cli.main(arguments) == cli.EXIT_USAGE
    assert capsys.readouterr().err == ("tengen: error: standard output is closed\n")


@pytest.mark.linux
@pytest.mark.parametrize(
    "words",
    [
        "match --game gomoku,size=5 --first greedy --second random --games 2 --json --out {folder}/kept",
        "selfplay --game gomoku,size=5 --games 2 --depth 1 --json --out {folder}/games",
        "perft --game gomoku,size=5 --depth 1 --json",
    ],
)
@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full"])
def test_results_do_not_depend_on_notices_that_nobody_reads(words, redirection, tmp_path):
    command = f"{shlex.join(COMMAND)} {words.format(folder=tmp_path)} {redirection}"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0
    assert json.loads(done.stdout.splitlines()[-1])


@pytest.mark.linux
@pytest.mark.parametrize("words", ["games", "--help", "show --help"])
def test_a_full_disk_is_told_in_one_line(words):
    command = f"{shlex.join(COMMAND)} {words} > /dev/full"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (2, "tengen: error: No space left on device\n")


@pytest.mark.parametrize(
    "module",
    ["tengen.apps.cli.main", "argparse", "tengen.search.limits.limit", "numpy", "numba", "llvmlite"],
)
def test_sigint_during_an_import_ends_the_command_with_130_and_one_line(module):
    script = f"""
import os, signal, sys
sys.argv = ["tengen", "analyze", "--game", "gomoku", "--depth", "1"]
def hook(event, arguments):
    if event == "import" and arguments[0] == {module!r}:
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
from tengen.__main__ import main
sys.exit(main())
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "tengen: interrupted\n")


@pytest.mark.posix
def test_a_command_that_is_told_to_ignore_sigint_goes_on():
    script = (
        "import os, signal; os.kill(os.getpid(), signal.SIGINT); from tengen.__main__ import main; main()"
    )
    command = f"trap '' INT; exec {shlex.join([sys.executable, '-c', script])} games"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0
    assert "gomoku" in done.stdout
