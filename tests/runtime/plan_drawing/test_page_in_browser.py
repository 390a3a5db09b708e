"""The page of a plan in a browser: it loads without network and errors, and can be read at any width."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lars2asp import Reasoner
from tests.support.browser import CHROMIUM, NO_CHROMIUM
from tests.support.pages import DOCS

PROGRAM = 'a(X) :- p(X) in [3]. b("<b>") :- a(_), not q in [5]. c :- r. on :- on in {1}, c. c :- on in [2].'
LARGE = "#show p69/1. p0(X) :- q(X)." + "".join(
    f"p{number}(X) :- p{number - 1}(X) always in [{number}], not p{number // 2}(X), q(X) in [9]."
    for number in range(1, 70)
)
ROOMS = """
    #tick 1 min.
    room(hall). room(attic).
    hot(R) :- reading(R, T), T > 25.
    alarm(R) :- hot(R) always in [2 min], not off(R) in [10 min].
    calm(R) :- room(R), not hot(R) in [30 min].
    #show alarm/1. #show calm/1.
"""
SHOWN = "cards.filter(card => !card.hidden)"
NAMES = f"{SHOWN}.map(card => card.querySelector('b').textContent)"
OVERLAPS = f"""
{SHOWN}.map(card => card.getBoundingClientRect()).some((one, place, all) => all.slice(place + 1).some(other =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom))
"""
READABLE = "parseFloat(getComputedStyle(plan).fontSize) * scale >= 10"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens the page of a program; in the end it has asked for nothing and complained of nothing."""
    path = tmp_path / "plan.html"
    told: list[str] = []
    pages = []

    def open_page(program: str, width: int, scheme: str = "light", height: int = 600) -> Any:
        Reasoner.from_text(program).drawing().write(path)
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        pages.append(page)
        page.on("request", lambda request: told.append(request.url))
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_selector("#plan .card >> visible=true")
        return page

    yield open_page
    for page in pages:
        page.close()
    assert told == [path.as_uri()] * len(pages)


@pytest.mark.parametrize(("width", "scheme"), [(420, "light"), (1300, "dark")])
def test_the_page(opened: Any, width: int, scheme: str) -> None:
    page = opened(PROGRAM, width, scheme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(20, 24, 28)" if scheme == "dark" else "rgb(255, 255, 255)")
    assert len(page.evaluate(NAMES)) == 7
    assert page.evaluate("arrows.every(({line}) => line.getTotalLength() > 10)")
    assert not page.evaluate(OVERLAPS)
    assert page.evaluate(READABLE)
    page.locator(".card", has_text="b/1").first.hover()
    lit = page.evaluate("[...plan.querySelectorAll('.card.lit b')].map(one => one.textContent)")
    assert sorted(lit) == ["a/1", "b/1", "q/0"]


def test_a_card_alone(opened: Any) -> None:
    """With what it looks at, and what looks at it."""
    page = opened(PROGRAM, 420)
    page.locator(".card", has_text="b/1").first.click()
    assert sorted(page.evaluate(NAMES)) == ["a/1", "b/1", "q/0"]
    page.keyboard.press("Escape")
    assert len(page.evaluate(NAMES)) == 7
    page.locator("select").select_option(label="c/0")
    assert sorted(page.evaluate(NAMES)) == ["c/0", "on/0", "r/0"]
    page.locator("#all").click()
    assert page.locator("select").input_value() == ""
    assert page.evaluate("plan.getBoundingClientRect().width <= view.clientWidth")


@pytest.mark.parametrize("width", [420, 1300])
def test_a_large_program_begins_with_a_card_of_the_output(opened: Any, width: int) -> None:
    page = opened(LARGE, width)
    assert sorted(page.evaluate(NAMES)) == ["p34/1", "p68/1", "p69/1", "q/1"]
    assert page.locator(".rule >> visible=true").count() == 3
    assert page.evaluate(READABLE)
    assert page.evaluate("view.scrollWidth") <= 2 * width
    page.keyboard.press("Escape")
    assert len(page.evaluate(NAMES)) == 71
    assert not page.evaluate(OVERLAPS)
    assert page.locator(".rule >> visible=true").count() == 0


def test_the_picture_of_the_docs(opened: Any, tmp_path: Path) -> None:
    """With LARS2ASP_PICTURES it is written to docs/img/plan.png."""
    path = (DOCS / "img" if "LARS2ASP_PICTURES" in os.environ else tmp_path) / "plan.png"
    opened(ROOMS, 940, height=400).screenshot(path=path)
    assert path.stat().st_size > 10_000
