"""Other programs as engines: what they play, report and are told, and what becomes of bad ones."""

import asyncio
import gc
import os
import re
import sys
import threading
from pathlib import Path

import pytest

import tengen
from tengen import programs as api
from tengen.tuning.players.external import engine as players
from tengen.tuning.players.external import gomocup
from tests.processes import PATIENCE, alive, descendants, eventually
from tests.walks import position_after

TENGEN = [sys.executable, "-m", "tengen"]
REPORTER = str(Path(__file__).parent / "programs" / "reporter.py")
OURS = [("ugi", ["ugi"]), ("gtp", ["gtp", "--game", "gomoku,size=9"]), ("gomocup", ["gomocup"])]
LONG = tengen.Limit(time=PATIENCE)
SHORT = {
    "ugi": tengen.Limit(nodes=50),
    "gtp": tengen.Limit(time=0.01),
    "gomocup": tengen.Limit(time=0.01),
}


def reporter(protocol: str, *fault: str, **options) -> tengen.ExternalEngine:
    return tengen.external([sys.executable, REPORTER, protocol, *fault], protocol, **options)


@pytest.fixture
def position() -> tengen.Position:
    position = tengen.Position("gomoku,size=5")
    position.push("A1")
    position.push("B1")
    return position


@pytest.fixture
def told(tmp_path, monkeypatch):
    """Return what the programs of a test have been told so far, line by line."""
    notes = tmp_path / "notes"
    monkeypatch.setenv("NOTES", str(notes))
    return lambda: notes.read_text().splitlines()


# ----------------------------------------------------------------------------------------------- our own ones


@pytest.mark.parametrize(("protocol", "arguments"), OURS)
def test_our_own_programs_analyse_until_they_are_stopped(protocol, arguments):
    position = position_after("gomoku,size=9", "E5 D5 E6 D6")
    before = position.copy()
    with tengen.external([*TENGEN, *arguments], protocol) as program:
        with program.analysis(position, LONG) as analysis:
            info = next(iter(analysis))
            with pytest.raises(tengen.EngineError, match="an analysis is running"):
                program.play(position, SHORT[protocol])
            analysis.stop()
            result = analysis.wait()
        assert info.turn in position.legal_turns
        assert (info.rank, info.score.side) == (1, 0)
        assert result.turn in position.legal_turns
        assert analysis.infos[0].pv[0] in position.legal_turns
        assert program.play(position, SHORT[protocol]).turn in position.legal_turns
        assert position == before
        position.push(position.legal_turns[0])
        assert program.play(position, SHORT[protocol]).turn in position.legal_turns
        assert "tengen" in program.name.lower()
        program.new_game()
        assert program.play(tengen.Position("gomoku,size=9"), SHORT[protocol]).turn
    assert program.closed


@pytest.mark.parametrize(("protocol", "arguments"), OURS)
def test_our_own_programs_begin_with_a_position_that_was_set_up(protocol, arguments):
    four = "........./........./........./....O..../...O...../...XXXX../..O....../.O......./......... b"
    position = tengen.Position("gomoku,size=9", four)
    with tengen.external([*TENGEN, *arguments], protocol) as program:
        with program.analysis(position, LONG) as analysis:
            assert next(info for info in analysis if info.turn in ("C4", "H4"))
        position.push("A1")
        assert program.play(position, SHORT[protocol]).turn in position.legal_turns


def test_ugi_reports_several_lines_and_looks_at_chosen_turns():
    position = tengen.Position("dvonn")
    with tengen.external([*TENGEN, "ugi"]) as program:
        lines = program.analyse(position, tengen.Limit(nodes=300), 3)
        assert [line.rank for line in lines] == [1, 2, 3]
        assert len({line.turn for line in lines}) == 3
        lines = program.analyse(position, tengen.Limit(nodes=300), 3, root_turns=["a1", "c3"])
        assert {line.turn for line in lines} == {"a1", "c3"}
        result = program.play(position, tengen.Limit(nodes=300), root_turns=["c3"])
        assert (result.turn, result.info.turn) == ("c3", "c3")
        assert 0 < result.nodes <= 300
        assert program.options["Threads"] == 1
        program.configure(Threads=2, Ponder=True)
        assert {"Threads": 2, "Ponder": True}.items() <= program.options.items()
        for options, words in (({"Thread": 2}, "did you mean 'Threads'?"), ({"Threads": 0}, "from 1 to 256")):
            with pytest.raises(tengen.OptionError, match=re.escape(words)):
                program.configure(**options)
        assert program.options["Threads"] == 2


