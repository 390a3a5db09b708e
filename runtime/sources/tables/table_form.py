"""How a table is written, found out from its beginning: encoding, delimiter, quotes, place of the header."""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lars2asp.runtime.sources.tables.wanted_columns import DATUM, WantedColumns, has_datum
from lars2asp.runtime.sources.text.encodings import encoding_of

SAMPLE = 2**20
"""In bytes: what is looked at of the beginning of a file."""

MOST_BEFORE = 30
"""The number of lines that may stand before the header."""

_SAMPLE_LINES = 200
_PADDED_LINES = 20
_MOST_ROW_LINES = 30
_SHARE_OF_NAMES = 0.5
_SHARE_OF_ROWS = 0.9
_FACTS = re.compile(r"[^,;|\t]*: *-?[a-z_][A-Za-z0-9_]*(?:[(,.]|$)")
"""A line of plain facts."""

_DELIMITERS = (",", ";", "\t", "|")
_QUOTES = ('"', "'")
_LINE_ENDS = re.compile("\r\n|\r|\n")
"""What ends the lines of a file, which has fewer such signs than Python's texts."""

_WORDS_OF_TIMES = re.compile(
    r"\b(?:Jan|Feb|M[aä]r|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz]|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Mo|Di|Mi|Do|Fr|Sa|So)"
    r"[a-zä]{0,6}\b[.,]?|[AP]\.?M\b\.?|\b(?:Uhr|UTC|GMT|[A-Z]{2,3}S?T)\b|(?<=[0-9])[hT](?=[0-9])|Z$",
    re.IGNORECASE,
)
_MOSTLY, _OF, _MOST_HEADS = 10, 7, 3
"""Seven of ten cells of a column with data are data, but for so many rows of heads."""

_LETTERS = re.compile(r"[^\W\d_]")
_IS_UNIT = re.compile(
    r"\[.*\]|\(.*\)|"
    r"[^\W\d]{0,5}[/\u00b0%\u2030\u00b2\u00b3\u00b5\u03bc^][^\s]{0,8}|\u00b0 ?[cfk]|deg\.? ?[cfk]"
)
_TYPES_AND_UNITS = {
    *("ts", "rn", "c", "f", "k", "v", "mv", "volt", "volts", "a", "ma", "amps", "w", "kw", "mw"),
    *("kwh", "mwh", "wh", "va", "hz", "khz", "mhz", "rpm", "bar", "mbar", "pa", "hpa", "kpa", "psi"),
    *("mm", "cm", "m", "km", "s", "sec", "ms", "min", "h", "hr", "hours", "l", "ml", "m3", "kg"),
    *("g", "t", "db", "ppm", "ppb", "lux", "lx", "ph", "n", "nm", "j", "kj", "usd", "eur", "unit"),
    *("units", "avg", "max", "smp", "tot", "std", "sum", "count", "int", "integer", "int32"),
    *("int64", "float", "float64", "double", "real", "number", "numeric", "decimal", "string"),
    *("str", "text", "varchar", "char", "object", "bool", "boolean", "date", "datetime"),
    *("timestamp", "time", "datetime64", "d", "i", "b"),
}
"""Words of rows under the names, in small letters."""

_RULE = re.compile(r"[|+\s]*[:=-]{2,}[|+:=\s-]*")
"""A line, or a cell, that is drawn under the names of columns."""

_TIME_NAME = re.compile(r"time|date|zeit|datum|stamp|\bts\b", re.IGNORECASE)
_NUMBERED = re.compile(r"column[1-9][0-9]*")
BLANKS = "blank"
"""The delimiter if a run of blanks is one."""

_NAMES = {"\t": "tab", BLANKS: "blanks"}
_ZEEK_FIELDS = "#fields"
"""What stands before the names of columns in logs of Zeek."""

_W3C_FIELDS = "#Fields"
"""The same in logs of W3C, such as IIS writes."""

_NO_QUOTE = "\0"
"""Logs of Zeek have no quotes around cells."""


@dataclass(frozen=True)
class Dialect:
    """What is known of a table beforehand.

    Attributes:
        delimiter: the sign between cells; None: it is found out.
        missing: the cells that are missing besides empty ones.
        encoding: that of the text, also of input that is not a table; None: it is found out for tables, and
            for all input that begins with a byte order mark.
    """

    delimiter: str | None = None
    missing: frozenset[str] = frozenset()
    encoding: str | None = None


