"""The words in other languages: each text has a translation, and each translation is used."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from tengen.apps.language import LANGUAGES, RAW, catalogue, texts, translated
from tengen.apps.lessons import lessons
from tengen.apps.web.game.setup import setup_view
from tengen.apps.web.server import STATIC
from tengen.apps.web.view import describe_games, verdict, view
from tengen.engine import games
from tengen.engine.play.motifs import motifs_of
from tengen.engine.play.position import Position
from tengen.engine.play.steps import ending, stage
from tengen.engine.rulebook import Verdict
from tengen.engine.spec import GameSpec
from tests import ROOT
from tests.walks import SPECS, scaled, walk

OTHERS = LANGUAGES[1:]
every_language = pytest.mark.parametrize("language", OTHERS)
SCRIPTS = {path.name: path.read_text("utf-8") for path in sorted(STATIC.rglob("*.js"))}
PAGE = (STATIC / "index.html").read_text("utf-8").partition("<body")[2]
SPOKEN = [
    "tengen/apps/play",
    "tengen/apps/quiz",
    "tengen/apps/terminal.py",
]  # in the language of the environment
FILES = sorted([*(ROOT / "tengen/apps/words").glob("*.json"), *(ROOT / "engine").glob("*/words/*.json")])
HOLE = re.compile(r"\{[a-z]+\d*\}")
LETTERS = re.compile(r"[^\W\d_]{2}")
# The same in every language
NAMES = {"tengen", "komi", "Swap2", "SGF", "GIPF", "DVONN", "ZÈRTZ", "Go", "Gomoku", "Gobang"}


def written(pattern: str) -> Iterator[str]:
    """Yield what the scripts of the page have at a pattern."""
    for text in SCRIPTS.values():
        yield from re.findall(pattern, text)


def asked() -> set[str]:
    """Return the texts for which the page asks."""
    html = {text.strip() for text in re.findall(r'>([^<>]+)<|aria-label="([^"]+)"', PAGE) for text in text}
    return {*written(r'\bt\("([^"]+)"'), *filter(LETTERS.search, html)} - NAMES


@cache
def said(*functions: str) -> frozenset[str]:
    """Return the texts that commands hand to functions, with ``{}`` for what is filled in."""
    folders = [ROOT / name for name in SPOKEN]
    files = [path for each in folders for path in ([each] if each.is_file() else sorted(each.glob("*.py")))]
    nodes = [node for path in files for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) in functions]
    found = [each for call in calls for node in call.args[:1] for each in branches(node)]
    return frozenset(plain(node) for node in found if isinstance(node, ast.Constant | ast.JoinedStr))


def branches(node: ast.expr) -> list[ast.expr]:
    return [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]


def plain(node: ast.Constant | ast.JoinedStr) -> str:
    parts = [node] if isinstance(node, ast.Constant) else node.values
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)


def lacking(language: str, text: str) -> list[str]:
    """Return the parts of a text that have no translation."""
    known, patterns = catalogue(language)
    if text in known or text in NAMES or not LETTERS.search(text):
        return []
    for pattern, meaning in patterns:
        if match := pattern.fullmatch(text):
            holes = re.findall(r"\{([a-z]+)(\d*)\}", meaning)
            parts = [match[name + number] for name, number in holes if name not in RAW]
            return [part for each in parts for part in lacking(language, each)]
    return [text]


def sentences(position: Position) -> Iterator[str]:
    """Yield what a page says of a position."""
    game = position.spec.game
    shown = view(position, stage(position))
    yield from (*shown["prompts"], *shown["contents"].values(), *shown["beside"].values())
    for choice in islice(shown["choices"], 40):
        yield from (choice["label"], choice["warning"])
        break_off = stage(position, (choice["action"],)) if position.game.rules.MULTI_ACTION_TURNS else None
        if break_off and not break_off.turn:
            yield from view(position, break_off)["prompts"]
    yield from re.findall(r"<text[^>]*>([^<]+)<", shown["svg"])
    if position.is_over():
        yield ending(position, *([[]] if game.ends_by_agreement else []))[0]
        yield verdict(game, position.result())


# --------------------------------------------------------------------------------------------- the catalogue


def test_all_languages_translate_the_same_texts():
    folders = {path.parent for path in FILES}
    assert {path.stem for path in FILES} == {*OTHERS}
    for folder in folders:
        keys = [{*json.loads((folder / f"{language}.json").read_text("utf-8"))} for language in OTHERS]
        assert all(each == keys[0] for each in keys), folder


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_translations_have_the_placeholders_of_their_texts_and_are_sorted(path: Path):
    entries = json.loads(path.read_text("utf-8"))
    differing = [
        text
        for text, meaning in entries.items()
        if sorted(HOLE.findall(text)) != sorted(HOLE.findall(meaning)) or not meaning.strip()
    ]
    assert not differing
    assert list(entries) == sorted(entries, key=str.lower)


def test_a_game_says_nothing_again_that_the_applications_say():
    shared = {*json.loads((ROOT / "tengen/apps/words/fr.json").read_text("utf-8"))}
    own = [path for path in FILES if path.stem == "fr" and "engine" in path.parts]
    assert not [text for path in own for text in json.loads(path.read_text("utf-8")) if text in shared]


def test_what_is_filled_in_is_translated_but_for_names_and_turns():
    assert translated("fr", "White to move.") == "À Blanc de jouer."
    assert translated("es", "put it on d4") == "ponerla en d4"
    assert translated("fr", "1,000.5 in reserve") == "1\u202f000,5 en réserve"
    assert translated("fr", "no such text") == "no such text"
    assert translated("en", "White to move.") == "White to move."


# ------------------------------------------------------------------------------------------- what is written


@every_language
def test_each_text_of_the_page_is_translated(language):
    assert sorted(asked() - {*texts(language)}) == []


@every_language
def test_each_text_of_the_commands_is_translated(language):
    known = "\n".join(HOLE.sub("{}", text).replace("\n", " ") for text in texts(language))
    patterns = {
        text: ".*".join(map(re.escape, text.replace("\n", " ").split("{}")))
        for text in said("translate", "say")
    }
    missing = [text for text, pattern in patterns.items() if not re.search(f"^{pattern}$", known, re.M)]
    assert [text for text in missing if LETTERS.search(text)] == []


def test_no_text_of_the_commands_bypasses_the_catalogue():
    """Refusals are in English."""
    printed = said("print", "print_notice")
    assert [text for text in printed if LETTERS.search(text) and "expected" not in text] == []


def test_the_page_stays_small_in_every_language():
    largest = max(len(json.dumps(texts(language), ensure_ascii=False).encode()) for language in OTHERS)
    assert sum(path.stat().st_size for path in STATIC.rglob("*.*")) + largest < 250_000


def test_no_text_of_the_page_bypasses_the_catalogue():
    shown = r"(?:textContent[:=] ?|title: |placeholder: |\"aria-label\": |\b(?:button|field|say|show)\()"
    bare = [*written(shown + r'"([^"]*)"'), *written(shown + r"`((?:[^`$]|\$\{[^}]*\})*)`")]
    words = [re.sub(r"\$\{[^}]*\}", "", text) for text in bare]
    assert [text for text in words if LETTERS.search(text)] == []


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.stem == "fr"], ids=lambda path: path.parts[-3]
)
def test_each_translation_is_of_words_that_the_program_says(path: Path):
    """What the page asks for is known exactly; of what the program puts together it is the words."""
    name = path.parts[-3]
    folders = [ROOT / "tengen/apps", ROOT / "engine", ROOT / "protocol", ROOT / "search"]
    rooms = (
        [ROOT / "engine" / other for other in (name, *filter(None, [base(name)]))]
        if name != "apps"
        else folders
    )
    sources = "\n".join(file.read_text("utf-8") for room in rooms for file in room.rglob("*.py"))
    said_in = {*re.findall(r"\w+", sources.lower())}
    for text in {*json.loads(path.read_text("utf-8"))} - asked():
        words = re.findall(r"\w+", HOLE.sub(" ", text).lower())
        shared = {"and", "left", "to", "move", "or", "s", "in", "a", "row", *(w + "s" for w in said_in)}
        assert {word for word in words if not word.isdigit()} <= said_in | shared, text


def base(name: str) -> str:
    return "gomoku" if name == "gobang" else "gobang" if name == "gomoku" else "board"


# -------------------------------------------------------------------------------------------- what games say


@every_language
def test_what_describes_the_games_is_translated(language):
    for game in describe_games():
        found = [game["summary"], *game["levels"], *(words for _, words in game["variants"])]
        for option in game["options"]:
            found += [option["title"], option["help"], *(words for _, words in option["choices"])]
        assert [part for text in found for part in lacking(language, text)] == []


@every_language
@pytest.mark.parametrize("name", games.built_in())
def test_what_sets_up_positions_is_translated(name, language):
    for spec in SPECS[name]:
        shown = setup_view(GameSpec.parse(spec), "")
        found = [shown["note"], *(piece["words"] for piece in shown["pieces"])]
        for control in (*shown["features"], *shown["fields"]):
            found += [control["label"], *(words for _, words in control["choices"])]
        assert [part for text in found for part in lacking(language, text)] == []


@every_language
@pytest.mark.parametrize("spec", [spec for name in games.built_in() for spec in SPECS[name][:3]])
def test_what_a_game_says_is_translated(spec, language):
    found: set[str] = set()
    for position in islice(walk(spec, 1), 0, scaled(400), 7):
        found.update(sentences(position))
    *_, last = walk(spec, 1)
    found.update(sentences(last))
    turn, before = last.turns_played[-1], last.copy()
    before.pop()
    found.update(motif.words for motif in motifs_of(before, turn))
    assert sorted({part for text in found if text for part in lacking(language, text)}) == []


@every_language
def test_why_a_hint_is_good_is_translated(language):
    five = "can play h5, which makes five in a row"
    found = ["it wins in 3", "it captures 2 stones: d4, e4", f"after j9, Black {five}"]
    assert [part for text in found for part in lacking(language, text)] == []
    open_four = translated(language, "it makes an open four: five follows at c5 or h5")
    assert open_four.endswith({"fr": "c5 ou h5", "es": "c5 o h5"}[language])


@every_language
@pytest.mark.parametrize("name", games.built_in())
def test_what_the_rules_make_of_turns_is_translated(name, language):
    """What a turn does that is played is said in the words of its page."""
    found = [turn for lesson in lessons(games.find(name), language) for turn in lesson.turns]
    said = [turn.said for turn in found if turn.verdict != Verdict.PLAYED]
    assert said
    assert [part for text in said for part in lacking(language, text)] == []


# ---------------------------------------------------------------------------------------------- the commands


def test_rules_are_in_the_language_of_the_environment_or_the_one_that_is_asked_for(printed, monkeypatch):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert "pions" in printed("rules", "gipf", "G-1")
    assert "piezas" in printed("rules", "gipf", "G-1", "--language", "es")
    assert "pieces" in printed("rules", "gipf", "G-1", "--language", "en")


def test_a_language_that_is_not_known_is_refused(printed):
    refused = printed("rules", "gipf", "--language", "it", code=2)
    assert refused == "tengen: error: language: expected en, fr, es, got 'it'\n"
