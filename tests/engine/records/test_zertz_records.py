"""Records of the public archive of ZÈRTZ games are read as games of this house."""

import contextlib
import random
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen.engine import sgf
from tengen.engine.errors import IllegalTurnError, NotationError, TengenError
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.tuning.openings import random_position
from tests import ROOT
from tests.engine.records import comments, info, tree
from tests.reference.zertz import COLUMNS
from tests.walks import scaled

ARCHIVE = ROOT.parent / "shared" / "records" / "zertz"
SAMPLES = sorted(ARCHIVE.glob("*.sgf"))
BUILT = "a board that the players have built ring by ring"
DEFECTS = {f"zertz-plus-xx-{number:03}.sgf": BUILT for number in range(10)}  # what our rules refuse, and why
SETUPS = {"37": "Zertz", "48": "Zertz+11", "61": "Zertz+24"}

needs_samples = pytest.mark.skipif(not SAMPLES, reason=f"no samples of the archive in {ARCHIVE}")


def spec_of(rings: str) -> str:
    """Return the game that the archive plays on the board with so many rings."""
    return str(GameSpec.parse(f"zertz:tournament,isolation=auto,rings={rings}"))


def record(*entries: str, setup: str = "Zertz", root: str = "") -> str:
    """Return the text of a record with entries such as ``P0[1 RtoB 2 2 D 6]``."""
    lines = [" (;", "GM[22]VV[2]", f"SU[{setup}]{root}", 'P0[id "Ann"]', 'P1[id "Bob"]']
    return "\n".join([*lines, *(f"; {entry}" for entry in entries), ";", "P0[time 0:01:02 ]", ")", " "])


def turns_of(*entries: str) -> list[str]:
    """Return the texts of the turns in a record with these entries."""
    return [turn for _, turn in sgf.parse(record(*entries)).turns]


# ------------------------------------------------------------------------------------------------ the archive


@needs_samples
@pytest.mark.parametrize("path", [path for path in SAMPLES if path.name not in DEFECTS], ids=lambda p: p.name)
def test_game_of_the_archive_is_played_to_its_end(path):
    read = sgf.read_file(path)
    last = sgf.position(read)
    (result,) = read.properties["RE"]
    if result.endswith("+R"):
        assert last.outcome() == Outcome.ONGOING
    else:
        assert last.outcome() != Outcome.ONGOING
        assert last.result() == result


@needs_samples
@pytest.mark.parametrize("path", [path for path in SAMPLES if path.name in DEFECTS], ids=lambda p: p.name)
def test_defect_of_the_archive_is_explained(path):
    with pytest.raises(TengenError) as refusal:
        sgf.position(sgf.read_file(path))
    assert DEFECTS[path.name] in str(refusal.value)
    assert str(refusal.value).isprintable()


@needs_samples
@pytest.mark.parametrize("rings", COLUMNS)
def test_columns_of_the_archive_are_as_long_as_ours(rings):
    tops: defaultdict[str, int] = defaultdict(int)
    for path in SAMPLES:
        text = path.read_text("latin-1")
        if f"SU[{SETUPS[rings]}]" in text:
            for column, row in re.findall(r" ([A-Z]) (\d+)", text):
                tops[column] = max(tops[column], int(row))
    assert [tops[column] for column in sorted(tops)] == list(COLUMNS[rings])


@needs_samples
def test_winners_of_the_archive_are_ours():
    """Colours, goals and claims are understood if the board says the same as ``Game won by NAME``."""
    named = 0
    for path in SAMPLES:
        said = re.search(r"RE\[Game won by ([^\]]+)\]", path.read_text("latin-1"))
        if said and path.name not in DEFECTS:
            read = sgf.read_file(path)
            side = "WB".index(read.properties["RE"][0][0])
            if said[1] in (read.properties["PW"] + read.properties["PB"]):
                assert read.properties[f"P{'WB'[side]}"] == [said[1]]
                named += 1
    assert named >= 30


# ---------------------------------------------------------------------------------------- our own games in it


