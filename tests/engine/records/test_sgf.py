"""Records are read as they were written, foreign ones as far as they can be understood."""

import contextlib
import random
import re
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tengen
from tengen.engine import sgf
from tengen.engine.errors import IllegalTurnError, NotationError, OptionError, PositionError, TengenError
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.sgf import Record, syntax
from tengen.engine.spec import GameSpec
from tengen.tuning.openings import random_position
from tests.engine.records import comments, details, info, tree
from tests.walks import ALL_SPECS, scaled, walk

TEXTS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\r"), max_size=30)
RESERVED = sgf.DERIVED | {"KM", "RU", "HA", "MN"}
NAMES = st.text(string.ascii_uppercase, min_size=2, max_size=4).filter(lambda name: name not in RESERVED)
PROPERTIES = st.dictionaries(NAMES, st.lists(TEXTS, min_size=1, max_size=3), max_size=3)


@st.composite
def records(draw) -> Record:
    """Return the record of a part of a random game, with notes of all kinds."""
    spec = draw(st.sampled_from(ALL_SPECS))
    played = scaled(40)
    first, last = sorted(draw(st.tuples(st.integers(0, played), st.integers(0, played))))
    start, sides, position = None, [], Position.start(spec)
    for number, position in enumerate(walk(spec, draw(st.integers(0, 20)))):
        if number == first and number > 0:
            start = position.text()
        if number >= last:
            break
        sides.append(position.side_to_move)
    turns = list(zip(sides, position.turns_played, strict=False))[first:]
    record = Record(GameSpec.parse(spec), start, turns, draw(PROPERTIES))
    for node in record.root.main_line():
        node.comment = draw(TEXTS)
        node.properties |= draw(PROPERTIES)
    return record


@given(records())
@settings(max_examples=scaled(100))
def test_what_is_written_is_read_back(record):
    again = sgf.parse(record.to_sgf())
    assert tree(again.root) == tree(record.root)
    assert (again.spec, again.start, again.turns) == (record.spec, record.start, record.turns)
    assert again.to_sgf() == record.to_sgf()


@pytest.mark.parametrize("spec", ALL_SPECS)
def test_replayed_record_gives_the_position(spec):
    for seed in range(scaled(4)):
        last = random_position(GameSpec.parse(spec), 1000, random.Random(seed))
        sides, position = [], Position(spec)
        for turn in last.turns_played:
            sides.append(position.side_to_move)
            position.push(turn)
        record = Record(last.spec, turns=list(zip(sides, last.turns_played, strict=True)))
        assert sgf.position(sgf.parse(sgf.write(record))).text() == last.text()


def test_dvonn_record_is_readable():
    record = Record(
        GameSpec.parse("dvonn"),
        turns=[(0, "c3"), (1, "h3")],
        properties={"PW": ["tengen"], "PB": ["a [person]"], "RE": ["W+5"]},
    )
    first, second = record.root.main_line()
    first.properties["WL"] = ["59.5"]
    second.comment = "-0.25\nback\\slash"
    assert sgf.write(record).splitlines() == [
        "(;FF[4]GM[37]CA[UTF-8]AP[tengen:0.2.0]",
        "TG[dvonn]",
        "PW[tengen]",
        "PB[a [person\\]]",
        "RE[W+5]",
        ";W[c3]WL[59.5];B[h3]C[-0.25",
        "back\\\\slash])",
    ]


@pytest.mark.parametrize(
    ("name", "number"), [("go", 1), ("gomoku", 4), ("zertz", 22), ("dvonn", 37), ("gipf", 39)]
)
def test_records_bear_the_registered_number_of_their_game(name, number):
    record = sgf.write(Record(GameSpec.parse(name)))
    assert f"GM[{number}]" in record
    assert sgf.parse(record.replace(f"GM[{number}]", "GM[0]")).spec.game.name == name


@pytest.mark.parametrize(("game", "noted"), [("gomoku,size=5", 0), ("gomoku:renju", 1)])
def test_rules_that_displace_those_of_the_record_are_noted(game, noted):
    record = sgf.parse_data(b"(;FF[4]TG[gomoku,size=5]SZ[5];B[cc])", game)[0]
    assert str(record.spec) == game.replace(":renju", ":renju,size=5")
    assert ["the record says gomoku,size=5" in str(note) for note in record.notes] == [True] * noted


