"""The chart as a page: one file with data, style and script, which opens without network."""

import json
from datetime import timedelta
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lars2asp.analysis.tick_moments import DayMoments
from lars2asp.runtime.charts.lanes import AtomLane, ChartData, InputLane
from lars2asp.runtime.sinks.page_head import PAGE_HEAD, framed_page

if TYPE_CHECKING:
    from lars2asp.runtime.sources.times.timeline import Timeline

LARGEST_FRAME = 2_000_000
"""The number of characters of a page that a notebook keeps."""

DAY = 86_400_000
"""In milliseconds."""

MOST_PROBES = 20_000
"""How often it is asked for the offset from UTC; in charts of more days changes of it may be days off."""

SCRIPTS = ("times.js", "lanes.js", "page.js")
"""The parts of the script; the live page has the first two as well."""


def page_of(data: ChartData, title: str, timeline: "Timeline | None") -> str:
    """The page; nothing that came with the data is HTML in it."""
    folder = files("lars2asp.runtime.charts")
    style, body = (folder.joinpath(f"page.{end}").read_text("utf-8") for end in ("css", "html"))
    script = "".join(folder.joinpath(name).read_text("utf-8") for name in SCRIPTS)
    found = json.dumps(compact(data, title, timeline), separators=(",", ":"))  # ASCII alone
    safe = found.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return (
        f"{PAGE_HEAD}<title>{escape(title)}</title>\n<style>\n{style}</style></head>\n<body>\n{body}"
        f'<script type="application/json" id="data">{safe}</script>\n<script>\n{script}</script>\n'
        "</body></html>\n"
    )


def framed(data: ChartData, title: str, timeline: "Timeline | None") -> str:
    """The page within a notebook; where it is too large, what to do."""
    page = page_of(data, title, timeline)
    if len(page) > LARGEST_FRAME:
        return (
            f"<p>A chart of {data.intervals} intervals of {data.lanes} atoms is too large for a notebook: "
            "<code>chart.write('chart.html')</code> makes a page of it.</p>"
        )
    return framed_page(page, title)


def compact(data: ChartData, title: str, timeline: "Timeline | None") -> dict[str, Any]:
    """What the page is made of, as JSON has it. Ticks are counted from the begin, and from each other.

    The bars of a lane are the distance of the first begin from the chart's, its length, the distance to the
    next begin, and so on.
    """
    lanes = [lane for group in data.groups for lane in group.lanes]
    return {
        "title": title,
        "begin": str(data.begin),
        "length": data.end - data.begin,
        "clock": None if timeline is None else clock_of(timeline, data.begin, data.end),
        "groups": [[group.name, len(group.lanes)] for group in data.groups],
        "lanes": [lane.text for lane in lanes],
        "bars": [_steps(lane, data.begin) for lane in lanes],
        "earlier": [number for number, lane in enumerate(lanes) if lane.begun_earlier],
        "gaps": [tick - data.begin for tick in data.gaps],
        "inputs": [_marks(lane, data.begin) for lane in data.inputs],
    }


def clock_of(timeline: "Timeline", first: int, last: int) -> dict[str, Any] | None:
    """How ticks become times between two ticks; None where the calendar ends before the last one.

    `begin` is when the first one begins, and `tick` the length of a tick, in milliseconds.

    `offsets` are the times, in milliseconds since 1970, from which on the zone is so many minutes from UTC.
    Of ticks that are days by the clock the times are those of the clock, which has `days` then.
    """
    length, moments = timeline.tick_length, timeline.moments
    if length is None or None in (timeline.local(first), timeline.local(last)):
        return None
    if isinstance(moments, DayMoments):
        shown = moments.wall_time(first) / 1000
        return {
            "begin": shown,
            "tick": length / 1000,
            "zone": str(timeline.zone),
            "offsets": [[shown, 0]],
            "days": True,
        }
    begin, end = (round(timeline.moment(tick).timestamp() * 1000) for tick in (first, last))
    zone = timeline.zone
    found = [[begin, _offset(timeline, 0, first)]]
    step = max(DAY, (end - begin) // MOST_PROBES)
    at = begin
    while zone is not None and at < end:
        later = min(at + step, end)
        if _offset(timeline, later - begin, first) != found[-1][1]:
            low, high = at, later
            while high - low > 1000:
                middle = (low + high) // 2
                if _offset(timeline, middle - begin, first) == found[-1][1]:
                    low = middle
                else:
                    high = middle
            high -= high % 1000
            found.append([high, _offset(timeline, later - begin, first)])
        at = later
    exact = timeline.moment(first)
    begin_at = exact.timestamp() // 1 * 1000 + exact.microsecond / 1000
    return {"begin": begin_at, "tick": length / 1000, "zone": str(zone or "UTC"), "offsets": found}


def _offset(timeline: "Timeline", milliseconds: int, begin: int) -> float:
    """Minutes from UTC so much later than a tick."""
    if timeline.zone is None:
        return 0
    moment = timeline.moment(begin) + timedelta(milliseconds=milliseconds)
    offset = moment.astimezone(timeline.zone).utcoffset()
    return 0 if offset is None else offset.total_seconds() / 60


def _steps(lane: AtomLane, begin: int) -> list[int]:
    found = []
    for tick in lane.bars:
        found.append(tick - begin)
        begin = tick
    return found


def _marks(lane: InputLane, begin: int) -> list[Any]:
    """The name, the distances of ticks, and how many facts came at them."""
    steps = []
    for tick in lane.counts:
        steps.append(tick - begin)
        begin = tick
    return [lane.name, steps, [*lane.counts.values()]]
