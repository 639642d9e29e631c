"""Tournaments: who plays whom, on how many processes, however often they are killed."""

import contextlib
import importlib
import itertools
import json
import os
import re
import shlex
import signal
import subprocess
from collections import Counter
from dataclasses import replace

import pytest

from tengen.apps.cli.main import build_parser
from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.protocol.arguments import parsed
from tengen.search.limits.limit import Limit
from tengen.tuning.match.playing import Adjudicator
from tengen.tuning.match.records import RecordError, Store
from tengen.tuning.match.settings import GAUNTLET
from tengen.tuning.match.statistics import Sprt
from tengen.tuning.match.tournament import Match, MatchError
from tengen.tuning.openings import RandomTurns
from tengen.tuning.players.base import EndReason
from tengen.tuning.players.external import engine as external
from tengen.tuning.players.specs import PlayerSpec
from tests import ROOT
from tests.processes import alive, descendants, eventually
from tests.tuning.matches.playing import ENGINE, GOMOKU, MARGIN, command, hurry, played, program, settings

PLAYERS = ("tengen,level=1", "greedy", "random")
RANKED = ("random", "greedy", "random,seed=1")  # greedy is the best, however few games there are
RANDOM = (PlayerSpec.parse("random"),)
UNTIMED = Limit(nodes=100)  # however busy the machine is


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tournament.sqlite"


def turns_of(match: Match) -> dict[int, tuple[str, ...]]:
    return {game.number: game.turns for game in match.games}


# --------------------------------------------------------------------------------------------- who plays whom


