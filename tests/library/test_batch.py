"""Many games at once: the same as one by one, in any number of threads."""

import copy
import pickle
import random
import threading

import numpy as np
import pytest

import tengen
from tengen.engine.jit import COMPILED
from tengen.search.batch import MIN_SHARE
from tests.rules.test_repetition import CYCLES
from tests.walks import SPECS

GAMES = 2 * MIN_SHARE  # enough for two threads
EVERY = [listed[0] for listed in SPECS.values()] + ["go,size=5,rules=chinese,komi=0.5"]
SOME = [spec for spec in EVERY if spec.startswith("go,")]  # each game has kernels of its own


@pytest.mark.interpreted
@pytest.mark.parametrize("spec", SOME if COMPILED else EVERY)
def test_a_batch_plays_as_positions_do(spec):
    games = 6
    batch = tengen.Batch(spec, games)
    positions = [tengen.Position(spec) for _ in range(games)]
    generator = random.Random(5)
    for _ in range(150):
        mask = batch.legal_mask()
        actions = np.full(games, -1)
        for index, position in enumerate(positions):
            legal = position.legal_actions()
            assert np.flatnonzero(mask[index]).tolist() == sorted(legal)
            assert batch.side_to_move[index] == position.state["side_to_move"]
            if legal:
                actions[index] = generator.choice(legal)
                position.step(int(actions[index]))
        if (actions < 0).all():
            break
        batch.step(actions)
    assert [bool(outcome) for outcome in batch.outcomes] == [p.legal_actions() == [] for p in positions]
    whole = [index for index in range(games) if not positions[index].steps]
    for index in whole:
        assert batch.states[index]["key"] == positions[index].key
        assert np.array_equal(batch.observation()[index], positions[index].observation())


@pytest.mark.parametrize("case", CYCLES, ids=lambda case: case.spec)
def test_a_position_that_comes_about_for_the_third_time_is_a_draw(case):
    position = tengen.Position(case.spec, case.text)
    batch = tengen.Batch.of([position] * GAMES, threads=2)
    for turn in 2 * case.turns:
        assert not batch.outcomes.any()
        for action in position.action_of(turn):
            batch.step(np.full(GAMES, action))
        position.push(turn)
    assert position.outcome() == tengen.Outcome.DRAW
    assert (batch.outcomes == tengen.Outcome.DRAW).all()


def test_an_illegal_action_is_refused_and_nothing_is_played():
    batch = tengen.Batch("gomoku,size=9", GAMES, threads=2)
    batch.step(np.full(GAMES, 40))
    before = batch.states.copy()
    for illegal in (40, 10**6, -1):
        actions = np.full(GAMES, illegal)
        actions[:2000] = 41
        refusal = f"'{illegal}': expected a legal action in game 2000"
        with pytest.raises(tengen.IllegalTurnError, match=refusal):
            batch.step(actions)
        assert np.array_equal(batch.states, before)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda b: b.step([1, 2]), "actions: expected 100 whole numbers"),
        (lambda b: b.step(np.zeros(100)), "actions: expected 100 whole numbers, got float64"),
        (lambda b: b.reset([True]), "games: expected 100 booleans"),
        (lambda b: b.playouts(0), "count: expected at least 1"),
        (lambda b: tengen.Batch("go", 0), "games: expected 1 to"),
        (lambda b: tengen.Batch("go", 1, threads=0), "threads: expected 1 to"),
        (lambda b: tengen.Batch("gipf:tournament,zertz=1,challenges=1", 1), "without challenges"),
        (lambda b: tengen.Batch.of([]), "at least one"),
        (lambda b: tengen.Batch.of(5), "positions: expected a sequence of tengen.Position"),
        (lambda b: tengen.Batch.of([tengen.Position("go"), tengen.Position("dvonn")]), "got one of dvonn"),
    ],
)
def test_what_cannot_be_is_refused(call, words):
    with pytest.raises(tengen.TengenError, match=words):
        call(tengen.Batch("gomoku,size=9", 100))


def test_a_batch_of_another_version_is_refused():
    kept = tengen.Batch("gomoku,size=9", games=2).__getstate__()
    kept["states"] = np.zeros(2, [("key", "u8")])
    with pytest.raises(tengen.TengenError, match="expected one that this version has pickled"):
        tengen.Batch.__new__(tengen.Batch).__setstate__(kept)


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_and_pickles_go_on_alike(twin_of):
    batch = tengen.Batch("gomoku,size=5", 50, seed=3)
    batch.step(batch.sample())
    twin = twin_of(batch)
    actions = twin.sample()
    assert np.array_equal(batch.sample(), actions)
    twin.step(actions)
    assert not np.array_equal(twin.states, batch.states)


def test_finished_games_wait_and_begin_anew():
    batch = tengen.Batch("gomoku,size=5", 50, seed=3)
    for _ in range(30):
        batch.step(batch.sample())
    assert batch.outcomes.all()
    assert (batch.sample() == -1).all()
    assert not batch.legal_mask().any()
    chosen = np.arange(50) < 10
    batch.reset(chosen)
    assert (batch.outcomes != 0).tolist() == (~chosen).tolist()
    batch.reset()
    assert batch.position(20) == tengen.Position("gomoku,size=5")
    with pytest.raises(tengen.OptionError, match="index: expected a game from 0 to 49, got 50"):
        batch.position(50)


def test_playouts_end_and_leave_the_positions_alone():
    batch = tengen.Batch("gomoku,size=9", 64, seed=1)
    before = batch.states.copy()
    outcomes, lengths = batch.playouts(20)
    assert np.array_equal(batch.states, before)
    assert outcomes.shape == lengths.shape == (64, 20)
    assert (outcomes > 0).all()
    assert (lengths >= 9).all()
    assert (lengths <= 81).all()
    first = (outcomes == 1).mean()
    assert 0.4 < first < 0.65, "who begins wins a little more often"


def test_the_same_seed_and_threads_give_the_same_games():
    def played(seed: int) -> list[int]:
        batch = tengen.Batch("dvonn", GAMES, threads=2, seed=seed)
        return [batch.step(batch.sample()) or int(batch.states["key"].sum() % 2**32) for _ in range(20)]

    assert played(1) == played(1) != played(2)


def test_a_batch_goes_on_from_positions():
    positions = [tengen.Position("dvonn") for _ in range(3)]
    positions[1].push("a1")
    batch = tengen.Batch.of(positions)
    assert [batch.position(index) for index in range(3)] == positions


def test_kernels_run_without_the_gil():
    batch = tengen.Batch("gomoku,size=15", 200, threads=1)
    batch.playouts(1)
    counted, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        batch.playouts(5)
        assert counted[0] > before + 100, "another thread went on while the kernel ran"
    finally:
        done.set()
        thread.join()
