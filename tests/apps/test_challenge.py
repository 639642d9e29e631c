"""Challenges [P-9] on the command line."""

import json

import pytest

from tengen.engine.play.challenge import ACCEPT, CHALLENGE
from tengen.engine.play.position import Position
from tests.rules.challenges.contests import JUMP, READY, SPEC, with_contest


@pytest.fixture
def command(tengen):
    """Run a command about a position with a challenge; return its code, its output and its complaints."""

    def run(*words: str, moves: str, spec: str = SPEC) -> tuple[int, str, str]:
        return tengen(*words, "--game", spec, "--position", READY, "--moves", moves)

    return run


@pytest.mark.parametrize(
    ("moves", "challenge", "title"),
    [
        ("", "none", "GIPF"),
        (JUMP, f"announced {JUMP}", "GIPF"),
        (f"{JUMP} challenge", "playing gomoku", "Gomoku"),
    ],
)
def test_show_says_how_a_challenge_stands(command, moves, challenge, title):
    _, out, _ = command("show", moves=moves)
    assert f"\nchallenge {challenge}" in out
    assert json.loads(command("show", "--json", moves=moves)[1])["challenge"].startswith(challenge)
    assert f"<title>{title}" in command("show", "--svg", "-", moves=moves)[1]


def test_analysis_weighs_the_answers(command):
    _, out, _ = command("analyze", "--json", "--depth", "2", "--multipv", "2", moves=JUMP)
    *lines, last = map(json.loads, out.splitlines())
    assert {line["pv"][0] for line in lines} == {ACCEPT, CHALLENGE}
    best = max(lines[-2:], key=lambda line: line["winrate"])
    assert last["bestturn"] == best["pv"][0]


def test_analysis_is_of_the_game_that_is_played(command):
    _, out, _ = command("analyze", "--json", "--depth", "1", moves=f"{JUMP} challenge H8")
    assert json.loads(out.splitlines()[-1])["bestturn"] in Position.start("gomoku").turns()


@pytest.mark.parametrize(
    ("moves", "challenge", "turns"),
    [
        (f"{JUMP} challenge", f"playing outside for {JUMP}", 3),
        (f"{JUMP} challenge result owner", "none", 60),
    ],
)
def test_a_result_is_told_in_two_words(command, moves, challenge, turns):
    spec = with_contest("outside")
    shown = json.loads(command("show", "--json", moves=moves, spec=spec)[1])
    assert shown["challenge"] == challenge
    assert len(shown["turns"]) <= turns
    assert "<title>GIPF" in command("show", "--svg", "-", moves=moves, spec=spec)[1]


def test_a_result_from_outside_is_not_analyzed(command):
    code, out, err = command("analyze", moves=f"{JUMP} challenge", spec=with_contest("outside"))
    assert (code, out) == (2, "")
    assert "the controller tells how the challenge has ended" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("chance", "answer"), [("0", ACCEPT), ("100", CHALLENGE)])
def test_the_chance_can_be_told(command, chance, answer):
    words = ["analyze", "--json", "--depth", "2", "--chance", chance]
    _, out, _ = command(*words, moves=JUMP, spec=with_contest("outside"))
    assert json.loads(out.splitlines()[-1])["bestturn"] == answer


def test_games_lists_the_trials_and_their_options(printed):
    gipf = next(json.loads(line) for line in printed("games", "--json").splitlines() if '"gipf"' in line)
    option = next(option for option in gipf["options"] if option["name"] == "challenge-game")
    assert [trial["name"] for trial in option["trials"]] == ["outside", "coin", "die"]
    assert [setting["name"] for setting in option["trials"][2]["options"]] == ["seed", "least"]


def test_turns_are_counted_in_one_game(command):
    assert "depth 1 turns 224 " in command("perft", "--depth", "1", moves=f"{JUMP} challenge H8")[1]
    code, out, err = command("perft", "--depth", "1", moves=JUMP)
    assert (code, out) == (2, "")
    assert err.endswith(f"--moves: expected turns that end within a game, got announced {JUMP}\n")
