"""Positions of the library: turns, actions, pictures, copies, refusals."""

import copy
import json
import pickle
import random
import re
import threading
from xml.etree import ElementTree

import numpy as np
import pytest

import tengen
from tests.walks import SPECS

EVERY = [spec for listed in SPECS.values() for spec in listed]
CHALLENGES = "gipf:tournament,zertz=3,challenges=1"


def random_game(spec: str, seed: int, plies: int = 40) -> tengen.Position:
    """Return a position after some random actions, always between two turns."""
    position, generator = tengen.Position(spec), random.Random(seed)
    while len(position.turns_played) < plies and (legal := position.legal_actions()):
        position.step(generator.choice(legal))
    return position


def test_turns_are_played_and_taken_back_as_in_python_chess():
    position = tengen.Position("gomoku,size=9")
    start = position.text()
    assert (position.side, position.ply, position.outcome()) == ("black", 0, tengen.Outcome.ONGOING)
    assert position.push("e5") == position.peek() == "E5"
    assert (position.side, position.turns_played, position.sides_played) == ("white", ("E5",), (0,))
    assert position.pop() == "E5"
    assert position.text() == start


def test_a_side_is_its_name_and_its_number_wherever_it_comes_from():
    position = tengen.Position("dvonn")
    position.push("a1")
    node = tengen.Record.of_position(position).root.next
    sides = [*position.sides_played, node.side, position.copy().spec.game.side("w")]
    for side in (*sides, *pickle.loads(pickle.dumps(sides)), copy.deepcopy(sides[0])):
        assert isinstance(side, tengen.Side)
        assert side == "white"
        assert side == side.number == np.int64(0) == 0
        assert side not in ("black", 1, None)
        assert (side != 0) is False
        assert (hash(side), {side}, ["yes", "no"][side]) == (hash("white"), {"white"}, "yes")
        assert (f"{side}", repr(side), json.dumps(side)) == ("white", "'white'", '"white"')
    assert (position.side, position.side.number) == ("black", position.side_to_move)


def test_legal_turns_are_a_sequence_that_knows_every_spelling():
    position = tengen.Position("gomoku,size=9")
    legal = position.legal_turns
    assert (len(legal), legal[0], legal[-1], legal[:2]) == (81, "A1", "J9", ["A1", "B1"])
    assert "e5" in legal
    assert "Z5" not in legal
    assert 5 not in legal
    assert legal[legal.index("e5")] == "E5"
    position.push("E5")
    assert len(legal) == 81, "a list of what was legal then"
    assert not position.is_legal("E5")
    assert "E5" not in position.legal_turns


