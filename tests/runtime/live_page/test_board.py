"""What a page keeps is what charts have of the same run; browsers that follow the news have the same."""

import json
import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp import Reasoner
from lars2asp.runtime.charts.recorder import ChartRecorder
from lars2asp.runtime.live_page import board as boards
from lars2asp.runtime.live_page.board import Board
from lars2asp.runtime.live_page.frames import Frames
from lars2asp.runtime.live_page.messages import (
    Answered,
    Counted,
    InputCounts,
    Message,
    PageOf,
    Refused,
    Whole,
)
from lars2asp.runtime.live_page.metrics import metrics_of
from lars2asp.runtime.sinks.counters import Counters, InputTime
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.times.timeline import Timeline
from tests.support.processes import completed

NODE = shutil.which("node")

EVER = 10**9
PAGE = PageOf("rooms.lars", Timeline(60_000_000), EVER, False, None, frozenset())

Ticks = list[tuple[frozenset[str], bool, int]]
"""For each tick the atoms that hold, whether there is an answer stream, and how many facts came."""

TICKS: st.SearchStrategy[Ticks] = st.lists(
    st.tuples(
        st.frozensets(st.sampled_from(["a(1)", "a(2)", "a(10)", "b", "-c(x)"])),
        st.sampled_from([True, True, True, False]),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=30,
)


def predicate_of(atom: str) -> str:
    name, _, arguments = atom.partition("(")
    return f"{name}/{1 if arguments else 0}"


def told(ticks: Ticks, first: int = 5) -> list[Message]:
    """What a run tells of its ticks."""
    found: list[Message] = []
    before: frozenset[str] = frozenset()
    for tick, (holds, satisfiable, facts) in enumerate(ticks, start=first):
        now = holds if satisfiable else frozenset()
        if facts:
            found.append(InputCounts(tick, [("reading/2", facts)]))
        changes = [
            (
                predicate,
                sorted(one for one in now - before if predicate_of(one) == predicate),
                sorted(one for one in before - now if predicate_of(one) == predicate),
            )
            for predicate in sorted({*map(predicate_of, now ^ before)})
        ]
        found.append(Answered(tick, satisfiable, changes, float(tick)))
        before = now
    return found


def bars_of(ticks: Ticks, first: int = 5) -> dict[str, list[int]]:
    """Begins and ends of each atom by the definition; what holds to the last tick has no end."""
    found: dict[str, list[int]] = {}
    for tick, (holds, satisfiable, _) in enumerate([*ticks, (frozenset(), True, 0)], start=first):
        now = holds if satisfiable else frozenset()
        if tick == first + len(ticks):
            break
        for atom in sorted(now):
            if len(found.setdefault(atom, [])) % 2 == 0:
                found[atom].append(tick)
        for atom, bars in found.items():
            if atom not in now and len(bars) % 2:
                bars.append(tick)
    return found


def lanes_of(board: Board) -> dict[str, list[int]]:
    """The same as a board has it."""
    found = {}
    for atom, lane in board.lanes.items():
        ends = [*lane.ends, *[None] * lane.holds]
        found[atom] = [
            tick for pair in zip(lane.begins, ends, strict=True) for tick in pair if tick is not None
        ]
    return found


@given(TICKS)
def test_lanes_are_those_of_the_definition(ticks: Ticks) -> None:
    board = Board(EVER)
    for message in told(ticks):
        board.take(message, 0.0)
    assert lanes_of(board) == bars_of(ticks)
    assert [*board.inputs] == (["reading/2"] if any(facts for _, _, facts in ticks) else [])


def test_a_board_has_the_lanes_of_a_chart() -> None:
    reasoner = Reasoner.from_text("hot(R) :- reading(R, T), T > 25. alarm(R) :- hot(R) always in [2].")
    recorder, board = ChartRecorder(), Board(EVER)
    for tick in range(50):
        answer = reasoner.step(tick, [("reading", room, 20 + tick * room % 11) for room in range(1, 4)])
        recorder.take(answer)
        changes = [
            (
                str(one),
                [f"{one.name}({row[0]})" for row in began],
                [f"{one.name}({row[0]})" for row in ended],
            )
            for one, (began, ended) in answer.row_changes
        ]
        board.take(Answered(tick, True, changes, 0.0), 0.0)
    drawn = {lane.text: [*lane.bars] for group in recorder.data(49).groups for lane in group.lanes}
    kept = {atom: bars + [50] * (len(bars) % 2) for atom, bars in lanes_of(board).items()}
    assert kept == drawn


@given(TICKS, st.integers(0, 10))
def test_what_ended_before_the_ticks_that_are_kept_is_forgotten(ticks: Ticks, kept: int) -> None:
    board = Board(kept)
    for message in told(ticks):
        board.take(message, 0.0)
    assert board.tick is not None and board.first == max(5, board.tick - kept)
    whole = bars_of(ticks)
    expected = {}
    for atom, bars in whole.items():
        pairs = [bars[n : n + 2] for n in range(0, len(bars), 2)]
        left = [tick for pair in pairs if len(pair) == 1 or pair[1] > board.first for tick in pair]
        if left:
            expected[atom] = left
    assert lanes_of(board) == expected


def test_memory_is_bounded_however_long_a_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "MOST_INTERVALS", 100)
    monkeypatch.setattr(boards, "MOST_MARKS", 100)
    monkeypatch.setattr(boards, "MOST_NEWS", 100)
    board = Board(EVER)
    for tick in range(5000):
        atom = f"p({tick})"
        board.take(InputCounts(tick, [("q/1", 1)]), 0.0)
        gone = [] if tick == 0 else [f"p({tick - 1})"]
        board.take(Answered(tick, tick % 7 > 0, [("p/1", [atom], gone)], 0.0), 0.0)
        board.take(Refused("x:1", "why", "text"), 0.0)
    assert len(board.lanes) <= 101 and len(board.inputs["q/1"].ticks) <= 101
    assert len(board.refused) == 100 and board.refusals == 5000
    assert len(board.gaps) <= 100
    assert board.since(board.news - 201) is None and board.since(board.news) == []


