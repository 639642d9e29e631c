"""Boardspace's records of GIPF and DVONN, written after its public sources; none was at hand."""

import contextlib
import random
import re
from collections.abc import Iterator

import pytest

from tengen.engine import sgf
from tengen.engine.errors import IllegalTurnError, NotationError, TengenError
from tengen.engine.gipf.board.turns import removed_spots
from tengen.engine.gipf.rules import do_move
from tengen.engine.gipf.state import (
    GIPF_PIECE,
    LINE_CELLS,
    LINE_LENGTH,
    LINES,
    NAMES,
    OPENING_ROWS,
    PUSH_NAMES,
    PUSHES,
    REMOVE,
    SPOT_NAMES,
    TOURNAMENT,
)
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.tuning.openings import random_position
from tests.engine.records import info, tree
from tests.walks import scaled


def record(*entries: str, game: str = "gipf", setup: str = "gipf", root: str = "") -> str:
    """Return the text of a record with entries such as ``P0[1 Dropb A 1]``."""
    lines = ["(;", f"GM[{game}]VV[2]CM[0,1]", f"SU[{setup}]{root}", 'P0[id "Ann"]', 'P1[id "Bob"]']
    return "\n".join([*lines, *(f"; {entry}" for entry in entries), ")"])


def turns_of(*entries: str, **options: str) -> list[str]:
    return [turn for _, turn in sgf.parse(record(*entries, **options)).turns]


def place(name: str) -> str:
    """Return a place as the archive writes it."""
    return f"{name[0].upper()} {name[1]}"


def archived(spec: str, seed: int) -> tuple[Position, str]:
    """Return a random game, and its text in the dialect with random corrections."""
    generator = random.Random(seed)
    last = random_position(GameSpec.parse(spec), 400, generator)
    position, entries = Position.start(last.spec), ["P0[0 Start P0]"]
    gestures = {"dvonn": dvonn_gestures, "gipf": gipf_gestures}[last.spec.game.name]
    for turn in last.turns_played:
        player = position.side_to_move
        for words in (*gestures(position, turn, generator), "Done"):
            entries.append(f"P{player}[{len(entries)} {words}]TM[5]")
        position.push(turn)
    name = last.spec.game.name
    variant = last.spec.values.get("rules")
    setup = name if variant in (None, "basic") else f"{name}-{variant} 0 102"
    return last, record(*entries, game=name, setup=setup)


def dvonn_gestures(position: Position, turn: str, generator: random.Random) -> Iterator[str]:
    """Yield what the player of a turn did."""
    if turn == "pass":
        yield "Pass"
    elif len(turn) == 2:
        yield from generator.choice([[], ["Pick wr 0"], ["Pick wr 0", "Drop wr 0"]])
        yield f"Dropb {place(turn)}"
        if generator.random() < 0.2:
            yield from (f"Pickb {place(turn)}", f"Dropb {place(turn)}")
    else:
        source, target = place(turn[:2]), place(turn[2:])
        yield from generator.choice(
            [
                [f"Move {source} {target}"],
                [f"Pickb {source}", f"Dropb {target}"],
                [f"Pickb {source}", f"Dropb {source}", f"Pickb {source}", f"Dropb {target}"],
                [f"Pickb {source}", f"Dropb {target}", f"Pickb {target}", f"Dropb {target}"],
            ]
        )


def gipf_gestures(position: Position, turn: str, generator: random.Random) -> Iterator[str]:
    """Yield what the player of a turn did. A row is taken by a basic piece that stands in no other one."""
    s = position.state.copy()
    kept: set[str] | None = None  # GIPF-pieces that stay unless the player says otherwise
    for action in position.parse_turn(turn):
        if action < REMOVE:
            yield from _push(s, *divmod(int(action), PUSHES), generator)
            kept = None
        else:
            rows = _rows(s)
            kept = _kept(s, rows) if kept is None else kept
            line = (int(action) - REMOVE) // 128
            taken = set(removed_spots(int(action)))
            for spot in rows[line]:
                if int(s.gipf) >> NAMES[spot] & 1 and (spot in taken) == (spot in kept):
                    yield f"{'Remove' if spot in taken else 'Preserve'} {place(spot)}"
                    kept ^= {spot}
            others = {spot for other, row in rows.items() if other != line for spot in row}
            alone = [spot for spot in taken if spot not in others and not int(s.gipf) >> NAMES[spot] & 1]
            yield from (f"Remove {place(spot)}" for spot in alone[:1])
            if alone and s.stage == OPENING_ROWS:
                kept = None
        do_move(s, action)


