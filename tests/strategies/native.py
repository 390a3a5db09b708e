"""Random programs of the fragment that the native evaluators serve, and streams of point facts for them."""

from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.oracle import Ground, Item
from tests.strategies.heads import placed
from tests.strategies.parts import LEVELS, Body, Style, atoms, below, bodies, facts, observers, plain_heads
from tests.strategies.streams import DERIVED, ground_atoms
from tests.strategies.windows import OF_PREDICATE, OWN, SLIDING, TUPLES

KINDS = ("now", "in", "in", "always", "always", "at in", "at in", "at")
OVER_TICKS = Style(KINDS, SLIDING, negated_kinds=KINDS)
POSITIVE = Style(KINDS, SLIDING, most_negated=0)
BOXES = Style(("always", "always", "now"), SLIDING, sizes=(1, 1, 2), most_negated=0)
OVER_TUPLES = Style(
    KINDS[:-1], st.one_of(SLIDING, TUPLES, st.just(OWN), OF_PREDICATE), negated_kinds=KINDS[:-1]
)
STYLES = (OVER_TICKS, POSITIVE, POSITIVE, BOXES, BOXES, OVER_TUPLES)


@dataclass(frozen=True)
class PointCase:
    """A program on a stream of point facts, from its first record to a last tick, in strict semantics."""

    program: str
    records: tuple[Item, ...]
    last: int


@st.composite
def _recursive(draw: DrawFn, name: str) -> str:
    """A rule with an atom of its own or a higher predicate in its body."""
    body = draw(bodies(POSITIVE, below(name)))
    names = LEVELS[LEVELS.index(name) :]
    other = draw(st.sampled_from([name, name, *names]))
    atom = draw(atoms({other: DERIVED[other]}, ["X", "Y", *body.terms()]))
    body.literals.append(str(atom))
    body.bound |= atom.variables
    return f"{draw(plain_heads(name, body))} :- {body.text()}."


@st.composite
def _rule(draw: DrawFn, name: str) -> str:
    style = draw(st.sampled_from(STYLES))
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return draw(_recursive(name))
    derived = {lower: arity for lower, arity in below(name).items() if lower in DERIVED}
    seen = draw(st.sampled_from([below(name), below(name), derived or below(name)]))
    if kind <= 3:
        return draw(observers(style, name, seen))
    body = Body() if kind == 4 and draw(st.booleans()) else draw(bodies(style, seen))
    head = draw(placed(name, body) if kind <= 6 else plain_heads(name, body))
    return f"{head} :- {body.text()}." if body.literals else f"{head} :- r."


@st.composite
def native_programs(draw: DrawFn) -> str:
    """A stratified program of the fragment, but for rare recursion through windows or `not`."""
    lines = [draw(_rule(draw(st.sampled_from(LEVELS)))) for _ in range(draw(st.integers(2, 6)))]
    return "\n".join([*lines, *draw(facts())]).replace("not not ", "not ")


@st.composite
def point_streams(draw: DrawFn) -> tuple[Item, ...]:
    """Facts tick by tick: stretches of atoms, some with a gap, some told twice at a tick."""
    first = draw(st.integers(0, 3))
    told: dict[int, list[Ground]] = {first: []}
    for _ in range(draw(st.integers(3, 14))):
        atom = draw(ground_atoms())
        begin = first + draw(st.integers(0, 6))
        gap = draw(st.integers(0, 6))
        for tick in range(begin, begin + draw(st.sampled_from([1, 1, 2, 3, 5, 8]))):
            if tick != begin + gap:
                told.setdefault(tick, []).append(atom)
    return tuple(Item(tick, tuple(told[tick])) for tick in sorted(told))


@st.composite
def point_cases(draw: DrawFn) -> PointCase:
    """A program on a stream, with a few quiet ticks at the end."""
    records = draw(point_streams())
    return PointCase(draw(native_programs()), records, records[-1].tick + draw(st.integers(0, 4)))
