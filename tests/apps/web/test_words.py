"""The page in French and in Spanish, in a real browser: a turn is played, a lesson read, and all fits."""

import pytest

from tests.apps.web.browser import CHROMIUM, PATIENCE, point, wait_for_text, wait_for_turns

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium (make clients)")
SAID = {
    "fr-CA": {
        "language": "fr",
        "play": "Jouer à ZÈRTZ",
        "start": "Commencer",
        "place": "À Joueur 1 de jouer. Placez une bille\u202f: choisissez sa couleur.",
        "colour": "Bille blanche",
        "ring": "Choisissez un anneau libre pour la bille blanche.",
        "effect": "Joueur 1 a joué Wd4,d1\u202f: a retiré l’anneau d1.",
        "place of a marble": "d4, blanc",
        "lesson": "Apprendre DVONN",
        "rule": "Blanc, Noir et Blanc placent les trois pièces DVONN",
    },
    "es-MX": {
        "language": "es",
        "play": "Jugar a ZÈRTZ",
        "start": "Empezar",
        "place": "Juega Jugador 1. Coloca una canica: elige su color.",
        "colour": "Canica blanca",
        "ring": "Elige un anillo vacío para la canica blanca.",
        "effect": "Jugador 1 ha jugado Wd4,d1: ha retirado el anillo d1.",
        "place of a marble": "d4, blanco",
        "lesson": "Aprender DVONN",
        "rule": "Blanco, Negro y Blanco colocan las tres piezas DVONN",
    },
}
TOO_WIDE = """() => [...document.querySelectorAll("body *:not(nav *)")]
    .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map((each) => each.outerHTML.slice(0, 80))"""


@pytest.fixture(params=SAID)
def said(request):
    return request.param, SAID[request.param]


@pytest.fixture(params=[390, 1280])
def page(browser, address, said, request):
    context = browser.new_context(viewport={"width": request.param, "height": 844}, locale=said[0])
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.wait_for_selector("#cards li")
    yield page
    context.close()


def press(page, words):
    page.get_by_role("button", name=words, exact=True).filter(visible=True).first.click()


def test_a_turn_is_played_in_the_language_of_the_browser(page, said):
    words = said[1]
    assert page.get_attribute("html", "lang") == words["language"]
    assert page.evaluate(TOO_WIDE) == []
    press(page, words["play"])
    page.locator("dialog select[name=kind]").nth(1).select_option("person")
    assert page.evaluate(TOO_WIDE) == []
    press(page, words["start"])
    wait_for_text(page, "#status", words["place"])
    press(page, words["colour"])
    wait_for_text(page, "#status", words["ring"])
    point(page, "d4")
    page.wait_for_selector("#board [data-piece=d4]")
    point(page, "d1")
    wait_for_turns(page, 1)
    wait_for_text(page, "#effects", words["effect"])
    assert page.get_attribute('[data-place="d4"]', "aria-label").startswith(words["place of a marble"])
    assert page.evaluate(TOO_WIDE) == []


def test_a_lesson_is_read_in_the_language_of_the_browser(page, said):
    press(page, said[1]["lesson"])
    wait_for_text(page, "#lesson", said[1]["rule"])
    assert page.evaluate(TOO_WIDE) == []
