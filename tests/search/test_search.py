"""Searches of fixed depth: right values, the same nodes twice, candidates that differ."""

import itertools
import random

import numpy as np
import pytest

from tengen.engine.jit import COMPILED, StopFlag
from tengen.engine.play.position import Position
from tengen.engine.play.turns import groups, turn_sequences
from tengen.search import perft
from tengen.search.alphabeta import table
from tengen.search.alphabeta.abdada import CurrentlySearching, move_hash, starting_search
from tengen.search.alphabeta.table import EXACT, LOWER, UPPER, TranspositionTable
from tengen.search.alphabeta.thread import SearchOptions, SearchThread
from tengen.search.info import INFINITE, WIN
from tengen.search.limits.limit import Limit
from tengen.search.worker import Worker
from tests.reference import reference
from tests.walks import ALL_SPECS, SPECS, breadth, position_after, scaled, walk

FIRST = [first for first, *_ in SPECS.values()]  # one of each game
SEARCHED = ALL_SPECS if COMPILED else FIRST  # searches take their time
BY_ALPHA_BETA = [spec for spec in ALL_SPECS if not spec.startswith("go,")]  # Go is searched otherwise
LATE_DVONN = (
    "W2*,-,-,-,W1,-,-,W3,-/-,B2*,B2,W3,W1,W1,-,W2*,B2,-/-,-,W1,-,-,B3,B2,-,-,-,-/"
    "-,-,-,B2,B6,B4,-,-,-,-/-,-,-,-,-,-,-,-,- w m"
)


@pytest.fixture(scope="module")
def worker():
    return Worker(threads=1, hash_mb=1, method="alphabeta")


def brute_force(model, side: int) -> int:
    """Return 1, 0 or -1 for `side` by playing out everything with the reference."""
    outcome = model.outcome()
    if outcome is not None:
        return 0 if outcome == "draw" else 1 if (outcome == "first") == (side == 0) else -1
    values = [brute_force(model.play(turn), side) for turn in model.turns()]
    return max(values) if model.turn == side else min(values)


def ends_in(model, turns: int) -> int:
    """Return in how many turns, at most `turns`, the mover wins; negative if it loses, 0 if neither."""
    outcome = model.outcome()
    if outcome is not None:
        return 0
    worst = 0
    for turn in model.turns():
        child = model.play(turn)
        if child.outcome() is not None:
            if (child.outcome() == "first") == (model.turn == 0):
                return 1
            value = -1
        else:
            value = -ends_in(child, turns - 1) if turns > 1 else 0
            value += 1 if value > 0 else -1 if value < 0 else 0
        if value >= 0:
            worst = None
        elif worst is not None:
            worst = min(worst, value)
    return worst or 0


@pytest.mark.parametrize(
    "spec", ["gipf:basic", "gipf:tournament,zertz=2,tamsk=2", "gipf:basic,dvonn=3,yinsh=1,punct=2"]
)
def test_short_wins_and_losses_of_gipf_are_those_of_brute_force(worker, spec):
    found = 0
    for seed in range(scaled(6)):
        text = [position.text() for position in walk(spec, seed)][-2 - seed % 2]
        turns = 2 if seed < 1 else 1  # the reference takes its time
        expected = ends_in(reference(spec, text), turns)
        worker.new_game()
        turns_to_win = worker.search(Position.parse(spec, text), Limit(depth=5)).lines[0].score.turns_to_win
        assert (turns_to_win if turns_to_win and -turns <= turns_to_win <= turns else 0) == expected, text
        found += expected != 0
    assert found or not COMPILED


@pytest.mark.parametrize("spec", ["zertz", "zertz:tournament,isolation=auto", "zertz,rings=48"])
def test_short_wins_and_losses_of_zertz_are_those_of_brute_force(worker, spec):
    turns, found = 2 if COMPILED else 1, 0
    for seed in range(scaled(20)):
        narrow = (p.text() for p in walk(spec, seed) if not p.outcome() and breadth(p) <= 60)
        *_, text = narrow
        expected = ends_in(reference(spec, text), turns)
        worker.new_game()
        turns_to_win = worker.search(Position.parse(spec, text), Limit(depth=7)).lines[0].score.turns_to_win
        assert (turns_to_win if turns_to_win and -turns <= turns_to_win <= turns else 0) == expected, text
        found += expected != 0
    assert found or not COMPILED


def dvonn_endings(count: int, turns: int):
    """Yield so many positions of random games that are over after at most `turns` more random turns."""
    seed = 0
    while count:
        seed += 1
        texts = [position.text() for position in walk("dvonn", seed)]
        text = texts[-min(turns, 1 + seed % turns) - 1]
        if len(Position.parse("dvonn", text).turns()) <= 6:
            count -= 1
            yield text


