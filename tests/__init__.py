"""Tests: `contract` and `rules` hold the games to account, `reference` has slow implementations of them."""

import argparse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def rows(path: Path) -> list[list[str]]:
    """Return the fields of each line of a file of cases: ; divides them, and # begins a comment."""
    lines = path.read_text("utf-8").splitlines()
    return [line.split(" ; ") for line in lines if line.strip() and not line.startswith("#")]


def command_line(said: str | None) -> argparse.ArgumentParser:
    """Return the parser of a tool, whose help is what its module has `said` of itself, as it stands."""
    return argparse.ArgumentParser(description=said, formatter_class=argparse.RawDescriptionHelpFormatter)
