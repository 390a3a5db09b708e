"""Random programs with `#true` or `#false`, under all signs, beside `at most`, wherever literals stand."""

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.strategies.parts import LIMIT_FACTS

_SIGNS = st.sampled_from(["", "not ", "not not "])


@st.composite
def _beside(draw: DrawFn, atoms: Sequence[str]) -> list[str]:
    """A constant and an `at most`, in either order."""
    constant = draw(_SIGNS) + draw(st.sampled_from(["#true", "#false"]))
    atom, number = draw(st.sampled_from(atoms)), draw(st.sampled_from(["0", "1", "K", "K"]))
    few = f"{draw(_SIGNS)}{atom} at most {number} in [{draw(st.integers(0, 2))}]"
    return draw(st.permutations([constant, few]))


@st.composite
def _rules(draw: DrawFn) -> str:
    first, second = draw(_beside(["r", "p(0)", "e(0,1)"]))
    both = f"{first}, {second}, k(K)"
    return draw(
        st.sampled_from(
            [
                f"d(K,0) :- {both}.",
                f":- {both}, r.",
                f"c :- {first} : {second}, k(K).",
                f"c :- p(X) : {both}, e(X,_) in [1].",
                f"b(N) :- N = #count {{ X,K : {both}, p(X) }}.",
                f"c :- 1 {{ p(X) : {both}, e(X,_) in [1] }}.",
                f"{{ b(X) : {both}, p(X) }}.",
                f"{{ b(X) : {both}, p(X) }} 1 :- r.",
                f"b(X) : {both}, p(X).",
                f"c ; b(X) : {both}, p(X) :- r.",
            ]
        )
    )


@st.composite
def constant_programs(draw: DrawFn) -> str:
    """Such rules, and a fact of a predicate that they may derive."""
    rules = draw(st.lists(_rules(), min_size=1, max_size=2))
    facts = draw(st.lists(st.sampled_from(["b(1).", "c.", "d(1,0)."]), max_size=1))
    return "\n".join([*rules, *facts, LIMIT_FACTS])
