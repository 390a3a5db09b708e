"""The questions that experiments/RESULTS.md answers, with the limits of each answer.

Results and conclusions are worked out from the files, so that the page is true of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from experiments.benchmark import EngineName, Measured, Measurement
from experiments.benchmarks import eiter, idlvsr_photovoltaic, queens
from experiments.benchmarks.expectations import (
    EVALUATIONS,
    grows,
    is_faster,
    is_flat,
    keeps_up,
    laser2_has,
    saturates,
)
from experiments.clock_counts import LAST

NAMES: Mapping[EngineName, str] = {
    EngineName.AUTO: "lars2asp",
    EngineName.ONESHOT: "clingo, again at each tick",
    EngineName.STAMPED: "clingo, windows as facts",
    EngineName.EXTERNAL: "clingo, grounding kept",
    EngineName.DELTA: "lars2asp, changes only",
    EngineName.TICKER: "Ticker's encoding",
    EngineName.LASER: "Laser, rewritten",
    EngineName.LASER2: "Laser2, rewritten",
    EngineName.LASER_NAIVE: "Laser, normal join",
    EngineName.SPLIT: "lars2asp, in parts",
    EngineName.COPIED: "lars2asp, in parts with common input",
    EngineName.PIPELINED: "lars2asp, in stages",
    EngineName.PIPELINED_CLINGO: "clingo, in stages",
    EngineName.BY_HAND: "a Python loop",
}
"""The names of engines that readers see."""


@dataclass(frozen=True)
class Conclusion:
    """A conclusion, if measurements show it.

    Attributes:
        holds: says whether they do; raises KeyError if a needed measurement is missing.
        text: the conclusion.
        otherwise: the text if they do not show it.
    """

    holds: Callable[[Measured], bool]
    text: str
    otherwise: str


@dataclass(frozen=True)
class Question:
    """A section.

    Attributes:
        title: the question.
        benchmark: the name of the benchmark that answers it.
        asked: the measurement, for somebody who knows neither the papers nor the code.
        engines: the engines that are drawn, in this order.
        x_label: the label of the x-axis.
        y_label: the label of the y-axis.
        conclusions: the conclusions.
        not_shown: the limits of the answer.
        series: the curves of the benchmark that are drawn; all if empty.
        value: the value of a measurement that is drawn.
        has_diagonal: whether a line shows the points with the same value on both axes.
    """

    title: str
    benchmark: str
    asked: str
    engines: Sequence[EngineName]
    x_label: str
    y_label: str
    conclusions: Sequence[Conclusion]
    not_shown: str
    series: Sequence[str] = ()
    value: Callable[[Measurement], float] = lambda measurement: measurement.time
    has_diagonal: bool = False


_A_FACT = "microseconds for a fact"
_OUR_OWN = """We rewrote Laser and Ticker after their papers, and did not run the published systems. No time
includes reading and writing."""

_SMALL, _LARGE = "n=1, 800 facts", "n=80, 800 facts"
_FOUR = [queens.at_period(4, period) for period in queens.PERIODS[4]]
_GRIDS = idlvsr_photovoltaic.SIDES

QUESTIONS = (
    Question(
        "What does a fact cost when the window grows?",
        "laser-join",
        """A rule joins the facts of a window with each other: `q(A,C) :- p(A,B) in [n], p(B,C) in [n].` Each
tick brings 800 new facts. The window grows from 1 to 80 ticks, and covers up to 64,800 facts. The setting is
that in figure 3a of Laser (Bazoobandi, Beck, Urbani 2017).""",
        (
            *(EngineName.AUTO, EngineName.LASER, EngineName.TICKER, EngineName.ONESHOT),
            EngineName.BY_HAND,
        ),
        "window (ticks)",
        _A_FACT,
        [
            Conclusion(
                is_flat(EngineName.AUTO, _SMALL, _LARGE, 1.5).holds,
                "lars2asp pays for facts that arrive and facts that leave, not for the window.",
                "The cost of a fact grows with the window in lars2asp.",
            ),
            Conclusion(
                grows(EngineName.ONESHOT, _SMALL, _LARGE, 10).holds,
                "A solver that receives the whole window at each tick pays for the window.",
                "A solver that receives the whole window pays less for it than expected.",
            ),
        ],
        f"""Facts never repeat here, and each fact meets two others. If a fact meets many, the number of
results counts (see the next question). {_OUR_OWN}""",
        ("800 facts/tick",),
    ),
    Question(
        "What do more rules cost?",
        "laser-rules",
        """The program repeats the same rule 10 to 100 times, each time with another head. The window covers
