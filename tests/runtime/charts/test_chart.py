"""Charts: what they have of a run, and what is written."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from lars2asp import Chart, InputError, Reasoner
from lars2asp.runtime.charts.lanes import LONGEST_TEXT, AtomLane, ChartData, InputLane, LaneGroup
from lars2asp.runtime.charts.page import LARGEST_FRAME, compact
from lars2asp.runtime.charts.picture import MOST_LANES
from lars2asp.runtime.sources.times.timeline import Timeline

ROOMS = """
    #tick 1 min.  #timezone "Europe/Vienna".
    #input reading(room, temp) at time.
    hot(R) :- reading(R, T), T > 25.
    warm(R) :- hot(R) in [1].
    :- reading(_, T), T > 90.
"""
READINGS = """time,room,temp
2026-03-29T01:58,hall,30
2026-03-29T01:59,hall,20
2026-03-29T03:01,attic,99
2026-03-29T03:02,attic,26
"""
#         58  59  3:00  01  02
# hall    hot
#         warm warm
# attic                 gap hot, warm

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "\"quotes' & <b>",
    "\u202eright to left\u202c",
    "\u05e9\u05dc\u05d5\u05dd",
    "long " * 2_000,
)


def embedded(page: str) -> Any:
    """What the page has as data."""
    [found] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found)


@pytest.fixture
def rooms(tmp_path: Path) -> Chart:
    """The chart of the readings."""
    (tmp_path / "readings.csv").write_text(READINGS)
    return Reasoner.from_text(ROOMS).chart(tmp_path / "readings.csv")


def test_a_chart_has_lanes_marks_and_gaps(rooms: Chart) -> None:
    found = embedded(rooms.to_html())
    assert found["groups"] == [["hot/1", 2], ["warm/1", 2]]
    assert found["lanes"] == ['hot("attic")', 'hot("hall")', 'warm("attic")', 'warm("hall")']
    assert found["bars"] == [[4, 1], [0, 1], [4, 1], [0, 2]]
    assert found["inputs"] == [["reading/2", [0, 1, 2, 1], [1, 1, 1, 1]]]
    assert (found["gaps"], found["length"], found["earlier"]) == ([3, 4], 5, [])
    assert (rooms.lanes, rooms.intervals) == (4, 4)
    assert repr(rooms).startswith("<Chart: 4 intervals of 4 atoms, ticks ")


def test_times_are_those_of_the_zone_also_where_clocks_change(rooms: Chart) -> None:
    clock = embedded(rooms.to_html())["clock"]
    assert (clock["tick"], clock["zone"]) == (60_000, "Europe/Vienna")
    change = 1774746000000  # 01:00 UTC
    assert clock["offsets"] == [[change - 120_000, 60], [change, 120]]


def test_a_chart_goes_on_where_a_reasoner_was_before() -> None:
    reasoner = Reasoner.from_text("a(X) :- b(X) in [2].")
    reasoner.step(5, ["b(1)"])
    found = embedded(reasoner.chart([(6, ["b(2)"]), (9, [])]).to_html())
    assert (found["begin"], found["length"], found["clock"]) == ("5", 5, None)
    assert (found["bars"], found["earlier"]) == ([[0, 3], [1, 3]], [0])


def test_nothing_that_came_with_the_data_is_html(tmp_path: Path) -> None:
    facts = [("seen", text) for text in HOSTILE]
    chart = Reasoner.from_text("held(X) :- seen(X).").chart([(1, facts), (2, [])])
    page = chart.to_html()
    assert page.count("<script") == 2 and page.count("</script") == 2
    assert "<b>" not in page and "<!--<" not in page and "\u202e" not in page
    lanes = embedded(page)["lanes"]
    assert any(text.endswith(" ...") for text in lanes)
    assert max(map(len, lanes)) <= LONGEST_TEXT + 4
    assert any("\\u202eright to left" in text for text in lanes)
    assert chart._repr_html_().count("<script") == 0
    for ending in ("html", "svg", "png"):
        chart.write(tmp_path / f"chart.{ending}")
    assert b"<b>" not in (tmp_path / "chart.svg").read_bytes()


def test_a_picture_has_some_lanes_and_counts_the_rest(tmp_path: Path) -> None:
    many = LaneGroup("many/1", tuple(AtomLane(f"many({n})", [n, n + 2]) for n in range(1_000)))
    few = LaneGroup("few/1", (AtomLane("few(1)", [3, 8]),))
    data = ChartData(0, 2_000, (many, few), (InputLane("seen/1", {4: 1, 7: 2}),), [20, 30])
    Chart(data, "$many$ lanes").write(tmp_path / "chart.svg")
    drawn = (tmp_path / "chart.svg").read_text()
    assert f"{1_001 - MOST_LANES} more lanes are not drawn" in drawn
    assert "few(1)" in drawn and "many(999)" not in drawn and "$many$" in drawn
    assert (tmp_path / "chart.svg").stat().st_size < 3_000_000


def test_fifty_thousand_lanes_are_a_page_but_no_notebook() -> None:
    lanes = tuple(AtomLane(f"held({n},some_longer_name)", [n, n + 2]) for n in range(50_000))
    chart = Chart(ChartData(0, 60_000, (LaneGroup("held/2", lanes),)), "many")
    assert len(chart.to_html()) < 5_000_000
    assert "too large for a notebook" in chart._repr_html_()
    assert len(chart._repr_html_()) < LARGEST_FRAME


def test_other_endings_are_refused(rooms: Chart, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.html \(a page\), \.svg or \.png"):
        rooms.write(tmp_path / "chart.pdf")
    with pytest.raises(InputError, match="cannot write this file: No such file"):
        rooms.write(tmp_path / "missing" / "chart.html")


def test_matplotlib_is_asked_for_where_it_is_missing(
    rooms: Chart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'lars2asp\[charts\]'"):
        rooms.write(tmp_path / "chart.png")
    rooms.write(tmp_path / "chart.html")


def test_where_the_calendar_ends_there_are_ticks() -> None:
    timeline = Timeline(60_000_000)
    data = ChartData(10**15, 10**15 + 5, (LaneGroup("a/0", (AtomLane("a", [10**15, 10**15 + 5]),)),))
    assert compact(data, "", timeline)["clock"] is None
    assert compact(data, "", timeline)["begin"] == "1000000000000000"


@pytest.mark.parametrize("ending", ["html", "svg", "png"])
def test_a_chart_of_nothing_is_written(tmp_path: Path, ending: str) -> None:
    Reasoner.from_text("a :- b.").chart([]).write(tmp_path / f"chart.{ending}")
    assert (tmp_path / f"chart.{ending}").stat().st_size