# ----------------------------------------------------------------------------------------- what is understood


def test_reports_of_ugi_are_read(position):
    with reporter("ugi") as program:
        assert program.name == sys.executable
        first, second = program.analyse(position, tengen.Limit(depth=2), 2)
        assert program.name == "reporter"
    assert (first.turn, first.pv, first.depth, first.nodes, first.score.value) == (
        "C1",
        ("C1", "D1"),
        1,
        5,
        31,
    )
    assert (second.turn, second.score.value, second.seconds) == ("D1", 12, 0.002)


def test_the_last_line_counts_if_one_is_asked_for(position):
    with reporter("ugi") as program:
        (line,) = program.analyse(position, tengen.Limit(depth=2))
    assert (line.depth, line.pv, line.score.turns_to_win) == (2, ("C1",), -4)


def test_reports_of_kata_analyze_are_read(position):
    with reporter("gtp") as program:
        first, second = program.analyse(position, 0.01, 2)
    assert (first.turn, first.pv, first.visits, first.prior, first.lead) == ("C1", ("C1", "D1"), 5, 0.5, 3.5)
    assert (first.score.win_rate, second.score.win_rate, first.nodes) == (0.75, 0.25, 8)
    assert second.turn == "D1"


def test_messages_of_a_brain_are_read_and_belong_to_its_answer(position):
    with reporter("gomocup") as program:
        (line,) = program.analyse(position, 0.01)
        assert (line.turn, line.depth, line.seldepth, line.nodes) == ("C1", 3, 5, 2000)
        assert line.score.value == 31
        with program.analysis(position, LONG) as analysis:
            pass  # a brain that does not know how it is stopped is read to its answer
        assert [info.turn for info in analysis] == ["C1"]
        assert program.play(position, 0.01).turn == "C1"


def test_lines_of_a_brain_in_detail_take_the_place_of_its_messages(position):
    with reporter("gomocup", "details") as program:
        (line,) = program.analyse(position, 0.01)
    assert (line.depth, line.seldepth, line.nodes, line.seconds, line.score.value) == (4, 6, 7, 0.003, 52)
    assert line.pv == ("C1", "D1")


def test_a_brain_gets_time_to_tidy_up_after_its_answer(position, monkeypatch):
    monkeypatch.setattr(gomocup, "TIDYING", 0.5)
    with reporter("gomocup", "tidies") as program:
        for _ in range(3):
            assert program.play(position, 0.01).turn == "C1"


@pytest.mark.parametrize("protocol", ["ugi", "gtp", "gomocup"])
def test_what_a_program_says_of_its_turn_is_told_while_it_plays(position, protocol):
    with reporter(protocol) as program:
        seen: list[tengen.Info] = []
        assert program.play(position, SHORT[protocol], on_info=seen.append).turn == "C1"
        assert (seen[0].turn, seen[0].score.side) == ("C1", "black")
        seen_by_the_loop: list[tengen.Info] = []
        asyncio.run(program.aplay(position, SHORT[protocol], on_info=seen_by_the_loop.append))
        assert [info.turn for info in seen_by_the_loop] == [info.turn for info in seen]


@pytest.mark.parametrize("protocol", ["ugi", "gtp", "gomocup"])
@pytest.mark.parametrize("error", [ValueError("seen"), tengen.OptionError("seen")])
def test_an_exception_of_who_listens_leaves_the_program_in_step(position, protocol, error):
    def listen(info: tengen.Info) -> None:
        raise error

    with reporter(protocol) as program:
        with pytest.raises(type(error), match="seen"):
            program.play(position, SHORT[protocol], on_info=listen)
        position.push("C1")
        assert program.play(position, SHORT[protocol]).turn == "D1"


