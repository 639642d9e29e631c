"""Engines of the library: turns, analyses, asyncio, threads, forks, and what becomes of them at the end."""

import asyncio
import contextlib
import copy
import gc
import os
import pickle
import re
import threading

import pytest

import tengen
from tengen.search.info import WIN
from tests.processes import PATIENCE, eventually, peak_memory
from tests.walks import position_after

SPEC = "gomoku,size=9"
FEW = tengen.Limit(nodes=300)
LONG = tengen.Limit(time=PATIENCE)


@pytest.fixture
def position() -> tengen.Position:
    position = position_after(SPEC, "E5 D5 E6 D6")
    return position


@pytest.fixture
def engine():
    with tengen.Engine(hash=1) as engine:
        yield engine


def test_an_engine_plays_a_legal_turn_and_leaves_the_position_alone(engine, position):
    before = position.copy()
    result = engine.play(position, FEW)
    assert result.turn in position.legal_turns
    assert result.info.pv[0] == result.turn == result.info.turn
    assert result.rank == 1
    assert (position, position.ply) == (before, 4)
    assert 0 < result.nodes <= 300


def test_every_game_is_played():
    with tengen.Engine(hash=1) as engine:
        for spec in ("go,size=5", "dvonn", "gipf:basic", "zertz", "gobang,size=7"):
            position = tengen.Position(spec)
            assert engine.play(position, tengen.Limit(nodes=50)).turn in position.legal_turns


def test_a_finished_game_has_no_turn_to_play(engine):
    position = position_after(SPEC, "A1 A2 B1 B2 C1 C2 D1 D2 E1")
    result = engine.play(position, FEW)
    assert (result.choice, result.notice, result.rank) == (None, "the game is over", None)
    with pytest.raises(tengen.EngineError, match=r"there is no turn to play \(the game is over\)"):
        _ = result.turn


def test_an_analysis_has_several_lines_best_first(engine, position):
    lines = engine.analyse(position, tengen.Limit(depth=2), multipv=3)
    assert [line.rank for line in lines] == [1, 2, 3]
    assert len({line.turn for line in lines}) == 3
    values = [line.score.value for line in lines]
    assert values == sorted(values, reverse=True)


def test_a_score_has_a_point_of_view(engine, position):
    position.push("E7")
    position.push("D7")
    score = engine.analyse(position, tengen.Limit(depth=3))[0].score
    assert score.side == position.side == "black"
    assert (score.side, score.turns_to_win, score.win_rate, str(score)) == (0, 3, 1.0, "win in 3")
    other = score.pov("white")
    assert (other.side, other.turns_to_win, other.win_rate, str(other)) == (1, -3, 0.0, "loss in 3")
    assert other.pov(0) == score == score.pov("black") == score.pov("b")
    assert (score.is_proven, score.points, other.points) == (True, float("inf"), float("-inf"))
    with pytest.raises(tengen.TengenError, match="side"):
        score.pov("red")
    with pytest.raises(tengen.ArgumentError, match="score: expected one of a game"):
        tengen.Score(5).pov("black")


def test_scores_of_one_side_are_ordered_from_bad_to_good():
    def score(value: int, side: int = 0, **known) -> tengen.Score:
        return tengen.Score(value, side=tengen.Position(SPEC).spec.game.side(side), **known)

    ordered = [
        score(2 - WIN), score(6 - WIN), score(-50), score(0, margin=-3), score(0, margin=0),
        score(10), score(10, win_rate=0.6), score(WIN - 5), score(WIN - 3),
    ]  # fmt: skip
    assert sorted(ordered[::-1]) == ordered
    assert (max(ordered), min(ordered)) == (ordered[-1], ordered[0])
    assert score(5) <= score(5) >= score(5) < score(6) > score(5)
    for call in (lambda: score(5) < score(5, 1), lambda: score(5) >= 5):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(tengen.ArgumentError, match=r"score: expected one of white, as by pov\('white'\)"):
        sorted([score(5), score(5, 1)])


def test_a_weak_level_says_how_good_its_turn_is(engine, position):
    best = [line.turn for line in engine.analyse(position, tengen.Limit(depth=1), 80)]
    results = []
    for seed in range(1, 9):
        engine.configure(level=7, level_seed=seed)  # the weakest that overlooks nothing
        results.append(engine.play(position, FEW))
    assert all(best.index(result.turn) == result.rank - 1 for result in results)
    assert max(result.rank for result in results) > 1


