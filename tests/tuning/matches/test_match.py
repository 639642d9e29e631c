"""Matches between players that behave and players that do not."""

import json
import os
import random
import shlex
import signal
import subprocess
import threading
from dataclasses import replace

import pytest

from tengen.apps.cli import main as cli
from tengen.engine import sgf
from tengen.engine.game import Outcome
from tengen.engine.play.challenge import CHALLENGE
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.limits.limit import Clock, Limit
from tengen.tuning.match.playing import GameClock, play_game
from tengen.tuning.match.records import FinishedGame, Store, write_sgf
from tengen.tuning.match.statistics import Sprt
from tengen.tuning.match.tournament import Match, MatchError
from tengen.tuning.openings import RandomTurns, random_position
from tengen.tuning.players.base import EndReason, PlayerFailure, TurnTime
from tengen.tuning.players.builtin import RandomPlayer
from tengen.tuning.players.external import engine as external
from tengen.tuning.players.external import process
from tengen.tuning.players.specs import PlayerSpec
from tests import ROOT
from tests.processes import PATIENCE, eventually
from tests.rules.test_repetition import BASIC
from tests.tools.contests import play_contests, spec_with
from tests.tuning.matches.playing import ENGINE, GOMOKU, MARGIN, command, hurry, played, program, settings


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.sqlite"


def replayed(game: FinishedGame, spec: GameSpec = GOMOKU) -> Position:
    position = Position(spec)
    for turn in game.opening + game.turns:
        position.push(turn)
    return position


# -------------------------------------------------------------------------------------------- games and pairs


def test_games_are_paired_and_judged_by_the_rules(path):
    match = played(settings("greedy", "random", games=8), path)
    assert [game.number for game in match.games] == list(range(8))
    assert len(match.score.openings) == 4
    for game in match.games:
        assert game.first_side == game.number % 2
        assert game.opening == match.games[game.number ^ 1].opening
        assert game.reason == EndReason.RULES
        assert replayed(game).outcome() == game.outcome
        assert replayed(game).result() == game.result
        assert len(game.seconds) == len(game.turns)
    assert match.score.points > 6
    assert sum(match.score.pairs) == 4


def test_same_settings_play_the_same_games(tmp_path):
    wanted = settings("greedy", "random")
    one, two = played(wanted, tmp_path / "one"), played(wanted, tmp_path / "two")
    assert [game.turns for game in one.games] == [game.turns for game in two.games]
    other = played(replace(wanted, seed=2), tmp_path / "three")
    assert [game.turns for game in one.games] != [game.turns for game in other.games]


def test_long_games_are_drawn(path):
    match = played(settings("random", "random", max_turns=5), path)
    assert {game.reason for game in match.games} == {EndReason.LENGTH}
    assert match.score.draws == 4
    assert not match.forfeits()
    assert all(len(game.opening + game.turns) == 5 for game in match.games)


def test_sprt_ends_a_match_that_is_decided(path):
    wanted = settings("greedy", "random", games=400, sprt=Sprt(0, 300, 0.2, 0.2))
    match = played(wanted, path)
    assert match.decided
    assert match.score.games < 100
    assert played(wanted, path).score.games == match.score.games


@pytest.mark.parametrize("kind", ["none", "suggest", "forgetful"])
def test_brains_of_gomocup_play_whole_games(tmp_path, kind):
    brain = settings(program("gomocup", kind), "random", games=4)
    engine = settings(program("gtp"), "random", games=4)
    match, same = played(brain, tmp_path / "brain"), played(engine, tmp_path / "engine")
    assert match.versions[0] == "first free 1.0"
    assert [game.turns for game in match.games] == [game.turns for game in same.games]


def test_both_protocols_are_played_with_clocks(path):
    wanted = settings(program("ugi"), program("gtp"), games=2, limits=Limit(), clock=Clock(5.0, 0.1))
    match = played(wanted, path)
    assert {game.reason for game in match.games} == {EndReason.RULES}
    assert match.versions == ["first free", "first free 1.0"]


