"""The pass that warns where a program means something else than most people mean by it, each with a cure."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Literal, Node, Sign, Statement, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location, shown
from lars2asp.syntax.time_units import TICK
from lars2asp.syntax.traversal import body_of, every, rewrite

_COUNTING = (nodes.Box, nodes.AtLeast, nodes.AtMost, nodes.Count)
_ORDERS = ("<", "<=", ">", ">=")
_FRESH = ("I", "J", "K", "L", "M")


class _Meaning(NamedTuple):
    """Where something means something else, what it means, and the cure."""

    code: codes.Code
    location: Location
    message: str
    hint: str


def check_meanings(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns of each place once. Programs of other systems mean what they mean there."""
    told: set[tuple[Location, str]] = set()
    for statement in analysis.program.but_plain_facts:
        if isinstance(statement, nodes.Declaration) or statement.location.source.dialect:
            continue
        for look in _LOOKS:
            for found in look(statement, analysis):
                if (found.location, found.message) not in told:
                    told.add((found.location, found.message))
                    diagnostics.warning(found.location, found.message, found.hint, code=found.code)


def _text(node: Node) -> str:
    source, begin, end = node.location
    return shown(" ".join(source.text[begin:end].split()))


def _names(*within: Node) -> set[str]:
    return {one.name for one in every(Variable, *within) if not one.is_anonymous}


# --- windows --------------------------------------------------------------------------------------


def _counted_values(statement: Statement, analysis: ProgramAnalysis) -> Iterator[_Meaning]:
    """`failed(U,_) at least 3`: one value of `_` at three ticks."""
    for found in every(Node, statement):
        if not isinstance(found, _COUNTING) or isinstance(found.atom, nodes.FormulaAtom):
            continue
        is_one = isinstance(found, nodes.AtLeast) and found.number == nodes.Number(1)
        if (
            is_one
            or _has_one_tick(found.window)
            or not any(one.is_anonymous for one in every(Variable, *found.atom.arguments))
        ):
            continue
        atom = _text(found.atom)
        rest = _text(found).removeprefix(atom).strip()
        yield _Meaning(
            codes.VALUES_COUNTED_APART,
            found.location,
            "`_` keeps one value at all ticks here, so each value is counted separately",
            f"write ({atom}) {rest} to count the ticks at which any value holds",
        )


def _constant_values(statement: Statement, analysis: ProgramAnalysis) -> Iterator[_Meaning]:
    """`reading(R,T) always in [10 min], T > 25`: the same T at all ticks."""
    if not isinstance(statement, nodes.Rule):
        return
    literals = [one for one in statement.body if isinstance(one, Literal)]
    compared = {
        name
        for one in literals
        if isinstance(one.atom, nodes.Comparison)
        and any(two.comparison in _ORDERS for two in one.atom.guards)
        for name in _names(one.atom)
    }
    for literal in literals:
        box = literal.atom
        if not isinstance(box, nodes.Box) or literal.sign or isinstance(box.atom, nodes.FormulaAtom):
            continue
        others = [
            part
            for part in (statement.head, *statement.body)
            if part is not None
            and part is not literal
            and not (isinstance(part, Literal) and isinstance(part.atom, nodes.Comparison))
        ]
        names = [
            one.name
            for one in box.atom.arguments
            if isinstance(one, Variable) and one.name in compared and one.name not in _names(*others)
        ]
        if names:
            yield _Meaning(
                codes.ONE_VALUE_AT_ALL_TICKS,
                box.location,
                f"{names[0]} keeps one value at all ticks of the window: {_text(box.atom)} must not change",
                f"write a rule for one tick, high(...) :- {_text(box.atom)}, ..., and here high(...) always",
            )


def _is_strict(analysis: ProgramAnalysis) -> bool:
    chosen = analysis.program.every(nodes.SemanticsChoice)
    return any(one.semantics is nodes.Semantics.STRICT for one in chosen)