def test_a_position_that_was_set_up_is_told(told, tmp_path):
    position = tengen.Position("gomoku,size=5", "...../...../..O../.XX../..... w")
    position.push("E1")
    for protocol in ("ugi", "gtp", "gomocup"):
        with reporter(protocol) as program:
            program.play(position, SHORT[protocol])
    lines = [re.sub(r"^\d+ (?=[a-z])", "", line) for line in told()]
    assert f"position fen {position.start_text} moves E1" in lines
    plays = [line for line in lines if line.startswith("play ")]
    assert sorted(plays[:3]) == ["play b B2", "play b C2", "play w C3"]
    assert plays[3:] == ["play w E1"]
    board = lines[lines.index("BOARD") + 1 : lines.index("DONE")]
    assert sorted(board) == ["1,3,1", "2,2,2", "2,3,1", "4,4,2"]


def test_turns_out_of_turn_are_told_as_a_position(told):
    position = tengen.Position("gomoku,size=5")
    position.push("A1", "black")
    position.push("B1", "black")
    with reporter("ugi") as program:
        program.analyse(position, tengen.Limit(depth=1))
    assert f"position fen {position.text()}" in told()


def test_a_program_follows_back_and_forth(told, position):
    with reporter("gtp") as program:
        assert program.play(position, 0.01).turn == program.play(position, 0.01).turn == "C1"
        position.pop()
        position.push("E5")
        assert program.analyse(position, 0.01)[0].turn == "B1"
    lines = [line.partition(" ")[2] for line in told()]
    assert lines.count("clear_board") == 2  # E5 belongs to another game than B1
    assert lines.count("undo") == 1


def test_a_brain_begins_anew_where_the_board_is_empty_again(told):
    start = tengen.Position("gomoku,size=5")
    with reporter("gomocup") as program:
        for _ in range(2):
            program.play(start, SHORT["gomocup"])
    words = [line.split()[-1] for line in told()]
    assert [word for word in words if word in ("BEGIN", "RESTART")] == ["BEGIN", "RESTART", "BEGIN"]


@pytest.mark.parametrize(
    ("protocol", "sent", "read"),
    [("ugi", "> go nodes 50", "< bestmove C1"), ("gtp", "genmove b", "C1"), ("gomocup", "> DONE", "< 2,4")],
)
def test_the_dialogue_is_logged_line_by_line(position, protocol, sent, read):
    lines: list[str] = []
    with reporter(protocol, log=lines.append) as program:
        program.play(position, SHORT[protocol])
    told, answered = ([n for n, line in enumerate(lines) if word in line] for word in (sent, read))
    assert told
    assert told[0] < answered[-1]
    assert {line[:2] for line in lines} == {"> ", "< "}
    with reporter(protocol, log=[].pop) as program:
        for _ in range(2):
            with pytest.raises(TypeError):
                program.play(position, SHORT[protocol])
            assert not descendants(os.getpid(), REPORTER)
    with pytest.raises(tengen.ArgumentError, match="log: expected a function"):
        reporter(protocol, log="file")


def test_a_program_is_restarted_on_request_with_its_options(told, position):
    with reporter("ugi", **{"Skill Level": "high"}) as program:
        program.restart()
        program.play(position, SHORT["ugi"])
        program.restart()
        assert not descendants(os.getpid(), REPORTER)
        assert program.play(position, SHORT["ugi"]).turn == "C1"
    assert told().count("setoption name Skill Level value high") == 2


def test_options_are_told_before_the_first_turn_and_in_matches(told, position):
    with reporter("ugi", **{"Skill Level": "high"}) as program:
        program.play(position, SHORT["ugi"])
        assert program.options["Skill Level"] == "high"
        assert program.text.startswith("ugi,option.Skill Level=high:")
    assert "setoption name Skill Level value high" in told()
    with reporter("gomocup", show_detail=1) as program:
        program.play(position, 0.01)
    assert "INFO show_detail 1" in told()
    with (
        reporter("ugi", **{"Skill Level": "none"}) as program,
        pytest.raises(tengen.OptionError, match="low or"),
    ):
        program.play(position, SHORT["ugi"])


def test_declared_options_have_types_and_ranges_as_far_as_the_protocol_tells(position):
    with reporter("ugi") as program:
        assert program.declared_options == ()
        program.start(position.spec)
        found = {option.name: option for option in program.declared_options}
        assert program.options == {"Skill Level": "low", "Log": "", "Fast": True, "MultiPV": 1}
        assert list(found) == list(program.options)
        assert found["Skill Level"].choices == ("low", "high")
        assert (found["MultiPV"].low, found["MultiPV"].high) == (1, 9)
    with reporter("gomocup") as program:
        program.start(str(position.spec))
        assert program.declared_options == ()


