"""Records of DVONN and GIPF as text, told from each other and from strings of turns of five in a row."""

import contextlib
import random
import re

import pytest

from tengen.apps.cli.main import EXIT_USAGE, main
from tengen.engine.dvonn import transcript as dvonn
from tengen.engine.errors import TengenError
from tengen.engine.formats import files
from tengen.engine.gipf import transcript as gipf
from tengen.engine.sgf import Record
from tengen.engine.spec import GameSpec
from tengen.tuning.openings import random_position
from tests.engine.records import info
from tests.rules.examples import position
from tests.walks import scaled

DVONN = GameSpec.parse("dvonn")
TRANSCRIPTS = {"dvonn": dvonn, "gipf": gipf}
CELLS = [
    f"{column}{row}"
    for row in range(1, 6)
    for column in "abcdefghijk"[max(0, row - 3) :][: 8 + min(row, 6 - row)]
]


def record_of(spec: str, seed: int) -> Record:
    """Return a game of random turns, to its end or nearly."""
    last = random_position(GameSpec.parse(spec), 400, random.Random(seed))
    position = random_position(last.spec, 0, random.Random(0))
    node = (record := Record(last.spec)).root
    for turn in last.turns_played:
        node = node.add(position.side_to_move, turn)
        position.push(turn)
    return record


@pytest.mark.parametrize("spec", ["dvonn", "gipf", "gipf:basic", "gipf:tournament"])
def test_games_come_back_from_their_texts(spec):
    for seed in range(scaled(8)):
        record = record_of(spec, seed)
        module = TRANSCRIPTS[record.spec.game.name]
        text = module.write(record)
        assert module.read(text, record.spec).turns == record.turns
        assert module.recognize(text[: files.BEGINNING]).game == record.spec.game


# ------------------------------------------------------------------------------------------------------ DVONN


def test_little_golem_numbers_turns_and_leaves_out_the_last_placement():
    record = record_of("dvonn", 1)
    record.root.properties |= {"PW": ["Ann]"], "PB": ["Bob"], "EV": ["a cup"]}
    text = dvonn.write(record)
    placements = [turn for _, turn in record.turns[:48]]
    assert text.splitlines()[:4] == [
        *("Event [a cup]", "White [Ann]", "Black [Bob]"),
        f"1. {placements[0]} {placements[1]}",
    ]
    assert f"24. {placements[46]} {placements[47]}\n25. {record.turns[49][1]} {record.turns[50][1]}" in text
    read = dvonn.read(" ".join(text.split()), DVONN)
    assert read.turns == record.turns
    assert info(read) == {"EV": ["a cup"], "PW": ["Ann"], "PB": ["Bob"]}


def test_codecup_has_upper_case_and_every_placement():
    record = record_of("dvonn", 2)
    text = "# a game\n" + "\n".join(turn.upper() for _, turn in record.turns)
    assert dvonn.recognize(text) == DVONN
    assert dvonn.read(text, DVONN).turns == record.turns


def test_who_resigns_has_lost():
    record = dvonn.read("1. d2 c1 2. k5 resign", DVONN)
    assert record.turns == [(0, "d2"), (1, "c1"), (0, "k5")]
    assert record.properties["RE"] == ["W+R"]
    assert dvonn.write(record) == "1. d2 c1\n2. k5 resign\n"


# ------------------------------------------------------------------------------------------------------- GIPF


def test_pushes_name_the_spot_where_the_row_ends():
    record = gipf.read("1. Ge2 Gh2\n2. Ge1-e3 (12) / Gi1-g3\n", GameSpec.parse("gipf:tournament"))
    assert [turn for _, turn in record.turns] == ["Gd1-e2", "Gh1-h2", "Ge1-e2", "Gi1-h2"]
    assert gipf.write(record) == "Ge2\nGh2\nGe1-e3\nGi1-g3\n"


@pytest.mark.parametrize("taken", ["x", "xe2,f2,g2,h2", "XH2,G2*,f2, e2 (9)", "xe2,f2,Gg2,h2"])
def test_rows_are_taken_in_the_short_and_the_complete_way(taken):
    opening = "h4 d1-f2 i2-g2 a2-c2 b6-b4 i5-g5 f1-d2 e9-e7 d1-d3 i3-f6 i4-g4 c1-c3 f1-f3 d7"
    record = gipf.read(f"{opening} g1-g3;{taken}\ne9-e6", GameSpec.parse("gipf"))
    assert record.turns[14] == (0, "g1-g2;xe2,f2,g2,h2")
    assert len(record.turns) == 16


def test_taken_gipf_pieces_are_marked():
    """In the standard game nothing else is."""
    texts = [gipf.write(record_of("gipf", seed)) for seed in range(20)]
    assert any(re.search(r"x(\w+,)*G[b-h]", text) for text in texts)


