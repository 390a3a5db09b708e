"""Random abstract syntax, for hypothesis: freer than what any program needs."""

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
_WINDOWS = st.builds(syntax.SlidingWindow, _DURATIONS) | st.builds(
    syntax.OffsetWindow, st.lists(TERMS, min_size=1, max_size=3).map(tuple)
)
_STREAMING = (
    st.builds(syntax.Diamond, _ATOMS, _WINDOWS)
    | st.builds(syntax.Box, _ATOMS, _WINDOWS)
    | st.builds(syntax.AtTick, _ATOMS, TERMS, st.none() | _WINDOWS)
)


def _is_one_value(term: Term) -> bool:
    """Whether clingo takes the term as the value of a constant."""
    return not any(
        isinstance(part, syntax.Variable)
        or (isinstance(part, syntax.BinaryOperation) and part.operator == "..")
        for part in walk(term)
    )


def statements(*, streaming: bool) -> st.SearchStrategy[Statement]:
    simple = st.one_of(_ATOMS, _COMPARISONS, _BOOLEANS, *([_STREAMING] if streaming else []))
    literals = st.builds(syntax.Literal, simple, st.sampled_from(syntax.Sign))
    elements = st.builds(
        syntax.AggregateElement,
        st.lists(TERMS, min_size=1, max_size=2).map(tuple),
        st.lists(literals, max_size=2).map(tuple),
    )
    functions = st.sampled_from(["#count", "#sum", "#sum+", "#min", "#max"])
    aggregates = st.builds(
        syntax.Aggregate,
        functions,
        st.lists(elements, max_size=2).map(tuple),
        st.none() | _GUARDS,
        st.none() | _GUARDS,
    )
    body = st.lists(
        literals | st.builds(syntax.Literal, aggregates, st.sampled_from(syntax.Sign)), max_size=3
    )
    heads = st.one_of(st.none(), _ATOMS, _COMPARISONS, _BOOLEANS)
    signatures = st.builds(syntax.Signature, _NAMES, st.integers(0, 9), st.booleans())
    rules: st.SearchStrategy[Statement] = st.builds(syntax.Rule, heads, body.map(tuple))
    directives: list[st.SearchStrategy[Statement]] = [
        st.builds(syntax.Constant, _NAMES, TERMS.filter(_is_one_value)),
        st.builds(syntax.Show, st.none() | signatures),
        st.builds(syntax.Defined, signatures),
    ]
    if streaming:
        columns = st.builds(
            syntax.Column,
            st.text(
                st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1, max_size=4
            ),
            st.none() | st.integers(1, 1000),
        )
        directives += [
            st.builds(syntax.Tick, _DURATIONS),
            st.builds(syntax.SemanticsChoice, st.sampled_from(syntax.Semantics)),
            st.builds(syntax.Input, _NAMES, st.lists(columns, min_size=1, max_size=3).map(tuple)),
        ]
    return st.one_of(rules, rules, *directives)


def syntactic_programs(*, streaming: bool) -> st.SearchStrategy[Program]:
    return st.lists(statements(streaming=streaming), max_size=4).map(
        lambda statements: Program(tuple(statements))
    )
