"""Random abstract syntax, for hypothesis: freer than what any program needs."""

from dataclasses import MISSING, Field, fields, replace
from typing import Any, get_args

from hypothesis import strategies as st

from lars2asp.syntax import nodes
from lars2asp.syntax.argument_type import ANY, DURATION, INTEGER, NAME, TERM, TEXT, TIME, decimal
from lars2asp.syntax.nodes import Program, Statement, Term
from lars2asp.syntax.string_escapes import is_held
from lars2asp.syntax.traversal import walk

_NAMES = st.sampled_from(
    ["a", "f", "in", "at", "always", "count", "sec", "every", "step", "from", "x'", "_y", "tick"]
)
_VARIABLES = st.sampled_from(["X", "Y1", "_Z", "_"]).map(nodes.Variable)
_NUMBERS = st.integers(0, nodes.LARGEST_INTEGER).map(nodes.Number)
_DECIMALS = st.from_regex(r"(0|[1-9][0-9]{0,4})\.[0-9]{1,4}", fullmatch=True).map(nodes.Decimal)
_STRINGS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=5).map(
    nodes.String
)
_EXTREMA = st.sampled_from(["#inf", "#sup"]).map(nodes.Extremum)


def _compound(terms: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    arguments = st.lists(terms, max_size=3).map(tuple)
    operators = st.sampled_from(["..", "^", "?", "&", "+", "-", "*", "/", "\\", "**"])
    return st.one_of(
        st.builds(nodes.Function, _NAMES, arguments, st.booleans()),
        st.builds(nodes.Tuple, arguments),
        st.builds(nodes.UnaryOperation, st.sampled_from(["-", "~"]), terms),
        st.builds(nodes.Absolute, terms),
        st.builds(nodes.BinaryOperation, operators, terms, terms),
    )


_LEAVES: st.SearchStrategy[Term] = st.one_of(
    _VARIABLES, _NUMBERS, _STRINGS, _EXTREMA, _NAMES.map(nodes.Function)
)
TERMS: st.SearchStrategy[Term] = st.recursive(_LEAVES, _compound, max_leaves=8)
_ATOMS = st.builds(nodes.Atom, _NAMES, st.lists(TERMS, max_size=2).map(tuple), st.booleans())
_RELATIONS = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
_GUARDS = st.builds(nodes.Guard, _RELATIONS, TERMS)
_COMPARISONS = st.builds(nodes.Comparison, TERMS, st.lists(_GUARDS, min_size=1, max_size=2).map(tuple))
_WITH_DECIMALS = st.builds(
    nodes.Comparison,
    _DECIMALS | _compound(_DECIMALS),
    st.builds(nodes.Guard, _RELATIONS, _DECIMALS).map(lambda guard: (guard,)),
)
_UNITS = st.sampled_from(["msec", "sec", "min", "hour", "day", "tick"])
_DURATION_TERMS = st.builds(
    nodes.DurationTerm, st.builds(nodes.Number, st.integers(0, 99)) | _DECIMALS, _UNITS
)
_WITH_DURATIONS = st.builds(
    nodes.Comparison,
    _DURATION_TERMS | _compound(_DURATION_TERMS | _VARIABLES),
    st.builds(nodes.Guard, _RELATIONS, _DURATION_TERMS).map(lambda guard: (guard,)),
)
_BOOLEANS = st.builds(nodes.Boolean, st.booleans())
_TIME_UNITS = ["", "msec", "sec", "min", "hour", "day", "tick"]
_DURATIONS = st.builds(nodes.Duration, TERMS, st.sampled_from(_TIME_UNITS))
_BLOCKS = st.builds(nodes.Duration, TERMS, st.sampled_from([*_TIME_UNITS, "week", "month", "year"]))
_SIGNATURES = st.builds(nodes.Signature, _NAMES, st.integers(0, 9), st.booleans())
_GROUPS = st.lists(st.sampled_from(["X", "Y1"]).map(nodes.Variable), min_size=1, max_size=2).map(tuple)


def _is_as_read(window: nodes.DurationWindow) -> bool:
    """Whether a window is what its text is read as: in `[1 sec .. 3]` and `[1..3 sec]` both have a unit."""
    match window:
        case nodes.SlidingWindow(nodes.Duration(nodes.BinaryOperation(".."))):
            return False
        case nodes.HoppingWindow(nodes.Duration(nodes.BinaryOperation("..")), _, None):
            return False
        case nodes.LaggedWindow(nearest, furthest) | nodes.HoppingWindow(
            furthest, _, nodes.Node() as nearest
        ):
            return bool(nearest.unit) == bool(furthest.unit)
        case _:
            return True


def _is_interval(term: Term) -> bool:
    return isinstance(term, nodes.BinaryOperation) and term.operator == ".."


def _said(part: Field[object]) -> st.SearchStrategy[nodes.Duration | None]:
    """A duration, or None where it may be left out."""
    return _DURATIONS if part.default is MISSING else st.none() | _DURATIONS


_OFFSETS = st.builds(nodes.OffsetRange, TERMS, TERMS) | TERMS.filter(lambda term: not _is_interval(term))
_OFFSETS_WITH_UNITS = _DURATION_TERMS | st.builds(nodes.OffsetRange, _DURATION_TERMS, _DURATION_TERMS)
_WINDOWS = st.one_of(
    *(
        st.builds(kind, *(_said(part) for part in fields(kind) if part.compare)).filter(_is_as_read)
        for kind in get_args(nodes.DurationWindow)
    ),
    st.builds(nodes.TumblingWindow, _BLOCKS, st.none() | _DURATIONS),
    st.builds(nodes.HoppingWindow, _DURATIONS, _BLOCKS).filter(_is_as_read),
    *(
        st.builds(nodes.OffsetWindow, st.lists(offsets, min_size=1, max_size=3).map(tuple))
        for offsets in (_OFFSETS, _OFFSETS_WITH_UNITS)
    ),
    st.builds(nodes.TupleWindow, TERMS, st.none() | _SIGNATURES),
    st.builds(nodes.TupleWindow, TERMS, st.none(), _GROUPS),
    st.builds(nodes.SinceWindow, _ATOMS, st.booleans()),
)
_STREAMING = st.one_of(
    st.builds(nodes.Diamond, _ATOMS, _WINDOWS),
    st.builds(nodes.Box, _ATOMS, _WINDOWS),
    st.builds(nodes.AtTick, _ATOMS, TERMS, st.none() | _WINDOWS),
    st.builds(nodes.AtLeast, _ATOMS, TERMS, _WINDOWS),
    st.builds(nodes.AtMost, _ATOMS, TERMS, _WINDOWS),
    st.builds(nodes.Count, _ATOMS, TERMS, _WINDOWS),
)


def _is_one_value(term: Term) -> bool:
    """Whether clingo takes the term as the value of a constant."""
    return not any(
        isinstance(part, nodes.Variable)
        or (isinstance(part, nodes.BinaryOperation) and part.operator == "..")
        for part in walk(term)
    )


def _few(items: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[Any]:
    return st.lists(items, min_size=least, max_size=2).map(tuple)


def _is_no_signature(term: Term) -> bool:
    """Whether `#show term.` cannot be read as `#show p/n.`"""
    return not (isinstance(term, nodes.BinaryOperation) and term.operator == "/")


def _held(name: str, arguments: tuple[Term, ...], is_positive: bool, group: Any, duration: Any) -> nodes.Held:
    signature = nodes.Signature(name, len(arguments), is_positive)
    return nodes.Held(signature, arguments, group, duration)


def _input(found: nodes.Input, has_each: bool) -> nodes.Input:
    names = (*found.all_times, *found.column_names)[::2]
    if found.spread is None:
        return replace(found, each=tuple(sorted({*names}))) if has_each else found
    columns = (nodes.Column(found.spread.value), nodes.Column(found.spread.key, conversion="text"))
    return replace(found, columns=(*found.columns, *columns))


def _calendar(name: str, arguments: tuple[Term, ...]) -> nodes.Calendar:
    return nodes.Calendar(nodes.Signature(name, len(arguments)), arguments)


def _input_statements() -> list[st.SearchStrategy[Statement]]:
    names = st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1, max_size=4
    )
    keys = st.sampled_from(["k_each", "of", "columns", "Key_", "where"])
    spreads = st.none() | st.builds(nodes.Spread, keys, keys.map("{}2".format), names, st.booleans())
    scales = st.none() | st.integers(1, 1000)
    signs = st.sampled_from([(), (",",), (",", "."), (".", "'")])
    columns = st.builds(nodes.Column, names, scales, or_missing=st.booleans()) | st.builds(
        nodes.Column, names, scales, st.just("number"), signs, st.booleans()
    )
    formats = st.sampled_from(["", "%d.%m.%Y %H:%M", "%s"])
    joined = st.lists(names, max_size=2).map(tuple)
    values = st.sampled_from(["0", "-5", "2.5", "", "none", '"', "00", "1,5"])
    columns |= st.builds(nodes.Column, names, scales, or_missing=st.booleans(), otherwise=values)
    columns |= st.builds(
        nodes.Column,
        names,
        st.none(),
        st.just("time"),
        or_missing=st.booleans(),
        joined=joined,
        time_format=formats,
    )
    units = st.sampled_from(["", "min", "h"])
    columns |= st.builds(nodes.Column, names, st.none(), st.just("duration"), time_format=units)
    marks = st.sampled_from(["", "kB", '"', "DR", "°C", "-"])
    unit = st.sampled_from(["", "m³/h", "%"])
    columns |= st.builds(
        nodes.Column,
        names,
        st.none(),
        st.just("number"),
        signs,
        st.booleans(),
        otherwise=st.none() | values,
        marks=st.builds(nodes.NumberMarks, unit, st.just("CR"), marks),
        is_rounded=st.booleans(),
    )
    conditions = st.builds(
        nodes.Condition, columns, st.sampled_from(["=", "!="]), st.text(max_size=3).filter(is_held)
    ) | st.builds(
        nodes.Condition,
        columns,
        st.sampled_from([*nodes.MIRRORED]),
        st.sampled_from(["0", "-999", "2.50"]),
        st.just(True),
    )
    cells = columns
    columns |= st.sampled_from([nodes.Column(one, None, one) for one in nodes.RECORD_COLUMNS])
    columns |= st.sampled_from(['"a \\"b"', "-5", "0", "hall"]).map(
        lambda text: nodes.Column(text, None, "fixed")
    )
    types = st.sampled_from([INTEGER, TEXT, NAME, TIME, DURATION, TERM, ANY]) | st.integers(1, 9).map(decimal)
    return [
        st.builds(nodes.Tick, _DURATIONS),
        st.builds(nodes.TimeZone, st.builds(nodes.String, names)),
        st.builds(nodes.SemanticsChoice, st.sampled_from(nodes.Semantics)),
        st.builds(nodes.Origin, st.builds(nodes.String, names)),
        st.builds(nodes.Lateness, _DURATIONS),
        st.builds(nodes.LargestGap, _DURATIONS),
        st.builds(nodes.CompleteWindows),
        st.builds(
            _held,
            _NAMES,
            _few(st.sampled_from(["X", "_"]).map(nodes.Variable)),
            st.booleans(),
            st.just(()) | _GROUPS,
            st.none() | _DURATIONS,
        ),
        st.builds(_calendar, _NAMES, _few(st.sampled_from(["X", "_"]).map(nodes.Variable))),
        st.builds(
            nodes.Decimals, _NAMES, st.lists(st.none() | st.integers(1, 9), min_size=1, max_size=3).map(tuple)
        ),
        st.builds(nodes.Types, _NAMES, st.lists(st.none() | types, min_size=1, max_size=3).map(tuple)),
        st.builds(
            _input,
            st.builds(
                nodes.Input,
                _NAMES,
                st.tuples(cells) | st.tuples(columns, cells) | st.tuples(cells, columns, columns),
                names,
                joined,
                formats,
                records=st.just("") | names,
                pattern=st.just("") | names,
                spread=spreads,
                other_times=st.lists(
                    st.builds(nodes.InputTime, st.lists(names, min_size=1, max_size=2).map(tuple), formats),
                    max_size=2,
                ).map(tuple),
                conditions=st.lists(conditions, max_size=2).map(tuple),
            ),
            st.booleans(),
        ),
    ]


def statements(*, streaming: bool) -> st.SearchStrategy[Statement]:
    """Statements as they come from the parser, with streaming atoms or without."""
    signs = st.sampled_from(nodes.Sign)
    guards = st.none() | _GUARDS
    simple = st.one_of(
        _ATOMS,
        _COMPARISONS,
        _BOOLEANS,
        *([_STREAMING, _WITH_DECIMALS | _WITH_DURATIONS] if streaming else []),
    )
    literals = st.builds(nodes.Literal, simple, signs)
    functions = st.sampled_from(["#count", "#sum", "#sum+", "#min", "#max"])
    elements = st.builds(nodes.AggregateElement, _few(TERMS, 1), _few(literals))
    aggregates = st.builds(nodes.Aggregate, functions, _few(elements), guards, guards)
    members = st.builds(nodes.ConditionalLiteral, literals, _few(literals))
    sets = st.builds(nodes.SetAggregate, _few(members), guards, guards)
    conditional = st.builds(nodes.ConditionalLiteral, literals, _few(literals, 1))
    body = st.lists(
        st.one_of(literals, conditional, st.builds(nodes.Literal, aggregates | sets, signs)), max_size=3
    ).map(tuple)

    ticked = st.builds(nodes.AtTick, _ATOMS, TERMS) if streaming else st.nothing()
    head_literals = st.one_of(
        st.builds(nodes.Literal, st.one_of(_ATOMS, _COMPARISONS, _BOOLEANS, ticked), signs)
    )
    alternatives = st.builds(nodes.ConditionalLiteral, head_literals, _few(literals))
    choices = st.builds(nodes.SetAggregate, _few(alternatives), guards, guards)
    weighed = st.builds(nodes.HeadAggregateElement, _few(TERMS, 1), head_literals, _few(literals))
    heads: st.SearchStrategy[Any] = st.one_of(
        st.none(),
        _ATOMS,
        ticked,
        _COMPARISONS,
        _BOOLEANS,
        choices,
        st.builds(nodes.Disjunction, _few(alternatives, 2)),
        st.builds(nodes.HeadAggregate, functions, _few(weighed), guards, guards),
    )
    rules: st.SearchStrategy[Any] = st.builds(nodes.Rule, heads, body)
    temporary: st.SearchStrategy[Any] = st.builds(
        nodes.Rule, heads.filter(lambda head: head is not None), body, st.just(True)
    )
    values = st.sampled_from(["true", "false", "free"]).map(nodes.Function)
    directives: list[st.SearchStrategy[Any]] = [
        st.builds(nodes.Constant, _NAMES, TERMS.filter(_is_one_value)),
        st.builds(nodes.Show, st.none() | _SIGNATURES),
        st.builds(nodes.ShowTerm, TERMS.filter(_is_no_signature), body),
        st.builds(nodes.Defined, _SIGNATURES),
        st.builds(nodes.WeakConstraint, body, TERMS, TERMS, _few(TERMS)),
        st.builds(nodes.External, _ATOMS, body, values),
        st.builds(nodes.ProjectSignature, _SIGNATURES),
        st.builds(nodes.ProjectAtom, _ATOMS, body),
        st.builds(nodes.Heuristic, _ATOMS, body, TERMS, TERMS, values),
        st.builds(nodes.Edge, TERMS, TERMS, body),
    ]
    if streaming:
        directives += [*_input_statements(), temporary]
    return st.one_of(rules, rules, rules, *directives)


def syntactic_programs(*, streaming: bool) -> st.SearchStrategy[Program]:
    """Programs of a few statements."""
    return st.lists(statements(streaming=streaming), max_size=4).map(
        lambda statements: Program(tuple(statements))
    )