def _includes_now(window: nodes.Window | None) -> bool:
    match window:
        case nodes.SlidingWindow():
            return True
        case nodes.LaggedWindow(nodes.Duration(nodes.Number(0))):
            return True
        case nodes.OffsetWindow(offsets):
            return nodes.Number(0) in [
                one.nearest if isinstance(one, nodes.OffsetRange) else one for one in offsets
            ]
    return False


def _is_instance(atom: nodes.Atom, other: object) -> bool:
    """Whether an atom is one of those that another one with `_` stands for under `not`."""
    return (
        isinstance(other, nodes.Atom)
        and atom.signature == other.signature
        and all(
            one == two or (isinstance(two, Variable) and two.is_anonymous)
            for one, two in zip(atom.arguments, other.arguments, strict=True)
        )
    )


def _until_before(window: nodes.Window) -> str:
    """A sliding window without the current tick."""
    match window:
        case nodes.SlidingWindow(nodes.Duration(size, unit)):
            return (
                f"[1 tick .. {to_text(size)} {unit}]" if unit not in ("", TICK) else f"[1..{to_text(size)}]"
            )
    return "a window without the current tick, such as [1..5]"


def _denied(literal: Literal, constants: Mapping[str, int]) -> tuple[nodes.Atom, nodes.Window, str] | None:
    """The atom that a literal says to hold at no tick of a window, the window, and what says so."""
    match literal:
        case Literal(nodes.Diamond(atom, window), Sign.NOT):
            return atom, window, f"not {_text(atom)} in"
        case Literal(nodes.AtLeast(atom, number, window), Sign.NOT) if integer_value(number, constants) == 1:
            return atom, window, f"not {_text(atom)} at least 1 in"
        case Literal(nodes.AtMost(atom, number, window), Sign.POSITIVE) if (
            integer_value(number, constants) == 0
        ):
            return atom, window, f"{_text(atom)} at most 0 in"
    return None


def _current_ticks(statement: Statement, analysis: ProgramAnalysis) -> Iterator[_Meaning]:
    """`click(U), not click(U) in [900 sec]`, and `first(U) :- ..., not first(U) in [1 day]`.

    Also with `not click(U) at least 1` and `click(U) at most 0`.
    """
    body = [one for one in body_of(statement) if isinstance(one, Literal)]
    holding = [one.atom for one in body if isinstance(one.atom, nodes.Atom) and not one.sign]
    head = statement.head if isinstance(statement, nodes.Rule) else None
    for literal in body:
        if literal.sign is Sign.NOT and isinstance(literal.atom, nodes.Atom) and literal.atom == head:
            yield _Meaning(
                codes.DENIES_NOW,
                literal.location,
                f"{_text(literal.atom)} requires its own absence: no answer, unless another rule derives it",
                f"remove not {_text(literal.atom)}, or write :- and the rest of the body to forbid it",
            )
            continue
        denied = _denied(literal, analysis.constants)
        if denied is None or not _includes_now(denied[1]):
            continue
        atom, window, written = denied
        if not literal.sign and any(one.is_anonymous for one in every(Variable, atom)):
            continue  # each value of `_` is counted apart
        cure = f"write {written} {_until_before(window)}"
        if now := next((one for one in holding if _is_instance(one, atom)), None):
            yield _Meaning(
                codes.DENIES_NOW,
                literal.location,
                f"this is never true: the window includes the current tick, at which {_text(now)} holds",
                cure,
            )
        elif isinstance(head, nodes.Atom) and _is_instance(head, atom) and not _is_strict(analysis):
            yield _Meaning(
                codes.DENIES_NOW,
                literal.location,
                f"{_text(atom)} requires its own absence at the current tick, "
                "which the window includes: no answer",
                cure,
            )


# --- aggregates -----------------------------------------------------------------------------------


def _has_one_tick(window: nodes.Window | None) -> bool:
    match window:
        case nodes.SlidingWindow(nodes.Duration(nodes.Number(0))):
            return True
        case nodes.OffsetWindow((one,)):
            return not isinstance(one, nodes.OffsetRange)
    return False


