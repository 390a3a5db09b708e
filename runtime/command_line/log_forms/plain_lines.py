"""Lines of text that begin with a time, of a form that is not known."""

import re
from collections.abc import Iterator, Sequence

from lars2asp.runtime.command_line.log_forms.form_table import CONTINUED
from lars2asp.runtime.sources.survey.line_form import LineForm, LineKind
from lars2asp.runtime.sources.survey.time_columns import forms_of, is_iso
from lars2asp.runtime.sources.times.time_guesses import fits, formats_of

_MOST_WORDS = 6
_FEWEST = 2
_SOME = 4
"""One of so many lines begins with a time."""

_SAID = "message: the text after the time; a pattern of your own takes parts of it"

_OTHERS = (
    (("<?xml", "<!DOCTYPE", "<html", "<svg"), "it is XML or HTML: save its table as CSV, or as JSON lines"),
    (("BEGIN:V",), "it is a calendar or a list of contacts: save it as CSV"),
    (
        ("INSERT INTO", "CREATE TABLE", "--"),
        "it is SQL: load it into SQLite, and read FILE.sqlite?table=NAME",
    ),
    (("- ", "---"), "it seems to be YAML: save it as JSON"),
    (("$GP", "$GN", "!AIVDM"), "it is NMEA 0183: convert it to CSV with gpsbabel or gpsdecode"),
)
"""How texts begin that have no records."""


def other_text(lines: Sequence[str]) -> str:
    """What a text without records is, and what helps; empty if it is not known."""
    if any("\0" in line for line in lines):
        return "it is no text: it contains bytes 0; save it as CSV, or as JSON lines"
    begun = lines[0].lstrip() if lines else ""
    words = {len(line.split()) for line in lines}
    if len(lines) > 1 < max(words) and len(words) == 1 and not any(map(str.isdigit, begun)):
        return "each line has as many words as the first: --delimiter blank makes it a table"
    return next((said for signs, said in _OTHERS if begun.startswith(signs)), "")


def plain_lines(lines: Sequence[str]) -> Iterator[LineForm]:
    """Lines with a time and a message: the longest beginning that is a time, or a number of seconds."""
    for begin, end in (("", " "), ("[", "] ")):
        like = rf"^{re.escape(begin)}1\d{{9}}(?:\.\d+)?{re.escape(end)}"
        kind = LineKind("logged", "message", f"^{begin}{{time:number}}{end}{{message:rest}}", 'time "%s"')
        yield LineForm("lines with times", (kind,), like=like, said=(_SAID,))
    for number in range(_MOST_WORDS, 0, -1):
        begun = re.match(
            rf"(\[?)((?:\S+ +){{{number - 1}}}\S+?)([\]:,;|]*)(?: |$)", lines[0] if lines else ""
        )
        if begun is None or not any(map(str.isdigit, begun[2])):
            continue
        like = _like(begun[1]) + f"({_like(begun[2])})" + _like(begun[3]) + "(?: |$)"
        found = [one[1] for line in lines if (one := re.match(like, line))]
        if len(found) < max(_FEWEST, len(lines) // _SOME):
            continue
        is_plain = not begun[1] and all(":" in one and is_iso(one) for one in found)
        formats = [""] if is_plain else forms_of(found)
        if formats == [""] and not is_plain:  # a format says where it stands
            formats = [one for one in formats_of(found[0]) if all(fits(one, text) for text in found)]
        if not formats or not (is_plain or "%M" in formats[0]):
            continue
        mark = re.sub(r"([(){}|\\^$])", r"\\\1", begun[3])
        pattern = f"^{mark} {{message:rest}}" if is_plain and mark else "^{message:rest}"
        at = "" if is_plain else f'"{begun[1]}{formats[0]}{begun[3]}"'
        kind = LineKind("logged", "message", pattern, at)
        others = [f"{one} reads the times as well: say which is right" for one in formats[1:]]
        yield LineForm("lines with times", (kind,), like=like, begun=like, said=(_SAID, *others, CONTINUED))


def _like(text: str) -> str:
    """A regular expression of texts with signs of the same kinds."""
    parts = re.findall(r"[0-9]+|[A-Za-z]+| +|.", text)
    kinds = {"0": "[0-9]+", "a": "[A-Za-z]+", " ": " +"}
    return "".join(kinds[_kind(part)] if _kind(part) in kinds else re.escape(part) for part in parts)


def _kind(part: str) -> str:
    return "0" if part.isdecimal() else "a" if part.isalpha() else part[0]