def test_a_draw_by_repetition_names_its_rule(path):
    spec = GameSpec.parse(BASIC.spec)
    wanted = settings("random", "random", game=spec, limits=Limit(nodes=1))
    game = play_game(wanted, 0, 2 * BASIC.turns, (RandomPlayer(spec, {}), RandomPlayer(spec, {})))
    assert (game.outcome, game.result, game.reason) == (Outcome.DRAW, "0", EndReason.RULES)
    assert game.detail == "the position has occurred three times [R-1]"
    assert replayed(game, spec).outcome() == Outcome.DRAW


# ------------------------------------------------------------------------------------------------- challenges


CONTEST = GameSpec.parse("gipf,zertz=3,challenges=2")


class Quarrelsome(RandomPlayer):
    """Jumps whenever possible, challenges every jump, and plays the rest by chance."""

    def play(self, position, turn_time):
        liked = [turn for turn in position.turns() if "Z" in turn or "j" in turn or turn == CHALLENGE]
        return self._random.choice(liked) if liked else super().play(position, turn_time)


def test_challenges_are_played_and_kept(path, tmp_path):
    wanted = settings("random", "random", game=CONTEST, limits=Limit(nodes=1))
    game = play_game(wanted, 0, (), (Quarrelsome(CONTEST, {}), Quarrelsome(CONTEST, {})))
    assert game.reason == EndReason.RULES
    assert game.turns.count(CHALLENGE) > 1
    end = replayed(game, CONTEST)
    assert (end.outcome(), end.result()) == (game.outcome, game.result)
    store = Store(path, wanted.identity())
    store.add(game)
    assert [(kept.turns, kept.outcome, kept.result) for kept in store.games()] == [
        (game.turns, game.outcome, game.result)
    ]
    store.close()
    write_sgf(tmp_path, CONTEST, ("one", "two"), game)
    record = sgf.read_file(tmp_path / "00001.sgf")
    assert sgf.position(record).turns_played == end.turns_played
    assert sgf.position(record).text() == end.text()


@pytest.mark.parametrize(
    ("first", "second"),
    [("tengen,depth=1", "tengen,depth=1"), ("greedy", "random")],
)
def test_our_players_play_contests(path, first, second):
    match = played(settings(first, second, games=2, game=CONTEST, limits=Limit()), path)
    assert {game.reason for game in match.games} == {EndReason.RULES}


@pytest.mark.parametrize("player", ["tengen,depth=1", "greedy", "random"])
def test_every_player_answers_and_plays_the_other_game(player):
    text = "b..w/.w+b../....../w.....b/....../...../b..w 10 11 w -z 0 1 1 1"
    position = Position("gipf:basic,zertz=1,challenges=1", text)
    playing = PlayerSpec.parse(player).create(position.spec)
    playing.start()
    playing.new_game(1)
    turn_time = TurnTime(Limit(time=1.0), None, 10.0)
    position.push("jc3-c5")
    assert playing.play(position, turn_time) in position.turns()
    position.push(CHALLENGE)
    assert playing.play(position, turn_time) in position.turns()


RARE = [pytest.param(kind, marks=pytest.mark.nightly) for kind in ("go:size=3:komi=0.5", "coin")]


@pytest.mark.parametrize("kind", ["gomoku:size=7", *RARE, "outside", "die:least=2"])
def test_programs_play_contests(kind):
    """All kinds: ``python -m tests.tools.contests``."""
    for game in play_contests(kind, movetime=0.01):
        assert game.reason == EndReason.RULES, game.detail
        assert replayed(game, spec_with(kind)).outcome() == game.outcome


# --------------------------------------------------------------------------------------------------- forfeits