def _sums(statement: Statement, analysis: ProgramAnalysis) -> Iterator[_Meaning]:
    """`#sum { V : sale(_,V) }`: equal values count once."""
    outside = _outside(statement)
    for aggregate in every(nodes.Aggregate, statement):
        if aggregate.function not in ("#sum", "#sum+"):
            continue
        for element in aggregate.elements:
            told_apart = _told_apart(element, outside)
            if told_apart is not None:
                yield _Meaning(
                    codes.EQUAL_VALUES_IN_SUM,
                    element.location,
                    f"equal values of {to_text(element.terms[0])} count once in this #sum",
                    f"add a term that distinguishes them: {aggregate.function} {{ {to_text(told_apart)} }}",
                )


def _outside(statement: Statement) -> set[str]:
    """The names of the variables that stand outside of aggregates and conditions."""
    parts: list[Node] = []
    for one in body_of(statement):
        if isinstance(one, Literal) and isinstance(one.atom, nodes.Aggregate | nodes.SetAggregate):
            parts += [guard for guard in (one.atom.left, one.atom.right) if guard is not None]
        elif isinstance(one, Literal):
            parts.append(one)
    return _names(*parts)


def _told_apart(element: nodes.AggregateElement, outside: set[str]) -> nodes.AggregateElement | None:
    """The element with what tells its values apart; None if nothing is missing."""
    if len(element.terms) != 1:
        return None
    used = _names(element) | outside
    known = _names(*element.terms) | outside
    fresh = (name for name in _FRESH if name not in used)
    more = dict[str, Variable]()
    condition = []
    has_windows = False

    def named(node: Node) -> Node:
        if isinstance(node, Variable) and node.is_anonymous:
            node = Variable(next(fresh, "I"))
        if isinstance(node, Variable) and node.name not in known:
            more[node.name] = node
        return node

    for literal in element.condition:
        atom = literal.atom
        if literal.sign or isinstance(
            atom, nodes.Comparison | nodes.Boolean | nodes.Aggregate | nodes.SetAggregate
        ):
            condition.append(literal)
            continue
        changes: Any = (
            {"atom": rewrite(atom, named)}
            if isinstance(atom, nodes.Atom)
            else {"atom": replace(atom, atom=rewrite(atom.atom, named))}
        )
        changed = changes["atom"]
        if isinstance(atom, nodes.AtTick):
            changed = replace(changed, tick=rewrite(atom.tick, named))
        elif (
            isinstance(atom, nodes.Diamond)
            and isinstance(atom.window, nodes.DurationWindow | nodes.OffsetWindow)
            and not _has_one_tick(atom.window)
        ):
            tick = Variable(next(name for name in ("T", "T1", "T2", "T3", "At") if name not in used))
            changed = nodes.AtTick(changed.atom, tick, atom.window)
            more[tick.name] = tick
            used.add(tick.name)
            has_windows = True
        condition.append(replace(literal, atom=changed))
    if not more and not has_windows:
        return None
    return nodes.AggregateElement((*element.terms, *more.values()), tuple(condition))


def _means(statement: Statement, analysis: ProgramAnalysis) -> Iterator[_Meaning]:
    """`S/N`, where S is a sum over one window and N a number over another one."""
    found: dict[tuple[str, str], nodes.Aggregate] = {}
    for one in body_of(statement):
        if isinstance(one, Literal) and isinstance(one.atom, nodes.Aggregate):
            for guard in (one.atom.left, one.atom.right):
                if guard is not None and guard.comparison == "=" and isinstance(guard.term, Variable):
                    found[one.atom.function, guard.term.name] = one.atom
    for quotient in every(nodes.BinaryOperation, statement):
        match quotient:
            case nodes.BinaryOperation("/", Variable(total), Variable(number)):
                sum_, count = found.get(("#sum", total)), found.get(("#count", number))
                if sum_ is None or count is None:
                    continue
                windows = [{to_text(one.window) for one in _streaming(part)} for part in (sum_, count)]
                kinds = [{type(one) for one in _streaming(part)} for part in (sum_, count)]
                signatures = [{one.atom.signature for one in _streaming(part)} for part in (sum_, count)]
                if signatures[0] & signatures[1] and (windows[0] != windows[1] or kinds[0] != kinds[1]):
                    yield _Meaning(
                        codes.OTHER_ELEMENTS_IN_MEAN,
                        quotient.location,
                        f"{total}/{number} divides a sum by a count of different elements",
                        "use the same elements in both: S = #sum { V,T : ... }, N = #count { V,T : ... }",
                    )


