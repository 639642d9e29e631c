"""A browser, shared by all tests, and a server for it, shared by those of a module."""

import pytest

from tests.apps.web import browser as browsers


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of the server's games."""
    return tmp_path_factory.mktemp("games")


@pytest.fixture(scope="module")
def address(folder):
    """The address of a server of its own."""
    with browsers.serving(folder) as (address, _):
        yield address


@pytest.fixture(scope="package")
def browser():
    with browsers.launched() as launched:
        yield launched


@pytest.fixture
def page(browser, address):
    """The first screen, without a dialog."""
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if browsers.CHROMIUM is None:
        pytest.skip("there is no chromium (make clients)")
    with browsers.opened(browser, address) as opened:
        browsers.close_dialog(opened)
        yield opened
