"""The abstract syntax of terms.

A number is never negative (`-1` is a minus applied to 1), a constant is a function without arguments, and
`_` is the variable named `_`.
"""

from dataclasses import field

from lars2asp.syntax.node import Node, node

LARGEST_INTEGER = 2**31 - 1
"""The last tick, and the largest integer that clingo has; other integers of programs may be larger."""

SMALLEST_INTEGER = -LARGEST_INTEGER - 1
"""The smallest integer that clingo has."""

MOST_DIGITS = 4000
"""Those of an integer of programs and facts: Python writes and reads no more than 4300."""

LARGEST_NUMBER = 10**MOST_DIGITS - 1
"""The largest integer of programs and facts. A result of arithmetic that is larger is undefined."""

MOST_DECIMALS = 18
"""The digits behind the point that can be declared."""

MOST_PROPOSED = 9
"""Those that a hint proposes to declare: more are mostly what floats are printed with."""

OPERATOR_LEVELS = {"..": 1, "^": 2, "?": 3, "&": 4, "+": 5, "-": 5, "*": 6, "/": 6, "\\": 6, "**": 7}
"""How strong the operators between terms bind; `**` is right-associative, the others left-associative."""


@node
class Number(Node):
    """A natural number.

    `decimals` are those of the place where it stands, and `stands_for` says `time` or `duration` where it was
    written as one: people read it so, evaluators ignore that.
    """

    value: int
    decimals: int = field(default=0, compare=False, kw_only=True)
    stands_for: str = field(default="", compare=False, kw_only=True)


@node
class DurationTerm(Node):
    """A number with a unit of time, such as `2 hour` and `1.5 hour`.

    The compiler writes the number of ticks in its place (lars2asp.analysis.passes.durations), so that no
    checked program has one. `is_taken` says that the unit is that of another offset: `2` in `{2,3 min}`.
    """

    number: "Number | Decimal"
    unit: str
    is_taken: bool = field(default=False, compare=False, repr=False)


@node
class Decimal(Node):
    """A number with a point, such as `25.50`; `text` is what is written.

    Which integer it is depends on the decimals of the place where it stands: the compiler writes that in its
    place (lars2asp.analysis.passes.decimals), so that no checked program has one.
    """

    text: str

    @property
    def digits(self) -> int:
        """The number of digits behind the point."""
        return len(self.text) - self.text.index(".") - 1


@node
class String(Node):
    """A quoted string; `value` is the text it stands for."""

    value: str


@node
class Extremum(Node):
    """`#inf` or `#sup`: below, above all other terms."""

    name: str


@node
class Variable(Node):
    """A variable; `_` is anonymous, every occurrence a fresh one."""

    name: str

    @property
    def is_anonymous(self) -> bool:
        """Whether this is `_`."""
        return self.name == "_"


@node
class Function(Node):
    """A constant or function term, or a call `@name(...)` when external."""

    name: str
    arguments: tuple["Term", ...] = ()
    is_external: bool = False


@node
class Tuple(Node):
    """A tuple `(a, b)`, `(a,)`, `()`."""

    arguments: tuple["Term", ...]


@node
class UnaryOperation(Node):
    """`-t` or `~t` (bitwise complement)."""

    operator: str
    argument: "Term"


@node
class Absolute(Node):
    """`|t|`."""

    argument: "Term"


@node
class BinaryOperation(Node):
    r"""Arithmetic: `^ ? & + - * / \ **`, or the interval `..`."""

    operator: str
    left: "Term"
    right: "Term"


Term = (
    Number
    | Decimal
    | DurationTerm
    | String
    | Extremum
    | Variable
    | Function
    | Tuple
    | UnaryOperation
    | Absolute
    | BinaryOperation
)

NOW = Function("now", (), True)
"""`@now`, the current tick."""


@node
class Pool(Node):
    """`t1; t2` or the atoms of `p(t1; t2)`: stands for each in turn.

    The compiler writes pools out (lars2asp.analysis.passes.rewriting.pools), so that no checked program has
    one but for those of atoms before the colon of a conditional literal (`nodes.ConditionalLiteral`).
    """

    alternatives: tuple[Node, ...]
