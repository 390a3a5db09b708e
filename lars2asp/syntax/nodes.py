"""The abstract syntax of LARS programs: typed, frozen nodes, each with its place in the text.

Nodes compare by their content, not by their place. `node.py` defines their common base, `terms.py` the terms;
import both from here.
"""

import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import date
from enum import IntEnum
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeVar, Union

from lars2asp.syntax.argument_type import ArgumentType, Required
from lars2asp.syntax.column_places import ColumnPlace
from lars2asp.syntax.node import *
from lars2asp.syntax.option_values import OptionValue
from lars2asp.syntax.source import Source
from lars2asp.syntax.terms import *
from lars2asp.syntax.values import dataclass

MOST_NESTED = 150
"""The maximum nesting of statements and facts: passes, printer and clingo are recursive."""


# --- windows --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clock:
    """The clock that decides when days begin.

    Attributes:
        tick_length: Microseconds of a tick.
        begin: When tick 0 begins, in microseconds since the Unix epoch.
        zone: The name of the zone.
        counts_days: Whether ticks are days by the clock, of any length.
    """

    tick_length: int
    begin: int
    zone: str
    counts_days: bool = False


@node
class Duration(Node):
    """A stretch of time, in ticks or, with a unit, of wall-clock time; with a clock, of its days.

    `taken` is the unit that this bound of a window takes from the other bound: `2` in `[2..3 min]`.
    """

    size: Term
    unit: str = ""
    clock: Clock | None = field(default=None, repr=False)
    taken: str = field(default="", compare=False, repr=False)


@node
class SlidingWindow(Node):
    """`[n]`: from n ticks ago to now, n+1 ticks."""

    duration: Duration


@node
class OffsetRange(Node):
    """`1..3` among offsets: all from the first to the last."""

    nearest: Term
    furthest: Term


@node
class OffsetWindow(Node):
    """`{d1, ..., dm}`: the ticks d1, ..., dm ticks ago."""

    offsets: tuple[Term | OffsetRange, ...]


@node
class LaggedWindow(Node):
    """`[m..n]`: from n ticks ago to m ticks ago, n-m+1 ticks."""

    nearest: Duration
    furthest: Duration


@node
class HoppingWindow(Node):
    """`[m..n step d from k]`: the window `[m..n]` of the last tick that lies a multiple of d from tick k.

    m and k are 0 by default. A step with a clock is of days, weeks, months or years of its zone.
    """

    duration: Duration
    step: Duration
    nearest: Duration | None = None
    base: Duration | None = None


@node
class TumblingWindow(Node):
    """`[every d from k]`: the last complete block of d ticks, blocks counted from tick k, or 0.

    A block with a clock is a day, week, month or year of its zone.
    """

    duration: Duration
    base: Duration | None = None


@node
class TupleWindow(Node):
    """`[n #]`: the last n arrivals, of the whole input, of a predicate `[n # p/k]`, or for each value of
    the group variables apart `[n # by X]`."""

    size: Term
    signature: "Signature | None" = None
    group: tuple[Variable, ...] = ()


DurationWindow = SlidingWindow | LaggedWindow | HoppingWindow | TumblingWindow
"""Windows whose sizes are durations."""


def block_of(window: Node) -> Duration | None:
    """How far a window leaps: its step or its block; None for sliding windows, and for other nodes."""
    match window:
        case HoppingWindow():
            return window.step
        case TumblingWindow():
            return window.duration
    return None


# --- atoms and literals ---------------------------------------------------------------------------


class Signature(NamedTuple):
    """A predicate; `str` is `name/arity`.

    Attributes:
        name: The name.
        arity: The number of arguments.
        is_positive: False for classical negation, `-name`.
    """

    name: str
    arity: int
    is_positive: bool = True

    def __str__(self) -> str:
        return f"{'' if self.is_positive else '-'}{self.name}/{self.arity}"


@node
class Atom(Node):
    """`p(t1,...,tn)`, or `-p(...)` when not positive (classical negation)."""

    name: str
    arguments: tuple[Term, ...] = ()
    is_positive: bool = True

    @property
    def signature(self) -> Signature:
        """The atom's predicate."""
        return Signature(self.name, len(self.arguments), self.is_positive)