def test_gomoku_record_is_plain_sgf():
    start = "XO.../...../...../...../..... w"
    record = Record(GameSpec.parse("gomoku,size=5"), start, [(1, "C3"), (0, "A1")])
    assert sgf.write(record).splitlines()[1:] == [
        "SZ[5]TG[gomoku,size=5]",
        "AB[aa]",
        "AW[ba]",
        "PL[W]",
        ";W[cc];B[ae])",
    ]


def test_variations_stand_beside_the_turns_that_they_would_replace():
    record = Record(GameSpec.parse("gomoku,size=5"), turns=[(0, "C3"), (1, "A1"), (0, "B2")])
    plain = record.turns
    record.root.add(0, "A5").comment = "why [not]"
    second = record.line[2]
    second.add(0, "E5").add(1, "E1")
    second.add(0, "E1")
    text = record.to_sgf()
    assert text.splitlines()[2:] == [
        "(;B[cc];W[ae]",
        "(;B[bd])",
        "(;B[ea];W[ee])",
        "(;B[ee]))",
        "(;B[aa]C[why [not\\]]))",
    ]
    again = sgf.parse(text)
    assert again.turns == plain
    assert tree(again.root) == tree(record.root)


def test_start_position_of_dvonn_is_text():
    position = Position.start("dvonn")
    position.push("c3")
    assert f"TP[{position.text()}]" in sgf.write(Record(position.spec, position.text()))


def test_start_position_in_text_is_read_on_square_boards():
    text = "XO.../...../...../...../..... w"
    assert sgf.parse(f"(;GM[4]SZ[5]TP[{text}])").start == text


FOREIGN = """ some mail header
( ;FF[3]GaMe[4]\tSiZe[15]\r\n PlayerBlack[A] PW[B\\]C]US [x][y]
; Black [hh] C[first\\\r\nline
second]
  (;White[ig] ; B[gi]WhiteLeft[3](;W[aa])(;W[bb]))
  (;W[oo];B[zz])
)(;GM[99])"""


def test_foreign_record_is_read_along_its_main_line():
    listed = sgf.parse_all(FOREIGN)
    record = listed[0]
    assert str(record.spec) == "gomoku"
    assert record.turns == [(0, "H8"), (1, "J9"), (0, "G7"), (1, "A15")]
    assert comments(record) == {0: "firstline\nsecond"}
    assert details(record) == {2: {"WL": ["3"]}}
    assert info(record) == {"PB": ["A"], "PW": ["B]C"], "US": ["x", "y"]}
    assert [node.turn for node in record.root] == [None, "H8", "J9", "G7", "A15", "B14", "P1", "[zz]"]
    assert len(listed) == 2
    with pytest.raises(NotationError, match="game 2: record: expected a game spec"):
        listed[1]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("(;GM[4]SZ[5]AB[aa:bb]AW[ee];W[cc])", "XX.../XX.../...../...../....O w"),
        ("(;GM[4]SZ[5]AB[aa][bb]AW[ee])", "X..../.X.../...../...../....O w"),
        ("(;GM[4]SZ[5];AB[aa];AW[ee];PL[B])", "X..../...../...../...../....O b"),
        ("(;GM[4]SZ[5]AB[aa];AE[aa]AB[bb];AW[ee];B[cc])", "...../.X.../...../...../....O b"),
        ("(;GM[4]SZ[5]AB[aa]AW[bb];AW[aa];W[cc])", "O..../.O.../...../...../..... w"),
        ("(;GM[4]SZ[5]PL[W])", "...../...../...../...../..... w"),
        ("(;GM[4]SZ[5]PL[b])", None),
        ("(;GM[4]SZ[5]AE[aa:ee])", None),
    ],
)
def test_stones_are_set_up(text, start):
    assert sgf.parse(text).start == start


def test_the_last_segment_begins_where_stones_are_set_up():
    record = sgf.parse("(;GM[4]SZ[5];B[aa];W[bb];AB[cc];W[dd];B[ee])")
    assert record.segment(1) == (None, [(0, "A5")])
    start, turns = record.segment()
    assert start == "X..../.O.../..X../...../..... w"
    assert turns == [(1, "D2"), (0, "E1")]


