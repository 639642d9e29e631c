"""Monte-Carlo tree search: what every game can rely on, and what Go asks of it."""

import random
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from tengen.engine.contract import PlayoutRules, names_of
from tengen.engine.game import Outcome
from tengen.engine.go import board
from tengen.engine.go.agreement import agreed_score
from tengen.engine.go.playouts import ladder
from tengen.engine.go.state import BLACK, BOARD, WHITE, point
from tengen.engine.jit import COMPILED, StopFlag
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search.binding import bound
from tengen.search.limits.clock import Budget, time_budget
from tengen.search.limits.limit import Clock, Limit
from tengen.search.limits.timekeeper import Timekeeper
from tengen.search.mcts import searcher
from tengen.search.mcts.run import PREPARATION_SHARE, MctsRun
from tengen.search.mcts.searcher import MIN_SIMULATIONS, MctsSearch
from tengen.search.mcts.tree import Tree, child_range
from tengen.search.worker import Worker
from tengen.tuning.openings import random_turn
from tests.processes import PATIENCE, eventually
from tests.walks import ALL_SPECS, position_after, scaled

# Those of two games are compiled for it; what numba makes of the others, `tengen warmup` tells.
SIMULATED = ["gomoku,size=5", "gipf:basic", "go,size=3"] if COMPILED else ALL_SPECS
SMALL = {"go,size=5,rules=chinese,komi=0.5", "gomoku,size=7"}


def grown(position: Position, nodes: int, tree: Tree | None = None) -> MctsSearch:
    """Return a search of `position` after so many simulations."""
    search = MctsSearch(position, tree or Tree(8), StopFlag(), Limit(nodes=nodes, multipv=5))
    search.run(None, lambda: False)
    return search


def midgame(spec: str, turns: int, seed: int = 1) -> Position:
    """Return a position after some random turns, fewer if the game ends before."""
    generator = random.Random(seed)
    position = Position.start(spec)
    for _ in range(turns):
        position.push(random_turn(position, generator))
        if position.outcome():
            position.pop()
            break
    return position


@pytest.mark.interpreted
@pytest.mark.parametrize("spec", SIMULATED)
def test_every_game_can_be_searched_by_simulations(spec):
    """The turn found is legal and whole, the candidates differ, and their visits add up."""
    for turns in (0, 6):
        position = midgame(spec, turns)
        result = Worker(method="mcts").search(position, Limit(nodes=scaled(200), multipv=3))
        position.copy().push(result.turn)
        assert result.turn == result.lines[0].pv[0]
        assert len({info.pv[0] for info in result.lines}) == len(result.lines)
        assert sum(info.visits for info in result.lines) <= scaled(200)
        assert all(0 <= info.low <= info.rate <= 1 for info in result.lines)


@pytest.mark.interpreted
@pytest.mark.parametrize("threads", [1, 2] if COMPILED else [2])
@pytest.mark.parametrize("spec", SIMULATED)
def test_no_limit_and_no_stop_keeps_a_turn_from_its_first_simulations(spec, threads):
    """However late it is. Only a proven result needs fewer."""
    worker, position = Worker(threads=threads, method="mcts", hash_mb=1), midgame(spec, 4)
    for limits in (Limit(nodes=1), Limit(time=1e-6), Limit(clock=Clock(0.0)), Limit(infinite=True)):
        worker.new_game()
        worker.warm_up(position.spec.game)
        worker.go(position, limits)
        worker.stop()
        result = worker.wait(PATIENCE)
        assert not result.notice
        assert result.turn == result.lines[0].pv[0]
        assert result.nodes >= MIN_SIMULATIONS or result.lines[0].score.turns_to_win is not None


def test_the_first_simulations_fit_into_the_smallest_memory():
    """On the largest board, whatever was searched before."""
    worker, position = Worker(threads=2, hash_mb=1), Position.start("go,size=25")
    for _ in range(6):
        result = worker.search(position, Limit(time=1e-6))
        assert result.nodes >= MIN_SIMULATIONS
        position.push(result.turn)
        worker.search(position, Limit(nodes=scaled(400)))