def test_chosen_root_turns_alone_are_analysed_and_all_of_them(engine, position):
    position.push("E7")
    position.push("D7")
    lines = engine.analyse(position, tengen.Limit(depth=3), 5, root_turns=["a1", "E8", "J9", "A1"])
    assert lines[0].turn == "E8"
    assert (lines[0].score.turns_to_win, lines[0].pv[0]) == (3, "E8")
    assert [line.rank for line in lines] == [1, 2, 3]
    assert {line.turn for line in lines} == {"A1", "E8", "J9"}
    with engine.analysis(position, tengen.Limit(depth=2), 3, root_turns=["A1", "J9"]) as analysis:
        assert {info.turn for info in analysis} == {"A1", "J9"}


def test_lines_are_told_while_a_turn_is_searched(engine, position):
    seen: list[tengen.Info] = []
    result = engine.play(position, tengen.Limit(depth=3), on_info=seen.append)
    assert (seen[-1].pv, seen[-1].score, seen[0].score.side) == (result.info.pv, result.info.score, "black")
    engine.configure(level=1)
    assert engine.play(position, FEW, on_info=seen.append).info in seen
    for wrong in (5, "print"):
        with pytest.raises(tengen.ArgumentError, match="on_info: expected a function"):
            engine.play(position, FEW, on_info=wrong)


def test_who_listens_can_end_the_search_but_not_begin_another(engine, position):
    assert engine.play(position, LONG, on_info=lambda info: engine.stop()).turn in position.legal_turns
    with pytest.raises(ZeroDivisionError):
        engine.play(position, LONG, on_info=lambda info: 1 // 0)
    with pytest.raises(tengen.EngineError, match="it searches for this thread"):
        engine.play(position, LONG, on_info=lambda info: engine.play(position, FEW))
    assert engine.play(position, FEW).turn in position.legal_turns


def test_chosen_root_turns_alone_are_played(engine, position):
    clock = tengen.Limit(clock=tengen.Clock(1.0))
    for limit in (FEW, clock):
        assert engine.play(position, limit, root_turns=["a1", "J9"]).turn in ("A1", "J9")
    engine.configure(level=1)
    assert {engine.play(position, FEW, root_turns=["A1", "J9"]).turn for _ in range(5)} <= {"A1", "J9"}


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        (["A1", "E5"], "E5"),
        (["Z9"], "got 'Z9'"),
        ([], "root_turns: expected 1 to 8192 turns, got 0"),
        ("A1", "root_turns: expected a list of turns, got"),
        ([5], "root_turns: expected turns as texts, got '5'"),
    ],
)
def test_root_turns_that_cannot_be_played_are_refused(engine, position, turns, words):
    for call in (engine.play, engine.analyse, engine.analysis):
        with pytest.raises(tengen.TengenError, match=words):
            call(position, FEW, root_turns=turns)


def test_a_root_turn_that_ends_the_game_is_won_in_one(engine):
    position = position_after(SPEC, "A1 A2 B1 B2 C1 C2 D1 D2")
    (line,) = engine.analyse(position, FEW, root_turns=["E1"])
    assert (line.score.turns_to_win, line.pv) == (1, ("E1",))


def test_an_analysis_goes_on_until_it_is_stopped(engine, position):
    seen = []
    with engine.analysis(position) as analysis:
        for info in analysis:
            seen.append(info)
            if len(seen) == 5:
                analysis.stop()
        assert analysis.done
        assert analysis.wait().turn in position.legal_turns
        assert [info.rank for info in analysis.infos] == [1]
        assert list(analysis) == []
    assert len(seen) >= 5
    assert engine.play(position, FEW).turn


def test_an_analysis_with_a_limit_ends_by_itself(engine, position):
    analysis = engine.analysis(position, tengen.Limit(depth=2), multipv=2)
    assert {info.rank for info in analysis} == {1, 2}
    assert analysis.done


def test_an_engine_that_analyses_refuses_other_work(engine, position):
    with engine.analysis(position):
        for call in (
            lambda: engine.play(position, FEW),
            lambda: engine.analyse(position, FEW),
            lambda: engine.analysis(position),
            lambda: engine.configure(threads=2),
            engine.new_game,
        ):
            with pytest.raises(tengen.EngineError, match="an analysis is running; stop it first"):
                call()
    assert engine.play(position, FEW).turn


