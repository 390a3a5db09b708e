"""The heavy join with which I-DLV-sr is evaluated (Calimeri et al. 2021, section 5).

Program and streams are those of their repository (DeMaCS-UNICAL/I-DLV-sr,
`ICLP2021-Experiments/HeavyJoin`), with a second for a tick. Half of a tick's 50 to 500 events are `b(X,0)`,
half are `c(X,0)`, and two halves of the objects take turns, so that windows of 2 and of 20 hold the same
after some ticks. Read as written, every `b` meets `c(0,0)` alone: a window has as many answers as a tick
has events. The series `each with each` is of this project: there it is `c(0,X)`, and a window has as many
answers as the square of the events.
"""

from collections.abc import Sequence
from functools import partial

from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.benchmarks.expectations import is_faster, is_flat
from experiments.benchmarks.streams import Stream

PROGRAM = "a(X,Y) :- b(X,Z) in [{n}], c(Z,Y) in [{n}]."

EVENTS = (50, 200, 500)
WINDOWS = (2, 20)
ENGINES = (
    EngineName.AUTO,
    EngineName.LASER,
    EngineName.LASER2,
    EngineName.ONESHOT,
    EngineName.TICKER,
    EngineName.EXTERNAL,
    EngineName.DELTA,
)
EACH = "each with each"
MOST_ANSWERS = 40_000
"""For engines that find all of them at each tick."""


def meetings(events: int, is_each: bool) -> Stream:
    """As many `b` as `c`: all meet in `c(0,0)`, or each with each. Two halves of the objects take turns."""
    count = events // 2
    while True:
        for first in (0, count):
            new = range(first, first + count)
            yield [
                fact
                for number in new
                for fact in (("b", number, 0), ("c", 0, number) if is_each else ("c", number, 0))
            ]


def setting(events: int, n: int, ticks: int, is_each: bool = False) -> Setting:
    """The join over a window, with a number of events at each tick; both semantics are the same for it."""
    series = f"n={n}, {EACH}" if is_each else f"n={n}"
    is_large = is_each and events * events > MOST_ANSWERS
    slow = (EngineName.ONESHOT, EngineName.TICKER) if is_large else ()
    return Setting(
        name=f"{series}, {events} events",
        x=events,
        program=PROGRAM.format(n=n),
        stream=partial(meetings, events, is_each),
        warm_up=n + 5,
        ticks=ticks,
        window=n,
        series=series,
        without=dict.fromkeys(slow, "too slow"),
    )


def _settings(is_quick: bool) -> Sequence[Setting]:
    if is_quick:
        return [setting(100, 20, 60), setting(50, 20, 30, is_each=True)]
    found = [setting(events, n, 60) for n in WINDOWS for events in EVENTS]
    return [*found, *(setting(events, 20, 30, is_each=True) for events in EVENTS)]


HEAVY_JOIN = Benchmark(
    name="idlvsr-heavy-join",
    title="Heavy join",
    source="Calimeri et al. 2021, figure 3 (b.1) and (b.2)",
    x_label="events at a tick",
    engines=ENGINES,
    settings=_settings,
    per=Per.FACT,
    paper="""Windows cover 2 and 20 seconds, 50 to 500 events a second, for 30 seconds. I-DLV-sr takes
less time than the distributed reasoner of Eiter, Ogris and Schekotihin (2019), which misses nearly all
requests with many events.""",
    why="""After two ticks the windows always hold the same facts. Facts that repeat before they leave
change no window atom. So `auto`, `external` and `delta` evaluate nothing, whatever the number of answers;
they only note each arrival. `oneshot` finds all answers at each tick.""",
    expected=(
        is_flat(EngineName.AUTO, "n=2, 500 events", "n=20, 500 events", 1.5),
        is_flat(EngineName.EXTERNAL, "n=2, 500 events", "n=20, 500 events", 1.5),
        is_faster(EngineName.EXTERNAL, EngineName.ONESHOT, ("n=2, 500 events", "n=20, 500 events"), 2),
    ),
)