def test_proven_results_of_dvonn_endings_are_those_of_brute_force(worker):
    for text in dvonn_endings(scaled(25), 5):
        position = Position.parse("dvonn", text)
        expected = brute_force(reference("dvonn", text), position.side_to_move)
        worker.new_game()
        result = worker.search(position, Limit(depth=20))
        score = result.lines[0].score
        if expected == 0:
            assert score.value == 0, text
        else:
            assert score.turns_to_win is not None, text
            assert (score.turns_to_win > 0) == (expected > 0), text


@pytest.mark.parametrize(
    ("position", "depth", "turns_to_win", "turns"),
    [
        ("......./......./......./.XXXX../......./.OOO.../....... b", 2, 1, {"A4", "F4"}),
        ("......./......./......./.XXXX../......./.OOOO../....... w", 2, 1, {"A2", "F2"}),
        ("......./......./..OO.../...XXX./......./......./....... b", 4, 3, {"C4", "G4"}),
    ],
)
def test_wins_of_gomoku_are_found_with_their_length(worker, position, depth, turns_to_win, turns):
    worker.new_game()
    result = worker.search(Position.parse("gomoku,size=7", position), Limit(depth=depth))
    assert result.turn in turns
    assert result.lines[0].score.turns_to_win == turns_to_win
    assert len(result.lines[0].pv) == turns_to_win


def test_lost_game_is_told_with_its_length(worker):
    worker.new_game()
    text = "........./........./........./...XXXX../........./..OO...../........./........./........."
    result = worker.search(Position.parse("gomoku,size=9", f"{text} w"), Limit(depth=4))
    assert result.lines[0].score.turns_to_win == -2
    assert result.turn in {"C6", "H6"}, "the longest resistance stops one of the two fives"


def test_four_that_would_make_six_is_no_threat_under_exactly_five(worker):
    text = "........./........./........./XXXX.X.../........./..O.O..../..O....../........./......... b"
    for spec, wins in (("gomoku,size=9", True), ("gomoku:exactly-five,size=9", False)):
        worker.new_game()
        result = worker.search(Position.parse(spec, text), Limit(depth=1))
        assert (result.lines[0].score.turns_to_win == 1) == wins


def early(spec: str) -> Position:
    """Return the first position of random games that offers a choice of turns, but not very many."""
    games = (walk(spec, seed) for seed in itertools.count(1))
    positions = (position for game in games for position in game if len(position.turns_played) >= 6)
    return next(position for position in positions if 8 <= breadth(position) <= 500)


@pytest.mark.interpreted
@pytest.mark.parametrize("spec", SEARCHED)
def test_same_nodes_twice(spec):
    position = early(spec)
    limits = Limit(depth=5) if COMPILED else Limit(depth=2, nodes=150)
    worker = Worker(hash_mb=1)
    first = worker.search(position, limits)
    worker.new_game()
    for second in (worker.search(position, limits), Worker(hash_mb=1).search(position, limits)):
        assert (first.nodes, first.turn, first.lines[0].pv) == (second.nodes, second.turn, second.lines[0].pv)


@pytest.mark.interpreted
@pytest.mark.parametrize("limit", [1, 50, 1000, 100_000] if COMPILED else [1, 50])
def test_node_limit_is_kept_to_the_node(worker, limit):
    endings = (position for position in walk("dvonn", 1) if len(position.turns_played) in (52, 62, 72))
    for position in itertools.chain((Position.start("gomoku"), Position.start("dvonn")), endings):
        worker.new_game()
        result = worker.search(position, Limit(nodes=limit))
        assert result.nodes <= limit or result.lines[0].depth <= 1, "only the first iteration goes beyond it"
        assert result.turn in position.turns()


@pytest.mark.parametrize("spec", BY_ALPHA_BETA)
def test_candidates_are_different_turns_best_first(worker, spec):
    position = early(spec)
    worker.new_game()
    result = worker.search(position, Limit(depth=3, multipv=4))
    firsts = [line.pv[0] for line in result.lines]
    values = [line.score.value for line in result.lines]
    assert len(set(firsts)) == 4
    assert values == sorted(values, reverse=True)
    assert [line.rank for line in result.lines] == [1, 2, 3, 4]
    assert set(firsts) <= set(position.turns())
    best = Worker(hash_mb=1, method="alphabeta").search(position, Limit(depth=3))
    assert best.lines[0].score.value <= result.lines[0].score.value  # other candidates are reduced less