@pytest.mark.interpreted
@pytest.mark.parametrize(
    "spec",
    ["go,size=5,rules=chinese,komi=0.5", "gomoku,size=7"],
)
def test_one_thread_grows_the_same_tree_every_time(spec):
    trees = [Tree(8), Tree(8)]
    for tree in trees:
        grown(midgame(spec, 4), 2000 if COMPILED else 20, tree).finish()
    used = trees[0].used
    assert used == trees[1].used > 1
    assert trees[0].nodes[:used].tobytes() == trees[1].nodes[:used].tobytes()


@pytest.mark.parametrize("spec", sorted(SMALL))
def test_what_is_known_of_the_next_position_is_kept(spec):
    position, tree = midgame(spec, 2), Tree(8)
    lines = grown(position, scaled(3000), tree).finish()
    for turn in lines[0].pv[:2]:
        position.push(turn)
    expected = tree.nodes["visits"].max()  # of the root; below it there is one node with those of the reply
    search = MctsSearch(position, tree, StopFlag(), Limit(nodes=1))
    assert 1 < tree.nodes[0].visits < expected
    first, count = child_range(tree.nodes, 0)
    children = tree.nodes[first : first + count]
    assert 0 < children["visits"].sum() <= tree.nodes[0].visits
    assert search.simulations == 0


def test_a_tree_of_another_game_is_not_taken_for_this_one():
    tree = Tree(8)
    first = Position.start("gomoku,size=7")
    grown(first, 50, tree).finish()
    other = Position.start("gomoku,size=9")
    MctsSearch(other, tree, StopFlag(), Limit(nodes=1))
    assert tree.nodes[0].visits == 0


def test_memory_stays_within_its_bound_and_the_best_survives():
    tree = Tree(1)
    search = grown(Position.start("gomoku,size=15"), scaled(30_000), tree)
    assert sum(array.nbytes for array in tree._nodes) <= 1 << 20
    assert search.finish()
    assert tree.nodes[0].visits >= scaled(30_000)
    pending = [0]
    while pending:  # every child lies within the array, and no subtree has more visits than its root
        index = pending.pop()
        first, count = child_range(tree.nodes, index)
        end = first + count
        assert end <= len(tree.nodes)
        assert tree.nodes["visits"][first:end].sum() <= tree.nodes[index].visits
        pending.extend(range(first, end))


def test_two_threads_share_a_tree():
    worker = Worker(threads=2, method="mcts")
    result = worker.search(Position.start("go,size=5,rules=chinese"), Limit(nodes=scaled(4000), multipv=25))
    assert result.nodes >= scaled(4000)
    assert sum(info.visits for info in result.lines) <= result.nodes + 2
    assert not result.notice


def test_a_win_is_proven_through_the_tree():
    """Black makes five in two turns whatever White does: an open four."""
    position = position_after("gomoku,size=9", "E5 A1 F5 A3 G5 A9")
    result = Worker(method="mcts").search(position, Limit(nodes=3000))
    assert result.turn in ("D5", "H5")
    assert result.lines[0].score.turns_to_win == 3
    assert result.nodes < 3000, "a proven root ends the search"


def test_a_lost_position_is_told_as_lost():
    position = Position.start("gomoku,size=7")
    for turn in ["C4", "A1", "D4", "A3", "E4", "A7", "F4"]:  # two points make five
        position.push(turn)
    result = Worker(method="mcts").search(position, Limit(nodes=scaled(20_000)))
    assert result.lines[0].rate < 0.5


@pytest.mark.parametrize("listens", [False, True])
def test_candidates_are_worked_out_for_those_who_listen_and_once_at_the_end(monkeypatch, listens):
    told, worked_out, infos = [], [], MctsSearch.infos
    monkeypatch.setattr(MctsSearch, "infos", lambda *given: worked_out.append(1) or infos(*given))
    monkeypatch.setattr(searcher, "REPORT", 0.0)
    worker, limits = Worker(method="mcts"), Limit(nodes=3 * searcher.BATCH)
    result = worker.search(Position.start("gomoku,size=7"), limits, told.append if listens else None)
    assert len(worked_out) == (4 if listens else 1), "after every batch, and at the end"
    assert told[-1:] == list(result.lines) * listens