def test_what_was_not_told_is_marked_as_missed_and_what_holds_is_right_again() -> None:
    board = Board(EVER)
    board.take(Answered(3, True, [("a/1", ["a(1)", "a(2)"], [])], 0.0), 0.0)
    board.take(Whole(9, True, [("a/1", ["a(2)", "a(3)"])], 0.0, lost_since=4), 0.0)
    assert lanes_of(board) == {"a(1)": [3, 9], "a(2)": [3], "a(3)": [9]}
    assert [*board.missed] == [(4, 9)] and board.lanes["a(3)"].begun_earlier


# --- browsers ---------------------------------------------------------------------------------------------

REPLAY = """
const fs = require("fs"), vm = require("vm");
const [folder, frames] = [process.argv[1], JSON.parse(fs.readFileSync(0, "utf-8"))];
const sandbox = vm.createContext({ console });
for (const name of ["charts/times.js", "charts/lanes.js", "live_page/live.js"]) {
  vm.runInContext(fs.readFileSync(`${folder}/${name}`, "utf-8"), sandbox);
}
sandbox.frames = frames;
const found = vm.runInContext(`
  frames.map(([whole, ...more]) => {
    const board = new Board();
    board.whole(whole);
    for (const one of more) { board.more(one); board.sweep(); board.sort(); }
    const bars = (lane) => lane.begins.map((begin, n) => [begin, lane.ends[n]]);
    const lanes = [...board.lanes.values()].map((lane) => [lane.text, bars(lane)]);
    return { lanes, inputs: board.inputs.map((one) => [one.name, one.ticks, one.counts]), gaps: board.gaps,
      groups: board.groups.map((group) => group.lanes.map((lane) => lane.text)), intervals: board.intervals };
  })`, sandbox);
process.stdout.write(JSON.stringify(found));
"""