def test_grouped_candidates_of_zertz_differ_in_more_than_the_ring_taken(worker):
    position = Position.parse("zertz", "..w./...../.b..../......./....../...../.... 4,7,8 0,0,0 0,0,0 1")
    worker.new_game()
    plain = worker.search(position, Limit(depth=2, multipv=12)).lines
    worker.new_game()
    grouped = worker.search(position, Limit(depth=2, multipv=12, grouped=True)).lines
    assert len({line.pv[0].split(",")[0] for line in plain}) < 12
    assert len({line.pv[0].split(",")[0] for line in grouped}) == 12
    assert grouped[0].score == plain[0].score
    assert [line.rank for line in grouped] == list(range(1, 13))


def test_turns_that_claim_marbles_belong_to_no_group_of_others():
    position = Position.parse(
        "zertz,isolation=auto", "g-../-.-../....../......./....../...../.... 5,6,9 0,0,0 0,0,0 1"
    )
    game, state = position.spec.game, position.state
    sizes = {}
    found = groups(game.rules, game.text, state)
    for actions, after in turn_sequences(game.rules, state):
        sizes[position.format(actions)] = len(found[int(after.key)])
    assert sizes["Wd4,b2xGa1"] == 1
    assert sizes["Wd4,d7"] == sum(turn.startswith("Wd4,") for turn in sizes) - 1 == 15


def test_fewer_turns_than_candidates_asked_for(worker):
    position = Position.parse("dvonn", LATE_DVONN)
    worker.new_game()
    result = worker.search(position, Limit(depth=3, multipv=50))
    assert len(position.turns()) == 15
    assert len(result.lines) == perft.count(position, 1, distinct=True), (
        "turns to the same position are one candidate"
    )


def test_every_pv_can_be_played(worker):
    for seed in range(scaled(10)):
        for spec in ("dvonn", "gomoku,size=7"):
            positions = [position.text() for position in walk(spec, seed)][:-1]
            position = Position.parse(spec, random.Random(seed).choice(positions))
            worker.new_game()
            for line in worker.search(position, Limit(depth=4, multipv=2)).lines:
                replay = position.copy()
                for turn in line.pv:
                    assert replay.push(turn) == turn


def test_bound_outside_the_window_is_reported_and_mended():
    position = Position.parse("dvonn", LATE_DVONN)
    thread = SearchThread(position, TranspositionTable(1), StopFlag())
    line = None
    missed = []
    for depth in range(1, 9):
        line = thread.search(depth, line, 1, (), missed.append)
        assert line is not None
        assert line.bound == ""
    assert all(miss.bound in ("lower", "upper") for miss in missed)


@pytest.mark.skipif(not COMPILED, reason="searches far")
def test_other_orders_of_zertz_placements_meet_in_the_table():
    orders = "Wd4,a1 Gb2,g4 Bf4,g1 Wc5,a4", "Bf4,g1 Wc5,a4 Wd4,a1 Gb2,g4", "Wd4,g1 Gb2,a4 Bf4,a1 Wc5,g4"
    ends, nodes = [], []
    shared = Worker(hash_mb=16)
    for turns in orders:
        position = position_after("zertz", turns)
        ends.append((position.text(), int(position.state.key)))
        nodes.append(shared.search(position, Limit(depth=6)).nodes)
    assert len(set(ends)) == 1
    assert sum(nodes[1:]) / 2 < 0.6 * nodes[0], "the first search has left its values behind"


@pytest.mark.interpreted
def test_table_gives_back_what_it_was_given():
    memory = TranspositionTable(1)
    for key, action, value, depth, bound in [
        (0x123456789ABCDEF0, 0, -499_999, 0, EXACT),
        (0xFFFFFFFFFFFFFFFF, 1_000_000, 499_999, 255, LOWER),
        (1, -1, 0, 17, UPPER),
    ]:
        word = np.uint64(key)
        table.store(memory.address, memory.mask, 3, word, action, value, depth, bound)
        data = table.probe(memory.address, memory.mask, word)
        read = [int(f(data)) for f in (table.action_of, table.value_of, table.depth_of, table.bound_of)]
        assert read == [action, value, depth, bound]
    assert table.probe(memory.address, memory.mask, np.uint64(2)) == 0


def test_an_empty_table_is_left_alone():
    """Clearing 64 MB takes some milliseconds; controllers begin games without a search between them."""
    memory = TranspositionTable(1)
    key = np.uint64(5)
    table.store(memory.address, memory.mask, 3, key, 7, 40, 2, EXACT)
    memory.clear()
    memory._words.flags.writeable = False
    memory.clear()
    memory._words.flags.writeable = True
    assert table.probe(memory.address, memory.mask, key) == 0


