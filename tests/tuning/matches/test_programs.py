"""What programs are told: of a game of Go those that speak GTP, of Gomoku those that speak Gomocup's."""

import os
import shlex
import sys
from pathlib import Path

import pytest

from tengen.engine.errors import OptionError
from tengen.engine.game import Outcome
from tengen.engine.spec import GameSpec
from tengen.search.limits.limit import Clock, Limit
from tengen.tuning.match.playing import play_game
from tengen.tuning.match.records import FinishedGame
from tengen.tuning.match.settings import MatchSettings
from tengen.tuning.players.base import EndReason
from tengen.tuning.players.specs import PlayerSpec
from tests.protocol.conversation import COMMAND
from tests.tuning.matches.playing import MARGIN

ENGINES = Path(__file__).parent / "engines"
ENGINE = ENGINES / "whole.py"
GO = GameSpec.parse("go,size=7,komi=5.5,rules=chinese,ko=positional,handicap=2")
RULES = (
    '{"ko": "POSITIONAL", "scoring": "AREA", "tax": "NONE", "suicide": false, "hasButton": false, '
    '"whiteHandicapBonus": "0"}'
)


def contest(settings: MatchSettings, *openings: tuple[str, ...]) -> tuple[list[FinishedGame], list[str]]:
    """Play a game from each of the openings; return them, and what the players are called."""
    first, second = (spec.create(settings.game) for spec in settings.players)
    try:
        names = [first.start(), second.start()]
        games = [play_game(settings, n, opening, (first, second)) for n, opening in enumerate(openings)]
    finally:
        first.close()
        second.close()
    return games, names


@pytest.fixture
def told(tmp_path):
    """Play a game against a program that knows some commands; return the result and what it was told."""

    def play(
        *commands: str,
        spec: GameSpec = GO,
        opponent: str = "random",
        opening: tuple[str, ...] = (),
        **limits,
    ):
        notes = tmp_path / "notes"
        text = f"gtp:{shlex.join([sys.executable, str(ENGINE), str(notes), *commands])}"
        specs = (PlayerSpec.parse(text), PlayerSpec.parse(opponent))
        settings = MatchSettings(
            spec, specs, 1, limits.get("limits", Limit(time=0.5)), limits.get("clock"), margin=MARGIN
        )
        (game,), _ = contest(settings, opening)
        lines = notes.read_text().splitlines()
        return game, lines[3:]  # name, version, list_commands

    return play


def test_a_program_is_told_size_komi_and_handicap_stones(told):
    game, lines = told(opponent="greedy")
    assert game.reason != EndReason.PROTOCOL
    assert lines[:7] == [
        "boardsize 7",
        "clear_board",
        "komi 5.5",
        "play b E5",
        "play b C3",
        "play w " + game.turns[0],
        "time_settings 0 0.500 1",
    ]
    assert lines[7:9] == ["time_settings 0 1 1", "genmove b"]
    assert sum(line.startswith("time_") for line in lines) == 2


def test_a_program_is_told_what_it_understands(told):
    _, lines = told("kata-set-rules", "set_free_handicap", limits=Limit(time=2.0))
    assert lines[3:5] == [f"kata-set-rules {RULES}", "set_free_handicap E5 C3"]
    assert "time_settings 0 2 1" in lines


def test_clocks_are_told_in_whole_seconds_to_who_knows_no_others(told):
    _, lines = told(limits=Limit(), clock=Clock(5.5, 0.1), opponent="greedy")
    assert lines[6:9] == ["time_settings 5.500 0 0", "time_settings 5 0 0", "time_left b 5 0"]


def test_two_passes_end_a_game_that_we_judge(told):
    spec = GameSpec.parse("go,size=5,komi=0.5")
    game, _ = told(spec=spec, opponent=f"gtp:{shlex.join([sys.executable, str(ENGINE), os.devnull])}")
    assert game.turns == ("pass", "pass")
    assert (game.outcome, game.result, game.reason) == (Outcome.SECOND_WINS, "W+0.5", EndReason.RULES)


