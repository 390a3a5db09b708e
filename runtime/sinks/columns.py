"""Answers as rows of tables: the columns of each predicate, its changes, and the intervals of its atoms.

Nothing here needs a package for tables: cells are integers and texts.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lars2asp.analysis.argument_columns import ArgumentColumn, argument_columns
from lars2asp.analysis.number_forms import NumberForm, number_text
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.order import in_order, signature_key
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.externals.terms.terms import GroundAtom, Row, Value
from lars2asp.externals.terms.text import argument_text, text_of
from lars2asp.planning.plan import Plan
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.errors import InputError
from lars2asp.syntax.nodes import Function, ShowTerm, Signature
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

TABLE_COLUMNS = ("time", "at", "change", "begin", "end", "begin_at", "end_at")
"""The columns of tables that are no arguments."""

DIGITS = 38
"""Those of a column of numbers with decimals: as many as Arrow's and Spark's have at most."""

BEGAN, ENDED = "began", "ended"
"""What the column `change` says."""

Cell = int | str


@dataclass(frozen=True)
class AnswerTable:
    """The table of a predicate of the output.

    Attributes:
        signature: the predicate.
        columns: those of its arguments; no two have the same name, and none that of another column.
        decimals: for each argument the form of its numbers.
    """

    signature: Signature
    columns: tuple[ArgumentColumn, ...]
    decimals: tuple[NumberForm, ...]

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    def cells(self, row: Row) -> list[Cell]:
        """The arguments of an atom: integers where the column has nothing else, texts elsewhere.

        Strings are without quotes, other terms as programs write them. Numbers with decimals, times and
        durations are texts.
        """
        return [*map(cell_of, row, self.decimals)]

    def check_integers(self, row: Row, cure: str) -> None:
        """Raises InputError for an atom without integer where rules make nothing else; the cure is said.

        The same for one that is too large for the column.
        """
        for column, value, decimals in zip(self.columns, row, self.decimals, strict=True):
            if not column.is_integer:
                continue
            if not isinstance(value, int):
                raise InputError(
                    f"{self.signature} has '{shown(text_of(value))}' in its column {column.name}, where its "
                    f"rules derive integers alone: {cure}"
                )
            if not fits(value, decimals):
                room = f"{DIGITS} digits" if isinstance(decimals, int) and decimals else "64 bits"
                raise InputError(
                    f"{self.signature} has {argument_text(value, decimals)} in its column {column.name}, "
                    f"which has {room}: {cure}"
                )


def cell_of(value: Value, decimals: NumberForm = 0) -> Cell:
    """A value as it stands in a table: an integer, a string without quotes, or another term as text.

    An integer at a place with a form is the text of what it stands for.
    """
    if decimals and isinstance(value, int):
        return number_text(value, decimals)
    return value if isinstance(value, int | str) else text_of(value)


def fits(value: int, decimals: NumberForm) -> bool:
    """Whether a typed column, of a place with a form, has room for an integer of the program."""
    has_point = isinstance(decimals, int) and decimals > 0
    return abs(value) < 10**DIGITS if has_point else -(2**63) <= value < 2**63


def answer_tables(plan: Plan) -> dict[Signature, AnswerTable]:
    """The tables of the predicates of the output, in clingo's order.

    A column has the name of the variable that all heads, or of the column that `#input`, have in its place,
    else a1, a2, ... Terms that are shown (`#show f(X) : p(X).`) have the same names.
    """
    program = plan.program
    terms = (
        Signature(show.term.name, len(show.term.arguments))
        for show in program.every(ShowTerm)
        if isinstance(show.term, Function) and show.term.name
    )
    hidden = frozenset[Signature]() if plan.explained is None else plan.explained.hidden
    signatures = sorted({*ProgramAnalysis(program).shown, *terms} - hidden, key=signature_key)
    return {
        one: AnswerTable(
            one,
            _renamed(argument_columns(program, one, plan.types)),
            plan.decimals.get(one, (0,) * one.arity),
        )
        for one in signatures
    }


def _renamed(columns: Iterable[ArgumentColumn]) -> tuple[ArgumentColumn, ...]:
    """Columns of different names, none of which is that of a column that is not an argument."""
    taken, found = set(TABLE_COLUMNS), []
    for place, column in enumerate(columns, start=1):
        name = f"a{place}" if column.name.casefold() in taken else column.name
        while name.casefold() in taken:
            name += "_"
        taken.add(name.casefold())
        found.append(column._replace(name=name))
    return tuple(found)


class Change(NamedTuple):
    """An atom of a predicate that began or ended to hold."""

    signature: Signature
    row: Row
    began: bool


def changes_of(answer: Answer, *, is_first: bool) -> Iterator[Change]:
    """What ended and what began since the answer before, by predicates in clingo's order; ends come first.

    Args:
        answer: the answer.
        is_first: whether none was written before: all that holds began.
    """
    began = answer.holds.rows if is_first else answer.began.rows
    ended = {} if is_first else answer.ended.rows
    for signature in sorted({*began, *ended}, key=signature_key):
        for row in in_order(ended.get(signature, ())):
            yield Change(signature, row, False)
        for row in in_order(began.get(signature, ())):
            yield Change(signature, row, True)


class HeldInterval(NamedTuple):
    """An interval over which an atom held.

    Attributes:
        signature: the predicate.
        row: the arguments.
        begin: the tick of the first answer with the atom.
        end: the tick of the first answer without it; None where it held to the last.
    """

    signature: Signature
    row: Row
    begin: int
    end: int | None


class OpenIntervals:
    """The atoms that hold, and since when: what intervals are made of, each given when it ends."""

    def __init__(self) -> None:
        self._begins: dict[GroundAtom, int] = {}

    def take(self, answer: Answer, *, is_first: bool) -> Iterator[HeldInterval]:
        """The intervals that end with an answer; see `changes_of`. To be taken to the end."""
        for signature, row, began in changes_of(answer, is_first=is_first):
            atom = GroundAtom(signature, row)
            if began:
                self._begins[atom] = answer.tick
            else:
                yield HeldInterval(signature, row, self._begins.pop(atom), answer.tick)

    def rest(self) -> Iterator[HeldInterval]:
        """Those that have not ended, in the order in which they began."""
        for (signature, row), begin in self._begins.items():
            yield HeldInterval(signature, row, begin, None)

    def state(self) -> dict[str, Any]:
        """The intervals that have not ended, as JSON has them."""
        terms, by_begin = TermTable(), dict[tuple[Signature, int], list[Row]]()
        for (signature, row), begin in self._begins.items():
            by_begin.setdefault((signature, begin), []).append(row)
        begun = [[[*signature], begin, terms.write(rows)] for (signature, begin), rows in by_begin.items()]
        return {"terms": terms.table, "begun": begun}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        read = TermReader(state["terms"]).read
        for signature, begin, rows in state["begun"]:
            for row in read(rows):
                self._begins[GroundAtom(Signature(*signature), row)] = begin
