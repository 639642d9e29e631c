"""Random sequences of calls, good and bad: nothing breaks, and positions agree with a game from the start.

TENGEN_SEQUENCES=10000 plays more of them than the suite does.
"""

import copy
import os
import pickle

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import tengen

SPECS = ["gomoku,size=5", "go,size=3", "dvonn", "zertz", "gipf:basic", "gobang,size=5,capture-win=2"]
EXAMPLES = int(os.environ.get("TENGEN_SEQUENCES", "25"))
RUBBISH = st.one_of(st.text(max_size=8), st.integers(), st.none(), st.floats(), st.binary(max_size=3))
MANY = settings(max_examples=EXAMPLES, stateful_step_count=20, deadline=None)


class Calls(RuleBasedStateMachine):
    """A position, an engine, and whoever calls them."""

    engine = tengen.Engine(hash=1)

    @initialize(spec=st.sampled_from(SPECS))
    def begin(self, spec: str) -> None:
        self.position = tengen.Position(spec)
        self.turns: list[str] = []

    @rule(choice=st.integers(0, 10**6))
    def push(self, choice: int) -> None:
        if legal := self.position.legal_actions():
            while not (turn := self.position.step(legal[choice % len(legal)])):
                legal = self.position.legal_actions()
            self.turns.append(turn)

    @rule(choice=st.integers(0, 10**6))
    def begin_a_turn(self, choice: int) -> None:
        if legal := self.position.legal_actions():
            turn = self.position.step(legal[choice % len(legal)])
            self.turns += [turn] if turn else []

    @rule()
    def pop(self) -> None:
        if self.turns:
            assert self.position.pop() == self.turns.pop()
        else:
            with pytest.raises(tengen.PositionError):
                self.position.pop()

    @rule(rubbish=RUBBISH)
    def push_rubbish(self, rubbish: object) -> None:
        if not (isinstance(rubbish, str) and self.position.is_legal(rubbish)):
            with pytest.raises(tengen.TengenError):
                self.position.push(rubbish)

    @rule(rubbish=RUBBISH)
    def step_rubbish(self, rubbish: object) -> None:
        if not (isinstance(rubbish, int) and rubbish in self.position.legal_actions()):
            with pytest.raises(tengen.TengenError):
                self.position.step(rubbish)

    @rule(how=st.sampled_from([copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))]))
    def replace(self, how) -> None:
        twin = how(self.position)
        assert twin == self.position
        self.position = twin

    @rule()
    def read_back(self) -> None:
        record = tengen.Record.parse(tengen.Record.of_position(self.position).to_sgf())
        assert record.position().turns_played == self.position.turns_played

    @rule(rubbish=RUBBISH)
    def ask_for_rubbish(self, rubbish: object) -> None:
        if isinstance(rubbish, int | float) and rubbish == rubbish and 0 <= rubbish < float("inf"):
            return
        with pytest.raises(tengen.TengenError):
            self.engine.play(self.position, rubbish)

    @rule()
    def play(self) -> None:
        result = self.engine.play(self.position, tengen.Limit(nodes=1))
        assert (result.choice is None) == self.position.is_over()
        assert result.choice is None or self.position.is_legal(result.turn)

    @invariant()
    def it_is_the_same_as_a_game_from_the_start(self) -> None:
        assert list(self.position.turns_played) == self.turns
        assert len(self.position.sides_played) == self.position.ply
        if not self.position.is_over() and not self.position.steps:
            assert self.position.legal_mask().sum() == len(self.position.legal_actions()) > 0

    def teardown(self) -> None:
        again = tengen.Position(self.position.spec)
        for turn in self.turns:
            again.push(turn)
        assert again.text() == self.position.text()


TestCalls = Calls.TestCase
TestCalls.settings = MANY
