"""Random programs with aggregates by group, over windows, nested in negation; ties are common."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.strategies.parts import LEVELS, AtomText, windows_for
from tests.strategies.streams import DERIVED, INPUTS
from tests.strategies.windows import ALL_WINDOWS

FUNCTIONS = ["#count", "#sum", "#sum", "#sum+", "#min", "#max"]
_KINDS = ["", " in", " in", " in", " always in", " at S in", " count M in"]


@st.composite
def _literals(draw: DrawFn, predicates: dict[str, int], terms: list[str]) -> str:
    name = draw(st.sampled_from(sorted(predicates)))
    atom = AtomText(name, tuple(draw(st.sampled_from(terms)) for _ in range(predicates[name])))
    kind = draw(st.sampled_from(_KINDS))
    return f"{atom}{kind} {draw(windows_for(atom, ALL_WINDOWS))}" if kind else str(atom)


def _negated(predicates: dict[str, int], terms: list[str]) -> SearchStrategy[str]:
    """A literal that binds nothing: ticks and counts are given."""
    return _literals(predicates, terms).map(
        lambda literal: f"not {literal.replace(' at S ', ' at 1 ').replace(' count M ', ' count 1 ')}"
    )


@st.composite
def _elements(draw: DrawFn, predicates: dict[str, int], known: list[str]) -> str:
    """An element over local variables U, V and the global ones."""
    literals = [
        draw(_literals(predicates, ["U", "U", "V", *known, "_"])) for _ in range(draw(st.integers(1, 2)))
    ]
    text = " ".join(literals)
    bound = [name for name in ["U", "V"] if name in text]
    bound += [name for name in ["S", "M"] if f" {name} " in text]
    if bound and draw(st.integers(0, 2)) == 0:
        literals.append(draw(_negated(INPUTS, [*bound, *known, "0", "x"])))
    if bound and draw(st.integers(0, 3)) == 0:
        sign, other = draw(st.sampled_from(["<", "!=", ">="])), draw(st.sampled_from([*known, "1", "x"]))
        literals.append(f"{draw(st.sampled_from(bound))} {sign} {other}")
    weights = [*bound, *bound, "1", *(["2*U"] if "U" in bound else []), *(["-U"] if "U" in bound else [])]
    terms = [draw(st.sampled_from(weights)), *draw(st.lists(st.sampled_from([*bound, "0"]), max_size=2))]
    return f"{','.join(terms)} : {', '.join(literals)}"


@st.composite
def _aggregates(
    draw: DrawFn, predicates: dict[str, int], known: list[str], number: int
) -> tuple[str, str | None]:
    """An aggregate, and the variable that it binds."""
    elements = [draw(_elements(predicates, known)) for _ in range(draw(st.sampled_from([1, 1, 1, 2])))]
    inside = f"{draw(st.sampled_from(FUNCTIONS))} {{ {' ; '.join(elements)} }}"
    if draw(st.integers(0, 2)) == 0:
        return f"N{number} = {inside}", f"N{number}"
    sign = draw(st.sampled_from(["", "", "", "not ", "not not "]))
    bounds = [*known, "0", "1", "1", "2", "x"]
    left = draw(st.sampled_from(["", "", "{} <= ", "{} < ", "{} != "])).format(draw(st.sampled_from(bounds)))
    right = draw(st.sampled_from([" >= {}", " > {}", " = {}", " <= {}", " != {}", ""])).format(
        draw(st.sampled_from(bounds))
    )
    return f"{sign}{left}{inside}{right if left or right else ' >= 1'}", None


@st.composite
def _rules(draw: DrawFn, name: str) -> str:
    predicates = INPUTS | {below: DERIVED[below] for below in LEVELS[: LEVELS.index(name)]}
    body = [
        draw(_literals(predicates, ["X", "X", "Y", "0"])) for _ in range(draw(st.sampled_from([0, 1, 1, 2])))
    ]
    text = " ".join(body)
    known = [name for name in ["X", "Y"] if name in text]
    for number in range(draw(st.sampled_from([1, 1, 2]))):
        aggregate, binds = draw(_aggregates(predicates, list(known), number))
        body.append(aggregate)
        known += [binds] if binds else []
    if known and draw(st.integers(0, 3)) == 0:
        body.append(draw(_negated(predicates, [*known, "0", "_"])))
    terms = [draw(st.sampled_from([*known, *known, "0"])) for _ in range(DERIVED[name])]
    return f"{AtomText(name, tuple(terms))} :- {'; '.join(draw(st.permutations(body)))}."


@st.composite
def aggregating_programs(draw: DrawFn) -> str:
    """A stratified program; lower predicates may be counted by those above, and negated."""
    lines = [draw(_rules(draw(st.sampled_from(LEVELS)))) for _ in range(draw(st.integers(1, 3)))]
    if draw(st.booleans()):
        lines.append("d(X,Y) :- e(X,Y), not a(X), not b(Y).")
    return "\n".join(lines)