20 ticks, with 200 facts a tick. The setting is that in figure 3b of Laser.""",
        (EngineName.AUTO, EngineName.LASER, EngineName.TICKER, EngineName.ONESHOT, EngineName.BY_HAND),
        "rules",
        _A_FACT,
        [
            Conclusion(
                grows(EngineName.LASER, "10 rules", "100 rules", 4).holds,
                "Laser evaluates rule by rule, and pays for each rule.",
                "Laser pays less for each further rule.",
            ),
            Conclusion(
                is_flat(EngineName.AUTO, "10 rules", "100 rules", 4).holds,
                "lars2asp joins once for all rules that have the same body.",
                "lars2asp pays for each rule, too.",
            ),
        ],
        f"""Rules with different bodies share nothing. Then the cost of a program is the sum of its rules.
We left two systems out with many rules because they take too long. {_OUR_OWN}""",
    ),
    Question(
        "Does it help to join only new facts?",
        "laser-semi-naive",
        """Laser joins two facts only at a tick when one of them is new (*semi-naive evaluation*). A switch
makes it join all facts of the window at each tick. Rule and stream are the same as in the first question. The
paper speaks of it after figure 3a, and draws no figure.""",
        (EngineName.LASER, EngineName.LASER_NAIVE, EngineName.AUTO),
        "window (ticks)",
        _A_FACT,
        [
            Conclusion(
                is_faster(EngineName.LASER, EngineName.LASER_NAIVE, [_LARGE], 5).holds,
                "It makes a large difference with large windows. The paper found up to ten times.",
                "It helps less than the paper says.",
            ),
        ],
        "If most of a window is new at each tick, it helps little. A window of one tick is an example.",
        ("800 facts/tick",),
    ),
    Question(
        "Does it help to know that a rule cannot fire?",
        "laser2-rules",
        """A box over a window never holds, and a chain of rules depends on it. When Laser2 finds a gap, it
knows how long the box cannot hold. Until then it evaluates neither the rule nor the rules that depend on it.
We count the formulae that are evaluated at a tick. The setting is that in figure 4a of Laser2 (Bazoobandi,
Bal, van Harmelen, Urbani 2020).""",
        (EngineName.LASER, EngineName.LASER2),
        "window (ticks)",
        "formulae evaluated at a tick",
        [
            Conclusion(
                laser2_has("n=100, 20 rules", 0.2, EVALUATIONS).holds,
                "Laser2 evaluates far fewer formulae, as the paper says.",
                "Laser2 evaluates hardly fewer formulae.",
            ),
            Conclusion(
                lambda found: not laser2_has("n=100, 20 rules", 0.5).holds(found),
                "It saves no time here, although the paper found up to 31 times. Our Laser spends hardly "
                "anything on a rule without new instances.",
                "It saves time, too.",
            ),
        ],
        """The published Laser2 is written in Go, ours in Python. This is no comparison of the two papers'
systems.""",
        ("20 rules",),
        lambda measurement: measurement.counts[EVALUATIONS],
    ),
    Question(
        "What does a quiet stream cost?",
        "eiter-stream",
        f"""Content caching has one fact a tick, and most ticks repeat the last. Its ten rules use boxes over
{eiter.WINDOW} ticks. We measure the CPU time of all processes for a tick, with streams of 100 to 1,000 ticks.
The program is from figure 5 of Distributed LARS (Eiter, Ogris, Schekotihin 2019).""",
        (
            *(EngineName.AUTO, EngineName.PIPELINED, EngineName.LASER),
            *(EngineName.TICKER, EngineName.ONESHOT),
        ),
        "length of the stream (ticks)",
        "microseconds of CPU for a tick",
        [
            Conclusion(
                is_faster(
                    EngineName.AUTO, EngineName.TICKER, [*map(eiter.over_lengths, eiter.LENGTHS)], 5
                ).holds,
                "Systems that keep intervals are much faster than systems that call a solver at every tick.",
                "Systems that keep intervals are not much faster than a solver call at every tick.",
            ),
        ],
        """The stages evaluate with lars2asp's own evaluator. The paper's stages use clingo, and our numbers
say nothing about those. Ticker's truth maintenance is not among our engines. The paper's ticks are a tenth of
a second apart; ours follow each other at once.""",
        value=lambda measurement: measurement.cpu,
    ),
    Question(
        "How fast may ticks follow each other?",
        "queens-clock",
        """Each of four stages completes a board of 16 queens, and hands its first queen to the next stage.
