"""The script of the page, run by Node.js with a canvas that notes what is drawn (page_harness.js)."""

import json
import shutil
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lars2asp import Chart, Timeline
from lars2asp.runtime.charts.lanes import AtomLane, ChartData, LaneGroup
from tests.runtime.charts.pages import large, small
from tests.support.processes import completed

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node.js is not installed: no node is found")

WIDTH, HEIGHT, SIDE, AXIS, ROW = 1000, 500, 260, 44, 20
PLOT = WIDTH - SIDE - 14


def acted(page: Path, *acts: list[Any], width: int = WIDTH) -> list[Any]:
    """What came of each act."""
    harness = Path(__file__).with_name("page_harness.js")
    command = [str(NODE), str(harness), str(page), str(width), str(HEIGHT), json.dumps(acts)]
    found: list[Any] = json.loads(completed(command).stdout)
    return found


def texts(drawn: list[Any]) -> list[str]:
    return [one[2] for one in drawn if one[0] == "text"]


def row(number: int) -> int:
    """The middle of a row."""
    return AXIS + number * ROW + ROW // 2


def test_lanes_bars_and_hours_are_drawn(tmp_path: Path) -> None:
    [drawn] = acted(small(tmp_path), ["drawn"])
    found = texts(drawn)
    assert {"03:00", "2013-03-04T00:00:00+00:00  UTC"} <= {*found}
    assert found[-6:-1] == ["input reading/2", "alarm/0", "alarm", "hot/1", 'hot("hall")']
    assert found[-1].startswith("hot(\"<b>'</script>") and len(found[-1]) < 40
    alarm = [one for one in drawn if one[0] == "rect" and one[3] == AXIS + 2 * ROW + 4]
    [(x, wide)] = [(one[2], one[4]) for one in alarm]
    assert (x, wide) == pytest.approx((SIDE + PLOT / 2, PLOT / 20))


def test_what_is_under_the_pointer_is_said(tmp_path: Path) -> None:
    middle = SIDE + PLOT * 0.52
    places = [(middle, row(2)), (SIDE + PLOT * 0.69, row(2)), (SIDE + PLOT * 0.05, row(4)), (20, row(5))]
    bar, gap, earlier, label = acted(small(tmp_path), *(["hover", *place] for place in places))
    assert bar["tip"] == [
        "alarm",
        "begin  2013-03-04T05:00:00+00:00",
        "end  2013-03-04T05:30:00+00:00",
        "duration  30 min (30 ticks)",
    ]
    assert gap["tip"][0] == "no answer stream" and gap["tip"][-1] == "20 min (20 ticks)"
    assert earlier["tip"][1] == "begun before  2013-03-04T00:00:00+00:00"
    assert earlier["tip"][3] == "duration  at least 1 h (60 ticks)"
    assert "</script>" in label["tip"][0] and len(label["tip"][0]) < 2_100


def test_marks_of_input_say_how_many_facts_came(tmp_path: Path) -> None:
    [mark] = acted(small(tmp_path), ["hover", SIDE + PLOT * 5 / 600, row(0)])
    assert mark["tip"] == ["input reading/2", "3 facts", "2013-03-04T00:05:00+00:00"]


def test_the_wheel_zooms_at_the_pointer_and_dragging_moves(tmp_path: Path) -> None:
    x = SIDE + PLOT / 2
    near, moved, whole = acted(
        small(tmp_path), ["wheel", x, 100, -300], ["drag", x, 100, x - PLOT / 4, 100], ["key", "0"]
    )
    span = near["to"] - near["from"]
    assert span < 300 and near["from"] + span / 2 == pytest.approx(300)
    assert moved["from"] == pytest.approx(near["from"] + span / 4)
    assert (whole["from"], whole["to"]) == (0, 600)


def test_keys_choose_lanes_and_their_intervals(tmp_path: Path) -> None:
    downs = [["key", "ArrowDown"]] * 5
    *_, lane, first, second, searched = acted(
        small(tmp_path), *downs, ["key", "n"], ["key", "n"], ["key", "/"]
    )
    assert lane["said"] == 'hot("hall"), 2 intervals'
    assert first["tip"][0] == 'hot("hall")' and "T00:00:00" in first["tip"][1]
    assert "T02:00:00" in second["tip"][1]
    assert second["tip"][2] == "holds to the end, 2013-03-04T10:00:00+00:00"
    assert searched["active"] == "search"


def test_a_search_leaves_the_lanes_that_have_the_text(tmp_path: Path) -> None:
    found, none, drawn = acted(small(tmp_path), ["search", "HALL"], ["search", "nobody"], ["drawn"])
    assert (found["rows"], found["found"]) == (2, "1 of 3 atoms")
    assert none["rows"] == 0
    assert "alarm" not in texts(drawn)


def test_a_narrow_page_leaves_room_for_arguments(tmp_path: Path) -> None:
    [drawn] = acted(small(tmp_path), ["drawn"], width=400)
    assert '("hall")' in texts(drawn)


def test_no_more_is_drawn_than_can_be_seen(tmp_path: Path) -> None:
    page = large(tmp_path, lanes=50_000, intervals=100_000)
    whole, near = acted(page, ["drawn"], ["wheel", SIDE + PLOT / 2, 100, -300])
    in_sight = HEIGHT // ROW
    assert len(whole) < in_sight * 10 + PLOT
    assert near["rows"] == 50_001
    [end] = acted(page, ["wheel", 20, 100, 10_000_000])
    assert end["top"] == 50_001 * ROW - (HEIGHT - AXIS)


