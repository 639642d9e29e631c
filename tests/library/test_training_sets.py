"""Records as arrays to learn from, and back."""

import numpy as np
import pytest

import tengen


def random_record(spec: str, seed: int, most: int = 60) -> tengen.Record:
    """Return the record of random turns."""
    random, position = np.random.default_rng(seed), tengen.Position(spec)
    while position.ply < most and not position.is_over():
        position.step(int(random.choice(position.legal_actions())))
    while position.steps:
        position.step(position.legal_actions()[0])
    return tengen.Record.of_position(position)


@pytest.mark.parametrize("spec", ["dvonn", "gipf", "zertz", "go,size=5", "gomoku,size=5", "gobang,size=7"])
def test_rows_are_what_the_sides_saw_and_played_and_lead_to_the_same_record(spec):
    record = random_record(spec, 5)
    arrays = tengen.to_numpy(record)
    position = tengen.Position(spec)
    for row, action in enumerate(arrays["actions"]):
        assert np.array_equal(arrays["observations"][row], position.observation())
        assert np.array_equal(arrays["masks"][row], position.legal_mask())
        assert arrays["sides"][row] == position.side_to_move
        position.step(action)
    assert len(arrays["values"]) == len(arrays["actions"])
    again = tengen.from_numpy(record.spec, arrays["actions"])
    assert again.main_line() == record.main_line() == list(position.turns_played)


def test_a_game_of_go_goes_on_after_two_passes():
    position = tengen.Position("go,size=5")
    for turn, side in (("C3", "black"), ("pass", "white"), ("pass", "black"), ("D4", "white")):
        position.push(turn, side)
    record = tengen.Record.of_position(position)
    assert tengen.to_numpy(record)["actions"].tolist() == [12, 25, 25, 18]


def test_values_are_those_of_the_sides_to_move():
    record = tengen.Record.parse("(;GM[1]SZ[5]RE[W+R];B[aa];W[bb];B[cc])")
    assert tengen.to_numpy(record)["values"].tolist() == [-1, 1, -1]
    record.root.properties["RE"] = ["0"]
    assert tengen.to_numpy(record)["values"].tolist() == [0, 0, 0]
    record.root.properties["RE"] = ["Void"]
    assert np.isnan(tengen.to_numpy(record)["values"]).all()
    won = tengen.Position("gomoku,size=5")
    for turn in ["A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1"]:
        won.push(turn)
    assert tengen.to_numpy(tengen.Record.of_position(won))["values"].tolist() == [1, -1] * 4 + [1]


def test_a_record_may_begin_elsewhere_or_have_no_turns():
    record = tengen.Record.parse("(;GM[1]SZ[5]AB[aa][bb]PL[W];W[cc];B[dd])")
    arrays = tengen.to_numpy(record)
    assert arrays["sides"].tolist() == [1, 0]
    again = tengen.from_numpy(record.spec, arrays["actions"], record.start)
    assert again.position().text() == record.position().text()
    none = tengen.to_numpy(tengen.Record("dvonn"))
    assert none["observations"].shape == (0, *tengen.Position("dvonn").observation().shape)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tengen.to_numpy("x"), tengen.ArgumentError, "record: expected a tengen.Record"),
        (
            lambda: tengen.to_numpy(tengen.Record.parse("(;GM[1]SZ[5];W[aa])")),
            tengen.NotationError,
            "expected a turn of black, got A5 of the other side",
        ),
        (lambda: tengen.from_numpy("gipf", [-1]), tengen.IllegalTurnError, "expected one of"),
        (lambda: tengen.from_numpy("dvonn", ["a"]), tengen.ArgumentError, "action: expected"),
    ],
)
def test_what_cannot_be_learned_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_turn_that_is_not_complete_is_refused():
    position = tengen.Position("zertz")
    action = position.legal_actions()[0]
    assert position.step(action) == ""
    with pytest.raises(tengen.OptionError, match="expected whole turns"):
        tengen.from_numpy("zertz", [action])
