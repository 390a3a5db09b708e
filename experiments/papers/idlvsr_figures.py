"""The figures of I-DLV-sr."""

from collections.abc import Sequence

from experiments.benchmark import EngineName, Measured
from experiments.benchmarks import idlvsr_caching, idlvsr_photovoltaic
from experiments.benchmarks.expectations import answers_all, keeps_up, saturates
from experiments.papers.claims import (
    Claim,
    PaperFigure,
    Says,
    Seen,
    Shape,
    beside,
    growth_is_less,
    is_as_fast,
    is_faster,
)

IDLVSR = "Calimeri et al. 2021 (I-DLV-sr)"

_AFRESH = (
    "our comparison differs: `oneshot` hands clingo the program and the whole window at each tick, which the "
    "paper's other engine does not"
)
_DISTRIBUTED_SR = "Distributed-SR is a system in Scala that no package index has"
_OWN = "measured with lars2asp; I-DLV-sr is not run"
_SIDES = idlvsr_photovoltaic.SIDES
_PERIODS = idlvsr_photovoltaic.PERIODS
_at = idlvsr_photovoltaic.at_period


def _best(found: Measured, side: int) -> int:
    """The period, in milliseconds, with the least latency."""
    return min(_PERIODS, key=lambda one: found[_at(side, one), EngineName.AUTO].middle)


def _best_text(found: Measured) -> str:
    return "least latency at " + ", ".join(f"{_best(found, side)} ms ({side} x {side})" for side in _SIDES)


def _keeps_up_text(side: int, period: int) -> Says:
    return lambda found: (
        f"{side} x {side}, a tick each {period} ms: median latency "
        f"{found[_at(side, period), EngineName.AUTO].middle / 1000:.2g} ms"
    )


def _all_answered(names: Sequence[str]) -> Shape:
    return Shape(
        answers_all(EngineName.AUTO, names).holds,
        lambda found: (
            "lars2asp answers at ten ticks a second, at most "
            f"{max(found[name, EngineName.AUTO].middle for name in names) / 1000:.2g} ms late in the median"
        ),
    )


def _requests(begin: str) -> Sequence[str]:
    """The settings of content caching by the clock."""
    names = [one.name for one in idlvsr_caching.REQUESTS_BY_THE_CLOCK.settings(False)]
    return [name for name in names if name.startswith(begin)]


def _tick_grows(found: Measured) -> bool:
    few, many = (found[f"{events} events", EngineName.AUTO].time * events for events in (50, 500))
    return many > few


def _tick_text(found: Measured) -> str:
    few, many = (found[f"{events} events", EngineName.AUTO].time * events for events in (50, 500))
    return f"a tick takes {few:,.0f} us with 50 events and {many:,.0f} us with 500"


