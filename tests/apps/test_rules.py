"""``tengen rules``: rules to read, one by its number, hints for good play."""

import json
import os
import pydoc
import shutil
import sys

import pytest

from tengen.apps.terminal import Style, page, show_paged
from tengen.engine import games
from tengen.engine.rulebook import rulebook

every_game = pytest.mark.parametrize("name", games.built_in())


@every_game
def test_all_rules_of_a_game_are_shown(name, printed):
    shown = printed("rules", name)
    for tag in rulebook(games.find(name)).tags:
        assert f"[{tag}]" in shown
    assert "```" not in shown
    assert "<!--" not in shown
    assert "**" not in shown
    assert "](" not in shown


@every_game
def test_hints_are_shown_apart(name, printed):
    tips = printed("rules", name, "tips")
    assert tips.count("\n- ") >= 3
    assert tips.splitlines()[4] not in printed("rules", name)


def test_one_rule_is_shown_with_its_example(printed):
    shown = printed("rules", "dvonn", "D-5")
    assert shown.startswith("Second phase: stacks move\n\n[D-5] DVONN pieces.")
    assert "White to move, pieces controlled 1-1" in shown
    assert "a1b1  not allowed [D-5]: a lone DVONN piece\n" in shown
    assert "b1c1  White's stack of two now holds a DVONN piece\n  d1e1\n" in shown
    assert "[D-4]" not in shown


def test_a_variant_has_the_rules_of_its_game(printed):
    assert printed("rules", "gomoku:renju", "R-6") == printed("rules", "gomoku", "r6")


def test_without_a_game_all_are_listed(printed):
    shown = printed("rules")
    assert all(f"\n{name} " in f"\n{shown}" for name in games.built_in())


def test_json_holds_the_same(printed):
    whole = json.loads(printed("rules", "zertz", "--json"))
    assert (whole["game"], whole["title"]) == ("zertz", games.find("zertz").title)
    one = json.loads(printed("rules", "zertz", "Z-5", "--json"))
    (section,) = one["sections"]
    kinds = [block["kind"] for block in section["blocks"]]
    assert kinds[0] == "rule"
    assert {"board", "turns"} <= {*kinds}
    board = next(block for block in section["blocks"] if block["kind"] == "board")
    assert board["game"] == "zertz"
    assert board["picture"].endswith(".svg")
    assert "Z-1" in json.loads(printed("rules", "--json"))["zertz"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("dvon",), "got 'dvon' (did you mean 'dvonn'?)"),
        (("dvonn", "D-55"), "got 'D-55' (did you mean 'D-5'?)"),
        (("dvonn", "tipps"), "expected D-1, D-2"),
        (("dvonn", "\x1b[2J" * 50), "expected D-1, D-2"),
        (("gomoku,sise=3",), "did you mean 'size'?"),
    ],
)
def test_what_is_unknown_is_refused_in_one_line(arguments, complaint, printed):
    error = printed("rules", *arguments, code=2)
    assert complaint in error
    assert error[:-1].isprintable()


@pytest.mark.parametrize("width", [40, 60, 100])
@every_game
def test_text_keeps_to_the_width(name, width):
    """Boards and tables are as wide as they are."""
    book = rulebook(games.find(name))
    for section in book.sections:
        for block in section.blocks:
            if block.kind not in ("board", "table", "code", "turns"):
                lone = page("", (type(section)("", (block,)),), Style(width=width)).splitlines()
                assert all(len(line) <= width or " " not in line.strip() for line in lone)


def test_a_refusal_on_the_command_line_says_where_to_read_on(printed):
    error = printed("show", "--game", "dvonn", "--moves", "a1 a1", code=2)
    assert "[D-1] (to read on: tengen rules dvonn D-1)" in error


@pytest.mark.parametrize(("lines", "paged"), [(9, True), (8, False)])
def test_what_a_terminal_has_no_room_for_is_paged(monkeypatch, capsys, lines, paged):
    shown: list[str] = []
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((80, 10)))
    monkeypatch.setattr(pydoc, "pager", shown.append)
    monkeypatch.setenv("LESS", "")
    text = "\n" * lines
    show_paged(text)
    assert (shown == [text], capsys.readouterr().out == f"{text}\n") == (paged, not paged)
