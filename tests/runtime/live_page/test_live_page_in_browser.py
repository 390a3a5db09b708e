"""The live page in a browser: bars appear, a click tells why, and connections come back."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.runtime.live_page.serving import PROGRAM, ServedRun, readings, served
from tests.support.browser import Visit

BARS = "[...larsLive.board().lanes.values()].map((lane) => lane.text)"
HOLDS = "document.querySelectorAll('#holds td.atom').length"
HOSTILE = (
    "<script>document.title='taken'</script>",
    "<img src=x onerror=document.title='taken'>",
    "\u202egnihton",
    "x" * 20_000,
    "a'b&quot;",
)


@pytest.fixture(params=[(420, "light"), (1400, "dark")], ids=["narrow", "wide"])
def visit(browser: Any, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A visit of a narrow, and of a wide page, that asks for nothing elsewhere."""
    width, scheme = request.param
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    found = Visit(page)
    yield found
    page.close()
    assert [error for error in found.errors if "net::ERR_" not in error] == []  # the run has ended
    assert all(url.startswith("http://127.0.0.1:") for url in found.requests)


wide = pytest.mark.parametrize("visit", [(1400, "dark")], indirect=True, ids=["wide"])
"""What does not depend on how wide the page is."""


def place_of(visit: Visit, text: str, tick: float) -> tuple[float, float]:
    """Where a tick of a lane is on the screen."""
    x, y = visit.page.evaluate(
        """([text, tick]) => {
            const board = larsLive.board(), { from, to } = larsLive.view().view;
            const rows = [...board.inputs];
            for (const group of board.groups) rows.push(group, ...group.lanes);
            const box = document.getElementById("canvas").getBoundingClientRect();
            const side = Math.round(Math.min(260, Math.max(90, box.width * 0.32)));
            const place = rows.findIndex((row) => row.text === text);
            const across = ((tick - from) / (to - from)) * (box.width - side - 14);
            return [box.x + side + across, box.y + 44 + place * 20 + 10];
        }""",
        [text, tick],
    )
    return x, y


def given_rooms(run: ServedRun) -> None:
    run.give(*(readings(tick, 30, 20) for tick in range(10)))
    run.give(*(readings(tick, 20, 30) for tick in range(10, 21)))
    run.until(20)