def test_several_engines_work_side_by_side(position):
    with (
        tengen.Engine(hash=1) as one,
        tengen.Engine(hash=1) as other,
        one.analysis(position) as first,
        other.analysis(position) as second,
    ):
        assert next(iter(first)).turn
        assert next(iter(second)).turn
        assert not first.done


def test_options_are_checked_and_kept(engine):
    engine.configure(level=3, threads=2)
    assert {"level": 3, "threads": 2, "hash": 1}.items() <= engine.options.items()
    before = engine.options
    for options, words in (
        ({"thread": 2}, "did you mean 'threads'?"),
        ({"threads": 0}, "option threads: expected a whole number from 1 to 256, got '0'"),
        ({"threads": True}, "option threads"),
        ({"method": "magic"}, "option method: expected auto or alphabeta or mcts"),
        ({"level": 3, "hash": -1}, "option hash"),
    ):
        with pytest.raises(tengen.OptionError, match=re.escape(words)):
            engine.configure(**options)
    assert engine.options == before


def test_weights_are_a_file():
    with pytest.raises(tengen.ArgumentError, match="weights: expected a path"):
        tengen.Engine(weights=5)


def test_a_weak_level_is_repeatable_by_its_seed(position):
    def turns(seed: int) -> list[str]:
        with tengen.Engine(hash=1, level=1, level_seed=seed) as engine:
            played = position.copy()
            return [played.push(engine.play(played, FEW).turn) for _ in range(6)]

    assert turns(1) == turns(1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"time": -1}, "time: expected seconds, at least 0, got -1"),
        ({"time": float("nan")}, "time: expected seconds"),
        ({"time": "1"}, "time: expected seconds, got"),
        ({"nodes": 0}, "nodes: expected 1 to"),
        ({"nodes": 1.5}, "nodes: expected a whole number"),
        ({"depth": 1000}, "depth: expected 1 to 64, got 1000"),
        ({"clock": 5}, "clock: expected a Clock"),
        ({"clock": tengen.Clock(float("inf"))}, "clock, remaining: expected seconds"),
        ({"clock": tengen.Clock(1.0, moves_to_go=-2)}, "clock, moves_to_go: expected at least 0, got -2"),
        ({"clock": tengen.Clock(1.0, periods="x")}, "clock, periods: expected a whole number"),
        ({"clocks": 5}, "clocks: expected two clocks, got"),
        ({"level": 0}, "level: expected 1 to 20, got 0"),
        ({"level": "3"}, "level: expected a whole number"),
        ({"asked": "now"}, "asked: expected seconds"),
        ({"searchmoves": "E5"}, "searchmoves: expected turns as texts"),
    ],
)
def test_limits_that_cannot_be_are_refused(arguments, words):
    with pytest.raises(tengen.TengenError, match=words):
        tengen.Limit(**arguments)


def test_a_clock_is_shared_out(engine, position):
    limit = tengen.Limit(clocks=(tengen.Clock(0.5), tengen.Clock(60.0)))
    assert engine.play(position, limit).turn in position.legal_turns
    with pytest.warns(DeprecationWarning, match="use clocks"):
        assert tengen.Limit(clock=limit.clocks) == limit


def test_what_no_engine_can_search_is_refused(engine, position):
    for arguments, words in (
        ((position, tengen.Limit()), "limit: expected a time, nodes, a depth or a clock, got none"),
        ((position, "1"), "limit: expected a tengen.Limit, or seconds"),
        (("go", FEW), "position: expected a tengen.Position"),
        ((position, tengen.Limit(nodes=9, searchmoves=("zz",))), "turn: expected a vertex"),
    ):
        with pytest.raises(tengen.TengenError, match=words):
            engine.play(*arguments)
    with pytest.raises(tengen.OptionError, match="multipv: expected 1 to 256, got 0"):
        engine.analyse(position, FEW, multipv=0)


def test_a_closed_engine_says_so(position):
    engine = tengen.Engine()
    engine.close()
    engine.close()
    assert engine.closed
    for call in (lambda: engine.play(position, FEW), engine.__enter__, lambda: engine.analysis(position)):
        with pytest.raises(tengen.EngineError, match="closed"):
            call()


def test_closing_ends_a_running_search(position):
    engine = tengen.Engine(hash=1)
    analysis = engine.analysis(position)
    engine.close()
    assert analysis.done


# -------------------------------------------------------------------------------------------------- asyncio