@node
class SinceWindow(Node):
    """`[since b]`: from the last tick when b began to hold, or arrived, to now; `[after b]` without that.

    The variables of b are arguments of the atom before the window.
    """

    atom: Atom
    is_after: bool = False


Window = DurationWindow | OffsetWindow | TupleWindow | SinceWindow


@node
class FormulaAtom(Atom):
    """An atom in place of a formula in brackets, as in `(a, not b) always in W`.

    Its arguments are variables with these names, or their replacements; its text is the formula as written.
    """

    names: tuple[str, ...] = field(default=(), compare=False, kw_only=True)
    text: str = field(default="", compare=False, kw_only=True)


@node
class Boolean(Node):
    """`#true` or `#false`."""

    value: bool


MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The sign of a comparison that is written the other way round."""


@node
class Guard(Node):
    """A comparison sign and the term on its other side."""

    comparison: str
    term: Term


@node
class Comparison(Node):
    """`t1 < t2 <= t3 ...`: a term and one guard for each sign."""

    term: Term
    guards: tuple[Guard, ...]


@node
class Diamond(Node):
    """`a in W`: a holds at some tick of the window."""

    atom: Atom
    window: Window


@node
class Box(Node):
    """`a always in W`: a holds at every tick of the window."""

    atom: Atom
    window: Window


@node
class AtTick(Node):
    """`a at T in W`, or `a at T` over the whole timeline up to now."""

    atom: Atom
    tick: Term
    window: Window | None = None


@node
class AtLeast(Node):
    """`a at least K in W`: a holds at K or more ticks of the window."""

    atom: Atom
    number: Term
    window: Window


@node
class AtMost(Node):
    """`a at most K in W`: K is no less than 0, and a holds at no more than K ticks of the window."""

    atom: Atom
    number: Term
    window: Window


@node
class Count(Node):
    """`a count N in W`: a holds at exactly N ticks of the window, N no less than 1."""

    atom: Atom
    number: Term
    window: Window


StreamingAtom = Diamond | Box | AtTick | AtLeast | AtMost | Count


def atoms_of(atom: Atom | StreamingAtom) -> tuple[Atom, ...]:
    """The atom of a streaming atom, and the atom of `[since b]`; a plain atom is its own."""
    if isinstance(atom, Atom):
        return (atom,)
    return (atom.atom, atom.window.atom) if isinstance(atom.window, SinceWindow) else (atom.atom,)


@node
class AggregateElement(Node):
    """`t1,...,tn : l1,...,lm` in an aggregate."""

    terms: tuple[Term, ...]
    condition: tuple["Literal", ...] = ()


@node
class Aggregate(Node):
    """`t < #sum { ... } < t`; the sign of a left guard reads from term to aggregate."""

    function: str
    elements: tuple[AggregateElement, ...]
    left: Guard | None = None
    right: Guard | None = None


class Sign(IntEnum):
    """The number of `not` in front: none, one, two."""

    POSITIVE = 0
    NOT = 1
    NOT_NOT = 2


LiteralAtom = Union[Atom, Boolean, Comparison, StreamingAtom, Aggregate, "SetAggregate"]


@node
class Literal(Node):
    """An atom of any kind in a rule body, with its sign."""

    atom: LiteralAtom
    sign: Sign = Sign.POSITIVE


@node
class ConditionalLiteral(Node):
    """`l : l1,...,lm`: the instances of l whose condition is true.

    All of them in a body, some of them in a disjunction, any of them in a choice. The atom of l may be a
    pool: in a body, each instance is one alternative; in a disjunction, it is all alternatives.
    """

    literal: Literal
    condition: tuple[Literal, ...] = ()

    @property
    def alternatives(self) -> tuple[Literal, ...]:
        """The meaning of the literal: itself, or the alternatives of its pool."""
        return alternatives_of(self.literal)


def alternatives_of(literal: Literal) -> tuple[Literal, ...]:
    """The literals that a literal before a colon means: itself, or the alternatives of its pool."""
    atom: Any = literal.atom
    if not isinstance(atom, Pool):
        return (literal,)
    pool: Any = atom.alternatives
    return tuple(Literal(one, literal.sign, location=literal.location) for one in pool)


def pooled(alternatives: Sequence[Literal]) -> Literal:
    """The literal that means one or more alternatives with the same sign."""
    first, atoms = alternatives[0], dict.fromkeys(literal.atom for literal in alternatives)
    atom: Any = Pool(tuple(atoms), location=first.location) if len(atoms) > 1 else first.atom
    return Literal(atom, first.sign, location=first.location)


@node
class SetAggregate(Node):
    """`t { l1 : c1; l2 : c2 } t`: how many of the literals are true; in a head, a choice among them."""

    elements: tuple[ConditionalLiteral, ...]
    left: Guard | None = None
    right: Guard | None = None


@node
class HeadAggregateElement(Node):
    """`t1,...,tn : l : l1,...,lm` in an aggregate in a head."""

    terms: tuple[Term, ...]
    literal: Literal
    condition: tuple[Literal, ...] = ()


@node
class HeadAggregate(Node):
    """`t < #sum { t1 : l1 : c1; ... } < t` in a head: a choice among the literals, restricted so."""

    function: str
    elements: tuple[HeadAggregateElement, ...]
    left: Guard | None = None
    right: Guard | None = None


@node
class Disjunction(Node):
    """`l1 : c1; ...; ln : cn` in a head."""

    elements: tuple[ConditionalLiteral, ...]


class Semantics(OptionValue):
    """How a window over a derived predicate is read.

    RECORDED: what rules derived at earlier ticks is in the stream (Eiter, Ogris, Schekotihin 2019;
    Calimeri et al. 2021). STRICT: only the data stream is (Beck, Dao-Tran, Eiter 2018).
    """

    RECORDED = "recorded"
    STRICT = "strict"


# --- statements -----------------------------------------------------------------------------------

Head = Atom | AtTick | Boolean | Comparison | Disjunction | SetAggregate | HeadAggregate
Body = tuple[Literal | ConditionalLiteral, ...]


@node
class Rule(Node):
    """A rule, a fact (no body) or a constraint (no head).

    Only windows of the same tick see the atoms of a temporary rule (`#temp`). A rule may define a formula in
    brackets: its head is a predicate of the compiler.
    """

    head: Head | None
    body: Body = ()
    is_temporary: bool = False
    is_of_formula: bool = field(default=False, repr=False, kw_only=True)
    _is_plain: bool | None = field(default=None, init=False, compare=False, repr=False)
    """Whether it is a plain fact, as soon as that was asked for: of many facts all passes ask it."""


@node
class WeakConstraint(Node):
    """`:~ body. [weight@priority, terms]`; the elements of `#minimize` and `#maximize` are such, too."""

    body: Body
    weight: Term
    priority: Term = Number(0)
    terms: tuple[Term, ...] = ()


@node
class Declaration(Node):
    """A directive that says something of the whole program and derives nothing.

    All components and parts of a program share its declarations, which are not translated into rules.
    """


@node
class Constant(Declaration):
    """`#const name = value.`; `[override]` goes before values from outside."""

    name: str
    value: Term
    is_override: bool = False


@node
class Show(Declaration):
    """`#show p/n.`, or `#show.` when there is no signature."""

    signature: Signature | None = None


@node
class ShowTerm(Node):
    """`#show term : body.`"""

    term: Term
    body: Body = ()


@node
class Defined(Declaration):
    """`#defined p/n.`: the predicate may be without rules."""

    signature: Signature


@node
class External(Node):
    """`#external a : body. [value]`: not decided by rules; true, false (by default) or free."""

    atom: Atom
    body: Body = ()
    value: Term = Function("false")


@node
class ProjectSignature(Node):
    """`#project p/n.`"""

    signature: Signature


@node
class ProjectAtom(Node):
    """`#project a : body.`"""

    atom: Atom
    body: Body = ()


@node
class Heuristic(Node):
    """`#heuristic a : body. [weight@priority, modifier]`: the first choices of the solver."""

    atom: Atom
    body: Body
    weight: Term
    priority: Term
    modifier: Term


@node
class Edge(Node):
    """`#edge (u, v) : body.`: the edges that are true form no cycle."""

    source: Term
    target: Term
    body: Body = ()


@node
class Script(Declaration):
    """`#script (python) ... #end.`: the code between, with the user's @-functions."""

    code: str


