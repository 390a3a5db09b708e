"""The questions of the page docs/experiments.md: what was asked, and what the answers do not show.

What is seen and what follows is worked out from the results, so that the page is true of them.
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
    EngineName.ONESHOT: "clingo, anew at each tick",
    EngineName.STAMPED: "clingo, windows as facts",
    EngineName.EXTERNAL: "clingo, grounding kept",
    EngineName.DELTA: "lars2asp, by changes alone",
    EngineName.TICKER: "Ticker's encoding, in clingo",
    EngineName.LASER: "Laser, rewritten here",
    EngineName.LASER2: "Laser2, rewritten here",
    EngineName.LASER_NAIVE: "Laser, joining all at each tick",
    EngineName.SPLIT: "lars2asp, parts in processes",
    EngineName.COPIED: "lars2asp, parts with input in common",
    EngineName.PIPELINED: "lars2asp, stages in processes",
    EngineName.BY_HAND: "a Python loop by hand",
}
"""What readers are told that engines are."""


@dataclass(frozen=True)
class Conclusion:
    """What follows, if measurements show it.

    Attributes:
        holds: says whether they do; raises KeyError where one of those needed is not there.
        text: what follows.
        otherwise: what is to be said if they do not.
    """

    holds: Callable[[Measured], bool]
    text: str
    otherwise: str


@dataclass(frozen=True)
class Question:
    """A section of the page.

    Attributes:
        title: the question.
        benchmark: the name of the benchmark that answers it.
        asked: what was done, for somebody who knows neither the papers nor the code.
        engines: what is drawn, in this order.
        x_label: what the x-axis has.
        y_label: what the y-axis has.
        conclusions: what follows.
        not_shown: what the answer does not show.
        series: of which curves of the benchmark; all if empty.
        value: what is drawn of a measurement.
        has_diagonal: whether a line shows where both axes have the same value.
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
_OUR_OWN = """Laser and Ticker are rewritten here after their papers; the published systems were not run.
Reading and writing are in none of the times."""

_SMALL, _LARGE = "n=1, 800 facts", "n=80, 800 facts"
_FOUR = [queens.at_period(4, period) for period in queens.PERIODS[4]]
_GRIDS = idlvsr_photovoltaic.SIDES

