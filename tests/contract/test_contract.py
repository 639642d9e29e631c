"""One contract for all games: whatever can be played is held against it, games of other packages as well."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tengen.engine import games
from tengen.engine.contract import (
    UNKNOWN,
    EndgameRules,
    Evaluating,
    LeafNet,
    LearnedEvaluation,
    PlayoutRules,
    RequiredRules,
    ThreatRules,
    names_of,
)
from tengen.engine.errors import IllegalTurnError, NotationError, OptionError
from tengen.engine.game import REPETITION, Outcome
from tengen.engine.jit import COMPILED
from tengen.engine.modules import (
    DECLARED,
    Arrays,
    Calls,
    Editor,
    Levels,
    Motifs,
    Notation,
    Pace,
    RequiredPicture,
    RequiredText,
    Sketching,
    Steps,
)
from tengen.engine.nets.convolution import ConvolutionShape
from tengen.engine.play.position import Position
from tengen.engine.spec import GameSpec
from tengen.search import bench
from tengen.search.binding import bound
from tengen.search.info import PROVEN
from tests.walks import ALL_SPECS, WIDE, sampled, scaled, seeds, walk

pytestmark = pytest.mark.interpreted

DATA = Path(__file__).parent
SMALL = 4000  # bytes
every_game = pytest.mark.parametrize("name", games.names())


@pytest.fixture(scope="module", params=ALL_SPECS)
def spec(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def played(spec) -> list[list[Position]]:
    """Some random games of a spec: the positions of each, from the start to the end."""
    return [[position.copy() for position in walk(spec, seed)] for seed in seeds(spec, 4)]


def thinned(game: list[Position]) -> list[Position]:
    """Return the positions of a game, of a very long one about a hundred (interpreted 20), and its last."""
    return [*game[: -1 : 1 + len(game) // (100 if COMPILED else 20)], game[-1]]


def equal(one, other) -> bool:
    """Return whether all fields of two states are equal; what lies between them in memory means nothing."""
    return all(np.array_equal(one[field], other[field]) for field in one.dtype.names)


def listed(function, state, rules) -> list[int]:
    actions = np.full(rules.MAX_ACTIONS, -1, np.int32)
    return actions[: function(state, actions)].tolist()


@every_game
def test_game_offers_every_name_of_the_contract(name):
    game = games.find(name)
    always = {
        "rules": RequiredRules,
        "evaluate": Evaluating,
        "text": RequiredText,
        "picture": RequiredPicture,
    }
    parts = [{part: names_of(protocol) for part, protocol in always.items()}]
    parts += [asked for attribute, asked in DECLARED.items() if getattr(game, attribute)]
    for part, names in [(part, names) for asked in parts for part, names in asked.items()]:
        assert game.offers(part), f"{name}: {part}.py is missing"
        missing = [offered for offered in names if not hasattr(game.module(part), offered)]
        assert not missing, f"{name}: {part}.py lacks {missing}"
    groups = {
        "rules": (ThreatRules, EndgameRules),
        "evaluate": (LearnedEvaluation,),
        "simulation": (PlayoutRules, LeafNet),
    }
    for part, group in ((part, group) for part, listed in groups.items() for group in listed):
        together = names_of(group)
        if game.offers(part):
            offered = [hasattr(game.module(part), each) for each in together]
            assert all(offered) or not offered[0], f"{name}: {part}.py: all of {together} or none"
    optional = {
        "pace": Pace,
        "sketch": Sketching,
        "steps": Steps,
        "editor": Editor,
        "motifs": Motifs,
        "notation": Notation,
        "levels": Levels,
        "arrays": Arrays,
        "calls": Calls,
    }
    for part, protocol in optional.items():
        missing = [
            each for each in names_of(protocol) if game.offers(part) and not hasattr(game.module(part), each)
        ]
        assert not missing, f"{name}: {part}.py lacks {missing}"
    fields = set(game.rules.STATE.names)
    assert {"side_to_move", "key", "partial"} <= fields


@every_game
def test_game_declares_what_goes_together(name):
    game = games.find(name)
    sizes = [option for option in game.options if option.name == "size"]
    assert sizes or not game.square, "boards of points have a size"
    assert game.square or not game.five_in_a_row
    assert not game.commas or not game.square
    assert {*game.letters} == {"b", "w"}
    assert (REPETITION in game.options) == bool(game.repetition)
    evaluation = game.evaluation
    assert bool(evaluation and evaluation.features) == hasattr(game.module("evaluate"), "evaluate_with")
    guided = game.offers("simulation") and hasattr(game.module("simulation"), "LEAF_NETS")
    assert guided == bool(evaluation and isinstance(evaluation.net, ConvolutionShape))


@every_game
def test_kernels_of_another_game_are_handed_what_differs(name):
    """They would not notice anything else that this game replaces."""
    game = GameSpec.parse(name).game
    if game.shares_kernels:
        own, shared = vars(bound(game)), vars(vars(bound(game))["__kernels__"])
        replaced = {each for each, value in shared.items() if not np.array_equal(own[each], value)}
        assert {each for each in replaced if each[0] != "_"} == {"evaluate", "NET", "SELECTIVITY", "TABLE"}


@every_game
def test_sides_go_by_letter_by_name_and_by_colour(name):
    game = games.find(name)
    for side in (0, 1):
        colour = {"w": "white", "b": "black"}[game.letters[side]]
        for word in (game.letters[side], game.sides[side], colour):
            assert game.side(word) == game.side(word.upper()) == side
    with pytest.raises(OptionError, match=r"expected . or ., got 'third'"):
        game.side("third")


@pytest.mark.parametrize("name", games.built_in())
@pytest.mark.parametrize(
    ("folder", "what"),
    [("perft", "counts of turns"), ("playthroughs", "a golden game"), ("rejected", "bad input")],
)
def test_game_has_its_data_under_tests(name, folder, what):
    assert (DATA / folder / f"{name}.txt").is_file(), f"tests/contract/{folder}/{name}.txt is missing: {what}"


@every_game
def test_game_has_bench_positions(name):
    assert (games.find(name).folder / bench.FILE).is_file()


def test_lists_of_actions_agree_with_each_other(played):
    for game in played:
        for position in game:
            rules, state = bound(position.spec.game), position.state
            legal = listed(rules.generate, state, rules)
            assert len(set(legal)) == len(legal) == rules.count(state) <= rules.MAX_ACTIONS
            assert all(0 <= action < rules.ACTIONS for action in legal)
            assert legal == listed(rules.generate, state, rules), "the order is fixed"
            candidates = set(listed(rules.generate_candidates, state, rules))
            assert candidates <= set(legal)
            assert bool(candidates) == bool(legal) == (position.outcome() == Outcome.ONGOING)
            noisy = set(listed(rules.generate_noisy, state, rules))
            assert noisy <= set(legal)
            assert noisy or not rules.forced(state) or not legal


def test_what_is_foreseen_comes_true(played):
    for game in played:
        for position in game[:: 1 if len(game) < 30 else 3]:
            rules, state = bound(position.spec.game), position.state
            for action in listed(rules.generate, state, rules)[::3]:
                key, distance = rules.foresee(state, action)
                if distance == UNKNOWN:
                    continue
                child = state.copy()
                rules.do_move(child, action)
                wins = Outcome.SECOND_WINS if state.side_to_move else Outcome.FIRST_WINS
                assert int(key) == int(child.key)
                assert rules.outcome(child) == (Outcome.ONGOING if distance else wins)


def test_state_stays_sound_and_its_key_is_incremental(played):
    for game in played:
        for position in game:
            rules = position.spec.game.rules
            assert int(position.state.key) == int(rules.recompute_key(position.state))
            if len(position.turns_played) % 5 == 0 or position.outcome():
                assert rules.check(position.state) == []
                assert position.status() == []


def test_position_text_round_trips(spec, played):
    for game in played:
        for position in thinned(game):
            if position.end_reason():
                continue  # a text has no history
            text = position.text()
            parsed = Position.parse(spec, text)
            assert parsed.text() == text
            assert not sampled(position) or list(parsed.turn_actions()) == list(position.turn_actions())
            assert parsed.outcome() == position.outcome()
            assert int(parsed.state.key) == int(position.state.key)
            assert parsed.evaluate() == position.evaluate()


def test_turn_texts_round_trip_and_differ(played):
    for game in played[:3]:
        for position in filter(sampled, thinned(game)):
            turns = list(position.turn_actions())
            turns = turns[:: 1 + len(turns) // scaled(WIDE)]
            texts = [position.format(turn) for turn in turns]
            assert len(set(texts)) == len(texts)
            assert [position.parse_turn(text) for text in texts] == turns
            assert [position.parse_turn(text.swapcase()) for text in texts[::5]] == turns[::5]


def test_undo_restores_every_field(played):
    for game in played:
        *before, last = game
        position = last.copy()
        for turn, earlier in zip(reversed(last.turns_played), reversed(before), strict=True):
            assert position.pop() == turn
            assert equal(position.state, earlier.state)


def test_what_a_turn_needs_to_be_taken_back_is_small(played):
    for *_, last in played:
        kept = [array.nbytes for changes, _ in last._history for array in changes]
        assert sum(kept) <= SMALL * len(last.turns_played)


def test_a_copied_state_is_equal_and_has_the_same_turns_whatever_was_there_before(spec, played):
    game = bound(GameSpec.parse(spec).game)
    for positions in played[:3]:
        states = np.zeros(2, game.STATE)
        for position in positions:
            states[0] = position.state
            game.copy_state(states, 1, 0)
            assert equal(*states)
        for position in reversed(positions):  # over states with a longer history
            states[0] = position.state
            game.copy_state(states, 1, 0)
            assert listed(game.generate, states[1], game) == listed(game.generate, position.state, game)


def test_a_draw_by_repetition_ends_the_game(spec, played):
    if not GameSpec.parse(spec).repetition:
        return
    for *_, before, _ in played:
        rules, state = before.spec.game.rules, before.state.copy()
        rules.draw_by_repetition(state)
        assert rules.outcome(state) == rules.DRAW
        assert (rules.count(state), int(state.key)) == (0, int(before.state.key))
        assert rules.check(state) == before.spec.game.text.status(state) == []
        assert {int(rules.outcome(image)) for image in rules.symmetries(state)} == {rules.DRAW}


def test_nothing_is_played_after_the_end(played):
    position = played[-1][-1]
    before = position.state.tobytes()
    assert position.turns() == []
    for text in {turn for turn in position.turns_played[-5:]}:
        with pytest.raises(IllegalTurnError, match="over"):
            position.push(text)
    assert position.state.tobytes() == before


def test_symmetries_keep_what_the_rules_see(played):
    for game in played[:3]:
        for position in thinned(game)[:: 3 if COMPILED else 10]:
            rules, state = bound(position.spec.game), position.state
            first, *others = rules.symmetries(state)
            assert equal(first, state)
            for image in others:
                assert rules.check(image) == []
                assert rules.count(image) == rules.count(state)
                assert rules.outcome(image) == rules.outcome(state)
                assert rules.evaluate(image) == rules.evaluate(state)


def test_evaluation_stays_clear_of_proven_scores(played):
    for game in played:
        for position in game:
            assert abs(position.evaluate()) < PROVEN


def test_the_evaluation_of_a_position_is_that_of_its_games_own_weights(played):
    for game in played:
        for position in thinned(game):
            rules, state = bound(position.spec.game), position.state
            assert position.evaluate() == rules.evaluate_with(state, rules.TABLE)


def test_picture_shows_every_position(played):
    for position in played[-1]:
        if len(position.turns_played) % 10 == 0 or position.outcome():
            assert len(position.board().splitlines()) > 1
            picture = position.spec.game.picture.draw(position.state)
            ElementTree.fromstring(picture.to_svg())


def test_rubbish_turns_are_refused_and_change_nothing(spec):
    position = Position.start(spec)
    before = position.state.tobytes()
    rubbish = ("", " ", "zz99", "a1b2c3", "pass!", "\0", "a1" * 40, "é1", "A1 B2", "-1", "a0", "a99")
    for text in (*rubbish, *(["I9"] if position.spec.game.square else [])):
        with pytest.raises((NotationError, IllegalTurnError)) as caught:
            position.push(text)
        assert "\n" not in str(caught.value)
    assert position.state.tobytes() == before


def test_spec_text_round_trips(spec):
    parsed = GameSpec.parse(spec)
    assert GameSpec.parse(str(parsed)) == parsed