@pytest.mark.parametrize(
    ("players", "schedule", "pairings"),
    [
        (2, "round-robin", [(0, 1)]),
        (4, "round-robin", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
        (4, "gauntlet", [(0, 1), (0, 2), (0, 3)]),
        (4, "ladder", [(0, 1), (1, 2), (2, 3)]),
    ],
)
def test_all_pairings_play_the_same_openings_with_both_colours(players, schedule, pairings):
    names = [f"random,seed={n}" for n in range(players)]
    wanted = settings(*names, games=6, schedule=schedule)
    assert wanted.total == 6 * len(pairings)
    games = [(wanted.pairing(n), wanted.opening(n), n % 2) for n in range(wanted.total)]
    assert sorted(games) == list(itertools.product(pairings, range(3), (0, 1)))


def test_a_match_of_two_is_known_by_what_it_was_known_by_before():
    """Files of earlier versions go on."""
    identity = settings("greedy", "random").identity()
    assert list(identity)[:3] == ["game", "first", "second"]
    assert not {"schedule", "adjudicate"} & identity.keys()


@pytest.mark.parametrize("schedule", ["round-robin", "gauntlet"])
def test_everyone_is_credited_with_what_he_has_made(path, schedule):
    match = played(settings(*RANKED, games=6, schedule=schedule, limits=UNTIMED), path)
    points: Counter[int] = Counter()
    for game in match.games:
        first, second = match.settings.pairing(game.number)
        points[first] += game.points
        points[second] += 2 - game.points
    scores = match.scores()
    assert [2 * score.points for score in scores] == [points[player] for player in range(3)]
    assert sum(score.games for score in scores) == 2 * len(match.games) == 2 * match.settings.total
    assert len({game.opening for game in match.games}) == 3
    assert match.ratings().order == (1, 0, 2)


def test_a_match_that_is_stopped_while_openings_are_drawn_draws_no_more(tmp_path):
    class Openings(RandomTurns):
        def draw(self, spec, seed):
            for number, opening in enumerate(super().draw(spec, seed)):
                match.stopping = number == 3
                assert number < 4
                yield opening

    wanted = settings("greedy", "random", games=20, openings=Openings(2))
    match = Match(wanted, Store(tmp_path / "match.sqlite", wanted.identity()))
    match.run()
    assert not match.games


def test_games_are_the_same_however_they_are_played(path, tmp_path, cluster):
    """In this process, by two of their own, and on a cluster."""
    wanted = settings(*PLAYERS, program("ugi"), games=2, limits=UNTIMED, adjudicate=300)
    alone = played(wanted, path)
    for name, how in (("two", {"concurrency": 2}), ("cluster", {"dask": cluster.address})):
        match = played(replace(wanted, **how), tmp_path / name)
        assert turns_of(match) == turns_of(alone)
        assert match.versions == alone.versions == [*alone.versions[:3], "first free"]


def test_more_games_are_added_to_those_there_are(path):
    wanted = settings(*PLAYERS, games=2, limits=UNTIMED)
    games = played(wanted, path).games
    more = played(replace(wanted, games=4), path)
    assert more.games[:6] == games
    assert [score.games for score in more.pairing_scores.values()] == [4, 4, 4]


@pytest.mark.parametrize(
    "change", [{"schedule": GAUNTLET}, {"adjudicate": 100}, {"players": settings("random", "greedy").players}]
)
def test_another_tournament_does_not_get_into_the_same_file(path, change):
    wanted = settings(*PLAYERS)
    Store(path, wanted.identity()).close()
    for one, other in ((wanted, replace(wanted, **change)), (replace(wanted, **change), wanted)):
        file = path.with_name(f"{len(one.identity())} {one.schedule}")
        Store(file, one.identity()).close()
        with pytest.raises(RecordError, match=r"expected the same match, got another: .* there, .* here"):
            Store(file, other.identity())


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"players": RANDOM * 3}, "players: .*, got 'random' twice"),
        ({"players": RANDOM}, "players: expected at least 2, got 1"),
        ({"sprt": Sprt(0, 10)}, "sprt: expected two players, got 3"),
        ({"schedule": "swiss"}, "schedule: expected one of round-robin, gauntlet, ladder, got swiss"),
        ({"adjudicate": 0}, "adjudicate: expected at least 1 position, got 0"),
        (
            {"adjudicate": 9, "game": GameSpec.parse("go")},
            "adjudicate: expected a game whose end is no matter",
        ),
        (
            {"adjudicate": 9, "game": GameSpec.parse("gipf,zertz=1,challenges=1")},
            "adjudicate: expected a game without challenges, got gipf",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(change, complaint):
    with pytest.raises(OptionError, match=complaint):
        replace(settings(*PLAYERS), **change)


# ------------------------------------------------------------------------------------------ players that fail


def test_whoever_misbehaves_loses_and_the_tournament_goes_on(path, monkeypatch):
    """One prints rubbish, one hangs, one dies, one plays illegally; all are beaten by one that is sound."""
    monkeypatch.setattr(external, "LATE_GRACE", 0.1)
    hurry(monkeypatch)
    faults = {
        "rubbish": EndReason.TIME,
        "hang": EndReason.TIME,
        "die": EndReason.CRASH,
        "illegal": EndReason.ILLEGAL,
    }
    culprits = [program("ugi", fault) for fault in faults]
    how = {"schedule": GAUNTLET, "limits": Limit(time=0.4)}
    match = played(settings(program("ugi"), *culprits, games=2, **how), path)
    assert match.forfeits() == {(n, reason): 2 for n, reason in enumerate(faults.values(), 1)}
    assert [score.points for score in match.scores()] == [8, 0, 0, 0, 0]


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_player_that_does_not_start_ends_the_tournament_at_once(path, concurrency):
    wanted = settings("random", "greedy", program("gomocup", "refuse"), concurrency=concurrency)
    with pytest.raises(MatchError, match=r"does not start: protocol: refused 'START 7' with 'ERROR no'"):
        played(wanted, path)


def test_a_player_that_has_become_another_is_refused(path):
    wanted = settings(*PLAYERS, program("gtp"), games=2)
    store = Store(path, wanted.identity())
    store.set_or_check({"player 4 version": "first free 0.9"})
    with pytest.raises(RecordError, match=r"player 4 version is first free 0\.9 there, first free 1\.0 here"):
        Match(wanted, store).run()
    assert all(3 not in wanted.pairing(game.number) for game in Store(path, wanted.identity()).games())


# ----------------------------------------------------------------------------------------- kills and going on


def test_killed_tournaments_lose_and_double_nothing(path):
    """Three kills, each somewhere within a game, one of them with two games under way."""
    players = [word for player in PLAYERS for word in ("--player", player)]
    reported = []
    for finished_before_the_kill, concurrency in ((5, "1"), (4, "2"), (2, "1")):
        words = command(path, 8, *players, "--nodes", "100", "--concurrency", concurrency)
        process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        lines = [process.stdout.readline() for _ in range(finished_before_the_kill)]
        process.kill()
        lines += process.communicate()[0].splitlines(keepends=True)
        reported += [json.loads(line) for line in lines if line.endswith("\n")]
    wanted = settings(*PLAYERS, games=8, limits=UNTIMED, openings=RandomTurns(4))
    store = Store(path, wanted.identity())
    kept = turns_of(Match(wanted, store))
    store.close()
    numbers = [game["game"] for game in reported]
    assert len(numbers) == len(set(numbers))
    assert {game["game"]: tuple(game["turns"]) for game in reported}.items() <= kept.items()
    match = played(wanted, path)
    assert sorted(turns_of(match)) == list(range(24))
    assert kept.items() <= turns_of(match).items()
    assert [score.games for score in match.scores()] == [16, 16, 16]
    assert turns_of(match) == turns_of(played(wanted, path.with_name("undisturbed")))


@pytest.mark.posix
def test_no_program_outlives_a_killed_tournament(path):
    """Not even one that hangs, and so does not notice that nobody talks to it any more."""
    words = ["--first", program("ugi", "hang"), "--second", program("gtp"), "--movetime", "60"]
    process = subprocess.Popen(command(path, 100, *words, "--concurrency", "2"), cwd=ROOT)
    eventually(lambda: len(descendants(process.pid, ENGINE)) >= 2)
    playing = descendants(process.pid, ENGINE)
    workers = descendants(process.pid, "tuning.workers") - playing
    process.kill()
    for worker in workers:  # nor do they get to tidy up
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    process.wait()
    eventually(lambda: not any(map(alive, playing)))


# ---------------------------------------------------------------------------------------------- on the screen


def test_the_ranking_is_shown_with_who_has_beaten_whom(path, capsys):
    from tengen.apps.cli.main import main

    wanted = settings(*RANKED, games=4, limits=UNTIMED)
    match = played(wanted, path)
    words = [word for player in RANKED for word in ("--player", player)]
    options = f"match --game gomoku,size=7 --openings 2 --games 4 --nodes 100 --margin {MARGIN} --out {path}"
    assert main([*options.split(), *words]) == 0
    text = capsys.readouterr().out
    lines = [line.split() for line in text.splitlines()]
    header = next(number for number, line in enumerate(lines) if line[:1] == ["player"] and "Elo" in line)
    assert [line[1] for line in lines[header + 1 : header + 4]] == ["greedy", "random", "random,seed=1"]
    assert [line[-3:] for line in lines[header + 1 : header + 4]] == [
        ["-", f"{4 - match.pairing_scores[0, 1].points:g}", f"{match.pairing_scores[1, 2].points:g}"],
        [f"{match.pairing_scores[0, 1].points:g}", "-", f"{match.pairing_scores[0, 2].points:g}"],
        [f"{4 - match.pairing_scores[1, 2].points:g}", f"{4 - match.pairing_scores[0, 2].points:g}", "-"],
    ]


@pytest.mark.parametrize("name", ["match", "gate"])
def test_examples_of_the_help_are_sound(name):
    module = importlib.import_module(f"tengen.apps.cli.tuning.{name}")
    examples = re.findall(rf"^  tengen {name} (.*)$", module.EXAMPLES.replace("\\\n", " "), re.M)
    assert len(examples) >= 2
    for example in examples:
        namespace = build_parser(name).parse_args(shlex.split(example.partition("&&")[0]))
        if name == "match":
            assert module.match_settings(parsed(module.Arguments, namespace)).total >= 100


# -------------------------------------------------------------------------------------------- the adjudicator


def test_games_end_when_they_are_proven(path, tmp_path):
    players = "tengen,depth=3", "greedy", "random"
    wanted = settings(*players, games=2, limits=Limit(), adjudicate=2000)
    match = played(wanted, path)
    adjudicated = [game for game in match.games if game.reason == EndReason.ADJUDICATION]
    whole = {game.number: game for game in played(replace(wanted, adjudicate=None), tmp_path / "whole").games}
    assert len(adjudicated) >= 4
    assert not match.forfeits()
    for game in adjudicated:
        winner = GOMOKU.game.letters[game.outcome - Outcome.FIRST_WINS].upper()
        assert game.result == f"{winner}+"
        assert game.detail.startswith(GOMOKU.game.sides[game.outcome - Outcome.FIRST_WINS])
        assert whole[game.number].turns[: len(game.turns)] == game.turns
        assert len(whole[game.number].turns) > len(game.turns)


def test_the_adjudicator_knows_who_wins_and_when():
    adjudicator = Adjudicator(GOMOKU, 20_000)
    assert adjudicator.verdict(Position.start(GOMOKU)) is None
    three = Position.parse(GOMOKU, "O.....O/......./......./..XXX../......./......./O.....O b")
    assert adjudicator.verdict(three) == (Outcome.FIRST_WINS, 3)
    three.push("B4")  # for White it is a loss
    assert adjudicator.verdict(three) == (Outcome.FIRST_WINS, 2)


def test_a_draw_that_is_proven_ends_the_game(path, monkeypatch):
    monkeypatch.setattr(Adjudicator, "verdict", lambda *_: (Outcome.DRAW, 7))
    game = played(settings("greedy", "random", games=2, adjudicate=1), path).games[0]
    assert (game.outcome, game.result, game.reason) == (Outcome.DRAW, "0", EndReason.ADJUDICATION)
    assert game.detail == "a draw in 7, proven"


def test_a_win_beyond_the_last_turn_is_none(path):
    wanted = settings(
        "greedy", "random", games=2, limits=Limit(), max_turns=7, openings=RandomTurns(6), adjudicate=2000
    )
    assert {game.reason for game in played(wanted, path).games} <= {EndReason.LENGTH}
