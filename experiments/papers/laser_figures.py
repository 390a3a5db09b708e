"""The figures of Laser and Laser2."""

from experiments.benchmark import EngineName
from experiments.benchmarks.expectations import EVALUATIONS, grows, is_faster, is_flat, laser2_has
from experiments.papers.claims import Claim, PaperFigure, all_of, growth_is_less, has_fewer

LASER = "Bazoobandi, Beck, Urbani 2017 (Laser)"
LASER2 = "Bazoobandi, Bal, van Harmelen, Urbani 2020 (Laser2)"

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

FIGURES = (
    PaperFigure(
        LASER,
        "2a",
        "a rule with a diamond, windows of 1 to 80 seconds, 200 to 800 triples a second",
        (
            _RDF_ENGINES,
            Claim(
                "Laser is faster than Ticker",
                "laser-diamond",
                is_faster(EngineName.LASER, EngineName.TICKER, _MICRO, 1).holds,
            ),
            Claim(
                "its time grows less with the window",
                "laser-diamond",
                growth_is_less(EngineName.LASER, EngineName.TICKER, _SMALL, _LARGE),
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
                is_faster(EngineName.LASER, EngineName.TICKER, _MICRO, 10).holds,
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
                growth_is_less(EngineName.LASER, EngineName.ONESHOT, _SMALL, _LARGE),
            ),
            Claim(
                "(in the text) semi-naive evaluation makes large windows up to 10 times faster (5 and more)",
                "laser-semi-naive",
                is_faster(EngineName.LASER, EngineName.LASER_NAIVE, [_LARGE], 5).holds,
            ),
            Claim(
                "(in the text) with the smallest window it is slightly slower than joining all",
                "laser-semi-naive",
                lambda found: (
                    found[_SMALL, EngineName.LASER].time >= found[_SMALL, EngineName.LASER_NAIVE].time
                ),
                "half of such a window is new at each tick, and the other half need not be joined",
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
                grows(EngineName.LASER, "10 rules", "100 rules", 4).holds,
            ),
            Claim(
                "the same with windows of 1 to 80 seconds (2 times and more from 10 rules to 50)",
                "laser-rules-windows",
                all_of(
                    *(
                        grows(EngineName.LASER, f"n={size}, 10 rules", f"n={size}, 50 rules", 2).holds
                        for size in (1, 20, 40, 80)
                    )
                ),
            ),
            Claim(
                "in the very last setting no system ends in time",
                reason="it is not said which setting that is, nor what the time was",
            ),
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
                is_faster(
                    EngineName.LASER,
                    EngineName.TICKER,
                    [f"n={size}, 200 facts" for size in (1, 20, 40, 80)],
                    5,
                ).holds,
            ),
            Claim(
                "a reading takes at most 100 us at 800 a second",
                "laser-cooling-rates",
                lambda found: all(
                    found[f"n={size}, 800 facts", EngineName.LASER].time <= 100 for size in (20, 80)
                ),
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
                is_flat(EngineName.LASER, "diamond, n=50, 100 facts", "diamond, n=50, 1000 facts", 1.2).holds,
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
                grows(EngineName.LASER, "box, n=10, 1000 facts", "box, n=100, 1000 facts", 1.2).holds,
                "`laser` keeps since when a fact has held and does not look through the window",
            ),
            Claim(
                "it grows with the number of facts",
                "laser2-operators",
                grows(EngineName.LASER, "box, n=100, 100 facts", "box, n=100, 1000 facts", 1.2).holds,
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
                has_fewer("n=100, 1000 facts", "n=10, 1000 facts"),
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
                is_flat(EngineName.LASER2, "n=10, 1000 facts", "n=100, 1000 facts", 1.2).holds,
            ),
            Claim(
                "without it, it grows with the window",
                "laser2-best",
                grows(EngineName.LASER, "n=10, 1000 facts", "n=100, 1000 facts", 1.2).holds,
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
                all_of(
                    laser2_has("n=1, 1000 facts, from 1", 1, EVALUATIONS).holds,
                    lambda found: not laser2_has("n=1, 1000 facts, from 1", 0.99, EVALUATIONS).holds(found),
                ),
                "a window of 1 has two ticks in LARS, the current one and the one before: the rule rests at "
                "every other tick",
            ),
            Claim(
                "with larger ones fewer are",
                "laser2-worst",
                has_fewer("n=3, 1000 facts, from 1", "n=1, 1000 facts, from 1"),
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
                is_flat(EngineName.LASER2, "n=10, 10 rules", "n=100, 20 rules", 1.5).holds,
            ),
        ),
    ),
)
