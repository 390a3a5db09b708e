"""Several inputs, merged by time."""

import json
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from lars2asp import Reasoner
from lars2asp.__main__ import main
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.recorded_input import RecordedInput
from lars2asp.runtime.sources.records import Record, refuse
from lars2asp.runtime.sources.reordering import Reordering
from tests.support.command_line import lines, run, run_watched

PROGRAM = """
#input temp(room, celsius) at ts.
#input opened(room) at time.
hot(R) :- temp(R,C) in [3], C > 25, not opened(R) in [5], not shut(R).
"""


class Killed(BaseException):
    """Ends a run."""


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    """A folder with a program, two tables and lines of JSON; records come up to two ticks late."""
    choose = Random(7)
    (tmp_path / "rooms.lars").write_text(PROGRAM)
    tables = {"temp.csv": ["ts;room;celsius"], "doors.csv": ["room,time,who"]}
    others = []
    for tick in range(300):
        late = max(0, tick - choose.randrange(3))
        tables["temp.csv"].append(f"{late};r{choose.randrange(3)};{choose.randint(10, 40)}")
        if choose.random() < 0.3:
            tables["doors.csv"].append(f"r{choose.randrange(3)},{tick},ann")
        if choose.random() < 0.2:
            others.append(json.dumps({"time": late, "facts": [f'shut("r{choose.randrange(3)}")']}))
    for name, rows in tables.items():
        (tmp_path / name).write_text("\n".join(rows) + "\n")
    (tmp_path / "shut.jsonl").write_text("\n".join(others) + "\n")
    return tmp_path


INPUTS = ("--input", "temp.csv", "--input", "doors.csv", "--input", "shut.jsonl", "--lateness", "2")


def test_records_come_in_the_order_of_their_times(tmp_path: Path) -> None:
    """At equal times in the order of the inputs; from any record on they go on alike."""
    choose = Random(3)
    names = []
    told = []
    for number in range(3):
        ticks = sorted(choose.randrange(40) for _ in range(choose.randrange(30)))
        told += [(tick, number, place) for place, tick in enumerate(ticks)]
        names.append(str(tmp_path / f"{number}.facts"))
        Path(names[-1]).write_text("".join(f"{tick}: p({number},{n})\n" for n, tick in enumerate(ticks)))
    expected = [f"{tick}: p({number},{place})" for tick, number, place in sorted(told)]

    reading = Reading(Format.FACTS)
    for stop in range(0, len(told) + 1, 7):
        got: list[Record] = []
        with open_inputs(names, reading, refuse) as first:
            for record in first.records():
                if len(got) == stop:
                    break
                got.append(record)
                state = json.loads(json.dumps(first.state()))
        with open_inputs(names, reading, refuse) as second:
            if got:
                second.restore(state)
            got += second.records()
        assert [f"{one.tick}: p{one.events.facts[0].rows[0]}".replace(", ", ",") for one in got] == expected


def in_time(streams: list[list[int]], latenesses: list[int]) -> list[tuple[int, int, int]]:
    """Tick, input and place of the records that are in time, by the definition."""
    heads, newest = [0] * len(streams), [stream[0] if stream else 0 for stream in streams]
    over = [not stream for stream in streams]
    final, found = 0, []
    while any(place < len(stream) for place, stream in zip(heads, streams, strict=True)):
        one = min(
            (one for one, stream in enumerate(streams) if heads[one] < len(stream)),
            key=lambda each: (streams[each][heads[each]], each),
        )
        tick = streams[one][heads[one]]
        if tick >= final:
            found.append((tick, one, heads[one]))
        final = max(final, min(newest[each] - latenesses[each] for each, ends in enumerate(over) if not ends))
        heads[one] += 1
        if heads[one] == len(streams[one]):
            over[one] = True
        else:
            newest[one] = max(newest[one], streams[one][heads[one]])
    return sorted(found, key=lambda each: each[0])


def test_each_input_has_its_own_lateness(tmp_path: Path) -> None:
    """Also in a run that goes on from any record."""
    choose = Random(11)
    for _ in range(60):
        latenesses = [choose.choice([0, 1, 4, 9]) for _ in range(3)]
        streams = [[choose.randrange(25) for _ in range(choose.randrange(8))] for _ in range(3)]
        streams = [sorted(stream, key=lambda tick: tick + choose.randrange(5)) for stream in streams]
        names = [str(tmp_path / f"{number}.facts") for number in range(3)]
        for number, stream in enumerate(streams):
            told = (f"{tick}: p({number},{place})\n" for place, tick in enumerate(stream))
            Path(names[number]).write_text("".join(told))
        own = {name: {"lateness": str(late)} for name, late in zip(names, latenesses, strict=True)}
        reading = Reading(Format.FACTS, own=own)

        def waiting(source: RecordedInput, latenesses: list[int] = latenesses) -> Reordering:
            return Reordering(max(latenesses), lambda _: None, reached=source.reached)

        expected = in_time(streams, latenesses)
        with open_inputs(names, reading, refuse) as source:
            assert [told_in(one) for one in waiting(source).over(source.records())] == expected
        stop, found = choose.randrange(12), list[Record]()
        with open_inputs(names, reading, refuse) as source:
            order = waiting(source)
            kept = source.state(), order.state(list)
            for record in islice(order.over(source.records()), stop):
                found.append(record)
                kept = source.state(), order.state(list)
        with open_inputs(names, reading, refuse) as source:
            order = waiting(source)
            if found:
                source.restore(json.loads(json.dumps(kept[0])))
                order.restore(kept[1], list)
            found[-1:] = order.over(source.records())  # the last one waits until the next one is asked for
        assert [told_in(one) for one in found] == expected


