"""Dialogues as data: tests/protocol/transcripts.

Line by line: ``$ PROTOCOL GAME`` says what speaks and what it plays first; ``> TEXT`` is sent, Python's
escapes standing for control characters; ``< TEXT`` is the next line of output; ``< /REGEX/`` matches the
whole of it; ``< ...`` skips to where the line below it matches; ``!`` ends the input; ``#`` begins a
comment. The input is ended after the last line at the latest: then nothing more may come, and the exit code
is 0.
"""

import re
from pathlib import Path

import pytest

from tests import ROOT
from tests.processes import PATIENCE
from tests.protocol.conversation import Inside

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*/*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}_{path.stem}")
def test_dialogue_goes_as_written(path, monkeypatch):
    monkeypatch.chdir(ROOT)  # transcripts name files from there
    talk: Inside | None = None
    skipping = False
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        sign, _, text = line.partition(" ")
        if sign == "$":
            assert talk is None, "one dialogue a file"
            talk = Inside(*text.split())
            talk.session.start_compiling()[0].join(PATIENCE)  # what is said before is not written here
        elif sign == ">":
            assert talk is not None
            talk.send(text.encode().decode("unicode_escape"))
        elif sign == "!":
            assert talk is not None
            talk.close_input()
        elif sign == "<" and text == "...":
            skipping = True
        elif sign == "<":
            assert talk is not None
            got = talk.line()
            while skipping and got is not None and not matches(text, got):
                got = talk.line()
            skipping = False
            assert got is not None, f"{path.name}:{number}: expected {text!r}, got the end"
            assert matches(text, got), f"{path.name}:{number}: expected {text!r}, got {got!r}"
        else:
            assert not line or sign.startswith("#"), (
                f"{path.name}:{number}: no line of a transcript: {line!r}"
            )
    assert talk is not None
    assert talk.finish() == 0
    rest = talk.rest()
    assert skipping or not rest, f"{path.name}: expected the end, got {rest}"


def matches(expected: str, got: str) -> bool:
    if len(expected) > 1 and expected[0] == expected[-1] == "/":
        return re.fullmatch(expected[1:-1], got) is not None
    return got == expected
