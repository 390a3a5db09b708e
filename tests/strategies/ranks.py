"""Random programs that ask of rows how many others of their group are before them."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.oracle import Value

_WINDOWS = ["[2]", "[2]", "[5]", "[1..3]", "[3 step 2]", "[every 2]", "{0..1}", "[2 #]"]

RANKED: list[Value] = [0, 1, 2, 3]
"""Numbers alone: where others stand among them, which is said, ranks are not worked out by themselves."""

_BODIES = [
    # the row, what is counted, how its rows are compared: without groups, and in groups
    (
        "e(X,Y)",
        "e(U,V)",
        ["(V,U) {} (Y,X)", "(U,V) {} (X,Y)", "V {} Y", "(V,) {} (Y,)"],
        ["U", "U,V", "V,U,0"],
    ),
    ("e(X,Y)", "e(X,V)", ["V {} Y", "(V,X) {} (Y,X)", "(X,V) {} (X,Y)"], ["V", "V,Y", "X"]),
    ("p(X)", "p(U)", ["U {} X"], ["U", "0"]),
    ("p(X)", "e(U,V)", ["V {} X", "U {} X"], ["U", "V", "V,U"]),
    ("e(X,Y)", "p(U)", ["U {} Y", "(U,U) {} (X,Y)"], ["U", "U,X"]),
]
_KINDS = ["", "", " in", " in", " at {} in", " count {} in"]


@st.composite
def _row(draw: DrawFn, text: str, last: str) -> str:
    """An atom, perhaps in a window; `last` is the variable for a tick or number."""
    name, arguments = text[0], text[1:]
    name = draw(st.sampled_from([name, name, {"e": "d", "p": "a"}[name]]))
    kind = draw(st.sampled_from(_KINDS)).format(last)
    is_told = name in "ep" or draw(st.integers(0, 5)) == 0
    return (
        f"{name}{arguments}{kind} {draw(st.sampled_from(_WINDOWS))}" if kind and is_told else name + arguments
    )


@st.composite
def ranking_programs(draw: DrawFn) -> str:
    """One or two rules over what is told or derived; the same atom in windows may be both sides."""
    lines = ["d(Y,X) :- e(X,Y) in [2]." if draw(st.booleans()) else "d(X,Y) :- e(X,Y), not p(X) in [1]."]
    lines.append("a(X) :- e(X,_) in {1,2}, not r." if draw(st.booleans()) else "a(Y) :- e(_,Y).")
    for number in range(draw(st.integers(1, 2))):
        row, other, comparisons, counts = draw(st.sampled_from(_BODIES))
        first = draw(_row(row, "S"))
        second = draw(_row(other, draw(st.sampled_from(["S", "T", "T"]))))
        if draw(st.booleans()):  # the rows are of the same atom, in the same window
            arguments = "(U)" if first[0] in "pa" else other[1:] if other[0] == "e" else "(U,V)"
            second = f"{first[0]}{arguments}{first[first.index(')') + 1 :]}".replace(" S ", " T ")
        sign = draw(st.sampled_from(["<", ">", "<=", ">=", ">", "!="]))
        comparison = draw(st.sampled_from(comparisons)).format(sign)
        if "V" in comparison and "V" not in second:
            second = f"e(U,V), {second}"
        if draw(st.integers(0, 4)) == 0:
            left, _, right = comparison.partition(f" {sign} ")
            comparison = f"{right} {sign} {left}"
        count = draw(st.sampled_from(counts)).replace("V", "V" if "V" in second else "U")
        inside = f"#count {{ {count} : {second}, {comparison} }}"
        bound = draw(
            st.sampled_from(["< 1", "< 2", "<= 1", "< 3", ">= 2", "> 1", "= 0", "!= 0", "= 1", "< 0"])
        )
        more = draw(st.sampled_from(["", "", "", ", not p(X)", ", X != 0"]))
        lines.append(f"k{number}(X) :- {first}, {inside} {bound}{more}.")
    return "\n".join(lines)
