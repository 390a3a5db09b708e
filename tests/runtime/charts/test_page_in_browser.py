"""The page in a browser: it loads without network and errors, shows bars, searches, and zooms."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.charts.pages import large, small
from tests.support.browser import CHROMIUM, NO_CHROMIUM

PATIENCE_SECONDS = 60


class Visit:
    """A page that is open, and what it has asked for and complained of."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, path: Path) -> None:
        self.page.goto(path.as_uri())
        self.until("larsChart.frames > 0")

    def until(self, condition: str) -> None:
        """Waits for a condition; pages that allow no `eval` cannot do so themselves."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.page.evaluate(condition):
            assert time.monotonic() < deadline, condition
            self.page.wait_for_timeout(20)

    def state(self) -> Any:
        return self.page.evaluate(
            "(larsChart.draw(), {...larsChart.view, bars: larsChart.bars, rows: larsChart.rows()})"
        )


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(params=[(400, "light"), (1400, "dark")], ids=["narrow", "wide"])
def visit(browser: Any, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A visit of a narrow, and of a wide page."""
    width, scheme = request.param
    page = browser.new_page(viewport={"width": width, "height": 600}, color_scheme=scheme)
    found = Visit(page)
    yield found
    page.close()
    assert found.errors == []
    assert all(url.startswith("file:") for url in found.requests)
    assert len(found.requests) == 1


def test_a_page_shows_bars_searches_and_zooms(visit: Visit, tmp_path: Path) -> None:
    visit.open(small(tmp_path))
    whole = visit.state()
    assert whole["bars"] >= 5 and whole["rows"] == 6
    visit.page.fill("#search", "hall")
    visit.until("larsChart.rows() === 2")
    assert visit.page.text_content("#found") == "1 of 3 atoms"
    visit.page.fill("#search", "")
    visit.page.mouse.move(300, 200)
    visit.page.mouse.wheel(0, -300)
    visit.until("larsChart.view.to - larsChart.view.from < 500")
    visit.page.focus("#canvas")
    visit.page.keyboard.press("0")
    assert visit.state()["to"] == whole["to"]
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hostile_text_is_text(visit: Visit, tmp_path: Path) -> None:
    visit.open(small(tmp_path))
    visit.page.focus("#canvas")
    for _ in range(6):
        visit.page.keyboard.press("ArrowDown")
    visit.page.keyboard.press("n")
    assert "</script>" in visit.page.text_content("#tip")
    assert visit.page.locator("#tip b").count() == 1


def test_a_large_page_draws_what_is_in_sight(visit: Visit, tmp_path: Path) -> None:
    visit.open(large(tmp_path, lanes=50_000, intervals=100_000))
    state = visit.state()
    assert state["rows"] == 50_001 and state["bars"] < 3_000
    visit.page.evaluate("document.getElementById('scroller').scrollTop = 1e7")
    visit.until("larsChart.view.top > 900000")
