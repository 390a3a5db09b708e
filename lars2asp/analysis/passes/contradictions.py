"""The pass that warns of bodies that are never true, since some of their literals contradict each other.

Comparisons are read as inequalities between integers. That holds of all terms: in their order no term lies
between two integers that follow one another. A tick that `at` binds lies in its window, and a number that
`count` binds is no greater than the number of ticks in it.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lars2asp.analysis.arithmetic.linear_bounds import Linear, can_be_met, inequalities, linear
from lars2asp.analysis.predicates import window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import NOW, Literal, Node, Sign, Term, Variable
from lars2asp.syntax.source import Location, shown
from lars2asp.syntax.traversal import body_of, rewrite

_NOW = Variable("@now")
"""Stands for the current tick among the variables of inequalities."""

_TICKS = (Linear({_NOW.name: 1}, 0),)
"""The current tick is 0 or more."""


class _Contradiction(NamedTuple):
    """A literal that cannot be true, and the one that it contradicts.

    The second one is None where the literal cannot be true by itself, or contradicts several.
    """

    literal: Literal
    other: Literal | None
    is_alone: bool


def check_contradictions(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns of bodies that are never true; of a statement with pools, if that is so of all it stands for."""
    found: dict[Location, list[_Contradiction | None]] = {}
    for statement in analysis.program.but_plain_facts:
        body = [literal for literal in body_of(statement) if isinstance(literal, Literal)]
        if body:
            contradiction = _contradiction(body, analysis.constants)
            found.setdefault(statement.location, []).append(contradiction)
    for contradictions in found.values():
        if contradictions[0] is not None and None not in contradictions:
            _warn(contradictions[0], diagnostics)


def _warn(found: _Contradiction, diagnostics: Diagnostics) -> None:
    literal, text = found.literal, _text(found.literal)
    if not found.is_alone:
        other = "earlier parts of the body" if found.other is None else _text(found.other)
        message, hint = f"this body is never true: {text} contradicts {other}", "correct one literal"
    elif isinstance(literal.atom, nodes.AtTick):
        where = "outside the window" if literal.atom.window else "that is in the future, or negative"
        message = f"this body is never true: {text} looks at a tick {where}"
        hint = (
            "choose a tick of the window: [n] covers n ticks ago to now"
            if literal.atom.window
            else "look back in the body, as in p at @now-1; write later ticks in the head: p at @now+1 :- ..."
        )
    else:
        message, hint = f"this body is never true: {text} is false", "correct it, or remove the statement"
    diagnostics.warning(literal.location, message, hint, code=codes.CONTRADICTION)


def _text(literal: Literal) -> str:
    place = literal.location
    return shown(" ".join(place.source.text[place.begin : place.end].split()))


def _contradiction(body: Sequence[Literal], constants: Mapping[str, int]) -> _Contradiction | None:
    """The first literal with which a body cannot be true; None for all other bodies."""
    negated = [one for one in body if one.sign is Sign.NOT and not _is_comparison(one)]
    positive = {one.atom: one for one in body if negated and one.sign is Sign.POSITIVE}
    for literal in negated:
        if literal.atom in positive:
            return _Contradiction(literal, positive[literal.atom], False)
    if not any(_is_comparison(one) or isinstance(one.atom, nodes.AtTick) for one in body):
        return None
    told = [(literal, list(_told(literal, constants))) for literal in body]
    for literal in body:
        if _is_unequal_to_itself(literal):
            return _Contradiction(literal, None, True)
    if can_be_met([*_TICKS, *(one for _, expressions in told for one in expressions)]):
        return None
    return _first(told)


def _first(told: Sequence[tuple[Literal, list[Linear]]]) -> _Contradiction:
    """The first literal that contradicts those before it, and the one of these, if it is one alone."""

    def is_contradiction(length: int) -> bool:
        return not can_be_met([*_TICKS, *(one for _, expressions in told[:length] for one in expressions)])

    number = bisect_left(range(len(told)), True, key=lambda number: is_contradiction(number + 1))
    literal, expressions = told[min(number, len(told) - 1)]
    if not can_be_met([*_TICKS, *expressions]):
        return _Contradiction(literal, None, True)
    for other, others in told[:number]:
        if not can_be_met([*_TICKS, *others, *expressions]):
            return _Contradiction(literal, other, False)
    return _Contradiction(literal, None, False)


def _is_comparison(literal: Literal) -> bool:
    return isinstance(literal.atom, nodes.Comparison)


def _is_unequal_to_itself(literal: Literal) -> bool:
    match literal:
        case Literal(nodes.Comparison(term, (nodes.Guard("!=" | "<" | ">", other),)), Sign.POSITIVE):
            return isinstance(term, Variable) and not term.is_anonymous and term == other
        case _:
            return False


# --- what a literal says of numbers ---------------------------------------------------------------


def _told(literal: Literal, constants: Mapping[str, int]) -> Iterator[Linear]:
    """The inequalities that hold where a literal is true."""
    atom = literal.atom
    if isinstance(atom, nodes.Comparison):
        place = literal.location
        if "@now" in place.source.text[place.begin : place.end]:
            literal = rewrite(literal, _with_now)
        yield from inequalities(literal, constants)
    elif literal.sign is Sign.POSITIVE:
        match atom:
            case nodes.AtTick(tick=tick):
                yield from _within(atom, tick, constants)
            case nodes.Count(number=Variable() as number) | nodes.AtLeast(number=Variable() as number):
                yield from _counted(atom, number, constants)


def _within(atom: nodes.AtTick, tick: Term, constants: Mapping[str, int]) -> Iterator[Linear]:
    """That a tick has come, and is in the window."""
    found = linear(rewrite(tick, _with_now), constants)
    if found is None:
        return
    now = Linear({_NOW.name: 1}, 0)
    ago = now.plus(found, -1)
    yield from (found, ago)
    window = None if atom.window is None else window_of(atom, constants)
    ages = None if isinstance(window, LastArrivals | Since | None) else window.ages
    if ages is not None:
        least, most = ages
        yield ago.plus(Linear({}, least), -1)
        yield Linear({}, most).plus(ago, -1)


def _counted(
    atom: nodes.Count | nodes.AtLeast, number: Variable, constants: Mapping[str, int]
) -> Iterator[Linear]:
    """That a number of ticks is no greater than that of the window."""
    expression = linear(number, constants)
    window = window_of(atom, constants)
    if expression is not None:
        yield expression.plus(Linear({}, 1), -1)
        if not isinstance(window, LastArrivals) and window.most_ticks is not None:
            yield Linear({}, window.most_ticks).plus(expression, -1)


def _with_now(node: Node) -> Node:
    return _NOW if node == NOW else node
