"""Bodies that a template makes of what began and ended: one POST for each."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TextIO

from lars2asp.externals.terms.terms import GroundAtom, Row
from lars2asp.externals.terms.text import atom_text
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.connectors.posting import Body
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sinks.columns import BEGAN, ENDED, AnswerTable, changes_of
from lars2asp.runtime.sources.text.text_files import not_written
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

_PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")

CHANGE, WHY, AT = "change", "why", "at"

_OF_ALL = ("atom", "predicate", CHANGE, "time", AT, WHY)
"""What can be named of each atom, besides its arguments."""


def names_why(file: str) -> bool:
    """Whether the template of a file names why. Raises InputError where it cannot be read."""
    return WHY in _PLACE.findall(_text(file))


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"{file}: cannot read the body: {reason}") from error


@dataclass(frozen=True)
class BodyTemplate(Body):
    """The body of a POST with names in braces.

    `{atom}`, `{predicate}`, `{time}` (the tick), `{at}` (its time), `{why}`, `{change}` (began or ended), and
    the arguments by the names that columns of tables have. Where `{change}` is named there is a body for each
    atom that begins and for each that ends, else only for those that begin.

    Attributes:
        text: the template.
        is_json: whether it is JSON: what is put in is then escaped as in its strings.
        tables: the predicates of the output, with the names of their arguments.
        times: gives the time of a tick as text; None where ticks have no length.
    """

    tables: Mapping[Signature, AnswerTable]
    times: Callable[[int], str | None] | None

    @classmethod
    def of(
        cls, file: str, tables: Sequence[AnswerTable], times: Callable[[int], str | None] | None
    ) -> "BodyTemplate":
        """That of a file, which is JSON where its name ends with `.json`.

        Raises InputError where it cannot be read, names what there is not, or is no JSON when it is filled.
        """
        found = cls(
            _text(file), file.lower().endswith(".json"), {one.signature: one for one in tables}, times
        )
        found._check(file)
        return found

    @cached_property
    def names(self) -> frozenset[str]:
        """What it names."""
        return frozenset(_PLACE.findall(self.text))

    def body(self, atom: GroundAtom, tick: int, *, began: bool, why: Callable[[], str]) -> str:
        """The body for an atom that began or ended at a tick."""
        signature, row = atom
        values = {
            "atom": lambda: atom_text(signature, row, {signature: self.tables[signature].decimals}),
            "predicate": lambda: signature.name,
            CHANGE: lambda: BEGAN if began else ENDED,
            "time": lambda: str(tick),
            AT: lambda: "" if self.times is None else self.times(tick) or "",
            WHY: why,
        }
        return self._filled(
            {name: values[name]() for name in self.names if name in values} | self._arguments(signature, row)
        )

    def _arguments(self, signature: Signature, row: Row) -> dict[str, str]:
        table = self.tables[signature]
        return {
            name: str(cell)
            for name, cell in zip(table.names, table.cells(row), strict=True)
            if name in self.names
        }

    def _filled(self, values: Mapping[str, str]) -> str:
        """The text with values in it; an argument goes before what all atoms have."""
        quoted = {name: json.dumps(value)[1:-1] if self.is_json else value for name, value in values.items()}
        return _PLACE.sub(lambda found: quoted[found[1]], self.text)

    def _check(self, file: str) -> None:
        """Raises InputError for names that there are not, and JSON that is none."""
        if AT in self.names and self.times is None:
            raise InputError(
                f"{file}: {{at}} needs a tick length: add for example #tick 1 sec. to the program"
            )
        for signature, table in self.tables.items():
            unknown = sorted(self.names - {*_OF_ALL, *table.names})
            if unknown:
                known = ", ".join(f"{{{name}}}" for name in (*_OF_ALL, *table.names))
                raise InputError(
                    f"{file}: {shown(str(signature))} has no {{{shown(unknown[0])}}}: use "
                    f"{shown(known)}. If the output contains several predicates, choose one with "
                    "--show or #show"
                )
            if self.is_json:
                numbers = {one.name for one in table.columns if one.is_integer} | {"time"}
                samples = {name: "0" if name in numbers else "x" for name in self.names}
                try:
                    json.loads(self._filled(samples))
                except ValueError as error:
                    raise InputError(
                        f"{file}: the filled body is not JSON: {error}; put names of texts between "
                        'quotes, as in "{atom}"'
                    ) from error


class PostBodies:
    """Writes a body for each atom that begins, and for each that ends where the template says which.

    A line has a body, as a string of JSON.

    Args:
        output: takes lines.
        template: makes the bodies.
        why: says why an atom holds at a tick, or not.
    """

    def __init__(self, output: TextIO, template: BodyTemplate, why: Callable[[GroundAtom, int], str]) -> None:
        self._output = output
        self._template = template
        self._why = why
        self.is_first = True

    def write(self, answer: Answer) -> None:
        """Writes the bodies of an answer."""
        template, tick = self._template, answer.tick
        is_first, self.is_first = self.is_first, False
        try:
            for signature, row, began in changes_of(answer, is_first=is_first):
                if signature not in template.tables or not (began or CHANGE in template.names):
                    continue
                atom = GroundAtom(signature, row)
                body = template.body(atom, tick, began=began, why=partial(self._why, atom, tick))
                self._output.write(f"{json.dumps(body)}\n")
            self._output.flush()
        except OSError as error:
            raise not_written(self._output, error) from error

    def write_all(self, answers: Iterable[Answer]) -> None:
        """Writes the bodies of several answers."""
        for answer in answers:
            self.write(answer)

    def close(self) -> None:
        """Each line is whole: nothing is left to write."""

    def state(self) -> None:
        """There is nothing else to know."""

    def restore(self, state: None) -> None:
        """There is nothing else to know."""