FIGURES = (
    PaperFigure(
        IDLVSR,
        "3 (a.1)",
        "section 5, Content Caching",
        (
            Claim(
                "both systems take slightly more than the 60 s of the clock, whatever the window",
                "idlvsr-caching-windows",
                beside(is_faster(EngineName.AUTO, EngineName.ONESHOT, ["n=2", "n=50"], 1)),
                _DISTRIBUTED_SR,
            ),
            Claim(
                "I-DLV-sr accepts and answers all requests, one a second (here ten a second)",
                "idlvsr-requests-clock",
                _all_answered(_requests("one content")),
                note=_OWN,
            ),
            Claim("Distributed-SR misses requests", reason=_DISTRIBUTED_SR),
        ),
    ),
    PaperFigure(
        IDLVSR,
        "3 (a.2)",
        "section 5, Content Caching",
        (
            Claim(
                "total time grows with the number of events",
                "idlvsr-caching-events",
                Shape(_tick_grows, _tick_text),
                note=_OWN,
            ),
            Claim(
                "Distributed-SR misses requests, more of them if there are more events",
                "idlvsr-requests-clock",
                beside(_all_answered(_requests("contents"))),
                _DISTRIBUTED_SR,
            ),
        ),
    ),
    *(
        PaperFigure(
            IDLVSR,
            f"3 ({part})",
            f"section 5, Heavy Join, windows of {size} s",
            (
                Claim(
                    "I-DLV-sr takes less time than Distributed-SR",
                    "idlvsr-heavy-join",
                    beside(
                        is_faster(
                            EngineName.EXTERNAL,
                            EngineName.ONESHOT,
                            [f"n={size}, {events} events" for events in (50, 200, 500)],
                            1,
                        )
                    ),
                    f"{_DISTRIBUTED_SR}. Our numbers compare two ways to call clingo",
                ),
                Claim(
                    "Distributed-SR misses few requests at first, and almost all with many events",
                    "idlvsr-requests-clock",
                    beside(_all_answered([f"join, n={size}, 500 events"])),
                    _DISTRIBUTED_SR,
                ),
            ),
        )
        for part, size in (("b.1", 2), ("b.2", 20))
    ),
    PaperFigure(
        IDLVSR,
        "4 (a.1, a.2)",
        "section 5, Photo-voltaic System",
        (
            Claim(
                "all 60 requests are answered, at periods of .1 to 2 s (here at .1 s, the shortest)",
                "idlvsr-photovoltaic-clock",
                Shape(
                    lambda found: all(
                        keeps_up(EngineName.AUTO, _at(side, _PERIODS[-1])).holds(found) for side in _SIDES
                    ),
                    _keeps_up_text(_SIDES[-1], _PERIODS[-1]),
                ),
                note=_OWN,
            ),
            Claim(
                "requests pile up below some period P (the largest grid, a request each ms)",
                "idlvsr-photovoltaic-clock",
                Shape(
                    saturates(EngineName.AUTO, _at(_SIDES[-1], _PERIODS[0])).holds,
                    _keeps_up_text(_SIDES[-1], _PERIODS[0]),
                ),
                note=_OWN,
            ),
            Claim(
                "P is longer for larger grids",
                "idlvsr-photovoltaic-clock",
                Shape(lambda found: _best(found, _SIDES[0]) < _best(found, _SIDES[-1]), _best_text),
                note=_OWN,
            ),
            Claim(
                "latency is least close to P, and greater if requests come more slowly",
                "idlvsr-photovoltaic-clock",
                Shape(lambda found: all(_best(found, side) < _PERIODS[-1] for side in _SIDES), _best_text),
                note=_OWN,
            ),
        ),
    ),
    PaperFigure(
        IDLVSR,
        "4 (b.1, b.2)",
        "section 5, Photo-voltaic System",
        (
            Claim(
                "incremental grounding takes less time",
                "idlvsr-photovoltaic",
                is_faster(
                    EngineName.EXTERNAL,
                    EngineName.ONESHOT,
                    [f"{size} x {size}, as published" for size in _SIDES],
                    1,
                ),
                note="measured over clingo; the paper's engines are versions of DLV",
            ),
            Claim(
                "the gap grows with the grid",
                "idlvsr-photovoltaic",
                growth_is_less(
                    EngineName.EXTERNAL, EngineName.ONESHOT, "20 x 20, as published", "30 x 30, as published"
                ),
                note="measured over clingo; the paper's engines are versions of DLV",
            ),
        ),
    ),
    PaperFigure(
        IDLVSR,
        "B 1",
        "end of section 5, appendix B",
        (
            Claim(
                "incremental grounding makes no difference for content caching (a quarter at most)",
                "idlvsr-caching-events",
                is_as_fast(
                    EngineName.EXTERNAL,
                    EngineName.ONESHOT,
                    [f"{events} events" for events in idlvsr_caching.EVENTS],
                    1.25,
                ),
                _AFRESH,
                Seen.CARRIES_NOT,
            ),
            Claim(
                "nor for the heavy join",
                "idlvsr-heavy-join",
                is_as_fast(
                    EngineName.EXTERNAL,
                    EngineName.ONESHOT,
                    [f"n={size}, {events} events" for size in (2, 20) for events in (50, 200, 500)],
                    1.25,
                ),
                _AFRESH,
                Seen.CARRIES_NOT,
            ),
        ),
    ),
)