def told_in(record: Record) -> tuple[int, int, int]:
    [atoms] = record.events.facts
    [[one, place]] = atoms.rows
    assert isinstance(one, int)
    assert isinstance(place, int)
    return record.tick, one, place


def test_an_interruption_within_an_hour_that_comes_twice(tmp_path: Path) -> None:
    """Of readings of every hour, some two at a time: each file goes on with the hour in which it was."""
    reading = Reasoner.from_text(
        '#tick 1 hour.  #timezone "Europe/Vienna".  #input q(v) at time.  a(X) :- q(X).'
    ).reading
    names = []
    for number, twice in enumerate((1, 2, 1)):
        names.append(str(tmp_path / f"{number}.csv"))
        hours = [hour for hour in (0, 1, 2, 2, 3) for _ in range(twice)]
        rows = [f"2026-10-25 0{hour}:00,{number}{place}\n" for place, hour in enumerate(hours)]
        Path(names[-1]).write_text("time,v\n" + "".join(rows))
    with open_inputs(names, reading, refuse) as whole:
        expected = [(one.tick, one.events) for one in whole.records()]
    assert [tick - expected[0][0] for tick, _ in expected] == sorted([*range(5), *range(5)] + [*range(5)] * 2)
    for stop in range(1, len(expected)):
        with open_inputs(names, reading, refuse) as first:
            got = [*islice(first.records(), stop)]
            state = json.loads(json.dumps(first.state()))
        with open_inputs(names, reading, refuse) as second:
            second.restore(state)
            got += second.records()
        assert [(one.tick, one.events) for one in got] == expected


def test_each_table_has_its_declaration(rooms: Path) -> None:
    """The answers are those to one file with all that the tables say."""
    got = lines(run(rooms, "run", "rooms.lars", *INPUTS).stdout)
    facts: dict[int, list[str]] = {}
    for row in (rooms / "temp.csv").read_text().splitlines()[1:]:
        tick, room, celsius = row.split(";")
        facts.setdefault(int(tick), []).append(f'temp("{room}",{celsius})')
    for row in (rooms / "doors.csv").read_text().splitlines()[1:]:
        room, tick, _ = row.split(",")
        facts.setdefault(int(tick), []).append(f'opened("{room}")')
    for one in lines((rooms / "shut.jsonl").read_text()):
        facts.setdefault(one["time"], []).extend(one["facts"])
    whole = [json.dumps({"time": tick, "facts": facts[tick]}) for tick in sorted(facts)]
    (rooms / "whole.jsonl").write_text("\n".join(whole))
    assert got == lines(run(rooms, "run", "rooms.lars", "--input", "whole.jsonl").stdout)
    assert len(got) > 50


def test_a_run_over_several_inputs_goes_on_where_it_was(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(rooms)
    assert main(["run", "rooms.lars", *INPUTS, "--output", "whole.jsonl"]) == 0
    checkpoint = ["--checkpoint", "kept", "--checkpoint-every", "20", "--output", "parts.jsonl"]
    for last in (60, 90, 120):

        def end(number: int, last: int = last) -> None:
            if number == last:
                raise Killed

        with pytest.raises(Killed):
            run_watched(["rooms.lars", *INPUTS, *checkpoint], end)
    assert main(["run", "rooms.lars", *INPUTS, *checkpoint]) == 0
    assert Path("parts.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    refused = run(rooms, "run", "rooms.lars", *INPUTS[2:], *checkpoint, status=2)
    assert "--input was temp.csv, doors.csv, shut.jsonl" in refused.stderr


def test_answers_over_several_inputs_are_explained(rooms: Path) -> None:
    last = lines(run(rooms, "run", "rooms.lars", *INPUTS).stdout)[-2]
    (atom, *_) = last["atoms"] or ["hot(r0)"]
    asked = ("rooms.lars", *INPUTS, "--at", str(last["time"]))
    explanation = run(rooms, "why", *asked, atom, "--output-format", "json").stdout
    (rooms / "why.json").write_text(explanation)
    assert "temp.csv:" in explanation
    assert run(rooms, "check-why", "rooms.lars", "why.json", *INPUTS).stdout == "it is an explanation\n"


def test_a_table_that_no_declaration_fits(rooms: Path) -> None:
    (rooms / "doors.csv").write_text("room,when\nr1,3\n")
    error = run(rooms, "run", "rooms.lars", *INPUTS, status=2).stderr
    assert "doors.csv" in error
    assert "no column" in error


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (("--input", "temp.csv"), "--input temp.csv occurs twice: remove one"),
        (("--clock", "wall", "--idle-timeout", "1 min"), "needs the times of records: remove --clock wall"),
        (("--idle-timeout", "60 tick"), "is not a duration such as '2 sec'"),
    ],
)
def test_what_cannot_be_merged(rooms: Path, more: tuple[str, ...], reason: str) -> None:
    assert reason in " ".join(run(rooms, "run", "rooms.lars", *INPUTS, *more, status=2).stderr.split())