@dataclass(frozen=True)
class TableForm:
    """How a table is written.

    Attributes:
        encoding: that of its text.
        delimiter: the sign between cells.
        quote: the sign around cells.
        before: the number of lines before the header, with it where it does not have the names as they are.
        names: the names of the columns, where no header has them, or has them otherwise.
        comment: what lines begin with that are not rows; empty where all are.
        is_document: whether it is no table but one JSON document over many lines, or one array of records.
        missing: the mark of missing cells, which the form defines; empty if it has none.
        blanks: where a blank belongs to each delimiter: 1 if behind it, 2 if also before it, 0 if nowhere.
    """

    encoding: str = "utf-8"
    delimiter: str = ","
    quote: str = '"'
    before: int = 0
    names: tuple[str, ...] = ()
    is_document: bool = False
    comment: str = ""
    missing: str = ""
    blanks: int = 0

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> "TableForm":
        """The form that `asdict` gave."""
        return cls(**{**state, "names": tuple(state["names"])})

    def reader(self, lines: Iterable[str]) -> Any:
        """Reads rows from lines, as `csv.reader` does."""
        is_of_blanks = self.delimiter == BLANKS
        if self.blanks:
            lines = self._without_blanks(lines)
        return csv.reader(
            map(_trimmed, lines) if is_of_blanks else lines,
            delimiter=" " if is_of_blanks else self.delimiter,
            quotechar=self.quote,
            skipinitialspace=is_of_blanks,
            strict=True,
        )

    def cells(self, line: str) -> list[str]:
        """The cells of a line without quotes."""
        if self.delimiter == BLANKS:
            return [cell for cell in line.replace("\t", " ").split(" ") if cell]
        return (self.plain(line) if self.blanks else line).split(self.delimiter)

    def plain(self, text: str) -> str:
        """Text without quotes, and without the blanks that belong to delimiters, as there are some."""
        if self.blanks > 1:
            text = text.replace(f" {self.delimiter}", self.delimiter)
        return text.replace(f"{self.delimiter} ", self.delimiter)

    def _without_blanks(self, lines: Iterable[str]) -> Iterator[str]:
        """Lines from the beginning of a row on, without these blanks, but for what stands in quotes."""
        is_open = False
        for line in lines:
            parts = line.split(self.quote)
            outside = range(is_open, len(parts), 2)
            yield self.quote.join(
                self.plain(part) if place in outside else part for place, part in enumerate(parts)
            )
            is_open ^= len(parts) % 2 == 0

    def with_missing(self, dialect: Dialect) -> Dialect:
        """A dialect in which the mark of this form is missing, too."""
        return replace(dialect, missing=dialect.missing | {self.missing}) if self.missing else dialect

    def said(self, dialect: Dialect) -> str:
        """What is other than in a plain table and was not known beforehand; empty where nothing is."""
        parts = []
        if self.encoding != "utf-8" and dialect.encoding is None:
            parts.append(f"encoding {self.encoding}")
        if self.delimiter != "," and dialect.delimiter is None:
            parts.append(f"delimiter {_NAMES.get(self.delimiter, repr(self.delimiter))}")
        if self.blanks:
            parts.append(f"a blank {'behind' if self.blanks == 1 else 'on both sides of'} each delimiter")
        if self.quote not in ('"', _NO_QUOTE):
            parts.append(f"cells in {self.quote} quotes")
        if self.is_document:
            parts.append("each record of its JSON document as a line")
        if self.before and not self.names:
            parts.append(f"the header is line {self.before + 1}")
        if self.names and not are_numbered(self.names):
            parts.append(f"the columns {self.names[0]} to {self.names[-1] or self.names[-2]}")
            if self.before > 1:
                parts.append(f"rows from line {self.before + 1} on")
        elif self.names:
            parts.append(f"no header: the columns are {self.names[0]} to {self.names[-1]}")
        return ", ".join(parts)


