"""Motifs of turns: what they claim against the references, and that they find what is there."""

import random
from pathlib import Path

import pytest

from tengen.engine.play.motifs import Motif, is_available, listed, motifs_of
from tengen.engine.play.position import Position
from tests import rows
from tests.reference import reference
from tests.walks import position_after, walk


def sampled(spec: str, games: int, every: int):
    """Yield some positions of random games, with a few of their turns."""
    rng = random.Random(spec)
    for seed in range(games):
        for number, position in enumerate(walk(spec, seed)):
            if number % every == 0 and (turns := position.turns()):
                yield position, rng.sample(turns, min(8, len(turns)))


def reference_of(position: Position):
    return reference(str(position.spec), position.text())


def worth_of(position: Position, turn: str, *kinds: str) -> int:
    """Return what the motifs of these kinds are worth together."""
    return sum(motif.worth for motif in motifs_of(position, turn) if motif.kind in kinds)


# ---------------------------------------------------------------------------- material


def test_stacks_taken_and_cut_off_are_those_of_the_reference():
    seen = set()
    for position, turns in sampled("dvonn", 3, 2):
        before = reference_of(position)
        for turn in turns:
            then = before.play(turn)
            gone = {
                space: stack
                for space, stack in before.stacks.items()
                if space not in then.stacks and stack.owner and space.name != turn[:2]
            }
            for own, kind in ((True, "cuts-off-own"), (False, "cut-off")):
                lost = sum(stack.height for stack in gone.values() if (stack.owner == before.side) == own)
                assert worth_of(position, turn, kind) == lost
                seen |= {kind} if lost else set()
    assert seen == {"cuts-off-own", "cut-off"}


@pytest.mark.parametrize("spec", ["zertz,repetition=none", "zertz:tournament,isolation=auto,repetition=none"])
def test_marbles_captured_are_those_of_the_reference(spec):
    seen = set()
    for position, turns in sampled(spec, 2, 2):
        before = reference_of(position)
        for turn in turns:
            then = before.play(turn)
            held, gained = (sum(state.captures[before.player].values()) for state in (before, then))
            placed_own = not turn.startswith("x") and turn != "pass" and not any(before.pool.values())
            found = motifs_of(position, turn)
            assert sum(motif.worth for motif in found) == gained - held + placed_own
            assert all(len(motif.places) == motif.worth for motif in found)
            seen |= {motif.kind for motif in found}
    assert seen == {"capture", "isolation"}


@pytest.mark.parametrize("spec", ["gipf:basic,repetition=none", "gipf:tournament,repetition=none"])
def test_pieces_captured_are_those_of_the_reference(spec):
    seen = 0
    for position, turns in sampled(spec, 3, 3):
        before = reference_of(position)
        foe = "b" if before.side == "w" else "w"
        for turn in turns:
            counts = [
                state.hands[foe].reserve
                + sum(1 + (piece.kind == "gipf") for piece in state.pieces.values() if piece.side == foe)
                for state in (before, before.play(turn))
            ]
            assert worth_of(position, turn, "capture") == counts[0] - counts[1]
            seen += counts[0] > counts[1]
    assert seen


@pytest.mark.parametrize(
    ("spec", "taken"),
    [("go,size=5", "prisoners"), ("gobang,size=6", "pairs")],
)
def test_stones_captured_are_those_of_the_reference(spec, taken):
    seen = 0
    for position, turns in sampled(spec, 3, 3):
        before = reference_of(position)
        for turn in turns:
            then, now = (getattr(state, taken)[before.side] for state in (before, before.play(turn)))
            gained = now - then
            assert worth_of(position, turn, "capture", "capture-win") == gained
            seen += gained > 0
    assert seen


# ---------------------------------------------------------------------------- five in a row


def wins_in_one(position) -> bool:
    """Return whether the side to move of a reference has a turn that wins."""
    side = ("first", "second")[position.turn]
    return any(position.play(turn).outcome() == side for turn in position.turns())


def is_unstoppable(position) -> bool:
    """Return whether the side that has just moved wins with its next stone, whatever is played."""
    answers = [position.play(turn) for turn in position.turns()]
    return all(answer.outcome() is None and wins_in_one(answer) for answer in answers)


@pytest.mark.parametrize(
    ("spec", "moves", "turn", "kind", "words"), rows(Path(__file__).parent / "motifs.txt")
)
def test_what_wins_by_force_is_named(spec, moves, turn, kind, words):
    position = position_after(spec, moves)
    (found,) = motifs_of(position, turn)
    assert found.kind == kind
    assert found.words.startswith(words)
    assert found.sure
    played = reference_of(position).play(turn)
    assert played.outcome() or is_unstoppable(played)


DOUBLE_THREAT = "D5 A1 E5 A3 F5 C5 G2 J1 G3 J9"


def test_a_four_and_a_three_win_whatever_is_answered():
    position = position_after("gomoku,size=9", DOUBLE_THREAT)
    (found,) = motifs_of(position, "G5")
    assert found.kind == "double-threat"
    played = reference_of(position).play("G5")
    stopped = [answer for turn in played.turns() if not wins_in_one(answer := played.play(turn))]
    assert len(stopped) == 1
    assert any(is_unstoppable(stopped[0].play(turn)) for turn in ("G4", "G6", "G1"))


def test_two_threes_are_a_name_that_needs_a_proof():
    (found,) = motifs_of(position_after("gomoku", "H8 A1 J8 C1 K9 E1 K10 O1"), "K8")
    assert found.kind == "double-three"
    assert not found.sure


