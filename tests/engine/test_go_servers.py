"""Records of Go servers, read by pysgf."""

from __future__ import annotations

import sys

import pytest

import tengen
from tengen.engine.errors import OptionError, TengenError
from tengen.engine.formats import files, pysgf
from tengen.protocol.cli.main import main

GIB = """\\HS
\\[GAMEBLACKNAME=kim (9D)\\]
\\[GAMEWHITENAME=lee (8D)\\]
\\[GAMEINFOMAIN=GBKIND:3,GTYPE:0,GRLT:1,ZIPSU:35,DUM:0,GONGJE:65,TCDT:1\\]
\\[GAMETAG=S1,R3,D0,G65,W1,Z35,T30-3-600,C2017:03:05:10:22,I:kim,L:9\\]
\\HE
\\GS
INI 0 1 0 &4
STO 0 2 1 15 3
STO 0 3 2 3 15
\\GE
"""
NGF = """A game
19
lee 8D*
kim 9D*
www
2
0
0
20170305 [10:22]
30
White wins
2
PMABWDQDQD
PMACBQQQQQ
"""


def test_a_record_of_tygem_is_read():
    record = pysgf.read(GIB.encode(), ".gib")
    assert str(record.spec) == "go,komi=6.5"
    assert record.turns == [(0, "Q16"), (1, "D4")]
    named = [record.properties[name] for name in ("PB", "BR", "PW", "WR", "RE", "DT")]
    assert named == [["kim"], ["9D"], ["lee"], ["8D"], ["W+3.5"], ["2017-03-05"]]


def test_a_record_of_wbaduk_is_read_with_its_handicap():
    record = pysgf.read(NGF.encode(), ".ngf")
    assert record.spec.values["handicap"] == 2
    assert record.turns == [(1, "C4"), (0, "Q4")]


def test_the_command_converts_them_and_writes_none(tmp_path, capsys):
    (tmp_path / "game.gib").write_text(GIB)
    assert main(["convert", str(tmp_path / "game.gib"), str(tmp_path / "game.sgf")]) == 0
    assert files.read_file(tmp_path / "game.sgf").turns == [(0, "Q16"), (1, "D4")]
    assert tengen.Record.read(tmp_path / "game.gib").main_line() == ["Q16", "D4"]
    assert main(["show", str(tmp_path / "game.gib"), "--json"]) == 0
    assert '"played": ["Q16", "D4"]' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "suffix"),
    [("", ".gib"), ("STO 0 1 1 99 0", ".gib"), ("STO", ".gib"), ("", ".ngf"), (GIB * 2, ".gib")],
)
def test_what_is_no_record_is_refused_in_one_line(text, suffix):
    with pytest.raises(TengenError, match="record: pysgf cannot read it") as error:
        pysgf.read(text.encode(), suffix)
    assert "\n" not in str(error.value)


def test_without_the_library_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysgf", None)
    with pytest.raises(OptionError, match="needs pysgf, in the extra records: pip install pysgf"):
        pysgf.read(GIB.encode(), ".gib")