def delimiter_of(text: str) -> str:
    """The sign between cells that a text names. Raises ValueError for a text that names none."""
    sign = {"\\t": "\t", "tab": "\t"}.get(text, text)
    if sign == BLANKS:
        return sign
    if len(sign) != 1 or sign in '"\r\n':
        raise ValueError
    return sign


def table_form(sample: bytes, dialect: Dialect, wanted: Sequence[WantedColumns] = ()) -> TableForm:
    """The form of a table with this beginning; if there is one, that with columns that are wanted.

    What tells rows from a header of columns that are wanted by their places alone is their times.
    """
    encoding = dialect.encoding or encoding_of(sample, is_table=True)
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample)
    lines = _LINE_ENDS.split(text.removeprefix("\ufeff"))
    if len(lines) > 1 and len(sample) >= SAMPLE:
        lines.pop()
    lines = lines[:_SAMPLE_LINES]
    for place, line in enumerate(lines[:MOST_BEFORE]):
        named = named_form(line, next((one for one in lines[place + 1 :] if not one.startswith("#")), ""))
        if named is not None:
            return replace(named, encoding=encoding, before=place + 1)
    forms = forms_of(dialect, encoding)
    forms = [form for form in forms if form.quote == _quote_of(lines, form.delimiter)]
    forms = [with_blanks(form, lines) for form in forms]
    by_place = [one for one in wanted if one.by_place]

    def is_placed_row(cells: Sequence[str]) -> bool:
        return any(one.is_row(cells) for one in by_place)

    is_row = is_placed_row if by_place else has_datum
    by_name = [one for one in wanted if one.by_name]
    blanks = [TableForm(encoding, BLANKS, _quote_of(lines, BLANKS))] if dialect.delimiter is None else []
    forms += blanks
    found = _with_columns(forms, lines, by_name)
    found = found or _best([_headed(form, lines, is_row) for form in forms], lines)
    begin = found.before - bool(found.before and found.names)  # that of the header
    return found if found.blanks else with_blanks(found, lines[begin:])


def with_blanks(form: TableForm, lines: Sequence[str]) -> TableForm:
    """A form with the blanks that belong to delimiters: those behind, or around, each of the first lines.

    The first line is the header, which may have none if rows have them on both sides.
    """
    if form.delimiter in (BLANKS, " ") or form.missing:
        return form
    filled = (line for line in lines[:_PADDED_LINES] if line.strip() and not _RULE.fullmatch(line.strip()))
    filled = (line for line in filled if not (form.comment and line.startswith(form.comment)))
    given = [_outside_quotes(line, form.quote) for line in filled]
    header, rows, sign = given[:1], given[1:], re.escape(form.delimiter)
    if not rows or not all(form.delimiter in line for line in given):
        return form

    def all_have(pattern: str, given: Iterable[str]) -> bool:
        """Whether each delimiter is as a pattern says."""
        return all(len(re.findall(pattern, line)) == line.count(form.delimiter) for line in given)

    around, behind, alone = rf"(?:(?<= )|^){sign}(?= |\r?$)", rf"{sign}(?= )", rf"(?<! ){sign}(?! )"
    if all_have(around, rows) and (all_have(around, header) or all_have(alone, header)):
        return replace(form, blanks=2)
    return replace(form, blanks=1) if all_have(behind, given) else form


def _outside_quotes(line: str, quote: str) -> str:
    """A line without what stands in quotes."""
    return quote.join(line.split(quote)[::2])


def beginning_lines(sample: bytes, dialect: Dialect) -> list[str]:
    """The first lines of a text with this beginning."""
    encoding = dialect.encoding or encoding_of(sample, is_table=False)
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample)
    return _LINE_ENDS.split(text.removeprefix("\ufeff"), _SAMPLE_LINES)[:_SAMPLE_LINES]


def is_headed(lines: Sequence[str], dialect: Dialect, wanted: Sequence[WantedColumns]) -> bool:
    """Whether a text that begins with these lines is a table, as they name its columns.

    They do so in a `#` line of Zeek or W3C, or the first other line is the header of columns that are wanted.
    """
    texts = (line for line in lines[:MOST_BEFORE] if line.strip())
    for line in texts:
        if not line.startswith("#"):
            return _is_header(line, dialect, wanted)
        if names_columns(line):
            return True
    return False