@pytest.mark.parametrize("spec", EVERY)
def test_each_legal_turn_is_made_where_it_is_asked_for(spec):
    for plies in (0, 7, 40):
        position = random_game(spec, plies, plies)
        turns = position.turns()
        for legal in (position.legal_turns, pickle.loads(pickle.dumps(position.legal_turns))):
            assert (len(legal), list(legal), legal[-3:], legal[::7]) == (
                len(turns),
                turns,
                turns[-3:],
                turns[::7],
            )
            assert legal == turns == position.legal_turns
            assert legal != [*turns, "more"]
        for index in range(0, len(turns), 1 + len(turns) // 20):
            assert position.legal_turns[index] == turns[index] == position.legal_turns[index - len(turns)]
            assert position.legal_turns.index(turns[index]) == index
            assert position.legal_turns.count(turns[index]) == 1
        for index in (len(turns), -len(turns) - 1):
            with pytest.raises(IndexError):
                position.legal_turns[index]


@pytest.mark.parametrize("spec", [*EVERY, CHALLENGES])
def test_a_turn_that_was_listed_is_played_like_one_that_is_typed(spec):
    listed, typed = tengen.Position(spec), tengen.Position(spec)
    generator = random.Random(spec)
    while not listed.is_over() and listed.ply < 40:
        turn = listed.push(generator.choice(listed.legal_turns))
        assert typed.push(turn) == turn
        assert typed.state.tobytes() == listed.state.tobytes()
        assert typed.turns_played == listed.turns_played


def test_a_turn_that_was_listed_is_checked_again_in_another_position():
    position = tengen.Position("gomoku,size=5")
    before, turn = position.copy(), position.legal_turns[3]
    for _ in range(2):
        assert before.is_legal(turn)
        assert position.push(turn) == turn
        assert not position.is_legal(turn)
        with pytest.raises(tengen.IllegalTurnError, match="D1 is occupied"):
            position.push(turn)
        assert position.pop() == turn
    assert position == before


def test_legal_turns_serve_where_lists_do():
    legal = tengen.Position("gomoku,size=5").legal_turns
    assert json.loads(json.dumps(list(legal))) == legal
    assert sorted(legal, reverse=True)[0] == legal[-1].upper() == max(legal) == "E5"
    assert random.Random(1).choice(legal) in legal
    assert repr(legal).startswith("<LegalTurns A1 B1 ")
    assert legal.index("b1", 1, 2) == 1
    with pytest.raises(ValueError, match="not in"):
        legal.index("b1", 2)
    assert legal != "A1"


def test_a_finished_game_has_a_winner_a_result_and_no_turns():
    position = tengen.Position("gomoku,size=9")
    assert (position.winner(), position.result(), position.is_over()) == (None, "*", False)
    for turn in ["A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1"]:
        position.push(turn)
    assert (position.winner(), position.outcome()) == ("black", tengen.Outcome.FIRST_WINS)
    assert position.winner() == position.sides_played[-1]
    assert position.result().startswith("B+")
    assert list(position.legal_turns) == position.legal_actions() == []


def test_a_position_is_shown_as_text_as_a_drawing_and_plainly():
    position = tengen.Position("dvonn")
    assert eval(repr(position), {"Position": tengen.Position}) == position
    assert str(position) == position.board()
    ElementTree.fromstring(position.svg())
    assert position._repr_svg_() == position.svg()


@pytest.mark.parametrize("spec", EVERY)
def test_actions_make_turns_and_turns_have_actions(spec):
    position = random_game(spec, 1)
    for turn in random.Random(2).sample(list(position.legal_turns), min(20, len(position.legal_turns))):
        actions = position.action_of(turn)
        assert position.turn_of(actions) == turn
        twin = position.copy()
        assert [twin.step(action) for action in actions] == [""] * (len(actions) - 1) + [turn]
        mask = position.legal_mask()
        assert mask.shape == (position.num_actions,)
        assert mask[actions[0]]
    assert np.flatnonzero(position.legal_mask()).tolist() == sorted(position.legal_actions())


@pytest.mark.parametrize("spec", EVERY)
def test_copies_and_pickles_are_equal_and_independent(spec):
    position = random_game(spec, 3, 12)
    for twin in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        assert twin == position
        twin.pop()
        assert twin != position
    restored = pickle.loads(pickle.dumps(position))
    assert (restored, restored.turns_played) == (position, position.turns_played)
    assert restored.pop() == position.turns_played[-1]


def test_a_game_that_is_resumed_goes_on_in_copies_and_pickles():
    position = tengen.Position("go,size=5")
    for turn in ("C3", "pass", "pass"):
        position.push(turn)
    for twin in (pickle.loads(pickle.dumps(position)), position.copy()):
        assert twin.is_over()
    for twin in (pickle.loads(pickle.dumps(position.resumed())), position.resumed().copy()):
        assert (twin, twin.is_over()) == (position.resumed(), False)


def test_positions_that_version_0_2_0_has_pickled_are_read():
    restored = pickle.loads(
        b"\x80\x04ctengen.engine.play.position\n_replayed\n(ctengen.engine.play.position\nPosition\n"
        b"\x8c\rgomoku,size=9N(\x8c\x02E5\x8c\x02D5t(K\x00K\x01t)tR."
    )
    assert restored.turns_played == ("E5", "D5")
    assert restored.sides_played == ("black", "white")
    assert restored.sides_played[1].number == 1


def test_a_turn_that_has_been_begun_is_part_of_copies_and_pickles_and_dropped_by_a_turn():
    position = tengen.Position("zertz")
    position.step(position.legal_actions()[0])
    assert len(position.steps) == 1
    for twin in (position.copy(), pickle.loads(pickle.dumps(position))):
        assert (twin, twin.steps) == (position, position.steps)
    before = position.copy()
    position.push(position.legal_turns[5])
    assert (position.steps, position.ply) == ((), 1)
    assert position != before


def test_challenges_are_played_like_in_any_session():
    position = tengen.Position(CHALLENGES)
    assert position.challenge == "none"
    pickle.loads(pickle.dumps(position))
    with pytest.raises(tengen.OptionError, match="expected a game without challenges"):
        position.legal_actions()


def test_observations_have_the_planes_that_the_game_names():
    for spec in EVERY:
        position = random_game(spec, 4, 10)
        planes, (least, most) = position.observation(), position.action_space.bounds
        assert (planes.min((1, 2)) >= least).all()
        assert (planes.max((1, 2)) <= most).all()
        assert planes.dtype == np.float32
        assert len(planes) == len(tengen.Batch(spec, 1).planes)
        assert np.isfinite(planes).all()
        assert np.abs(planes).max() <= 25


def test_observations_show_what_the_board_shows():
    position = tengen.Position("go,size=5,komi=7.5")
    position.push("C2")
    planes = position.observation()
    assert planes.shape == (8, 5, 5)
    assert np.argwhere(planes[1]).tolist() == np.argwhere(planes[3]).tolist() == [[1, 2]]
    assert not planes[0].any()
    assert planes[7, 0, 0] == pytest.approx(0.75)
    row, column = divmod(position.action_of("D4")[0], 5)
    position.push("D4")
    assert np.argwhere(position.observation()[1]).tolist() == [[row, column]]
    placed = tengen.Position("dvonn")
    placed.push(placed.legal_turns[0])
    assert placed.observation()[2].sum() == placed.observation()[3].sum() == 1
    gipf = tengen.Position("gipf:basic")
    assert (gipf.observation()[0].sum(), gipf.observation()[1].sum()) == (3, 3)
    assert tengen.Position("zertz").observation()[0].sum() == 37
    assert np.array_equal(position.observation("black"), position.observation(0))
    with pytest.raises(tengen.TengenError, match="side: expected 0, 1, black or white, got '7'"):
        position.observation(7)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda p: p.push(5), tengen.ArgumentError, "turn: expected a turn as text, got '5' (int)"),
        (lambda p: p.push("Z99"), tengen.NotationError, "expected a vertex"),
        (lambda p: p.push("E5"), tengen.IllegalTurnError, "illegal turn 'E5'"),
        (lambda p: p.push("A1", "third"), tengen.OptionError, "side: expected b or w"),
        (lambda p: p.push("A1", 2), tengen.ArgumentError, "side: expected 0, 1, black or white"),
        (lambda p: p.is_legal(None), tengen.ArgumentError, "got 'None' (NoneType)"),
        (lambda p: p.step(10**9), tengen.IllegalTurnError, "expected one of 80 legal actions"),
        (lambda p: p.step(1.5), tengen.ArgumentError, "action: expected a whole number, got '1.5' (float)"),
        (lambda p: p.turn_of([0, 1]), tengen.IllegalTurnError, "the turn is complete"),
        (lambda p: p.turn_of([]), tengen.IllegalTurnError, "the turn is not complete"),
    ],
)
def test_what_cannot_be_is_refused_with_value_and_position_and_changes_nothing(call, error, words):
    position = tengen.Position("gomoku,size=9")
    position.push("E5")
    before = position.copy()
    with pytest.raises(error, match=re.escape(words)) as caught:
        call(position)
    assert (position, position.turns_played, position.steps) == (before, ("E5",), ())
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)
    if error is not tengen.ArgumentError:
        assert caught.value.position == before
        assert caught.value.position is not position