def test_candidates_come_in_the_order_of_proofs_then_visits_then_win_rates():
    tree, position = Tree(8), Position.start("gomoku,size=5")
    position.push("C3")
    search = grown(position, scaled(500), tree)
    first, count = child_range(tree.nodes, 0)
    children = tree.nodes[first : first + count]
    children["visits"], children["value"] = 10, 0.5  # for Black; White is to move
    children["visits"][7], children["visits"][9], children["visits"][5] = 20, 30, 0
    children["value"][3] = 0.4
    children["weight"], children["prior"] = children["visits"], 0.0
    children["proof"] = 0
    children["proof"][4], children["proof"][9] = Outcome.SECOND_WINS, Outcome.FIRST_WINS
    ranked = [index - first for index in search.report.ranked(unvisited=False)]
    assert ranked[:3] == [4, 7, 3]
    assert ranked[-1] == 9, "a proven loss"
    assert 5 not in ranked, "it has not been visited"
    assert 5 in [index - first for index in search.report.ranked(unvisited=True)]


def test_a_tree_that_was_left_in_the_middle_is_not_used_again():
    worker = Worker(method="mcts")
    position = Position.start("gomoku,size=7")

    def fail(infos):
        raise RuntimeError("nobody listens")

    result = worker.search(position, Limit(nodes=10_000), on_info=fail)
    assert "the search failed" in result.notice
    assert position.turns().count(result.turn) == 1
    again = worker.search(position, Limit(nodes=scaled(500), multipv=49))
    assert not again.notice
    assert sum(info.visits for info in again.lines) == scaled(500)


def test_pondering_does_not_stretch_the_time_of_a_turn():
    """What is spent on the opponent's time is neither lost nor counted."""
    worker = Worker(method="mcts")
    position = Position.start("gomoku,size=15")
    worker.warm_up(position.spec.game)
    found = threading.Event()
    worker.go(position, Limit(clock=Clock(6.0), ponder=True), on_info=lambda info: found.set())
    assert found.wait(PATIENCE)
    search = worker._search
    worker.ponderhit()
    assert worker.wait(PATIENCE)
    planned = time_budget(Limit(clock=Clock(6.0)), position)
    assert search._pondered > 0
    assert search._budget.hard - search._pondered == pytest.approx(planned.hard)
    assert search._budget.soft - search._pondered == pytest.approx(planned.soft)


@pytest.mark.parametrize(
    ("elapsed", "lead", "disputed", "stops"),
    [
        (0.5, 400, False, False),  # 500 simulations are left, which could change the order
        (0.5, 600, True, True),  # and here they could not
        (1.1, 0, False, True),
        (1.1, 0, True, False),
        (1.6, 0, True, True),
    ],
)
def test_a_disputed_turn_takes_longer_but_not_much(monkeypatch, elapsed, lead, disputed, stops):
    """With a plan of 1 s, and 1000 simulations a second."""
    tree, position, limits = Tree(1), Position.start("gomoku"), Limit(clock=Clock(10.0))
    run = MctsRun(tree, None, position, 1, Timekeeper(), None, (), limits, None, None, None)
    run._budget = Budget(1.0, 2.5)
    monkeypatch.setattr(run, "_elapsed", lambda: elapsed)
    run._mcts = SimpleNamespace(lead=lambda: lead, disputed=lambda: disputed, simulations=int(1000 * elapsed))
    assert run._should_stop() == stops


