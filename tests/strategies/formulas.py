"""Random programs with formulas in brackets under windows, which nest."""

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.strategies.streams import DERIVED, INPUTS, Case, cases
from tests.strategies.windows import TIME_WINDOWS

LEVELS = ["a", "b", "c", "d"]
_KINDS = ["in", "in", "always in", "always in", "at T in", "at least 2 in", "at most 1 in", "count N in"]


@st.composite
def _atom(draw: DrawFn, predicates: dict[str, int], terms: list[str]) -> str:
    name = draw(st.sampled_from(sorted(predicates)))
    arguments = [draw(st.sampled_from(terms)) for _ in range(predicates[name])]
    return f"{name}({','.join(arguments)})" if arguments else name


@st.composite
def _conjunction(draw: DrawFn, predicates: dict[str, int], names: list[str], depth: int) -> str:
    """Literals that bind the variables with these names, the first ones one by one."""
    literals = []
    for name in names or [""]:
        wide = {one: arity for one, arity in predicates.items() if arity or not name}
        atom = draw(_atom(wide, [name] if name else ["_", "0"]))
        if depth and draw(st.integers(0, 2)) == 0:
            atom = f"({draw(_formula(predicates, [name] if name else [], depth - 1))})"
            atom = f"{atom} {draw(st.sampled_from(['in', 'always in']))} {draw(TIME_WINDOWS)}"
        elif draw(st.integers(0, 3)) == 0:
            atom = f"{atom} in {draw(TIME_WINDOWS)}"
        literals.append(atom)
    for _ in range(draw(st.integers(0, 2))):
        sign = draw(st.sampled_from(["", "not ", "not "]))
        literals.append(sign + draw(_atom(predicates, [*names, *names, "1", "_"])))
    if names and draw(st.integers(0, 3)) == 0:
        literals.append(f"{names[0]} {draw(st.sampled_from(['!=', '<', '>=']))} 1")
    return ", ".join(literals)


@st.composite
def _formula(draw: DrawFn, predicates: dict[str, int], names: list[str], depth: int) -> str:
    number = draw(st.sampled_from([1, 1, 2]))
    return " or ".join(draw(_conjunction(predicates, names, depth)) for _ in range(number))


@st.composite
def _rule(draw: DrawFn, head: str) -> str:
    """A rule for a predicate, over the input and the predicates before it."""
    predicates = INPUTS | {name: DERIVED[name] for name in LEVELS[: LEVELS.index(head)]}
    names = draw(st.sampled_from([[], ["X"], ["X"], ["X", "Y"]]))
    kind = draw(st.sampled_from(_KINDS))
    body = [f"({draw(_formula(predicates, names, 2))}) {kind} {draw(TIME_WINDOWS)}"]
    if "most" in kind:  # its variables are bound elsewhere
        body += [f"p({name}) in [4]" for name in names]
    known = [*names, *(["T"] if "T" in kind else []), *(["N"] if "N" in kind else [])]
    if names and draw(st.integers(0, 2)) == 0:
        body.append(f"not ({draw(_formula(predicates, names[:1], 1))}) in {draw(TIME_WINDOWS)}")
    shown = [*known, "0", "x"][: DERIVED[head]]
    rest = [f"{name} = {name}" for name in known if name not in shown]
    return f"{head}{f'({chr(44).join(shown)})' if shown else ''} :- {', '.join([*body, *rest])}."


@st.composite
def formula_programs(draw: DrawFn) -> str:
    """Rules for some predicates, each over those before it."""
    heads = draw(st.lists(st.sampled_from(LEVELS), min_size=1, max_size=4))
    return "\n".join(draw(_rule(head)) for head in heads)


def _recorded(case: Case) -> Case:
    return replace(case, semantics="recorded")


FORMULAS: SearchStrategy[Case] = cases(formula_programs()).map(_recorded)
"""With recorded semantics, which formulas need."""
