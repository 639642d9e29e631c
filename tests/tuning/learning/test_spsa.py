"""Tuning by SPSA: which way numbers move, what is kept, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tengen.engine.errors import OptionError
from tengen.engine.game import GameSpec, Outcome, names
from tengen.engine.storage.files import exclusive_lock
from tengen.protocol.cli.main import main
from tengen.search.alphabeta.numbers import LATE_DEPTHS, Numbers, as_record, shipped
from tengen.search.info import INFINITE
from tengen.tuning.learn.selfplay import SelfplayPlayer, SelfplaySettings
from tengen.tuning.learn.spsa import PairJob, Tuning, TuningError, TuningSettings, begin_pair, play_pair
from tengen.tuning.opening_files import Opening
from tengen.tuning.openings import ListedOpenings
from tengen.tuning.workers.pool import WorkerPool

GOMOKU = GameSpec.parse("gomoku,size=5")
GAMES = SelfplaySettings(GOMOKU, depth=1, nodes=None, openings=4)
TWO = ("late-moves-1", "futility-margin")


class Oracle:
    """Stands in for a pool: the player whose numbers are nearer to `goal` wins both games."""

    def __init__(self, goal: dict[str, int]) -> None:
        self.goal = goal

    def run(self, function, jobs):
        assert function is play_pair
        for job in reversed(list(jobs)):  # results come in any order
            first, second = (self._distance(numbers) for numbers in (job.first, job.second))
            yield job, 2 * int(np.sign(second - first))

    def _distance(self, numbers: Numbers) -> float:
        named = numbers.named()
        return sum(abs(named[name] / value - 1) for name, value in self.goal.items())


class Recorder(Oracle):
    """An oracle that remembers what the pairs begin with."""

    def __init__(self, goal: dict[str, int]) -> None:
        super().__init__(goal)
        self.openings: dict[int, Opening | None] = {}

    def run(self, function, jobs):
        for job, lead in super().run(function, jobs):
            self.openings[job.number] = job.opening
            yield job, lead


# ---------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("game", names())
def test_kernels_get_the_numbers_that_a_game_declares(game):
    numbers = shipped(GameSpec.parse(game).game)
    assert len(numbers.late_moves) <= LATE_DEPTHS
    made = as_record(numbers)
    count = len(numbers.late_moves)
    assert made["late_moves"][:count].tolist() == list(numbers.late_moves)
    assert np.all(made["late_moves"][count:] == INFINITE)
    for depth, place in ((1, 1), (3, 3), (10, 20), (63, 63)):
        plies = int(0.6 + np.log(depth) * np.log(place) / 2.2)
        assert made["reductions"][depth, place] // 100 == plies


def test_numbers_change_by_name():
    numbers = Numbers((0, 5, 7))
    assert list(numbers.named())[:3] == ["late-moves-1", "late-moves-2", "horizon-moves"]
    changed = numbers.changed({"late-moves-2": 9, "reduction-base": 70})
    assert changed == Numbers((0, 5, 9), reduction_base=70)
    assert changed.named()["policy-reduction"] == 0
    assert numbers.changed(numbers.named()) == numbers


# ----------------------------------------------------------------------------------------------------- tuning


@pytest.mark.parametrize(("name", "goal", "near"), [("late-moves-1", 9, 1), ("futility-margin", 90, 6)])
def test_numbers_move_towards_those_that_win(name, goal, near):
    tuning = Tuning(TuningSettings(GAMES, (name,), 1000))
    tuning.run(Oracle({name: goal}))
    found = tuning.numbers().named()
    assert abs(found[name] - goal) <= near
    assert found["horizon-moves"] == 6


def test_steps_and_gains_decrease():
    settings = TuningSettings(GAMES, TWO, 1000)
    for measure in (settings.step, settings.gain):
        sizes = [measure("futility-margin", pair) for pair in (0, 10, 999)]
        assert sizes == sorted(sizes, reverse=True)
    assert settings.step("futility-margin", 999) == pytest.approx(10)
    assert settings.step("late-moves-1", 999) == pytest.approx(1)


def test_no_number_falls_below_its_least_value():
    tuning = Tuning(TuningSettings(GAMES, ("late-moves-1", "reduction-divisor"), 10))
    found = tuning.numbers({"late-moves-1": -100, "reduction-divisor": -1000}).named()
    assert (found["late-moves-1"], found["reduction-divisor"]) == (0, 1)


def test_an_interrupted_tuning_goes_on_as_if_nothing_had_happened(tmp_path):
    path, settings = tmp_path / "numbers.json", TuningSettings(GAMES, TWO, 64)
    oracle, whole, half = Oracle({"late-moves-1": 9}), Tuning(settings), Tuning(settings)
    whole.run(oracle)

    def interrupt(pairs: int) -> None:
        half.save(path)
        if pairs == 32:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half.run(oracle, interrupt)
    resumed = Tuning(settings)
    resumed.resume(path)
    assert resumed.pairs == 32
    resumed.run(oracle)
    assert resumed.values == whole.values


def test_equal_players_share_the_points_of_a_pair():
    numbers = shipped(GOMOKU.game)
    assert [play_pair(PairJob(GAMES, pair, numbers, numbers)) for pair in range(3)] == [0, 0, 0]


def test_pairs_begin_with_the_openings_of_a_file_in_turn():
    listed = ListedOpenings("some.txt", (("C3",), ("B2", "D4")), 2)
    settings = TuningSettings(GAMES, TWO, 3, listed)
    tuning, oracle = Tuning(settings), Recorder({})
    tuning.run(oracle)
    assert [oracle.openings[pair] for pair in range(3)] == [("C3",), ("B2", "D4"), ("C3",)]
    assert settings.identity()["openings"].startswith("some.txt ")
    begun = begin_pair(
        PairJob(GAMES, 1, Numbers(()), Numbers(()), settings.opening(1)), SelfplayPlayer(GAMES)
    )
    assert begun.turns_played == ["B2", "D4"]


def test_pairs_may_begin_with_balanced_openings():
    games = SelfplaySettings(GameSpec.parse("gomoku,size=7"), depth=1, nodes=None, openings=0, balanced=True)
    begun = begin_pair(PairJob(games, 0, Numbers(()), Numbers(())), SelfplayPlayer(games))
    assert begun.turns_played
    assert begun.outcome() == Outcome.ONGOING


# ---------------------------------------------------------------------------------------------------- refused


def test_unknown_numbers_are_refused():
    with pytest.raises(OptionError, match=r"numbers: expected some of late-moves-1, .*, got 'horizon'"):
        TuningSettings(GAMES, ("horizon",), 10)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a tuning, got something else"),
        ("[]", "expected a tuning, got something else"),
        (
            '{"settings": {}, "played": 3, "values": {}}',
            "expected the same tuning, got another",
        ),
        (
            '{"settings": SAME, "played": 3, "values": {}}',
            "expected a tuning, got 3 pairs and",
        ),
        ('{"settings": SAME, "played": 99, "values": VALUES}', "expected a tuning, got 99 pairs"),
    ],
)
def test_files_that_are_no_tuning_are_refused(tmp_path, text, complaint):
    path, tuning = tmp_path / "numbers.json", Tuning(TuningSettings(GAMES, TWO, 64))
    same, values = json.dumps(tuning.settings.identity()), json.dumps(tuning.values)
    path.write_text(text.replace("SAME", same).replace("VALUES", values))
    with pytest.raises(TuningError) as caught:
        tuning.resume(path)
    assert f"{path}: {complaint}" in str(caught.value)
    assert tuning.pairs == 0


# ------------------------------------------------------------------------------------------------ the command


def command(path: Path, *more: str) -> list[str]:
    """Return the command line of a small tuning."""
    words = f"tune --game gomoku,size=5 --pairs 4 --depth 1 --numbers late-moves-1 --out {path} --workers 1"
    return [*words.split(), *more]


def test_command_reports_the_numbers_before_and_now(tmp_path, capsys):
    path = tmp_path / "numbers.json"
    assert main(command(path, "--json")) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["pairs"], report["played"]["pairs"]) == (4, 4)
    assert report["numbers"]["late-moves-1"]["before"] == shipped(GOMOKU.game).late_moves[1]
    assert main(command(path)) == 0  # nothing more to be played
    text = capsys.readouterr().out
    assert "pairs              4 of 4\n" in text
    assert main(command(path, "--seed", "2")) == 2
    assert "expected the same tuning, got another: seed is 1 there, 2 here" in capsys.readouterr().err
    with exclusive_lock(path):
        assert main(command(path)) == 2
    assert "is in use by another run" in capsys.readouterr().err


def test_command_takes_openings_from_a_file(tmp_path, capsys):
    openings, path = tmp_path / "openings.txt", tmp_path / "numbers.json"
    openings.write_text("C3\nB2 D4\n")
    assert main(command(path, "--openings", str(openings), "--json")) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["openings"] == str(openings)
    assert main(command(path)) == 2
    assert "openings is" in capsys.readouterr().err


def test_settings_of_one_worker_do_not_depend_on_the_pool(tmp_path):
    settings = TuningSettings(GAMES, ("late-moves-1",), 4)
    tuning = Tuning(settings)
    with WorkerPool(1) as pool:
        tuning.run(pool)
    assert tuning.pairs == 4
