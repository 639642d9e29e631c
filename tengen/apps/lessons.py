"""Lessons: the rules of a game, one after another, each with a position in which it is tried out."""

from collections.abc import Container
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from tengen.engine.game import Game
from tengen.engine.play.position import Position
from tengen.engine.rulebook import ExampleTurn, Kind, Verdict, example, rulebook
from tengen.engine.spec import GameSpec

MOVING = {Verdict.PLAYED, Verdict.WINS, Verdict.LOSES}  # verdicts after which the position is another one


@dataclass(frozen=True)
class Lesson:
    """A rule with its example."""

    heading: str  # the section of the rules
    texts: tuple[str, ...]  # the rule, what belongs to it, and what the board shows, in Markdown
    spec: str  # what the example begins with
    position: str
    turns: tuple[ExampleTurn, ...]  # what to try, in order

    def report(self) -> dict[str, Any]:
        """Return what a page shows of it."""
        turns = [{**turn.report(), "moves": turn.verdict in MOVING} for turn in self.turns]
        return {"heading": self.heading, "texts": list(self.texts), "turns": turns}

    def tasks(self, done: Container[int]) -> dict[int, ExampleTurn]:
        """Return the turns to try now, by number: up to the next one that moves the game on."""
        moving = [number for number, turn in enumerate(self.turns) if turn.verdict in MOVING]
        begin = max((number + 1 for number in moving if number in done), default=0)
        end = min((number + 1 for number in moving if number >= begin), default=len(self.turns))
        return dict(list(enumerate(self.turns))[begin:end])


def lessons(game: Game, language: str = "en") -> list[Lesson]:
    """Return the lessons of a game, in the order of its rules; raise OptionError if there are none.

    What has no example comes with the next rule of its section that has one, or else with the last one.
    """
    found = []
    for section in rulebook(game, language).rules:
        position, rule, caption = Position(GameSpec.of(game)), "", ""
        texts: list[str] = []  # since the last example
        for block in section.blocks:
            if block.kind == Kind.RULE:
                texts = [*(texts if rule in texts else ()), block.text]
                rule = block.text
            elif block.kind == Kind.BOARD:
                position = position if block.then else Position(block.spec, block.position or None)
                caption = block.text and f"{block.text}."
            elif block.kind == Kind.TURNS:
                turns = tuple(example(block))
                said = filter(None, (*(() if rule in texts else (rule,)), *texts, caption))
                found.append(Lesson(section.heading, tuple(said), str(position.spec), position.text(), turns))
                for turn in turns:
                    if turn.verdict in MOVING:
                        position.push(turn.turn)
                texts, caption = [], ""
            elif block.kind in (Kind.ITEM, Kind.PARAGRAPH):
                texts.append(block.text)
                rule = rule or block.text
        if found and found[-1].heading == section.heading:
            rest = takewhile(lambda text: not text.startswith("#"), texts)  # up to a heading
            found[-1] = replace(found[-1], texts=(*found[-1].texts, *rest))
    return found
