"""docs/protocols.md describes every command, by its usage, and no other."""

from __future__ import annotations

import re

import pytest

from tests import ROOT
from tests.protocol.conversation import PROTOCOLS

DOCUMENT = (ROOT / "docs" / "protocols.md").read_text("utf-8")


def chapter(protocol: str) -> str:
    """Return the chapter of the document about a protocol."""
    chapters = dict(re.findall(r"^## (\w+).*?\n(.*?)(?=^## |\Z)", DOCUMENT, re.M | re.S))
    return {name.lower(): text for name, text in chapters.items()}[protocol]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_command_has_its_section(protocol):
    katago_rules = re.findall(r"^### (.+)$", chapter(protocol), re.M)
    headings = [usage for heading in katago_rules for usage in re.findall(r"`([^`]+)`", heading)]
    commands = PROTOCOLS[protocol].commands.by_name
    usages = [name + command.usage[len(command.usage.split()[0]) :] for name, command in commands.items()]
    assert sorted(headings) == sorted(usages)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_section_says_what_happens_on_failure(protocol):
    sections = re.split(r"^### ", chapter(protocol), flags=re.M)[1:]
    silent = [
        section.splitlines()[0]
        for section in sections
        if not re.search(r"On\s+failure|Never\s+fails", section)
    ]
    assert not silent