class Scribe:
    """Writes a game as the archive would: random corrections, either case, with or without ``Done``.

    The player `first` of the archive, 0 or 1, begins. Words may be in `lower` case; turns end with ``Done``
    if `dones`.
    """

    def __init__(self, generator: random.Random, first: int, lower: bool, dones: bool) -> None:
        self._generator = generator
        self._first = first
        self._lower = lower
        self._dones = dones
        self._number = 0

    def entries(self, game: Position) -> Iterator[str]:
        """Yield the entries of a game."""
        yield self._entry(0, f"Start P{self._first}")
        position = Position.start(game.spec)
        for turn in game.turns_played:
            player = position.side_to_move ^ self._first
            source = 2 if position.state.pool.any() else player
            for words in self._gestures(turn, source):
                yield self._entry(player, words)
            position.push(turn)

    def _entry(self, player: int, words: str) -> str:
        word, *rest = words.split(" ", 1)
        entry = f"P{player}[{self._number} {' '.join([word.lower() if self._lower else word, *rest])}]"
        self._number += 1
        return entry + self._generator.choice(["", "TM[1234]"])

    def _gestures(self, turn: str, source: int) -> Iterator[str]:
        """Yield what the player of a turn did; marbles come from `source`."""
        rings = [f"{name[0].upper()} {name[1]}" for name in re.findall("[a-i][1-9]", turn)]
        if turn.startswith("x"):
            yield from self._jumps(rings)
        else:
            colour, removed = "WGB".index(turn[0]), rings[1:2] if "," in turn else []
            gestures = [[f"R- {ring}"] for ring in removed] + [
                list(self._placement(source, colour, rings[0]))
            ]
            self._generator.shuffle(gestures)
            for gesture in gestures:
                yield from gesture
            yield from self._second_thoughts(removed)
        if self._dones:
            yield self._generator.choice(["Done", "Done "])

    def _jumps(self, rings: list[str]) -> Iterator[str]:
        for source, target in pairwise(rings):
            yield f"BtoB {source} {target}"
            if self._generator.random() < 0.1:
                yield from (f"BtoB {target} {source}", f"BtoB {source} {target}")

    def _placement(self, source: int, colour: int, ring: str) -> Iterator[str]:
        put = f"RtoB {source} {colour}"
        match self._generator.randrange(5):
            case 0:
                yield from (f"RtoR {source} {colour} {source}", f"{put} {ring}")
            case 1:
                yield from ("RtoB 2 0 D 2", "BtoR D 2 2", f"{put} {ring}")
            case 2:
                yield from (f"{put} D 2", f"BtoB D 2 {ring}")
            case 3:
                yield from (f"{put} {ring}", f"BtoB {ring} {ring}")
            case _:
                yield f"{put} {ring}"

    def _second_thoughts(self, removed: list[str]) -> Iterator[str]:
        for ring in removed:
            if self._generator.random() < 0.1:
                yield from (f"R+ {ring}", "OfferDraw", f"R- {ring}")


@pytest.mark.parametrize("rings", SETUPS)
@pytest.mark.parametrize("dones", [True, False], ids=["dones", "no dones"])
def test_our_games_are_read_back_from_the_dialect(rings, dones):
    spec = GameSpec.parse(spec_of(rings))
    for seed in range(scaled(12)):
        generator = random.Random(seed)
        last = random_position(spec, 1000, generator)
        first, lower = seed % 2, seed % 3 == 0
        text = record(*Scribe(generator, first, lower, dones).entries(last), setup=SETUPS[rings])
        if seed % 4 == 0:
            text = text.replace("\n", "\r\n")
        read = sgf.parse(text)
        assert read.spec == spec
        assert [side for side, _ in read.turns] == [index % 2 for index in range(len(last.turns_played))]
        assert sgf.position(read).turns_played == last.turns_played
        assert read.properties["PW"] == [["Ann"], ["Bob"]][first]
        assert read.properties["RE"] == [last.result()]


