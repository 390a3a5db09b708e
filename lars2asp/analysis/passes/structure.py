"""The passes that check what the grammar lets through: heads, numbers of ticks."""

from lars2asp.analysis.arithmetic.constants import has_interval, integer_value, varies
from lars2asp.analysis.predicates import window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import LastArrivals
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Node, Rule, Sign, StreamingAtom
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import children, every, walk

MOST_DIVISORS = 6
"""How deep divisions may be nested in the divisors of others, which the translation writes three times."""


def check_structure(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Reports statements that parse but mean nothing here."""
    for statement in analysis.program.statements:
        for node in walk(statement):
            _check_inner(node, diagnostics)
        head = statement.head if isinstance(statement, Rule) else None
        if isinstance(head, nodes.Disjunction):
            _check_pools(head, diagnostics)
        if isinstance(head, nodes.Disjunction | nodes.SetAggregate | nodes.HeadAggregate):
            for element in head.elements:
                for literal in nodes.alternatives_of(element.literal):
                    _check_head(literal, diagnostics)


def _check_inner(node: Node, diagnostics: Diagnostics) -> None:
    """Aggregates stand in bodies and heads alone, not within each other or in conditions.

    Divisors are not nested without end.
    """
    if isinstance(node, nodes.BinaryOperation) and _divisors(node) == MOST_DIVISORS + 1:
        diagnostics.error(
            node.location,
            f"divisions are nested in divisors more than {MOST_DIVISORS} deep",
            "split it: Y = 2/Z, X = 1/Y",
            code=codes.TOO_LARGE,
        )
    if isinstance(node, nodes.AggregateElement | nodes.ConditionalLiteral | nodes.HeadAggregateElement):
        inner = list(node.condition)
        if not isinstance(node, nodes.AggregateElement):
            inner += nodes.alternatives_of(node.literal)
        for literal in inner:
            if isinstance(literal.atom, nodes.Aggregate | nodes.SetAggregate):
                diagnostics.error(
                    literal.location,
                    "an aggregate cannot be inside a condition or another aggregate",
                    "move it to a rule of its own, and use the head of that rule here",
                    code=codes.MISPLACED_AGGREGATE,
                )


def _check_pools(head: nodes.Disjunction, diagnostics: Diagnostics) -> None:
    """Reports pools before colons whose atoms are of several predicates.

    The translation gives predicates other names, and clingo has pools of atoms of one name alone.
    """
    for element in head.elements:
        arities = {len(atom.arguments) for atom in every(nodes.Atom, element.literal)}
        if len(arities) > 1:
            diagnostics.error(
                element.literal.location,
                "the alternatives before the colon have different numbers of arguments",
                "derive one atom here, and the others from it with rules",
                code=codes.POOL_IN_HEAD,
            )


def _divisors(node: Node) -> int:
    """How many divisions stand in the divisors of one another, at most; those of numbers stay as they are."""
    match node:
        case nodes.BinaryOperation("/" | "\\", left, right) if not isinstance(left, nodes.Number):
            return max(_divisors(left), 1 + _divisors(right))
        case _:
            return max(map(_divisors, children(node)), default=0)


def _check_head(literal: nodes.Literal, diagnostics: Diagnostics) -> None:
    is_window = isinstance(literal.atom, StreamingAtom) and not (
        isinstance(literal.atom, nodes.AtTick) and literal.atom.window is None
    )
    if literal.sign is Sign.POSITIVE and is_window:
        diagnostics.error(
            literal.location,
            "a head cannot contain this window",
            "write a plain atom in the head, or `p at T` for another tick",
            code=codes.WINDOW_IN_HEAD,
        )


def check_numbers(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Reports what is wrong with the numbers of `at least`, `at most` and `count`.

    Errors for what is not a number, and for constants below the smallest; a warning for more ticks than the
    window has.
    """
    constants = analysis.constants
    unclear = (codes.UNIT_WITHOUT_TICK, codes.WRONG_DURATION)  # then windows have no size in ticks
    has_sizes = not any(one.code in unclear for one in diagnostics.found)
    for streaming in analysis.streaming_atoms:
        if not isinstance(streaming, nodes.AtLeast | nodes.AtMost | nodes.Count):
            continue
        number = streaming.number
        value = integer_value(number, constants)
        smallest = 0 if isinstance(streaming, nodes.AtMost) else 1
        words = {nodes.AtLeast: "at least", nodes.AtMost: "at most", nodes.Count: "count"}[type(streaming)]
        if value is None:
            if not varies(number) or has_interval(number):
                diagnostics.error(
                    number.location,
                    f"`{words}` needs an integer or a variable",
                    "write for example 2 or N",
                    code=codes.NUMBER_OF_TICKS,
                )
            continue
        if value < smallest:
            place = streaming.window.location  # as it is written: its size is in ticks by now
            denied = f"{to_text(streaming.atom)} in {place.source.text[place.begin : place.end]}"
            diagnostics.error(
                number.location,
                f"`{words}` needs {smallest} or more, not {value}",
                "for atoms that hold at no tick, write at most 0"
                if smallest == 0
                else f"for atoms that hold at no tick, write not {denied}",
                code=codes.NUMBER_OF_TICKS,
            )
            continue
        window = window_of(streaming, constants)
        ticks = None if isinstance(window, LastArrivals) else window.most_ticks
        is_upper = isinstance(streaming, nodes.AtMost)
        if has_sizes and ticks is not None and (value >= ticks if is_upper else value > ticks):
            truth = "always true" if is_upper else "never true"
            diagnostics.warning(
                number.location,
                f"this is {truth}: the window has {ticks} tick{'' if ticks == 1 else 's'}",
                "a window [n] covers n+1 ticks: from n ticks ago to now",
                code=codes.MORE_TICKS_THAN_WINDOW,
            )
