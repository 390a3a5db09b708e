r"""Comparisons that are true at every n-th tick become atoms that hold at these: they are known in advance.

    a(X) :- b(X) in [5 min], @now \ 60 = 0.
    ->    a(X) :- b(X) in [5 min], every(60,0).

What asks for `@now` has to be worked out at every tick at which the rest of its body holds; what looks at
such an atom is roused when it begins and ends.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from lars2asp.analysis.arithmetic.constants import constant_values, integer_value
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import NOW, Atom, Comparison, Literal, Program, Rule, Sign, Signature, Term
from lars2asp.syntax.traversal import walk


class Regular(NamedTuple):
    """Every n-th tick: those that leave a remainder when they are divided by a length, of 2 or more."""

    length: int
    remainder: int


@dataclass(frozen=True)
class RegularTicks:
    """The predicate of an atom that holds at every n-th tick.

    Attributes:
        signature: the predicate.
        ticks: the ticks.
    """

    signature: Signature
    ticks: Regular

    def rows(self, tick: int) -> tuple[tuple[()], ...]:
        """The atom, by its arguments, where it holds at a tick."""
        return ((),) if tick % self.ticks.length == self.ticks.remainder else ()

    def next_change(self, tick: int) -> int:
        """The first tick after one at which it holds and did not, or the other way round."""
        length, remainder = self.ticks
        away = (remainder - tick) % length
        return tick + (away or 1)

    def between(self, first: int, last: int) -> range:
        """The ticks of a range at which it holds."""
        length, remainder = self.ticks
        return range(first + (remainder - first) % length, last + 1, length)


def with_regular_ticks(
    program: Program, name: Callable[[int, int], str]
) -> tuple[Program, tuple[RegularTicks, ...]]:
    """The program with such atoms, and their predicates, which `name` names by length and remainder."""
    rules = [one for one in program.but_plain_facts if isinstance(one, Rule)]
    if not any(NOW in walk(literal) for rule in rules for literal in rule.body):
        return program, ()
    constants = constant_values(program)
    found: dict[Regular, RegularTicks] = {}

    def literal_of(literal: Any) -> Any:
        regular = regular_ticks(literal, constants)
        if regular is None:
            return literal
        ticks, is_at_them = regular
        predicate = RegularTicks(Signature(name(*ticks), 0), ticks)
        found.setdefault(ticks, predicate)
        atom = Atom(predicate.signature.name, location=literal.location)
        return dataclasses.replace(literal, atom=atom, sign=Sign.POSITIVE if is_at_them else Sign.NOT)

    def with_atoms(statement: nodes.Statement) -> list[nodes.Statement]:
        if not isinstance(statement, Rule):
            return [statement]
        body = tuple(map(literal_of, statement.body))
        return [statement if body == statement.body else dataclasses.replace(statement, body=body)]

    rewritten = program.rewritten(with_atoms)
    return (rewritten, tuple(found.values())) if found else (program, ())


def regular_ticks(literal: Any, constants: Mapping[str, int]) -> tuple[Regular, bool] | None:
    r"""The ticks of which a literal depends, `(@now + k) \ n = r` or `!=`, and whether it is true at them.

    None for other literals, and where a tick before the first one would leave another remainder.
    """
    if not isinstance(literal, Literal) or not isinstance(literal.atom, Comparison):
        return None
    term, guards = literal.atom.term, literal.atom.guards
    if len(guards) != 1 or guards[0].comparison not in ("=", "!="):
        return None
    for one, other in ((term, guards[0].term), (guards[0].term, term)):
        remainder = integer_value(other, constants)
        if remainder is None or not isinstance(one, nodes.BinaryOperation) or one.operator != "\\":
            continue
        length, later = integer_value(one.right, constants), _ticks_later(one.left, constants)
        if length is None or later is None or length < 2 or not 0 <= remainder < length:
            return None
        if later < 0 and remainder:  # clingo's remainders of negative numbers are not positive
            return None
        is_equation = guards[0].comparison == "="
        return Regular(length, (remainder - later) % length), is_equation is (literal.sign is not Sign.NOT)
    return None


def _ticks_later(term: Term, constants: Mapping[str, int]) -> int | None:
    """How much a term is more than the current tick; None if it is no such term."""
    if term == NOW:
        return 0
    match term:
        case nodes.BinaryOperation("+", left, right) if NOW in (left, right):
            return integer_value(right if left == NOW else left, constants)
        case nodes.BinaryOperation("-", left, right) if left == NOW:
            later = integer_value(right, constants)
            return None if later is None else -later
    return None