# --------------------------------------------------------------------------------------- which game a text is


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("h8i9g7", "gomoku"),
        ("h8 i9 g7", "gomoku"),
        ("c3d4", "gomoku"),
        ("c3 d4 e5", "gomoku"),
        ("1. c3 d4 2. e5", "dvonn"),
        ("White [Ann] Black [Bob]\n1. c3", "dvonn"),
        (" ".join(CELLS[:48]), "dvonn"),
        ("a1-b2 i5-h5", "gipf"),
        ("d7/a1-b2", "gipf"),
        ("1. d7 a1-b2", "gipf"),
        ("Ge2\nGh2", "gipf:tournament"),
        ("GE2", "gipf:tournament"),
        ("", None),
        ("hello", None),
        ("White [Ann]", None),
        ("a note: a1-b2 is a push", None),
        ("1. e4 e5 2. Nf3 Nc6", None),
    ],
)
def test_the_contents_tell_the_game(tmp_path, text, game):
    path = tmp_path / "game.txt"
    path.write_text(text)
    assert files.is_record(path) == (game is not None)
    if game is not None:
        assert files.read_file(path).spec == GameSpec.parse(game)


def test_the_command_converts_them(tmp_path, capsys):
    text, record = tmp_path / "game.txt", tmp_path / "game.sgf"
    text.write_text("1. c3 d4\n2. e5\n")
    assert main(["convert", str(text), str(record)]) == 0
    assert files.read_file(record).turns == [(0, "c3"), (1, "d4"), (0, "e5")]
    text.unlink()
    assert main(["convert", str(record), str(text)]) == 0
    assert text.read_text() == "1. c3 d4\n2. e5\n"
    assert main(["convert", str(text), str(record), "--game", "gobang"]) == EXIT_USAGE
    assert "expected turns such as h8i9g7" in capsys.readouterr()[1]


# ---------------------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("spec", "text", "complaint"),
    [
        ("dvonn", "", "expected turns such as d2 and c3d4, got ''"),
        ("dvonn", "c3 c3", "turn 2: illegal turn 'c3': c3 is occupied"),
        ("dvonn", "c3 d9", "turn 2: turn: expected a placement such as c3"),
        ("dvonn", "resign c3", "turn 1: there are turns after resign"),
        ("dvonn", " ".join([*CELLS[:48], "a1b1"]), "turn 50: illegal turn 'a1b1'"),
        ("dvonn", "c3 " * 1_000_000, "turn 2: illegal turn"),
        ("gipf", "", "turn 1: expected one such as a1-b2, Gi2-h3 or e2;xb2,c3, got ''"),
        ("gipf", "a1-b2 hello", "turn 2: expected one such as a1-b2"),
        ("gipf", "a1-b2a2-b2", "turn 1: expected one such as a1-b2"),
        ("gipf", "a1-b2;x", "turn 1: expected no x, as no row is taken, got 'a1-b2;x'"),
        ("gipf", "a1-b9", "turn 1: "),
        ("gipf", "Ga1-b2", "turn 1: illegal turn"),
        ("gipf", "x", "turn 1: "),
        ("gipf", "d7 " * 1_000_000, "expected at most 10,000 turns, got more"),
    ],
)
def test_a_bad_text_is_refused_in_one_line(spec, text, complaint):
    parsed = GameSpec.parse(spec)
    with pytest.raises(TengenError) as error:
        TRANSCRIPTS[parsed.game.name].read(text, parsed)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "record",
    [
        Record(DVONN, random_position(DVONN, 3, random.Random(0)).text()),
        Record(GameSpec.parse("gipf"), position("gipf", "c3=w d4=w e5=w 9 9 w --")),
        Record(GameSpec.parse("gipf:basic,zertz=1")),
        Record(GameSpec.parse("gipf:basic,zertz=1,challenges=1")),
    ],
)
def test_what_a_text_cannot_hold_is_refused(record):
    with pytest.raises(TengenError, match="record: expected"):
        TRANSCRIPTS[record.spec.game.name].write(record)


def test_games_without_texts_are_refused(tmp_path):
    with pytest.raises(TengenError, match=r"expected one of dvonn, gipf, gobang, gomoku for .txt, got zertz"):
        files.write([Record(GameSpec.parse("zertz"))], tmp_path / "game.txt")


@pytest.mark.parametrize("module", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_random_texts_are_read_or_refused(module):
    generator = random.Random(7)
    pieces = [
        "a1",
        "b2-",
        "-c3",
        "x",
        "G",
        ";",
        ",",
        "*",
        "(3)",
        " ",
        "\n",
        "1.",
        "pass",
        "resign",
        "[",
        "]",
        "#",
        "é",
    ]
    for _ in range(scaled(200)):
        text = "".join(generator.choices(pieces, k=generator.randrange(30)))
        module.recognize(text)
        with contextlib.suppress(TengenError):
            module.read(text, GameSpec.parse(module.__name__.split(".")[-2]))