def followed(ticks: Ticks, cuts: list[int], kept: int) -> tuple[list[Any], Board]:
    """The frames of a browser that is told after so many messages, and the board at the end."""
    board = Board(kept)
    frames = Frames(board, PAGE)
    messages = told(ticks)
    found, position = [], None
    for number, message in enumerate(messages):
        board.take(message, 0.0)
        if number in cuts or number == len(messages) - 1:
            frame = frames.whole() if position is None else frames.since(position)
            assert frame is not None
            found.append(json.loads(frame))
            position = frames.position
    return found, board


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed: no node is found")
def test_a_browser_that_follows_the_news_has_what_the_board_has() -> None:
    runs: list[tuple[list[Any], Board]] = []

    @settings(max_examples=200, database=None)
    @given(TICKS, st.lists(st.integers(0, 60)), st.sampled_from([3, 10, EVER]))
    def run(ticks: Ticks, cuts: list[int], kept: int) -> None:
        runs.append(followed(ticks, cuts, kept))

    run()
    folder = Path(boards.__file__).parent.parent
    given_frames = json.dumps([frames for frames, _ in runs])
    replayed = json.loads(completed([str(NODE), "-e", REPLAY, str(folder)], given=given_frames).stdout)
    for found, (_, board) in zip(replayed, runs, strict=True):
        lanes = {
            text: [tick for pair in bars for tick in pair if tick is not None]
            for text, bars in found["lanes"]
        }
        assert lanes == lanes_of(board)
        assert found["inputs"] == [[one.name, [*one.ticks], [*one.counts]] for one in board.inputs.values()]
        assert found["intervals"] == sum(len(lane.begins) for lane in board.lanes.values())
        shown = {text for group in found["groups"] for text in group}
        assert shown == {lane.text for lane in board.lanes.values()}
        gaps = [
            tick for pair in zip(found["gaps"]["begins"], found["gaps"]["ends"], strict=True) for tick in pair
        ]
        assert [tick for tick in gaps if tick is not None] == [*board.gaps]


def test_lanes_stand_in_the_order_of_numbers() -> None:
    if NODE is None:
        pytest.skip("Node.js is not installed: no node is found")
    frames, _ = followed([(frozenset({"a(10)", "a(2)", "a(1)"}), True, 0)], [], EVER)
    folder = Path(boards.__file__).parent.parent
    ran = completed([str(NODE), "-e", REPLAY, str(folder)], given=json.dumps([frames]))
    assert json.loads(ran.stdout)[0]["groups"] == [["a(1)", "a(2)", "a(10)"]]


def test_what_became_of_the_records_of_live_inputs_is_told() -> None:
    """Two inputs, one with a name that would end the label of a metric."""
    name = 'tcp:"9000\n'
    times = (InputTime(name, 7, False), InputTime("mqtt", None, True))
    accounts = {name: Account(gave_facts=3, without_fact=2), "mqtt": Account(late=1, late_facts=4)}
    board = Board(EVER)
    board.take(Counted(Counters(7, inputs=times, accounts=accounts), 0, ()), 0.0)
    assert board.counted is not None
    found = json.loads(orjson.dumps(board.counted.to_dict()))
    counts = {"passed_over": 0, "rejected": 0, "clock_only": 0}
    assert found["inputs"] == {
        name: {"gave_facts": 3, "without_fact": 2, "late": 0, **counts},
        "mqtt": {"gave_facts": 0, "without_fact": 0, "late": 1, "late_facts": 4, **counts},
    }
    assert found["input_times"][0] == {"name": name, "tick": 7, "is_left_out": False}
    text = metrics_of(board).decode()
    assert 'lars2asp_records_total{count="without_fact",input="tcp:\\"9000\\n"} 2.0\n' in text
    assert "lars2asp_unfit_total 0.0" in text
