"""What does a tick cost, by evaluator?

Programs and streams from the papers of Laser, Ticker and I-DLV-sr, and some of their kind. Facts are handed
over as ready symbols; a tick is timed from `step` to its changes. Equal answers are checked first, tick by
tick, then every evaluator runs on the same stream in the same process, in turns:

    python -m experiments.evaluators [NAME...] [--quick] [--ticks N]
"""

import gc
import random
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import click
from clingo import Function, Number, Symbol
from rich.console import Console
from rich.table import Table

from lars2asp import Overrides, Reasoner, Source, compile_program
from lars2asp.plan import Plan
from lars2asp.syntax import Semantics
from runtime.evaluators.choice import EvaluatorName, serving

Facts = Sequence[Symbol]
Stream = Iterator[Facts]


@dataclass(frozen=True)
class Work:
    """A program on a stream.

    Attributes:
        name: what it is called on the command line.
        program: the text.
        stream: makes the facts of tick after tick, without end.
        warm_up: how many ticks go before those that are timed.
        ticks: how many ticks are timed.
        facts: about how many facts a tick has; 0 where ticks are counted in place of facts.
        target: what is hoped for, in microseconds a fact or a tick.
        semantics: how windows over what rules derive are read.
    """

    name: str
    program: str
    stream: Callable[[], Stream]
    warm_up: int
    ticks: int
    facts: int
    target: str
    semantics: str = "recorded"


def atom(name: str, *numbers: int) -> Symbol:
    """An atom over numbers."""
    return Function(name, [Number(number) for number in numbers])


# --- streams --------------------------------------------------------------------------------------

FRESH_FOR = 250
"""Ticks for which constants do not come back: more than the windows have, and less than memory is full."""


def fresh_pairs(facts: int) -> Callable[[], Stream]:
    """Facts p(a,b) that are new in every window."""

    def stream() -> Stream:
        while True:
            for tick in range(FRESH_FOR):
                first = tick * facts
                yield [atom("p", first + i, i) for i in range(facts)]

    return stream


def chain(facts: int) -> Callable[[], Stream]:
    """Facts p(c0,c1), p(c1,c2), ... over constants that are new in every window."""

    def stream() -> Stream:
        while True:
            for tick in range(FRESH_FOR):
                first = tick * facts
                yield [atom("p", first + i, first + i + 1) for i in range(facts)]

    return stream


def the_same(facts: int) -> Callable[[], Stream]:
    """The same facts at every tick."""

    def stream() -> Stream:
        told = [atom("p", i, i) for i in range(facts)]
        while True:
            yield told

    return stream


def ten_chains(facts: int) -> Callable[[], Stream]:
    """Facts of ten predicates that are chains each."""

    def stream() -> Stream:
        each = facts // 10
        while True:
            for tick in range(FRESH_FOR):
                first = tick * each
                yield [
                    atom(f"p{number}", first + i, first + i + 1) for number in range(10) for i in range(each)
                ]

    return stream