def test_our_own_engine_is_told_the_whole_game():
    spec = GameSpec.parse("go,size=5,komi=0.5,rules=chinese,handicap=0")
    player = PlayerSpec.parse(f"gtp:{shlex.join([*COMMAND, 'gtp', '--game', 'dvonn'])}")
    settings = MatchSettings(spec, (player, PlayerSpec.parse("random")), 1, Limit(time=0.05), margin=MARGIN)
    (game,), _ = contest(settings, ())
    assert game.reason == EndReason.RULES
    assert game.outcome == Outcome.FIRST_WINS


def test_a_program_is_told_of_the_position_that_a_game_begins_with(told):
    spec = GameSpec.parse("go,size=5")
    start = "...../...../..X../...../..... w - 0 0 0"
    game, lines = told(spec=spec, opening=(start, "B2"))
    assert game.opening == (start, "B2")
    setup = lines.index("clear_board")
    assert lines[setup + 1 : setup + 3] == ["komi 0.0", "play b C3"]
    assert "play w B2" in lines[setup + 3 :]


# ------------------------------------------------------------------------------------------ brains of Gomocup


@pytest.fixture
def heard(tmp_path):
    """Play two games of a brain against another player; return them, and the lines that it was sent."""

    def play(opening: tuple[str, ...], spec: str = "gomoku,size=7", **limits):
        notes, game = tmp_path / "notes", GameSpec.parse(spec)
        brain = shlex.join([sys.executable, str(ENGINES / "gomoku.py"), "gomocup"])
        text = f"gomocup:sh -c {shlex.quote(f'tee {shlex.quote(str(notes))} | {brain}')}"
        specs = (PlayerSpec.parse(text), PlayerSpec.parse("greedy"))
        settings = MatchSettings(
            game, specs, 1, limits.get("limits", Limit(time=2.0)), limits.get("clock"), margin=MARGIN
        )
        played, _ = contest(settings, opening, opening)
        return played, notes.read_text().splitlines()

    return play


def test_a_brain_is_told_size_rule_and_time(heard):
    games, lines = heard((), spec="gomoku:exactly-five,size=7")
    assert {game.reason for game in games} == {EndReason.RULES}
    assert lines[:7] == [
        "ABOUT",
        "START 7",
        "INFO rule 1",
        "INFO game_type 2",
        "INFO timeout_turn 2000",
        "INFO timeout_match 0",
        "INFO time_left 2147483647",
    ]
    assert lines[7] == "BEGIN"
    second = lines[lines.index("RESTART") :]
    assert second[:2] == ["RESTART", "INFO rule 1"]
    assert second[6].startswith("TURN ")  # one stone to answer
    assert lines[-1] == "END"


def test_a_brain_is_shown_an_opening_and_then_single_turns(heard):
    _, lines = heard(("A1", "B7", "C1"), clock=Clock(5.5, 0.1), limits=Limit())
    assert "INFO timeout_match 5500" in lines
    assert "INFO time_left 5500" in lines
    first = lines.index("BOARD")
    second = lines.index("BOARD", first + 1)
    assert lines[first + 1 : first + 4] == ["0,6,1", "1,0,2", "2,6,1"]
    assert lines[first + 4].endswith(",2")
    assert lines[first + 5] == "DONE"
    assert lines[second + 1 : second + 5] == ["0,6,2", "1,0,1", "2,6,2", "DONE"]
    assert lines.count("BOARD") == 2
    assert sum(line.startswith("TURN ") for line in lines) >= 4


def test_brains_play_five_in_a_row_only():
    with pytest.raises(OptionError, match="expected a game of five in a row for a brain, got dvonn"):
        PlayerSpec.parse("gomocup:engine").create(GameSpec.parse("dvonn"))


def test_our_own_brain_plays_whole_games():
    spec = GameSpec.parse("gomoku,size=9")
    player = PlayerSpec.parse(f"gomocup:{shlex.join([*COMMAND, 'gomocup', '--hash', '1'])}")
    settings = MatchSettings(spec, (player, PlayerSpec.parse("random")), 2, Limit(time=0.05), margin=MARGIN)
    games, names = contest(settings, (), ("E5", "E6"))
    assert [name.split()[0] for name in names] == ["tengen", "tengen"]
    assert [game.reason for game in games] == [EndReason.RULES] * 2
    assert [game.outcome for game in games] == [Outcome.FIRST_WINS, Outcome.SECOND_WINS]