def names_columns(line: str) -> bool:
    """Whether a line names the columns of a log of Zeek or W3C."""
    return line.startswith((_ZEEK_FIELDS, _W3C_FIELDS))


def named_form(line: str, row: str = "") -> TableForm | None:
    """The form of a log of Zeek or W3C whose columns a line names; None if it names none.

    Zeek has tabs between cells, W3C single blanks, or tabs as a row shows.
    """
    if line.startswith(f"{_ZEEK_FIELDS}\t"):
        names = tuple(line.rstrip("\r\n").split("\t")[1:])
        return TableForm(delimiter="\t", quote=_NO_QUOTE, names=names, comment="#", missing="-")
    if line.startswith(f"{_W3C_FIELDS}:"):
        names = tuple(line.partition(":")[2].split())
        if len(names) == 1 and "," in names[0]:
            return TableForm(names=tuple(names[0].split(",")), comment="#")
        delimiter = "\t" if len(names) > 1 and row.count("\t") == len(names) - 1 else " "
        return TableForm(delimiter=delimiter, names=names, comment="#", missing="-") if names else None
    return None


def with_last_names(form: TableForm, text: Iterable[bytes]) -> TableForm:
    """A form with the names of columns of the last of some lines that names them."""
    lines = (str(line, "utf-8", "replace") for line in text if line[:1] == b"#")
    found = [named.names for line in lines if (named := named_form(line)) is not None]
    return replace(form, names=found[-1]) if found else form


def _trimmed(line: str) -> str:
    """A line whose blanks are delimiters, with none at its beginning and its end."""
    text = line.rstrip("\r\n")
    return text.replace("\t", " ").strip(" ") + line[len(text) :]


def _is_header(line: str, dialect: Dialect, wanted: Sequence[WantedColumns]) -> bool:
    """Whether a line has all columns of one of those that are wanted by their names."""
    named = [one for one in wanted if one.by_name and one.may_be_in(line)]
    rows = [cells_of(line, form) for form in forms_of(dialect)] if named else []
    return any(one.are_in(cells) for one in named for cells in rows)


def is_table(sample: bytes, dialect: Dialect) -> bool:
    """Whether a text with this beginning is a table, by its content: most of its rows have as many cells."""
    form = table_form(sample, dialect)
    if form.comment:
        return True
    lines = _LINE_ENDS.split(codecs.getincrementaldecoder(form.encoding)("replace").decode(sample))
    text = [line.lstrip("\ufeff") for line in lines[:_SAMPLE_LINES] if line.strip()]
    if not text or text[0][:1] in ("{", "[") or any(map(_FACTS.match, text[:1])):
        return False
    if form.delimiter == BLANKS and form.names and not all(map(_are_data, map(str.split, text))):
        return False  # lines of text without a header
    are_names, share, width = _score(form, lines[:_SAMPLE_LINES])
    return are_names and width > 1 and share >= _SHARE_OF_ROWS and len(text) > form.before + 1


def _are_data(cells: Iterable[str]) -> bool:
    """Whether all cells are numbers or times."""
    return all(map(is_datum, cells))


def forms_of(dialect: Dialect, encoding: str = "utf-8") -> list[TableForm]:
    """The forms that a table may have, the usual ones first."""
    return [
        TableForm(encoding, delimiter, quote)
        for quote in _QUOTES
        for delimiter in ([dialect.delimiter] if dialect.delimiter else _DELIMITERS)
    ]


def are_numbered(columns: Iterable[str]) -> bool:
    """Whether columns have the names that those of a table without header have."""
    return all(map(_NUMBERED.fullmatch, columns))


def numbered_columns(width: int) -> tuple[str, ...]:
    """The names of the columns of a table without header."""
    return tuple(f"column{number}" for number in range(1, width + 1))


