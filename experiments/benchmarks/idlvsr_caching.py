"""Content caching as I-DLV-sr is evaluated with it (Calimeri et al. 2021, section 5).

Programs and streams are those of their repository (DeMaCS-UNICAL/I-DLV-sr,
`ICLP2021-Experiments/ContentCaching`), with a second for a tick. In one variation each of 50 to 500
contents is asked for at every tick, at a level that falls from 25 to 1 and begins anew, over windows of 5;
in the other there is one content, asked for at a high, a low and again a high level for 20 ticks each, over
windows of 2 to 50. What rules derive is recorded.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.benchmarks import idlvsr_join
from experiments.benchmarks.expectations import answers_all, is_faster, is_flat
from experiments.benchmarks.streams import Stream
from experiments.clock_counts import IN_TIME

MANY = """
    high(C) :- alpha(C,V) in [{n}], 12 <= V.
    mid(C) :- alpha(C,V) in [{n}], 12 <= V, V < 18.
    low(C) :- alpha(C,V) in [{n}], V <= 12.
    lfu(C) :- high(C) always in [{n}].
    lru(C) :- mid(C) always in [{n}].
    fifo(C) :- low(C) always in [{n}], rtm50(C) in [{n}].
    done(C) :- lfu(C).
    done(C) :- lru(C).
    done(C) :- fifo(C).
    catalog(C) :- alpha(C,_).
    random(C) :- not done(C), catalog(C).
    finish(C) :- off(C) in [1], done(C).
    finish(C) :- off(C) in [1], random(C).
"""

ONE = """
    high :- alpha(V) in [{n}], 18 <= V.
    mid :- alpha(V) in [{n}], 12 <= V, V < 18.
    low :- alpha(V) in [{n}], V <= 12.
    lfu :- high always in [{n}].
    lru :- mid always in [{n}].
    fifo :- low always in [{n}], rtm50 in [{n}].
    done :- lfu.
    done :- lru.
    done :- fifo.
    random :- not done.
    finish :- off in [1], done.
    finish :- off in [1], random.
"""

EVENTS = (50, 100, 200, 350, 500)
WINDOWS = (2, 10, 20, 30, 40, 50)
LEVELS = 25
LENGTH = 60
"""The number of ticks of their streams."""

PERIOD = 100
"""Milliseconds from tick to tick by the clock: a tenth of theirs."""

ENGINES = (EngineName.AUTO, EngineName.EXTERNAL, EngineName.ONESHOT, EngineName.STAMPED)


def contents(events: int) -> Stream:
    """All contents at every tick, at the same level."""
    while True:
        for level in range(LEVELS, 0, -1):
            yield [("alpha", content, level) for content in range(events)]


def levels() -> Stream:
    """One level a tick: high, low and high, for 20 ticks each."""
    while True:
        for tick in range(LENGTH):
            yield [("alpha", 5 if 20 <= tick < 40 else 25)]


def _events(is_quick: bool) -> Sequence[Setting]:
    return [
        Setting(
            name=f"{events} events",
            x=events,
            program=MANY.format(n=5),
            stream=partial(contents, events),
            warm_up=LEVELS + 5,
            ticks=10 if is_quick else LENGTH,
            window=5,
            semantics="recorded",
        )
        for events in (EVENTS[:1] if is_quick else EVENTS)
    ]


def _windows(is_quick: bool) -> Sequence[Setting]:
    return [
        Setting(
            name=f"n={n}",
            x=n,
            program=ONE.format(n=n),
            stream=levels,
            warm_up=LENGTH,
            ticks=LENGTH if is_quick else 10 * LENGTH,
            window=n,
            semantics="recorded",
        )
        for n in ((20,) if is_quick else WINDOWS)
    ]


def _by_the_clock(is_quick: bool) -> Sequence[Setting]:
    """The least and the most of either variation, and of the heavy join."""
    ends = [*_windows(False)[:: len(WINDOWS) - 1], *_events(False)[:: len(EVENTS) - 1]]
    ends += [idlvsr_join.setting(idlvsr_join.EVENTS[-1], n, LENGTH) for n in idlvsr_join.WINDOWS]
    return [
        replace(
            one,
            name=f"{what}, {one.name}",
            x=number,
            ticks=10 if is_quick else LENGTH,
            warm_up=5,
            period=PERIOD / 1000,
        )
        for number, (what, one) in enumerate(
            zip(("one content", "one content", "contents", "contents", "join", "join"), ends, strict=True), 1
        )
    ][: 1 if is_quick else None]


_PAPER = """The paper runs 60 ticks of a second each. I-DLV-sr and the distributed reasoner of Eiter,
Ogris and Schekotihin (2019) take about as long. The distributed reasoner misses requests, more of them if
there are more events. Incremental grounding makes no difference for I-DLV-sr here (appendix B)."""

CACHING_EVENTS = Benchmark(
    name="idlvsr-caching-events",
    title="Content caching for many contents",
    source="Calimeri et al. 2021, figure 3 (a.2)",
    x_label="events at a tick",
    engines=ENGINES,
    settings=_events,
    per=Per.FACT,
    paper=_PAPER,
    why="""All rules are joins, comparisons and negation. `auto` counts the results of changes and
grounds nothing, whatever the number of contents. `external` grounds again for new contents and levels, and
solves.""",
    expected=(
        is_flat(EngineName.AUTO, "200 events", "500 events", 1.5),
        is_faster(EngineName.EXTERNAL, EngineName.ONESHOT, ("50 events", "500 events"), 2),
        is_faster(EngineName.AUTO, EngineName.ONESHOT, ("50 events", "500 events"), 2),
    ),
)

CACHING_WINDOWS = Benchmark(
    name="idlvsr-caching-windows",
    title="Content caching over windows of some sizes",
    source="Calimeri et al. 2021, figure 3 (a.1)",
    x_label="size of the window (ticks)",
    engines=ENGINES,
    settings=_windows,
    per=Per.TICK,
    paper=_PAPER,
    why="""There is one fact at a tick and no change at most ticks, so the numbers compare the fixed
cost of a tick. A profile shows that all evaluators look for ends, predicate by predicate and window by
window.""",
    expected=(
        is_flat(EngineName.AUTO, "n=2", "n=50", 1.5),
        is_faster(EngineName.EXTERNAL, EngineName.ONESHOT, ("n=2", "n=20", "n=50"), 1.2),
    ),
)

REQUESTS_BY_THE_CLOCK = Benchmark(
    name="idlvsr-requests-clock",
    title="Content caching and the heavy join by the clock",
    source="Calimeri et al. 2021, figure 3",
    x_label="settings, in their order",
    engines=(EngineName.AUTO,),
    settings=_by_the_clock,
    per=Per.TICK,
    count=IN_TIME,
    paper="""The paper's ticks take a second: 60 ticks of content caching and 30 of the join. I-DLV-sr
accepts all requests of content caching, and takes little more time than the clock. Distributed-SR misses
requests, with many events nearly all of them.""",
    why="""A tick takes .1 s here, ten times as fast. lars2asp answers long before the next tick,
whatever the window and the number of events.""",
    expected=[answers_all(EngineName.AUTO, [one.name for one in _by_the_clock(False)])],
)