FAULTS = {
    "illegal": EndReason.ILLEGAL,
    "nonsense": EndReason.ILLEGAL,
    "die": EndReason.CRASH,
    "late": EndReason.TIME,
    "hang": EndReason.TIME,
    "rubbish": EndReason.TIME,
    "flood": EndReason.TIME,
}
DETAILS = {"die": "exit code 3; stderr ends with 'out of cheese'", "illegal": "illegal turn "}


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(external, "LATE_GRACE", 0.05)
    monkeypatch.setattr(process, "SHUTDOWN_GRACE", 0.3)
    hurry(monkeypatch)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("protocol", "fault"),
    [
        (protocol, fault)
        for protocol in ("ugi", "gtp", "gomocup")
        for fault in FAULTS
        if (protocol, fault) != ("gomocup", "rubbish")  # there any line is an answer
    ],
)
def test_whoever_misbehaves_loses_the_game_and_the_match_goes_on(path, monkeypatch, protocol, fault):
    if fault == "late":
        monkeypatch.setattr(external, "LATE_GRACE", MARGIN)  # the answer comes, and is too late
    match = played(settings(program(protocol, fault), "random", games=2), path)
    assert match.score.losses == 2
    assert match.forfeits() == {(0, FAULTS[fault]): 2}
    for game in match.games:
        assert game.loser == 0
        assert game.result == ("WB"[game.first_side] + ("+T" if FAULTS[fault] == EndReason.TIME else "+F"))
        assert game.detail.startswith(DETAILS.get(fault, ""))
        assert "\n" not in game.detail


def test_resigning_is_no_forfeit(path):
    match = played(settings(program("gtp", "resign"), "random", games=2), path)
    assert {game.reason for game in match.games} == {EndReason.RESIGNATION}
    assert [game.result for game in match.games] == ["W+R", "B+R"]
    assert not match.forfeits()


def test_refusing_a_sound_command_is_a_forfeit(path):
    match = played(settings(program("gtp", "refuse"), "random", games=2), path)
    assert match.forfeits() == {(0, EndReason.PROTOCOL): 2}


def test_a_player_that_never_starts_ends_the_match_at_once(path, monkeypatch):
    monkeypatch.setattr(external, "STARTUP", 0.5)
    with pytest.raises(MatchError, match=r"'ugi:.* mute' does not start: time: no answer"):
        played(settings(program("ugi", "mute"), "random"), path)


@pytest.mark.posix
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("fault", ["none", "stay", "hang"])
def test_no_program_outlives_its_match(path, fault):
    match = played(settings(program("ugi", fault), "random", games=2), path)
    assert match.score.games == 2
    ps = ["ps", "-o", "args", "--ppid", str(os.getpid())]
    listed = subprocess.run(ps, capture_output=True, text=True, check=True)
    assert str(ENGINE) not in listed.stdout


@pytest.mark.posix
def test_nobody_waits_for_what_a_program_leaves_behind(path):
    match = played(settings(program("ugi", "stray"), "random", games=2), path)
    stray = f"sleep 61.{os.getpid()}"
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,args"], capture_output=True, text=True, check=True)
    strays = [line.split() for line in listed.stdout.splitlines() if stray in line]
    for pid, *_ in strays:
        os.kill(int(pid), signal.SIGKILL)
    assert match.score.games == 2
    assert strays  # still there: it has not been waited for


def test_clocks_run_down_and_are_wound_up():
    clock = GameClock(
        settings("random", "random", limits=Limit(), clock=Clock(1.0, 0.25), margin=0.05), (0, 1)
    )
    clock.spend(0, 0.5)
    first, second = clock.turn_time(0).clocks
    assert (first.remaining, second.remaining) == (0.75, 1.0)
    clock.spend(0, 0.79)  # within the margin
    assert clock.turn_time(0).limits.clock.remaining == 0.25
    with pytest.raises(PlayerFailure, match=r"time: a turn after 0\.310 s, due after 0\.300 s"):
        clock.spend(0, 0.31)


# --------------------------------------------------------------------------------------------------- resuming