@node
class Tick(Declaration):
    """`#tick 5 min.`: the length of a tick."""

    duration: Duration


@node
class TimeZone(Declaration):
    """`#timezone "Europe/Vienna".`: the zone of timestamps that name no offset."""

    name: String


@node
class Origin(Declaration):
    """`#origin "2026-01-01T00:00:00Z".`: the moment when tick 0 begins.

    An origin from the input keeps blocks and steps at their places as counted from 1970.
    """

    moment: String
    is_found: bool = field(default=False, repr=False)


@node
class Lateness(Declaration):
    """`#lateness 5 min.`: for how long records that come late are waited for."""

    duration: Duration


@node
class LargestGap(Declaration):
    """`#largest_gap 1 hour.`: how far a record may lie after the latest one before others must confirm it."""

    duration: Duration


class NumberMarks(NamedTuple):
    """The marks around numbers, as in `number(x, unit "kB", plus "CR", minus "DR")`; empty without marks.

    Attributes:
        unit: The unit before or after a number.
        plus: The mark after number and unit of positive numbers.
        minus: The mark of negative numbers.
    """

    unit: str = ""
    plus: str = ""
    minus: str = ""


class FirstUnit:
    """The unit of the first number with a unit in an input, which the other numbers must repeat.

    Args:
        text: That unit; empty before it.
        is_open: Whether a number may still be the first; otherwise undeclared units are wrong.
    """

    __slots__ = ("is_open", "text")

    def __init__(self, text: str = "", *, is_open: bool = True) -> None:
        self.text = text
        self.is_open = is_open


COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The comparisons that the signs of conditions mean."""

RECORD_COLUMNS = ("row", "file", "record")
"""`row()`, `file()` and `record()` of input declarations."""


@node
class Column(Node):
    """One argument of an input declaration.

    `scale` multiplies a decimal number, and the product is rounded to an integer; `conversion` is `""` (an
    integer if the text is one, otherwise a string), `"text"`, `"int"`, `"constant"`, `"number"`, `"any"`,
    `"time"` or `"duration"`. `signs` are those in a number: before its decimals, and between its thousands;
    `marks` surround it; if they lack a unit, the `first_unit` of the input counts. `is_rounded` says that it
    is rounded to the decimals of its place. A time keeps the columns `joined` to it and its `time_format`, as
    the time of an `Input`. For a duration, `time_format` may be the unit of plain numbers. `or_missing` says
    that a cell that cannot be converted counts as a missing one. `otherwise` is the text that is read in
    place of a missing cell; None: there is none. `row()`, `file()` and `record()` are the line of the record,
    the name of its source and its number in the run. These words are their name and conversion. `column(3)`,
    by its place in a table, is a `ColumnPlace`. `fixed(5)` has that word as conversion, its constant as name.
    `required` is the type of the values that the whole program needs.
    """

    name: str
    scale: int | None = None
    conversion: str = ""
    signs: tuple[str, ...] = field(default=(), repr=False)
    or_missing: bool = field(default=False, repr=False)
    joined: tuple[str, ...] = field(default=(), repr=False)
    time_format: str = field(default="", repr=False)
    required: Required | None = field(default=None, compare=False, repr=False)
    otherwise: str | None = field(default=None, repr=False)
    marks: NumberMarks = field(default=NumberMarks(), repr=False)
    is_rounded: bool = field(default=False, repr=False)
    first_unit: FirstUnit | None = field(default=None, compare=False, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that it names."""
        return (self.name, *self.joined)

    @property
    def is_fixed(self) -> bool:
        """Whether it is a constant."""
        return self.conversion == "fixed"

    @property
    def is_cell(self) -> bool:
        """Whether it is read from cells of the record."""
        return not (self.is_fixed or self.is_of_record)

    @property
    def is_of_record(self) -> bool:
        """Whether it says something of the record, and is none of its cells."""
        return self.conversion in RECORD_COLUMNS


