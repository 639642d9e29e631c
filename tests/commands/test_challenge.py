"""Challenges [P-9] on the command line."""

from __future__ import annotations

import json

import pytest

from tengen.engine.challenge import ACCEPT, CHALLENGE
from tengen.engine.position import Position
from tengen.protocol.cli import main as cli
from tests.rules.contests import JUMP, READY, SPEC


def command(capsys, *words: str, moves: str) -> tuple[int, str, str]:
    code = cli.main([*words, "--game", SPEC, "--position", READY, "--moves", moves])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    ("moves", "challenge", "title"),
    [
        ("", "none", "GIPF"),
        (JUMP, f"announced {JUMP}", "GIPF"),
        (f"{JUMP} challenge", "playing gomoku", "Gomoku"),
    ],
)
def test_show_says_how_a_challenge_stands(capsys, moves, challenge, title):
    _, out, _ = command(capsys, "show", moves=moves)
    assert f"\nchallenge {challenge}" in out
    assert json.loads(command(capsys, "show", "--json", moves=moves)[1])["challenge"].startswith(challenge)
    assert f"<title>{title}" in command(capsys, "show", "--svg", "-", moves=moves)[1]


def test_analysis_weighs_the_answers(capsys):
    _, out, _ = command(capsys, "analyze", "--json", "--depth", "2", "--multipv", "2", moves=JUMP)
    *lines, last = map(json.loads, out.splitlines())
    assert {line["pv"][0] for line in lines} == {ACCEPT, CHALLENGE}
    best = max(lines[-2:], key=lambda line: line["winrate"])
    assert last["bestturn"] == best["pv"][0]


def test_analysis_is_of_the_game_that_is_played(capsys):
    _, out, _ = command(capsys, "analyze", "--json", "--depth", "1", moves=f"{JUMP} challenge H8")
    assert json.loads(out.splitlines()[-1])["bestturn"] in Position.start("gomoku").turns()


def test_turns_are_counted_in_one_game(capsys):
    assert "depth 1 turns 224 " in command(capsys, "perft", "--depth", "1", moves=f"{JUMP} challenge H8")[1]
    code, out, err = command(capsys, "perft", "--depth", "1", moves=JUMP)
    assert (code, out) == (2, "")
    assert err.endswith(f"--moves: expected turns that end within a game, got announced {JUMP}\n")
