"""The page in a real browser: Debian's Chromium, driven by Playwright."""

import contextlib
from urllib.parse import urlsplit

import pytest

from tengen.apps.play.kept import KeptGame
from tengen.apps.web.server import STATIC
from tengen.apps.web.view import verdict
from tengen.engine.game import Outcome
from tengen.engine.play.position import Position
from tengen.tuning.theory import Theory
from tests.apps.web import browser as browsers
from tests.apps.web.browser import (
    CHROMIUM,
    choose_spec,
    click_to_the_end,
    kept_game,
    point,
    start,
    wait_for_turns,
)
from tests.engine.records.test_sgf import nested

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
LAST_TURN_IS_SEEN = """() => {
    const inside = document.querySelector("#turns [aria-current]").getBoundingClientRect();
    const list = document.getElementById("turns").getBoundingClientRect();
    return inside.top >= list.top && inside.bottom <= list.bottom + 1;
}"""
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium (make clients)")


@pytest.fixture
def page(browser, address):
    with browsers.opened(browser, address) as opened:
        yield opened


def test_placement_of_zertz_by_clicks_and_reload(page):
    start(page, "zertz")
    assert page.inner_text("#status") == "Player 1 to move. Place a marble: choose its colour."
    point(page, "W", "d4")
    browsers.wait_for_text(page, "#status", "Now take away a free ring at the edge (ringed).")
    point(page, "d1")
    wait_for_turns(page, 1)
    page.reload()
    wait_for_turns(page, 1)
    assert "Wd4,d1" in page.inner_text("#turns")
    assert "Player 2 to move" in page.inner_text("#status")
    page.click("#first")
    for _ in range(2):
        browsers.wait_for_text(page, "#status", "Position after turn 0 of")
        page.reload()


def test_a_page_goes_on_after_the_server_was_restarted(browser, tmp_path):
    first = contextlib.ExitStack()
    address, _ = first.enter_context(browsers.serving(tmp_path))
    with first, browsers.opened(browser, address) as page:
        start(page, "dvonn")
        point(page, "c3")
        wait_for_turns(page, 1)
        first.close()
        browsers.wait_for_text(page, "#status", "No connection to the server")
        with browsers.serving(tmp_path, str(urlsplit(address).port)):
            page.wait_for_selector("#status:not(:has-text('No connection'))")
            point(page, "d3")
            wait_for_turns(page, 2)


def test_what_can_be_chosen_is_marked_and_the_next_step_filled(page):
    start(page, "gipf")
    page.wait_for_selector("#board .spots circle")
    assert page.locator("#board .spots .next").count() == 0
    point(page, "d1")
    page.wait_for_selector("#board .spots .next")
    place = page.locator('#board [data-place="d2"]')
    filled = page.locator("#board .spots .next:not(.edge)")
    assert place.get_attribute("cx") in [each.get_attribute("cx") for each in filled.all()]
    page.keyboard.press("Escape")
    page.wait_for_selector("#board .spots .next", state="detached")


FIVE = ("a1", "a9", "b1", "b9", "c1", "c9", "d1", "d9", "e1")


def test_a_challenge_of_gipf_is_played_in_the_page(page):
    """The announced jump is challenged by a game of Gomoku; its winner's side is obeyed."""
    browsers.close_dialog(page)
    start = "b..w/.w+b../....../w.....b/....../...../b..w 10 11 w zz 1 2 1 2"
    browsers.open_text(page, start, "gipf:basic,zertz=3,challenges=2,challenge-game=gomoku")
    point(page, "c3", "c5")
    page.click("#choices button:has-text('Challenge')")
    browsers.wait_for_text(page, "#status", "Gomoku is played for White's jc3-c5")
    assert page.locator("#behind svg").is_visible()
    for number, vertex in enumerate(FIVE, 3):
        point(page, vertex)
        wait_for_turns(page, number)
    browsers.wait_for_text(page, "#status", "White loses the potential on c3")
    assert not page.locator("#behind svg").is_visible()


