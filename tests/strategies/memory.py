"""Random programs that remember: rules over windows of offsets, mostly past ones, that look at each other."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

_REMEMBERED = ["a", "b", "g"]
"""Predicates that rules derive; streams may tell all but the last one as well."""
_OFFSETS = st.lists(st.sampled_from([1, 1, 1, 2, 2, 3, 5]), min_size=1, max_size=3)


@st.composite
def _windows(draw: DrawFn) -> str:
    now = [0] if draw(st.integers(0, 29)) == 7 else []
    return "{" + ",".join(map(str, [*now, *draw(_OFFSETS)])) + "}"


@st.composite
def _literals(draw: DrawFn, name: str) -> str:
    kinds = ["in", "in", "in", "always in", "at least 2 in", "at least 1 in", "count 1 in", "count N in"]
    kind = draw(st.sampled_from([*kinds, "at T in", "at T in"]))
    return f"{name}(X) {kind} {draw(_windows())}"


@st.composite
def _rules(draw: DrawFn, name: str) -> str:
    other = draw(st.sampled_from([*_REMEMBERED, "p"]))
    seen = draw(st.sampled_from([name, name, other]))
    body = [draw(st.one_of(_literals(seen), st.just("p(X)"))) if seen == "p" else draw(_literals(seen))]
    told = ["", "p(X)", "not p(X)", "not e(X,_)", "e(X,Y)", "r", "not r", "p(X) in [2]"]
    past = f"{draw(st.sampled_from(['not ', 'not ', '']))}{other}(X) in {{{draw(st.integers(1, 4))}}}"
    body += [*filter(None, [draw(st.sampled_from(told)), draw(st.sampled_from(["", "", past]))])]
    head = f"{name}(X)"
    if any(" at T " in literal for literal in body) and draw(st.integers(0, 4)) == 3:
        head = f"{name}(X) at T+{draw(st.integers(0, 6))}"
    temporary = "#temp " if draw(st.integers(0, 29)) == 7 else ""
    return f"{temporary}{head} :- {', '.join(body)}."


@st.composite
def _observers(draw: DrawFn) -> str:
    literal = draw(_literals(draw(st.sampled_from([*_REMEMBERED, "p"]))))
    last = next((term for term in ("T", "N") if f" {term} " in literal), "0")
    return f"d(X,{last}) :- {literal}."


@st.composite
def remembering_programs(draw: DrawFn) -> str:
    """A program for which what rules derive at a tick depends on what they derived before."""
    begins = st.sampled_from(["p(X)", "p(X) in {2}", "e(X,_)", "p(X), not e(X,_)"])
    lines = [f"{name}(X) :- {draw(begins)}." for name in draw(st.permutations(_REMEMBERED))[:2]]
    for _ in range(draw(st.integers(1, 3))):
        lines.append(draw(_rules(draw(st.sampled_from(_REMEMBERED)))))
    lines += draw(st.lists(_observers(), max_size=2))
    lines += draw(st.sampled_from([[], [], [], ["a(1)."], ["p(0)."]]))
    return "\n".join(lines)