def _quote_of(lines: Sequence[str], delimiter: str) -> str:
    """The sign around cells: ' where most cells that begin with it end so, and " stands around none."""
    text, usual, other = "\n".join(lines), *_QUOTES
    delimiter = " " if delimiter == BLANKS else delimiter
    before = rf"(?:^|{re.escape(delimiter)}) *"

    behind = rf"(?= *(?:{re.escape(delimiter)}|$))"
    if re.search(rf"{before}{usual}(?:[^{usual}]|{2 * usual})*{usual}{behind}", text, re.MULTILINE):
        return usual
    begun = len(re.findall(before + other, text, re.MULTILINE))
    whole = rf"{before}{other}(?:[^{other}\n]|{2 * other})*{other}{behind}"
    return other if 2 * len(re.findall(whole, text, re.MULTILINE)) > begun else usual


def _with_columns(
    forms: Sequence[TableForm], lines: Sequence[str], wanted: Sequence[WantedColumns]
) -> TableForm | None:
    """The first form in which a line has all columns of one of those that are wanted by their names."""
    if not wanted:
        return None
    for form in forms:
        for before, line in enumerate(lines[:MOST_BEFORE]):
            cells = cells_of(line, form)
            if any(one.are_in(cells) for one in wanted):
                plain = replace(form, before=_counted(lines, before))
                plain = _without_units(plain, lines, before, cells)
                return _trailing(form, lines, before, cells, lambda _: False) or plain
            if cells and line.startswith("#"):
                named = (cells[0].removeprefix("#").strip(), *cells[1:])
                if any(one.are_in(named) for one in wanted):
                    return replace(form, before=before + 1, names=named, comment="#")
    if any(one.names and are_numbered(one.names) for one in wanted):
        best = _best(forms, lines)
        return TableForm(best.encoding, best.delimiter, best.quote, names=_numbered(lines, best))
    return None


def _without_units(form: TableForm, lines: Sequence[str], header: int, names: Sequence[str]) -> TableForm:
    """A form without the rows of units that stand between the header and the first row with data."""
    behind = [one for one in _numbered_rows(lines, form) if one[0] >= header and len(one[1]) == len(names)]
    begin = _first_data(behind) or 0
    if begin < 2 and (found := _without_rule(form, lines, header, names)):
        return found
    if begin < 2 or not all(_is_units(cells) for _, cells in behind[1:begin]):
        return form
    return replace(form, before=behind[begin][0], names=tuple(names))


def _counted(lines: Sequence[str], before: int) -> int:
    """The lines before a header; none where they are blank, which are passed over anyhow."""
    return before if any(line.strip() for line in lines[:before]) else 0


def cells_of(line: str, form: TableForm) -> list[str]:
    """The cells of a line that is a row by itself, none where it is not."""
    try:
        row: list[str] = next(form.reader([line]), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in row]


def _headed(
    form: TableForm, lines: Sequence[str], is_row: Callable[[Sequence[str]], bool] = has_datum
) -> TableForm:
    """The form with the place of the header: the first row that is as wide as most rows are.

    Without a header it is a row, by what tells rows.
    """
    rows = _numbered_rows(lines, form)
    widths = Counter(len(cells) for _, cells in rows)
    usual = widths.most_common(1)[0][0] if widths else 0
    shaped = [one for one in rows if len(one[1]) == usual]
    begin = _first_data(shaped) if usual > 1 and is_row is has_datum else None
    if begin and shaped[begin - 1][0] < MOST_BEFORE and not shaped[begin - 1][1][0].startswith("#"):
        return _named(form, lines, shaped[:begin], shaped[begin][0])
    is_first = begin == 0 and all(len(cells) != usual - 1 for _, cells in rows[:MOST_BEFORE])
    if is_first and not any(cells and cells[0].startswith("#") for _, cells in rows[:1]):
        return TableForm(form.encoding, form.delimiter, form.quote, 0, _numbered(lines, form))
    for before, cells in rows:
        if before >= MOST_BEFORE:
            break
        if cells and cells[0].startswith("#") and _is_comment(before, rows, usual):
            continue
        if len(cells) == usual - 1 and (trailing := _trailing(form, lines, before, cells, is_row)):
            return trailing
        if len(cells) != usual or usual < 2:
            continue
        if is_row(cells):
            return TableForm(form.encoding, form.delimiter, form.quote, 0, _numbered(lines, form))
        return TableForm(form.encoding, form.delimiter, form.quote, _counted(lines, before))
    return form


