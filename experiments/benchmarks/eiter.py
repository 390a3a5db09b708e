"""Content caching as Eiter, Ogris and Schekotihin evaluate it (TPLP 2019, figure 5), after Ticker's example.

The program and the stream are those of the evaluation in their source (the module `Evaluation.MMedia`): the
variant with `at`, which means the same with strict semantics as theirs with what is derived being recorded.
The quality asked for is low, medium and high for 60 ticks each, over and over. There the reasoner gets
a change of `alpha` only, as the begin and the end of an interval; here the fact comes at each tick.
A stream there ends with `off`, which asks for `finish`; so it does in each cycle here.
"""

from collections.abc import Sequence

from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.benchmarks.expectations import grows, is_faster, is_flat
from experiments.benchmarks.streams import Stream

PROGRAM = """
    high at T :- value(V), alpha(V) at T in [{n}], 18 <= V.
    mid at T :- value(V), alpha(V) at T in [{n}], 12 <= V, V < 18.
    low at T :- value(V), alpha(V) at T in [{n}], V <= 12.
    lfu :- high always in [{n}].
    lru :- mid always in [{n}].
    fifo :- low always in [{n}], rtm50 in [{n}].
    done :- lfu.
    done :- lru.
    done :- fifo.
    random :- not done.
    finish :- off in [1], done.
    finish :- off in [1], random.
    value(5). value(15). value(25).
"""

WINDOWS = (10, 20, 40, 80)
TICKS = 1000
"""The length of the streams over which windows are varied."""
LENGTHS = (100, 250, 500, 1000)
WINDOW = 18
"""The window over which the length is varied."""
PHASE = 60
"""For how many ticks `alpha` is the same."""

ENGINES = (
    EngineName.AUTO,
    EngineName.PIPELINED,
    EngineName.PIPELINED_CLINGO,
    EngineName.TICKER,
    EngineName.ONESHOT,
    EngineName.LASER,
    EngineName.LASER2,
)


def qualities() -> Stream:
    """One quality a tick, each for a phase; `off` at the last tick of the three."""
    while True:
        for value in (5, 15, 25):
            for tick in range(PHASE):
                is_last = value == 25 and tick == PHASE - 1
                yield [("alpha", value), ("off",)] if is_last else [("alpha", value)]


def _setting(name: str, x: int, n: int, warm_up: int, ticks: int) -> Setting:
    return Setting(
        name=name,
        x=x,
        program=PROGRAM.format(n=n),
        stream=qualities,
        warm_up=warm_up,
        ticks=ticks,
        window=n,
    )


def _windows(is_quick: bool) -> Sequence[Setting]:
    cycle = 3 * PHASE
    if is_quick:
        return [_setting(over_windows(20), 20, 20, 40, cycle)]
    return [_setting(over_windows(n), n, n, cycle, TICKS) for n in WINDOWS]


def _stream(is_quick: bool) -> Sequence[Setting]:
    lengths = LENGTHS[:1] if is_quick else LENGTHS
    return [_setting(over_lengths(length), length, WINDOW, 0, length) for length in lengths]


def over_windows(n: int) -> str:
    """The name of a setting with a window of its own."""
    return f"n={n}, {TICKS} ticks"


def over_lengths(length: int) -> str:
    """The name of a setting with a length of its own."""
    return f"n={WINDOW}, {length} ticks"


_PAPER = """The paper measures the CPU time of 1000 ticks over windows of several sizes, and of
streams of several lengths with a window of 18. Its distributed reasoner over clingo takes less than
Ticker. Neither that nor Ticker's truth maintenance depends on the window. Ticker over clingo grows with
the window."""

EITER_WINDOWS = Benchmark(
    name="eiter-windows",
    title="Content caching over windows of some sizes",
    source="Eiter, Ogris, Schekotihin 2019, figure 5",
    x_label="size of the window (ticks)",
    engines=ENGINES,
    settings=_windows,
    per=Per.TICK,
    paper=_PAPER,
    why="""There is one fact at a tick, and most ticks repeat the last. Intervals cost the same for any
window. `oneshot` and `ticker` solve at nearly every tick, because the ticks in the window move on. A
profile of `oneshot` shows mostly a new solver and the grounding of the program. Little of that grows with
a window of so few facts. `pipelined` has stages with `auto` and calls no clingo; `pipelined clingo` has
stages with `oneshot`.""",
    expected=(
        is_flat(EngineName.AUTO, over_windows(10), over_windows(80), 1.3),
        grows(EngineName.TICKER, over_windows(10), over_windows(80), 1.2),
        is_faster(EngineName.AUTO, EngineName.TICKER, [*map(over_windows, WINDOWS)], 5),
    ),
)

EITER_STREAM = Benchmark(
    name="eiter-stream",
    title="Content caching over streams of some lengths",
    source="Eiter, Ogris, Schekotihin 2019, figure 5",
    x_label="length of the stream (ticks)",
    engines=ENGINES,
    settings=_stream,
    per=Per.TICK,
    paper=_PAPER,
    why="""Time is taken for a tick here, so a level line means a sum that grows with the length of the
stream. Engines forget facts that leave the window, and nothing grows with the stream. The shortest stream
includes the cost of the first ticks.""",
    expected=(
        is_flat(EngineName.AUTO, over_lengths(100), over_lengths(1000), 1.3),
        is_faster(EngineName.AUTO, EngineName.TICKER, (over_lengths(100), over_lengths(1000)), 5),
    ),
)
