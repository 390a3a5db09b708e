"""Formulas in brackets under a window, `(a, not b) always in W`: each is a predicate of the compiler's own.

The predicate holds at the ticks at which the formula does (LARS nests formulas, Beck, Dao-Tran, Eiter 2018,
section 3.1): `lars_formula_1(X) :- a(X), not b(X).`, with a rule for each alternative of `or`.
"""

import dataclasses
import re
from collections.abc import Sequence

from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import FormulaAtom, Literal, Rule, Variable
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import every

OPEN, CLOSE = "\x1c", "\x1d"
"""Stand for the brackets of formulas in the text that is parsed: no program has these characters."""

_BEHIND = re.compile(r"\)(?=\s*(?:\[|(?:in|always|at|count)(?![A-Za-z0-9_'])))")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*+"')
_NAME = re.compile(r"@?[A-Za-z0-9_']+\Z")
_BEFORE = (",", ";", ":", "(", "{", "|", ":-", ":~")
"""A formula stands behind these, `not` and `or`, or at the beginning; other brackets are those of terms."""

PREFIX = "lars_formula"


def marked(text: str) -> str:
    """The text of a statement with other brackets around formulas; as long as it was."""
    if _BEHIND.search(text) is None:
        return text
    plain = _STRING.sub(lambda found: "x" * len(found[0]), text)
    signs = list(text)
    for found in _BEHIND.finditer(plain):
        begin = _opening(plain, found.start())
        if begin is not None and _is_behind_sign(plain[:begin].rstrip()):
            signs[begin], signs[found.start()] = OPEN, CLOSE
    return "".join(signs)


def _opening(text: str, end: int) -> int | None:
    """Where the bracket is opened that is closed at a place."""
    depth = 0
    for place in range(end, -1, -1):
        if text[place] == ")":
            depth += 1
        elif text[place] == "(":
            depth -= 1
            if not depth:
                return place
    return None


def _is_behind_sign(before: str) -> bool:
    name = _NAME.search(before)
    return name[0] in ("not", "or") if name else not before or before.endswith((*_BEFORE, OPEN))


class Formulas:
    """The formulas of a program, and the rules of the predicates that stand for them.

    Attributes:
        prefix: with what the names of these begin.
    """

    def __init__(self) -> None:
        self.prefix = PREFIX
        self._atoms: dict[tuple[tuple[Literal, ...], ...], FormulaAtom] = {}
        self._new: list[Rule] = []

    def __len__(self) -> int:
        """The number of formulas that differ."""
        return len(self._atoms)

    def atom(self, alternatives: Sequence[tuple[Literal, ...]], text: str, at: Location) -> FormulaAtom:
        """The atom that stands for a formula, the alternatives of which are conjunctions."""
        key = tuple(alternatives)
        known = self._atoms.get(key)
        if known is None:
            names = list(dict.fromkeys(name for part in key for name in global_names(part)))
            name = f"{self.prefix}_{len(self._atoms) + 1}"
            arguments = tuple(Variable(one, location=at) for one in names)
            known = FormulaAtom(name, arguments, names=tuple(names), text=text, location=at)
            self._atoms[key] = known
            head = nodes.Atom(name, arguments, location=at)
            self._new += [Rule(head, part, is_of_formula=True, location=at) for part in key]
        return dataclasses.replace(known, text=text, location=at)

    def take_new(self) -> list[Rule]:
        """The rules of the formulas that came since they were taken."""
        new, self._new = self._new, []
        return new


def global_names(literals: Sequence[Literal]) -> dict[str, None]:
    """The names of the variables of literals that are not those of elements of aggregates alone, in order."""
    found: dict[str, None] = {}
    for literal in literals:
        atom = literal.atom
        within: list[nodes.Node] = [atom]
        if isinstance(atom, nodes.Aggregate | nodes.SetAggregate):
            within = [guard for guard in (atom.left, atom.right) if guard is not None]
        found |= {one.name: None for one in every(Variable, *within) if not one.is_anonymous}
    return found
