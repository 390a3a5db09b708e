"""Random cases of which the records come late, or twice."""

import dataclasses

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.oracle import Ground, Item
from tests.strategies.streams import Case


@dataclasses.dataclass(frozen=True)
class Disordered:
    """A case whose records come in another order.

    Attributes:
        case: the case, with the records that are taken, in order of ticks, those of a tick as they arrived.
        arriving: all records, in order of arrival.
        lateness: by how many ticks a record may come behind the latest one.
        late: the number of records that come later than that.
    """

    case: Case
    arriving: tuple[Item, ...]
    lateness: int
    late: int


@st.composite
def disordered(draw: DrawFn, cases: SearchStrategy[Case]) -> Disordered:
    """Records are delayed as far as they may be, seldom farther; some facts come again, with their tick."""
    case, random = draw(cases), draw(st.randoms(use_true_random=False))
    lateness = random.choice([0, 1, 2, 2, 3, 5, 9])
    again = [one for one in case.records if one.facts and random.random() < 0.3]
    told = [*case.records, *(dataclasses.replace(one, begin=(), end=()) for one in again)]
    most = lateness + random.choice([0, 0, 0, 2])
    delays = (random.choice([0, most, random.randint(0, most)]) for _ in told)
    delayed = [(one.tick + delay, place) for place, (one, delay) in enumerate(zip(told, delays, strict=True))]
    arriving = [told[place] for _, place in sorted(delayed)]
    taken: list[int] = []
    latest = -1
    for place, one in enumerate(arriving):
        if one.tick >= latest - lateness:
            taken.append(place)
            latest = max(latest, one.tick)
    is_open: set[Ground] = set()
    for place in sorted(taken, key=lambda each: arriving[each].tick):  # what is not open cannot end
        one = arriving[place]
        arriving[place] = dataclasses.replace(one, end=tuple(atom for atom in one.end if atom in is_open))
        is_open = is_open.difference(one.end).union(one.begin)
    records = sorted((arriving[place] for place in taken), key=lambda one: one.tick)
    return Disordered(
        dataclasses.replace(case, records=tuple(records)),
        tuple(arriving),
        lateness,
        len(arriving) - len(taken),
    )
