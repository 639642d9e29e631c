"""What programs that speak GTP are told of a game of Go."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from engine.game import GameSpec, Outcome
from search.limits import Clock, Limits
from tests.protocol.conversation import COMMAND
from tuning.match import Settings, play_game
from tuning.player import Reason
from tuning.players import PlayerSpec

ENGINE = Path(__file__).parent / "engines" / "whole.py"
GO = GameSpec.parse("go,size=7,komi=5.5,rules=chinese,ko=positional,handicap=2")
RULES = (
    '{"ko": "POSITIONAL", "scoring": "AREA", "tax": "NONE", "suicide": false, "hasButton": false, '
    '"whiteHandicapBonus": "0"}'
)


@pytest.fixture
def told(tmp_path):
    """Play a game against a program that knows some commands; return the result and what it was told."""

    def play(*commands: str, spec: GameSpec = GO, opponent: str = "random", **limits):
        notes = tmp_path / "notes"
        text = f"gtp:{shlex.join([sys.executable, str(ENGINE), str(notes), *commands])}"
        specs = (PlayerSpec.parse(text), PlayerSpec.parse(opponent))
        settings = Settings(spec, specs, 1, limits.get("limits", Limits(movetime=0.5)), limits.get("clock"))
        players = (specs[0].create(spec), specs[1].create(spec))
        try:
            for player in players:
                player.start()
            game = play_game(settings, 0, (), players)
        finally:
            for player in players:
                player.close()
        lines = [line for line in notes.read_text().splitlines() if not line.startswith("known_command")]
        return game, lines[2:]

    return play


def test_a_program_is_told_size_komi_and_handicap_stones(told):
    game, lines = told(opponent="greedy")
    assert game.reason != Reason.PROTOCOL
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
    _, lines = told("kata-set-rules", "set_free_handicap", limits=Limits(movetime=2.0))
    assert lines[3:5] == [f"kata-set-rules {RULES}", "set_free_handicap E5 C3"]
    assert "time_settings 0 2 1" in lines


def test_clocks_are_told_in_whole_seconds_to_who_knows_no_others(told):
    _, lines = told(limits=Limits(), clock=Clock(5.5, 0.1), opponent="greedy")
    assert lines[6:9] == ["time_settings 5.500 0 0", "time_settings 5 0 0", "time_left b 5 0"]


def test_two_passes_end_a_game_that_we_judge(told):
    spec = GameSpec.parse("go,size=5,komi=0.5")
    game, _ = told(spec=spec, opponent=f"gtp:{shlex.join([sys.executable, str(ENGINE), os.devnull])}")
    assert game.turns == ("pass", "pass")
    assert (game.outcome, game.result, game.reason) == (Outcome.SECOND_WINS, "W+0.5", Reason.RULES)


def test_our_own_engine_is_told_the_whole_game():
    spec = GameSpec.parse("go,size=5,komi=0.5,rules=chinese,handicap=0")
    player = PlayerSpec.parse(f"gtp:{shlex.join([*COMMAND, 'gtp', '--game', 'dvonn'])}")
    settings = Settings(spec, (player, PlayerSpec.parse("random")), 1, Limits(movetime=0.05), margin=5.0)
    players = (player.create(spec), settings.players[1].create(spec))
    try:
        for each in players:
            each.start()
        game = play_game(settings, 0, (), players)
    finally:
        for each in players:
            each.close()
    assert game.reason == Reason.RULES
    assert game.outcome == Outcome.FIRST_WINS