def test_all_that_is_there_is_drawn_where_there_is_room(tmp_path: Path) -> None:
    """Bars that are merged cover what they are made of, and not more than a pixel around it."""
    page = large(tmp_path, lanes=2, intervals=400)
    from_node = """(() => {
        const data = JSON.parse(document.getElementById("data").textContent);
        const { starts, begins, ends } = barsOf(data.bars);
        const seen = pixelsOf(begins, ends, starts[0], starts[1], 1000, 0.001, 700);
        return { seen, begins: [...begins.slice(0, starts[1])], ends: [...ends.slice(0, starts[1])] };
    })()"""
    [found] = acted(page, ["call", from_node])
    spans = [*zip(found["seen"][::2], found["seen"][1::2], strict=True)]
    assert all(end < begin for (_, end), (begin, _) in pairwise(spans))
    bars = [
        ((b - 1000) * 0.001, (e - 1000) * 0.001) for b, e in zip(found["begins"], found["ends"], strict=True)
    ]
    bars = [(begin, end) for begin, end in bars if end > 0 and begin < 700]
    for begin, end in bars:
        assert any(low <= max(begin, -1) and min(end, 701) <= high for low, high in spans)
    for low, high in spans:
        covered = sum(min(high, end) - max(low, begin) for begin, end in bars if end > low and begin < high)
        assert high - low - covered <= 2 * (1 + sum(low <= begin <= high for begin, _ in bars))


@pytest.mark.parametrize(
    ("first", "labels"),
    [
        ("2026-03-29T00:00+01:00", ["00:00", "01:00", "03:00", "04:00"]),
        ("2026-10-25T00:00+02:00", ["00:00", "01:00", "02:00", "03:00"]),
    ],
)
def test_hours_are_those_of_the_zone_where_clocks_change(
    tmp_path: Path, first: str, labels: list[str]
) -> None:
    zone = ZoneInfo("Europe/Vienna")
    timeline = Timeline(60_000_000, zone=zone)
    begin = timeline.tick(first)
    data = ChartData(begin, begin + 250, (LaneGroup("on/0", (AtomLane("on", [begin + 170, begin + 200]),)),))
    Chart(data, "", timeline).write(tmp_path / "page.html")
    data_of = "const data = JSON.parse(document.getElementById('data').textContent)"
    axis = "axisOf(clockOf(data.clock, data.begin), 0, data.length, 6).map((one) => one[1])"
    [found] = acted(
        tmp_path / "page.html",
        [
            "call",
            f"(() => {{ {data_of}; return {axis} }})()",
        ],
    )
    assert [first[5:10] if label == "00:00" else label for label in labels] == found[: len(labels)]
    [hovered] = acted(tmp_path / "page.html", ["hover", SIDE + PLOT * 180 / 250, row(1)])
    assert hovered["tip"][1] == f"begin  {timeline.text(begin + 170)}"
    assert hovered["tip"][2] == f"end  {timeline.text(begin + 200)}"


def test_a_page_can_be_zoomed_down_to_a_tick(tmp_path: Path) -> None:
    timeline = Timeline(1_000)
    begin = 1_767_225_600_000  # 2026-01-01T00:00Z
    data = ChartData(begin, begin + 10**9, (LaneGroup("on/0", (AtomLane("on", [begin + 5, begin + 7]),)),))
    Chart(data, "", timeline).write(tmp_path / "page.html")
    *_, near, drawn = acted(tmp_path / "page.html", *[["wheel", SIDE, 100, -300]] * 40, ["drawn"])
    assert near["to"] - near["from"] == pytest.approx(0.5)
    assert "01-01" in texts(drawn) and "2026-01-01T00:00:00.000+00:00  UTC" in texts(drawn)


def test_large_ticks_without_times_keep_their_digits(tmp_path: Path) -> None:
    begin = 9_007_199_254_740_993  # no float
    data = ChartData(begin, begin + 10, (LaneGroup("on/0", (AtomLane("on", [begin + 1, begin + 9]),)),))
    Chart(data, "").write(tmp_path / "page.html")
    [hovered] = acted(tmp_path / "page.html", ["hover", SIDE + PLOT / 2, row(1)])
    assert hovered["tip"][1:3] == [f"begin  tick {begin + 1}", f"end  tick {begin + 9}"]


@pytest.mark.parametrize("zone", ["Europe/Vienna", "America/New_York"])
def test_days_by_the_clock_are_dates(tmp_path: Path, zone: str) -> None:
    """Also behind both changes of clocks; a date is read as the tick that it stands for."""
    timeline = Timeline(86_400_000_000, origin=datetime(2026, 3, 1), zone=ZoneInfo(zone), counts_days=True)
    data = ChartData(0, 300, (LaneGroup("on/0", (AtomLane("on", [29, 240]),)),))
    Chart(data, "", timeline).write(tmp_path / "page.html")
    [hovered] = acted(tmp_path / "page.html", ["hover", SIDE + PLOT * 100 / 300, row(1)])
    assert hovered["tip"][1:4] == ["begin  2026-03-30", "end  2026-10-27", "duration  211 d (211 ticks)"]
    assert [timeline.asked_tick(day) for day in ("2026-03-30", "2026-10-27")] == [29, 240]
    clock = "clockOf(JSON.parse(document.getElementById('data').textContent).clock, '0')"
    [labels] = acted(tmp_path / "page.html", ["call", f"axisOf({clock}, 25, 32, 10).map((one) => one[1])"])
    assert labels == [f"03-{day}" for day in range(26, 32)] + ["04-01", "04-02"]