def test_position_stops_where_it_is_told():
    record = sgf.parse("(;GM[4];B[hh];W[ig];B[gi])")
    assert sgf.position(record, 2).turns_played == ("H8", "J9")
    assert sgf.position(record).turns_played == ("H8", "J9", "G7")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("(;GM[4];B[hh];W[hh])", IllegalTurnError, "turn 2: illegal turn 'H8': H8 is occupied"),
        ("(;GM[4];B[hh];W[])", NotationError, "turn 2: turn: expected a vertex"),
        ("(;GM[4];B[pa])", NotationError, "turn 1: expected a point from aa to oo, got 'pa'"),
        ("(;GM[4];B[h8h8])", NotationError, "got 'h8h8'"),
        ("(;GM[4]PL[x])", NotationError, "start position: record: expected PL[B] or PL[W], got 'x'"),
        ("(;GM[4];B[aa];AB[zz])", NotationError, "set-up after turn 1: record: AB: expected a point"),
        ("(;TG[dvonn]AB[aa])", NotationError, "start position: record: expected the position of dvonn in TP"),
        ("(;TG[dvonn];W[c3];W[d3])", IllegalTurnError, "turn 2: illegal turn 'd3': it is black's turn"),
        ("(;TG[dvonn];W[zz])", NotationError, "turn 1: turn: expected a placement"),
        ("(;TG[dvonn]TP[x])", NotationError, "position: expected five rows"),
        ("(;GM[4]SZ[5]TP[XXXXX/...../...../...../OOOOO b])", PositionError, "both sides have made five"),
    ],
)
def test_turns_that_cannot_be_played_are_named(text, error, message):
    record = sgf.parse(text)
    with pytest.raises(error) as refusal:
        sgf.position(record)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected SGF, which begins with (;, got ''"),
        ("hello", "got 'hello'"),
        ("(" * 10**6, "expected SGF"),
        ("(;", "cut off: expected properties and ) at the end"),
        ("(;GM[4]\n;B[hh]\nC[never ended)", "the value that begins in line 3 has no ]"),
        ("(;GM[4]\n;B)", "expected ; ( ) or a property such as B[dd], got 'B)' in line 2"),
        ("(;GM[7])", "GM[1] Go, GM[4] Gomoku, GM[22] ZÈRTZ, GM[37] DVONN, GM[39] GIPF, got GM '7'"),
        ("(;TG[gomuko])", "did you mean 'gomoku'?"),
        ("(;GM[4]SZ[99])", "option size: expected a whole number from 5 to 22, got '99'"),
        ("(;GM[4]SZ[15:19])", "expected SZ of a square board"),
        ("(;GM[4]SZ[19]TG[gomoku])", "expected SZ[15] for gomoku, got 19"),
        ("(;GM[4]AB[aa]AW[aa])", "expected one stone on A15, got two"),
        ("(;GM[4]AB[])", "AB: expected a point from aa to oo, got ''"),
    ],
    ids=lambda text: text[:20],
)
def test_malformed_records_are_refused(text, message):
    with pytest.raises((NotationError, OptionError)) as refusal:
        sgf.parse(text)
    assert message in str(refusal.value)
    assert str(refusal.value).isprintable()


@given(st.text(alphabet="();[]\\ \nBWCAGMTSZaz4:", max_size=60).map("(;GM[4]".__add__))
@example("(;GM[4]SZ[:])")
@settings(max_examples=scaled(500))
def test_no_text_crashes_the_reader(text):
    with contextlib.suppress(TengenError):
        record = sgf.parse(text)
        again = sgf.parse(record.to_sgf())
        assert tree(again.root) == tree(record.root)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"turns": [(0, "Z1")]}, "turn 1: expected a vertex from A1 to P15"),
        ({"properties": {"SZ": ["9"]}}, "got 'SZ'"),
        ({"start": "x"}, "position: expected rows"),
    ],
)
def test_what_has_no_place_in_a_record_is_refused(arguments, message):
    with pytest.raises(TengenError) as refusal:
        Record(GameSpec.parse("gomoku"), **arguments)
    assert message in str(refusal.value)


def test_names_of_properties_are_those_of_sgf():
    record = Record(GameSpec.parse("gomoku"))
    record.root.properties["no"] = ["9"]
    with pytest.raises(NotationError, match="expected names of properties in capitals, got 'no'"):
        record.to_sgf()


def test_files_are_read_in_their_encoding(tmp_path):
    texts = {"utf-8-sig": "Zoë", "latin-1": "Zoë", "gb18030": "五子棋"}
    for encoding, name in texts.items():
        path = tmp_path / encoding
        path.write_bytes(f"(;GM[4]CA[{encoding}]PB[{name}])".encode(encoding))
        assert info(sgf.read_file(path)) == {"PB": [name]}


