"""The abstract syntax of LARS programs: typed, frozen nodes, each with its place in the text.

Nodes compare by what they say, not by where they stand. A number is never negative (`-1` is a minus
applied to 1), a constant is a function without arguments, and `_` is the variable named `_`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import NamedTuple

from lars2asp.source import NOWHERE, Location, Source

LARGEST_INTEGER = 2**31 - 1
"""clingo's integers have 32 bits and wrap around silently, so larger ones are refused."""

MOST_NESTED = 150
"""How deep statements and facts may be nested: passes and printer are recursive, and so is clingo."""


@dataclass(frozen=True, slots=True)
class Node:
    """Any part of a program."""

    location: Location = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


# --- terms ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A natural number below 2**31 (clingo's integers have 32 bits)."""

    value: int


@dataclass(frozen=True, slots=True)
class String(Node):
    """A quoted string; `value` is the text it stands for."""

    value: str


@dataclass(frozen=True, slots=True)
class Extremum(Node):
    """`#inf` or `#sup`: below, above all other terms."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """A variable; `_` is anonymous, every occurrence a fresh one."""

    name: str

    @property
    def is_anonymous(self) -> bool:
        """Whether this is `_`."""
        return self.name == "_"


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A constant or function term, or a call `@name(...)` when external."""

    name: str
    arguments: tuple["Term", ...] = ()
    is_external: bool = False


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    """A tuple `(a, b)`, `(a,)`, `()`."""

    arguments: tuple["Term", ...]


@dataclass(frozen=True, slots=True)
class UnaryOperation(Node):
    """`-t` or `~t` (bitwise complement)."""

    operator: str
    argument: "Term"


@dataclass(frozen=True, slots=True)
class Absolute(Node):
    """`|t|`."""

    argument: "Term"


@dataclass(frozen=True, slots=True)
class BinaryOperation(Node):
    r"""Arithmetic: `^ ? & + - * / \ **`, or the interval `..`."""

    operator: str
    left: "Term"
    right: "Term"


Term = Number | String | Extremum | Variable | Function | Tuple | UnaryOperation | Absolute | BinaryOperation

NOW = Function("now", (), True)
"""`@now`, the current tick."""


# --- windows --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Duration(Node):
    """A stretch of time, in ticks or, with a unit, of wall-clock time."""

    size: Term
    unit: str = ""


@dataclass(frozen=True, slots=True)
class SlidingWindow(Node):
    """`[n]`: from n ticks ago to now, n+1 ticks."""

    duration: Duration


@dataclass(frozen=True, slots=True)
class OffsetWindow(Node):
    """`{d1, ..., dm}`: so many ticks ago, each."""

    offsets: tuple[Term, ...]


Window = SlidingWindow | OffsetWindow


# --- atoms and literals ---------------------------------------------------------------------------


class Signature(NamedTuple):
    """Name, arity and classical sign of a predicate."""

    name: str
    arity: int
    is_positive: bool = True

    def __str__(self) -> str:
        return f"{'' if self.is_positive else '-'}{self.name}/{self.arity}"


@dataclass(frozen=True, slots=True)
class Atom(Node):
    """`p(t1,...,tn)`, or `-p(...)` when not positive (classical negation)."""

    name: str
    arguments: tuple[Term, ...] = ()
    is_positive: bool = True

    @property
    def signature(self) -> Signature:
        """The atom's predicate."""
        return Signature(self.name, len(self.arguments), self.is_positive)


@dataclass(frozen=True, slots=True)
class Boolean(Node):
    """`#true` or `#false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Guard(Node):
    """A comparison sign and the term on its other side."""

    comparison: str
    term: Term


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """`t1 < t2 <= t3 ...`: a term and one guard for each sign."""

    term: Term
    guards: tuple[Guard, ...]


@dataclass(frozen=True, slots=True)
class Diamond(Node):
    """`a in W`: a holds at some tick of the window."""

    atom: Atom
    window: Window


@dataclass(frozen=True, slots=True)
class Box(Node):
    """`a always in W`: a holds at every tick of the window."""

    atom: Atom
    window: Window


@dataclass(frozen=True, slots=True)
class AtTick(Node):
    """`a at T in W`, or `a at T` over the whole timeline up to now."""

    atom: Atom
    tick: Term
    window: Window | None = None


StreamingAtom = Diamond | Box | AtTick


@dataclass(frozen=True, slots=True)
class AggregateElement(Node):
    """`t1,...,tn : l1,...,lm` in an aggregate."""

    terms: tuple[Term, ...]
    condition: tuple["Literal", ...] = ()


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """`t < #sum { ... } < t`; the sign of a left guard reads from term to aggregate."""

    function: str
    elements: tuple[AggregateElement, ...]
    left: Guard | None = None
    right: Guard | None = None


class Sign(IntEnum):
    """How often `not` stands in front: never, once, twice."""

    POSITIVE = 0
    NOT = 1
    NOT_NOT = 2


LiteralAtom = Atom | Boolean | Comparison | StreamingAtom | Aggregate


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """An atom of any kind in a rule body, with its sign."""

    atom: LiteralAtom
    sign: Sign = Sign.POSITIVE


class Semantics(StrEnum):
    """What a window over a derived predicate sees.

    RECORDED: what rules derived at earlier ticks is in the stream (Eiter, Ogris, Schekotihin 2019;
    Calimeri et al. 2021). STRICT: only the data stream is (Beck, Dao-Tran, Eiter 2018).
    """

    RECORDED = "recorded"
    STRICT = "strict"


# --- statements -----------------------------------------------------------------------------------

Head = Atom | AtTick | Boolean | Comparison


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """A rule, a fact (no body) or a constraint (no head)."""

    head: Head | None
    body: tuple[Literal, ...] = ()


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """`#const name = value.`"""

    name: str
    value: Term


@dataclass(frozen=True, slots=True)
class Show(Node):
    """`#show p/n.`, or `#show.` when there is no signature."""

    signature: Signature | None = None


@dataclass(frozen=True, slots=True)
class Defined(Node):
    """`#defined p/n.`: the predicate may well have no rule."""

    signature: Signature


@dataclass(frozen=True, slots=True)
class Tick(Node):
    """`#tick 5 min.`: the length of a tick."""

    duration: Duration


@dataclass(frozen=True, slots=True)
class Column(Node):
    """One argument of an input declaration.

    `scale` multiplies a decimal number, and the product is rounded to an integer; `conversion` is `""` (an
    integer where the text is one, a string otherwise), `"text"`, `"int"` or `"constant"`.
    """

    name: str
    scale: int | None = None
    conversion: str = ""


@dataclass(frozen=True, slots=True)
class Input(Node):
    """`#input p(column, column*10) at column.`: how a row of a table becomes an atom."""

    predicate: str
    columns: tuple[Column, ...]
    time: str = "time"


@dataclass(frozen=True, slots=True)
class SemanticsChoice(Node):
    """`#semantics strict.`: how windows over derived atoms are read."""

    semantics: Semantics


Statement = Rule | Constant | Show | Defined | Tick | Input | SemanticsChoice


@dataclass(frozen=True)
class Program:
    """The statements of one or more sources, in order."""

    statements: tuple[Statement, ...]
    sources: tuple[Source, ...] = field(default=(), compare=False)

    def rules(self) -> Iterator[Rule]:
        """The rules, facts and constraints."""
        return (statement for statement in self.statements if isinstance(statement, Rule))