def test_dead_stones_are_looked_for_after_the_first_simulations_under_a_flag_of_their_own(monkeypatch):
    looks = []

    def note(state, playouts, stop):
        looks.append((len(playouts), search.simulations, stop))

    position, preparation = Position.start("go,size=5"), StopFlag()
    monkeypatch.setattr(bound(position.spec.game), "find_dead", note)
    search = MctsSearch(
        position, Tree(8), StopFlag(), Limit(nodes=scaled(200)), threads=2, preparation=preparation
    )
    search.run(None, lambda: False)
    assert looks == [(2, MIN_SIMULATIONS, preparation)]
    assert looks[0][2] is preparation
    search = MctsSearch(position, Tree(8), StopFlag(), Limit(nodes=scaled(200)))
    search._flag.set()
    search.run(None, lambda: False)
    assert len(looks) == 1, "a search that is stopped does not begin it"
    assert search.simulations == MIN_SIMULATIONS


def test_the_look_at_dead_stones_gets_a_share_of_the_plan_and_ends_with_the_search(monkeypatch):
    alarms = []

    def note(self, seconds, threads, action):
        alarms.append((seconds, action))

    monkeypatch.setattr(Timekeeper, "alarm", note)
    monkeypatch.setattr(MctsRun, "_elapsed", lambda run: 0.0)
    limits, position = Limit(clock=Clock(10.0)), Position.start("go")

    def begun() -> MctsRun:
        run = MctsRun(Tree(1), None, position, 1, Timekeeper(), None, (), limits, None, None, None)
        run._start_clock()
        return run

    run = begun()
    (end, _), (share, cut) = alarms
    assert share == pytest.approx(PREPARATION_SHARE * (run._budget.soft - run._pondered))
    assert share < 0.3 * end
    cut()
    assert run._preparation
    assert not run._flag
    for ended_by_alarm in (False, True):
        run = begun()
        alarms[-2][1]() if ended_by_alarm else run.stop()
        assert run._preparation
        assert run._flag


def test_the_leader_is_disputed_by_a_turn_that_wins_more():
    tree, position = Tree(8), Position.start("gomoku,size=5")
    position.push("C3")
    search = grown(position, scaled(1000), tree)
    first, count = child_range(tree.nodes, 0)
    children = tree.nodes[first : first + count]
    children["visits"], children["value"] = 10, 0.6  # for Black
    children[1]["visits"], children[1]["value"] = 100, 0.5
    assert not search.disputed()
    children[2]["value"] = 0.4
    assert not search.disputed(), "it has been visited too seldom"
    children[2]["visits"] = 30
    assert search.disputed()


def test_a_search_goes_no_deeper_than_it_is_told():
    result = Worker().search(Position.start("go,size=5"), Limit(depth=2))
    assert result.lines[0].seldepth == 2


@pytest.mark.parametrize("threads", [1, 3])
def test_a_full_tree_neither_ends_nor_stops_a_search(threads):
    worker = Worker(threads=threads, hash_mb=1, method="mcts")
    position, nodes = Position.start("gomoku,size=9"), scaled(20_000)
    worker.warm_up(position.spec.game)
    worker.go(position, Limit(nodes=nodes, infinite=True))
    eventually(lambda: worker._search._nodes() >= nodes)
    assert worker.searching
    worker.stop()
    result = worker.wait(PATIENCE)
    assert result is not None
    assert result.turn
    assert not result.notice


# ---- Go ----

SETTLED = ".XXO./X.XOO/XXXO./X.XOO/.XXO. b - 0 0 0"  # Black has 15 points of 25


def best(spec: str, text: str, nodes: int = 3000) -> str:
    """Return the turn that a search finds in a position."""
    return str(Worker().search(Position.parse(spec, text), Limit(nodes=nodes)).turn)


@pytest.mark.parametrize("nodes", [50, 800])
def test_only_the_likeliest_turns_are_considered_and_the_pass(nodes):
    """After n simulations of Go they are ``WIDENING_BASE + WIDENING_PER_DOUBLING * log2(n)``."""
    tree = Tree(8)
    grown(Position.start("go,size=9"), scaled(nodes), tree)
    game = bound(GameSpec.parse("go").game)
    first, count = child_range(tree.nodes, 0)
    children = tree.nodes[first : first + count]
    considered = int(game.WIDENING_BASE + game.WIDENING_PER_DOUBLING * np.log2(scaled(nodes) + 1))
    assert 0 < considered < count
    assert children["visits"][:considered].sum() == scaled(nodes)
    assert game.PASS in children["action"][: int(game.WIDENING_BASE)]


