"""The rules by examples, asked of the references and of the engine alike: ``examples/``, a file a game.

An example is a block of lines. The first has its name, a colon, and what it shows. In the others, | divides:

    game SPEC ...             the game; the lines that follow hold in all of several, `{a|b}` stands for each
    either colour             the example holds with the colours exchanged, too
    start                     the position is the first one, whose text can be read
    at POSITION               or this one
    play TURN ...             it becomes another
    is POSITION               it is this one
    outcome OUTCOME           who has won it: first, second, draw; or open. Only then it has turns
    ahead RULES POINTS        by how much Black is ahead, when Go is counted by territory or by area
    turns TURN ...            its turns are these
    turns BEGINNING* TURN ...   those that begin so are these, without what they begin with
    opens TURN ...            what its turns take in GIPF before a push or a jump
    free RING ...             the rings that its turns take away in ZÈRTZ after one placement or another
    number N                  it has so many turns, all different
    some TURN ...             it has these among others; * stands for anything
    no TURN ...               it has none of these
    all TURN                  it has turns, and all are like this
    refused TURN ...          these are no turns, and are refused
    recall TURN ...           the lines that follow are about what may be played after these turns
    TURN ... -> POSITION      what turns would make of it; or the outcome
    SPELLING = TURN           the engine takes another spelling for this turn
    no game SPEC ...          there are no such games
    no position POSITION      there is no such position

A position is its text, or SPOT=PIECE for each piece on an empty board and the rest of its text; `else=-`
takes the other rings away. Of a turn, what stands in parentheses may be left out, but not everything; `but`
precedes exceptions, and - is nothing.
"""

import re
from fnmatch import fnmatchcase
from itertools import product

import pytest

from tests.rules.examples import Example, examples, expand, position, turns_of
from tests.rules.faces import Engine, Face, each_face
from tests.rules.stones import swapped

face = each_face
OUTCOMES = {"first": "first", "second": "second", "draw": "draw", "open": None}
COUNTED_BY = {"territory": ("territory", "japanese"), "area": ("chinese", "tromp-taylor")}


class Checker:
    """Goes through the lines of an example, and keeps the position that they are about."""

    def __init__(self, face: Face, spec: str, swap: bool) -> None:
        self.face, self.spec, self.swap = face, spec, swap
        self.text = ""
        self.recalled: list[str] = []
        self.listed: dict[tuple[str, ...], list[str]] = {}  # turns by position, and turns that are recalled

    def position(self, text: str) -> str:
        return swapped(text) if self.swap else position(self.spec, text)

    def turns(self) -> list[str]:
        asked = (self.text, *self.recalled)
        if asked not in self.listed:
            self.listed[asked] = self.face.turns(self.spec, *asked)
        return self.listed[asked]

    def check_outcome(self, text: str, outcome: str) -> None:
        expected = OUTCOMES[outcome]
        if self.swap:
            expected = {"first": "second", "second": "first"}.get(expected or "", expected)
        assert self.face.outcome(self.spec, text) == expected
        assert bool(self.face.turns(self.spec, text)) == (outcome == "open")

    def check_lead(self, rules: str, points: float) -> None:
        """Check that a komi of as much is a draw, and no other."""
        ended = self.text[:-1] + "2"
        for each in COUNTED_BY[rules]:
            for komi, outcome in ((points - 0.5, "first"), (points, "draw"), (points + 0.5, "second")):
                spec = f"{self.spec},rules={each},komi={komi:g}"
                assert self.face.outcome(spec, ended) == outcome
                assert not self.face.turns(spec, ended)

    def check(self, line: str) -> None:
        """Check one line, or move on by it."""
        left, arrow, right = line.partition(" -> ")
        word, _, rest = line.partition(" ")
        words = rest.split()
        if arrow:
            after = self.face.play(self.spec, self.text, *left.split())
            if right in OUTCOMES:
                self.check_outcome(after, right)
            else:
                assert after == self.position(right)
        elif " = " in line:
            if isinstance(self.face, Engine):
                self.face.check_spelling(self.spec, self.text, *line.split(" = "))
        elif line.startswith("no game"):
            for spec in words[1:]:
                with pytest.raises(ValueError, match=r"\S"):
                    self.face.start(spec)
        elif line.startswith("no position"):
            with pytest.raises(ValueError, match=r"\S"):
                self.face.read(self.spec, self.position(line.removeprefix("no position").strip(" ")))
        elif word in ("start", "at", "play"):
            self.recalled = []
            if word == "play":
                self.text = self.face.play(self.spec, self.text, *words)
            else:
                self.text = self.face.start(self.spec) if word == "start" else self.position(rest)
                assert self.face.read(self.spec, self.text) == self.text
        elif word == "is":
            assert self.text == self.position(rest)
        elif word == "outcome":
            self.check_outcome(self.text, rest)
        elif word == "ahead":
            self.check_lead(words[0], float(words[1]))
        elif word == "recall":
            self.recalled = words
        else:
            self.check_turns(word, words)

    def check_turns(self, word: str, words: list[str]) -> None:
        """Check a line about the turns of the position."""
        turns = self.turns()
        if word == "turns" and words and words[0].endswith("*"):
            start = words.pop(0)[:-1]
            assert {turn.removeprefix(start) for turn in turns if turn.startswith(start)} == turns_of(words)
        elif word == "turns":
            assert {*turns} == turns_of(words)
            assert len({*turns}) == len(turns)
        elif word == "opens":
            taken = (re.match(r"(?:x[^;]*(?:;|$))*", turn) for turn in turns)
            assert {match[0].rstrip(";") for match in taken if match} == turns_of(words)
        elif word == "free":
            assert {turn[4:6] for turn in turns if turn[3:4] == ","} == {*words}
        elif word == "number":
            assert len({*turns}) == len(turns) == int(words[0])
        elif word == "some":
            assert not [each for each in words if not any(fnmatchcase(turn, each) for turn in turns)]
        elif word == "no":
            assert not [turn for turn in turns if any(fnmatchcase(turn, each) for each in words)]
        elif word == "all":
            assert turns
            assert all(fnmatchcase(turn, words[0]) for turn in turns)
        else:
            assert word == "refused", f"expected a line of an example, got {word!r}"
            for turn in words:
                assert turn not in turns
                self.face.check_refusal(self.spec, self.text, "" if turn == "-" else turn)


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: f"{example.game}-{example.title}")
def test_rules(face: Face, example: Example) -> None:
    for swap in (False, True) if "either colour" in example.lines else (False,):
        checkers = [Checker(face, "", swap)]
        for line in example.lines:
            if line.startswith("game "):
                checkers = [Checker(face, spec, swap) for word in line.split()[1:] for spec in expand(word)]
            elif line != "either colour":
                for checker, part in product(checkers, line.split(" | ")):
                    checker.check(part)