@pytest.mark.parametrize("encoding", ["zip", "undefined", "idna", "no-such"])
def test_strange_encodings_do_no_harm(tmp_path, encoding):
    (tmp_path / "strange").write_bytes(b"(;GM[4]CA[%s]PB[\xff])" % encoding.encode())
    assert sgf.read_file(tmp_path / "strange").spec.game.name == "gomoku"


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-7", b"+2AA-"), ("unicode_escape", rb"\udcff"), ("raw_unicode_escape", rb"\ud800")],
)
def test_no_encoding_makes_halves_of_characters(tmp_path, encoding, name):
    """What was read could not be written."""
    (tmp_path / "strange").write_bytes(b"(;GM[4]CA[%s]PB[%s\xff])" % (encoding.encode(), name))
    assert sgf.write(sgf.read_file(tmp_path / "strange")).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file or directory"),
        (b"\x89PNG\0\0(;", "got a binary file"),
        (b"(;GM[4];B[hh", "cut off"),
        (b" " * (sgf.MAX_BYTES + 1), "expected at most 8 MB"),
    ],
    ids=["missing", "binary", "truncated", "huge"],
)
def test_unreadable_files_are_refused(tmp_path, content, message):
    path = tmp_path / "game.sgf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(NotationError) as refusal:
        sgf.read_file(path)
    assert message in str(refusal.value)
    assert "game.sgf" in str(refusal.value)


# --------------------------------------------------------------------------------------------------------- Go


GO_RECORD = (
    "\ufeff(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]\r\nRU[Japanese]SZ[9]KM[6.50]TM[600]OT[5x30 byo-yomi]\r\n"
    "PW[Zoë]PB[a \\] b]WR[3d]BR[3d]DT[2023-05-01]PC[The Server]C[Hello: \\\r\nall]RE[W+Resign]\r\n"
    ";B[ee]BL[598.2]\r\n;W[eg]WL[595]C[hm (;?)]\r\n"
    "(;B[gf]\r\n(;W[tt];B[]))\r\n(;B[cc]C[instead];W[dd](;B[aa])(;B[bb])))\r\n"
)


def test_go_record_of_a_server_is_read():
    record = sgf.parse(GO_RECORD)
    assert str(record.spec) == "go,size=9,komi=6.5,rules=japanese"
    assert (record.start, record.turns) == (
        None,
        [(0, "E5"), (1, "E3"), (0, "G4"), (1, "pass"), (0, "pass")],
    )
    assert comments(record) == {1: "hm (;?)"}
    assert details(record) == {0: {"BL": ["598.2"]}, 1: {"WL": ["595"]}}
    assert record.properties["PB"] == ["a ] b"]
    assert record.properties["C"] == ["Hello: all"]
    assert sgf.position(record).outcome() == Outcome.SECOND_WINS


@pytest.mark.parametrize(
    ("root", "spec"),
    [
        ("", "go"),
        ("GM[1]SZ[19]", "go"),
        ("SZ[13:13]KM[0]", "go,size=13"),
        ("KM[7.5]RU[chinese]", "go,komi=7.5,rules=chinese"),
        ("KM[375]RU[Chinese]", "go,komi=7.5,rules=chinese"),
        ("KM[650]RU[jp]", "go,komi=6.5,rules=japanese"),
        ("KM[-5.5]RU[Japanese]", "go,komi=-5.5,rules=japanese"),
        ("KM[6,5]RU[Korean]", "go,komi=6.5,rules=japanese"),
        ("KM[]RU[AGA]", "go,rules=chinese"),
        ("RU[GOE]", "go,rules=chinese"),
        ("RU[Ing rules]", "go,rules=chinese"),
        ("RU[NZ]", "go,rules=chinese"),
        ("RU[New Zealand]", "go,rules=chinese"),
        ("RU[Tromp-Taylor]", "go,rules=tromp-taylor"),
        ("RU[Tromp/Taylor, area]", "go,rules=tromp-taylor"),
        ("RU[Sing a song]", "go"),
        ("HA[0]", "go"),
        ("HA[1]KM[0.5];W[dd]", "go,komi=0.5"),
        ("TG[go,size=5,ko=positional]KM[6.5]RU[Chinese]", "go,size=5,ko=positional"),
    ],
)
def test_options_of_go_follow_from_the_root(root, spec):
    assert str(sgf.parse(f"(;{root})").spec) == spec


FREE = "......./......./....X../......./..X..../......./X...... w - 0 0 0"


