"""A slice of the parts of the soak, in a minute; ``make soak HOURS=1`` goes on for an hour."""

import pytest

from tests.soak.__main__ import PARTS, SLICE, table, tried
from tests.soak.parts import Report

ELSEWHERE = {"kills", "cluster", "lines"}  # in tests/tuning, at known points, and in tests/protocol


@pytest.mark.parametrize("part", [part for part in PARTS if part not in ELSEWHERE])
def test_a_slice_finds_no_fault(part):
    if part == "pages":
        pytest.importorskip("starlette")
    report = tried(part, 1, SLICE)
    assert report.faults == []
    assert report.cases > 0


def test_the_table_tells_what_was_tried_and_found():
    found = {"words": Report(1200, ["fault"], 12.34), "games": Report(5)}
    lines = table(found, {"words": 3, "games": 1}, {"words": 9.6, "games": 0.2}).splitlines()
    assert lines[1].split() == ["words", "3", "1,200", "commands", "1", "12.3", "-", "10"]
    assert lines[2].split() == ["games", "1", "5", "games", "0", "-", "-", "0"]


def test_a_part_that_fails_is_a_fault(monkeypatch):
    monkeypatch.setitem(PARTS, "words", lambda seed, share: 1 / 0)
    assert "words, seed 7: " in tried("words", 7, 1.0).faults[0]
