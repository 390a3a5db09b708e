"""The figures of Distributed LARS."""

from experiments.benchmark import EngineName
from experiments.benchmarks import eiter, queens
from experiments.benchmarks.expectations import grows, is_faster, is_flat, keeps_up, saturates
from experiments.papers.claims import Claim, PaperFigure, all_of, gains_more, takes_less_cpu

DISTRIBUTED = "Eiter, Ogris, Schekotihin 2019 (Distributed LARS)"


FIGURES = (
    PaperFigure(
        DISTRIBUTED,
        "5, left",
        "content caching, 1000 ticks, windows of some sizes: CPU time",
        (
            Claim(
                "the distributed reasoner does not depend on the window",
                "eiter-windows",
                is_flat(EngineName.PIPELINED, eiter.over_windows(10), eiter.over_windows(80), 1.3).holds,
            ),
            Claim(
                "Ticker over clingo grows with it",
                "eiter-windows",
                grows(EngineName.TICKER, eiter.over_windows(10), eiter.over_windows(80), 1.2).holds,
            ),
            Claim("neither does Ticker's truth maintenance", reason="it is not among the engines here"),
        ),
    ),
    PaperFigure(
        DISTRIBUTED,
        "5, middle and right",
        "the same with a window of 18, streams of some lengths; for each tick",
        (
            Claim(
                "the distributed reasoner over clingo takes less CPU time than Ticker",
                "eiter-stream",
                takes_less_cpu(
                    EngineName.PIPELINED, EngineName.TICKER, [*map(eiter.over_lengths, eiter.LENGTHS)]
                ),
            ),
            Claim(
                "its CPU time grows with the stream (that of a tick does not)",
                "eiter-stream",
                lambda found: (
                    found[eiter.over_lengths(1000), EngineName.PIPELINED].cpu
                    <= 1.3 * found[eiter.over_lengths(250), EngineName.PIPELINED].cpu
                ),
            ),
            Claim(
                "distributed truth maintenance takes twice the time of Ticker's",
                reason="there is no truth maintenance among the engines here",
            ),
        ),
    ),
    PaperFigure(
        DISTRIBUTED,
        "6",
        "boards of queens in 2, 4 and 6 stages: latency at growing rates",
        (
            Claim(
                "stages side by side keep up with faster input (a tick takes less time)",
                "queens",
                is_faster(
                    EngineName.PIPELINED,
                    EngineName.AUTO,
                    [f"{stages} stages, {given} given" for stages in (2, 4, 6) for given in (1, 4)],
                    1,
                ).holds,
            ),
            Claim(
                "the more so the more stages there are",
                "queens",
                gains_more("2 stages, 1 given", "6 stages, 1 given"),
            ),
            Claim(
                "latency rises where ticks come too fast: one reasoner falls behind at the shortest period",
                "queens-clock",
                all_of(
                    *(
                        saturates(EngineName.AUTO, queens.at_period(stages, queens.PERIODS[stages][0])).holds
                        for stages in queens.STAGES
                    )
                ),
            ),
            Claim(
                "with four stages the pipeline keeps up at a period at which one reasoner falls behind",
                "queens-clock",
                lambda found: any(
                    keeps_up(EngineName.PIPELINED, name).holds(found)
                    and saturates(EngineName.AUTO, name).holds(found)
                    for name in (queens.at_period(4, period) for period in queens.PERIODS[4])
                ),
            ),
            Claim(
                "the pipeline does with six stages as with two",
                "queens-clock",
                lambda found: all(
                    keeps_up(EngineName.PIPELINED, queens.at_period(6, period)).holds(found)
                    for period in queens.PERIODS[6]
                    if period in queens.PERIODS[2]
                    and keeps_up(EngineName.PIPELINED, queens.at_period(2, period)).holds(found)
                ),
                "there are two processors, and six stages have three times the work of two",
            ),
        ),
    ),
)
