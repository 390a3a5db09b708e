"""The browser that tests of pages need, and what the test command says where there is none."""

import shutil
import time
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The program; None where none is found."""

PATIENCE_SECONDS = 60

NO_CHROMIUM = "no chromium is found"
"""Why tests of pages are left out."""


class Visit:
    """A page that is open, and what it has asked for and complained of."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, url: str) -> None:
        self.page.goto(url)
        self.until("globalThis.larsChart && larsChart.frames > 0")

    def until(self, condition: str) -> None:
        """Waits for a condition; pages that allow no `eval` cannot do so themselves."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.page.evaluate(condition):
            assert time.monotonic() < deadline, condition
            self.page.wait_for_timeout(20)


def left_out(reasons: list[str]) -> str | None:
    """What is said at the end of a run of the tests, None where no test of pages was left out.

    Args:
        reasons: why tests were left out, one for each.
    """
    count = sum(NO_CHROMIUM in reason for reason in reasons)
    if not count:
        return None
    tests = "1 test" if count == 1 else f"{count} tests"
    return f"{tests} of pages left out: {NO_CHROMIUM} (on Debian: apt-get install chromium)"