def test_record_becomes_one_of_ours():
    read = sgf.parse(record("P0[0 Start P0]", "P0[1 RtoB 2 2 D 6]TM[5]C[bold]", "P0[2 R- D 7]", "P0[3 Done]"))
    assert sgf.write(read).splitlines() == [
        "(;FF[4]GM[22]CA[UTF-8]AP[tengen:0.2.0]",
        "TG[zertz:tournament,isolation=auto]",
        "PW[Ann]",
        "PB[Bob]",
        ";W[Bd6,d7]TM[5]C[bold])",
    ]
    assert tree(sgf.parse(sgf.write(read)).root) == tree(read.root)


# --------------------------------------------------------------------------------------------------- gestures

OPENING = ["P0[1 RtoB 2 2 D 6]", "P0[2 R- D 7]", "P0[3 Done]"]
ANSWER = ["P1[4 RtoB 2 0 G 1]", "P1[5 R- C 1]", "P1[6 Done]"]


@pytest.mark.parametrize(
    ("entries", "turns"),
    [
        ([*OPENING, *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        (["P0[1 R- D 7]", "P0[2 RtoB 2 2 D 6]", "P0[3 Done]"], ["Bd6,d7"]),
        (["P0[RtoB 2 2 D 6]", "P0[R- D 7]", "P0[Done]"], ["Bd6,d7"]),
        ([*OPENING[:2], *ANSWER[:2]], ["Bd6,d7", "Wg1,c1"]),
        (["P0[1 RtoB 2 2 D 6][2 R- D 7][3 Done]", *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        (["P-1[0 Start P0]", *OPENING], ["Bd6,d7"]),
        (["P0[1 RtoB 2 2 D 5]", "P0[2 Pickb D 5]", "P0[2 RtoB 2 2 D 6]", "P0[3 R- D 7]"], ["Bd6,d7"]),
        ([*OPENING, "P1[4 Done]", *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        ([*OPENING, "P0[4 Edit]", "P1[5 Start P1]", *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        ([*OPENING, *ANSWER, "P0[7 Edit]", "P0[8 RtoB 2 0 A 1]"], ["Bd6,d7", "Wg1,c1"]),
        ([*OPENING, "P0[3 Swap]", "P1[3 OfferDraw]", "P0[3 DeclineDraw]", *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        ([*OPENING, "P1[4 Resign]", *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        # taken back: what is in hand
        ([*OPENING, "P1[4 RtoB 2 0 A 1]", "P1[5 Undo]", *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        ([*OPENING, "P1[4 RtoB 2 0 A 1]", "P1[5 reset]", *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        ([*OPENING, "P1[4 reset]", *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        # taken back: as many turns as make who plays next the one to play
        ([*OPENING, "P0[4 Undo]", "P0[5 RtoB 2 1 A 1]", "P0[6 R- D 7]", *ANSWER], ["Ga1,d7", "Wg1,c1"]),
        ([*OPENING, "P0[4 PleaseUndo]", "P1[4 AllowUndo]", *OPENING, *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        ([*OPENING, "P1[4 Undo]", *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        ([*OPENING, *ANSWER, "P1[7 Undo]", "P0[7 Undo]", *OPENING, *ANSWER], ["Bd6,d7", "Wg1,c1"]),
        # at the end: what was not finished
        ([*OPENING, "P1[4 RtoB 2 0 G 1]"], ["Bd6,d7"]),
        ([*OPENING, "P1[4 R- G 1]"], ["Bd6,d7"]),
        ([*OPENING, *ANSWER[:2]], ["Bd6,d7", "Wg1,c1"]),
        ([*OPENING, "P1[4 RtoB 2 0 G 1]", "P1[5 Resign]", "P1[6 Done]"], ["Bd6,d7"]),
    ],
)
def test_gestures_come_to_turns(entries, turns):
    assert turns_of(*entries) == turns


CAPTURE = [
    *OPENING,
    *["P1[4 RtoB 2 0 D 5]", "P1[5 R- A 1]", "P1[6 Done]"],
    *["P0[7 BtoB D 6 D 4]", "P0[8 Done]"],
]


def test_capture_is_read():
    assert turns_of(*CAPTURE) == ["Bd6,d7", "Wd5,a1", "xd6d4"]
    assert sgf.position(sgf.parse(record(*CAPTURE))).turns_played[-1] == "xd6Wd4"


def test_jumps_that_must_go_on_are_left_out_at_the_end():
    start = [
        *["P0[RtoB 2 2 A 1]", "P0[R- A 4]", "P1[RtoB 2 2 C 4]", "P1[R- D 7]"],
        *["P0[RtoB 2 2 B 2]", "P0[R- G 4]"],
    ]
    played = ["Ba1,a4", "Bc4,d7", "Bb2,g4"]
    assert turns_of(*start, "P1[BtoB A 1 C 3]") == played
    assert turns_of(*start, "P1[BtoB A 1 C 3]", "P1[BtoB C 3 C 5]") == [*played, "xa1c3c5"]


def test_what_follows_the_end_of_the_game_is_left_out():
    spec = GameSpec.parse(spec_of("37"))
    last = random_position(spec, 1000, random.Random(5))
    assert last.outcome() != Outcome.ONGOING
    entries = list(Scribe(random.Random(5), 0, False, True).entries(last))
    read = sgf.parse(record(*entries, "P0[900 RtoB 2 0 A 1]", "P0[901 Done]", "P1[902 BtoB A 1 A 3]"))
    assert sgf.position(read).turns_played == last.turns_played


def test_moves_may_be_in_the_root():
    text = '(;GM[22]SU[ZERTZ]P0[id "x"][1 RtoB 2 2 D 6][2 R- D 7][3 Done];P1[4 rtob 2 0 G 1]P1[5 r- C 1])'
    assert sgf.parse(text).turns == [(0, "Bd6,d7"), (1, "Wg1,c1")]


# --------------------------------------------------------------------------------- players, results, comments


@pytest.mark.parametrize(
    ("root", "entries", "result"),
    [
        ("RE[Game won by Ann]", OPENING, "W+"),
        ("RE[Game won by Bob]", OPENING, "B+"),
        ("RE[Игру выиграл(а) Bob.]", OPENING, "B+"),
        ("RE[Game won by Bob]", [*OPENING, "P1[4 WinOnTime]"], "B+T"),
        ("RE[Game won by Ann]", [*OPENING, "P1[4 Resign]", "P1[5 Done]"], "W+R"),
        ("", [*OPENING, "P1[4 Resign]"], "W+R"),
        ("", [*OPENING, "P1[4 Resign]", "P1[5 Resign]"], None),
        ("", [*OPENING, "P1[4 OfferDraw]", "P0[5 AcceptDraw]"], "0"),
        ("RE[Partida ganada por invitado]", OPENING, "Partida ganada por invitado"),
        ("RE[Game won by Bobby]", OPENING, "Game won by Bobby"),
        ("", OPENING, None),
    ],
)
def test_results_are_as_sgf_has_them(root, entries, result):
    assert sgf.parse(record(*entries, root=root)).properties.get("RE") == ([result] if result else None)


def test_who_plays_first_is_white():
    entries = [entry.replace("P0[", "P1[") for entry in OPENING]
    root = "GN[a game]DT[May 1]P0[ranking 1500]P1[ranking 1209]RE[Game won by Ann]TC[None]"
    read = sgf.parse(record("P0[0 Start P1]", *entries, root=root))
    assert read.turns == [(0, "Bd6,d7")]
    assert info(read) == {
        **{"PW": ["Bob"], "PB": ["Ann"], "WR": ["1209"], "BR": ["1500"]},
        **{"GN": ["a game"], "DT": ["May 1"], "RE": ["B+"]},
    }


def test_beginner_is_white_before_the_first_turn():
    assert sgf.parse(record("P0[0 Start P1]")).properties["PW"] == ["Bob"]


def test_comments_stay_with_their_turns():
    read = sgf.parse(record("P0[0 Start P0]C[a]", "P0[1 RtoB 2 2 D 6]C[b]", *OPENING[1:], "P1[6 R- A 1]C[c]"))
    assert read.properties["C"] == ["a"]
    assert comments(read) == {0: "b\nc"}


@pytest.mark.parametrize("name", ["a]b", "]]", "a [b] c", "a\\]b", "a\\\\", "Zoë", "x;(y"])
def test_names_may_hold_anything(name):
    read = sgf.parse(record(*OPENING, root=f"GN[{name}]"))
    assert read.properties["GN"] == [name.replace("\\]", "]").replace("\\\\", "\\")]
    assert len(read.turns) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "cp1252"])
def test_files_are_read_in_any_encoding(tmp_path, encoding):
    path = tmp_path / "game.sgf"
    path.write_bytes(record(*OPENING, root="GN[Zoë]").replace("\n", "\r\n").encode(encoding))
    assert sgf.read_file(path).properties["GN"] == ["Zoë"]


# -------------------------------------------------------------------------------------------------- handicaps


def test_marbles_given_before_the_start_are_captures():
    """After the source of Boardspace's viewer; no record of such a game was at hand."""
    given = ["P0[0 RtoR 2 0 1]", "P0[1 RtoR 2 2 1]", "P0[2 RtoR 2 1 0]", "P0[3 RtoR 0 1 2]"]
    opening = ["P0[4 Start P0]", "P0[5 RtoB 2 2 D 6]", "P0[6 R- D 8]", "P0[7 Done]"]
    read = sgf.parse(record(*given, *opening, setup="Zertz+H"))
    assert read.spec == GameSpec.parse(spec_of("48"))
    assert read.start.split()[1:] == ["5,8,9", "0,0,0", "1,0,1", "1"]
    assert sgf.position(read).turns_played == ("Bd6,d8",)
    chosen = sgf.parse(record("P0[0 SetBoard Zertz]", *given, "P0[4 Start P1]", setup="Zertz+H"))
    assert chosen.spec == GameSpec.parse(spec_of("37"))
    assert chosen.start.split()[2:] == ["1,0,1", "0,0,0", "1"], "who begins has the marbles given"
    with pytest.raises(NotationError, match="expected marbles given to a player before the start, got 'rtob"):
        sgf.parse(record("P0[0 RtoB 2 0 D 4]", "P0[4 Start P0]", setup="Zertz+H"))


# --------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (record(*OPENING, setup="Zertz+xx"), f"37, 48, 61 rings, got SU[Zertz+xx], {BUILT}"),
        (record(*OPENING, setup="Zertz+7"), "expected SU[Zertz], SU[Zertz+11], SU[Zertz+24], got 'Zertz+7'"),
        ("(;GM[22])", "expected SU[Zertz], SU[Zertz+11], SU[Zertz+24], got ''"),
        (record(*OPENING)[:70], "cut off: the value that begins in line"),
        (record("P0[1 Jump 2 2 D 6]"), "move 1: expected a move such as RtoB 2 0 D 4, got '1 Jump 2 2 D 6'"),
        (record("P0[1 RtoB 2 7 D 6]"), "move 1: expected RtoB as in the archive, got '1 RtoB 2 7 D 6'"),
        (record("P0[1 RtoB 2 0 D]"), "move 1: expected RtoB as in the archive"),
        (record("P0[1 RtoB 2 0 H 1]"), "move 1: expected a ring of the board, A 1 to g4, got 'H 1'"),
        (record("P0[1 R- D 8]"), "move 1: expected a ring of the board, A 1 to g4, got 'D 8'"),
        (record("P0[1 RtoB 2 0 D 0]"), "got 'D 0'"),
        (record("P0[1 RtoB 2 0 A 1]", "P0[2 RtoB 2 0 A 2]"), "move 2: expected one marble put on the board"),
        (record("P0[1 R- A 1]", "P0[2 R- D 7]"), "move 2: expected one ring removed in a turn"),
        (record("P0[1 R- A 1]", "P0[2 R+ D 7]"), "move 2: expected only a ring of this turn to be put back"),
        (record("P0[1 BtoR A 1 2]"), "move 1: expected only a marble of this turn to be taken back"),
        (record("P0[1 RtoR 2 0 1]"), "move 1: expected marbles to be moved within a pool"),
        (record("P0[1 RtoB 2 0 A 1]", "P0[2 BtoB A 3 A 4]"), "move 2: expected a placement or a capture"),
        (record("P0[1 BtoB A 1 A 3]", "P0[2 BtoB D 7 D 5]"), "move 2: expected one marble to jump in a turn"),
        (
            record("P0[RtoB 0 0 A 1]", "P0[R- D 7]"),
            "turn 1: expected a marble from the pool, got one from the cap",
        ),
        (record("P0[1 R- A 1]", "P0[2 Done]"), "turn 1: expected a marble besides the ring a1, got none"),
        (
            record("P0[1 Edit]", "P0[2 R- A 1]", "P0[3 Start P0]"),
            "move 3: expected a game played from the start",
        ),
    ],
    ids=lambda text: None if text.startswith((" (", "(")) else text[:30],
)
def test_what_is_no_game_of_ours_is_refused(text, message):
    with pytest.raises(NotationError) as refusal:
        sgf.parse(text)
    assert message in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (["P0[1 RtoB 2 0 D 4]", "P0[2 R- D 5]", "P0[3 Done]"], "turn 1: illegal turn 'Wd4,d5'"),
        ([*OPENING, "P1[4 RtoB 2 0 D 6]", "P1[5 R- A 1]", "P1[6 Done]"], "turn 2: illegal turn 'Wd6,a1'"),
        ([*OPENING, "P1[4 RtoB 2 0 A 1]", "P1[5 Done]"], "turn 2: illegal turn 'Wa1'"),
        (
            [*OPENING, *(e.replace("P1", "P0") for e in ANSWER)],
            "turn 2: illegal turn 'Wg1,c1': it is second's",
        ),
        ([*CAPTURE[:6], *ANSWER], "turn 3: illegal turn 'Wg1,c1'"),
        ([*OPENING, "P1[4 Pass]", "P1[5 Done]"], "turn 2: illegal turn 'pass'"),
        ([*OPENING, "P1[4 RtoB 2 0 D 6]", "P1[5 R- A 1]"], "turn 2: illegal turn 'Wd6,a1'"),
        ([*OPENING, "P1[4 RtoB 2 0 D 6]"], "turn 2: illegal turn 'Wd6'"),
        ([*OPENING, "P1[4 BtoB A 1 A 3]"], "turn 2: illegal turn 'xa1a3'"),
    ],
)
def test_illegal_turns_are_named(entries, message):
    with pytest.raises(IllegalTurnError) as refusal:
        sgf.position(sgf.parse(record(*entries)))
    assert message in str(refusal.value)
    assert str(refusal.value).isprintable()


WORDS = [
    "RtoB",
    "BtoB",
    "BtoR",
    "RtoR",
    "R-",
    "R+",
    "Pickb",
    "Pass",
    "Done",
    "Start",
    "Edit",
    "Undo",
    "Resign",
]
WORDS += ["0", "1", "2", "A", "D", "H", "6", "7", "P1", "x", "]", "\\", "\0"]


@given(
    st.lists(
        st.tuples(st.sampled_from(["P0", "P1", "P-1", "C", "W", "TP"]), st.lists(st.sampled_from(WORDS)))
    )
)
@settings(max_examples=scaled(300))
def test_no_log_crashes_the_reader(entries):
    text = record(*(f"{name}[{number} {' '.join(words)}]" for number, (name, words) in enumerate(entries)))
    with contextlib.suppress(TengenError):
        sgf.position(sgf.parse(text))


def test_long_nonsense_is_refused_quickly():
    jumps = "P0[BtoB A 1 A 3]" + "P0[BtoB A 3 D 4][BtoB D 4 A 3]" * 50_000 + "P0[BtoB A 3 D 4]P0[Done]"
    with pytest.raises(IllegalTurnError):
        sgf.position(sgf.parse(record(jumps)))
    with pytest.raises(NotationError):
        sgf.parse("(;GM[22]C[" + "]a" * 500_000)


def test_records_of_other_games_do_not_load_zertz():
    code = (
        "import sys; from engine import sgf; sgf.parse('(;GM[4];B[hh])');"
        "print([name for name in sys.modules if name.startswith('tengen.engine.zertz.')])"
    )
    reply = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert reply.stdout.strip() == "[]"
