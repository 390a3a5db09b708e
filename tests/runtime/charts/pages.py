"""Pages of charts that several tests look at."""

import random
from pathlib import Path

from lars2asp import Chart
from lars2asp.runtime.charts.lanes import AtomLane, ChartData, InputLane, LaneGroup
from lars2asp.runtime.sources.times.timeline import Timeline

MINUTES = Timeline(60_000_000)


def small(folder: Path) -> Path:
    """Two predicates over ten hours from 2013-03-04T00:00Z, with a gap and input."""
    begin = 22_705_920
    hot = AtomLane('hot("hall")', [begin, begin + 60, begin + 120, begin + 600], begun_earlier=True)
    hostile = AtomLane("hot(\"<b>'</script>\\u202e" + "x" * 10_000 + '")', [begin + 30, begin + 31])
    alarm = AtomLane("alarm", [begin + 300, begin + 330])
    data = ChartData(
        begin,
        begin + 600,
        (LaneGroup("alarm/0", (alarm,)), LaneGroup("hot/1", (hot, hostile))),
        (InputLane("reading/2", {begin + 5: 3, begin + 300: 1}),),
        (begin + 400, begin + 420),
    )
    path = folder / "small.html"
    Chart(data, "rooms.lars", MINUTES).write(path)
    return path


def large(folder: Path, lanes: int, intervals: int) -> Path:
    """Many lanes with so many intervals together, half of them in the first one."""
    choose = random.Random(1)
    shares = [intervals // 2, *[0] * (lanes - 1)]
    for _ in range(intervals - intervals // 2):
        shares[choose.randrange(1, lanes)] += 1
    found = []
    for number, share in enumerate(shares):
        ticks = sorted(choose.sample(range(1_000_000), 2 * share))
        found.append(AtomLane(f"held({number})", ticks))
    path = folder / "large.html"
    Chart(ChartData(0, 1_000_000, (LaneGroup("held/1", tuple(found)),)), "large", MINUTES).write(path)
    return path