@pytest.mark.interpreted
def test_table_keeps_deep_entries_of_this_search_over_shallow_and_old_ones():
    memory = TranspositionTable(1)
    same_bucket = [np.uint64(7 + (i << 40)) for i in range(6)]
    for key, age, depth in zip(same_bucket, (1, 2, 2, 2, 2, 2), (9, 8, 3, 6, 5, 4), strict=True):
        table.store(memory.address, memory.mask, age, key, 0, 0, depth, EXACT)
    kept = [bool(table.probe(memory.address, memory.mask, key)) for key in same_bucket]
    assert kept == [False, True, False, True, True, True]


@pytest.mark.interpreted
def test_torn_entry_is_no_entry():
    memory = TranspositionTable(1)
    key = np.uint64(99)
    table.store(memory.address, memory.mask, 0, key, 5, 5, 5, EXACT)
    memory._words[memory._words != 0] ^= np.uint64(1)
    memory._words[np.flatnonzero(memory._words)[0]] ^= np.uint64(1 << 33)
    assert table.probe(memory.address, memory.mask, key) == 0


def test_table_counts_how_full_this_search_has_made_it():
    memory = TranspositionTable(1)
    assert memory.hashfull() == 0
    for key in range(1 << 14):
        table.store(
            memory.address,
            memory.mask,
            memory.age,
            np.uint64(key * 0x9E3779B97F4A7C15 % 2**64),
            0,
            0,
            1,
            EXACT,
        )
    filled = memory.hashfull()
    assert 100 < filled <= 1000
    memory.new_search()
    assert memory.hashfull() == 0
    memory.clear()
    assert memory.hashfull() == 0


@pytest.mark.interpreted
@pytest.mark.parametrize("spec", [spec for spec in FIRST if spec in BY_ALPHA_BETA])
def test_values_that_are_kept_are_those_of_the_position(spec):
    """Also where windows leave out the net, in any order."""
    thread = SearchThread(Position.start(spec), TranspositionTable(1), StopFlag())
    record, node = thread._record, thread._kernels.node
    states = [position.state.copy() for position in walk(spec, 3)][:: 1 if COMPILED else 9]
    windows = [(-INFINITE, INFINITE), (0, 1), (9_000, 9_001)]
    cases = list(itertools.product(range(len(states)), windows, range(2)))
    random.Random(1).shuffle(cases)
    for i, (alpha, beta), _ in cases:
        kept = node.evaluate(record, states[i], np.int64(alpha), np.int64(beta))
        before = record["values"].copy()
        record["values"] = 0
        assert kept == node.evaluate(record, states[i], np.int64(alpha), np.int64(beta))
        record["values"] = before


def test_what_another_thread_is_searching_comes_last_but_is_not_late():
    marks = CurrentlySearching()
    thread = SearchThread(
        Position.start("gipf"), TranspositionTable(1), StopFlag(), 0, SearchOptions(currently_searching=marks)
    )
    record, picking = thread._record, thread._kernels.picking
    scores = [picking.TACTICAL + 5, 70, 60, 50, 40, picking.TACTICAL + 1]  # of the actions 10, 11, ...
    record.actions[0, :6], record.order[0, :6] = range(10, 16), scores
    for action in (11, 15):
        starting_search(marks.address, np.uint64(move_hash(record.stack[0].key, np.int64(action))))
    found = []
    for i in range(6):
        action = int(picking.pick_or_defer(record, 0, i, 6))
        quiet, place = picking.is_quiet(record.order[0, i]), picking.place_of(record, 0, i, 6)
        found.append((action, bool(quiet), int(place)))
    late, deferred = [(12, True, 3), (13, True, 4), (14, True, 5)], [(15, False, 1), (11, True, 2)]
    assert found == [(10, False, 0), *late, *deferred]


def test_table_forgets_no_win_by_threats_of_the_same_position():
    memory = TranspositionTable(1)
    key, won = np.uint64(77), WIN - 13

    def store(action, value, depth, bound):
        table.store(memory.address, memory.mask, 0, key, action, value, depth, bound)
        data = table.probe(memory.address, memory.mask, key)
        return int(table.action_of(data)), int(table.value_of(data))

    assert store(5, won, table.PROVEN_DEPTH, LOWER) == (5, won)
    assert store(6, 100, 9, EXACT) == (5, won)
    assert store(7, WIN - 15, table.PROVEN_DEPTH, LOWER) == (5, won)
    assert store(8, 0, 9, UPPER) == (5, won)
    assert store(9, WIN - 9, 9, EXACT) == (9, WIN - 9)
