"""Random programs of shapes that explanations must know beside those that evaluators are held to.

Sets whose conditions bind nothing, terms within terms, intervals and pools, even loops through aggregates,
decimals over windows of arrivals. Some are no programs (unsafe variables, say): these are left out.
"""

from collections.abc import Mapping

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.oracle import Value
from tests.strategies.groups import GROUPS
from tests.strategies.parts import LEVELS, AtomText, windows_for
from tests.strategies.streams import DERIVED, INPUTS, Case, cases
from tests.strategies.windows import ALL_WINDOWS, TIME_WINDOWS

SIGNS = ["<", "<=", "!=", ">", ">=", "="]
NUMBERS: list[Value] = [-1, 0, 1, 2, ("x", ())]
TERMS: list[Value] = [
    *(-1, 0, 1, 2, ("x", ()), ("", ())),
    *(
        ("f", (0, 1)),
        ("f", (1, -1)),
        ("f", (("x", ()), 0)),
        ("g", (-1,)),
        ("g", (2,)),
        ("", (0, 1)),
        ("", (1,)),
    ),
]
SCALED: list[Value] = [0, 5, -15, 12, 20]

_KINDS = ["", "", " in", " in", " always in", " at T in", " at _ in", " at 1..2 in", " count K in"]
_KINDS += [" at least 1 in", " at least 2 in", " at @now-1 in"]

Predicates = dict[str, int]


def _below(name: str) -> Predicates:
    return INPUTS | {one: DERIVED[one] for one in LEVELS[: LEVELS.index(name)]}


def _atom(name: str, terms: list[str]) -> AtomText:
    return AtomText(name, tuple(terms))


@st.composite
def _literals(
    draw: DrawFn, predicates: Predicates, terms: list[str], *, kinds: list[str] | None = None
) -> str:
    """A (streaming) atom over some terms."""
    name = draw(st.sampled_from(sorted(predicates)))
    atom = _atom(name, [draw(st.sampled_from(terms)) for _ in range(predicates[name])])
    kind = draw(st.sampled_from(kinds or _KINDS))
    return f"{atom}{kind} {draw(windows_for(atom, ALL_WINDOWS))}" if kind else str(atom)


# --- sets and aggregates ----------------------------------------------------------------------------


@st.composite
def _conditions(draw: DrawFn, predicates: Predicates, names: list[str]) -> str:
    """A literal of a condition; most bind nothing."""
    one, other = draw(st.sampled_from(names)), draw(st.sampled_from([*names, "0", "1", "-1", "x"]))
    kind = draw(st.sampled_from(["compare", "compare", "compare", "not", "not", "equal", "atom", "both"]))
    match kind:
        case "compare":
            return f"{one} {draw(st.sampled_from(SIGNS))} {other}"
        case "not":
            plain = ["", "", " in", " always in", " at least 1 in", " at most 1 in", " at @now-1 in"]
            return f"not {draw(_literals(predicates, [one, other, '_'], kinds=plain))}"
        case "equal":
            return draw(
                st.sampled_from([f"{one} = 0..1", f"{one} = {other}+1", f"C = 2*{one}", f"|{one}| > 0"])
            )
        case "atom":
            return draw(_literals(predicates, [one, "C", "_"], kinds=["", " in"]))
        case _:
            return f"p(C), C {draw(st.sampled_from(SIGNS))} {one}"


@st.composite
def _elements(draw: DrawFn, predicates: Predicates, known: list[str], *, is_set: bool) -> str:
    terms = ["A", "A", "A", "B", "_", "0", "A+1", "-A", *known, *(["A..1"] if is_set else [])]
    literal = draw(_literals(predicates, terms))
    names = [one for one in ["A", "B", "T", "K", *known] if one in literal] or ["A"]
    conditions = draw(st.lists(_conditions(predicates, names), max_size=2))
    sign = draw(st.sampled_from(["", "", "", "", "not ", "not not "]))
    if is_set:
        return f"{sign}{literal}" + (f" : {', '.join(conditions)}" if conditions else "")
    weight = draw(st.sampled_from([*names, "1", f"-{names[0]}", "()", f"f({names[-1]})"]))
    body = draw(st.permutations([literal, *conditions]))
    return f"{weight}{draw(st.sampled_from(['', ',1', f',{names[-1]}']))} : {', '.join(body)}"


@st.composite
def _bounded(draw: DrawFn, predicates: Predicates, known: list[str]) -> tuple[str, str | None]:
    """A set or an aggregate, and the variable that it binds."""
    is_set = draw(st.integers(0, 2)) > 0
    elements = draw(st.lists(_elements(predicates, known, is_set=is_set), min_size=1, max_size=2))
    function = "" if is_set else draw(st.sampled_from(["#count ", "#sum ", "#sum+ ", "#min ", "#max "]))
    inside = f"{function}{{ {' ; '.join(elements)} }}"
    if draw(st.booleans()):
        return f"N = {inside}", "N"
    sign = draw(st.sampled_from(["", "", "not ", "not not "]))
    left = draw(st.sampled_from(["", "1 ", "2 > ", "0 != ", "0 < "]))
    right = draw(st.sampled_from(["", " 1", " >= 2", " = 1", " != 0"]))
    return f"{sign}{left}{inside}{right if left or right else ' >= 1'}", None


