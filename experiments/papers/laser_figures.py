"""The figures of Laser and Laser2."""

from experiments.benchmark import EngineName
from experiments.papers.claims import (
    Claim,
    PaperFigure,
    Seen,
    beside,
    both,
    evaluations_of,
    grows,
    growth_is_less,
    is_at_most,
    is_faster,
    is_flat,
    laser2_has,
)

LASER = "Bazoobandi, Beck, Urbani 2017 (Laser)"
LASER2 = "Bazoobandi, Bal, van Harmelen, Urbani 2020 (Laser2)"

_RATES = tuple(f"n=20, {rate} facts" for rate in (200, 400))
_LARGE_WINDOWS = tuple(f"n={size}, 800 facts" for size in (20, 40, 80))
_SMALL, _LARGE = "n=1, 800 facts", "n=80, 800 facts"
_MICRO = (*_RATES, _SMALL, *_LARGE_WINDOWS)

_RDF_SYSTEMS = "C-SPARQL and CQELS are systems in Java that no package index has"
_WITH_TICKER = f"{_RDF_SYSTEMS}. The paper does not compare with Ticker here; we do"
_LANGUAGES = "the paper compares a system in Go with one in Python; here both are the same Python code"
_KEPT = "our `laser` keeps since when each fact has held, so it does not look through the window"
_BODY = "our evaluators end a join at a box without an instance, so the technique saves no time"