def test_go_offers_all_that_playouts_need():
    game = bound(GameSpec.parse("go").game)
    assert not [name for name in names_of(PlayoutRules) if not hasattr(game, name)]


@pytest.mark.parametrize("rules", ["territory", "chinese", "tromp-taylor"])
def test_a_won_game_in_which_nothing_is_left_to_gain_is_ended(rules):
    assert best(f"go,size=5,rules={rules}", SETTLED, scaled(3000)) == "pass"


def test_the_one_who_has_won_answers_a_pass_by_a_pass():
    assert best("go,size=5,rules=chinese", SETTLED.replace("b - 0 0 0", "b - 0 0 1"), scaled(3000)) == "pass"


def test_a_pass_that_ends_the_game_is_told_with_its_true_margin():
    position = Position.parse("go,size=5,rules=chinese", SETTLED.replace("b - 0 0 0", "b - 0 0 1"))
    lines = Worker().search(position, Limit(nodes=scaled(500))).lines
    assert lines[0].pv == ("pass",)
    assert lines[0].lead == 5


@pytest.mark.parametrize("nodes", [20, 100, 1000])
def test_nobody_passes_in_the_opening(nodes):
    """White leads by komi, and would win if nobody played on."""
    position = position_after("go,size=9,komi=7.5,rules=chinese", "E5 C3 G7")
    assert Worker().search(position, Limit(nodes=nodes)).turn != "pass"


def test_nobody_passes_where_the_reply_may_change_the_board_that_a_pass_wins_on():
    """Black leads by 15 points as the board is, but after a pass White wins the race on the right by J2."""
    played = (
        "H6 B7 C6 F3 C7 C4 E5 B6 C5 B5 D4 C3 D3 H4 G5 E2 D2 C8 D8 B8 G2 G3 H2 F2 H3 G4 B2 H5 G6 J6 J7 J5 "
        "H8 J3 C2 B4 C9 B9 D9 F5 F6 F4"
    )
    turns = played.split()
    worker = Worker()
    for nodes in (700, 1000, 1800):
        position = position_after("go,size=9,komi=7.0,rules=chinese", turns[:-2])
        worker.new_game()
        worker.search(position, Limit(nodes=500))
        for turn in turns[-2:]:
            position.push(turn)
        assert worker.search(position, Limit(nodes=nodes)).turn != "pass"


def test_the_judge_is_asked_as_soon_as_somebody_passes():
    """Black leads by half a point: filling its own territory would lose."""
    text = ".XX.XO./XXXXXO./.O.XXO./OO.XXO./XXXXXO./.XX.XO./XX.XXO. b - 0 0 1"
    assert best("go,size=7,komi=6.5,rules=japanese", text) == "pass"


def test_nobody_passes_as_long_as_an_unsure_group_decides():
    """White's corner lives only if it wins a ko. Black leads without it, but not with it."""
    rows = ".XXOOOOO./.XXOXO.OO/X..XXO.O./XXXXOOO../.XO.XXOO./OXOXXXXO./OOXX.XO.O/O.OXXO.O./.OXXOOO.."
    position = Position.parse("go,size=9,komi=0.5,rules=chinese", f"{rows} b - 0 0 1")
    assert Worker().search(position, Limit(nodes=scaled(1000))).turn != "pass"
    position.push("pass")
    assert position.outcome() == Outcome.FIRST_WINS
    assert "life or death not certain: B1, A2, C2" in position.board()