def test_a_new_game_begins_with_what_is_shown(page):
    start(page, "gobang,size=7")
    page.click("#new-game")
    page.wait_for_selector("dialog[open]")
    assert page.input_value("dialog select[name=game]") == "gobang"
    assert page.input_value("dialog .options [name=size]") == "7"
    assert page.locator("dialog select[name=kind]").nth(1).input_value() == "person"
    page.select_option("dialog select[name=game]", "gomoku")
    assert page.locator("dialog .field", has_text="Black (begins)").count() == 1
    page.check("dialog [name=swap2]")
    assert page.locator("dialog .field", has_text="Black (begins)").count() == 0


def test_a_game_is_deleted_by_two_clicks(page, folder):
    start(page, "gobang,size=6")
    name = page.evaluate("() => location.hash").split("/")[1]
    page.click("#new-game")
    page.wait_for_selector("dialog[open]")
    start(page, "gobang,size=9")
    page.click("#games")
    deleting = page.locator("dialog .games li", has_text="size 6").first.get_by_role("button").last
    deleting.click()
    assert deleting.inner_text() == "Delete for good?"
    assert (folder / f"{name}.sgf").exists()
    deleting.click()
    page.wait_for_selector("dialog .games li:has-text('size 6')", state="detached")
    assert not (folder / f"{name}.sgf").exists()