def test_the_async_twins_answer_and_take_turns(engine, position):
    async def both() -> list[str]:
        plays = (engine.aplay(position, FEW, root_turns=[turn]) for turn in ("B1", "C1"))
        lines = await engine.aanalyse(position, FEW, root_turns=["A1"])
        return [*(result.turn for result in await asyncio.gather(*plays)), lines[0].turn]

    assert asyncio.run(both()) == ["B1", "C1", "A1"]


def test_the_event_loop_is_told_of_lines_before_the_result(engine, position):
    async def seen() -> list[int]:
        threads: list[int] = []
        await engine.aplay(position, FEW, on_info=lambda info: threads.append(threading.get_ident()))
        return threads

    assert {*asyncio.run(seen())} == {threading.get_ident()}


def test_an_analysis_is_iterated_by_a_task(engine, position):
    async def five() -> int:
        seen = 0
        async for _ in (analysis := engine.analysis(position)):
            seen += 1
            if seen == 5:
                analysis.stop()
        return seen

    assert asyncio.run(five()) >= 5


def test_an_iteration_goes_on_after_one_that_was_left_or_cancelled(engine, position):
    async def left() -> tuple[int, int]:
        with engine.analysis(position) as analysis:
            async for _ in analysis:
                break
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(rest(analysis), 0.2)
            assert not analysis.done
            asyncio.get_running_loop().call_later(0.2, analysis.stop)
            await rest(analysis)
            assert analysis.done
            return await rest(analysis), len(list(analysis))

    async def rest(analysis: tengen.Analysis) -> int:
        return len([info async for info in analysis])

    assert asyncio.run(left()) == (0, 0)


def test_a_cancelled_task_stops_its_search(engine, position):
    async def cancelled() -> None:
        await asyncio.wait_for(engine.aplay(position, LONG), 0.2)

    with pytest.raises(TimeoutError):
        asyncio.run(cancelled())
    assert engine.play(position, FEW).turn


# ------------------------------------------------------------------------------- threads, processes, memory


def test_threads_share_an_engine_one_after_another(engine, position):
    results: list[str] = []
    threads = [
        threading.Thread(target=lambda: results.append(engine.play(position, FEW).turn)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert all(turn in position.legal_turns for turn in results)


def in_child(work) -> None:
    """Run `work` in a fork of this process, which must succeed."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    ended: list[int] = []

    def reaped() -> bool:
        pid, status = os.waitpid(child, os.WNOHANG)
        ended.extend([status] if pid else [])
        return bool(ended)

    eventually(reaped)
    assert ended == [0]


@pytest.mark.posix
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_an_engine_is_not_used_after_a_fork_but_another_one_works(engine, position):
    engine.play(position, FEW)

    def work() -> None:
        with pytest.raises(tengen.EngineError, match=r"cannot be used after fork\(\)"):
            engine.play(position, FEW)
        engine.close()
        with tengen.Engine(hash=1) as own:
            assert own.play(position, FEW).turn
        batch = tengen.Batch(SPEC, 3000, threads=2)
        batch.step(batch.sample())

    with engine.analysis(position):
        in_child(work)
    assert engine.play(position, FEW).turn


def test_engines_are_neither_copied_nor_pickled(engine):
    for function in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            function(engine)


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_a_forgotten_engine_stops_searching(position):
    before = threading.active_count()
    for _ in range(5):
        engine = tengen.Engine(hash=1)
        analysis = engine.analysis(position)
        next(iter(analysis))
        feed = analysis.feed
        del engine, analysis
        gc.collect()
        eventually(feed.done.is_set)
    eventually(lambda: threading.active_count() <= before + 2)  # one that is kept for the next search


@pytest.mark.linux
def test_five_hundred_engines_leave_nothing_behind(position):
    def use(count: int) -> None:
        for _ in range(count):
            with tengen.Engine(hash=1) as engine:
                engine.play(position, tengen.Limit(nodes=1))

    use(20)
    files, threads = open_files(), threading.active_count()
    memory = peak_memory()
    use(480)
    assert open_files() <= files
    assert threading.active_count() <= threads
    assert peak_memory() <= memory + 20


def test_a_missing_file_of_weights_is_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="No such file") as caught:
        tengen.Engine(weights=str(tmp_path / "none.npz")).play(
            tengen.Position("dvonn"), tengen.Limit(nodes=10)
        )
    assert isinstance(caught.value, tengen.MissingFileError)
