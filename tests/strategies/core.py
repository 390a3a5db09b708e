"""Random programs of the core: diamonds, boxes, `at`, negation; sliding and lagged windows, and offsets."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.strategies.streams import DERIVED, INPUTS
from tests.strategies.windows import TICK_WINDOWS

VARIABLES = ["X", "Y", "Z"]


@st.composite
def _atom(draw: DrawFn, predicates: dict[str, int], terms: list[str]) -> str:
    name = draw(st.sampled_from(sorted(predicates)))
    arguments = [draw(st.sampled_from(terms)) for _ in range(predicates[name])]
    return f"{name}({','.join(arguments)})" if arguments else name


_SOME_CONSTANTS = ["0", "1", "x"]


@st.composite
def _streaming(draw: DrawFn, atom: str, ticks: list[str]) -> str:
    kind = draw(st.sampled_from(["now", "now", "in", "in", "always", "always", "at in", "at", "at", "bare"]))
    window = draw(TICK_WINDOWS)
    match kind:
        case "in":
            return f"{atom} in {window}"
        case "bare":
            return f"{atom} {window}"
        case "always":
            return f"{atom} always in {window}"
        case "at in":
            return f"{atom} at {draw(st.sampled_from(ticks))} in {window}"
        case "at":
            return f"{atom} at {draw(st.sampled_from(ticks))}"
        case _:
            return atom


@st.composite
def rules(draw: DrawFn) -> str:
    """A safe rule or constraint."""
    everything = INPUTS | DERIVED
    body = []
    bound: set[str] = set()
    told: set[str] = set()  # bound by the input: arithmetic on these alone cannot feed itself without end
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2, 2, 3]))):
        predicates = draw(st.sampled_from([INPUTS, INPUTS, everything]))
        atom = draw(_atom(predicates, [*VARIABLES, *VARIABLES, *VARIABLES, "_", *_SOME_CONSTANTS]))
        ticks = ["T", "T", "@now", "@now-1", "1", "3", "_"]
        if "T" in bound:
            ticks.append("T+1")
        literal = draw(_streaming(atom, ticks))
        body.append(literal)
        names = {name for name in [*VARIABLES, "T"] if name in literal}
        bound |= names
        told |= names if predicates is INPUTS else set()
    known = sorted(bound)
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 2]))):
        atom = draw(
            _atom(
                draw(st.sampled_from([DERIVED, everything])), [*known, *known, *known, "_", *_SOME_CONSTANTS]
            )
        )
        ticks = ["@now-1", "2", *(["T", "T-1"] if "T" in bound else [])]
        sign = draw(st.sampled_from(["not ", "not ", "not ", "not not "]))
        body.append(sign + draw(_streaming(atom, ticks)))
    if known and draw(st.integers(0, 3)) == 0:
        left = draw(st.sampled_from(known))
        other = draw(st.sampled_from([*known, "1", "x", "@now", f"{known[0]}+1", f"2*{known[-1]}-1"]))
        sign = draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="]))
        body.append(f"{left} {sign} {other}")
    if told and draw(st.integers(0, 3)) == 0:
        one, other = min(told), max(told)
        term = draw(st.sampled_from([f"{one}+1", "@now", f"{other}-@now"]))
        body.append(f"{draw(st.sampled_from(['W = ' + term, term + ' = W']))}")
        known.append("W")
    if draw(st.integers(0, 5)) == 0:
        window = draw(TICK_WINDOWS)
        condition = draw(
            st.sampled_from(
                [
                    *(f"p(V) in {window}", f"p(V) at U in {window}", "p(V), not p(V) at 1"),
                    *(f"p(V) at U in {window}, U < @now", f"p(V) in {window}, V != @now-2"),
                ]
            )
        )
        terms = "V,U" if "U" in condition else "V"
        function = draw(st.sampled_from(["#count", "#sum"]))
        body.append(f"N = {function} {{ {terms} : {condition} }}")
        known.append("N")
    if body and draw(st.integers(0, 14)) == 0:
        return f":- {', '.join(body)}."
    head = draw(_atom(DERIVED, [*known, *known, "@now", *_SOME_CONSTANTS] if known else _SOME_CONSTANTS))
    order = draw(st.permutations(body))
    return f"{head} :- {', '.join(order)}." if order else f"{head} :- r in [1]."


@st.composite
def programs(draw: DrawFn) -> str:
    """A program of rules, with a fact here and there."""
    lines = draw(st.lists(rules(), min_size=1, max_size=5))
    if draw(st.integers(0, 3)) == 0:  # a choice by an even loop through negation
        window, other, back = (
            draw(TICK_WINDOWS),
            draw(TICK_WINDOWS),
            draw(st.sampled_from(["", " in [0]", " in [1]"])),
        )
        lines.append(f"a(X) :- p(X) in {window}, not b(X){back}.")
        lines.append(f"b(X) :- p(X) in {other}, not a(X).")
    for _ in range(draw(st.integers(0, 2))):
        lines.append(draw(_atom(INPUTS | DERIVED, _SOME_CONSTANTS)) + ".")
    return "\n".join(lines)
