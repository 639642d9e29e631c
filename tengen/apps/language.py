"""Words in other languages: ``words/fr.json`` translates the English texts of the applications to French.

A text may have named placeholders, as in ``{side} to move.``. They recognise sentences that are filled in,
and what stands in their place is translated in turn. What a game says is translated in its own folder, in
``engine/NAME/words/fr.json``. What has no translation stays English. The page does the same with the same
files, see ``web/static/parts/words.js``.
"""

import functools
import os
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tengen.engine import games
from tengen.engine.errors import OptionError, quoted
from tengen.engine.storage.parsing import parse_json
from tengen.protocol.arguments import Options, option

LANGUAGES = ("en", "fr", "es")
FOLDER = "words"
PLACEHOLDER = re.compile(r"\{([a-z]+)\d*\}")
# Placeholders for what is no word, and what stands in their place in a sentence; others stand for words
RAW = {"n": r"-?\d[\d.,]*", "place": r"[A-Za-z]\d+", "places": r".+", "turn": r"\S+", "name": r".*"}
_spoken = ["en"]  # the language of this process


@dataclass(frozen=True, kw_only=True)
class LanguageOptions(Options):
    """The language of a subcommand that talks to people."""

    language: str | None = option("en, fr or es (default: that of the environment, LC_ALL or LANG)", "LANG")


def speak(asked: str | None) -> str:
    """Use the language that is asked for, or that of the environment, from now on; return it."""
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    usual = named[:2] if named[:2] in LANGUAGES else "en"
    _spoken[0] = usual if asked is None else known_language(asked)
    return _spoken[0]


def known_language(named: str | None) -> str:
    """Return the language that is named: English, unless it is another one of `LANGUAGES`."""
    if named is not None and named not in LANGUAGES:
        raise OptionError(f"language: expected {', '.join(LANGUAGES)}, got {quoted(named)}")
    return named or LANGUAGES[0]


def spoken() -> str:
    """Return the language of this process."""
    return _spoken[0]


def translate(text: str) -> str:
    """Return a text in the language of this process."""
    return translated(_spoken[0], text)


def say(text: str) -> None:
    """Print a text in the language of this process."""
    print(translate(text), flush=True)


def translated(language: str, text: str) -> str:
    """Return a text in a language; the text itself if it has no translation."""
    known, patterns = catalogue(language)
    if text in known:
        return known[text]
    for pattern, meaning in patterns:
        if match := pattern.fullmatch(text):
            return PLACEHOLDER.sub(partial(_filled, language, match), meaning)
    return text


def _filled(language: str, match: re.Match[str], hole: re.Match[str]) -> str:
    """Return what stands in place of a placeholder, in a language."""
    value = match[hole[0][1:-1]]
    if hole[1] == "n":
        return value.replace(",", "\u202f").replace(".", ",")
    return value if hole[1] in RAW else translated(language, value)


def texts(language: str) -> dict[str, str]:
    """Return all translations to a language, by their English texts."""
    folders = [Path(__file__).parent, *(game.folder for game in games.known())]
    files = [folder / FOLDER / f"{language}.json" for folder in folders]
    merged: dict[str, str] = {}
    for file in files:
        if file.exists():
            merged |= parse_json(file.read_bytes())
    return merged


@functools.cache
def catalogue(language: str) -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    """Return the translations to a language, and the patterns of those with placeholders, longest first."""
    known = {} if language == LANGUAGES[0] else texts(language)
    patterns = []
    for text in sorted((text for text in known if "{" in text), key=len, reverse=True):
        parts = re.split(r"\{([a-z]+\d*)\}", text)
        holes = (f"(?P<{name}>{RAW.get(name.rstrip('0123456789'), '.+?')})" for name in parts[1::2])
        filled = "".join(re.escape(plain) + next(holes, "") for plain in parts[::2])
        patterns.append((re.compile(filled, re.S), known[text]))
    return known, patterns