@pytest.mark.parametrize(
    ("record", "spec", "start"),
    [
        ("SZ[9]HA[2]AB[cg][gc];W[ee]", "go,size=9,handicap=2", None),
        ("SZ[9]HA[2]AB[gc]AB[cg]PL[W]", "go,size=9,handicap=2", None),
        ("SZ[9]HA[4]AB[cc][gc][cg][gg]", "go,size=9,handicap=4", None),
        ("SZ[9]HA[3];W[ee]", "go,size=9,handicap=3", None),  # where they stand is understood
        ("SZ[9]HA[2];B[aa];B[bb];W[cc]", "go,size=9", None),  # they are turns
        ("SZ[7]HA[3]AB[ce][ec][ag];W[dd]", "go,size=7", FREE),
        ("SZ[7]HA[3]AB[ce][ec][ag]", "go,size=7", FREE),
        ("SZ[7]AB[ce][ec][ag]", "go,size=7", FREE),
        ("SZ[5]HA[2]AB[aa][bb]", "go,size=5", "X..../.X.../...../...../..... w - 0 0 0"),
        ("SZ[4]AB[aa:bb]AW[cc:dc][ad]", "go,size=4", "XX../XX../..OO/O... w - 0 0 0"),
        ("SZ[3];AB[aa];AW[cc];PL[W]", "go,size=3", "X../.../..O w - 0 0 0"),
    ],
)
def test_handicap_stones_are_the_games_own_where_they_stand_on_its_points(record, spec, start):
    read = sgf.parse(f"(;GM[1]{record})")
    assert (str(read.spec), read.start) == (spec, start)
    again = sgf.parse(sgf.write(read))
    assert tree(again.root) == tree(read.root)
    assert sgf.position(again).text() == sgf.position(read).text()


@pytest.mark.parametrize("board", ["X../.X./..O", ".../.O./...", "..X/XXX/X.X"])
def test_a_position_is_kept_where_a_handicap_was_taken_away(board):
    rows = [row.center(7, ".") for row in ["...", "...", *board.split("/"), "...", "..."]]
    position = Position("go,size=7,handicap=4", f"{'/'.join(rows)} w - 0 0 0")
    again = sgf.parse(sgf.write(Record(position.spec, position.text())))
    assert sgf.position(again) == position
    position = Position("go,size=7,handicap=4", f"{'/'.join(['.' * 7] * 7)} b - 0 0 0")
    assert sgf.position(sgf.parse(sgf.write(Record(position.spec, position.text())))) == position


@pytest.mark.parametrize("encoding", ["punycode", "unicode-escape", "IDNA"])
def test_codecs_that_are_no_encodings_of_texts_are_not_used(encoding):
    data = f"(;GM[1]SZ[9]CA[{encoding}]C[\x1b\\\\u0041-b])".encode()
    assert sgf.parse_data(data)[0].root.comment == "\x1b\\u0041-b"


def test_go_record_is_plain_sgf():
    record = Record(
        GameSpec.parse("go,size=9,komi=0.5,rules=chinese,handicap=2"),
        turns=[(1, "E5"), (0, "pass"), (1, "J9"), (1, "A1")],
        properties={"PB": ["tengen"], "RE": ["W+0.5"]},
    )
    assert sgf.write(record).splitlines() == [
        "(;FF[4]GM[1]CA[UTF-8]AP[tengen:0.2.0]",
        "SZ[9]TG[go,size=9,komi=0.5,rules=chinese,handicap=2]",
        "KM[0.5]",
        "RU[Chinese]",
        "HA[2]",
        "AB[gc][cg]",
        "PL[W]",
        "PB[tengen]",
        "RE[W+0.5]",
        ";W[ee];B[];W[ia];W[ai])",
    ]


@pytest.mark.parametrize(
    ("spec", "understood"),
    [
        ("go", "go,rules=japanese"),
        ("go,komi=-3.75,rules=chinese", "go,komi=-3.75,rules=chinese"),
        ("go,size=13,rules=tromp-taylor,handicap=9", "go,size=13,rules=tromp-taylor,handicap=9"),
    ],
)
def test_options_are_written_for_other_programs(spec, understood):
    foreign = sgf.parse(re.sub(r"TG\[.*?\]", "", sgf.write(Record(GameSpec.parse(spec)))))
    assert str(foreign.spec) == understood
    assert sgf.position(foreign).text() == Position.start(spec).text()


def test_boards_above_19_pass_with_an_empty_value_alone():
    record = sgf.parse("(;GM[1]SZ[25];B[tt];W[];B[ya])")
    assert record.turns == [(0, "U6"), (1, "pass"), (0, "Z25")]
    assert sgf.write(record).splitlines()[-1] == ";B[tt];W[];B[ya])"


