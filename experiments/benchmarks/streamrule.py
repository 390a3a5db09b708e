"""Rules over traffic events, whose parts look at different inputs (Pham, Ali, Mileo 2017 and 2019).

StreamRule hands a rule engine one window of events after the other, each of some thousands. Which events ever
meet in a rule divides the window, here into what is known of places and what is known of cars; a copy of the
engine takes each, and their answers are put together. Of the papers this takes the traffic scenario, windows
of up to 30,000 events that share nothing, and programs of growing strength. The rules, their thresholds and
the events, drawn at random, are written for this project: warnings of jams and of fires are two predicates,
since `split` keeps together what derives the same one. A window is the input at one tick.
"""

from collections.abc import Sequence
from functools import partial
from random import Random

from experiments.benchmark import Benchmark, EngineName, Expectation, Measured, Per, Setting
from experiments.benchmarks.streams import Stream
from experiments.engine import Fact

SIZES = (5_000, 10_000, 20_000, 30_000)
"""Events of a window."""
WINDOWS = 10
"""The number of windows after which they come again."""

_COMMON = """
slow(P) :- average_speed(P,S), S < 20.
crowded(P) :- number_of_cars(P,N), N > 40.
fire(P) :- smoke(C,high), speed(C,0), located(C,P).
warned_of_jam(P) :- jam(P).
warned_of_fire(P) :- fire(P).
"""
POSITIVE = f"{_COMMON}jam(P) :- slow(P), crowded(P).\n"
STRATIFIED = f"{_COMMON}jam(P) :- slow(P), crowded(P), not traffic_light(P).\n"
RECURSIVE = f"{POSITIVE}jam(Q) :- jam(P), leads(Q,P), slow(Q).\n"
"""A jam reaches back along slow roads."""


def windows(size: int) -> Stream:
    """Windows of `size` events.

    A third of them say something of speeds and numbers of cars at places, a sixth are traffic lights and
    which roads lead where, half of them are of cars. There is a place and a car for every six events.
    """
    random = Random(size)
    windows = []
    for _ in range(WINDOWS):
        windows.append(_window(size, random))
        yield windows[-1]
    while True:
        yield from windows


def _window(size: int, random: Random) -> Sequence[Fact]:
    places = cars = size // 6
    found: list[Fact] = []
    for place in range(places):
        found.append(("average_speed", place, random.randrange(80)))
        found.append(("number_of_cars", place, random.randrange(80)))
        if random.random() < 0.5:
            found.append(("traffic_light", place))
        else:
            found.append(("leads", place, random.randrange(places)))
    for car in range(cars):
        found.append(("smoke", car, random.choice(("low", "high"))))
        found.append(("speed", car, 0 if random.random() < 0.25 else random.randrange(1, 120)))
        found.append(("located", car, random.randrange(places)))
    random.shuffle(found)
    return found


def _name(size: int) -> str:
    return f"{size} events"


def _settings(program: str, is_quick: bool) -> Sequence[Setting]:
    return [
        Setting(
            name=_name(size),
            x=size,
            program=program,
            stream=partial(windows, size),
            warm_up=1 if is_quick else 3,
            ticks=3 if is_quick else 10,
            window=0,
        )
        for size in (SIZES[:1] if is_quick else SIZES)
    ]


def _is_faster(measured: Measured) -> bool:
    name = _name(SIZES[-1])
    return measured[name, EngineName.AUTO].time > measured[name, EngineName.SPLIT].time


def _keeps_up(measured: Measured) -> bool:
    small, large = (measured[_name(size), EngineName.SPLIT].time for size in (SIZES[0], SIZES[-1]))
    return large <= 1.5 * small


def _benchmark(name: str, what: str, program: str) -> Benchmark:
    return Benchmark(
        name=f"streamrule-{name}",
        title=f"Traffic events, {what}",
        source="Pham, Ali, Mileo 2019",
        x_label="events in a window",
        engines=(
            EngineName.AUTO,
            EngineName.SPLIT,
            EngineName.ONESHOT,
            EngineName.LASER,
            EngineName.LASER2,
            EngineName.TICKER,
        ),
        settings=partial(_settings, program),
        per=Per.FACT,
        paper="""The papers hold that a rule engine scales better if what depends on each other in a window,
and nothing else, is handed to the same copy of it, copies being at work side by side.""",
        why="""`split` has two processes: one for what is known of places, one for what is known of cars. To
address a fact, to write it into a packet, to read it there and to write what is derived as text costs about
as much as the rules. Parts side by side pay where rules cost more than that, and not here.""",
        expected=[
            Expectation(f"`split` is faster than `auto` with {SIZES[-1]} events", _is_faster),
            Expectation(
                f"`split` takes at most 1.5 times as long a fact with {SIZES[-1]} events as with {SIZES[0]}",
                _keeps_up,
            ),
        ],
    )


POSITIVE_RULES = _benchmark("positive", "positive rules", POSITIVE)
RECURSIVE_RULES = _benchmark("recursive", "recursive rules", RECURSIVE)
STRATIFIED_RULES = _benchmark("stratified", "rules with negation", STRATIFIED)
