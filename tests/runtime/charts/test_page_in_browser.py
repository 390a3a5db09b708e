"""The page in a browser: it loads without network and errors, shows bars, searches, and zooms."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.charts.pages import large, small
from tests.support.browser import Visit


def state_of(visit: Visit) -> Any:
    """What the view looks at, and what it has drawn."""
    return visit.page.evaluate(
        "(larsChart.draw(), {...larsChart.view, bars: larsChart.bars, rows: larsChart.rows()})"
    )


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
    visit.open(small(tmp_path).as_uri())
    whole = state_of(visit)
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
    assert state_of(visit)["to"] == whole["to"]
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hostile_text_is_text(visit: Visit, tmp_path: Path) -> None:
    visit.open(small(tmp_path).as_uri())
    visit.page.focus("#canvas")
    for _ in range(6):
        visit.page.keyboard.press("ArrowDown")
    visit.page.keyboard.press("n")
    assert "</script>" in visit.page.text_content("#tip")
    assert visit.page.locator("#tip b").count() == 1


def test_a_large_page_draws_what_is_in_sight(visit: Visit, tmp_path: Path) -> None:
    visit.open(large(tmp_path, lanes=50_000, intervals=100_000).as_uri())
    state = state_of(visit)
    assert state["rows"] == 50_001 and state["bars"] < 3_000
    visit.page.evaluate("document.getElementById('scroller').scrollTop = 1e7")
    visit.until("larsChart.view.top > 900000")