def _push(s, kind: int, push: int, generator: random.Random) -> Iterator[str]:
    if s.rules == TOURNAMENT and s.placing[s.side_to_move] and kind != GIPF_PIECE:
        yield "Standard"
    dot, spot = map(place, PUSH_NAMES[push])
    yield from generator.choice(
        [
            [f"Slide {dot} {spot}"],
            [f"Pslide None {dot} {spot}"],
            ["Pick wr 0", f"Dropb {dot}", f"Dropb {spot}"],
            [f"Dropb {dot}", f"SlideFrom {dot} {spot}"],
            ["Dropb A 1", "Pickb A 1", f"Pdrop None {dot}", f"Dropb {spot}"],
            [f"Slide {dot} {spot}", f"Pickb {spot}", f"Dropb {spot}"],
        ]
    )


def _rows(s) -> dict[int, list[str]]:
    """Return the spots of the rows of the side to move, by line."""
    own, other = (int(s.pieces[side]) for side in (int(s.side_to_move), 1 - int(s.side_to_move)))
    found = {}
    for line in range(LINES):
        cells = LINE_CELLS[line, : LINE_LENGTH[line]].tolist()
        pieces = "".join("o" if own >> cell & 1 else "x" if other >> cell & 1 else "." for cell in cells)
        if row := re.search("[ox]*oooo[ox]*", pieces):
            found[line] = [SPOT_NAMES[cell] for cell in cells[row.start() : row.end()]]
    return found


def _kept(s, rows: dict[int, list[str]]) -> set[str]:
    """Return the GIPF-pieces in rows that stay by default: the player's, and those where rows cross."""
    own = int(s.pieces[int(s.side_to_move)])
    spots = [spot for row in rows.values() for spot in row if int(s.gipf) >> NAMES[spot] & 1]
    return {spot for spot in spots if own >> NAMES[spot] & 1 or spots.count(spot) > 1}


@pytest.mark.parametrize("spec", ["dvonn", "gipf:basic", "gipf:standard", "gipf:tournament"])
def test_our_games_are_read_back_from_the_dialect(spec):
    for seed in range(scaled(30)):
        last, text = archived(spec, seed)
        read = sgf.parse(text)
        assert read.spec == last.spec
        assert sgf.position(read).turns_played == last.turns_played, seed


# --------------------------------------------------------------------------------------------------- gestures

PUSH = ["P0[1 Pick wr 0]", "P0[2 Dropb A 1]", "P0[3 Dropb B 2]", "P0[4 Done]"]
REPLY = ["P1[5 Slide I 5 H 5]", "P1[6 Done]"]


@pytest.mark.parametrize(
    ("entries", "turns"),
    [
        ([*PUSH, *REPLY], ["a1-b2", "i5-h5"]),
        (["P0[1 Dropb A 1]", "P0[2 Pickb A 1]", "P0[3 Dropb A 2]", "P0[4 Dropb B 3]"], ["a2-b3"]),
        (["P0[1 Dropb A 1]", "P0[2 Dropb A 2]", "P0[3 Dropb B 3]"], ["a2-b3"]),
        (["P0[1 Slide A 1 B 2]", "P0[2 Pickb B 2]", "P0[3 Dropb A 2]", "P0[4 Dropb B 2]"], ["a2-b2"]),
        (["P0[1 Pick wr 0]", "P0[2 Dropb A 1]", "P0[3 Drop wr 0]", *PUSH], ["a1-b2"]),
        (["P0[1 Dropb A 1]", "P0[2 Reset]", *PUSH], ["a1-b2"]),
        ([*PUSH, "P1[5 Undo]", *REPLY], ["a1-b2", "i5-h5"]),
        ([*PUSH, "P0[5 Undo]", "P0[6 Slide A 2 B 3]", "P0[7 Done]", *REPLY], ["a2-b3", "i5-h5"]),
        ([*PUSH, *REPLY, "P0[7 Dropb A 2]"], ["a1-b2", "i5-h5"]),
        ([*PUSH, *REPLY, "P0[7 Resign]", "P0[8 Done]"], ["a1-b2", "i5-h5"]),
        (["P0[Slide a 1 b 2]", "P1[Slide I 5 H 5]"], ["a1-b2", "i5-h5"]),
    ],
)
def test_gestures_of_gipf_come_to_turns(entries, turns):
    assert turns_of(*entries) == turns