def test_keyboard_alone_plays_a_stone(page):
    start(page, "gomoku")
    page.locator('#board [tabindex="0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_for_turns(page, 1)
    assert "b14" in page.inner_text("#turns")
    label = page.get_attribute('#board [data-place="b14"]', "aria-label")
    assert label.startswith("b14, black stone")


def test_game_against_the_engine_takes_turns_back(page):
    """What was taken back stays in the list of turns, as the line that Redo plays again."""
    start(page, "gipf", "engine")
    point(page, "b1", "b2")
    page.wait_for_selector('#turns [aria-current]:text("2. ")')
    page.click("#undo")
    page.wait_for_selector("#undo:disabled")
    assert page.locator("#turns [aria-current]").count() == 0
    wait_for_turns(page, 2)
    page.click("#redo")
    page.wait_for_selector("#redo:disabled")
    assert "2." in page.inner_text("#turns [aria-current]")
    assert "White to move" in page.inner_text("#status")


def test_a_phone_shows_all_buttons_and_rings_for_fingers(page):
    """What lies beside a board comes below it, and marbles are taken there."""
    start(page, "zertz")
    wide = page.locator("#board svg").get_attribute("viewBox")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(
        "wide => document.querySelector('#board svg').getAttribute('viewBox') !== wide", arg=wide
    )
    boxes = [each.bounding_box() for each in page.locator("nav button").all()]
    assert max(box["x"] + box["width"] for box in boxes) <= 390
    ring, marble = (page.locator(f'#board [data-place="{name}"]').bounding_box() for name in ("d1", "W"))
    assert ring["width"] >= 32
    assert marble["y"] > ring["y"] + ring["height"]
    point(page, "W", "d4", "d1")
    wait_for_turns(page, 1)
    page.click("#new-game")
    start(page, "dvonn")  # with nothing beside its board
    point(page, "c3")
    wait_for_turns(page, 1)
    drawn = Position.start("dvonn").draw()
    assert page.locator("#board svg").get_attribute("viewBox") == f"0 0 {drawn.width} {drawn.height}"


def test_review_on_a_phone_teaches_from_a_mistake(page):
    """White lets a row of three stand; the better turn is one of its ends."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("() => localStorage.setItem('tengen', JSON.stringify({ nodes: 2000 }))")
    page.reload()
    browsers.open_text(page, "H8 J8 H7 J7 H6 A15 H5 B14 P1 H4 H9", "gomoku")
    wait_for_turns(page, 11)
    page.click("#review")
    page.locator("#puzzles button:enabled", has_text="White").click()
    page.wait_for_selector("#choices button:has-text('Show the solution')")
    assert page.inner_text("#judgement") == ""
    page.click("text=Show the solution")
    assert "The best turn is" in page.inner_text("#status")
    page.click("#choices button:has-text('End')")
    page.click("#turns button:has-text('a15')")
    page.wait_for_selector("#judgement:has-text('makes an open four')")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    browsers.open_text(page, "H8 J8 H7 J7 H6 A15 H5")
    wait_for_turns(page, 7)
    assert page.locator("#turns .bad").count() == 0


@pytest.mark.parametrize(
    "spec", ["gipf:basic", "gipf:tournament", "zertz", "dvonn", "go,size=5", "gomoku,size=7", "gobang,size=7"]
)
def test_a_whole_game_by_clicks_is_kept_as_it_was_played(page, folder, spec):
    start(page, spec)
    click_to_the_end(page, seed=5)
    kept = kept_game(page, folder)
    wait_for_turns(page, len(kept.turns))
    assert kept.position().outcome() != Outcome.ONGOING
    assert page.evaluate(LAST_TURN_IS_SEEN)
    won = verdict(kept.spec.game, kept.result)
    assert f"{won}: " in page.inner_text("#status"), "it says why"


@pytest.mark.parametrize(("spec", "komi"), [("go,size=5", 6.5), ("go,size=5,komi=", 0.0)])
def test_the_usual_komi_of_go_is_proposed_and_can_be_left_out(page, folder, spec, komi):
    start(page, spec)
    page.click("#resign")
    assert kept_game(page, folder).position().spec.values["komi"] == komi


def drag(page, source: str, target: str) -> None:
    page.drag_and_drop(f'#board [data-place="{source}"]', f'#board [data-place="{target}"]')


def test_pieces_are_dragged_from_beside_the_board_and_on_it(page):
    start(page, "zertz")
    drag(page, "W", "d4")
    point(page, "d1")
    wait_for_turns(page, 1)
    assert "Wd4,d1" in page.inner_text("#turns")


def test_places_pointed_at_faster_than_the_server_answers_count(page):
    start(page, "zertz")
    page.evaluate(
        """places => {
            for (const name of places) {
                const place = document.querySelector(`#board [data-place="${name}"]`);
                const { x, y, width, height } = place.getBoundingClientRect();
                const at = { bubbles: true, clientX: x + width / 2, clientY: y + height / 2 };
                place.dispatchEvent(new PointerEvent("pointerdown", at));
                place.dispatchEvent(new PointerEvent("pointerup", at));
            }
        }""",
        ["W", "d4", "d1"],
    )
    wait_for_turns(page, 1)
    assert "Wd4,d1" in page.inner_text("#turns")


def test_a_click_that_is_refused_says_why(page):
    """It is said beside the board, with the rule, until the next step."""
    browsers.close_dialog(page)
    rows = "........./........./......O../....XX.../...X...../...X...../........./........./.......OO"
    browsers.open_text(page, f"{rows} b", "gomoku:renju,size=9")
    page.wait_for_selector("#board svg .lit")
    page.click('#board [data-place="d6"]', force=True)
    browsers.wait_for_text(page, "#status", "d6 is forbidden for Black: double three [R-7].")
    point(page, "d3")
    page.wait_for_selector("#status:not(:has-text('forbidden'))")
    wait_for_turns(page, 1)
    page.wait_for_selector("#board svg .lit")
    page.click('#board [data-place="d3"]', force=True)
    browsers.wait_for_text(page, "#status", "d3 is occupied [M-1].")
    page.click("#resign")
    browsers.wait_for_text(page, "#status", "wins by resignation")
    page.click('#board [data-place="a1"]', force=True)
    browsers.wait_for_text(page, "#status", "Press Analyse to try turns here.")


def test_a_tray_shows_what_can_be_brought_in_and_warns_before_the_first_basic_piece(page):
    start(page, "gipf:tournament,zertz=1")
    assert page.locator("#choices button").count() == 0, "the first turn has one kind"
    for number, places in enumerate((("b1", "b2"), ("h1", "h2")), 1):
        point(page, *places)
        wait_for_turns(page, number)
    tray = page.locator("#choices button[aria-pressed]")
    assert tray.all_inner_texts() == ["Basic piece", "GIPF-piece", "ZÈRTZ-charged piece"]
    chosen = page.locator("#choices button[aria-pressed=true]")
    page.click("#choices button:has-text('ZÈRTZ')")
    assert chosen.inner_text() == "ZÈRTZ-charged piece"
    page.click("#choices button:has-text('Basic')")
    assert chosen.inner_text() == "Basic piece"
    point(page, "c1", "c2")
    browsers.wait_for_text(page, "#status", "This basic piece ends your right to bring in ")
    page.click("#choices button:has-text('Back')")
    point(page, "c1", "c2")
    page.click("#choices button:has-text('Play it all the same')")
    wait_for_turns(page, 3)


def test_a_drag_to_where_the_piece_cannot_go_plays_nothing(page):
    start(page, "gipf")
    drag(page, "b1", "e5")
    browsers.wait_for_text(page, "#status", "From b1 pieces are pushed to b2 or c2, got e5 [G-1].")
    drag(page, "b1", "b2")
    wait_for_turns(page, 1)
    page.click("#new-game")
    page.wait_for_selector("dialog[open]")
    start(page, "gomoku")
    drag(page, "d4", "e5")
    point(page, "f6")
    wait_for_turns(page, 1)
    assert "f6" in page.inner_text("#turns")


def test_theory_stands_below_an_analysis_and_leads_on(page):
    best, *_ = Theory.shipped("dvonn").turns(Position("dvonn"))
    start(page, "dvonn")
    assert not page.locator("#theory").is_visible()
    page.click("#analyse")
    browsers.wait_for_text(page, "#known li:first-child", best.turn)
    page.click("#known li:first-child .turn")
    browsers.wait_for_text(page, "#turns", best.turn)
    if best.line:
        browsers.wait_for_text(page, "#known", best.line[0])
    page.click("#analyse")
    assert not page.locator("#theory").is_visible()


CONTROLS = (
    "undo",
    "redo",
    "hint",
    "resign",
    "analyse",
    "review",
    "prune",
    "first",
    "previous",
    "next",
    "last",
)


def wait_for_controls(page, *enabled: str) -> None:
    """Wait until just these buttons can be used."""
    found = "ids => ids.filter((id) => !document.getElementById(id).disabled).join(' ')"
    page.wait_for_function(
        f"([ids, wanted]) => ({found})(ids) === wanted",
        arg=[CONTROLS, " ".join(each for each in CONTROLS if each in enabled)],
    )


def test_buttons_are_disabled_when_they_can_do_nothing(page):
    walk_back, walk_on = ("first", "previous"), ("next", "last")
    wait_for_controls(page)
    start(page, "gobang,size=7")
    wait_for_controls(page, "hint", "resign", "analyse")
    point(page, "d4")
    wait_for_controls(page, "undo", "hint", "resign", "analyse", "review", *walk_back)
    point(page, "e4")
    wait_for_turns(page, 2)
    page.click("#previous")
    wait_for_controls(page, "undo", "hint", "resign", "analyse", "review", *walk_back, *walk_on)
    page.click("#first")
    wait_for_controls(page, "undo", "hint", "resign", "analyse", "review", *walk_on)
    page.click("#undo")
    wait_for_controls(page, "undo", "redo", "hint", "resign", "analyse", "review", *walk_back, *walk_on)
    page.click("#next")  # the turn that was taken back is not part of the game any more
    usual = ("undo", "redo", "hint", "resign", "analyse", "review")
    wait_for_controls(page, *usual, "prune", *walk_back)
    page.click("#analyse")
    wait_for_controls(page, "hint", "resign", "analyse", "review", "prune", *walk_back)
    page.click("#prune")
    wait_for_controls(page, "hint", "resign", "analyse", "review", *walk_back)
    page.click("#analyse")
    wait_for_controls(page, "undo", "hint", "resign", "analyse", "review", *walk_back)
    page.click("#resign")
    wait_for_controls(page, "undo", "hint", "analyse", "review", *walk_back)


def test_who_only_watches_cannot_resign(page):
    start(page, "gobang,size=7", "person")
    for side in (0, 1):
        page.locator("#players button").nth(side).click()
        page.select_option("dialog select[name=kind]", "engine")
        page.click("dialog button.primary")
        page.wait_for_selector("#dialog:not([open])", state="attached")
    page.wait_for_selector("#resign:disabled")


def test_after_a_lost_game_the_next_level_down_is_offered(page):
    start(page, "gobang,size=9", "engine")
    page.click("#resign")
    browsers.wait_for_text(page, "#status", "White wins by resignation.")
    labels = page.locator("#choices button").all_inner_texts()
    assert labels == ["Play level 3", "Rematch", "Swap sides", "Another level"]
    page.click("#choices button:has-text('Play level 3')")
    page.wait_for_selector("#players:has-text('level 3')")
    assert "Black to move" in page.inner_text("#status")


def test_levels_have_names_in_each_game_and_any_number_can_be_chosen(page):
    level = page.get_by_label("Level of Second")
    choose_spec(page, "gobang")
    page.locator("dialog select[name=kind]").nth(1).select_option("engine")
    named = ["First game (1)", "Beginner (4)", "Casual (7)", "Club (12)", "Strong (16)", "Full (20)"]
    others = [f"Level {number}" for number in range(2, 20) if number not in (4, 7, 12, 16)]
    assert level.locator("option").all_inner_texts() == named + others
    assert level.input_value() == "4"
    level.select_option("Club (12)")
    choose_spec(page, "dvonn")
    assert level.input_value() == "9"
    level.select_option("Level 10")
    choose_spec(page, "gomoku")
    choose_spec(page, "dvonn")
    page.click("dialog button.primary")
    page.wait_for_selector("#players:has-text('level 10')")
    page.click("#new-game")
    assert level.input_value() == "10"


def test_after_any_game_there_is_a_rematch_and_the_biggest_mistake(page):
    """Two persons, too; the five is ringed, and one click leads to where the loser could have stopped it."""
    start(page, "gomoku,size=7")
    for vertex in ("b4", "a1", "c4", "a7", "d4", "g1", "e4", "g7", "f4"):
        point(page, vertex)
        page.wait_for_selector(f'#board [data-place="{vertex}"][aria-label*="stone"]')
    browsers.wait_for_text(page, "#status", "Black wins: 5 in a row, from b4 to f4 [M-2].")
    assert page.locator("#board .overlay .won:not(.edge)").count() == 5
    page.reload()
    page.click("#choices button:has-text('Review')")
    page.click('#choices button:has-text("White\'s biggest mistake")')
    page.wait_for_selector("#judgement:has-text('lowers the win rate')")
    page.click("#choices button:has-text('Swap sides')")
    wait_for_turns(page, 0)
    assert page.inner_text("#status") == "Black to move."


def test_everything_that_can_be_used_has_a_name(page):
    """As a screen reader gets it, in the dialog of a new game and at the board."""
    session = page.context.new_cdp_session(page)
    used = {"button", "checkbox", "combobox", "slider", "spinbutton", "textbox"}

    def nameless() -> list[str]:
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        shown = [node for node in nodes if not node["ignored"] and node["role"]["value"] in used]
        assert len(shown) > 5
        return [node["role"]["value"] for node in shown if not node["name"]["value"].strip()]

    assert nameless() == []
    start(page, "dvonn")
    assert nameless() == []


def test_a_page_says_that_its_game_cannot_be_kept_and_offers_it(browser, tmp_path):
    folder = tmp_path / "games"
    with browsers.serving(folder) as (address, _), browsers.opened(browser, address) as page:
        start(page, "dvonn")
        point(page, "c3")
        wait_for_turns(page, 1)
        folder.rename(tmp_path / "away")
        folder.write_text("no folder")
        point(page, "d3")
        browsers.wait_for_text(page, "#keeping", "This game cannot be kept")
        with page.expect_download() as download:
            page.click("#keeping button:has-text('Save SGF')")
        assert ";B[d3]" in download.value.path().read_text()
        folder.unlink()
        page.wait_for_selector("#keeping:empty", state="attached")
        name = page.evaluate("() => location.hash").split("/")[1]
        assert KeptGame.read(folder / f"{name}.sgf").turns == [(0, "c3"), (1, "d3")]


def test_a_page_that_is_late_says_where_its_game_is_kept(browser, tmp_path):
    with browsers.serving(tmp_path) as (address, _), browsers.opened(browser, address) as page:
        start(page, "dvonn")
        point(page, "c3")
        wait_for_turns(page, 1)
        name = page.evaluate("() => location.hash").split("/")[1]
        theirs = KeptGame.read(tmp_path / f"{name}.sgf")
        position = theirs.position()
        position.push("d3")
        theirs.write(position, "")
        point(page, "e3")
        browsers.wait_for_text(page, "#keeping", f"Somebody else has gone on with {name}.")
        assert page.evaluate("() => location.hash") == f"#/{name}-2"
        assert KeptGame.read(tmp_path / f"{name}.sgf").turns == [(0, "c3"), (1, "d3")]
        assert KeptGame.read(tmp_path / f"{name}-2.sgf").turns == [(0, "c3"), (1, "e3")]


def test_lines_that_come_anew_take_neither_a_click_nor_the_focus(page):
    """The lines of an analysis are shown again while a turn is pressed, and while one has the focus."""
    browsers.close_dialog(page)
    page.route("**/parts/*.js", lambda it: it.fulfill(path=STATIC / urlsplit(it.request.url).path[1:]))
    page.evaluate(
        """async () => {
            const { showLines } = await import("./parts/panels.js");
            const root = document.createElement("ol");
            Object.assign(root, { id: "pressed", walked: [] });
            root.style = "position: fixed; z-index: 9; top: 0";
            document.body.append(root);
            const pv = ["a1", "a2"];
            const walk = (turns) => root.walked.push(turns);
            root.show = (rate) =>
                showLines(root, [{ rate, text: "", pv, depth: 1 }], 0, ["black", "white"], walk);
            root.show(0.5);
        }"""
    )
    page.hover("#pressed .turn >> nth=1")
    page.mouse.down()
    page.evaluate("() => document.getElementById('pressed').show(0.25)")
    page.mouse.up()
    page.wait_for_selector("#pressed li:has-text('25')")
    assert page.evaluate("() => document.getElementById('pressed').walked") == [["a1", "a2"]]
    assert page.evaluate("() => document.activeElement.textContent") == "a2"


def test_a_turn_that_is_listed_anew_while_it_is_pressed_is_shown(page):
    browsers.close_dialog(page)
    browsers.open_text(page, "H8 J8 H7", "gomoku")
    wait_for_turns(page, 3)
    page.hover("#turns .turn >> nth=1")
    page.mouse.down()
    page.evaluate("() => document.getElementById('turns').replaceChildren()")
    page.mouse.up()
    page.wait_for_function("() => location.hash.split('/').length === 3")  # it names the turn


def test_deeply_nested_variations_are_listed(page):
    browsers.close_dialog(page)
    browsers.open_text(page, nested(170))
    wait_for_turns(page, 340)
    last = page.locator("#turns .turn", has_text="170. ").last
    last.click()
    browsers.wait_for_text(page, "#status", "Position after turn 170")
    assert page.evaluate("() => document.getElementById('turns').scrollWidth") < 1000
