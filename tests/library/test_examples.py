"""The examples learn what they say."""

import asyncio
import re
import runpy
import sys

import numpy as np
import pytest

import tengen
from tests import ROOT

FOLDER = ROOT / "examples"


@pytest.fixture
def examples(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import guided_search
    import learn_linear

    return learn_linear, guided_search


def test_a_policy_learns_to_beat_random_turns_and_search_makes_it_stronger(examples):
    learning, guided = examples
    weights = learning.learn(8, 96, report=False)
    generator = np.random.default_rng(2)
    assert 0.35 < learning.score_against_random(np.zeros_like(weights), 200, generator) < 0.65
    assert learning.score_against_random(weights, 200, generator) > 0.8
    share, batch = guided.play(weights, 4, 150)
    assert share >= 0.75
    assert batch > 4


def test_they_run_as_programs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(FOLDER))

    def run(name: str, *arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        runpy.run_path(str(FOLDER / name), run_name="__main__")
        return capsys.readouterr().out

    assert "against random" in run(
        "learn_linear.py", "--iterations", "1", "--games", "8", "--out", "policy.npy"
    )
    assert "positions a batch" in run("guided_search.py", "policy.npy", "--games", "1", "--simulations", "20")


def test_a_net_learns_and_plays_in_both_searches_and_by_its_name(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(FOLDER))
    arguments = ["--games", "200", "--steps", "300", "--matches", "2"]
    monkeypatch.setattr(sys, "argv", ["net_player.py", *arguments])
    runpy.run_path(str(FOLDER / "net_player.py"), run_name="__main__")
    report = capsys.readouterr().out
    assert float(re.search(r"mean squared error ([\d.]+)", report)[1]) < 0.9, "always 0 would be about 1"
    assert re.search(r"^first +ValueSearch .*\nsecond +GuidedSearch ", report, re.MULTILINE)
    players = (f"python:{FOLDER / 'net_player.py'}:{name}" for name in ("Valued", "Guided"))
    result = tengen.match(*players, game="gomoku,size=7", games=2, limit=tengen.Limit(nodes=50))
    assert (result.games, result.summary()["forfeits"]) == (2, [])


def test_a_net_learns_from_games_against_itself_and_goes_on_from_its_checkpoint(
    tmp_path, monkeypatch, capsys
):
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(FOLDER))
    import alphazero

    monkeypatch.setattr(alphazero, "BATCH", 32)
    run = alphazero.Run(tmp_path / "kept.pt", games=8, simulations=4)
    while run.counts["games"] < 8:
        run.play()
    first = run.learn(1, 1e-2)
    for _ in range(4):
        losses = run.learn(10, 1e-2)
    assert losses.sum() < first.sum()
    run.save()
    monkeypatch.setattr(sys, "argv", ["", "--out", "kept.pt", "--minutes", "0", "--match", "2"])
    alphazero.main()
    assert "Elo" in capsys.readouterr().out
    again = alphazero.Run(tmp_path / "kept.pt", games=8, simulations=4)
    assert again.counts == run.counts
    assert all(np.array_equal(array, run.positions[name]) for name, array in again.positions.items())
    seen, masks = run.positions["planes"][:3], np.ones((3, alphazero.POINTS), bool)
    for one, other in zip(again.net.evaluate(seen, masks), run.net.evaluate(seen, masks), strict=True):
        assert np.array_equal(one, other)
    again.train(minutes=again.counts["seconds"] / 60 + 1e-6)
    assert "positions  loss" in capsys.readouterr().out


def test_positions_and_policies_are_turned_alike(monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.syspath_prepend(str(FOLDER))
    import alphazero

    policies = np.eye(alphazero.POINTS, dtype=np.float32)
    planes = np.repeat(policies.reshape(-1, 1, alphazero.SIZE, alphazero.SIZE), alphazero.PLANES, 1)
    turned, moved = alphazero.images(planes.copy(), policies.copy(), np.random.default_rng(1))
    assert np.array_equal(turned[:, 0].reshape(moved.shape), moved)
    assert not np.array_equal(moved, policies)


def test_a_bot_answers_whatever_is_written(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import chat_bot

    bot = chat_bot.Bot()
    assert "expected" in bot.reply("play chess")
    assert "9 . . ." in bot.reply("play gomoku,size=9")
    assert bot.reply("e5\n").count("X") == 1  # as it comes from a terminal
    assert bot.position.ply == 2
    assert "occupied" in bot.reply("e5") or "expected" in bot.reply("e5")
    assert bot.reply("hint").startswith("I would play ")
    assert bot.position.ply == 2


def test_the_loop_of_a_window_shows_what_is_found_and_goes_on_after_a_mistake(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import gui_loop

    window = asyncio.run(gui_loop.main("gomoku,size=7", ["D4", "D4", "A1"]))
    assert window.position.ply == 4
    assert sum(line.startswith("engine: ") for line in window.shown) == 2
    assert any("depth" in line for line in window.shown)