FIGURES = (
    PaperFigure(
        LASER,
        "2a",
        "section 4, Window-Diamond",
        (
            Claim(
                "Laser is faster than the other engines (C-SPARQL and CQELS)",
                "laser-diamond",
                beside(is_faster(EngineName.LASER, EngineName.TICKER, _MICRO, 1)),
                _WITH_TICKER,
            ),
            Claim(
                "its time grows much less with the window and the rate than theirs",
                "laser-diamond",
                beside(growth_is_less(EngineName.LASER, EngineName.TICKER, _SMALL, _LARGE)),
                _WITH_TICKER,
            ),
        ),
    ),
    PaperFigure(
        LASER,
        "2b",
        "section 4, Window-Box",
        (
            Claim(
                "Laser is orders of magnitude faster than Ticker: windows of 20 to 80 (10 times or more)",
                "laser-box",
                is_faster(EngineName.LASER, EngineName.TICKER, (*_RATES, *_LARGE_WINDOWS), 10),
                note="our stream repeats most facts, because facts that never repeat make no box hold",
            ),
            Claim(
                "the same with the window of 1 (10 times or more)",
                "laser-box",
                is_faster(EngineName.LASER, EngineName.TICKER, [_SMALL], 10),
                "the encoding has little work with so small a window",
            ),
        ),
    ),
    PaperFigure(
        LASER,
        "3a",
        "section 4, Data joins",
        (
            Claim(
                "Laser is much faster than C-SPARQL and CQELS in all settings",
                reason=_RDF_SYSTEMS,
            ),
            Claim(
                "the difference grows with the window",
                "laser-join",
                beside(growth_is_less(EngineName.LASER, EngineName.ONESHOT, _SMALL, _LARGE)),
                f"{_RDF_SYSTEMS}. We compare with clingo, started again at each tick",
            ),
        ),
    ),
    PaperFigure(
        LASER,
        "no figure",
        "section 4, text after figure 3a",
        (
            Claim(
                "semi-naive evaluation takes up to 10 times less time with large windows (5 times or more)",
                "laser-semi-naive",
                is_faster(EngineName.LASER, EngineName.LASER_NAIVE, [_LARGE], 5),
            ),
            Claim(
                "it is slightly slower than a normal join with small windows",
                "laser-semi-naive",
                is_faster(EngineName.LASER_NAIVE, EngineName.LASER, [_SMALL], 1),
                "the overhead is that of the paper's implementation; our switch has none",
                Seen.CARRIES_NOT,
            ),
        ),
    ),
    PaperFigure(
        LASER,
        "3b",
        "section 4, Evaluating multiple rules",
        (
            Claim(
                "Laser is faster than C-SPARQL and CQELS with several rules",
                "laser-rules",
                beside(grows(EngineName.LASER, "10 rules", "100 rules", 1)),
                f"{_RDF_SYSTEMS}. The text does not say how time grows with the rules",
            ),
            Claim(
                "the same over windows of several sizes",
                "laser-rules-windows",
                beside(grows(EngineName.LASER, "n=80, 10 rules", "n=80, 50 rules", 1)),
                _RDF_SYSTEMS,
            ),
            Claim(
                "no system ends in time in the very last setting",
                reason="the text says neither which setting that is nor how long the time was",
            ),
        ),
    ),
    PaperFigure(
        LASER,
        "5",
        "section 4, Cooling use case (program of figure 4)",
        (
            Claim(
                "Laser is considerably faster than Ticker (5 times or more)",
                "laser-cooling-windows",
                is_faster(
                    EngineName.LASER,
                    EngineName.TICKER,
                    [f"n={size}, 200 facts" for size in (1, 20, 40, 80)],
                    5,
                ),
            ),
            Claim(
                "a reading takes at most 100 us at 800 readings a second",
                "laser-cooling-rates",
                both(*(is_at_most(EngineName.LASER, f"n={size}, 800 facts", 100) for size in (20, 80))),
                note="the paper's Laser runs in PyPy on another machine",
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "1a",
        "section 5, Ours vs. Laser1 (a diamond)",
        (
            Claim("Laser2 without its technique is faster than Laser1", reason=_LANGUAGES),
            Claim(
                "the time for a fact stays the same or falls if there are more facts",
                "laser2-operators",
                is_flat(EngineName.LASER, "diamond, n=50, 100 facts", "diamond, n=50, 1000 facts", 1.2),
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "1b",
        "section 5, Ours vs. Laser1 (a box)",
        (
            Claim("Laser2 without its technique is faster than Laser1", reason=_LANGUAGES),
            Claim(
                "the time for a fact grows with the window",
                "laser2-operators",
                grows(EngineName.LASER, "box, n=10, 1000 facts", "box, n=100, 1000 facts", 1.2),
                _KEPT,
                Seen.CARRIES_NOT,
            ),
            Claim(
                "it grows with the number of facts",
                "laser2-operators",
                grows(EngineName.LASER, "box, n=100, 100 facts", "box, n=100, 1000 facts", 1.2),
                f"{_KEPT}, and more facts share the fixed cost of a tick",
                Seen.CARRIES_NOT,
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "2a",
        "section 5, Best Case: formulae evaluated",
        (
            Claim(
                "the technique evaluates far fewer formulae (a tenth at most)",
                "laser2-best",
                laser2_has("n=100, 1000 facts", 0.1, evaluations_of),
            ),
            Claim(
                "their number falls if the window grows",
                "laser2-best",
                is_flat(EngineName.LASER2, "n=10, 1000 facts", "n=100, 1000 facts", 1, evaluations_of),
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "2b",
        "section 5, Best Case: time for a fact",
        (
            Claim(
                "time is almost constant with the technique",
                "laser2-best",
                is_flat(EngineName.LASER2, "n=10, 1000 facts", "n=100, 1000 facts", 1.2),
            ),
            Claim(
                "time grows with the window without the technique",
                "laser2-best",
                grows(EngineName.LASER, "n=10, 1000 facts", "n=100, 1000 facts", 1.2),
                _BODY,
                Seen.CARRIES_NOT,
            ),
            Claim(
                "the technique makes time so short that the figure hardly shows it (half at most)",
                "laser2-best",
                laser2_has("n=100, 1000 facts", 0.5),
                _BODY,
                Seen.CARRIES_NOT,
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "3a",
        "section 5, Worst Case: formulae evaluated",
        (
            Claim(
                "with a window of one tick the technique evaluates as many formulae as without it",
                "laser2-worst",
                laser2_has("n=1, 1000 facts, from 1", 1, evaluations_of, least=1),
                checked=(
                    Seen.REPRODUCED,
                    "`tests/experiments/benchmarks/test_laser2.py` counts the same number with and without "
                    "the technique",
                ),
            ),
            Claim(
                "it evaluates fewer with windows of 2 and 3 ticks, because the rule rests so long",
                "laser2-worst",
                is_flat(
                    EngineName.LASER2,
                    "n=1, 1000 facts, from 1",
                    "n=3, 1000 facts, from 1",
                    0.99,
                    evaluations_of,
                ),
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "3b",
        "section 5, Worst Case: time for a fact",
        (
            Claim(
                "with a window of one tick the technique takes much more time (a tenth or more)",
                "laser2-worst",
                laser2_has("n=1, 1000 facts, from 1", 1000, least=1.1),
                "our rewriting compares once for each formula of a rule, whatever the number of facts",
                Seen.CARRIES_NOT,
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "4a",
        "section 5, Multiple Rules: formulae evaluated",
        (
            Claim(
                "the technique evaluates far fewer formulae (a fifth at most)",
                "laser2-rules",
                laser2_has("n=100, 20 rules", 0.2, evaluations_of),
            ),
        ),
    ),
    PaperFigure(
        LASER2,
        "4b",
        "section 5, Multiple Rules: time for a fact",
        (
            Claim(
                "with a window of 100 and 20 rules the technique is 31 times faster (2 times or more)",
                "laser2-rules",
                laser2_has("n=100, 20 rules", 0.5),
                "our `laser` spends hardly anything on a rule without new instances",
                Seen.CARRIES_NOT,
            ),
            Claim(
                "time hardly depends on window and number of rules with the technique",
                "laser2-rules",
                is_flat(EngineName.LASER2, "n=10, 10 rules", "n=100, 20 rules", 1.5),
            ),
        ),
    ),
)