def test_parameters_of_katago_are_options(told, position):
    expected = {"maxVisits": 500, "wideRootNoise": 0.04, "antiMirror": False, "humanSLProfile": "rank_3d"}
    with reporter("gtp") as program:
        program.start(position.spec)
        assert {option.name: option.default for option in program.declared_options} == expected
        assert {option.low for option in program.declared_options} == {None}
        program.configure(maxVisits=80, showboard="now")
        assert program.options == {**expected, "maxVisits": 80, "showboard": "now"}
    commands = [line.partition(" ")[2] for line in told()]
    assert {"kata-set-param maxVisits 80", "showboard now"} <= {*commands}
    with reporter("gtp", "plain") as program:
        program.start(position.spec)
        assert program.declared_options == ()


# --------------------------------------------------------------------------------------- what is not possible


@pytest.mark.parametrize(
    ("protocol", "fault", "arguments", "words"),
    [
        ("ugi", "", ((), {}), "limit: expected a time, nodes, a depth or a clock, got none"),
        (
            "ugi",
            "plain",
            ((tengen.Limit(depth=1), 2), {}),
            "expected 1, since reporter has no option",
        ),
        (
            "gtp",
            "plain",
            ((0.01,), {}),
            "a program that knows kata-analyze or lz-analyze, got reporter",
        ),
        ("gtp", "", ((tengen.Limit(nodes=5),), {}), "limit: expected a time, since GTP has nothing else"),
        ("gomocup", "", ((0.01, 2), {}), "by Gomocup's protocol, got several lines"),
        (
            "gomocup",
            "",
            ((0.01,), {"root_turns": ["C1"]}),
            "by Gomocup's protocol, got root turns",
        ),
        (
            "gomocup",
            "",
            ((tengen.Limit(depth=5),), {}),
            "a time, since Gomocup's protocol has nothing",
        ),
    ],
)
def test_what_a_program_cannot_be_asked_is_refused(position, protocol, fault, arguments, words):
    limits, named = arguments
    with reporter(protocol, *filter(None, [fault])) as program:
        with pytest.raises(tengen.OptionError, match=re.escape(words)):
            program.analyse(position, *(limits or (tengen.Limit(),)), **named)
        if limits:
            with pytest.raises(tengen.OptionError, match=re.escape(words)):
                program.analysis(position, *limits, **named)
        assert program.play(position, SHORT[protocol]).turn == "C1", "it is still there"


def test_a_brain_needs_a_time(position):
    with reporter("gomocup") as program, pytest.raises(tengen.OptionError, match="expected a time, which"):
        program.analysis(position)


def test_gtp_has_no_words_for_everything(position):
    with reporter("gtp") as program:
        with pytest.raises(tengen.OptionError, match="root_turns: expected none, since GTP knows none"):
            program.play(position, 0.01, root_turns=["C1"])
        dvonn = tengen.Position("dvonn", tengen.Position("dvonn").text())
        with pytest.raises(tengen.OptionError, match="expected only stones to set up by GTP"):
            program.play(dvonn, 0.01)


def test_a_program_that_ends_as_it_starts_is_an_error(position):
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    with tengen.external(command) as program, pytest.raises(tengen.EngineError, match="exit code 3"):
        program.play(position, 0.01)


def test_a_program_that_does_not_exist_is_a_missing_file(position):
    with tengen.external("/no/such/program") as program, pytest.raises(tengen.OptionError) as caught:
        program.play(position, 0.01)
    assert isinstance(caught.value, FileNotFoundError)
    assert "expected a program, got '/no/such/program' (No such file" in str(caught.value)


def test_a_program_is_an_engine_as_ours_is():
    assert isinstance(reporter("ugi"), tengen.BaseEngine)
    assert isinstance(tengen.Engine(), tengen.BaseEngine)


def test_nothing_is_asked_about_a_finished_game():
    position = tengen.Position("gomoku,size=5", "...../...../...../...../XXXXX w")
    with tengen.external("/no/such/program") as program:
        assert program.play(position, 0.01).notice == "the game is over"
        assert program.analyse(position, 0.01) == []
        with program.analysis(position) as analysis:
            assert list(analysis) == []
            assert analysis.wait().choice is None


