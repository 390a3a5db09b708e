"""Random programs with several answer streams, or none: choices, disjunctions, loops, constraints."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.strategies.heads import placed
from tests.strategies.parts import (
    EVERYTHING,
    LEVELS,
    Body,
    Style,
    atoms,
    bodies,
    facts,
    observers,
    plain_heads,
    rules,
)
from tests.strategies.streams import DERIVED, INPUTS
from tests.strategies.windows import SLIDING, SPAN_WINDOWS, TICK_WINDOWS

STYLE = Style(("now", "in", "in", "always", "at in", "at", "at least"), SPAN_WINDOWS)
SMALL = Style(("now", "in", "at in"), TICK_WINDOWS, sizes=(1, 1, 1, 2), most_negated=1)
SHORT = st.integers(0, 2).map(lambda size: f"[{size}]")

_COUNTED = [
    "#count { U : p(U) } >= 1",
    "not #sum { U,V : e(U,V) } >= 2",
    "1 { p(U) : e(U,V) ; e(U,V) }",
    "#count { U : p(U) in [1], not e(U,U) } < 2",
    "not p(U) : e(U,V)",
]


@st.composite
def _bounds(draw: DrawFn) -> tuple[str, str]:
    return draw(
        st.sampled_from(
            [
                ("", ""),
                ("", ""),
                ("", " 1"),
                ("1 ", ""),
                ("1 ", " 1"),
                ("", " = 1"),
                ("2 > ", ""),
                ("", " != 2"),
            ]
        )
    )


@st.composite
def _conditional_heads(draw: DrawFn, body: Body | None = None) -> str:
    """An element of a head with a condition, which may share variables with the body."""
    window, term = draw(SHORT), draw(st.sampled_from((body or Body()).terms()))
    return draw(
        st.sampled_from(
            [
                f"a(U) : p(U) in {window}",
                f"b(U) : p(U) always in {window}",
                f"d(U,V) : e(U,V) in {window}, not p(U)",
                f"a(U) at S : p(U) at S in {window}",
                f"b(U) at S+1 : p(U) at S in {window}",
                f"c at S : r at S in {window}",
                "b(U) : e(U,_), k(U)",
                f"a(U) : e(U,{term}), U != {term}",
                f"d({term},U) : e({term},U) in {window}, U != 1",
                f"b(U) : a(U), not p({term})",
                f"a(U) : b(U) in {window}",
            ]
        )
    )


@st.composite
def _choices(draw: DrawFn) -> str:
    body = draw(bodies(SMALL, EVERYTHING, negated=INPUTS, counted=INPUTS))
    name = draw(st.sampled_from(LEVELS))
    elements = draw(
        st.lists(
            st.one_of(
                _conditional_heads(body), plain_heads(name, body), placed(name, body, arithmetic=False)
            ),
            min_size=1,
            max_size=2,
        )
    )
    left, right = draw(_bounds())
    if draw(st.integers(0, 3)) == 0:  # elements of the body may have the local variables of the head
        body.literals.append(draw(st.sampled_from(_COUNTED)))
    end = f" :- {body.text()}." if draw(st.integers(0, 3)) else "."
    if end == ".":
        elements = [draw(_conditional_heads())]
    return f"{left}{{ {' ; '.join(elements)} }}{right}{end}"


@st.composite
def _disjunctions(draw: DrawFn) -> str:
    body = draw(bodies(SMALL, EVERYTHING, negated=INPUTS, counted=INPUTS))
    names = draw(st.lists(st.sampled_from(LEVELS), min_size=2, max_size=2))
    elements = [
        draw(
            st.one_of(plain_heads(name, body), plain_heads(name, body), placed(name, body, arithmetic=False))
        )
        for name in names
    ]
    if draw(st.integers(0, 3)) == 0:
        elements.append(draw(_conditional_heads(body)))
    if draw(st.integers(0, 7)) == 0:
        elements.append(f"not {draw(plain_heads(draw(st.sampled_from(LEVELS)), body))}")
    return f"{' ; '.join(elements)} :- {body.text()}."


@st.composite
def _loops(draw: DrawFn) -> str:
    """An even loop through negation, or an odd one."""
    window, back = (
        draw(SLIDING),
        draw(st.sampled_from(["", " in [0]", " in [1]", " always in [1]", " in {1}"])),
    )
    if draw(st.integers(0, 4)) == 0:
        return f"c :- r in {window}, not c{back}."
    other = draw(SHORT)
    return f"a(X) :- p(X) in {other}, not b(X){back}.\nb(X) :- p(X) in {other}, not a(X)."


@st.composite
def _constraints(draw: DrawFn) -> str:
    body = draw(bodies(STYLE, DERIVED, negated=EVERYTHING, counted=DERIVED))
    return f":- {body.text()}."


@st.composite
def choosing_programs(draw: DrawFn) -> str:
    """A program that leaves something open."""
    lines = draw(st.lists(st.one_of(_choices(), _disjunctions(), _loops()), min_size=1, max_size=2))
    for _ in range(draw(st.integers(0, 2))):
        name, kind = draw(st.sampled_from(LEVELS)), draw(st.sampled_from([rules, observers]))
        lines.append(draw(kind(STYLE, name, EVERYTHING)))
    lines += draw(st.lists(_constraints(), max_size=1))
    if draw(st.integers(0, 5)) == 0:
        head = draw(atoms({"c": 0, "b": 1}, ["0"]))
        lines.append(f"#temp {head} :- a(0) in [1].")
    return "\n".join([*lines, *draw(facts())])
