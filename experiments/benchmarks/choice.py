"""Requests that are assigned to servers by choice: many answer streams at each tick."""

from collections.abc import Iterator, Sequence

from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.benchmarks.expectations import is_faster
from experiments.benchmarks.streams import FRESH_FOR
from experiments.engine import Fact

PROGRAM = """
    server(1..20).
    open(R) :- request(R) in [{n}].
    1 {{ assign(R,S) : server(S) }} 1 :- open(R).
    :- server(S), #count {{ R : assign(R,S) }} > {most}.
    #show assign/2.
"""
A_TICK = 5
"""New requests at each tick."""

WINDOWS = (5, 10, 20)


def requests() -> Iterator[Sequence[Fact]]:
    """New requests at every tick, that were not made for long."""
    while True:
        for tick in range(FRESH_FOR):
            yield [("request", tick * A_TICK + i) for i in range(A_TICK)]


def settings(is_quick: bool) -> Sequence[Setting]:
    """Windows of some sizes; servers take a tenth more than there is, rounded up."""
    return [
        Setting(
            name=f"n={n}",
            x=n,
            program=PROGRAM.format(n=n, most=-(-A_TICK * (n + 1) * 11 // 200)),
            stream=requests,
            warm_up=n + 20,
            ticks=10 if is_quick else 60,
            window=n,
            is_certain=False,
        )
        for n in (WINDOWS[1:2] if is_quick else WINDOWS)
    ]


CHOICE = Benchmark(
    name="choice",
    title="Requests assigned to servers by choice",
    source="this project",
    x_label="size of the window (ticks)",
    engines=(EngineName.AUTO, EngineName.ONESHOT, EngineName.STAMPED, EngineName.EXTERNAL, EngineName.TICKER),
    settings=settings,
    per=Per.TICK,
    paper="""No paper has this benchmark. Native evaluators have no choices.""",
    why="""Requests never repeat, so a kept grounding is of little use. Most of the time goes into
grounding the constraint again and into solving.""",
    expected=[is_faster(EngineName.AUTO, EngineName.ONESHOT, ["n=20"], 0.9)],
)
