"""Two faces of one game, the reference and the engine, behind the same questions: rule tests ask both."""

from functools import lru_cache
from typing import Literal, Protocol

import pytest

from tengen.engine.errors import TengenError
from tengen.engine.play.position import Position
from tests.reference import reference

Outcome = Literal["first", "second", "draw"] | None
known = lru_cache(64)(reference)  # positions, which never change: an example asks several things of each


class Face(Protocol):
    """One implementation of the rules: position texts and turns in, position texts and turns out."""

    def start(self, spec: str) -> str: ...

    def read(self, spec: str, text: str) -> str: ...

    def turns(self, spec: str, text: str, *played: str) -> list[str]: ...

    def play(self, spec: str, text: str, *turns: str) -> str: ...

    def outcome(self, spec: str, text: str) -> Outcome: ...

    def check_refusal(self, spec: str, text: str, turn: str) -> None: ...


class Reference:
    """The reference; every position goes through its text."""

    def start(self, spec: str) -> str:
        return reference(spec).format()

    def read(self, spec: str, text: str) -> str:
        return known(spec, text).format()

    def turns(self, spec: str, text: str, *played: str) -> list[str]:
        """Return the turns after some that are remembered, which superko is about."""
        position = known(spec, text)
        for turn in played:
            position = position.play(turn)
        return position.turns()

    def play(self, spec: str, text: str, *turns: str) -> str:
        for turn in turns:
            text = known(spec, text).play(turn).format()
        return text

    def outcome(self, spec: str, text: str) -> Outcome:
        return known(spec, text).outcome()

    def check_refusal(self, spec: str, text: str, turn: str) -> None:
        with pytest.raises(ValueError, match=r"\S"):
            known(spec, text).play(turn)


class Engine:
    """The engine; every position goes through its text."""

    def start(self, spec: str) -> str:
        return Position.start(spec).text()

    def read(self, spec: str, text: str) -> str:
        return Position.parse(spec, text).text()

    def turns(self, spec: str, text: str, *played: str) -> list[str]:
        """Return the turns after some that are remembered, which superko is about."""
        position = Position.parse(spec, text)
        for turn in played:
            position.push(turn)
        return position.turns()

    def play(self, spec: str, text: str, *turns: str) -> str:
        for turn in turns:
            position = Position.parse(spec, text)
            position = Position.of_state(position.spec, position.state)  # jumps are not challenged
            assert position.push(turn) == turn
            text = position.text()
        return text

    def outcome(self, spec: str, text: str) -> Outcome:
        outcomes: tuple[Outcome, ...] = (None, "first", "second", "draw")
        position = Position.parse(spec, text)  # nobody is asked which stones are dead
        return outcomes[int(position.spec.game.rules.outcome(position.state))]

    def check_refusal(self, spec: str, text: str, turn: str) -> None:
        """The position stays as it was."""
        position = Position.parse(spec, text)
        with pytest.raises(TengenError, match=r"\S"):
            position.push(turn)
        assert (position.text(), position.turns_played) == (text, ())

    def check_spelling(self, spec: str, text: str, spelling: str, canonical: str) -> None:
        """Another spelling is answered by the canonical one."""
        position = Position.parse(spec, text)
        assert position.format(position.parse_turn(spelling)) == canonical
        assert position.text() == text
        assert position.push(spelling) == canonical
        assert position.turns_played == (canonical,)
        assert position.text() == known(spec, text).play(canonical).format()


@pytest.fixture(params=[Reference, Engine], ids=["reference", "engine"])
def each_face(request: pytest.FixtureRequest) -> Face:
    """Run a test on both; a module of tests binds it to its own name for it."""
    return request.param()