def test_a_finished_match_is_not_played_again(path):
    wanted = settings("random", "random")
    games = played(wanted, path).games
    again = played(wanted, path)
    assert again.games == games
    assert again.versions[0].startswith("tengen ")


def test_the_first_interrupt_lets_the_running_games_finish_and_says_how_to_go_on(path):
    """Two games at a time take half a second at least: ten times as long as it takes to send a signal."""
    words = "--first tengen --second random --movetime 0.05 --concurrency 2 --cpu-time"
    given = command(path, 400, *words.split())
    process = subprocess.Popen(given, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    before = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=PATIENCE)
    after = [json.loads(line) for line in output.splitlines()]
    assert process.returncode == 130
    assert "no more games are begun; those that run are finished; Ctrl-C again ends them now" in errors
    assert {before["game"], *(game["game"] for game in after[:-1])} >= {0, 1}
    assert (after[-1]["games"], after[-1]["planned"]) == (len(after), 400)
    *_, complaint, advice = errors.splitlines()
    assert complaint.endswith("to go on:")
    assert advice.startswith("  tengen match --")
    parse = cli.build_parser("match").parse_args
    assert parse(shlex.split(advice)[2:]) == parse(given[given.index("match") + 1 :]), "the same command"


def test_a_hanging_program_does_not_keep_an_interrupted_match(path, monkeypatch):
    note = path.with_name("hanging")
    monkeypatch.setenv("NOTE_OF_HANGING", str(note))
    wanted = settings(program("ugi", "hang"), "random", limits=Limit(time=10_000.0))
    store = Store(path, wanted.identity())
    match = Match(wanted, store)

    def interrupt() -> None:
        eventually(note.exists)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        match.run()
    store.close()
    assert match.score.games == 0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("--movetime 0", "--movetime: expected a positive number of seconds up to 1000000, got '0'"),
        ("--movetime 1 --clock 1+1", "--movetime and --clock exclude each other"),
        ("--clock wall:5+1", "--clock: expected seconds such as 60, 60+0.5, 40/60+0.6"),
        ("--clock cpu --nodes 9", "cpu-time: expected a --clock or a --movetime to count, got neither"),
        ("--clock 5m", "600+5x30 or 600+25/300, got '5m'"),
        ("--resign x", "--resign: expected points, and perhaps turns in a row and a first turn"),
        ("--opening-turns 3", "--openings: expected a file to take turns from, got '4'"),
        ("--shuffle", "--openings: expected a file to take turns from, got '4'"),
        ("--anchor greedy=1", "--anchor: expected a tournament, got 'greedy=1'"),
        ("--sprt 5", "--sprt: expected two Elo differences such as 0,10, up to 1000, got '5'"),
        ("--sprt 5,0", "--sprt: expected the smaller Elo difference first"),
        ("--games 0", "--games: expected a whole number from 1"),
        ("--openings -1", "--openings: expected a whole number from 0"),
        (f"--openings {'9' * 5000}", "--openings: expected a whole number from 0 to 100000, got"),
        ("--concurrency 0", "--concurrency: expected a whole number from 1 to 256, got '0'"),
        ("--margin -1", "--margin: expected a positive number of seconds"),
        ("--longest 2", "longest: expected more turns than an opening, got 2"),
        ("--adjudicate 0", "--adjudicate: expected a whole number from 1"),
        ("--player greedy", "expected --first and --second, or --player twice or more, got --first --second"),
        (
            "--dask nowhere --concurrency 2",
            "--concurrency and --dask exclude each other",
        ),
        ("--cpu-time --dask nowhere", "cpu-time: expected games in processes of their own, got --dask"),
        ("--games 1000001", "--games: expected a whole number from 1 to 1000000"),
        ("--first ugi", "got 'ugi'"),
        ("--first tengen,weights=", "weights: expected the name of a file, got ''"),
        ("--dask nowhere", "dask: expected a scheduler at 'nowhere', got none"),
        ("--first ugi:/nowhere/engine", "expected a program, got '/nowhere/engine' (No such file"),
        ("--game chess", "game: expected one of"),
        ("--out .", "expected a file to write, got a folder"),
    ],
)
def test_bad_command_lines_are_refused_in_one_line(tmp_path, monkeypatch, refused, options, complaint):
    monkeypatch.chdir(tmp_path)
    words = ["--game", "gomoku,size=7", "--first", "random", "--second", "random", *options.split()]
    assert complaint in refused("match", *words)


