"""Two faces of one game, the reference and the engine, behind the same questions: rule tests ask both."""

from __future__ import annotations

from typing import Literal, Protocol

import pytest

from tengen.engine.play.position import Position
from tests.reference import reference

Outcome = Literal["first", "second", "draw"] | None


class Face(Protocol):
    """One implementation of the rules: position texts and turns in, position texts and turns out."""

    def start(self, spec: str) -> str: ...

    def read(self, spec: str, text: str) -> str: ...

    def turns(self, spec: str, text: str) -> list[str]: ...

    def play(self, spec: str, text: str, *turns: str) -> str: ...

    def outcome(self, spec: str, text: str) -> Outcome: ...


class Reference:
    """The reference; every position goes through its text."""

    def start(self, spec: str) -> str:
        return reference(spec).format()

    def read(self, spec: str, text: str) -> str:
        return reference(spec, text).format()

    def turns(self, spec: str, text: str) -> list[str]:
        return reference(spec, text).turns()

    def play(self, spec: str, text: str, *turns: str) -> str:
        for turn in turns:
            text = reference(spec, text).play(turn).format()
        return text

    def outcome(self, spec: str, text: str) -> Outcome:
        return reference(spec, text).outcome()


class Engine:
    """The engine; every position goes through its text."""

    def start(self, spec: str) -> str:
        return Position.start(spec).text()

    def read(self, spec: str, text: str) -> str:
        return Position.parse(spec, text).text()

    def turns(self, spec: str, text: str) -> list[str]:
        return Position.parse(spec, text).turns()

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


@pytest.fixture(params=[Reference, Engine], ids=["reference", "engine"])
def each_face(request: pytest.FixtureRequest) -> Face:
    """Run a test on both; a module of tests binds it to its own name for it."""
    return request.param()