@st.composite
def counting_sets(draw: DrawFn) -> str:
    """A stratified program with sets and aggregates whose conditions bind nothing."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(LEVELS))
        predicates = _below(name)
        body = draw(st.lists(_literals(predicates, ["X", "X", "Y", "1"], kinds=["", " in"]), max_size=1))
        known = [one for one in ["X", "Y"] if one in " ".join(body)]
        part, binds = draw(_bounded(predicates, known))
        body.append(part)
        if draw(st.integers(0, 3)) == 0:
            condition = draw(_conditions(predicates, ["Z"]))
            body.append(
                f"{draw(_literals(predicates, [*known, 'Z'], kinds=['', ' in']))} : p(Z), {condition}"
            )
        terms = [
            draw(st.sampled_from([*known, *([binds] if binds else []), "0"])) for _ in range(DERIVED[name])
        ]
        lines.append(f"{_atom(name, terms)} :- {'; '.join(draw(st.permutations(body)))}.")
    return "\n".join(lines)


# --- terms ------------------------------------------------------------------------------------------


@st.composite
def nested_terms(draw: DrawFn) -> str:
    """A stratified program over terms within terms, negative numbers, intervals, pools and constants."""
    leaves = ["X", "X", "X", "X", "Y", "Y", "_", "0", "-1", "x", "c"]
    patterns = [*["{0}"] * 8, "-{0}", "{0}+1", "f({0},{1})", "f({0},{1})", "f(_,{0})", "({0},{1})", "g(-{0})"]
    patterns += ["0..1", "{0}..2", "f({0},0..1)", "({0};{1})", "@now-1", "1-{0}", "2*{0}-1", "f({0},@now-2)"]
    heads = [
        "{0}",
        "-{0}",
        "f({0},{1})",
        "f({1},{0})",
        "g({0})",
        "({0},{1})",
        "{0}..1",
        "f({0},0..1)",
        "{0}*{1}",
    ]

    def terms(number: int, forms: list[str], names: list[str]) -> list[str]:
        leaf = st.sampled_from(names)
        return [draw(st.sampled_from(forms)).format(draw(leaf), draw(leaf)) for _ in range(number)]

    lines = ["#const c = 1."]
    for _ in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from(LEVELS))
        predicates = _below(name)
        body = []
        for _ in range(draw(st.integers(1, 2))):
            seen = draw(st.sampled_from(sorted(predicates)))
            atom = _atom(seen, terms(predicates[seen], patterns, leaves))
            kinds = [
                "",
                "",
                " in",
                " always in",
                " at T in",
                " at 1..2 in",
                " at least X in",
                " at least 1 in",
            ]
            kind = draw(st.sampled_from(kinds))
            body.append(f"{atom}{kind} {draw(TIME_WINDOWS)}" if kind else str(atom))
        known = [one for one in ["X", "Y"] if one in " ".join(body)] or ["0"]
        if draw(st.integers(0, 2)) == 0:
            seen = draw(st.sampled_from(sorted(predicates)))
            atom = _atom(seen, terms(predicates[seen], patterns, [*known, "_"]))
            kind = draw(st.sampled_from(["", "", " in [1]", " at most 1 in [2]", " at @now-1"]))
            body.append(f"{draw(st.sampled_from(['not ', 'not not ']))}{atom}{kind}")
        if draw(st.integers(0, 2)) == 0:
            sign = draw(st.sampled_from(SIGNS))
            (left, right) = terms(2, ["{0}", "{0}+1", "-{0}", "0..1", "f({0},{1})"], [*known, "1"])
            body.append(f"{left} {sign} {right}")
        head = _atom(name, terms(DERIVED[name], heads, known))
        lines.append(f"{head} :- {', '.join(draw(st.permutations(body)))}.")
    return "\n".join(lines)


# --- loops ------------------------------------------------------------------------------------------

_EXCLUDING = [
    "not {q}(X)",
    "#count {{ 1 : {q}(X) }} < 1",
    "#count {{ Y : {q}(Y) }} < 2",
    "#sum {{ 1,Y : {q}(Y) }} <= 1",
    "not #sum {{ 1,Y : {q}(Y), Y != X }} > 0",
    "#count {{ Y : {q}(Y) in [1] }} < 2",
    "{{ {q}(X) }} 0",
    "{{ {q}(Y) : Y != X }} 1",
    "not 1 {{ {q}(Y) : p(Y) }}",
    "not {q}(Y) : p(Y)",
    "#false : {q}(X)",
    "#false : {q}(Y), Y != X",
]
_NEEDING = [
    "{q}(X)",
    "#count {{ Y : {q}(Y) }} >= 1",
    "#sum {{ 1,Y : {q}(Y) }} >= 0",
    "#sum {{ Y : {q}(Y) }} >= 0",
    "1 {{ {q}(Y) : Y != X }}",
    "not not {q}(X)",
    "{q}(Y) : {q}(Y), p(Y)",
    "{q}(X) : r",
    "#count {{ Y : {q}(Y) }} != 1",
]


@st.composite
def even_loops(draw: DrawFn) -> str:
    """A program with loops through negation, aggregates, sets and conditional literals."""
    lines = []
    kinds = draw(st.sampled_from([(_EXCLUDING, _EXCLUDING), (_EXCLUDING, _NEEDING), (_NEEDING, _NEEDING)]))
    for (name, other), forms in zip([("a", "b"), ("b", "a")], kinds, strict=True):
        guard = draw(st.sampled_from(["p(X)", "p(X) in [1]", "e(X,_)", "p(X), r"]))
        lines.append(f"{name}(X) :- {guard}; {draw(st.sampled_from(forms)).format(q=other)}.")
    if draw(st.booleans()):
        body = draw(st.sampled_from(_NEEDING + _EXCLUDING)).format(q=draw(st.sampled_from(["a", "b"])))
        lines.append(f"{draw(st.sampled_from(['b', 'a']))}(X) :- e(X,_); {body}.")
    body = draw(st.sampled_from(_NEEDING + _EXCLUDING)).format(q=draw(st.sampled_from(["a", "b"])))
    lines.append(f"d(X,X) :- p(X); {body}.")
    if draw(st.booleans()):
        body = draw(st.sampled_from(["not a(X)", "not d(_,X)", "not not b(X)", "{ d(Y,_) : Y = X } 0"]))
        lines.append(f"c :- p(X), {body}.")
    lines += draw(
        st.lists(st.sampled_from([":- a(0).", ":- b(1).", ":- c, r.", ":- a(x), not r."]), max_size=1)
    )
    return "\n".join(lines)


# --- decimals ---------------------------------------------------------------------------------------


@st.composite
def with_decimals(draw: DrawFn) -> str:
    """A stratified program with decimals, over all windows."""
    lines = ["#decimals p(1), e(_,1)."]
    number = st.sampled_from(["0.0", "0.5", "-1.5", "1.2", "2.0"])
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(["a", "b", "d"]))
        key = draw(st.sampled_from(["X", "_"]))
        window = draw(windows_for(AtomText("e", ("K", "X")), ALL_WINDOWS))
        other = draw(windows_for(AtomText("p", ("X",)), ALL_WINDOWS))
        kinds = [" in", " always in", " at T in", " count M in", " at least 1 in"]
        body = [
            draw(
                st.sampled_from(
                    [
                        f"p(X){draw(st.sampled_from(kinds))} {other}",
                        f"e(K,X){draw(st.sampled_from(kinds))} {window}",
                        f"p(X), S = #sum {{ Y,K : e(K,Y) in {window} }}, S {draw(st.sampled_from(SIGNS))} X",
                        f"p(X), S = #max {{ Y : e(_,Y) }}, S {draw(st.sampled_from(SIGNS))} {draw(number)}",
                        f"p(X), 1 {{ e(K,{key}) in {window} : p(Y), Y != X }}",
                        f"p(X), N = {{ p(Y) in {other} : Y {draw(st.sampled_from(SIGNS))} X }}",
                        f"p(X), not e(_,X) in {window}",
                        f"p(X), e(_,X) : e(_,X) in {window}",
                        f"p(X), e(K,X) at most 1 in {window} : e(K,_)",
                        f"p(X), X = Y+{draw(number)}, p(Y) in {other}",
                        f"e(K,-X), p(X) in {other}",
                    ]
                )
            )
        ]
        if draw(st.booleans()):
            body.append(f"X {draw(st.sampled_from(SIGNS))} {draw(number)}")
        if name != "a" and draw(st.integers(0, 2)) == 0:
            body.append(draw(st.sampled_from(["not a(X)", "a(X) in [2]", "a(Y), Y <= X"])))
        terms = ["X"] if name in "ab" else [draw(st.sampled_from(["0", "X"])), "X"]
        lines.append(f"{_atom(name, terms)} :- {'; '.join(draw(st.permutations(body)))}.")
    return "\n".join(lines)


EXPLAINED: Mapping[str, SearchStrategy[Case]] = {
    **GROUPS,
    # Sets and aggregates in bodies, of which the conditions bind nothing; `_` and intervals in them.
    "sets in bodies": cases(counting_sets(), values=NUMBERS, complete=3),
    # Functions with `_`, intervals, pools, negative numbers, constants and `@now` within atoms.
    "terms within terms": cases(nested_terms(), values=TERMS),
    # Loops through negation, aggregates, sets and conditional literals.
    "loops through sets": cases(even_loops()),
    # Decimals over all windows, those of arrivals as well.
    "decimals": cases(with_decimals(), values=SCALED, complete=3),
}
"""The groups of random programs whose explanations are checked."""
