"""The parts that protocols are made of: numbers, lines, clocks, candidates, the session."""

import io
import re
import threading
from dataclasses import replace

import pytest

from tengen.engine.errors import IllegalTurnError, NotationError, OptionError, PositionError, TengenError
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.protocol.candidates import SearchReports, parse_request, report
from tengen.protocol.dialogue import Commands
from tengen.protocol.engine_options import OPTIONS
from tengen.protocol.errors import CommandError
from tengen.protocol.gtp.clocks import SYSTEMS, Clocks, parse_system
from tengen.protocol.gtp.dialogue import ResignTracker
from tengen.protocol.lines import MAX_LINE, MAX_WAITING, InputLine, Reader, Writer
from tengen.protocol.numbers import parse_integer, parse_number
from tengen.protocol.session import Session, turns_of
from tengen.protocol.ugi import GoArguments, info_line
from tengen.search.info import WIN, Info, Result, Score
from tengen.search.limits.limit import Clock, Limit, Restriction
from tests import ROOT
from tests.processes import PATIENCE

# ---------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    "text", ["", "-1", "1.0", "1e3", "٣", "0x1", "1_0", "9" * 5000, " 1", "1000000000001"]
)
def test_what_is_no_whole_number_in_range_is_refused(text):
    with pytest.raises(NotationError, match="nodes: expected a whole number from 0 to 1000000000000, got"):
        parse_integer("nodes", text)


@pytest.mark.parametrize("text", ["", "-1", "nan", "inf", "1..2", ".", "1e999", "1_0", "0x1", "9" * 5000])
def test_what_is_no_number_in_range_is_refused(text):
    with pytest.raises(NotationError, match="time: expected a number from 0 to"):
        parse_number("time", text)


def test_numbers_are_read():
    assert parse_integer("n", "0012") == 12
    assert parse_integer("n", "+3", 1, 3) == 3
    assert parse_number("t", "1.5e1") == 15.0
    assert parse_number("komi", "-6.5", -100) == -6.5


# ------------------------------------------------------------------------------------------------------ lines


