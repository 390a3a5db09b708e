"""The browser that tests of pages need, and what the test command says where there is none."""

import shutil

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The program; None where none is found."""

NO_CHROMIUM = "no chromium is found"
"""Why tests of pages are left out."""


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