def _first_data(rows: Sequence[tuple[int, list[str]]]) -> int | None:
    """The place of the first row with data, by the types of whole columns; None if no column has data.

    A column has data if most of its cells are numbers or times. If one has times, its cells decide; otherwise
    those of all of them, of which no more may be words than data.
    """
    places = [
        [is_datum(cell) for cell in column] for column in zip(*(cells for _, cells in rows), strict=True)
    ]
    named = [one for one in places if len(one) > 0 and _MOSTLY * sum(one) >= _OF * (len(one) - _MOST_HEADS)]
    having = [one for one in named if any(one)]
    numbers = [place for place, one in enumerate(places) if one in having]
    times = [places[place] for place in numbers if _has_times(cells[place] for _, cells in rows)]
    if not having:
        return None
    for place in range(len(rows)):
        deciding = times or having
        data = sum(one[place] for one in deciding)
        if data and 2 * data >= len(deciding):
            return place
    return None


def is_datum(cell: str) -> bool:
    """Whether a cell is a number or a time, as `<0.5`, `15-Jan-26 06:00` or `06:00 PM` as well."""
    plain = cell.lstrip("<>\u2264\u2265~ ")
    if DATUM.fullmatch(plain):
        return True
    return any(map(str.isdecimal, plain[:20])) and DATUM.fullmatch(_WORDS_OF_TIMES.sub("", plain)) is not None


def _has_times(cells: Iterable[str]) -> bool:
    """Whether most of some cells are times."""
    found = [sum(map(cell.count, ":/-")) + (cell.count(".") > 1) > 1 for cell in cells if is_datum(cell)]
    return 2 * sum(found) > len(found)


def _is_units(cells: Sequence[str]) -> bool:
    """Whether a row under the names says in which units columns are, or of which types.

    Letters alone, such as `a`, may be data. A row with a number or a time is data.
    """
    known = [cell.lower() for cell in cells if cell]
    if known and all(map(_RULE.fullmatch, known)):
        return True
    if any(map(is_datum, known)):
        return False
    is_told = any(one in "%\u2030\u00b0" or (len(one) > 1 and _LETTERS.search(one)) for one in known)
    return is_told and all(
        one in _TYPES_AND_UNITS or not _LETTERS.search(one) or _IS_UNIT.fullmatch(one) for one in known
    )


def _merged(above: Sequence[str], names: Sequence[str]) -> tuple[str, ...] | None:
    """The names under cells that were merged over several columns, with what these say; None if none are.

    Merged cells are empty but for the first one.
    """
    if len({*names}) == len(names) or not any(above) or all(above):
        return None
    over, found = "", list[str]()
    for cell, name in zip(above, names, strict=True):
        over = cell or over
        found.append(f"{over} {name}".strip() if names.count(name) > 1 else name or cell)
    return tuple(found) if len({*found}) == len(found) else None


def _named(
    form: TableForm, lines: Sequence[str], heads: Sequence[tuple[int, list[str]]], begin: int
) -> TableForm:
    """The form with the names in one of the heads, behind which data begin after so many lines."""
    place, behind = len(heads) - 1, list[str]()
    while place and (names := _over_units(heads[place - 1][1], behind or heads[place][1])):
        place, behind = place - 1, names
    before, names = heads[place][0], behind or heads[place][1]
    merged = _merged(heads[place - 1][1], names) if place else None
    if merged is not None:
        return replace(form, before=begin, names=merged)
    if place < len(heads) - 1:
        return replace(form, before=begin, names=tuple(names))
    return _without_rule(form, lines, before, names) or replace(form, before=_counted(lines, before))


def _without_rule(
    form: TableForm, lines: Sequence[str], header: int, names: Sequence[str]
) -> TableForm | None:
    """The form of a table as databases draw it, with a line of dashes under the header; None for others.

    Other such lines, or the number of rows in brackets, stand behind the rows.
    """
    rule = lines[header + 1] if header + 1 < len(lines) else ""
    if not _RULE.fullmatch(rule.strip()):
        return None
    return replace(form, before=header + 2, names=tuple(names), comment="+" if rule[:1] == "+" else "(")


