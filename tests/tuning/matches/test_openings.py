"""Openings: legal, different, reproducible."""

from __future__ import annotations

import itertools

import pytest

from tengen.engine.errors import OptionError
from tengen.engine.game import GameSpec, Outcome
from tengen.engine.position import Position
from tengen.tuning.match.openings import openings

DVONN, SMALL = GameSpec.parse("dvonn"), GameSpec.parse("gomoku,size=5")


def first(count: int, spec: GameSpec, turns: int, seed: int) -> list[tuple[str, ...]]:
    return list(itertools.islice(openings(spec, turns, seed), count))


def played(spec: GameSpec, opening: tuple[str, ...]) -> Position:
    position = Position.start(spec)
    for turn in opening:
        position.play(turn)
    return position


@pytest.mark.parametrize("spec", [DVONN, SMALL])
def test_openings_are_playable_undecided_and_of_the_length_asked_for(spec):
    for opening in first(20, spec, 6, 1):
        assert len(opening) == 6
        assert played(spec, opening).outcome() == Outcome.ONGOING


def test_no_two_openings_are_the_same_position_even_mirrored():
    drawn = first(40, SMALL, 2, 1)
    keys = [
        min(int(state.key) for state in SMALL.game.rules.symmetries(played(SMALL, opening).state))
        for opening in drawn
    ]
    assert len(set(keys)) == 40


def test_same_seed_gives_the_same_openings_and_more_of_them_begin_alike():
    assert first(10, DVONN, 4, 7) == first(20, DVONN, 4, 7)[:10]
    assert first(10, DVONN, 4, 7) != first(10, DVONN, 4, 8)


def test_exhausted_openings_say_how_many_there_are():
    with pytest.raises(OptionError, match=r"after 1 random turns of gomoku,size=5, found 6;"):
        first(7, SMALL, 1, 1)


def test_no_turns_is_the_start_every_time():
    assert first(3, DVONN, 0, 1) == [(), (), ()]
