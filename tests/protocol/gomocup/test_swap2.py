"""Swap2's choices, and the option that asks for it."""

import random

import pytest

from tengen.engine.errors import OptionError, TengenError
from tengen.engine.spec import GameSpec
from tengen.protocol.errors import CommandError
from tengen.protocol.session import Session
from tengen.protocol.swap2 import MIN_SIZE, OPENINGS, SWAP, choose_color, choose_opening, swap2_stage
from tengen.search.info import Info, Result, Score
from tests.protocol.conversation import Inside

# ---- Swap2 ----


def session(*turns: str, game: str = "gomoku") -> Session:
    session = Session(GameSpec.parse(game))
    session.set_up(turns=[(None, turn) for turn in turns])
    return session


@pytest.mark.parametrize("size", [5, 6, 7, 15, 20, 22])
def test_openings_are_three_turns_on_any_board(size):
    seen = set()
    for seed in range(40):
        opening = choose_opening(size, random.Random(seed))
        first = session(*opening, game=f"gomoku,size={size}")
        assert swap2_stage(first.position, "swap2") == 3
        seen.add(opening)
    assert len(seen) > 20


def test_openings_are_chosen_by_the_seed():
    def chosen(seed: int) -> tuple[str, ...]:
        return choose_opening(15, random.Random(seed))

    assert chosen(1) == chosen(1)
    assert len({chosen(seed) for seed in range(20)}) > 5
    assert len({*OPENINGS}) == len(OPENINGS) >= 8


@pytest.mark.parametrize(
    ("turns", "stones"),
    [("", 0), ("H8 J9 K7", 3), ("H8 J9 K7 A1 A2", 5), ("H8", None), ("H8 J9 K7 A1", None)],
)
def test_swap2_asks_about_no_three_and_five_stones(turns, stones):
    if stones is None:
        with pytest.raises(CommandError, match="swap2: expected no stones, or two black and one white"):
            swap2_stage(session(*turns.split()).position, "swap2")
    else:
        assert swap2_stage(session(*turns.split()).position, "swap2") == stones


@pytest.mark.parametrize("game", ["dvonn", "go,size=9"])
def test_swap2_is_for_five_in_a_row(game):
    with pytest.raises(CommandError, match="expected five in a row"):
        swap2_stage(session(game=game).position, "none")
    assert MIN_SIZE == 5


@pytest.mark.parametrize(
    ("value", "choice"), [(80, "H9"), (0, "H9"), (-1, SWAP), (-499_997, SWAP), (499_990, "H9")]
)
def test_the_better_colour_is_chosen(value, choice):
    info = Info(1, 5, 9, Score(value), "", 100, 0.1, 0, ("H9",))
    assert choose_color(Result("H9", None, (info,), 100, 0.1), 300.0) == choice


def test_black_is_taken_when_nothing_is_known():
    assert choose_color(Result("H9", None, (), 0, 0.0, "stopped"), 300.0) == SWAP


def test_both_other_protocols_ask_as_well():
    gtp = Inside("gtp", "gomoku")
    gtp.session.rng = random.Random(3)
    opening = gtp.ask("tengen-swap2").removeprefix("= ").split()
    assert len(opening) == 3
    for color, turn in zip("bwb", opening, strict=True):
        assert gtp.ask(f"play {color} {turn}") == "="
    assert gtp.ask("tengen-swap2").split()[1] not in opening
    assert gtp.ask("tengen-position").endswith(" w")
    for color, turn in zip("wb", ("A1", "A15"), strict=True):
        gtp.ask(f"play {color} {turn}")
    assert gtp.ask("tengen-swap2").startswith("= ")
    assert gtp.ask("undo") == "="
    assert gtp.ask("tengen-swap2").startswith("? swap2: expected no stones")
    assert gtp.finish() == 0

    ugi = Inside("ugi", "gomoku")
    ugi.session.rng = random.Random(3)
    ugi.send("go swap2 movetime 20")
    assert ugi.until("bestmove ")[-1] == f"bestmove {','.join(opening)}"
    ugi.send("position startpos moves H8 A1 J8 A15 K8", "go swap2 movetime 50")
    assert ugi.until("bestmove ")[-1] == "bestmove swap"
    ugi.send("position startpos moves A1 H8 A15", "go swap2 depth 2")
    assert ugi.until("bestmove ")[-1] != "bestmove swap"
    ugi.send("position startpos moves H8 A1", "go swap2 movetime 20")
    assert ugi.line().startswith("info string error: swap2: expected no stones")
    assert ugi.finish() == 0


# ---- the option ----


def test_the_opening_is_an_option_of_the_session():
    agreed = session()
    assert agreed.option_texts()["Opening"] == "none"
    agreed.set_option("opening", "swap2")
    agreed.set_option("Game", "gomoku,size=19")
    assert agreed.option_texts()["Opening"] == "swap2"
    agreed.set_option("Game", "dvonn")
    assert agreed.option_texts()["Opening"] == "none"
    with pytest.raises(OptionError, match="option Opening: expected none in DVONN, got 'pro'"):
        agreed.set_option("Opening", "pro")
    with pytest.raises(OptionError, match="option Opening: expected none in DVONN, got 'swap2'"):
        agreed.set_option("Opening", "swap2")
    with pytest.raises(OptionError, match="expected none or pro or swap2, got 'soosorv'"):
        agreed.set_option("Opening", "soosorv")


def test_pro_is_the_game_s_own_opening():
    agreed = session()
    if "opening" not in agreed.spec.values:
        with pytest.raises(OptionError, match="expected none or swap2 in Gomoku, got 'pro'"):
            agreed.set_option("Opening", "pro")
        return
    agreed.set_option("Opening", "pro")
    assert str(agreed.spec) == "gomoku,opening=pro"
    with pytest.raises(TengenError):
        agreed.position.push("A1", 0)
    with pytest.raises(CommandError, match="expected Opening none or swap2, got pro"):
        swap2_stage(agreed.position, str(agreed.options["Opening"]))
    agreed.position.push("H8", 0)
    agreed.set_option("Opening", "swap2")
    assert str(agreed.spec) == "gomoku"
    assert agreed.position.turns_played == ("H8",)
    agreed.set_option("Game", "gomoku,opening=pro")
    assert agreed.option_texts()["Opening"] == "pro"
    agreed.set_option("Game", "gomoku")
    assert agreed.option_texts()["Opening"] == "none"
    agreed.set_up(turns=[(None, "A1")])
    with pytest.raises(TengenError):
        agreed.set_option("Opening", "pro")  # the game in progress has begun otherwise
    assert agreed.option_texts()["Opening"] == "none"
    assert agreed.position.turns_played == ("A1",)