@pytest.mark.parametrize("value", [None, [1], "two\nlines", ""])
def test_options_that_cannot_be_sent_are_refused(value):
    with pytest.raises(tengen.TengenError, match="option"):
        tengen.external("program", "ugi", Threads=value)


# ----------------------------------------------------------------------------------------------- bad programs


@pytest.mark.parametrize("protocol", ["ugi", "gtp", "gomocup"])
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("die", "exit code 3"),
        ("nonsense", "legal turn, got '(Z99|info)|got none"),
        ("silent", "got none"),
    ],
)
def test_a_program_that_fails_or_says_nothing_is_one_clear_error(position, protocol, fault, words):
    with reporter(protocol, fault) as program:
        for _ in range(2):  # it is started again
            with pytest.raises(tengen.EngineError, match=words) as caught:
                program.analyse(position, tengen.Limit(depth=1) if protocol == "ugi" else 0.01)
            assert "\n" not in str(caught.value)
            assert caught.value.position in (None, position)


@pytest.mark.parametrize("protocol", ["ugi", "gtp", "gomocup"])
def test_a_program_that_dies_ends_the_iteration_with_an_error(position, protocol):
    with reporter(protocol, "die") as program, program.analysis(position, LONG) as analysis:
        with pytest.raises(tengen.EngineError, match="exit code 3"):
            list(analysis)
        with pytest.raises(tengen.EngineError, match="exit code 3"):
            analysis.wait()


@pytest.mark.parametrize("protocol", ["ugi", "gtp"])
def test_a_program_that_does_not_stop_is_ended(position, protocol, monkeypatch):
    monkeypatch.setattr(players, "STOP_GRACE", 0.1)
    with reporter(protocol, "hang") as program:
        with program.analysis(position) as analysis:
            next(iter(analysis))
        with pytest.raises(tengen.EngineError, match="no answer"):
            analysis.wait()
        with program.analysis(position) as analysis:  # another one has been started
            assert next(iter(analysis)).turn == "C1"


def test_a_program_that_is_late_counts_as_hung(position, monkeypatch):
    monkeypatch.setattr(api, "SLACK", 0.0)
    silent = [sys.executable, "-c", "print('ugiok\\nreadyok\\nreadyok', flush=True)\nwhile True: input()"]
    with tengen.external(silent) as program, pytest.raises(tengen.EngineError, match="no answer"):
        program.analyse(position, 0.01)


def test_a_cancelled_task_stops_the_search(position):
    async def cancelled(program) -> None:
        await asyncio.wait_for(program.aanalyse(position, LONG), 0.2)

    with tengen.external([*TENGEN, "ugi"]) as program:
        program.play(position, SHORT["ugi"])
        (process,) = descendants(os.getpid(), "tengen ugi")
        with pytest.raises(TimeoutError):
            asyncio.run(cancelled(program))
        assert alive(process), "it has been stopped, not ended"
        assert asyncio.run(program.aplay(position, SHORT["ugi"])).turn


def test_an_analysis_is_iterated_by_a_task(position):
    async def turns() -> list[str]:
        with reporter("ugi") as program:
            return [info.turn async for info in program.analysis(position, tengen.Limit(depth=1))]

    assert asyncio.run(turns()) == ["C1", "C1"]


def test_closing_ends_an_analysis(position):
    program = reporter("ugi", "hang")
    analysis = program.analysis(position)
    program.close()
    assert analysis.done
    with pytest.raises(tengen.EngineError, match="closed"):
        program.analyse(position, SHORT["ugi"])


def test_a_forgotten_program_is_ended_even_while_it_searches(position):
    threads = threading.active_count()
    program = reporter("ugi", "hang")
    analysis = program.analysis(position)
    next(iter(analysis))
    (process,) = (pid for pid in descendants(os.getpid(), REPORTER))
    idle = reporter("ugi")
    idle.play(position, SHORT["ugi"])
    del program, analysis, idle
    gc.collect()
    eventually(lambda: not alive(process) and not descendants(os.getpid(), REPORTER))
    eventually(lambda: threading.active_count() <= threads)


def test_threads_share_a_program_one_after_another(position):
    found: list[str] = []
    with reporter("gtp") as program:

        def work() -> None:
            found.append(program.analyse(position, 0.01)[0].turn)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == ["C1"] * 4
