"""The pages of rules in ``docs/rules``: their numbers are those of the code, and their examples are true."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tengen.engine import games
from tengen.engine.errors import IllegalTurnError, OptionError
from tengen.engine.play.position import Position
from tengen.engine.rulebook import (
    TAG,
    TIPS,
    Block,
    ExampleTurn,
    Kind,
    Verdict,
    example,
    parse,
    reference,
    rulebook,
)
from tests import ROOT
from tests.tools.pictures import drawings

PAGES = ROOT / "docs/rules"
every_game = pytest.mark.parametrize("name", games.built_in())
CITATION = re.compile(rf'\[({TAG})\]|"({TAG})"')


def cited(*folders: str) -> set[str]:
    """Return the numbers of rules that the code in some folders cites."""
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    found = {tag for path in files for match in CITATION.findall(path.read_text("utf-8")) for tag in match}
    return found - {""}


def blocks(name: str) -> Iterator[Block]:
    for section in rulebook(games.find(name)).sections:
        yield from section.blocks


def tags_with_base(name: str) -> set[str]:
    """Return the numbers on the page of a game, and on those of games whose code it shares."""
    family = [name, *(other for other in games.built_in() if uses(other, name))]
    return {tag for other in family for tag in rulebook(games.find(other)).tags}


def uses(other: str, name: str) -> bool:
    """Return whether one of two games builds on the other."""
    return rulebook(games.find(other)).base == name or rulebook(games.find(name)).base == other


@every_game
def test_each_number_that_the_code_of_a_game_cites_is_on_its_page(name):
    assert cited(f"engine/{name}") <= tags_with_base(name)


def test_each_number_that_shared_code_cites_is_on_some_page():
    known = {tag for name in games.built_in() for tag in rulebook(games.find(name)).tags}
    assert cited("engine", "search", "tuning", "protocol") <= known


@every_game
def test_each_rule_on_a_page_is_cited_by_the_code(name):
    folders = {name, *(other for other in games.built_in() if uses(other, name))}
    code = cited(*(f"engine/{folder}" for folder in folders)) | cited_by_shared_code()
    assert not {*rulebook(games.find(name)).tags} - code


def cited_by_shared_code() -> set[str]:
    folders = [f"engine/{folder.name}" for folder in (ROOT / "engine").iterdir() if folder.is_dir()]
    shared = [folder for folder in folders if folder.removeprefix("engine/") not in games.built_in()]
    return cited("protocol", *shared)


@every_game
def test_each_number_in_a_text_is_that_of_a_rule(name):
    named = {tag for block in blocks(name) for tag in re.findall(rf"\[({TAG})\]", block.text)}
    assert named <= tags_with_base(name)


@every_game
def test_a_number_is_given_once_and_the_page_has_tips(name):
    page = rulebook(games.find(name))
    assert len(page.tags) == len({*page.tags})
    assert [section.heading for section in page.tips] == [TIPS]
    assert page.rules


@every_game
def test_the_examples_are_true(name):
    """Each turn is legal, refused by the rule that is named, or leads where the page says."""
    position: Position | None = None
    for block in blocks(name):
        if block.kind == Kind.BOARD:
            shown = Position(block.spec, block.position or None)
            assert not block.then or (position is not None and position.text() == shown.text()), block
            position = shown
        elif block.kind == Kind.TURNS:
            position = position or Position(name)
            for line in example(block):
                check(position, line)


def check(position: Position, line: ExampleTurn) -> None:
    mover = position.side
    if line.verdict == Verdict.REFUSED:
        with pytest.raises(IllegalTurnError) as refusal:
            position.push(line.turn)
        assert refusal.value.rule == line.rule, line
    elif line.verdict == Verdict.LEGAL:
        position.copy().push(line.turn)
    else:
        position.push(line.turn)
        winner = position.winner()
        ends = {Verdict.PLAYED: None, Verdict.WINS: mover}
        assert (
            winner == ends[line.verdict] if line.verdict in ends else winner not in (None, "draw", mover)
        ), line


@every_game
def test_the_pictures_are_what_the_engine_draws(name):
    """``python -m tests.tools.pictures`` draws them again."""
    for path, svg in drawings(name):
        assert path.read_text("ascii") == svg, path.name


def test_every_picture_is_shown():
    shown = {path for name in games.built_in() for path, _ in drawings(name)}
    assert {*(ROOT / "docs" / "rules" / "pictures").resolve().iterdir()} == {path.resolve() for path in shown}


@pytest.mark.parametrize("word", ["D-5", "d-5", "d5", "[D-5]", " D5 "])
def test_a_rule_is_found_by_its_number(word):
    section = rulebook(games.find("dvonn")).rule(word)
    assert section.blocks[0].tag == "D-5"
    assert {block.kind for block in section.blocks} >= {Kind.RULE, Kind.BOARD, Kind.TURNS}
    assert [block.tag for block in section.blocks[1:]] == [""] * (len(section.blocks) - 1)


def test_an_unknown_rule_is_refused_with_the_nearest_one():
    with pytest.raises(
        OptionError, match=r"rule of DVONN: expected D-1, .* or tips, got 'D-55' \(did you mean 'D-5'\?\)"
    ):
        rulebook(games.find("dvonn")).rule("D-55")


def test_gobang_knows_the_rules_of_gomoku():
    assert rulebook(games.find("gobang")).rule("M-1") == rulebook(games.find("gomoku")).rule("M-1")


def test_a_refusal_leads_to_its_rule():
    with pytest.raises(IllegalTurnError) as refusal:
        Position.start("dvonn").push("a1b1")
    assert reference(games.find("dvonn"), refusal.value.rule) == "tengen rules dvonn D-1"
    assert reference(games.find("dvonn"), "") == ""
    assert reference(games.find("dvonn"), "G-1") == ""


@pytest.mark.parametrize("language", ["fr", "es"])
@every_game
def test_a_translated_page_has_the_texts_of_the_page_and_its_facts(name, language):
    """Rules, places, numbers, options and turns are those of the English page, which has the examples."""
    page, other = rulebook(games.find(name)), rulebook(games.find(name), language)
    assert (other.language, len(other.sections), other.tags) == (language, len(page.sections), page.tags)
    for section, translation in zip(page.sections, other.sections, strict=True):
        for block, translated in zip(section.blocks, translation.blocks, strict=True):
            assert replace(block, text="") == replace(translated, text="")
            if block.kind == Kind.TURNS:
                assert [(each.turn, each.verdict, each.rule, not each.reason) for each in example(block)] == [
                    (each.turn, each.verdict, each.rule, not each.reason) for each in example(translated)
                ]
            else:
                assert facts(block) == facts(translated), translated.text
                assert block.text != translated.text or not re.search(r"[a-z]{3} [a-z]{3}", block.text)


def facts(block: Block) -> list[str]:
    """Return what a translation leaves as it is."""
    text = re.sub(r"(?<=\d)[,\u202f](?=\d)", "", block.text)
    return sorted(re.findall(rf"`[^`]+`|\[{TAG}\]|\b[a-kA-J]\d\b|\d+", text))


@pytest.mark.parametrize("language", ["fr", "es"])
@every_game
def test_a_translated_page_has_no_texts_without_a_place(name, language):
    """What is too much would be left out without a word."""
    translation = parse((PAGES / language / f"{name}.md").read_text("utf-8"), PAGES / language)
    needed = [block for block in blocks(name) if worded(block)]
    assert len(needed) == sum(len(section.blocks) for section in translation.sections)


def worded(block: Block) -> bool:
    return ": " in block.text if block.kind == Kind.TURNS else bool(block.text)