QUESTIONS = (
    Question(
        "What does a fact cost when the window grows?",
        "laser-join",
        """A rule joins the facts of a window with each other, `q(A,C) :- p(A,B) in [n], p(B,C) in [n].` At
each tick come 800 new facts. The window is varied from 1 to 80 ticks, so that it holds up to 64,800 facts.
After figure 3a of Laser (Bazoobandi, Beck, Urbani 2017).""",
        (
            *(EngineName.AUTO, EngineName.LASER, EngineName.TICKER, EngineName.ONESHOT),
            EngineName.BY_HAND,
        ),
        "window (ticks)",
        _A_FACT,
        [
            Conclusion(
                is_flat(EngineName.AUTO, _SMALL, _LARGE, 1.5).holds,
                "lars2asp pays for what comes and what leaves: the window's size costs nothing.",
                "What a fact costs lars2asp grows with the window.",
            ),
            Conclusion(
                grows(EngineName.ONESHOT, _SMALL, _LARGE, 10).holds,
                "A solver that is given the whole window at each tick pays for the window.",
                "A solver that is given the whole window pays less for it than was expected.",
            ),
        ],
        f"""Facts here never come twice, and each meets two others; where a fact meets many, the number of
results counts (see the next question). {_OUR_OWN}""",
        ("800 facts/tick",),
    ),
    Question(
        "What do more rules cost?",
        "laser-rules",
        """The same rule, 10 to 100 times with a head each, over a window of 20 ticks with 200 facts a tick.
After figure 3b of Laser.""",
        (EngineName.AUTO, EngineName.LASER, EngineName.TICKER, EngineName.ONESHOT, EngineName.BY_HAND),
        "rules",
        _A_FACT,
        [
            Conclusion(
                grows(EngineName.LASER, "10 rules", "100 rules", 4).holds,
                "Who evaluates rule by rule pays for each, Laser among them, as its paper says.",
                "Laser pays less for a rule than its paper says.",
            ),
            Conclusion(
                is_flat(EngineName.AUTO, "10 rules", "100 rules", 4).holds,
                "lars2asp joins once for all rules that have the same body.",
                "lars2asp pays for each rule as well.",
            ),
        ],
        f"""Rules with bodies of their own share nothing, and then each costs what it costs alone. Two
systems were left out with many rules, since they take too long. {_OUR_OWN}""",
    ),
    Question(
        "What does it bring to join only what is new?",
        "laser-semi-naive",
        """Laser joins at a tick only where one of the facts is new (*semi-naive evaluation*). With one
switch off it joins all that the window holds, at each tick. The rule and the stream are those of the first
question. The paper speaks of it below figure 3a, and draws no figure.""",
        (EngineName.LASER, EngineName.LASER_NAIVE, EngineName.AUTO),
        "window (ticks)",
        _A_FACT,
        [
            Conclusion(
                is_faster(EngineName.LASER, EngineName.LASER_NAIVE, [_LARGE], 5).holds,
                "With large windows it is what makes the difference, as the paper says (up to ten times).",
                "It brings less than the paper says.",
            ),
        ],
        "What it brings where most of a window is new at each tick, as with a window of one tick, is little.",
        ("800 facts/tick",),
    ),
    Question(
        "What does it bring to know that a rule cannot fire?",
        "laser2-rules",
        """A box over a window never holds, and a chain of rules stands above it. Laser2 knows from the gap
it found until when looking again is of no use, and does not look at the rule, nor at those above it.
Counted are the formulae that are looked at in a tick. After figure 4a of Laser2 (Bazoobandi, Bal, van
Harmelen, Urbani 2020).""",
        (EngineName.LASER, EngineName.LASER2),
        "window (ticks)",
        "formulae looked at in a tick",
        [
            Conclusion(
                laser2_has("n=100, 20 rules", 0.2, EVALUATIONS).holds,
                "Far fewer formulae are looked at, as the paper says.",
                "Hardly fewer formulae are looked at.",
            ),
            Conclusion(
                lambda found: not laser2_has("n=100, 20 rules", 0.5).holds(found),
                "It saves no time here, where the paper found up to 31 times: where nothing is derived for a "
                "rule, it costs Laser, as it is written here, nothing but to be asked.",
                "It saves time as well.",
            ),
        ],
        """Times: they are in experiments/RESULTS.md. Laser2 is written in Go there and in Python here, so
that the two papers' systems cannot be compared with each other by this.""",
        ("20 rules",),
        lambda measurement: measurement.counts[EVALUATIONS],
    ),
    Question(
        "What does a stream cost at which little happens?",
        "eiter-stream",
        f"""Content caching: one fact a tick, most ticks like the one before, and ten rules with boxes over
{eiter.WINDOW} ticks. CPU time of all processes for a tick, for streams of 100 to 1,000 ticks. After figure
5 of Distributed LARS (Eiter, Ogris, Schekotihin 2019).""",
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
                "Who keeps intervals, and evaluates when one begins or ends, is far ahead of who calls a "
                "solver at each tick.",
                "Who keeps intervals is not far ahead of a solver call a tick.",
            ),
        ],
        """Ticker's other engine, by truth maintenance, is not among those here. The stream was spaced by a
tenth of a second there; here ticks follow each other at once.""",
        value=lambda measurement: measurement.cpu,
    ),
    Question(
        "How fast may ticks come?",
        "queens-clock",
        """Four stages one behind the other: each completes a board of 16 queens, and hands the first queen
on. Ticks are due by the clock, ever faster from right to left. Drawn is how long after its time the last of
50 ticks was answered; above the dotted line an answer takes longer than a tick. After figure 6 of
Distributed LARS.""",
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
                "Stages in processes keep up with ticks that come too fast for one process, as the paper "
                "says.",
                "Stages in processes keep up with no faster ticks than one process does.",
            ),
        ],
        """The paper's machine had eight cores, and its ticks were longer. A stage takes on trust what the
one before it chose, which lars2asp itself does not do: stages are an engine of the experiments.""",
        ("4 stages",),
        lambda measurement: measurement.counts[LAST] / 1000,
        True,
    ),
    Question(
        "What does it bring to keep what was ground?",
        "idlvsr-photovoltaic",
        """A photo-voltaic system: which of 400 to 900 panels can be reached over working ones, with 12,000
to 60,000 links between them; each panel sends its power at each tick. After figure 4 (b) of I-DLV-sr
(Calimeri et al. 2021).""",
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
                "To keep what was ground is worth it, the more the larger the grid is, as the paper says.",
                "To keep what was ground is worth less than was expected.",
            ),
            Conclusion(
                is_faster(
                    EngineName.AUTO,
                    EngineName.EXTERNAL,
                    [f"{side} x {side}, as published" for side in (20, 26, 30)],
                    1,
                ).holds,
                "Not to ground at all is worth more: lars2asp counts what changes.",
                "Not to ground at all is worth no more.",
            ),
        ],
        """All panels work at all times in the published stream, so that what can be reached never changes.
With panels that fail the numbers are in experiments/RESULTS.md. I-DLV-sr itself was not run.""",
        ("as published",),
    ),
    Question(
        "How fast may requests come to the photo-voltaic system?",
        "idlvsr-photovoltaic-clock",
        """The same by the clock, 60 ticks on each of six grids. The paper's periods begin at .1 s; shorter
ones show where lars2asp falls behind. Drawn is the time to the last answer. After figure 4 (a).""",
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
                "On the largest grid a tick each millisecond is too much.",
                "A tick each millisecond is not too much for the largest grid.",
            ),
        ],
        "I-DLV-sr itself, which runs on Flink in Java, and what its start and its network cost.",
        value=lambda measurement: measurement.counts[LAST] / 1000,
        has_diagonal=True,
    ),
    Question(
        "Do parts of a program in processes of their own pay?",
        "streamrule-recursive",
        """Events of traffic, 5,000 to 30,000 at a tick, and rules that fall into two parts: what is known
of places, and what is known of cars. Each part has a process. After StreamRule (Pham, Ali, Mileo 2019).""",
        (EngineName.AUTO, EngineName.SPLIT, EngineName.ONESHOT, EngineName.LASER),
        "events at a tick",
        _A_FACT,
        [
            Conclusion(
                lambda found: (
                    not is_faster(EngineName.SPLIT, EngineName.AUTO, ["30000 events"], 1).holds(found)
                ),
                "Not here: to send a fact to another process costs about as much as these rules do. The "
                "paper, whose rules go through clingo, found that it pays.",
                "It pays, as the paper says.",
            ),
        ],
        """Rules that cost more for each fact, for which the answer is another one: docs/how-to/spark.md has
such. The paper's own rules and streams are in our copy of it only in part.""",
    ),
)
