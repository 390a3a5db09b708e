"""Random abstract syntax, for hypothesis: freer than what any program needs."""

from typing import Any

from hypothesis import strategies as st

from lars2asp import syntax
from lars2asp.syntax import Program, Statement, Term
from lars2asp.traversal import walk

_NAMES = st.sampled_from(
    ["a", "f", "in", "at", "always", "count", "sec", "every", "step", "x'", "_y", "tick"]
)
_VARIABLES = st.sampled_from(["X", "Y1", "_Z", "_"]).map(syntax.Variable)
_NUMBERS = st.integers(0, syntax.LARGEST_INTEGER).map(syntax.Number)
_STRINGS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=5).map(
    syntax.String
)
_EXTREMA = st.sampled_from(["#inf", "#sup"]).map(syntax.Extremum)


def _compound(terms: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    arguments = st.lists(terms, max_size=3).map(tuple)
    operators = st.sampled_from(["..", "^", "?", "&", "+", "-", "*", "/", "\\", "**"])
    return st.one_of(
        st.builds(syntax.Function, _NAMES, arguments, st.booleans()),
        st.builds(syntax.Tuple, arguments),
        st.builds(syntax.UnaryOperation, st.sampled_from(["-", "~"]), terms),
        st.builds(syntax.Absolute, terms),
        st.builds(syntax.BinaryOperation, operators, terms, terms),
    )


_LEAVES: st.SearchStrategy[Term] = st.one_of(
    _VARIABLES, _NUMBERS, _STRINGS, _EXTREMA, _NAMES.map(syntax.Function)
)
TERMS: st.SearchStrategy[Term] = st.recursive(_LEAVES, _compound, max_leaves=8)
_ATOMS = st.builds(syntax.Atom, _NAMES, st.lists(TERMS, max_size=2).map(tuple), st.booleans())
_RELATIONS = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
_GUARDS = st.builds(syntax.Guard, _RELATIONS, TERMS)
_COMPARISONS = st.builds(syntax.Comparison, TERMS, st.lists(_GUARDS, min_size=1, max_size=2).map(tuple))
_BOOLEANS = st.builds(syntax.Boolean, st.booleans())
_DURATIONS = st.builds(syntax.Duration, TERMS, st.sampled_from(["", "msec", "sec", "min", "hour", "day"]))
_SIGNATURES = st.builds(syntax.Signature, _NAMES, st.integers(0, 9), st.booleans())
_GROUPS = st.lists(st.sampled_from(["X", "Y1"]).map(syntax.Variable), min_size=1, max_size=2).map(tuple)
_WINDOWS = st.one_of(
    st.builds(syntax.SlidingWindow, _DURATIONS),
    st.builds(syntax.OffsetWindow, st.lists(TERMS, min_size=1, max_size=3).map(tuple)),
    st.builds(syntax.HoppingWindow, _DURATIONS, _DURATIONS),
    st.builds(syntax.TumblingWindow, _DURATIONS),
    st.builds(syntax.TupleWindow, TERMS, st.none() | _SIGNATURES),
    st.builds(syntax.TupleWindow, TERMS, st.none(), _GROUPS),
)
_STREAMING = st.one_of(
    st.builds(syntax.Diamond, _ATOMS, _WINDOWS),
    st.builds(syntax.Box, _ATOMS, _WINDOWS),
    st.builds(syntax.AtTick, _ATOMS, TERMS, st.none() | _WINDOWS),
    st.builds(syntax.AtLeast, _ATOMS, TERMS, _WINDOWS),
    st.builds(syntax.AtMost, _ATOMS, TERMS, _WINDOWS),
    st.builds(syntax.Count, _ATOMS, TERMS, _WINDOWS),
)


def _is_one_value(term: Term) -> bool:
    """Whether clingo takes the term as the value of a constant."""
    return not any(
        isinstance(part, syntax.Variable)
        or (isinstance(part, syntax.BinaryOperation) and part.operator == "..")
        for part in walk(term)
    )


def _few(items: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[Any]:
    return st.lists(items, min_size=least, max_size=2).map(tuple)


def _is_no_signature(term: Term) -> bool:
    """Whether `#show term.` cannot be read as `#show p/n.`"""
    return not (isinstance(term, syntax.BinaryOperation) and term.operator == "/")


def _input_statements() -> list[st.SearchStrategy[Statement]]:
    names = st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1, max_size=4
    )
    columns = st.builds(syntax.Column, names, st.none() | st.integers(1, 1000))
    return [
        st.builds(syntax.Tick, _DURATIONS),
        st.builds(syntax.TimeZone, st.builds(syntax.String, names)),
        st.builds(syntax.SemanticsChoice, st.sampled_from(syntax.Semantics)),
        st.builds(syntax.Input, _NAMES, st.lists(columns, min_size=1, max_size=3).map(tuple)),
    ]


def statements(*, streaming: bool) -> st.SearchStrategy[Statement]:
    """Statements as they come from the parser, with streaming atoms or without."""
    signs = st.sampled_from(syntax.Sign)
    guards = st.none() | _GUARDS
    simple = st.one_of(_ATOMS, _COMPARISONS, _BOOLEANS, *([_STREAMING] if streaming else []))
    literals = st.builds(syntax.Literal, simple, signs)
    functions = st.sampled_from(["#count", "#sum", "#sum+", "#min", "#max"])
    elements = st.builds(syntax.AggregateElement, _few(TERMS, 1), _few(literals))
    aggregates = st.builds(syntax.Aggregate, functions, _few(elements), guards, guards)
    members = st.builds(syntax.ConditionalLiteral, literals, _few(literals))
    sets = st.builds(syntax.SetAggregate, _few(members), guards, guards)
    conditional = st.builds(syntax.ConditionalLiteral, literals, _few(literals, 1))
    body = st.lists(
        st.one_of(literals, conditional, st.builds(syntax.Literal, aggregates | sets, signs)), max_size=3
    ).map(tuple)

    ticked = st.builds(syntax.AtTick, _ATOMS, TERMS) if streaming else st.nothing()
    head_literals = st.one_of(
        st.builds(syntax.Literal, st.one_of(_ATOMS, _COMPARISONS, _BOOLEANS, ticked), signs)
    )
    alternatives = st.builds(syntax.ConditionalLiteral, head_literals, _few(literals))
    choices = st.builds(syntax.SetAggregate, _few(alternatives), guards, guards)
    weighed = st.builds(syntax.HeadAggregateElement, _few(TERMS, 1), head_literals, _few(literals))
    heads: st.SearchStrategy[Any] = st.one_of(
        st.none(),
        _ATOMS,
        ticked,
        _COMPARISONS,
        _BOOLEANS,
        choices,
        st.builds(syntax.Disjunction, _few(alternatives, 2)),
        st.builds(syntax.HeadAggregate, functions, _few(weighed), guards, guards),
    )
    rules: st.SearchStrategy[Any] = st.builds(syntax.Rule, heads, body)
    temporary: st.SearchStrategy[Any] = st.builds(
        syntax.Rule, heads.filter(lambda head: head is not None), body, st.just(True)
    )
    values = st.sampled_from(["true", "false", "free"]).map(syntax.Function)
    directives: list[st.SearchStrategy[Any]] = [
        st.builds(syntax.Constant, _NAMES, TERMS.filter(_is_one_value)),
        st.builds(syntax.Show, st.none() | _SIGNATURES),
        st.builds(syntax.ShowTerm, TERMS.filter(_is_no_signature), body),
        st.builds(syntax.Defined, _SIGNATURES),
        st.builds(syntax.WeakConstraint, body, TERMS, TERMS, _few(TERMS)),
        st.builds(syntax.External, _ATOMS, body, values),
        st.builds(syntax.ProjectSignature, _SIGNATURES),
        st.builds(syntax.ProjectAtom, _ATOMS, body),
        st.builds(syntax.Heuristic, _ATOMS, body, TERMS, TERMS, values),
        st.builds(syntax.Edge, TERMS, TERMS, body),
    ]
    if streaming:
        directives += [*_input_statements(), temporary]
    return st.one_of(rules, rules, rules, *directives)


def syntactic_programs(*, streaming: bool) -> st.SearchStrategy[Program]:
    """Programs of a few statements."""
    return st.lists(statements(streaming=streaming), max_size=4).map(
        lambda statements: Program(tuple(statements))
    )
