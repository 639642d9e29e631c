"""The README is short, no line of the documentation is too wide, and no link in it leads nowhere."""

import re
from pathlib import Path

import pytest

from tests import ROOT

README = ROOT / "README.md"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
WIDTH = 120
WORDS = 900
every_page = pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])


def prose(text: str) -> str:
    """Return the text of a page less its code blocks, fenced or indented."""
    without_fences = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return re.sub(r"(?<=\n\n)(?: {4}.*\n)+", "", without_fences)


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_readme_is_under_900_words():
    assert len(prose(README.read_text("utf-8")).split()) < WORDS


def test_readme_has_one_picture():
    assert len(re.findall(r"!\[[^\]]*\]\(", README.read_text("utf-8"))) == 1


@every_page
def test_no_line_is_wider_than_120_characters(page):
    lines = page.read_text("utf-8").splitlines()
    wide = [f"{page.name}:{number}: {len(line)}" for number, line in enumerate(lines, 1) if len(line) > WIDTH]
    assert not wide


@every_page
def test_links_lead_somewhere(page):
    broken = []
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", prose(page.read_text("utf-8"))):
        name, _, anchor = target.partition("#")
        linked = page.parent / name if name else page
        if not linked.exists() or (anchor and anchor not in anchors(linked)):
            broken.append(target)
    assert not broken, page.name


@every_page
def test_no_blank_line_divides_a_table(page):
    """What follows it has no heading, and is shown as text."""
    assert not re.findall(r"^\|.*\n\n(\|.*)\n(?!\|[-:])", page.read_text("utf-8"), re.M)