def test_bars_appear_and_a_click_tells_why_and_why_not(visit: Visit, tmp_path: Path) -> None:
    with served(tmp_path) as run:
        visit.open(run.url)
        assert visit.page.text_content("#state") == "live"
        given_rooms(run)
        visit.until(f"larsChart.rows() === 7 && {HOLDS} === 2")
        visit.page.mouse.click(*place_of(visit, "alarm(r0)", 5.5))
        visit.until("document.querySelector('#answer code')?.textContent === 'alarm(r0)'")
        answer = visit.page.text_content("#answer")
        assert "hot(r0) always in [2 sec]" in answer and "reading(r0,30), 30 > 25" in answer
        assert visit.page.evaluate("larsChart.marks.size > 0 && larsChart.windows.size > 0")
        visit.page.mouse.click(*place_of(visit, "alarm(r0)", 14.5))
        visit.until("document.getElementById('tick').value === '1970-01-01T00:00:14+00:00'")
        answer = visit.page.text_content("#answer")
        assert "hot(r0) always in [2 sec]" in answer and "fails" in answer
        visit.page.fill("#atom", "alarm(X)")
        visit.page.fill("#tick", "1970-01-01T00:00:13Z")
        visit.page.press("#atom", "Enter")
        visit.until("document.querySelector('#answer code')?.textContent === 'alarm(r1)'")
        assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_picture_of_the_docs(browser: Any, tmp_path: Path) -> None:
    """With LARS2ASP_PICTURES it is written to docs/img/live.png."""
    page = browser.new_page(viewport={"width": 1100, "height": 520})
    found = Visit(page)
    with served(tmp_path, program='#timezone "Europe/Vienna".' + PROGRAM) as run:
        found.open(run.url)
        for tick in range(60):
            temperatures = [20 + (tick * (3 + room) // 7) % 12 for room in range(4)]
            run.give(readings(1_767_225_600 + tick, *temperatures))
        run.until(1_767_225_659)
        found.until(f"larsChart.rows() === 11 && {HOLDS} > 0")
        lane = page.evaluate(
            "(({ text, begins }) => [text, begins[0] + 2.5])([...larsLive.board().lanes.values()].at(-1))"
        )
        page.mouse.click(*place_of(found, *lane))
        found.until("document.querySelector('#answer code') !== null")
        page.mouse.move(5, 5)
        found.until("document.getElementById('tip').hidden")
        folder = Path(__file__).parents[3] / "docs" / "img" if "LARS2ASP_PICTURES" in os.environ else tmp_path
        page.screenshot(path=folder / "live.png")
    page.close()
    assert (folder / "live.png").stat().st_size > 10_000


def test_what_was_rejected_and_what_it_cost_is_shown(visit: Visit, tmp_path: Path) -> None:
    with served(tmp_path) as run:
        visit.open(run.url)
        given_rooms(run)
        run.give("{<b>broken</b>")
        visit.page.click("#tab-input")
        visit.until("document.querySelectorAll('#refused p').length === 1")
        visit.until("document.querySelector('#refused code')?.textContent === '{<b>broken</b>'")
        visit.page.click("#tab-cost")
        costs = "document.querySelectorAll('#cost table')"
        visit.until(f"{costs}[0]?.querySelectorAll('td.atom').length === 3")  # one is the constraint
        visit.until(f"{costs}[1]?.querySelector('td.atom').textContent.includes(':-')")
        visit.until(f"Number({costs}[1].querySelectorAll('td.number')[0].textContent) > 0")


def test_a_search_leaves_the_lanes_and_the_atoms_that_have_the_text(visit: Visit, tmp_path: Path) -> None:
    with served(tmp_path) as run:
        visit.open(run.url)
        given_rooms(run)
        visit.until(f"{HOLDS} === 2")
        visit.page.fill("#search", "alarm(r1)")
        visit.until("larsChart.rows() === 2")
        visit.until(f"{HOLDS} === 1")
        assert "1 of 4 atoms" in visit.page.text_content("#found")


@wide
def test_a_reload_and_a_second_browser_show_the_same(visit: Visit, browser: Any, tmp_path: Path) -> None:
    with served(tmp_path) as run:
        visit.open(run.url)
        given_rooms(run)
        visit.until(f"{BARS}.length === 4 && larsLive.board().tick >= 19")
        bars = "[...larsLive.board().lanes.values()].map((lane) => [lane.text, [...lane.begins]]).sort()"
        before = visit.page.evaluate(bars)
        visit.open(run.url)
        assert visit.page.evaluate(bars) == before
        second = Visit(browser.new_page())
        second.open(run.url)
        assert second.page.evaluate(bars) == before
        run.give(readings(21, 30, 30), readings(22, 30, 30))
        for one in (visit, second):
            one.until("larsLive.board().tick >= 22")  # 21 is over
        assert visit.page.evaluate(bars) == second.page.evaluate(bars) != before
        second.page.close()


KEEP_EVENTS = """
globalThis.EventSource = class extends EventSource {
  constructor(...where) { super(...where); globalThis.lastEvents = this; }
};
"""


@wide
def test_a_lost_connection_comes_back(visit: Visit, tmp_path: Path) -> None:
    with served(tmp_path) as run:
        visit.page.add_init_script(KEEP_EVENTS)
        visit.open(run.url)
        given_rooms(run)
        visit.until(f"{BARS}.length === 4")
        visit.page.evaluate("(lastEvents.close(), lastEvents.onerror())")
        visit.until("document.getElementById('state').dataset.state === 'lost'")
        run.give(readings(21, 20, 20), readings(22, 20, 20))
        run.until(22)
        visit.until("document.getElementById('state').dataset.state === 'live'")
        visit.until("larsLive.board().tick >= 21")
        visit.until(f"{HOLDS} === 0")


@wide
def test_the_page_says_that_a_run_is_over_and_that_it_has_ended(visit: Visit, tmp_path: Path) -> None:
    with served(tmp_path) as run:
        visit.open(run.url)
        given_rooms(run)
        run.end_input()
        visit.until("document.getElementById('state').textContent === 'the run is over'")
        run.process.send_signal(signal.SIGINT)
        run.process.wait()
        visit.until("fetch('/healthz').then(() => false, () => true)")
        assert visit.page.text_content("#state") == "the run is over"


@wide
def test_a_browser_that_stands_still_holds_nobody_up(visit: Visit, browser: Any, tmp_path: Path) -> None:
    """One whose process is stopped, as a debugger does."""
    with served(tmp_path) as run:
        visit.open(run.url)
        with httpx.stream("GET", run.url + "frames", trust_env=False):  # nobody reads it
            text = "y" * 2000
            for tick in range(0, 3000):
                run.give({"time": tick, "facts": [f'reading("{text}{tick}",30)']})
            run.until(2990)
            visit.until("larsLive.board().tick >= 2990")


def test_hostile_text_is_text(visit: Visit, tmp_path: Path) -> None:
    with served(tmp_path) as run:
        visit.open(run.url)
        for tick in range(3):
            facts = [f"reading({json.dumps(text, ensure_ascii=False)},30)" for text in HOSTILE]
            run.give({"time": tick, "facts": facts})
        run.give(f"{HOSTILE[0]}", {"time": 3})
        visit.until(f"{BARS}.length === 10")
        visit.until(f"{HOLDS} === 10")
        visit.page.locator("#holds tr", has_text="onerror").first.click()
        visit.until("document.querySelector('#answer code')?.textContent.includes('onerror')")
        visit.page.click("#tab-input")
        visit.until("document.querySelectorAll('#refused p').length === 1")
        assert visit.page.title() == "rooms.lars on standard input"
        assert visit.page.evaluate("document.querySelectorAll('aside img, aside script').length") == 0
        assert not any("\u202e" in text for text in visit.page.evaluate(BARS))
        assert max(map(len, visit.page.evaluate(BARS))) < 10_100


def test_the_token_is_entered_once(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a-token-of-more-than-sixteen-characters")
    with served(tmp_path, "--serve-token-file", "token") as run:
        run.give(*(readings(tick, 30, 20) for tick in range(5)))
        page = browser.new_page()
        found = Visit(page)
        page.goto(run.url)
        page.fill("input[name=token]", "a-token-of-more-than-sixteen-characters")
        page.click("button")
        found.until(f"globalThis.larsLive && {HOLDS} === 2")
        found.open(run.url)
        page.close()


def test_the_page_stays_usable_with_many_lanes(visit: Visit, tmp_path: Path) -> None:
    with served(tmp_path, program="hot(R) :- reading(R, T), T > 25.") as run:
        visit.open(run.url)
        for tick in range(10):
            run.give({"time": tick, "facts": [f"reading({tick * 5000 + n},30)" for n in range(5000)]})
        run.give({"time": 10})
        visit.until(f"{BARS}.length === 50000")
        visit.until("larsChart.rows() === 50002")
        assert visit.page.evaluate("(larsChart.draw(), larsChart.bars)") < 3_000
        visit.page.fill("#search", "hot(49999)")
        visit.until("larsChart.rows() === 2")


def test_the_heap_of_a_browser_follows_what_is_kept(browser: Any, tmp_path: Path) -> None:
    """The same after a quarter of many changes and after all of them."""
    changes = int(os.environ.get("LARS2ASP_PAGE_CHANGES", "10000"))
    page = browser.new_page()
    session = page.context.new_cdp_session(page)
    found = Visit(page)
    sizes = []
    with served(tmp_path, "--explain-last", "20", program="hot(R) :- reading(R, T), T > 25.") as run:
        found.open(run.url)
        for tick in range(changes // 100):
            run.give({"time": tick, "facts": [f"reading({tick * 50 + n},30)" for n in range(50)]})
            if tick + 1 in (changes // 400, changes // 100):
                found.until(f"larsLive.board().tick >= {tick - 1}")
                page.wait_for_timeout(1500)  # what has gone is swept each second
                session.send("HeapProfiler.collectGarbage")
                sizes.append(session.send("Runtime.getHeapUsage")["usedSize"])
        lanes = page.evaluate("larsLive.board().lanes.size")
    page.close()
    assert lanes <= 22 * 50
    assert sizes[1] < 1.25 * sizes[0], sizes
