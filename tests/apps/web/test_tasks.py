"""What people want to do first, each by clicks on what they can see, and how many that takes."""

import re

import pytest

from tests.apps.web.browser import CHROMIUM, first_screen, point, wait_for_text, wait_for_turns

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium (make clients)")
FIVE = "H8 J8 H7 J7 H6 A15 H5 B14 P1 H4 H9"


class Person:
    """Somebody at a page who clicks what is visible, and counts."""

    def __init__(self, page) -> None:
        self.page, self.clicks = page, 0

    def press(self, words: str, exact: bool = False) -> None:
        """Press the button with these words that can be seen first."""
        root = self.page.locator("dialog[open], body:not(:has(dialog[open]))")  # as it is when it is pressed
        root.get_by_role("button", name=words, exact=exact).filter(visible=True).first.click()
        self.clicks += 1

    def point(self, *places: str) -> None:
        """Point at places of the board."""
        point(self.page, *places)
        self.clicks += len(places)

    def choose(self, label: str, option: str) -> None:
        """Choose in the list beside a label of the dialog."""
        self.page.locator("dialog .field").filter(has_text=re.compile(f"^{label}")).locator(
            "select"
        ).first.select_option(label=option)
        self.clicks += 2

    def reads(self, words: str, where: str = "#status") -> None:
        """See words."""
        wait_for_text(self.page, where, words)

    def begin(self, game: str, second: str = "Person") -> None:
        """Begin a game from the first screen."""
        self.press(f"Play {game}")
        if second != "Engine":
            self.choose("White" if game == "Gomoku" else "Black", second)
        self.press("Start")
        self.page.wait_for_selector("#board svg .lit")

    def opens(self, text: str, game: str, turns: int = 0, variant: str = "") -> None:
        """Open a text."""
        self.press("Open a record")
        self.choose("Game", game)
        if variant:
            self.choose("Variant", variant)
        self.page.fill("dialog textarea", text)
        self.clicks += 1
        self.page.wait_for_selector("dialog .preview svg")
        self.press("Open", exact=True)
        self.page.wait_for_selector("#dialog:not([open])", state="attached")
        wait_for_turns(self.page, turns)


@pytest.fixture
def person(browser, address):
    with first_screen(browser, address, height=800) as page:
        yield Person(page)


def start_zertz_against_level_1(person):
    person.press("Play ZÈRTZ")
    person.page.get_by_label("Level of Second").press("Home")
    person.clicks += 1
    person.press("Start")
    person.reads("tengen, level 1", "#players")


def take_a_ring_away(person):
    person.press("Play ZÈRTZ")
    person.press("Start")
    person.reads("choose its colour")
    person.point("W", "d4")
    person.reads("take away a free ring")
    person.point("d1")
    person.reads("Wd4,d1", "#turns")


def find_why_a_point_is_forbidden(person):
    person.opens("(;GM[4]RU[renju]SZ[9]AB[ed][fd][de][df]AW[gc][hi][ii]PL[B])", "Gomoku", variant="Renju")
    person.page.wait_for_selector("#board svg .lit")
    person.page.click('#board [data-place="d6"]', force=True)  # it is not marked as a choice
    person.clicks += 1
    person.reads("double three")


def learn_how_a_stack_moves(person):
    person.press("Learn DVONN")
    person.press("Next", exact=True)
    person.reads("Lesson 2", "#lesson h2")
    person.point("e3", "h3")
    person.reads("right")


def read_the_rules(person):
    person.press("Rules", exact=True)
    person.reads("Rules of", "#dialog-title")


def play_a_turn_and_take_it_back(person):
    person.begin("DVONN")
    person.point("c3")
    wait_for_turns(person.page, 1)
    person.press("Undo")
    person.reads("White to move")


def ask_for_a_hint(person):
    person.begin("DVONN")
    person.press("Hint")
    person.reads("The engine would play")


def resign_and_play_again(person):
    person.begin("DVONN")
    person.press("Resign")
    person.reads("by resignation")
    person.press("Rematch")
    person.reads("White to move")


def play_the_other_side(person):
    person.begin("DVONN", "Engine")
    person.press("Resign")
    person.press("Swap sides")
    person.reads("tengen, level 4", "#players .player >> nth=0")


