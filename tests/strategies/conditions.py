"""Random programs with conditional literals and aggregates over streaming atoms, stratified."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.strategies.parts import (
    CONSTANT_LITERALS,
    LEVELS,
    POSITIVE_KINDS,
    TERMS,
    AtomText,
    Body,
    Predicates,
    Style,
    atoms,
    below,
    bodies,
    facts,
    streaming,
    windows_for,
)
from tests.strategies.streams import DERIVED
from tests.strategies.windows import ALL_WINDOWS

OUTSIDE = Style(
    ("now", "in", "always", "at in", "count"), ALL_WINDOWS, sizes=(0, 0, 0, 1, 1, 2), most_negated=1
)
LOCAL = ["U", "U", "U", "V", "V"]


@st.composite
def _conditions(draw: DrawFn, predicates: Predicates, body: Body) -> tuple[list[str], set[str]]:
    """One or two literals with variables of their own, and the variables that they bind."""
    literals: list[str] = []
    bound: set[str] = set()
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        atom = draw(atoms(predicates, [*LOCAL, *LOCAL, *body.terms()]))
        window = draw(windows_for(atom, ALL_WINDOWS))
        kind = draw(
            st.sampled_from(["", " in", " in", " always in", " at S in", " count M in", " at least 2 in"])
        )
        literals.append(f"{atom}{kind} {window}" if kind else str(atom))
        bound |= atom.variables - body.bound
        bound |= {"S"} if " at S" in kind else {"M"} if " count M" in kind else set()
    if draw(st.integers(0, 2)) == 0:
        atom = draw(atoms(predicates, [*sorted(bound), *sorted(bound), *body.terms(), *TERMS]))
        kind = draw(st.sampled_from(["now", "in", "always", "at least", "at most"]))
        literals.append(f"not {draw(streaming(atom, kind, ALL_WINDOWS, Body(bound={'K'}), binds=False))}")
        if "K" in literals[-1]:
            literals.append("k(K)")
    if draw(st.integers(0, 5)) == 0:
        literals.append(draw(CONSTANT_LITERALS))
    return literals, bound


@st.composite
def _conditional_literals(draw: DrawFn, predicates: Predicates, body: Body) -> str:
    condition, bound = draw(_conditions(predicates, body))
    atom = draw(atoms(predicates, [*sorted(bound), *sorted(bound), *body.terms()]))
    kind = draw(st.sampled_from(["now", *POSITIVE_KINDS]))
    inner = Body(bound=set(bound | body.bound | {"K"}))
    literal = draw(streaming(atom, kind, ALL_WINDOWS, inner, binds=False))
    if "K" in literal:
        condition.append("k(K)")
    if " S" in literal and "S" not in bound:
        return f"#true : {', '.join(condition)}"
    if atom.arguments and "by" not in literal and draw(st.integers(0, 2)) == 0:
        terms = [*sorted(bound), *body.terms()]
        other = draw(atoms({atom.name: len(atom.arguments)}, terms))
        pool = f"{atom.name}({','.join(atom.arguments)};{','.join(other.arguments)})"
        literal = literal.replace(str(atom), pool, 1)
    sign = draw(st.sampled_from(["", "", "not ", "not not "]))
    return f"{sign}{literal} : {', '.join(condition)}"


@st.composite
def _aggregates(draw: DrawFn, predicates: Predicates, body: Body) -> str:
    elements = []
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        condition, bound = draw(_conditions(predicates, body))
        terms = draw(st.lists(st.sampled_from([*sorted(bound), "1"]), min_size=1, max_size=2))
        elements.append(f"{','.join(terms)} : {', '.join(condition)}")
    function = draw(st.sampled_from(["#count", "#count", "#sum", "#sum+", "#min", "#max"]))
    inside = f"{function} {{ {' ; '.join(elements)} }}"
    return draw(_guarded(inside, body))


@st.composite
def _set_aggregates(draw: DrawFn, predicates: Predicates, body: Body) -> str:
    elements = []
    for _ in range(draw(st.sampled_from([1, 2]))):
        condition, bound = draw(_conditions(predicates, body))
        atom = draw(atoms(predicates, [*sorted(bound), *body.terms()]))
        kind = draw(st.sampled_from(["now", "in", "always", "at least"]))
        inner = Body(bound={"K"})
        literal = draw(streaming(atom, kind, ALL_WINDOWS, inner, binds=False))
        if "K" in literal:
            condition.append("k(K)")
        elements.append(f"{draw(st.sampled_from(['', '', 'not ']))}{literal} : {', '.join(condition)}")
    return draw(_guarded(f"{{ {' ; '.join(elements)} }}", body))


@st.composite
def _guarded(draw: DrawFn, aggregate: str, body: Body) -> str:
    if "C" not in body.bound and draw(st.booleans()):
        body.bound.add("C")
        return f"C = {aggregate}"
    sign = draw(st.sampled_from(["", "", "not ", "not not "]))
    left = draw(st.sampled_from(["", "1 ", "2 > ", "0 != "]))
    right = draw(st.sampled_from(["", " 1", " >= 2", " = 1"]))
    return f"{sign}{left}{aggregate}{right if left or right else ' >= 1'}"


@st.composite
def conditional_programs(draw: DrawFn) -> str:
    """A program in which streaming atoms stand under conditional literals and in aggregates."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(LEVELS))
        predicates = below(name)
        body = draw(bodies(OUTSIDE, predicates))
        part = draw(
            st.sampled_from([_conditional_literals, _conditional_literals, _aggregates, _set_aggregates])
        )
        body.literals.append(draw(part(predicates, body)))
        body.literals = list(draw(st.permutations(body.literals)))
        head: AtomText = draw(atoms({name: DERIVED[name]}, body.terms()))
        lines.append(f"{head} :- {body.text()}.")
    return "\n".join([*lines, *draw(facts())])