@node
class Condition(Node):
    """`column = "text"`, `column > 5` after `where`: the records that an input declaration accepts.

    `comparison` is the sign, `value` the text, or the number as it is written.
    """

    column: Column
    comparison: str
    value: str
    is_number: bool = False


class InputTime(NamedTuple):
    """`column + column "format"`: the columns of a time, and how it is written.

    Attributes:
        columns: Those columns.
        form: Its format; empty for an integer or a timestamp of ISO 8601.
    """

    columns: tuple[str, ...]
    form: str = ""


class Spread(NamedTuple):
    """`each K, V of S`: a fact for each column, or for each key of an object.

    Attributes:
        key: The variable for the name of the column, or the key.
        value: The variable for its cell; `value.f` is a field of it.
        source: The field with the object, or a pattern of columns, with `*` for any characters.
        is_of_columns: Whether it is a pattern.
    """

    key: str
    value: str
    source: str
    is_of_columns: bool = False

    def names(self, name: str) -> bool:
        """Whether it gives a name its meaning, so that this is no column."""
        return name == self.key or self.reads_value(name)

    def reads_value(self, name: str) -> bool:
        """Whether a name is the cell, or a field of it."""
        is_place = isinstance(name, ColumnPlace)
        return not is_place and (name == self.value or name.startswith(f"{self.value}."))

    def chosen(self, names: Iterable[object], named: Collection[object] = ()) -> list[int]:
        """The places of the columns that a fact is given for: they have names that match.

        Args:
            names: The names of all columns.
            named: The columns that the declaration names elsewhere.
        """
        pattern = ".*".join(map(re.escape, self.source.split("*")))
        matches = re.compile(pattern, re.DOTALL).fullmatch
        return [
            place
            for place, name in enumerate(names)
            if isinstance(name, str) and name and name not in named and matches(name)
        ]