def test_standard_pieces_end_the_gipf_pieces_of_the_tournament_game():
    entries = [
        *("P0[1 Slide A 1 B 2]", "P0[2 Done]", "P1[3 Slide I 5 H 5]", "P1[4 Done]"),
        *("P0[5 Standard]", "P0[6 Slide A 2 B 3]", "P0[7 Done]", "P1[8 Standard]", "P1[9 Standard]"),
        *("P1[10 Slide E 9 E 8]", "P1[11 Done]", "P0[12 Slide A 3 B 4]", "P0[13 Done]"),
    ]
    played = ["Ga1-b2", "Gi5-h5", "a2-b3", "Ge9-e8", "a3-b4"]
    assert turns_of(*entries, setup="Gipf-tournament") == played


@pytest.mark.parametrize("named", ["E 2", "H 2", "D 1", "I 2", None])
def test_a_row_is_named_by_a_piece_or_a_dot_or_left_to_the_end_of_the_turn(named):
    pushes = "i3-h4 d1-e2 i2-h2 a2-b2 b6-b5 i5-h5 f1-e2 e9-e8 d1-d2 i3-h4 i4-h4 c1-c2 f1-f2 c7-d7 g1-g2"
    entries = [
        f"P{number % 2}[Slide {place(dot)} {place(spot)}]P{number % 2}[Done]"
        for number, (dot, spot) in enumerate(push.split("-") for push in pushes.split())
    ]
    entries[-1] = entries[-1].removesuffix("P0[Done]")
    entries += [f"P0[Remove {named}]"] if named else []
    assert turns_of(*entries, "P0[Done]", setup="gipf-standard")[-1] == "g1-g2;xe2,f2,g2,h2"


@pytest.mark.parametrize(
    ("entries", "turns"),
    [
        (["P0[1 Pick wr 2]", "P0[2 Dropb C 3]", "P0[3 Done]", "P1[4 Dropb D 4]", "P1[5 Done]"], ["c3", "d4"]),
        (["P0[1 Dropb C 3]", "P0[2 Pickb C 3 2]", "P0[3 Dropb D 3]", "P0[4 Done]"], ["d3"]),
        (["P0[1 Dropb C 3]", "P0[2 Pick wr 2]", "P0[3 Dropb K 3]"], ["k3"]),
        (["P0[1 Dropb C 3]", "P0[2 Done]", "P1[3 Pick br 2]", "P1[4 Drop br 2]"], ["c3"]),
    ],
)
def test_gestures_of_dvonn_come_to_turns(entries, turns):
    assert turns_of(*entries, game="Dvonn", setup="dvonn 12345") == turns


def test_results_and_names_are_as_sgf_has_them():
    read = sgf.parse(record(*PUSH, "P1[5 Resign]", "P1[6 Done]", root="RE[Game won by Ann]DT[May 1]"))
    assert info(read) == {"PW": ["Ann"], "PB": ["Bob"], "DT": ["May 1"], "RE": ["W+R"]}
    assert tree(sgf.parse(sgf.write(read)).root) == tree(read.root)