def test_errors_can_be_pickled_with_what_they_carry():
    position = tengen.Position("gomoku,size=9")
    position.push("E5")
    with pytest.raises(tengen.IllegalTurnError) as caught:
        position.push("E5")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.value, again.reason) == (str(caught.value), "E5", caught.value.reason)
    assert again.position == position


def test_a_spec_is_made_of_words_or_of_options():
    spec = tengen.GameSpec("gobang", size=15, capture_win=5)
    assert spec == tengen.GameSpec("gobang,size=15,capture-win=5") == tengen.GameSpec(spec)
    assert repr(spec) == "GameSpec('gobang,size=15,capture-win=5')"
    assert repr(spec.game) == "GameSpec('gobang').game"
    assert str(tengen.GameSpec("gomoku:renju", size=13)) == "gomoku:renju,size=13"
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert tengen.GameSpec(spec.game).values["size"] == 19
    for arguments, options, words in (
        (("gomoku",), {"sise": 9}, "did you mean 'size'?"),
        (("gomoku,size=9",), {"size": 9}, "option size: expected once, got twice"),
        (("gomoku",), {"size": 900}, "option size: expected a whole number"),
        ((5,), {}, "spec: expected a game spec"),
    ):
        with pytest.raises(tengen.TengenError, match=re.escape(words)):
            tengen.GameSpec(*arguments, **options)


def test_an_outcome_is_said_in_words():
    words = [f"{outcome}" for outcome in tengen.Outcome]
    assert words == [str(outcome) for outcome in tengen.Outcome]
    assert words == ["ongoing", "first wins", "second wins", "draw"]
    assert json.dumps(tengen.Outcome.DRAW) == "3"


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("goo",), tengen.OptionError, "did you mean 'go'?"),
        ((5,), tengen.ArgumentError, "spec: expected a game spec"),
        (("go,size=9", 5), tengen.ArgumentError, "text: expected a position as text"),
        (("go,size=9", "rubbish"), tengen.NotationError, "expected"),
        (("go,size=4,handicap=9",), tengen.OptionError, "handicap"),
    ],
)
def test_positions_that_cannot_be_are_refused(arguments, error, words):
    with pytest.raises(error, match=re.escape(words)):
        tengen.Position(*arguments)


def test_a_position_belongs_to_one_thread():
    position = tengen.Position("gomoku,size=5")
    with position._lock:  # as another thread would
        with pytest.raises(tengen.TengenError, match="expected one thread to change it, got two at once"):
            position.push("C3")
        with pytest.raises(tengen.TengenError, match="expected one thread to change it, got two at once"):
            position.pop()
        position.copy().push("C3")
    position.push("C3")
    assert position.turns_played == ("C3",)


def test_threads_that_share_a_position_get_errors_of_the_library():
    position, others = tengen.Position("gomoku,size=5"), []

    def play() -> None:
        for _ in range(300):
            try:
                position.push("C3")
                position.pop()
            except tengen.TengenError:
                continue
            except Exception as error:
                others.append(error)

    threads = [threading.Thread(target=play) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert others == []


def test_taking_back_what_was_not_played_is_refused():
    position = tengen.Position("go")
    for call in (position.pop, position.peek):
        with pytest.raises(tengen.PositionError):
            call()
