"""Reviews of the variations of a record."""

import json

import pytest

from tengen.apps.review.assessment import variations_of
from tengen.engine import sgf
from tengen.search.limits.limit import Limit
from tests.apps.review.records import EFFORT, annotated_of, journal_of

MAIN = ";B[dd];W[aa];B[de](;W[ab];B[df])"
RECORD = f"(;GM[4]SZ[7]RU[Freestyle]{MAIN}(;W[df]C[safe];B[cd](;W[bd];B[ed])(;W[ed];B[bd]))(;W[gg]))"
TITLES = [
    "variation 1, instead of turn 4",
    "variation 2, instead of turn 6 of variation 1",
    "variation 3, instead of turn 4",
]


@pytest.fixture
def branched(tmp_path):
    path = tmp_path / "branched.sgf"
    path.write_text(RECORD)
    return path


def test_each_variation_begins_where_it_leaves_its_line(branched):
    found = variations_of(sgf.read_file(branched), Limit(nodes=1))
    assert [each.title for each in found] == TITLES
    lines = [[entry.played for entry in each.review.positions] for each in found]
    assert lines == [["D2", "C4", "B4", "E4", ""], ["E4", "B4", ""], ["G1", ""]]
    assert [each.review.positions[0].number for each in found] == [3, 5, 3]


def test_the_table_has_a_part_for_each_variation(review, branched):
    code, out, err = review(branched, *EFFORT, "--variations")
    assert (code, err) == (0, [])
    assert [line for line in out.splitlines() if line.startswith("variation")] == TITLES
    assert TITLES[0] not in review(branched, *EFFORT, "--restart")[1]


def test_json_names_the_variation_of_a_turn(review, branched):
    _, out, _ = review(branched, *EFFORT, "--variations", "--json")
    *turns, summary = map(json.loads, out.splitlines())
    found = [(turn.get("variation"), turn.get("parent"), turn["turn"], turn["played"]) for turn in turns]
    assert found[5:8] == [(None, None, 6, None), (1, 0, 4, "D2"), (1, 0, 5, "C4")]
    assert found[-2:] == [(3, 0, 4, "G1"), (3, 0, 5, None)]
    assert "variation" not in summary
    assert summary["summary"]["black"]["turns"] == 3  # of the main line


def test_the_annotated_record_keeps_and_annotates_variations(review, branched):
    review(branched, *EFFORT, "--variations")
    safe, last, *_ = sgf.read_file(annotated_of(branched)).line[3].variations
    line = [safe, *safe.main_line()]
    assert [node.turn for node in line] == ["D2", "C4", "B4", "E4"]
    assert safe.comment.startswith("safe\n\nBlack ")
    assert line[3].comment.startswith("Black ")
    assert line[1].variations[0].next.comment.startswith("Black ")
    assert "SBKV" in last.properties


def test_better_turns_than_the_first_of_a_variation_stand_beside_it_once(review, branched):
    review(branched, *EFFORT, "--variations")
    path = annotated_of(branched)
    assert "((" not in path.read_text("utf-8")  # a tree of SGF begins with a node
    turns = [node.turn for node in sgf.read_file(path).line[3].variations]
    assert turns[:2] == ["D2", "G1"]
    assert len(turns) > 2
    assert len(set(turns)) == len(turns)


def test_a_review_goes_on_within_a_variation(review, branched):
    whole = review(branched, *EFFORT, "--variations", "--json")[1].splitlines()
    journal = journal_of(branched)
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:9]))  # the settings, the main line and two positions
    again = review(branched, *EFFORT, "--variations", "--json")[1].splitlines()
    assert (again[:7], len(again)) == (whole[:7], len(whole))
    assert journal.read_bytes().splitlines(keepends=True)[:9] == lines[:9]
    assert journal.read_bytes().count(b"\n") == len(lines)


def test_a_review_of_the_main_line_is_another_one(review, branched):
    review(branched, *EFFORT, "--variations")
    journal = journal_of(branched)
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:3]))
    code, out, err = review(branched, *EFFORT)
    assert (code, out) == (2, "")
    assert "expected this analysis, got 2 of 16 positions of another analysis" in err[0]


def test_the_page_has_the_variations(review, branched):
    page = branched.with_suffix(".html")
    assert review(branched, *EFFORT, "--variations", "--html", str(page))[0] == 0
    data = json.loads(page.read_text().partition('type="application/json">')[2].partition("</script>")[0])
    assert [(each["at"], each["title"]) for each in data["variations"]] == list(
        zip((4, 6, 4), TITLES, strict=True)
    )
    assert [turn["name"] for turn in data["variations"][1]["turns"]] == ["6. e4", "7. b4"]


def test_an_illegal_turn_of_a_variation_is_named(review, branched):
    branched.write_text(RECORD.replace("W[gg]", "W[dd]"))
    code, out, err = review(branched, *EFFORT, "--variations")
    named = "variation instead of turn 4: turn 4: illegal turn 'd4': d4 is occupied [M-1]"
    assert (code, [line for line in out.splitlines() if line.startswith("variation")]) == (0, TITLES[:2])
    assert err == [f"tengen: {branched}: {named}"]
    code, out, err = review(branched, *EFFORT, "--variations", "--strict")
    assert (code, out, err) == (2, "", [f"tengen: error: '{branched}': {named}"])
