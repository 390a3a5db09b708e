"""Random programs over functions, tuples and numbers: matching, building, arithmetic, intervals."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.oracle import Value
from tests.strategies.parts import LEVELS
from tests.strategies.streams import DERIVED, INPUTS
from tests.strategies.windows import TIME_WINDOWS

VALUES: list[Value] = [
    *(-1, 0, 1, 2, ("x", ()), ('"', "x")),
    *(("f", (0,)), ("f", (1,)), ("f", (("x", ()),)), ("f", (("f", (1,)),))),
    *(("g", (0, 1)), ("g", (1, ("x", ()))), ("", (0, 1)), ("", (2,))),
]
VARIABLES = ["X", "Y", "Z"]
GROUND = ["0", "1", "x", '"x"', "f(1)", "(0,1)"]
_WINDOW = TIME_WINDOWS.map(lambda window: f" in {window}")
_OVER = st.one_of(st.just(""), _WINDOW, _WINDOW, TIME_WINDOWS.map(lambda window: f" always in {window}"))


@st.composite
def _patterns(draw: DrawFn, names: list[str]) -> str:
    """A term with variables, as it stands in atoms that are matched."""
    leaf = st.sampled_from([*names, *names, *GROUND])
    form = draw(
        st.sampled_from(["{0}", "{0}", "{0}", "f({0})", "g({0},{1})", "({0},{1})", "f(f({0}))", "({0},)"])
    )
    return form.format(draw(leaf), draw(leaf))


@st.composite
def _computed(draw: DrawFn, known: list[str]) -> str:
    """A term over variables that have values."""
    leaf = st.sampled_from([*known, *known, "1", "2", "-1"])
    forms = [
        "{0}+{1}",
        "{0}-{1}",
        "{0}*{1}",
        "{0}/{1}",
        "{0}\\{1}",
        "|{0}|",
        "-{0}",
        "2*{0}+1",
        "~{0}",
        "{0}&{1}",
    ]
    form = draw(st.sampled_from([*forms, "f({0})", "g({0},{1})", "f({0}+{1})", "({0},{1})"]))
    return form.format(draw(leaf), draw(leaf))


def _atom(name: str, arity: int, terms: list[str]) -> str:
    return f"{name}({','.join(terms[:arity])})" if arity else name


@st.composite
def _rules(draw: DrawFn, name: str) -> str:
    predicates = INPUTS | {below: DERIVED[below] for below in LEVELS[: LEVELS.index(name)]}
    body: list[str] = []
    bound: set[str] = set()
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        seen = draw(st.sampled_from(sorted(predicates)))
        terms = [draw(_patterns([*VARIABLES, "_"])) for _ in range(2)]
        body.append(_atom(seen, predicates[seen], terms) + draw(_OVER))
        bound |= {v for v in VARIABLES for term in terms[: predicates[seen]] if v in term}
    known = sorted(bound)
    for _ in range(draw(st.sampled_from([0, 1, 1, 2])) if known else 0):
        one, other = draw(st.sampled_from(known)), draw(st.sampled_from([*known, "0", "1", "f(1)"]))
        kind = draw(st.sampled_from(["compare", "bind", "bind", "unify", "interval", "test", "within"]))
        fresh = f"V{len(body)}"
        match kind:
            case "compare":
                body.append(f"{one} {draw(st.sampled_from(['<', '<=', '!=', '>', '>=', '=']))} {other}")
            case "bind":
                body.append(f"{fresh} = {draw(_computed(known))}")
            case "unify":
                body.append(
                    f"{draw(st.sampled_from(['f({0})', 'g({0},1)', '({0},1)'])).format(fresh)} = {one}"
                )
            case "interval":
                ends = draw(st.sampled_from(["0..2", f"{one}..2", f"0..{one}", f"{one}..{other}"]))
                body.append(f"{fresh} = {ends}")
            case "within":
                body.append(f"{one} = {draw(st.sampled_from(['0..1', f'1..{other}']))}")
                continue
            case "test":
                body.append(f"{draw(_computed(known))} {draw(st.sampled_from(['<', '=', '!=']))} {other}")
        if kind in ("bind", "unify", "interval"):
            known.append(fresh)
    if draw(st.booleans()) and known:
        seen = draw(st.sampled_from(sorted(predicates)))
        terms = [draw(st.one_of(_patterns([*known, "_"]), _computed(known))) for _ in range(2)]
        sign = draw(st.sampled_from(["not ", "not ", "not not "]))
        body.append(sign + _atom(seen, predicates[seen], terms) + draw(_OVER))
    heads = [draw(st.one_of(_patterns(known), _computed(known))) if known else draw(st.sampled_from(GROUND))]
    heads.append(draw(st.sampled_from([*known, *GROUND])))
    return f"{_atom(name, DERIVED[name], heads)} :- {'; '.join(draw(st.permutations(body)))}."


@st.composite
def functional_programs(draw: DrawFn) -> str:
    """A stratified program over functions, tuples and numbers, with facts of some."""
    rules = [draw(_rules(draw(st.sampled_from(LEVELS)))) for _ in range(draw(st.integers(1, 4)))]
    terms = st.sampled_from(["f(0)", "f(f(1))", "g(1,x)", "f(g(x,0))", "1"])
    facts = draw(st.lists(st.tuples(st.sampled_from("pab"), terms), max_size=2))
    return "\n".join([*rules, *(f"{name}({term})." for name, term in facts)])
