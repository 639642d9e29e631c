"""docs/protocols.md describes every command, by its usage, and no other."""

import re

import pytest

from tests import ROOT
from tests.protocol.conversation import PROTOCOLS

DOCUMENT = (ROOT / "docs" / "protocols.md").read_text("utf-8")


def chapter(protocol: str) -> str:
    """Return the chapter of the document about a protocol."""
    chapters = dict(re.findall(r"^## (\w+).*?\n(.*?)(?=^## |\Z)", DOCUMENT, re.M | re.S))
    return {name.lower(): text for name, text in chapters.items()}[protocol]


def entries(protocol: str) -> list[tuple[list[str], str]]:
    """Return the usages and the text of each entry: a heading that names commands, or a bullet in bold."""
    text = chapter(protocol)
    headings = r"^### (?=`)([^\n]*)\n(.*?)(?=^#|^- \*\*|\Z)"
    bullets = r"^- \*\*(.*?)\*\*(.*?)(?=^- |\n\n|\Z)"
    found = [pair for form in (headings, bullets) for pair in re.findall(form, text, re.M | re.S)]
    return [(re.findall(r"`([^`]+)`", heading), entry) for heading, entry in found]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_command_has_its_entry(protocol):
    described = [usage for usages, _ in entries(protocol) for usage in usages]
    commands = PROTOCOLS[protocol].commands.by_name
    usages = [name + command.usage[len(command.usage.split()[0]) :] for name, command in commands.items()]
    assert sorted(described) == sorted(usages)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_entry_says_what_happens_on_failure(protocol):
    outcome = re.compile(r"On\s+failure|Never\s+fails")
    silent = [usages for usages, text in entries(protocol) if not outcome.search(text)]
    assert not silent
