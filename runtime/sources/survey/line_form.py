"""What is known of a form of lines: the declarations that read it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lars2asp.analysis.line_patterns import LinePattern
from lars2asp.syntax.string_escapes import quoted


@dataclass(frozen=True)
class LineKind:
    """A declaration for lines of one kind.

    Attributes:
        predicate: the name of its facts.
        columns: the arguments, as `#input` has them; plain ones are texts unless the pattern says otherwise.
        pattern: which lines it fits; empty for rows of a table without a header.
        at: the time, as behind `at`; empty for the first timestamp of ISO 8601 in a line.
        decimals: for each argument its decimals, as `#decimals` has them; empty for no such declaration.
    """

    predicate: str
    columns: str
    pattern: str
    at: str = ""
    decimals: str = ""

    def lines(self, predicate: str, *, is_numbered: bool = False) -> list[str]:
        """Its declarations for a name of its facts; with the number of the record as the last argument."""
        kinds = LinePattern(self.pattern).kinds if self.pattern else {}
        told = f" from {quoted(self.pattern)}" if self.pattern else ""
        columns = [_typed(one, kinds) for one in self.columns.split(", ")] + ["record()"] * is_numbered
        at = f" at {self.at}" if self.at else ""
        found = [f"#input {predicate}({', '.join(columns)}){told}{at}."]
        if self.decimals:
            found.append(f"#decimals {predicate}({self.decimals}{', _' if is_numbered else ''}).")
        return found


@dataclass(frozen=True)
class LineForm:
    """A form of lines of text.

    Attributes:
        name: what it is called.
        kinds: nine of ten lines fit one of them.
        details: declarations for some of the lines beside these; a third of the lines fit one of them.
        like: a regular expression that nine of ten lines match, if the patterns alone fit other forms too.
        begun: a regular expression that the first line of a record matches; the others are lines that
            continue a record.
        said: remarks, such as the fields that are left out.
    """

    name: str
    kinds: tuple[LineKind, ...]
    details: tuple[LineKind, ...] = ()
    like: str = ""
    begun: str = ""
    said: tuple[str, ...] = ()

    @cached_property
    def all(self) -> tuple[LineKind, ...]:
        """All its declarations."""
        return (*self.details, *self.kinds)

    def lines(self, predicate: str = "", *, is_numbered: bool = False) -> list[str]:
        """Its declarations, with facts whose names begin with another one if it is given."""
        names = {one.predicate for one in self.all}

        def name(one: LineKind) -> str:
            if not predicate:
                return one.predicate
            return predicate if len(names) == 1 else f"{predicate}_{one.predicate}"

        return [line for one in self.all for line in one.lines(name(one), is_numbered=is_numbered)]

    def is_like(self, line: str) -> bool:
        """Whether a line looks as those of the form do."""
        return not self.like or re.search(self.like, line) is not None

    def begins(self, line: str) -> bool:
        """Whether a record begins with a line."""
        return not self.begun or re.match(self.begun, line) is not None


def _typed(column: str, kinds: Mapping[str, str]) -> str:
    """An argument; texts are texts, also if they look like numbers."""
    name, space, more = column.partition(" ")
    is_plain = "(" not in name and kinds.get(name.strip('"')) not in ("int", "number", "ip")
    return f"text({name}){space}{more}" if is_plain else column


FoundForms = Callable[[Sequence[str]], Iterable[LineForm]]
"""The forms of a kind of logs that the first lines of a file may have, best first."""