# --------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            record(*PUSH, setup="Gipf-matrx"),
            "a game on the board of GIPF, got SU[Gipf-matrx], one on that of MATRX",
        ),
        (record(*PUSH, setup="x"), "expected SU[Gipf], SU[Gipf-standard], SU[Gipf-tournament], got 'x'"),
        (record(game="Dvonn", setup="x"), "expected SU[Dvonn], got 'x'"),
        (record("P0[1 Jump A 1]"), "move 1: expected a move such as Dropb A 1, got '1 Jump A 1'"),
        (record("P0[1 Dropb A 9]"), "move 1: expected a place of the board, A 1 to i5, got 'A 9'"),
        (record("P0[1 Pslide Zertz A 1 B 2]"), "move 1: expected Pslide as in the archive"),
        (
            record("P0[1 Dropb B 2]"),
            "move 1: expected a push from a dot to the spot next to it, got one to b2",
        ),
        (record("P0[1 Slide A 1 C 3]"), "move 1: expected a push from a dot to the spot next to it"),
        (
            record("P0[1 Slide A 1 B 2]", "P0[2 Dropb A 2]"),
            "move 2: expected one push in a turn, got another one",
        ),
        (record("P0[1 Pickb B 2]"), "move 1: expected only a piece of this turn to be picked up"),
        (record("P0[1 Edit]", "P0[2 Pickb B 2]", "P0[3 Start P0]"), "expected a game played from the start"),
        (
            record("P0[1 Dropb C 3]", "P0[2 Dropb C 4]", game="Dvonn", setup="Dvonn"),
            "move 2: expected one piece put down in a turn, got another one on c4",
        ),
        (
            record("P0[1 Dropb C 3]", "P0[2 Pickb D 3]", game="Dvonn", setup="Dvonn"),
            "move 2: expected one stack moved in a turn, got the one on d3 as well",
        ),
        (record("P0[1 Dropb A 4]", game="Dvonn", setup="Dvonn"), "a cell of the board, A 1 to k5, got 'A 4'"),
    ],
    ids=lambda text: None if text.startswith("(") else text[:30],
)
def test_what_is_no_game_of_ours_is_refused(text, message):
    with pytest.raises(NotationError) as refusal:
        sgf.parse(text)
    assert message in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (record(*PUSH, *[entry.replace("P1", "P0") for entry in REPLY]), "turn 2: illegal turn 'i5-h5'"),
        (record(*PUSH, "P1[5 Remove B 2]", "P1[6 Done]", *REPLY), "turn 2: illegal turn ''"),
        (
            record("P0[1 Dropb C 3]", "P1[2 Dropb C 3]", game="Dvonn", setup="Dvonn"),
            "turn 2: illegal turn 'c3'",
        ),
        (record("P0[1 Pass]", game="Dvonn", setup="Dvonn"), "turn 1: illegal turn 'pass'"),
    ],
)
def test_illegal_turns_are_named(text, message):
    with pytest.raises((IllegalTurnError, NotationError)) as refusal:
        sgf.position(sgf.parse(text))
    assert message.replace("illegal turn ''", "turn:") in str(refusal.value)


@pytest.mark.parametrize(
    ("game", "setup"), [("gipf", "gipf"), ("gipf", "gipf-tournament"), ("Dvonn", "dvonn")]
)
def test_no_log_crashes_the_reader(game, setup):
    generator = random.Random(f"{game} {setup}")
    words = ["Pick wr 0", "Drop br 1", "Dropb", "Pickb", "Slide", "Move", "SlideFrom", "Remove", "Preserve"]
    words += [
        "Standard",
        "Done",
        "Undo",
        "Reset",
        "Resign",
        "Pass",
        "Edit",
        "Start P1",
        "Pslide None",
        "\0",
        "]",
    ]
    places = ["A 1", "B 2", "C 3", "E 9", "H 5", "I 5", "Z 99", ""]
    for _ in range(scaled(150)):
        entries = [
            f"P{generator.choice('01')}[{number} {generator.choice(words)} "
            f"{' '.join(generator.choices(places, k=generator.randrange(3)))}]"
            for number in range(generator.randrange(1, 30))
        ]
        with contextlib.suppress(TengenError):
            sgf.position(sgf.parse(record(*entries, game=game, setup=setup)))


def test_long_nonsense_is_refused_quickly():
    toggles = "P0[Remove B 2][Preserve B 2]" * 50_000
    with pytest.raises(TengenError):
        sgf.position(sgf.parse(record(toggles, "P0[Done]", *PUSH)))