def follow_a_line_of_the_analysis(person):
    person.begin("Gomoku")
    person.point("h8")
    person.press("Analyse", exact=True)
    person.page.wait_for_selector("#lines li .turn")
    person.page.click("#lines li .turn >> nth=0")
    person.clicks += 1
    wait_for_turns(person.page, 2)
    person.press("Analyse", exact=True)
    person.reads("Position after turn 2")


def save_a_game(person):
    person.begin("DVONN")
    with person.page.expect_download() as download:
        person.press("Save SGF")
    assert download.value.suggested_filename.endswith(".sgf")


def go_on_with_a_game(person):
    person.begin("DVONN")
    person.point("c3")
    wait_for_turns(person.page, 1)
    person.page.click("h1 a")
    person.clicks += 1
    person.press("DVONN, 1 turn, unfinished")
    person.reads("Black to move")
    person.page.wait_for_selector("#home", state="hidden")


def delete_a_game(person):
    person.begin("DVONN")
    person.page.click("h1 a")
    person.clicks += 1
    person.press("Games", exact=True)
    person.page.wait_for_selector("dialog .games li")
    listed = person.page.locator("dialog .games li").count()
    person.press("Delete DVONN")
    person.press("Delete DVONN")
    person.page.wait_for_function(
        "listed => document.querySelectorAll('dialog .games li').length === listed - 1", arg=listed
    )


def find_the_biggest_mistake(person):
    person.opens(FIVE, "Gomoku", 11)
    person.reads("Black wins")
    person.press("Review", exact=True)
    person.press("White's biggest mistake")
    person.reads("lowers the win rate", "#judgement")


def set_up_a_position_and_analyse_it(person):
    person.press("Set up")
    person.choose("Game", "Gomoku")
    person.reads("legal", ".legality")
    person.page.get_by_label("Black stone").check()
    person.page.click('dialog [data-place="h8"]')
    person.clicks += 2
    person.press("Analyse", exact=True)
    person.page.wait_for_selector("#lines li")


def use_the_dark_theme(person):
    person.press("Settings")
    person.choose("Theme", "dark")
    person.press("Save")
    person.page.wait_for_selector("html[data-theme=dark]")


def change_the_language(person):
    person.press("Settings")
    person.choose("Language", "Français")
    person.press("Save")
    person.reads("Choisissez un jeu", "#home")
    person.press("Réglages")
    person.choose("Langue", "English")
    person.press("Enregistrer")
    person.reads("Choose a game", "#home")


def let_the_engine_play_on_for_oneself(person):
    person.begin("DVONN")
    person.press("White: Person. Change")
    person.page.select_option("dialog select[name=kind]", "engine")
    person.clicks += 2
    person.press("Change", exact=True)
    wait_for_turns(person.page, 1)


def play_with_a_clock(person):
    person.press("Play Gomoku")
    person.choose("Clock", "5 min + 3 s")
    person.press("Start")
    person.reads("5:00", "#players")


def count_a_finished_game_of_go(person):
    person.press("Play Go")
    person.choose("White", "Person")
    person.press("Start")
    person.page.wait_for_selector("#choices button")
    person.press("Pass")
    person.reads("White to move")
    person.press("Pass")
    person.press("Accept")
    person.reads("White wins by 6.5")


TASKS = {
    start_zertz_against_level_1: 3,
    take_a_ring_away: 5,
    find_why_a_point_is_forbidden: 8,
    learn_how_a_stack_moves: 4,
    read_the_rules: 1,
    play_a_turn_and_take_it_back: 6,
    ask_for_a_hint: 5,
    resign_and_play_again: 6,
    play_the_other_side: 4,
    follow_a_line_of_the_analysis: 8,
    save_a_game: 5,
    go_on_with_a_game: 7,
    delete_a_game: 8,
    find_the_biggest_mistake: 7,
    set_up_a_position_and_analyse_it: 6,
    use_the_dark_theme: 4,
    change_the_language: 8,
    let_the_engine_play_on_for_oneself: 8,
    play_with_a_clock: 4,
    count_a_finished_game_of_go: 7,
}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_what_people_do_first(person, task):
    task(person)
    assert person.clicks <= TASKS[task], "it takes more clicks than it did"
