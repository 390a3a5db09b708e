"""Random programs with choices and constraints, most of whose atoms share a key."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.strategies.windows import TIME_WINDOWS

CHOICES = [
    "{{ a(X) }} :- p(X){w}.",
    "1 {{ d(X,V) : k(V) }} 1 :- e(X,_){w}.",
    "1 {{ d(X,V) : k(V) }} :- p(X){w}, not e(X,1).",
    "{{ d(X,V) : e(X,V){w} }} 1 :- p(X).",
    "a(X) ; b(X) :- p(X){w}.",
    "1 {{ a(X) ; b(X) }} 1 :- e(X,_){w}.",
    "a(X) :- p(X){w}, not b(X). b(X) :- e(X,_), not a(X).",
    "1 #count {{ V : d(X,V) : e(_,V) }} :- p(X){w}.",
    "{{ a(X) : e(Y,X) }} 1 :- p(Y).",
]
CONSTRAINTS = [
    ":- a(X), e(X,1){w}.",
    ":- d(X,0), not p(X){w}.",
    ":- p(X), not a(X), not e(X,_){w}.",
    ":- a(X), b(X).",
    ":- a(1), p(1){w}.",
    ":- a(X), r{w}.",
    ":- e(X,_) at least 2 in [2], not b(X).",
    ":- p(X), #count {{ V : d(X,V) }} > 1.",
    ":- e(X,X){w}, not a(X).",
    ":- p(x){w}, e(x,_).",
    ":- d(X,V), e(V,X){w}.",
    ":- not p(X) in [3], k(X).",
    ":- not e(X,_) in [3], k(X), p(_).",
    ":- r{w}.",
]
OTHERS = [
    "g(X) :- a(X), not p(X){w}.",
    "b(X) :- a(X), e(X,_){w}.",
    "f(X,N) :- p(X){w}, N = #count {{ V : d(X,V) }}.",
    "g(X) :- e(X,_){w}.",
    "a(X) :- e(X,0){w}.",
    "c :- g(_).",
    "f(Y,X) :- e(X,Y){w}.",
    "g(X) :- b(X){w}.",
    "g(X) :- e(X,_), not a(X){w}.",
]
FACTS = ["k(0).", "k(1).", "k(x).", "p(0).", "a(1).", "e(1,0)."]


@st.composite
def keyed_choices(draw: DrawFn) -> str:
    """A program that may have several answer streams, or none, and mostly those of each key."""
    often = st.sampled_from([*FACTS[:2] * 4, *FACTS])
    rules = draw(st.lists(st.sampled_from(CHOICES), max_size=2, unique=True))
    rules += draw(st.lists(st.sampled_from(CONSTRAINTS), min_size=not rules, max_size=2, unique=True))
    rules += draw(st.lists(st.sampled_from(OTHERS), max_size=2, unique=True))
    windows = st.one_of(st.just(""), TIME_WINDOWS.map(lambda window: f" in {window}"))
    lines = [rule.format(w=draw(windows)) for rule in rules]
    lines += draw(st.lists(often, max_size=3, unique=True))
    if draw(st.integers(0, 3)) == 0:
        shown = ["a/1", "b/1", "d/2", "g/1", "p/1", "e/2"]
        lines += [f"#show {s}." for s in draw(st.lists(st.sampled_from(shown), min_size=1, unique=True))]
    return "\n".join(lines)
