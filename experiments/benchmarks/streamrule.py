"""Rules over traffic events, whose parts look at different inputs (Pham, Ali, Mileo 2017 and 2019).

StreamRule hands a rule engine one window of events after the other, each of some thousands. Which events ever
meet in a rule divides the window, here into what is known of places and what is known of cars; a copy of the
engine takes each, and their answers are put together. Of the papers this takes the traffic scenario, windows
of up to 30,000 events that share nothing, and programs of growing strength. The rules, their thresholds and
the events, drawn at random, are written for this project: warnings of jams and of fires are two predicates,
since `split` keeps together what derives the same one. A window is the input at one tick.
"""

from collections.abc import Callable, Sequence
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
CONNECTED = f"{STRATIFIED}danger(P) :- number_of_cars(P,N), N > 40, fire(P).\n"
"""Cars and places meet in a rule, so that no part of the input stands alone."""
JOURNEY = """
congestion(level).
observation(S,O,V) :- property(O,P), congestion(P), value(O,V), observed_by(O,S).
journey(O,Q,V,W) :- observation(1,O,V), observation(2,Q,W).
"""
"""Query Q1 of CityBench: the congestion that two sensors on the way of a journey have observed."""
SENSORS = 400
"""The sensors of a city; those of a journey make two observations of it in four hundred."""


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


def observations(size: int) -> Stream:
    """Windows of `size` triples: what was observed, its value and by which sensor. Half are of congestion."""
    random = Random(size)
    number = 0
    windows: list[Sequence[Fact]] = []
    for _ in range(WINDOWS):
        found: list[Fact] = []
        for _ in range(size // 3):
            number += 1
            found.append(("property", number, random.choice(("level", "speed"))))
            found.append(("value", number, random.randrange(100)))
            found.append(("observed_by", number, random.randrange(1, SENSORS + 1)))
        random.shuffle(found)
        windows.append(found)
        yield found
    while True:
        yield from windows


def _name(size: int) -> str:
    return f"{size} events"


def _settings(program: str, stream: Callable[[int], Stream], is_quick: bool) -> Sequence[Setting]:
    return [
        Setting(
            name=_name(size),
            x=size,
            program=program,
            stream=partial(stream, size),
            warm_up=1 if is_quick else 3,
            ticks=3 if is_quick else 10,
            window=0,
        )
        for size in (SIZES[:1] if is_quick else SIZES)
    ]


_WHY = """`split` uses two processes, one for places and one for cars. A fact must be addressed,
written into a packet and read there, and results are written as text. That costs about as much as the
rules. Parts in processes pay if rules cost more."""
_WHY_CONNECTED = """A rule combines places and cars, so no two parts of the input are independent.
After the paper's heuristics, `copied` sends the numbers of cars, which connect the parts, to both. `split`
deals places out to buckets, and sends all facts about cars to each bucket. Both cost more than the rules."""
_WHY_JOURNEY = """The two sensors of a journey meet in one rule without a common variable. That makes
neither parts nor buckets, so `split` is one process that receives everything. The first rule leaves few
observations, and reading the triples counts most."""


def _is_faster(measured: Measured) -> bool:
    name = _name(SIZES[-1])
    return measured[name, EngineName.AUTO].time > measured[name, EngineName.SPLIT].time


def _keeps_up(measured: Measured) -> bool:
    small, large = (measured[_name(size), EngineName.SPLIT].time for size in (SIZES[0], SIZES[-1]))
    return large <= 1.5 * small


def _benchmark(
    name: str,
    title: str,
    program: str,
    why: str = _WHY,
    stream: Callable[[int], Stream] = windows,
    others: Sequence[EngineName] = (),
) -> Benchmark:
    return Benchmark(
        name=f"streamrule-{name}",
        title=title,
        source="Pham, Ali, Mileo 2019",
        x_label="events in a window",
        engines=(
            EngineName.AUTO,
            EngineName.SPLIT,
            EngineName.ONESHOT,
            EngineName.LASER,
            EngineName.LASER2,
            EngineName.TICKER,
            *others,
        ),
        settings=partial(_settings, program, stream),
        per=Per.FACT,
        paper="""The paper argues that a rule engine scales better if it divides a window into independent
facts, with a copy of the engine for each part. Our copy of the paper has no numbers.""",
        why=why,
        expected=[
            Expectation(f"`split` is faster than `auto` with {SIZES[-1]} events", _is_faster),
            Expectation(
                f"`split` takes at most 1.5 times as long a fact with {SIZES[-1]} events as with {SIZES[0]}",
                _keeps_up,
            ),
        ],
    )


POSITIVE_RULES = _benchmark("positive", "Traffic events, positive rules", POSITIVE)
RECURSIVE_RULES = _benchmark("recursive", "Traffic events, recursive rules", RECURSIVE)
STRATIFIED_RULES = _benchmark("stratified", "Traffic events, rules with negation", STRATIFIED)
CONNECTED_RULES = _benchmark(
    "connected",
    "Traffic events, rules that connect all of the input",
    CONNECTED,
    _WHY_CONNECTED,
    others=[EngineName.COPIED],
)
JOURNEY_RULES = _benchmark(
    "journey", "Congestion on a journey, query Q1 of CityBench", JOURNEY, _WHY_JOURNEY, observations
)