Ticks are due by the clock, faster from right to left. The figure shows how late the last of 50 answers is.
Above the dotted line an answer takes longer than a tick. The idea is from figure 6 of Distributed
LARS.""",
        (EngineName.AUTO, EngineName.PIPELINED),
        "milliseconds from tick to tick",
        "milliseconds to the last answer",
        [
            Conclusion(
                lambda found: any(
                    keeps_up(EngineName.PIPELINED, name).holds(found)
                    and saturates(EngineName.AUTO, name).holds(found)
                    for name in _FOUR
                ),
                "Stages in processes keep up with ticks that are too fast for one process, as the paper "
                "says.",
                "Stages in processes keep up with no faster ticks than one process.",
            ),
        ],
        """The paper's machine has eight cores, and its ticks are longer. A stage trusts the choices of the
last stage. lars2asp itself does not, so stages are an engine of the experiments.""",
        ("4 stages",),
        lambda measurement: measurement.counts[LAST] / 1000,
        True,
    ),
    Question(
        "Does it help to keep the grounding?",
        "idlvsr-photovoltaic",
        """A photo-voltaic system has 400 to 900 panels, with 12,000 to 60,000 links. Each panel sends its
power at each tick. The program finds the panels that can be reached over working panels. The setting is that
in figure 4 (b) of I-DLV-sr (Calimeri et al. 2021).""",
        (EngineName.AUTO, EngineName.EXTERNAL, EngineName.ONESHOT),
        "panels",
        "microseconds for a tick",
        [
            Conclusion(
                is_faster(
                    EngineName.EXTERNAL,
                    EngineName.ONESHOT,
                    [f"{side} x {side}, as published" for side in (20, 26, 30)],
                    5,
                ).holds,
                "Keeping the grounding pays, more so on larger grids, as the paper says.",
                "Keeping the grounding pays less than expected.",
            ),
            Conclusion(
                is_faster(
                    EngineName.AUTO,
                    EngineName.EXTERNAL,
                    [f"{side} x {side}, as published" for side in (20, 26, 30)],
                    1,
                ).holds,
                "No grounding at all is better: lars2asp counts changes.",
                "No grounding at all is not better.",
            ),
        ],
        """All panels always work in the published stream, so the reachable panels never change. The table of
all settings includes panels that fail. We did not run I-DLV-sr itself.""",
        ("as published",),
    ),
    Question(
        "How fast may requests reach the photo-voltaic system?",
        "idlvsr-photovoltaic-clock",
        """The same program runs by the clock, 60 ticks on each of six grids. The paper's shortest period is
.1 s; shorter periods show when lars2asp falls behind. The figure shows the time to the last answer. The
setting is that in figure 4 (a).""",
        (EngineName.AUTO,),
        "milliseconds from tick to tick",
        "milliseconds to the last answer",
        [
            Conclusion(
                lambda found: all(
                    keeps_up(
                        EngineName.AUTO, idlvsr_photovoltaic.at_period(side, idlvsr_photovoltaic.PERIODS[-1])
                    ).holds(found)
                    for side in _GRIDS
                ),
                "At the paper's periods nothing waits, whatever the grid.",
                "At the paper's shortest period requests wait.",
            ),
            Conclusion(
                saturates(
                    EngineName.AUTO, idlvsr_photovoltaic.at_period(_GRIDS[-1], idlvsr_photovoltaic.PERIODS[0])
                ).holds,
                "A tick each millisecond is too fast for the largest grid.",
                "A tick each millisecond is not too fast for the largest grid.",
            ),
        ],
        "We did not run I-DLV-sr itself, a system in Java on Flink, and know nothing about its start and "
        "network.",
        value=lambda measurement: measurement.counts[LAST] / 1000,
        has_diagonal=True,
    ),
    Question(
        "Do processes for parts of a program pay?",
        "streamrule-recursive",
        """Traffic events arrive, 5,000 to 30,000 at a tick. The rules fall into two parts, one about places
and one about cars, and each part runs in a process. The idea is from StreamRule (Pham, Ali, Mileo
2019).""",
        (EngineName.AUTO, EngineName.SPLIT, EngineName.ONESHOT, EngineName.LASER),
        "events at a tick",
        _A_FACT,
        [
            Conclusion(
                lambda found: (
                    not is_faster(EngineName.SPLIT, EngineName.AUTO, ["30000 events"], 1).holds(found)
                ),
                "Not here: sending a fact to another process costs about as much as these rules. In the "
                "paper each process calls clingo.",
                "It pays, as the paper says.",
            ),
        ],
        """The answer is different for rules that cost more for each fact. Our copy of the paper has only
some of its rules and streams.""",
    ),
)