def test_the_table_says_what_the_match_proves(path, capsys):
    from tengen.apps.cli.main import main

    words = ["--game", "gomoku,size=7", "--first", program("ugi", "illegal"), "--second", "random"]
    assert main(["match", *words, "--games", "4", "--out", str(path), "--sprt", "0,50"]) == 0
    table = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines() if line[0] != "W")
    assert table["Elo"].startswith("-∞   95% in [-∞, ")
    assert table["pairs"] == "0: 2   ½: 0   1: 0   1½: 0   2: 0"
    assert table["forfeits"].endswith("4 by illegal turn")
    assert table["SPRT"].startswith("LLR -")
    assert table["openings"] == "2 different"


def test_every_game_is_written_as_sgf_and_can_be_written_again(path, tmp_path, capsys):
    from tengen.apps.cli.main import main

    options = f"--games 4 --margin {MARGIN} --out {path} --sgf {tmp_path / 'sgf'}"
    words = f"match --game gomoku,size=7 --first greedy --second random {options}"
    assert main(words.split()) == 0
    names = [f"{number:05d}.sgf" for number in range(1, 5)]
    texts = {}
    for name in names:
        file = tmp_path / "sgf" / name
        texts[name] = file.read_text("utf-8")
        file.unlink()
    assert main(words.split()) == 0
    assert {file.name: file.read_text("utf-8") for file in (tmp_path / "sgf").iterdir()} == texts
    match = played(settings("greedy", "random", limits=Limit(time=0.1), openings=RandomTurns(4)), path)
    for game in match.games:
        record = sgf.parse(texts[names[game.number]])
        assert sgf.position(record).text() == replayed(game).text()
        assert record.properties["RE"] == [game.result]
        assert record.properties["PB"][0].startswith("greedy" if game.first_side == 0 else "random")


def test_outcomes_are_counted_for_the_first_player():
    def finished(number: int, outcome: Outcome) -> FinishedGame:
        return FinishedGame(number, number % 2, (), (), (), outcome, "", EndReason.RULES)

    assert finished(0, Outcome.FIRST_WINS).points == 2
    assert finished(1, Outcome.FIRST_WINS).points == 0
    assert finished(1, Outcome.DRAW).points == 1


def test_games_begin_with_positions_of_a_file(tmp_path, capsys):
    late = random_position(GameSpec.parse("dvonn"), 60, random.Random(3))
    file, out = tmp_path / "openings.txt", tmp_path / "match.sqlite"
    file.write_text(f"{late.text()}\n{late.text()}; {late.format(next(iter(late.turn_actions())))}\n")
    command = [
        "match",
        "--game",
        "dvonn",
        "--first",
        "greedy",
        "--second",
        "random",
        "--games",
        "4",
        "--json",
    ]
    command += ["--openings", str(file), "--out", str(out), "--sgf", str(tmp_path / "games")]
    assert cli.main([*command, "--nodes", "10"]) == 0
    *games, report = map(json.loads, capsys.readouterr().out.splitlines())
    assert [game["opening"][0] for game in games] == [late.text()] * 4
    assert {len(game["opening"]) for game in games} == {1, 2}
    record = sgf.read_file(tmp_path / "games" / "00003.sgf")
    assert record.start == late.text()
    assert sgf.position(record).outcome() != Outcome.ONGOING
    assert cli.main([*command, "--nodes", "10"]) == 0  # nothing is left to play
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["pentanomial"] == report["pentanomial"]