def test_go_may_be_set_up_with_a_ko_and_prisoners():
    start = ".XO./XO.O/.XO./.... b C3 0 1 0"
    record = Record(GameSpec.parse("go,size=4"), start, [(0, "A1"), (1, "pass"), (0, "C3")])
    assert f"TP[{start}]" in sgf.write(record)
    assert sgf.parse(sgf.write(record)).start == start


def test_turns_out_of_turn_are_played():
    record = sgf.parse("(;SZ[5];B[aa];B[bb];W[cc];W[dd];W[])")
    assert sgf.position(record).text() == "X..../.X.../..O../...O./..... b - 0 0 1"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("(;SZ[5];B[aa];W[aa])", IllegalTurnError, "turn 2: illegal turn 'A5': A5 is occupied [O-1]"),
        ("(;SZ[5]AB[ba][ab];W[aa])", IllegalTurnError, "turn 1: illegal turn 'A5': a stone on A5 has no"),
        ("(;SZ[2]AB[aa:bb])", PositionError, "the chain of A1 has no liberty"),
        ("(;SZ[26])", OptionError, "option size: expected a whole number from 2 to 25, got '26'"),
    ],
)
def test_go_records_that_make_no_sense_are_refused(text, error, message):
    with pytest.raises(error) as refusal:
        sgf.position(sgf.parse(text))
    assert message in str(refusal.value)


def test_a_game_of_go_that_was_taken_up_again_is_read():
    """The players passed, did not agree on what is dead, and played on."""
    position = sgf.position(sgf.parse("(;GM[1]SZ[9];B[cc];W[];B[];W[gg];B[];W[])"))
    assert position.turns_played == ("C7", "pass", "pass", "G3", "pass", "pass")
    assert position.outcome() == Outcome.DRAW
    for _ in range(3):
        position.pop()
    assert position.outcome() == Outcome.FIRST_WINS, "there were two passes in a row before"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (r"a\]", "a]"),
        (r"\\", "\\"),
        (r"\\\]\:", "\\]:"),
        ("a\\\nb\\\r\nc", "abc"),
        ("a\r\nb\rc\nd\r\n\r\ne", "a\nb\nc\nd\n\ne"),
        ("a\n\r\n\rb", "a\n\nb"),
    ],
)
def test_escapes_and_line_ends_are_undone(written, value):
    assert sgf.parse(f"(;GM[1]SZ[9]C[{written}])").properties["C"] == [value]


def test_a_record_has_no_more_nodes_than_may_be():
    many = ";" * syntax.MAX_NODES
    assert sgf.parse(f"(;GM[1]SZ[9]{many[1:]})")
    with pytest.raises(NotationError, match="expected at most 320,000 nodes"):
        sgf.parse(f"(;GM[1]SZ[9]{many})")


@pytest.mark.parametrize("many", ["(" * 960_001, "AW[aa]" * 800_001])
def test_marks_and_values_are_bounded_as_nodes_are(many):
    with pytest.raises(NotationError, match="expected at most 320,000 nodes and 800,000 values"):
        sgf.parse_all(f"(;GM[4]SZ[9]{many}")


def nested(depth: int) -> str:
    """Return a record whose variations are `depth` deep: of two turns the second goes on."""
    points = [f"{column}{row}" for column in "abcdefghijklmnopqrs" for row in "abcdefghijklmnopqrs"]
    text = ""
    for number in range(depth):
        first, second = points[2 * number % 361], points[(2 * number + 1) % 361]
        text += f"(;{'BW'[number % 2]}[{first}])(;{'BW'[number % 2]}[{second}]"
    return f"(;GM[1]SZ[19]{text}{')' * depth})"


@pytest.mark.parametrize("depth", [99, 101, 100_000])
def test_variations_nest_as_deep_as_there_are_nodes(depth):
    record = tengen.Record.parse(nested(depth))
    assert len(list(record.root)) == 2 * depth + 1
    assert sgf.write(record).replace("\n", "") == nested(depth)


def test_properties_of_any_name_are_kept():
    record = sgf.parse("(;GM[4]X-Y[1]GN[x];B[hh]P-1[x]LB[aa:1])")
    assert info(record) == {"X-Y": ["1"], "GN": ["x"]}
    assert details(record) == {0: {"P-1": ["x"], "LB": ["aa:1"]}}
    assert tree(sgf.parse(sgf.write(record)).root) == tree(record.root)
