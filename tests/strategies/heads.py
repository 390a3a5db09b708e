"""Random programs that place atoms at ticks, stratified so that no arithmetic on ticks feeds itself."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.strategies.parts import (
    EVERYTHING,
    LEVELS,
    POSITIVE_KINDS,
    Body,
    Style,
    atoms,
    below,
    bodies,
    facts,
    observers,
)
from tests.strategies.streams import DERIVED
from tests.strategies.windows import SPAN_WINDOWS, TICK_WINDOWS

LOOKING_BACK = Style(("now", "in", "in", "always", "at in", "at in", "at", "at least", "count"), SPAN_WINDOWS)
SIMPLE = Style(("at in", "now", "in"), TICK_WINDOWS, sizes=(1,), most_negated=0)
WITH_TICKS = Style(("at", "at in", "at in", "now", "in"), TICK_WINDOWS, most_negated=1)


AROUND = Style((*POSITIVE_KINDS, "count", "at most"), TICK_WINDOWS, sizes=(1, 1, 2), most_negated=2)


@st.composite
def placed(draw: DrawFn, name: str, body: Body, *, arithmetic: bool = True) -> str:
    """An atom of a derived predicate at a tick, past, now or future."""
    atom = draw(atoms({name: DERIVED[name]}, body.terms()))
    ticks = ["@now", "@now-1", "@now-2", "@now+1", "@now+1", "@now+2", "3", "5"]
    ticks += ["T", "T", "T"] if "T" in body.ticks else []
    if arithmetic or "T" in body.told:
        ticks += ["T+1", "T+2", "T-1", "@now+T-2"] if "T" in body.ticks else []
    ticks += ["X+2"] if "X" in body.told else []
    return f"{atom} at {draw(st.sampled_from(ticks))}"


@st.composite
def _placing(draw: DrawFn, name: str) -> str:
    temporary = draw(st.sampled_from(["", "", "#temp "]))
    if draw(st.integers(0, 9)) == 0:
        return f"{draw(placed(name, Body()))}."
    body = draw(bodies(draw(st.sampled_from([SIMPLE, SIMPLE, LOOKING_BACK, WITH_TICKS])), below(name)))
    if draw(st.integers(0, 3)):
        head = draw(placed(name, body))
    else:
        head = str(draw(atoms({name: DERIVED[name]}, body.terms())))
    return f"{temporary}{head} :- {body.text()}."


@st.composite
def placing_programs(draw: DrawFn) -> str:
    """A program with heads at ticks and temporary rules, and rules that look at what they derive."""
    lines = [draw(_placing(draw(st.sampled_from(LEVELS[:3])))) for _ in range(draw(st.integers(1, 3)))]
    for _ in range(draw(st.integers(1, 2))):
        name = draw(st.sampled_from(LEVELS[1:]))
        lower = {below_it: DERIVED[below_it] for below_it in LEVELS[: LEVELS.index(name)]}
        lines.append(draw(observers(LOOKING_BACK, name, lower)))
    return "\n".join([*lines, *draw(facts())])


@st.composite
def waiting_programs(draw: DrawFn) -> str:
    """A program whose rules look at all predicates, most of which its heads place at later ticks."""
    lines = []
    for _ in range(draw(st.integers(2, 4))):
        name = draw(st.sampled_from(LEVELS[:3]))
        is_ahead = draw(st.integers(0, 3)) > 0
        body = draw(bodies(AROUND, EVERYTHING if is_ahead else below(name)))
        atom = draw(atoms({name: DERIVED[name]}, body.terms()))
        tick = f" at @now{draw(st.sampled_from(['+1', '+2', '-1']))}" if is_ahead else ""
        lines.append(f"{atom}{tick} :- {body.text()}.")
    return "\n".join([*lines, *draw(facts())])