def temperatures(facts: int) -> Callable[[], Stream]:
    """Readings between ice and steam, hot for long stretches (Laser 2017, section 5)."""

    def stream() -> Stream:
        choose, tick = random.Random(5), 0
        while True:
            low, high = ((100, 1000), (1, 99), (-900, 0))[tick // 120 % 3]
            yield [atom("temp", choose.randint(low, high)) for _ in range(facts)]
            tick += 1

    return stream


def content_requests(window: int) -> Callable[[], Stream]:
    """One reading a tick, of one mode for two windows (Ticker 2017, CachingStrategy)."""

    def stream() -> Stream:
        choose = random.Random(9)
        while True:
            low, high = choose.choice([(18, 30), (12, 17), (0, 11), (0, 30)])
            for _ in range(2 * window):
                yield [atom("alpha", choose.randint(low, high))]

    return stream


GRID, LINKS = 900, 60_682


def panels() -> Stream:
    """Readings of all panels; a tenth of them change by each tick."""
    choose = random.Random(11)
    power = [choose.randint(5, 60) for _ in range(GRID)]
    while True:
        for panel in choose.sample(range(GRID), GRID // 10):
            power[panel] = choose.randint(5, 60) if choose.random() < 0.9 else choose.randint(0, 9)
        yield [atom("energyDelivered", panel, watts) for panel, watts in enumerate(power)]


def photovoltaic() -> str:
    """The program of I-DLV-sr's photovoltaic system, with random links in place of those of a grid."""
    choose = random.Random(12)
    links = set[tuple[int, int]]()
    while len(links) < LINKS:
        one, other = choose.randrange(GRID), choose.randrange(GRID)
        if one != other:
            links.add((one, other))
    data = " ".join(f"link({one},{other})." for one, other in sorted(links))
    return f"""
        #tick 1 sec.
        energyThreshold(10).
        workingPanel(P) :- energyDelivered(P,W) at least 1 in [4 sec], energyThreshold(T), W >= T.
        reachable(0,P) :- link(0,P), workingPanel(P).
        reachable(P,R) :- reachable(P,Q), link(Q,R), workingPanel(R).
        unlinked :- workingPanel(P), not reachable(0,P).
        regularFunctioning :- unlinked at most 2 in [3 sec].
        alert :- not regularFunctioning.
        callMaintenance :- alert always in [5 sec].
        {data}
    """.replace("reachable(P,R) :- reachable(P,Q)", "reachable(0,R) :- reachable(0,Q)")


def partners(events: int, values: int) -> Callable[[], Stream]:
    """Events b(x,z) and c(z,y) that meet in z."""

    def stream() -> Stream:
        choose, each = random.Random(13), events // 2
        meets = [(choose.randrange(values), choose.randrange(values)) for _ in range(FRESH_FOR * each)]
        while True:
            for tick in range(FRESH_FOR):
                told = []
                for number in range(tick * each, (tick + 1) * each):
                    told += [atom("b", number, meets[number][0]), atom("c", meets[number][1], number)]
                yield told

    return stream


def requests(each: int) -> Callable[[], Stream]:
    """New requests at every tick, that were not made for long."""

    def stream() -> Stream:
        while True:
            for tick in range(FRESH_FOR):
                yield [atom("request", tick * each + i) for i in range(each)]

    return stream


COOLING = """
    steam(V) at T :- temp(V) at T in [{n}], V >= 100.
    liquid(V) at T :- temp(V) at T in [{n}], V >= 1, V < 100.
    isSteam at T :- steam(V) at T in [{n}].
    isLiquid at T :- liquid(V) at T in [{n}].
    alarm :- isSteam always in [{n}].
    normal :- isLiquid always in [{n}].
    veryHot(T) :- steam(V) at T in [{n}], V >= 990.
    veryCold(T) :- liquid(V) at T in [{n}], V = 1.
    freeze :- not alarm, not normal.
"""

CACHING = """
    high at T :- value(V), alpha(V) at T in [{n}], 18 <= V.
    mid at T :- value(V), alpha(V) at T in [{n}], 12 <= V, V < 18.
    low at T :- value(V), alpha(V) at T in [{n}], V < 12.
    lfu :- high always in [{n}].
    lru :- mid always in [{n}].
    fifo :- low always in [{n}].
    done :- lfu.
    done :- lru.
    done :- fifo.
    random :- not done.
    value(0..30).
"""

CHOICE = """
    server(1..20).
    open(R) :- request(R) in [10].
    1 { assign(R,S) : server(S) } 1 :- open(R).
    :- server(S), #count { R : assign(R,S) } > 3.
    #show assign/2.
"""

DIAMOND = "q(A,B) :- p(A,B) in [{n}]."
BOX = "q(A,B) :- p(A,B) always in [{n}]."
JOIN = "q(A,C) :- p(A,B) in [{n}], p(B,C) in [{n}]."
HEAVY = "a(X,Y) :- b(X,Z) in [20], c(Z,Y) in [20]."
TEN = "".join(f"q{i}(A,C) :- p{i}(A,B) in [20], p{i}(B,C) in [20]. " for i in range(10))


def works(share: int = 1) -> list[Work]:
    """All settings, with one in so many of the facts where these count."""
    found = []
    each = 800 // share
    for n in (10, 80):
        for name, program, stream, target in (
            ("diamond", DIAMOND, fresh_pairs(each), "<= 8, then 4"),
            ("box", BOX, fresh_pairs(each), "<= 2"),
            ("join", JOIN, chain(each), "<= 15, then 8"),
        ):
            found.append(Work(f"{name}-{n}", program.format(n=n), stream, 100, 60, each, target))
    same, ten, heavy = 1000 // share, 200 // share, 500 // share
    for n in (10, 100):
        found.append(Work(f"box-same-{n}", BOX.format(n=n), the_same(same), 120, 60, same, "<= 1.5"))
    found.append(Work("ten-joins", TEN, ten_chains(ten), 60, 60, ten, "<= 60"))
    found.append(Work("cooling", COOLING.format(n=80), temperatures(each), 100, 60, each, "<= 15", "strict"))
    for n in (10, 40, 100):
        found.append(
            Work(f"caching-{n}", CACHING.format(n=n), content_requests(n), 2 * n, 1000, 0, "<= 300", "strict")
        )
    found.append(Work("photovoltaic", photovoltaic(), panels, 5, 60, 0, ">= 15 x"))
    found.append(Work("heavy-join", HEAVY, partners(heavy, 4 * heavy), 40, 30, heavy, ">= 5 x"))
    found.append(Work("choice", CHOICE, requests(5), 30, 60, 0, "auto best"))
    return found


# --- measuring ------------------------------------------------------------------------------------


@cache
def plan_of(work: Work) -> Plan:
    """The compiled program."""
    overrides = Overrides(semantics=Semantics(work.semantics))
    return compile_program(Source(work.name, work.program), overrides=overrides)


def reasoner(work: Work, name: EvaluatorName) -> Reasoner:
    """A new reasoner."""
    return Reasoner(plan_of(work), evaluator=name)


def check_equal(work: Work, names: Sequence[EvaluatorName], ticks: int) -> None:
    """Raises AssertionError where answers differ."""
    if work.name == "choice":  # there are many answers; all that is the same is how many atoms they have
        return
    reasoners = [reasoner(work, name) for name in names]
    for tick, facts in zip(range(ticks), work.stream(), strict=False):
        answers = [one.step(tick, facts) for one in reasoners]
        first = answers[0].symbols
        for name, answer in zip(names, answers, strict=True):
            if answer.symbols != first:
                raise AssertionError(f"{work.name}: {name} differs from {names[0]} at tick {tick}")


@dataclass(frozen=True)
class Measured:
    """Microseconds for each fact (or tick): the median and the mean over ticks."""

    median: float
    mean: float


def measure(work: Work, name: EvaluatorName, ticks: int) -> Measured:
    """Times an evaluator."""
    one, times = reasoner(work, name), []
    last = work.warm_up + ticks
    for tick, facts in zip(range(last), work.stream(), strict=False):
        began = time.perf_counter()
        answer = one.step(tick, facts)
        answer.changes  # noqa: B018 - what is timed includes the changes
        took = time.perf_counter() - began
        if tick >= work.warm_up:
            times.append(took / (len(facts) if work.facts else 1) * 1e6)
    del one
    gc.collect()
    return Measured(statistics.median(times), statistics.mean(times))


@click.command()
@click.argument("names", nargs=-1)
@click.option("--quick", is_flag=True, help="A tenth of the ticks.")
@click.option("--skip", multiple=True, help="Evaluators to leave out.")
def main(names: tuple[str, ...], quick: bool, skip: tuple[str, ...]) -> None:
    """Prints one table: microseconds for each fact, or for each tick where it is not facts that count."""
    table = Table(title="microseconds a fact (a tick: t), median and (mean); x: times slower than auto")
    for heading in ("work", "target", *EvaluatorName, "best / oneshot"):
        table.add_column(heading, justify="left" if heading in ("work", "target") else "right")
    for work in works():
        if names and not any(work.name.startswith(name) for name in names):
            continue
        serve = [name for name in serving(plan_of(work)) if name not in skip]
        check_equal(work, serve, 8 if quick else 25)
        ticks = max(5, work.ticks // 10) if quick else work.ticks
        found = {name: measure(work, name, ticks) for name in serve}
        cells = [
            f"{found[name].median:.4g} ({found[name].mean:.4g})" if name in found else "-"
            for name in EvaluatorName
        ]
        ratio = (
            f"{found[EvaluatorName.ONESHOT].median / found[EvaluatorName.AUTO].median:.1f}"
            if EvaluatorName.ONESHOT in found
            else "-"
        )
        unit = "" if work.facts else " t"
        table.add_row(work.name + unit, work.target, *cells, ratio)
        Console(stderr=True).print(work.name, *cells, ratio)
    Console(width=140).print(table)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    Console().print(f"peak memory of the process: {peak:.0f} MiB")


if __name__ == "__main__":
    main()