def _streaming(node: Node) -> list[Any]:
    return [one for one in every(Node, node) if isinstance(one, nodes.StreamingAtom)]


# --- what other languages mean --------------------------------------------------------------------


def _heads(statement: Statement, analysis: ProgramAnalysis) -> Iterator[_Meaning]:
    """`p, q :- r.`, `a(X) : b(X).` and `alarm <= hot.`"""
    if not isinstance(statement, nodes.Rule):
        return
    match statement.head:
        case nodes.Disjunction((element,)) if element.condition and not statement.body:
            condition = ", ".join(map(_text, element.condition))
            head = _text(element.literal)
            yield _Meaning(
                codes.HEAD_WITH_CONDITION,
                statement.location,
                "a head with a condition makes at least one of its instances true, not all",
                f"write {head} :- {condition}. to make all of them true",
            )
        case nodes.Disjunction(elements) if len(elements) > 1:
            source = statement.location.source
            for one, other in pairwise(elements):
                if "," in source.text[one.location.end : other.location.begin]:
                    heads = [_text(part) for part in elements]
                    body = f" :- {', '.join(map(_text, statement.body))}" if statement.body else ""
                    yield _Meaning(
                        codes.COMMA_IN_HEAD,
                        one.location,
                        "a comma in a head means `or`: it makes one of the atoms true, not all",
                        f"to make all true, write: {' '.join(f'{part}{body}.' for part in heads)}"
                        f" (to make one true: {'; '.join(heads)}{body}.)",
                    )
                    break
        case nodes.Comparison(nodes.Function() as left, (nodes.Guard("<=", nodes.Function() as right),)):
            if not statement.body and not left.is_external and not right.is_external:
                yield _Meaning(
                    codes.COMPARISON_AS_RULE,
                    statement.location,
                    "`<=` compares two terms here and derives nothing",
                    f"write {_text(left)} :- {_text(right)}.",
                )


def _shown_terms(statement: Statement, analysis: ProgramAnalysis) -> Iterator[_Meaning]:
    """`#show alarm.`, where alarm is a predicate."""
    match statement:
        case nodes.ShowTerm(nodes.Function(name, (), False), ()):
            found = [one for one in sorted(analysis.derived) if one.name == name and one.arity]
            if found and name not in analysis.constant_terms:
                yield _Meaning(
                    codes.SHOWN_CONSTANT,
                    statement.location,
                    f"#show {name}. shows the constant {name} at every tick, not the atoms",
                    f"write {' '.join(f'#show {one}.' for one in found)}",
                )


def _operators(statement: Statement, analysis: ProgramAnalysis) -> Iterator[_Meaning]:
    """`X^2` and `abs(X)`."""
    for found in every(nodes.BinaryOperation, statement):
        match found:
            case nodes.BinaryOperation("^", left, nodes.Number(power)) if power > 1 and (
                _names(left) or isinstance(left, nodes.Number)
            ):
                yield _Meaning(
                    codes.FOREIGN_FUNCTION,
                    found.location,
                    "^ is exclusive-or of bits, not a power",
                    f"write {_text(left)}**{power} for a power",
                )
    head = statement.head if isinstance(statement, nodes.Rule) else None
    for part in (head, *every(nodes.Comparison, statement)):
        for term in every(nodes.Function, part) if part is not None else ():
            if term.name == "abs" and len(term.arguments) == 1 and not term.is_external:
                inner = _text(term.arguments[0])
                yield _Meaning(
                    codes.FOREIGN_FUNCTION,
                    term.location,
                    "abs(...) is an ordinary term here, not the absolute value",
                    f"write |{inner}|",
                )


_LOOKS: tuple[Callable[[Statement, ProgramAnalysis], Iterator[_Meaning]], ...] = (
    *(_counted_values, _constant_values, _current_ticks, _sums, _means),
    *(_heads, _shown_terms, _operators),
)