@node
class Input(Declaration):
    """`#input p(column, column*10) at column + column "%d.%m.%Y %H:%M".`: how rows of tables become atoms.

    The cells of `time` and of the columns `joined` to it, with blanks between, are the time. Without
    `time_format` it is an integer or a timestamp of ISO 8601. For JSON records, `each` lists the names,
    sorted, whose lists give a fact for each element. `records` is the field with a list of records. With a
    `pattern` the columns are its places in lines of text. The time is a place, too, or its format finds it in
    the line. With an `rdf_property`, an IRI such as `<http://...>`, they are the subject, the object and the
    graph of its triples. A time that is an IRI is a property, too. `other_times` count in their order if a
    column of the earlier times is missing. With a `spread` each column or key that it chooses gives a fact.
    Records that do not meet all `conditions` are left out. With `time_texts`, parts of the time are texts,
    such as names of folders; None stands for the next of its columns.
    """

    predicate: str
    columns: tuple[Column, ...]
    time: str = "time"
    joined: tuple[str, ...] = field(default=(), repr=False)
    time_format: str = field(default="", repr=False)
    each: tuple[str, ...] = field(default=(), repr=False)
    records: str = field(default="", repr=False)
    pattern: str = field(default="", repr=False)
    rdf_property: str = field(default="", repr=False)
    other_times: tuple[InputTime, ...] = field(default=(), repr=False)
    spread: Spread | None = field(default=None, repr=False)
    conditions: tuple[Condition, ...] = field(default=(), repr=False)
    time_texts: tuple[str | None, ...] = field(default=(), repr=False)

    @property
    def has_lists(self) -> bool:
        """Whether it reads lists in JSON records."""
        return bool(self.each or self.records)

    @property
    def times(self) -> tuple[str, ...]:
        """The columns of the time; the first time if there are several."""
        return (self.time, *self.joined)

    @property
    def all_times(self) -> tuple[str, ...]:
        """The columns of all its times, each once."""
        others = chain.from_iterable(one.columns for one in self.other_times)
        return self._own(dict.fromkeys((*self.times, *others)))

    def _own(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of some names that are columns, or fields of the record."""
        spread = self.spread
        return tuple(names if spread is None else (name for name in names if not spread.names(name)))

    @property
    def by_time(self) -> "tuple[Input, ...]":
        """For each of its times, in their order, the declaration with this time alone."""
        if not self.other_times:
            return (self,)
        first = replace(self, other_times=())
        others = (
            replace(first, time=columns[0], joined=columns[1:], time_format=form)
            for columns, form in self.other_times
        )
        return (first, *others)

    @property
    def time_formats(self) -> tuple[str, ...]:
        """The formats of its times, as far as given."""
        forms = (self.time_format, *(one.form for one in self.other_times))
        return tuple(filter(None, forms))

    @property
    def cells(self) -> tuple[Column, ...]:
        """The columns of the table: all except constants, `row()`, `file()` and `record()`."""
        return tuple(column for column in self.columns if column.is_cell)

    @property
    def cell_names(self) -> tuple[str, ...]:
        """The columns of the table that its arguments name."""
        return self._own(chain.from_iterable(column.names for column in self.cells))

    @property
    def all_columns(self) -> tuple[Column, ...]:
        """Its arguments, and the columns of its conditions."""
        return (*self.columns, *(one.column for one in self.conditions))

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns of the table that its arguments and conditions name, and the object of `each K, V`."""
        names = self._own(chain.from_iterable(one.names for one in self.all_columns if one.is_cell))
        spread = self.spread
        return names if spread is None or spread.is_of_columns else (*names, spread.source)

    @property
    def asks_filled(self) -> bool:
        """Whether each missing cell has a default value, so that other cells must decide if a row counts."""
        keys = () if self.spread is None else (self.spread.key,)
        cells = [column for column in self.cells if column.names != keys]
        return bool(cells) and all(column.otherwise is not None for column in cells)

    @property
    def elements(self) -> tuple[object, ...]:
        """A value that declarations with facts for the same elements of a record share; empty if there is no
        such group."""
        spread = self.spread
        if spread is None:
            return self.each
        named = {*self.column_names, *self.all_times} if spread.is_of_columns else ()
        return (spread.is_of_columns, spread.source, frozenset(named))

    @property
    def spreads_values(self) -> bool:
        """Whether an argument or a condition reads the cell of `each K, V`; otherwise it must exist."""
        names = chain.from_iterable(one.names for one in self.all_columns if one.is_cell)
        return self.spread is not None and any(map(self.spread.reads_value, names))

    @property
    def places(self) -> tuple[ColumnPlace, ...]:
        """The columns that it names by their places in a table."""
        return tuple(one for one in (*self.column_names, *self.all_times) if isinstance(one, ColumnPlace))

    @property
    def is_numbered(self) -> bool:
        """Whether it says something of the record itself."""
        return any(column.is_of_record for column in self.columns)


@node
class Decimals(Declaration):
    """`#decimals p(_,1).`: the number of decimals that the integers in each place of a predicate have.

    None by default. It speaks of `-p` as well.
    """

    predicate: str
    places: tuple[int | None, ...]


@node
class Types(Declaration):
    """`#types p(text,decimal(1)).`: the types of the arguments of a predicate.

    None by default. It speaks of `-p` as well.
    """

    predicate: str
    places: tuple[ArgumentType | None, ...]


@node
class SemanticsChoice(Declaration):
    """`#semantics strict.`: how windows over derived atoms are read."""

    semantics: Semantics


@node
class CompleteWindows(Declaration):
    """`#complete_windows.`: `always`, `not` and `at most` need windows that lie wholly on the timeline."""


@node
class Held(Declaration):
    """`#held p(X,_) by X for 10 min.`: each fact of the input holds until the next fact with the same X.

    The arguments are variables, some of them `_`. Without `group` all facts of the predicate share a key.
    Without `duration` they hold until the next fact.
    """

    predicate: Signature
    arguments: tuple[Term, ...]
    group: tuple[Variable, ...] = ()
    duration: Duration | None = None


@node
class Table(Declaration):
    """`#table p(column, ...) from "path".`: a fact for each row of a file.

    Programs contain it if their runs read the file again; other programs contain the facts.

    Attributes:
        predicate: The name of its predicate.
        columns: The columns of the file that are its arguments.
        path: The path of the file, as written.
        sheet: The sheet of a workbook.
        file: The path of the file that was found.
        spread: The columns that each give a fact, if any.
        conditions: Rows must meet all of them.
    """

    predicate: str
    columns: tuple[Column, ...]
    path: str
    sheet: str | None = None
    file: str = field(default="", compare=False, repr=False)
    spread: Spread | None = field(default=None, repr=False)
    conditions: tuple[Condition, ...] = field(default=(), repr=False)

    @property
    def read_columns(self) -> tuple[Column, ...]:
        """Its arguments, and the columns of its conditions, that are cells."""
        read = (*self.columns, *(one.column for one in self.conditions))
        return tuple(one for one in read if one.is_cell)

    @property
    def column_names(self) -> frozenset[str]:
        """The columns of the file that its arguments and conditions name."""
        names = (one.name for one in self.read_columns)
        return frozenset(name for name in names if self.spread is None or not self.spread.names(name))

    @property
    def signature(self) -> Signature:
        """Its predicate."""
        return Signature(self.predicate, len(self.columns))


@node
class Calendar(Declaration):
    """`#calendar hour(H), holiday(N) from "holidays.csv".`: an atom of the calendar, of two that it names.

    Attributes:
        predicate: Its predicate.
        arguments: Variables, some of them `_`.
        file: The file of holidays, as it is written; None without one.
        holidays: Their dates and names, in order; None if the file could not be read.
    """

    predicate: Signature
    arguments: tuple[Term, ...]
    file: str | None = None
    holidays: tuple[tuple[date, str], ...] | None = ()


Statement = (
    Declaration
    | Rule
    | WeakConstraint
    | ShowTerm
    | External
    | ProjectSignature
    | ProjectAtom
    | Heuristic
    | Edge
)
StatementT = TypeVar("StatementT", bound=Statement)


@dataclass(frozen=True)
class Program:
    """The statements of one or more sources, in order."""

    statements: tuple[Statement, ...]
    sources: tuple[Source, ...] = field(default=(), compare=False)

    def every(self, kind: type[StatementT]) -> Iterator[StatementT]:
        """The statements of a kind."""
        return (statement for statement in self.statements if isinstance(statement, kind))

    def rules(self) -> Iterator[Rule]:
        """The rules, facts and constraints."""
        return self.every(Rule)

    def rewritten(self, change: Callable[[Statement], Iterable[Statement]]) -> "Program":
        """The program with other statements in place of each but plain facts."""
        new = ([one] if is_plain_fact(one) else change(one) for one in self.statements)
        return Program(tuple(chain.from_iterable(new)), self.sources)

    @cached_property
    def but_plain_facts(self) -> tuple[Statement, ...]:
        """The statements except plain facts, which may be many and contain nothing to find."""
        return tuple(statement for statement in self.statements if not is_plain_fact(statement))


def is_of_formula(statement: Node) -> bool:
    """Whether a statement is the rule of a formula in brackets of another statement."""
    return isinstance(statement, Rule) and statement.is_of_formula


def is_plain_fact(statement: Node) -> bool:
    """Whether a statement is an atom over plain constants, numbers, strings, and functions of these."""
    if type(statement) is not Rule:
        return False
    known = statement._is_plain
    if known is None:
        known = (
            not statement.body
            and not statement.is_temporary
            and isinstance(statement.head, Atom)
            and all(map(_is_plain_term, statement.head.arguments))
        )
        object.__setattr__(statement, "_is_plain", known)
    return known


def _is_plain_term(term: Node) -> bool:
    if isinstance(term, Function):
        return not term.is_external and all(map(_is_plain_term, term.arguments))
    return isinstance(term, Number | String)
