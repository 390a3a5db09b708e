"""The figures of the five papers behind this project: what each shows, and whether it is seen here.

Figures that draw systems, examples or programs are left out; figures with measurements are all there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from experiments.benchmark import EngineName, Measured
from experiments.benchmarks.expectations import EVALUATIONS, grows, is_faster, is_flat, laser2_has
from experiments.reporting.results import Results

_AUTO, _LASER, _LASER2, _TICKER = EngineName.AUTO, EngineName.LASER, EngineName.LASER2, EngineName.TICKER
_ONESHOT, _EXTERNAL, _SPLIT, _PIPELINED = (
    *(EngineName.ONESHOT, EngineName.EXTERNAL),
    *(EngineName.SPLIT, EngineName.PIPELINED),
)

Holds = Callable[[Measured], bool]


@dataclass(frozen=True)
class Claim:
    """Something that a figure shows.

    Attributes:
        text: what it is.
        benchmark: the name of the benchmark that looks for it; none where it cannot be run.
        holds: says whether measurements show it.
        reason: why it cannot be run; or why it is not seen, where that is known.
    """

    text: str
    benchmark: str = ""
    holds: Holds | None = None
    reason: str = ""


@dataclass(frozen=True)
class PaperFigure:
    """A figure with measurements.

    Attributes:
        paper: the authors and the year.
        number: its number, with the letter of the part.
        shows: what is drawn.
        claims: what it is drawn for.
    """

    paper: str
    number: str
    shows: str
    claims: Sequence[Claim]


def _all(*some: Holds) -> Holds:
    return lambda found: all(holds(found) for holds in some)


def _growth_is_less(
    engine: EngineName, other: EngineName, small: str, large: str
) -> Holds:  # from one setting to another
    def holds(found: Measured) -> bool:
        own = found[large, engine].time / found[small, engine].time
        return own < found[large, other].time / found[small, other].time

    return holds


def _has_fewer(small: str, large: str) -> Holds:
    """Laser2 evaluates no more formulae in one setting than in another."""
    return lambda found: (
        found[small, _LASER2].counts[EVALUATIONS] <= found[large, _LASER2].counts[EVALUATIONS]
    )


def _gains_more(small: str, large: str) -> Holds:
    """Several processes are further ahead of one in one setting than in another."""

    def gain(found: Measured, setting: str) -> float:
        return found[setting, _AUTO].time / found[setting, _PIPELINED].time

    return lambda found: gain(found, large) > gain(found, small)


_RATES = tuple(f"n=20, {rate} facts" for rate in (200, 400, 800))
_WINDOWS = tuple(f"n={size}, 800 facts" for size in (1, 20, 40, 80))
_MICRO = (*_RATES[:2], *_WINDOWS)
_SMALL, _LARGE = "n=1, 800 facts", "n=80, 800 facts"

_RDF_ENGINES = Claim(
    "Laser is faster than C-SPARQL and CQELS",
    reason="systems in Java that are not published as packages; `ticker` and `oneshot` stand for those that "
    "start afresh",
)
_BOTH_IN_PYTHON = "Laser2 is in Go there and Laser in Python; here both are Python"

LASER = "Bazoobandi, Beck, Urbani 2017 (Laser)"
LASER2 = "Urbani, Krötzsch, Eiter 2020 (Laser2)"
DISTRIBUTED = "Eiter, Ogris, Schekotihin 2019 (Distributed LARS)"
STREAMRULE = "Pham, Ali, Mileo 2019 (StreamRule)"
IDLVSR = "Calimeri et al. 2021 (I-DLV-sr)"

_CLOSED = "requests per second of clock time are of their systems, whose times have start and waiting in them"
_MEMORY = "what is drawn is the memory of their systems in Java"

FIGURES = (
    PaperFigure(
        LASER,
        "2a",
        "a rule with a diamond, windows of 1 to 80 seconds, 200 to 800 triples a second",
        (
            _RDF_ENGINES,
            Claim(
                "Laser is faster than Ticker", "laser-diamond", is_faster(_LASER, _TICKER, _MICRO, 1).holds
            ),
            Claim(
                "its time grows less with the window",
                "laser-diamond",
                _growth_is_less(_LASER, _TICKER, _SMALL, _LARGE),
            ),
        ),
    ),
    PaperFigure(
        LASER,
        "2b",
        "a rule with a box, the same windows and rates",
        (
            Claim(
                "Laser is orders of magnitude faster than Ticker (10 times and more)",
                "laser-box",
                is_faster(_LASER, _TICKER, _MICRO, 10).holds,
                "not quite with the smallest window, in which there is little to do for `ticker`",
            ),
        ),
    ),
    PaperFigure(
        LASER,
        "3a",
        "two windows joined, the same windows and rates",
        (
            _RDF_ENGINES,
            Claim(
                "the difference to engines that start afresh grows with the window",
                "laser-join",
                _growth_is_less(_LASER, _ONESHOT, _SMALL, _LARGE),
            ),
            Claim(
                "semi-naive evaluation makes large windows up to 10 times faster",
                reason="`laser` has no switch that turns it off",
            ),
        ),
    ),
    PaperFigure(
        LASER,
        "3b",
        "several rules of that kind, at 200 triples a second, and windows of several sizes",
        (
            _RDF_ENGINES,
            Claim(
                "the time for a triple grows with the number of rules",
                "laser-rules",
                grows(_LASER, "10 rules", "100 rules", 4).holds,
            ),
            Claim("the same with other windows", reason="rules are varied here, with one window"),
        ),
    ),
    PaperFigure(
        LASER,
        "5",
        "the cooling system of figure 4, the same windows and rates",
        (
            Claim(
                "Laser is considerably faster than Ticker (5 times and more)",
                "laser-cooling-windows",
                is_faster(_LASER, _TICKER, [f"n={size}, 200 facts" for size in (1, 20, 40, 80)], 5).holds,
            ),
            Claim(
                "a reading takes at most 100 us at 800 a second",
                "laser-cooling-rates",
                lambda found: found["n=20, 800 facts", _LASER].time <= 100,
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "1a",
        "Laser and Laser2 without its technique: a diamond, windows of 10 to 100, 100 to 1000 facts a tick",
        (
            Claim("Laser2 is faster", reason=_BOTH_IN_PYTHON),
            Claim(
                "the time for a fact stays or falls with more facts",
                "laser2-operators",
                is_flat(_LASER, "diamond, n=50, 100 facts", "diamond, n=50, 1000 facts", 1.2).holds,
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "1b",
        "the same with a box",
        (
            Claim("Laser2 is faster", reason=_BOTH_IN_PYTHON),
            Claim(
                "the time for a fact grows with the window",
                "laser2-operators",
                grows(_LASER, "box, n=10, 1000 facts", "box, n=100, 1000 facts", 1.2).holds,
                "`laser` keeps since when a fact has held and does not look through the window",
            ),
            Claim(
                "it grows with the number of facts",
                "laser2-operators",
                grows(_LASER, "box, n=100, 100 facts", "box, n=100, 1000 facts", 1.2).holds,
                "for the same reason: what a tick costs is shared by more facts",
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "2a",
        "the best case, formulae evaluated: a box that fails once in each window",
        (
            Claim(
                "far fewer formulae are evaluated (a tenth)",
                "laser2-best",
                laser2_has("n=100, 1000 facts", 0.1, EVALUATIONS).holds,
            ),
            Claim(
                "the fewer the larger the window",
                "laser2-best",
                _has_fewer("n=100, 1000 facts", "n=10, 1000 facts"),
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "2b",
        "the same, time for a fact",
        (
            Claim(
                "with the technique time is nearly constant",
                "laser2-best",
                is_flat(_LASER2, "n=10, 1000 facts", "n=100, 1000 facts", 1.2).holds,
            ),
            Claim(
                "without it, it grows with the window",
                "laser2-best",
                grows(_LASER, "n=10, 1000 facts", "n=100, 1000 facts", 1.2).holds,
                "a box without an instance ends a join at once in `laser`",
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "3a",
        "the worst case, formulae evaluated: a box over 1 to 3 ticks that never holds",
        (
            Claim(
                "with a window of one tick as many are evaluated as without the technique",
                "laser2-worst",
                _all(
                    laser2_has("n=1, 1000 facts, from 1", 1, EVALUATIONS).holds,
                    lambda found: not laser2_has("n=1, 1000 facts, from 1", 0.99, EVALUATIONS).holds(found),
                ),
                "a window of 1 has two ticks in LARS, the current one and the one before: the rule rests at "
                "every other tick",
            ),
            Claim(
                "with larger ones fewer are",
                "laser2-worst",
                _has_fewer("n=3, 1000 facts, from 1", "n=1, 1000 facts, from 1"),
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "3b",
        "the same, time for a fact",
        (
            Claim(
                "with a window of one tick the technique costs time (a tenth and more)",
                "laser2-worst",
                lambda found: not laser2_has("n=1, 1000 facts, from 1", 1.1).holds(found),
                "looking for what is impossible is one comparison for each formula of a rule here",
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "4a",
        "several rules, formulae evaluated: a chain above a box that never holds",
        (
            Claim(
                "far fewer formulae are evaluated (a fifth)",
                "laser2-rules",
                laser2_has("n=100, 20 rules", 0.2, EVALUATIONS).holds,
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "4b",
        "the same, time for a fact",
        (
            Claim(
                "with 100 ticks and 20 rules the technique is up to 31 times faster (2 and more)",
                "laser2-rules",
                lambda found: laser2_has("n=100, 20 rules", 0.5).holds(found),
                "where nothing is derived for a rule it costs `laser` nothing but to be asked",
            ),
            Claim(
                "with it time hardly depends on windows and rules",
                "laser2-rules",
                is_flat(_LASER2, "n=10, 10 rules", "n=100, 20 rules", 1.5).holds,
            ),
        ),
    ),
    PaperFigure(
        DISTRIBUTED,
        "5, left",
        "content caching, 1000 ticks, windows of some sizes: CPU time",
        (
            Claim(
                "the distributed reasoner does not depend on the window",
                "eiter-windows",
                is_flat(_AUTO, "n=10", "n=80", 1.3).holds,
            ),
            Claim(
                "Ticker over clingo grows with it",
                "eiter-windows",
                grows(_TICKER, "n=10", "n=80", 1.2).holds,
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
                "the distributed reasoner over clingo is ahead of Ticker",
                "eiter-stream",
                is_faster(_AUTO, _TICKER, ["100 ticks", "250 ticks", "500 ticks", "1000 ticks"], 1).holds,
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
                    _PIPELINED,
                    _AUTO,
                    [f"{stages} stages, {given} given" for stages in (2, 4, 6) for given in (1, 4)],
                    1,
                ).holds,
            ),
            Claim(
                "the more so the more stages there are",
                "queens",
                _gains_more("2 stages, 1 given", "6 stages, 1 given"),
            ),
            Claim("where latency begins to rise", reason="ticks are timed here, not driven by a clock"),
        ),
    ),
    *(
        PaperFigure(
            STREAMRULE,
            f"experiment {number}",
            f"{shows}: latency",
            (
                Claim(
                    "partitions of the input, each with a copy of the program, take less time (30000 events)",
                    name,
                    is_faster(_SPLIT, _AUTO, ["30000 events"], 1).holds,
                    "to send a fact to another process costs about as much as the rules do here",
                ),
                Claim(
                    "they take no more time for an event when there are more of them",
                    name,
                    is_flat(_SPLIT, "5000 events", "30000 events", 1.5).holds,
                ),
                Claim("memory", reason=_MEMORY),
            ),
        )
        for number, name, shows in (
            (1, "streamrule-positive", "query Q1 of CityBench, positive rules"),
            (2, "streamrule-recursive", "recursive rules"),
            (3, "streamrule-stratified", "recursive rules with negation"),
        )
    ),
    PaperFigure(
        IDLVSR,
        "3 (a.1)",
        "content caching, windows of 2 to 50 seconds: total time and requests that were accepted",
        (
            Claim(
                "time does not depend on the window",
                "idlvsr-caching-windows",
                is_flat(_AUTO, "n=2", "n=50", 1.5).holds,
            ),
            Claim("all requests are accepted, which Distributed-SR does not", reason=_CLOSED),
        ),
    ),
    PaperFigure(
        IDLVSR,
        "3 (a.2)",
        "the same for 50 to 500 events a second",
        (
            Claim(
                "the time of a tick grows with the events (that of an event does not)",
                "idlvsr-caching-events",
                is_flat(_AUTO, "50 events", "500 events", 1.5).holds,
            ),
            Claim("Distributed-SR loses requests", reason=_CLOSED),
        ),
    ),
    *(
        PaperFigure(
            IDLVSR,
            f"3 ({part})",
            f"a join of two windows of {size} seconds, 50 to 500 events a second",
            (
                Claim(
                    "to keep what is ground takes less time than to start afresh (2 times and more)",
                    "idlvsr-heavy-join",
                    is_faster(
                        _EXTERNAL, _ONESHOT, [f"n={size}, {events} events" for events in (50, 200, 500)], 2
                    ).holds,
                ),
                Claim("Distributed-SR loses nearly all requests", reason=_CLOSED),
            ),
        )
        for part, size in (("b.1", 2), ("b.2", 20))
    ),
    PaperFigure(
        IDLVSR,
        "4 (a.1, a.2)",
        "the photo-voltaic system, a request each .1 to 2 seconds: time, latency, sustainable throughput",
        (Claim("latency is least where a request comes just when the one before is done", reason=_CLOSED),),
    ),
    PaperFigure(
        IDLVSR,
        "4 (b.1, b.2)",
        "the same, grids of 20 x 20 to 30 x 30, with and without incremental grounding",
        (
            Claim(
                "incremental grounding takes less time",
                "idlvsr-photovoltaic",
                is_faster(
                    _EXTERNAL, _ONESHOT, [f"{size} x {size}, as published" for size in (20, 26, 30)], 1
                ).holds,
            ),
            Claim(
                "the more so the larger the grid is",
                "idlvsr-photovoltaic",
                _growth_is_less(_EXTERNAL, _ONESHOT, "20 x 20, as published", "30 x 30, as published"),
            ),
        ),
    ),
)


def paper_table(results: Mapping[str, Results]) -> str:
    """The table of figures in Markdown: a line for each claim."""
    lines = [
        "| paper, figure | what it shows | what it is drawn for | seen here | by |",
        "| --- |" + " --- |" * 4,
    ]
    for figure in FIGURES:
        first = f"{figure.paper}, {figure.number} | {figure.shows}"
        for claim in figure.claims:
            lines.append(f"| {first} | {claim.text} | {_seen(claim, results)} | {_by(claim)} |")
            first = " | "
    return "\n".join(lines)


def _by(claim: Claim) -> str:
    return f"`{claim.benchmark}`" if claim.benchmark else "-"


def _seen(claim: Claim, results: Mapping[str, Results]) -> str:
    if claim.holds is None:
        return f"cannot be run: {claim.reason}"
    found = results.get(claim.benchmark)
    try:
        holds = found is not None and claim.holds(found.measured)
    except KeyError:
        found = None
        holds = False
    if found is None:
        return "not measured"
    if holds:
        return "reproduced"
    return f"**refuted**: {claim.reason}" if claim.reason else "**refuted**"
