"""The figures of I-DLV-sr."""

from collections.abc import Sequence

from experiments.benchmark import EngineName, Measured
from experiments.benchmarks import idlvsr_caching, idlvsr_photovoltaic
from experiments.benchmarks.expectations import answers_all, is_faster, is_flat, keeps_up, saturates
from experiments.papers.claims import Claim, PaperFigure, all_of, growth_is_less, is_as_fast

_AFRESH = "to start afresh is to hand clingo the program and all that the window holds, at each tick"
IDLVSR = "Calimeri et al. 2021 (I-DLV-sr)"

_SIDES = idlvsr_photovoltaic.SIDES
_at = idlvsr_photovoltaic.at_period


def _sustained(found: Measured, side: int) -> int:
    """The shortest period, in milliseconds, at which nothing piles up."""
    periods = idlvsr_photovoltaic.PERIODS
    return next(
        (one for one in periods if keeps_up(EngineName.AUTO, _at(side, one)).holds(found)), periods[-1]
    )


def _requests(what: str) -> Sequence[str]:
    """The settings of content caching by the clock."""
    names = [one.name for one in idlvsr_caching.REQUESTS_BY_THE_CLOCK.settings(False)]
    return [name for name in names if name.startswith(what)]


_DISTRIBUTED_SR = "Distributed-SR is a system in Scala that is not published as a package"

FIGURES = (
    PaperFigure(
        IDLVSR,
        "3 (a.1)",
        "content caching, windows of 2 to 50 seconds: total time and requests that were accepted",
        (
            Claim(
                "time does not depend on the window",
                "idlvsr-caching-windows",
                is_flat(EngineName.AUTO, "n=2", "n=50", 1.5).holds,
            ),
            Claim(
                "all requests are accepted at a tick a second (here at ten)",
                "idlvsr-requests-clock",
                answers_all(EngineName.AUTO, _requests("one content")).holds,
            ),
            Claim(
                "total time is that of the clock",
                "idlvsr-requests-clock",
                all_of(*(keeps_up(EngineName.AUTO, name).holds for name in _requests("one content"))),
            ),
            Claim("Distributed-SR leaves requests out", reason=_DISTRIBUTED_SR),
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
                is_flat(EngineName.AUTO, "50 events", "500 events", 1.5).holds,
            ),
            Claim(
                "all requests are accepted at a tick a second (here at ten)",
                "idlvsr-requests-clock",
                answers_all(EngineName.AUTO, _requests("contents")).holds,
            ),
            Claim("Distributed-SR leaves requests out", reason=_DISTRIBUTED_SR),
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
                        EngineName.EXTERNAL,
                        EngineName.ONESHOT,
                        [f"n={size}, {events} events" for events in (50, 200, 500)],
                        2,
                    ).holds,
                ),
                Claim(
                    "all requests are accepted at a tick a second (here at ten)",
                    "idlvsr-requests-clock",
                    answers_all(EngineName.AUTO, [f"join, n={size}, 500 events"]).holds,
                ),
                Claim("Distributed-SR leaves nearly all requests out", reason=_DISTRIBUTED_SR),
            ),
        )
        for part, size in (("b.1", 2), ("b.2", 20))
    ),
    PaperFigure(
        IDLVSR,
        "4 (a.1, a.2)",
        "the photo-voltaic system on six grids, a request each .1 to 2 seconds: time, latency",
        (
            Claim(
                "all requests are answered at the paper's periods, of which .1 s is the shortest",
                "idlvsr-photovoltaic-clock",
                all_of(
                    *(
                        keeps_up(EngineName.AUTO, _at(side, idlvsr_photovoltaic.PERIODS[-1])).holds
                        for side in _SIDES
                    )
                ),
            ),
            Claim(
                "below some period requests pile up (the largest grid, a request each ms)",
                "idlvsr-photovoltaic-clock",
                saturates(EngineName.AUTO, _at(_SIDES[-1], idlvsr_photovoltaic.PERIODS[0])).holds,
            ),
            Claim(
                "that period is the longer the larger the grid is",
                "idlvsr-photovoltaic-clock",
                lambda found: _sustained(found, _SIDES[0]) < _sustained(found, _SIDES[-1]),
            ),
            Claim(
                "latency is least at about that period, and not where requests come more slowly",
                "idlvsr-photovoltaic-clock",
                lambda found: all(
                    found[_at(side, _sustained(found, side)), EngineName.AUTO].middle
                    <= found[_at(side, idlvsr_photovoltaic.PERIODS[-1]), EngineName.AUTO].middle
                    for side in _SIDES
                ),
            ),
        ),
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
                    EngineName.EXTERNAL,
                    EngineName.ONESHOT,
                    [f"{size} x {size}, as published" for size in _SIDES],
                    1,
                ).holds,
            ),
            Claim(
                "the more so the larger the grid is",
                "idlvsr-photovoltaic",
                growth_is_less(
                    EngineName.EXTERNAL, EngineName.ONESHOT, "20 x 20, as published", "30 x 30, as published"
                ),
            ),
        ),
    ),
    PaperFigure(
        IDLVSR,
        "B 1",
        "content caching and the heavy join with and without incremental grounding",
        (
            Claim(
                "it makes no difference for content caching (a quarter at most)",
                "idlvsr-caching-events",
                is_as_fast(
                    EngineName.EXTERNAL,
                    EngineName.ONESHOT,
                    [f"{events} events" for events in idlvsr_caching.EVENTS],
                    1.25,
                ),
                _AFRESH,
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
            ),
        ),
    ),
)