class Trickle:
    """A source that gives its bytes in the pieces it was made of."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = iter(pieces)

    def read(self, size: int, /) -> bytes:
        return next(self._pieces, b"")


def read(*pieces: bytes) -> list[InputLine]:
    reader = Reader(Trickle(*pieces))
    reader.start()
    return list(reader)


def test_lines_are_put_together_and_cleaned():
    assert read(b"na", b"me\r\nver", b"sion\n\n\tq\x00u\x1bit") == [
        InputLine("name"),
        InputLine("version"),
        InputLine(""),
        InputLine(" quit"),
    ]


def test_blank_lines_that_follow_each_other_count_as_one():
    """Sixteen million of them must not take a minute."""
    data = b"ugi" + b"\n" * 1000 + b"name\n \n\r\n\x00\n\nquit\n\n"
    assert [line.text for line in read(data)] == ["ugi", "", "name", "", "quit", ""]


def test_all_lines_arrive_in_order_though_more_are_sent_than_may_wait():
    sent = b"".join(b"%d\n" % number for number in range(3 * MAX_WAITING))
    pieces = [sent[at : at + 1000] for at in range(0, len(sent), 1000)]
    assert [int(line.text) for line in read(*pieces)] == list(range(3 * MAX_WAITING))


def test_bytes_that_are_no_text_are_replaced():
    assert read(b"\xff\xfe\n") == [InputLine("\ufffd\ufffd")]


def test_long_lines_are_cut_and_say_so():
    long, short = read(b"x" * MAX_LINE, b"yy", b"y\nname\n")
    assert (len(long.text), long.truncated) == (MAX_LINE, True)
    assert short == InputLine("name")
    assert [line.truncated for line in read(b"x" * MAX_LINE + b"\n")] == [False]


def test_an_unreadable_source_is_an_ended_one():
    class Gone:
        def read(self, size: int, /) -> bytes:
            raise OSError("the terminal has gone")

    reader = Reader(Gone())
    reader.start()
    assert list(reader) == []


def test_reader_sees_what_has_arrived_without_taking_it():
    held = threading.Event()

    class Slow:
        def read(self, size: int, /) -> bytes:
            held.wait(PATIENCE)
            return b"name\n" if not reader_took_it else b""

    reader_took_it: list[bool] = []
    reader = Reader(Slow())
    reader.start(lambda line: reader_took_it.append(True))
    assert not reader.wait(0.01)
    held.set()
    assert reader.wait(PATIENCE)
    assert [line.text for line in reader] == ["name"]
    assert reader.wait(0)  # the end has arrived as well


def test_writer_keeps_lines_together_and_reports_a_closed_output():
    closed = []
    sink = io.BytesIO()
    writer = Writer(sink, closed.append)
    writer.write("= ä", "")
    assert sink.getvalue() == "= ä\n\n".encode()
    sink.close()
    writer.write("more")
    assert len(closed) == 1


# ----------------------------------------------------------------------------------------------------- clocks


def clocks_of(control: Clock | None, *turns: float) -> Clocks:
    """Return clocks after turns of the first side, given their seconds."""
    clocks = Clocks()
    clocks.set(control)
    for seconds in turns:
        clocks.spend(0, seconds)
    return clocks


def test_there_is_no_clock_without_settings_and_without_limit():
    clocks = Clocks()
    clocks.report(0, 5, 0)
    clocks.spend(0, 1)
    assert clocks.clock(0) is None
    assert clocks_of(Clock(10, byoyomi=5, byoyomi_stones=0)).clock(0) is None
    assert clocks_of(None).clock(0) is None


def test_main_time_runs_down_and_out():
    clocks = clocks_of(Clock(10), 4)
    assert (clocks.clock(0), clocks.clock(1)) == (Clock(6), Clock(10))
    clocks.spend(0, 7)
    assert clocks.clock(0) == Clock(0)
    clocks.restart()
    assert clocks.clock(0) == Clock(10)
    assert clocks_of(Clock(0)).clock(0) == Clock(0)


def test_the_controller_knows_better():
    control = Clock(0, byoyomi=30, byoyomi_stones=3)
    clocks = clocks_of(control)
    assert clocks.clock(0) == Clock(30, moves_to_go=3)
    clocks.report(0, 12, 1)
    assert clocks.clock(0) == Clock(12, moves_to_go=1, expires=True)
    clocks.report(0, 60, 0)
    assert clocks.clock(0) == replace(control, remaining=60)


def test_periods_left_are_reported_like_stones():
    control = Clock(0, byoyomi=30, periods=5)
    clocks = clocks_of(control)
    assert clocks.clock(0) == Clock(30, moves_to_go=1, periods=5, expires=True)
    clocks.report(0, 12.5, 2)
    assert clocks.clock(0) == Clock(12.5, moves_to_go=1, periods=2, expires=True)
    clocks.spend(0, 13)
    assert clocks.clock(0) == Clock(30, moves_to_go=1, periods=1, expires=True)
    clocks.report(0, 60, 0)
    assert clocks.clock(0) == replace(control, remaining=60)


def test_japanese_periods_of_no_length_are_none():
    clocks = clocks_of(parse_system(SYSTEMS, "byoyomi", "10", "0", "3"), 15)
    assert clocks.clock(0) == Clock(0)


# --------------------------------------------------------------------------------------------------- commands


@pytest.mark.parametrize(
    ("usage", "fitting", "others"),
    [
        ("name", (0,), (1, 2)),
        ("play COLOR TURN [WINNER]", (2, 3), (0, 1, 4)),
        ("loadsgf FILE [MOVE]", (1, 2), (0, 3)),
        ("lz-analyze [COLOR] [INTERVAL] [KEY VALUE...]", (0, 1, 9), ()),
        ("position START [moves TURN...]", (1, 2, 99), (0,)),
    ],
)
def test_the_usage_says_how_many_arguments_a_command_takes(usage, fitting, others):
    commands = Commands()
    commands.add(usage)(len)
    command = commands.by_name[usage.split()[0]]
    assert all(count in command.counts for count in fitting)
    assert not any(count in command.counts for count in others)


# ------------------------------------------------------------------------------------------------- candidates


def info(rank: int, turn: str, value: int = 0, depth: int = 5, bound: str = "") -> Info:
    return Info(rank, depth, depth, Score(value), bound, 1000, 2.0, 3, (turn, "H9"))


def test_candidates_are_reported_in_both_formats():
    infos = [info(1, "H8", 0), info(2, "G7", WIN - 3)]
    assert report("lz", infos, 300.0) == (
        "info move H8 visits 1000 winrate 5000 prior 0 lcb 5000 order 0 pv H8 H9 "
        "info move G7 visits 1000 winrate 10000 prior 0 lcb 10000 order 1 pv G7 H9"
    )
    assert report("kata", infos, 300.0) == (
        "info move H8 visits 1000 utility 0.000000 winrate 0.500000 scoreMean 0.00 scoreLead 0.00 "
        "prior 0 lcb 0.500000 utilityLcb 0.000000 order 0 pv H8 H9 "
        "info move G7 visits 1000 utility 1.000000 winrate 1.000000 "
        "prior 0 lcb 1.000000 utilityLcb 1.000000 order 1 pv G7 H9"
    )


def test_a_request_chooses_among_the_lines():
    position = Position.start("gomoku,size=5")
    words = "interval 20 minmoves 2 maxmoves 4 avoid b A1,C3 1 avoid w B2 1"
    request = parse_request(position, words.split(), 1)
    assert (request.interval, request.lines) == (0.2, 2)
    assert set(position.turns()) - set(request.searchmoves) == {"A1", "C3"}
    lines = [info(3, "D4"), info(2, "B2"), info(1, "E5")]
    assert [(line.pv[0], line.rank) for line in request.candidates(lines)] == [("E5", 1), ("B2", 2)]


def counted(rank: int, turn: str, seconds: float, rate: float = 0.5) -> Info:
    """Return a candidate of a search by simulations."""
    owners = (1.0, -0.25, 0.0, -1.0)
    numbers = (100 // rank, rate, rate - 0.1, 0.25, 10 * rate - 5, owners)
    return Info(rank, 7 - rank, 9, Score(0), "", 1000, seconds, 3, (turn, "H9"), *numbers)


def test_simulations_tell_more():
    infos = [counted(1, "H8", 1.0, 0.6), counted(2, "pass", 1.0)]
    assert report("lz", infos, 300.0) == (
        "info move H8 visits 100 winrate 6000 prior 2500 lcb 5000 order 0 pv H8 H9 "
        "info move pass visits 50 winrate 5000 prior 2500 lcb 4000 order 1 pv pass H9"
    )
    assert report("kata", infos[:1], 300.0, {"ownership", "rootInfo"}) == (
        "info move H8 visits 100 utility 0.200000 winrate 0.600000 scoreMean 1.00 scoreLead 1.00 prior 0.25 "
        "lcb 0.500000 utilityLcb 0.000000 order 0 pv H8 H9 "
        "rootInfo visits 1000 utility 0.200000 winrate 0.600000 scoreMean 1.00 scoreLead 1.00 "
        "ownership 1.000 -0.250 0.000 -1.000"
    )
    owners = {"H8": (0.5, -1.0), "A1": (1.0, 1.0)}
    assert report("kata", infos, 300.0, owners=owners).count("movesOwnership") == 1
    assert " order 0 pv H8 H9 movesOwnership 0.500 -1.000 info move" in report(
        "kata", infos, 300.0, owners=owners
    )
    assert "ownership" not in report("kata", [info(1, "H8")], 300.0, {"ownership"})
    assert "ownership" not in report("lz", infos, 300.0, {"ownership"})


def test_a_report_of_simulations_is_seen_once_it_is_whole():
    findings = SearchReports()
    for line in (counted(1, "A1", 1.0), counted(2, "B1", 1.0), counted(1, "C1", 2.0)):
        findings.add(line)
    assert [line.pv[0] for line in findings.infos] == ["A1", "B1"]
    findings.finish(Result("C1", None, (counted(1, "C1", 2.5), counted(2, "A1", 2.5)), 9, 2.5))
    assert [line.pv[0] for line in findings.infos] == ["C1", "A1"]


def test_lines_of_an_iteration_are_seen_once_it_is_whole():
    findings = SearchReports()
    for line in (info(1, "A1"), info(2, "B1")):
        findings.add(line)
    assert [line.pv[0] for line in findings.infos] == ["A1", "B1"], "there is nothing else yet"
    findings.add(info(1, "C1", depth=6))
    assert [(line.pv[0], line.depth) for line in findings.infos] == [("A1", 5), ("B1", 5)]
    findings.finish(Result("A1", None, (info(1, "A1"), info(2, "B1")), 9, 2.5))
    assert [line.pv[0] for line in findings.infos] == ["A1", "B1"]


def test_a_bound_gives_way_to_the_value_of_its_rank():
    findings = SearchReports()
    for line in (info(1, "A1", bound="upper"), info(1, "B1"), info(2, "C1")):
        findings.add(line)
    assert [line.pv[0] for line in findings.infos] == ["B1", "C1"]


# ------------------------------------------------------------------------------------------------ resignation


def searched(rate: float, nodes: int = 500) -> Result:
    return Result("A1", None, (counted(1, "A1", 1.0, rate),), nodes, 1.0)


def test_three_own_turns_without_hope_are_resigned():
    position = Position.start("go,size=4")
    resignation = ResignTracker()
    for turn, rate in (("A1", 0.01), ("B1", 0.9), ("C1", 0.04), ("D1", 0.9)):
        assert not resignation.should_resign(position, position.side_to_move, searched(rate), 0.05)
        position.push(turn)
    assert resignation.should_resign(position, position.side_to_move, searched(0.04), 0.05)


@pytest.mark.parametrize(
    "third", [searched(0.05), searched(0.0, nodes=499), Result("A1", None, (), 900, 1.0)]
)
def test_a_turn_with_hope_begins_the_count_anew(third):
    position = Position.start("go,size=5")
    resignation = ResignTracker()
    hopeless = searched(0.0)
    for turn, result in (("A1", hopeless), ("B1", hopeless), ("C1", third), ("D1", hopeless)):
        position.push(turn, 1)
        assert not resignation.should_resign(position, 0, result, 0.05)


def test_early_turns_and_those_taken_back_do_not_count():
    position = Position.start("go,size=5")
    resignation = ResignTracker()
    for _ in range(5):  # the same turn again and again
        assert not resignation.should_resign(position, 0, searched(0.0), 0.05)
    for turn in ("A1", "B1", "C1", "D1"):
        position.push(turn)
        assert not resignation.should_resign(position, 0, searched(0.0), 0.05)
    position.push("E1")
    assert resignation.should_resign(position, 0, searched(0.0), 0.05)
    assert not resignation.should_resign(position, 0, searched(0.0), 0.0)  # never


def test_what_may_be_played_can_be_named():
    position = Position.start("gomoku,size=5")
    position.push("A1")
    request = parse_request(position, ["30", "allow", "w", "A1,B1,C1", "5"], 3)
    assert request.interval == 0.3
    assert request.searchmoves == ("B1", "C1")
    with pytest.raises(CommandError, match="no turn is left"):
        parse_request(position, ["allow", "w", "A1", "5"], 3)


def test_answers_are_restricted_where_until_is_more_than_1():
    position = Position.start("go,size=5")
    position.push("C3")
    request = parse_request(position, ["avoid", "b", "C3,D4", "2", "avoid", "w", "pass", "1"], 1)
    assert request.restrictions == (Restriction(0, ("C3", "D4"), only_these=False, depth=2),)
    assert set(position.turns()) - set(request.searchmoves) == {"pass"}


def test_turns_that_hold_commas_are_named_one_by_one():
    position = Position.start("dvonn")
    request = parse_request(position, ["avoid", "w", "c3", "1", "avoid", "w", "A1", "1"], 1)
    assert set(position.turns()) - set(request.searchmoves) == {"c3", "a1"}


# -------------------------------------------------------------------------------------------------------- ugi


DEFAULT = 7.0  # seconds of a turn without a limit


def asked(words: str, position: Position, multipv: int = 1) -> Limit:
    """Return the limits of a faultless ``go``."""
    arguments = GoArguments(words.split(), position)
    assert arguments.faults == []
    return arguments.limits(position.side_to_move, multipv, DEFAULT)


def test_go_limits():
    first, second = Position.start("dvonn"), Position.start("dvonn")
    second.push("c3")
    assert asked("", first, 2) == Limit(infinite=True, multipv=2)
    assert asked("depth 3 nodes 40 movetime 1500", first) == Limit(depth=3, nodes=40, time=1.5)
    assert asked("ponder", first) == Limit(ponder=True)
    assert asked("depth 99", first).depth == 64
    clock = "p1time 1000 p2time 2000 p1inc 10 p2inc 20 movestogo 7"
    assert asked(clock, first) == Limit(clock=Clock(1.0, 0.01, 7))
    assert asked(clock, second) == Limit(clock=Clock(2.0, 0.02, 7))
    assert asked("wtime 1000 btime 2000", second) == Limit(clock=Clock(2.0))
    assert asked("searchmoves C3 d2 depth 3", first) == Limit(depth=3, searchmoves=("c3", "d2"))
    assert asked("searchmoves c3", first).infinite


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("p1time -20 p2time 1000", Limit(clock=Clock(0.0))),
        ("p1time 0.5 p1inc -3", Limit(clock=Clock(0.0005))),
        ("p1time 1e3 movestogo -4", Limit(clock=Clock(1.0))),
        ("p1time inf", Limit(time=DEFAULT)),
        ("p1time 2147483647 p1inc 0", Limit(time=DEFAULT)),
        ("p1time 1000 p1inc 99999999999999999999999", Limit(time=DEFAULT)),
        ("movetime -1", Limit(time=0.0)),
        ("movetime 1.5e400", Limit(time=1e6)),
        ("depth -3", Limit(depth=1)),
        ("nodes 0", Limit(nodes=1)),
    ],
)
def test_every_number_is_a_time(words, limits):
    assert asked(words, Position.start("dvonn")) == limits


@pytest.mark.parametrize(
    ("words", "limits", "fault"),
    [
        ("p2time 100", Limit(clock=Clock(0.1)), "expected p1time as well"),
        ("p1inc 100", Limit(time=DEFAULT), "expected p1time as well"),
        ("p1time nan", Limit(time=DEFAULT), "go p1time: expected a number, got 'nan'"),
        ("p1time p2time 100", Limit(clock=Clock(0.1)), "go p1time: expected a number, got ''"),
        ("movetime", Limit(time=DEFAULT), "go movetime: expected a number, got ''"),
        ("depth one nodes 5", Limit(nodes=5), "go depth: expected a whole number"),
        ("depth 1 depth 2", Limit(depth=1), "expected depth once, got it twice"),
        ("fast and deep", Limit(time=DEFAULT), "go: expected one of p1time"),
        ("searchmoves z9", Limit(time=DEFAULT), "got 'z9'"),
        ("searchmoves z9 c3 depth 1", Limit(depth=1, searchmoves=("c3",)), "got 'z9'"),
        ("searchmoves depth 2", Limit(depth=2), "expected 1 to 8192 turns after searchmoves, got 0"),
    ],
)
def test_what_is_wrong_in_go_is_told_and_left_out(words, limits, fault):
    arguments = GoArguments(words.split(), Position.start("dvonn"))
    assert fault in arguments.faults[0]
    assert arguments.limits(0, 1, DEFAULT) == limits


def test_info_lines():
    assert info_line(info(2, "H8", -35, 8, "upper")) == (
        "info depth 8 seldepth 8 multipv 2 score cp -35 upperbound "
        "nodes 1000 nps 500 hashfull 3 time 2000 pv H8 H9"
    )
    assert " score mate 3 " in info_line(info(1, "H8", WIN - 3))
    assert " score mate -4 " in info_line(info(1, "H8", 4 - WIN))


# ---------------------------------------------------------------------------------------------------- session


def state_of(session: Session) -> tuple[object, ...]:
    return (
        session.option_texts(),
        session.setup,
        list(session.position.sides_played),
        session.position.text(),
        list(session.position.turns_played),
    )


@pytest.mark.parametrize(
    "fail",
    [
        lambda s: s.set_up(GameSpec.parse("dvonn"), "nonsense"),
        lambda s: s.set_up(None, "", [(None, "A1"), (None, "A1")]),
        lambda s: s.set_up(None, "XXXXX/...../...../...../OOOOO b"),
        lambda s: s.set_option("Game", "gomoku,size=99"),
        lambda s: s.set_option("Hash", "1048576"),
        lambda s: s.set_option("Threads", "none"),
        lambda s: s.position.push("A1", 1),
        lambda s: s.position.push("Z1", 0),
        lambda s: s.ponderhit(),
    ],
)
def test_what_fails_changes_nothing(fail):
    session = Session(GameSpec.parse("gomoku,size=5"))
    session.position.push("A1", 0)
    before = state_of(session)
    with pytest.raises((OptionError, NotationError, IllegalTurnError, PositionError, CommandError)):
        fail(session)
    assert state_of(session) == before


def test_the_session_remembers_who_played():
    session = Session(GameSpec.parse("gomoku,size=5"))
    for turn, side in (("A1", 0), ("B1", 0), ("C1", 1)):
        session.position.push(turn, side)
    assert turns_of(session.position) == [(0, "A1"), (0, "B1"), (1, "C1")]
    session.position.pop()
    assert turns_of(session.position) == [(0, "A1"), (0, "B1")]


def test_the_faulty_turn_is_named():
    session = Session(GameSpec.parse("dvonn"))
    with pytest.raises(TengenError, match=r"turn 3: illegal turn 'a1': a1 is occupied \[D-1\]"):
        session.set_up(None, "", [(None, "a1"), (None, "b1"), (None, "a1")])


def test_the_page_has_the_registered_options_and_their_defaults():
    page = (ROOT / "docs" / "protocols.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| `?([^|`]+?)`? \|", page, re.M)
    shown = {name: default for name, default in rows if name in OPTIONS}
    assert shown == {name: str(option.default).lower() for name, option in OPTIONS.items()}