def _over_units(above: Sequence[str], cells: Sequence[str]) -> list[str]:
    """The names over a row of units, which has those that lack above; none if it is no such row."""
    under = [cell for cell, name in zip(cells, above, strict=True) if name]
    names = [name or cell for cell, name in zip(cells, above, strict=True)]
    is_ruled = all(_RULE.fullmatch(cell) for cell in cells if cell)
    return names if _is_units(under) and (all(names) or is_ruled) else []


def _is_comment(before: int, rows: Sequence[tuple[int, list[str]]], usual: int) -> bool:
    """Whether a line that begins with # and is as wide as rows are is not the header, but the next one."""
    behind = [cells for place, cells in rows if place > before]
    return bool(behind) and len(behind[0]) == usual and not has_datum(behind[0])


def _trailing(
    form: TableForm,
    lines: Sequence[str],
    before: int,
    cells: Sequence[str],
    is_row: Callable[[Sequence[str]], bool] = has_datum,
) -> TableForm | None:
    """The form of a table whose rows all have a cell more than the header.

    It is an empty one behind the others. If it is filled, the name of the times tells which one has no name.
    """
    behind = [row for place, row in _numbered_rows(lines, form) if place > before and row]
    if not behind or len(cells) < 2 or form.delimiter == BLANKS or not all(cells) or is_row(cells):
        return None
    if any(len(row) != len(cells) + 1 for row in behind):
        return None
    named = [(*cells, ""), ("", *cells)]
    if any(row[-1] for row in behind):
        named = [names for names in named if _is_time_named(names, behind)]
    if len(named) != 1 and any(row[-1] for row in behind):
        return None
    return replace(form, before=before + 1, names=named[0])


def _is_time_named(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a column with times has a name of times."""
    columns = zip(names, zip(*rows, strict=True), strict=True)
    return any(_TIME_NAME.search(name) is not None and _has_times(cells) for name, cells in columns)


def _numbered(lines: Sequence[str], form: TableForm) -> tuple[str, ...]:
    return numbered_columns(next((len(cells) for _, cells in _numbered_rows(lines, form) if cells), 1))


def _best(forms: Sequence[TableForm], lines: Sequence[str]) -> TableForm:
    """The likeliest form; blanks are delimiters only if no other sign is one."""
    ranked = sorted(forms, key=lambda form: _score(form, lines), reverse=True)
    usual = next((form for form in ranked if form.delimiter != BLANKS), ranked[0])
    are_names, share, _ = _score(ranked[0], lines)
    is_usual = _score(usual, lines)[0] or not are_names or share < _SHARE_OF_ROWS
    return usual if is_usual else ranked[0]


def _score(form: TableForm, lines: Sequence[str]) -> tuple[bool, float, int]:
    """How likely a form is: by the names of its columns, the rows that are as wide as the header, its width.

    A name with another delimiter in it is most likely several names: so `1.234,50` makes no table with commas
    of one with tabs.
    """
    rows = [cells for place, cells in _numbered_rows(lines, form) if place >= form.before]
    width = len(rows[0]) if rows else 0
    if width < 2:
        return False, 0.0, 0
    share = sum(len(cells) == width for cells in rows) / len(rows)
    others = {*_DELIMITERS} - {form.delimiter}
    are_names = not any(sign in cell for cell in rows[0] for sign in others)
    return are_names and share > _SHARE_OF_NAMES, share, width


def _numbered_rows(lines: Sequence[str], form: TableForm) -> list[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of lines before it; a broken one has no cells."""
    found = []
    place = 0
    while place < len(lines):
        length, cells = _row_at(lines, place, form)
        if any(line.strip() for line in lines[place : place + length]):
            found.append((place, cells))
        place += length
    return found


def _row_at(lines: Sequence[str], place: int, form: TableForm) -> tuple[int, list[str]]:
    """The number of lines of the row that begins with one, and its cells; one line and none if it is broken.

    A row of several lines has a quote that is closed.
    """
    if lines[place].count(form.quote) % 2 == 0:
        return 1, cells_of(lines[place], form)
    for end in range(place + 1, min(len(lines), place + _MOST_ROW_LINES)):
        if lines[end].count(form.quote) % 2:
            cells = cells_of("\n".join(lines[place : end + 1]), form)
            if cells:
                return end + 1 - place, cells
            break
    return 1, cells_of(lines[place], form)
