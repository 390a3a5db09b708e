"""Random programs with positive recursion: at one tick, through windows and through heads at ticks."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.strategies.heads import placed
from tests.strategies.parts import (
    EVERYTHING,
    LEVELS,
    VARIABLES,
    Style,
    atoms,
    bodies,
    facts,
    observers,
    plain_heads,
)
from tests.strategies.streams import DERIVED, INPUTS
from tests.strategies.windows import SPAN_WINDOWS

AT_ONCE = Style(("now",), SPAN_WINDOWS, negated_kinds=("now", "in", "always"), most_negated=0)
BESIDE = Style(("now", "now", "in", "always"), SPAN_WINDOWS, sizes=(0, 0, 1, 1), most_negated=1)
STYLE = Style(
    ("now", "in", "in", "always", "at in", "at in", "at", "at least", "at least"),
    SPAN_WINDOWS,
    most_negated=1,
)
POSITIVE = Style(STYLE.kinds, SPAN_WINDOWS, most_negated=0)
BASE = Style(("now", "in", "at in"), SPAN_WINDOWS)


@st.composite
def recursive_programs(draw: DrawFn) -> str:
    """A program whose predicates look at each other; only the input is negated."""
    names = draw(st.lists(st.sampled_from(LEVELS), min_size=1, max_size=2, unique=True))
    cycle = {name: DERIVED[name] for name in names}
    lines = [draw(observers(BASE, draw(st.sampled_from(names)), INPUTS))]
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(names))
        seen = draw(st.sampled_from([INPUTS, cycle, INPUTS | cycle, EVERYTHING]))
        body = draw(bodies(STYLE, seen, negated=INPUTS, counted=INPUTS))
        if draw(st.integers(0, 2)) == 0:
            lines.append(draw(observers(POSITIVE, name, cycle)))
            continue
        is_placed = draw(st.integers(0, 2)) == 0
        head = draw(placed(name, body, arithmetic=False) if is_placed else plain_heads(name, body))
        temporary = "#temp " if draw(st.integers(0, 9)) == 0 else ""
        lines.append(f"{temporary}{head} :- {body.text()}.")
    return "\n".join([*lines, *draw(facts())])


@st.composite
def cyclic_programs(draw: DrawFn) -> str:
    """A program whose predicates look at each other at the same tick, with windows below and above."""
    names = draw(st.lists(st.sampled_from(LEVELS), min_size=1, max_size=3, unique=True))
    cycle = {name: DERIVED[name] for name in names}
    lines = [draw(observers(BASE, draw(st.sampled_from(names)), INPUTS))]
    for _ in range(draw(st.integers(1, 5))):
        name = draw(st.sampled_from(names))
        body = draw(bodies(AT_ONCE, draw(st.sampled_from([cycle, cycle, cycle | INPUTS]))))
        beside = draw(bodies(BESIDE, INPUTS))
        body.literals = [*body.literals, *beside.literals]
        body.bound |= beside.bound
        numbers = sorted(body.bound & set(VARIABLES))
        if numbers and draw(st.integers(0, 4)) == 0:
            term = draw(st.sampled_from(["{0}+1", "1-{0}", "2*{0}-1"])).format(draw(st.sampled_from(numbers)))
            body.literals += [f"V = {term}", "-2 <= V <= 2"]
            body.bound = {"V"}
        lines.append(f"{draw(plain_heads(name, body))} :- {body.text()}.")
    for name in sorted(set(LEVELS) - set(names))[:2]:
        seen = draw(st.sampled_from(names))
        if draw(st.booleans()):
            lines.append(draw(observers(STYLE, name, cycle)))
        elif DERIVED[name] == 1:
            condition = draw(atoms({seen: DERIVED[seen]}, VARIABLES))
            shown = ",".join(sorted(condition.variables)) or "0"
            lines.append(f"{name}(N) :- N = #count {{ {shown} : {condition} }}.")
    return "\n".join([*lines, *draw(facts())])
