"""Random symbols, whatever their names are."""

from clingo import Function, Infimum, Number, String, Supremum
from hypothesis import strategies as st

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)

NAMES = st.one_of(
    st.sampled_from(
        ["a", "b", "_c", "d'", "not", "New York", "X", "1", "-1", "x,y", "f(1)", "#inf", '"s"', "["]
    ),
    TEXTS.filter(bool),
)

SYMBOLS = st.recursive(
    st.one_of(
        st.integers(-(2**31), 2**31 - 1).map(Number),
        TEXTS.map(String),
        st.sampled_from(['"', "\\", "\\n", "\n", 'a"b\\"c', "1", "a"]).map(String),
        st.sampled_from([Infimum, Supremum, Function("", []), Function("", [], False)]),
        st.builds(Function, NAMES, st.just([]), st.booleans()),
    ),
    lambda inner: st.builds(
        Function, st.one_of(st.just(""), NAMES), st.lists(inner, min_size=1, max_size=3), st.booleans()
    ),
    max_leaves=8,
)
