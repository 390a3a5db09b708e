"""Random programs with positive recursion through windows and through heads at ticks."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.strategies.heads import placed
from tests.strategies.parts import (
    EVERYTHING,
    LEVELS,
    TIME_WINDOWS,
    Style,
    bodies,
    facts,
    observers,
    plain_heads,
)
from tests.strategies.streams import DERIVED, INPUTS

STYLE = Style(
    ("now", "in", "in", "always", "at in", "at in", "at", "at least", "at least"),
    TIME_WINDOWS,
    most_negated=1,
)
POSITIVE = Style(STYLE.kinds, TIME_WINDOWS, most_negated=0)
BASE = Style(("now", "in", "at in"), TIME_WINDOWS)


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
