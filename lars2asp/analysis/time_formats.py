"""Formats of times, as in `"%d.%m.%Y %H:%M:%S"`: what may stand in them."""

import re
from itertools import pairwise
from typing import NamedTuple

DIRECTIVES = "YymbBdjHIMSfpaAzsQ"
"""The letters behind `%`, as `strptime` has them; `s` counts seconds since 1970, `Q` milliseconds."""

EPOCH_DIRECTIVES = "sQ"

PART = re.compile(r"%(.?)|\s+|[^%\s]+", re.DOTALL)
"""A part of a format: a directive, blanks, or a text that stands for itself."""


class FormatProblem(NamedTuple):
    """Why a text is no format of times, and what to do."""

    reason: str
    hint: str


def format_problem(text: str) -> FormatProblem | None:
    """What is wrong with a format; None for one that is right."""
    found = [part[1] for part in PART.finditer(text) if part[0].startswith("%") and part[1] != "%"]
    for letter in found:
        if not letter or letter not in DIRECTIVES:
            known = " ".join(f"%{one}" for one in DIRECTIVES)
            return FormatProblem(f"it has %{letter}", f"formats have {known} %%")
        if found.count(letter) > 1:
            return FormatProblem(f"%{letter} stands twice", "write it once")
    letters = set(found)
    if letters.intersection(EPOCH_DIRECTIVES):
        alone = len(letters) == 1
        return (
            None if alone else FormatProblem("%s and %Q stand alone", "seconds since 1970 have no other part")
        )
    has_day = "j" in letters or ("d" in letters and letters.intersection("mbB"))
    if not has_day or not letters.intersection("Yy"):
        return FormatProblem(
            "it has no whole date",
            'a table with a column of days takes both: at day + clock "%Y-%m-%d %H:%M"',
        )
    if ("I" in letters) != ("p" in letters):
        return FormatProblem("%I and %p (AM, PM) stand together", "hours up to 23 are %H")
    smaller = [("H" if "I" not in letters else "I"), "M", "S", "f"]
    for larger, small in pairwise(smaller):
        if small in letters and larger not in letters:
            return FormatProblem(
                f"it has %{small} without %{larger}", "name hours before minutes and seconds"
            )
    return None