def test_what_the_judge_may_see_otherwise_is_not_proven():
    """White would win with all stones alive, but the judge takes some of them off."""
    text = "XXOXO/O.OX./OXXOO/OXX.X/.XOO. w - 0 0 1"
    position = Position.parse("go,size=5,rules=territory,komi=0.5", text)
    result = Worker().search(position, Limit(nodes=scaled(500)))
    claimed = result.lines[0].score.turns_to_win
    position.push(result.turn)
    won = position.outcome() == Outcome.SECOND_WINS
    assert claimed is None or claimed < 0 or won or not position.outcome()


def test_a_tree_is_not_taken_for_a_position_with_other_prisoners():
    tree, spec = Tree(8), "go,size=5,rules=territory"
    empty = "...../...../...../...../....."
    grown(Position.parse(spec, f"{empty} b - 0 0 0"), scaled(200), tree).finish()
    MctsSearch(Position.parse(spec, f"{empty} b - 0 30 0"), tree, StopFlag(), Limit(nodes=1))
    assert tree.nodes[0].visits == 0


def test_however_many_prisoners_prove_nothing():
    position = Position.parse("go,size=5", "...../...../...../...../..... b - 9999 0 0")
    score = Worker().search(position, Limit(nodes=scaled(200))).lines[0].score
    assert score.turns_to_win is None


def test_nobody_passes_while_the_count_would_lose():
    """By Tromp-Taylor the dead white stone spoils Black's territory until it is taken."""
    text = "O.XO./X.XOO/XXXO./X.XOO/.XXO. b - 0 0 1"
    assert best("go,size=5,komi=4,rules=tromp-taylor", text, scaled(3000)) != "pass"
    assert best("go,size=5,komi=3,rules=japanese", text, scaled(3000)) == "pass"


def test_the_side_to_move_of_a_dead_even_ko_fight_is_no_worse_for_having_the_move():
    position = Position.parse("go,size=5,rules=chinese,komi=0.5", "...../...../...../...../..... b - 0 0 0")
    lines = Worker().search(position, Limit(nodes=scaled(3000))).lines
    assert lines[0].pv[0] == "C3", "the centre of the smallest boards wins"
    assert lines[0].rate > 0.7
    assert len(lines[0].ownership) == 25


def test_the_judge_leaves_a_seki_alone():
    """Who plays on one of the two shared liberties loses all: both chains live."""
    text = "OOOOXX./.O.OX.X/OOOOXXX/OOOOXXX/OOXXOOX/OXX.OOX/OXX.OOX b - 0 0 0"
    state = Position.parse("go,size=7,rules=chinese", text).state
    assert agreed_score(state).dead == frozenset()


@pytest.mark.skipif(not COMPILED, reason="the net on a large board")
@pytest.mark.parametrize("nodes", [200, 2000])
def test_nobody_runs_across_the_board_in_vain(nodes):
    """White's stones in atari, on E14 and F14, run to the lower right, where Black catches them."""
    position = Position.start("go,size=19,komi=7.5,rules=chinese")
    turns = "Q4 Q16 D4 C16 E17 G17 E15 G15 C14 D14 D15 C15 D13 E14 F14"
    for turn in turns.split():
        position.push(turn)
    assert Worker().search(position, Limit(nodes=nodes)).turn != "E13"


@pytest.mark.interpreted
@pytest.mark.parametrize(("breaker", "caught"), [(False, True), (True, False)])
def test_a_ladder_is_read_to_its_end(breaker, caught):
    """Black's stone in atari runs along the diagonal; a black stone on its way saves it."""
    boards = np.zeros(2, BOARD)
    board.clear(boards[0], 9)
    stones = {(2, 2): BLACK, (1, 2): WHITE, (2, 1): WHITE, (3, 1): WHITE, (1, 3): WHITE}
    stones |= {(6, 6): BLACK} if breaker else {}
    for place, colour in stones.items():
        board.put(boards[0], np.uint64(point(*place)), np.uint64(colour))
    found = np.zeros(3, np.uint64)
    chain = np.uint64(point(2, 2))
    assert bool(ladder.captures_in_ladder(boards, np.uint64(point(2, 3)), chain, found)) == caught