def test_what_ends_a_threat_to_win_is_named():
    position = position_after("gomoku,size=9", "D5 C5 E5 A1 F5 A9 G5")
    (found,) = motifs_of(position, "H5")
    assert (found.kind, found.words, found.defends) == ("stop", "stops the threat to win at H5", True)
    assert motifs_of(position, "J9") == []
    open_four = position_after("gomoku,size=9", "D5 A1 E5 A9 F5 J1 G5")
    assert motifs_of(open_four, "H5") == []  # C5 is left


def test_a_threat_that_can_be_answered_is_no_motif():
    assert motifs_of(position_after("gomoku,size=9", "D5 C5 E5 A3 F5 A9"), "G5") == []


def test_a_threat_against_a_winning_opponent_is_no_motif():
    position = position_after("gomoku,size=9", "D5 A1 E5 B1 F5 C1 A9 D1")
    assert motifs_of(position, "G5") == []  # White makes five


@pytest.mark.parametrize("spec", ["gomoku,size=6", "gomoku:renju,size=7", "gobang,size=6,capture-win=2"])
def test_no_claim_about_rows_is_wrong(spec):
    claimed = 0
    for position, turns in sampled(spec, 3, 4):
        for turn in turns:
            for motif in motifs_of(position, turn):
                if motif.sure and motif.kind in ("open-four", "double-four", "forbidden-point", "threat"):
                    assert is_unstoppable(reference_of(position).play(turn)), (position.text(), turn)
                    claimed += 1
    assert claimed


# --------------------------------------------------------------------------------------------------------- Go

LADDER = "C4 D4 D5 A9 E3 B9"


def test_a_ladder_is_read_to_its_end():
    (found,) = motifs_of(position_after("go,size=9", LADDER), "E4")
    assert found.kind == "ladder"
    assert found.words == "catches 1 stone in a ladder: D4"


def test_a_ladder_that_meets_a_friend_is_none():
    assert motifs_of(position_after("go,size=9", LADDER.replace("A9", "B2")), "E4") == []


def escapes(position, stone: str) -> bool:
    """Return whether a chain in atari, to move, can escape: every turn of its side is tried."""
    return any(_survives(position.play(turn), stone) for turn in position.turns())


def _liberties_of(position, stone: str) -> set[str]:
    from tests.reference.go.rules import _liberties

    return _liberties(position.stones, stone, position.size)


def _survives(position, stone: str) -> bool:
    """Return whether the chain of `stone` survives if the other side moves now."""
    from tests.reference.go.rules import _chain

    chain = _chain(position.stones, stone, position.size)
    around = _liberties_of(position, stone)
    if len(around) > 2:
        return True
    for turn in sorted(around):
        if turn in position.turns():
            played = position.play(turn)
            if not chain <= played.stones.keys() or (len(around) == 2 and not escapes(played, stone)):
                return False
    return True


def test_a_chain_is_saved_by_an_extension_or_a_capture_but_not_into_a_ladder():
    saved = motifs_of(position_after("go,size=9", "E5 E4 A1 D5 A2 F5"), "E6")
    assert [(motif.kind, motif.words) for motif in saved] == [("escape", "saves 1 stone from atari: E5")]
    assert motifs_of(position_after("go,size=9", f"{LADDER} E4"), "D3") == []
    taken = position_after("go,size=9", "A1 A2 B2 H9")
    assert [motif.kind for motif in motifs_of(taken, "A3")] == ["capture", "escape"]


def test_no_chain_that_is_called_caught_escapes():
    claimed, saved = 0, 0
    for position, turns in sampled("go,size=5", 6, 3):
        for turn in turns:
            for motif in motifs_of(position, turn):
                if motif.kind in ("atari", "ladder"):
                    assert not escapes(reference_of(position).play(turn), motif.places[0])
                    claimed += 1
                elif motif.kind == "escape":
                    assert len(_liberties_of(reference_of(position), motif.places[0])) == 1
                    assert _survives(reference_of(position).play(turn), motif.places[0])
                    saved += 1
    assert claimed > 5
    assert saved > 5


THREE_IN_A_ROW = "......./......./......./......./XXXX.../OOOOX../...OX.. b - 0 0 0"
FOUR_IN_A_ROW = "......./......./......./......./XXXXX../OOOOOX./....OX. b - 0 0 0"


def test_the_vital_point_kills():
    (found,) = motifs_of(Position.parse("go,size=7", THREE_IN_A_ROW), "B1")
    assert found.kind == "kill"
    assert found.words == "kills 5 stones: D1, A2, B2, C2, D2"


def test_what_lives_or_is_dead_anyway_is_not_killed():
    assert motifs_of(Position.parse("go,size=7", FOUR_IN_A_ROW), "B1") == []
    position = Position.parse("go,size=7", THREE_IN_A_ROW)
    assert motifs_of(position, "G7") == []


# ---------------------------------------------------------------------------- available


def test_a_motif_is_available_as_long_as_nothing_prevents_it():
    threat = Motif("open-four", "", 7)
    open_three = position_after("gomoku,size=9", "D5 A1 E5 A3 F5")
    assert not is_available(open_three, threat)  # White has no such row
    open_three.push("A5")
    assert is_available(open_three, threat)
    assert not is_available(position_after("gomoku,size=9", "D5 A1 E5 A3 F5 G5"), threat)


def test_a_long_list_of_places_is_cut():
    assert listed(("a1", "b2")) == "a1, b2"
    assert listed(tuple("abcdefghijk")) == "a, b, c, d, e, f, g, h ..."
