"""The page of a plan in a browser: it loads without network and errors, and shows what a card looks at."""

from pathlib import Path

import pytest

from lars2asp import Reasoner
from tests.support.browser import CHROMIUM, NO_CHROMIUM

PROGRAM = 'a(X) :- p(X) in [3]. b("<b>") :- a(_), not q in [5]. c :- r.'


@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (1400, "dark")])
def test_the_page(tmp_path: Path, width: int, scheme: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    path = tmp_path / "plan.html"
    Reasoner.from_text(PROGRAM).drawing().write(path)
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 600}, color_scheme=scheme)
        requests: list[str] = []
        errors: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(20, 24, 28)" if scheme == "dark" else "rgb(255, 255, 255)")
        assert page.evaluate("svg.width.baseVal.value <= view.clientWidth")
        card = page.locator(".card", has_text="b/1").first
        card.hover()
        lit = page.evaluate("[...svg.querySelectorAll('.card.lit .name')].map(one => one.textContent)")
        assert sorted(lit) == ["a/1", "b/1", "q/0"]
        card.click()
        page.mouse.move(1, 1)
        assert page.evaluate("svg.classList.contains('chosen')")
        page.keyboard.press("Escape")
        assert not page.evaluate("svg.classList.contains('chosen')")
        page.keyboard.press("+")
        browser.close()
    assert (requests, errors) == ([path.as_uri()], [])
