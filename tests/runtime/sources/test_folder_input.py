"""The files of a folder, merged by time."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.runtime.sources import folder_input
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.folder_input import FolderInput, in_natural_order
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import OnReject, Record, Rejected
from lars2asp.runtime.sources.reordering import Reordering
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.command_line import lines, run

READING = Reading(timeline=Timeline(1_000_000), declarations=[parse_input_declaration("r(s, int(v)) at t")])
Ways = Callable[[FolderInput], Iterator[Record]]


def by_records(source: FolderInput) -> Iterator[Record]:
    return source.records()


def by_blocks(source: FolderInput) -> Iterator[Record]:
    return chain.from_iterable(source.blocks())


def refuse(rejected: Rejected) -> None:
    raise AssertionError(str(rejected))


def write(folder: Path, **files: list[int]) -> None:
    """Tables with a row at each of some ticks."""
    for name, ticks in files.items():
        rows = "".join(f"{tick},{name},{place}\n" for place, tick in enumerate(ticks))
        (folder / f"{name}.csv").write_text(f"t,s,v\n{rows}")


def told(record: Record) -> tuple[int, str, int]:
    [atoms] = record.events.facts
    [(name, value)] = atoms.rows
    assert isinstance(value, int)
    return record.tick, str(name).strip('"'), value


def folder_at(folder: Path, on_reject: OnReject = refuse, reading: Reading = READING) -> FolderInput:
    return FolderInput(str(folder), reading, on_reject, FileInput)


def read(folder: Path, way: Ways = by_records, reading: Reading = READING) -> list[tuple[int, str, int]]:
    with folder_at(folder, reading=reading) as source:
        return [told(one) for one in way(source)]


@pytest.mark.parametrize("way", [by_records, by_blocks])
def test_one_file_per_sensor_is_merged_by_time(tmp_path: Path, way: Ways) -> None:
    write(tmp_path, a=[*range(0, 900, 3)], b=[*range(1, 900, 3)], c=[*range(2, 900, 3)])
    found = read(tmp_path, way)
    assert [tick for tick, *_ in found] == [*range(900)]
    assert [name for _, name, _ in found] == ["a", "b", "c"] * 300


def test_a_run_over_one_file_per_sensor_rejects_nothing(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write(tmp_path / "in", a=[1, 3, 5], b=[2, 4, 6])
    (tmp_path / "p.lars").write_text("#input r(s, int(v)) at t. h(S) :- r(S,_).")
    done = run(tmp_path, "run", "p.lars", "--input", "in")
    assert [one["time"] for one in lines(done.stdout)] == [1, 2, 3, 4, 5, 6]
    assert "2 records can be read" not in done.stderr
    checked = run(tmp_path, "check", "p.lars", "--input", "in")
    assert "in: 6 records can be read, 0 cannot" in checked.stdout


def test_names_are_in_natural_order() -> None:
    names = [
        "day-1",
        "day-2",
        "day-10",
        "auth.log.10.gz",
        "auth.log.2",
        "auth.log.1",
        "auth.log",
        "b.1",
        "b.2",
    ]
    expected = [*names[3:7], *names[7:], *names[:3]]
    assert in_natural_order(names) == expected
    assert in_natural_order(reversed(names)) == expected
    for some in permutations(["a7", "a07", "a8", "A7"]):
        assert in_natural_order(some) == in_natural_order(["a7", "a07", "a8", "A7"])


def test_equal_first_times_are_in_natural_order(tmp_path: Path) -> None:
    for name in ("day-10", "day-2"):
        write(tmp_path, **{name: [5, 5]})
    assert [name for _, name, _ in read(tmp_path)] == ["day-2", "day-2", "day-10", "day-10"]


def test_rotated_logs_are_read_oldest_first_each_with_its_own_year(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, times, changed in (
        ("auth.log.1", ["Dec 30 10:00:00", "Dec 31 23:59:59"], "2026-01-01"),
        ("auth.log", ["Jan  1 00:00:01", "Jan  2 10:00:00"], "2026-01-02T12"),
    ):
        file = tmp_path / "in" / name
        file.write_text("".join(f"{time} failed {name} end\n" for time in times))
        moment = datetime.fromisoformat(changed).replace(tzinfo=UTC).timestamp()
        os.utime(file, (moment, moment))
    (tmp_path / "p.lars").write_text(
        '#tick 1 min. #timezone "UTC". #input r(u) from "failed {u} end" at "%b %d %H:%M:%S". h(U) :- r(U).'
    )
    done = run(tmp_path, "run", "p.lars", "--input", "in", "--times", "--emit", "every", "--changes")
    begun = [(one["at"][:10], *one["began"]) for one in lines(done.stdout) if one["began"]]
    assert begun == [
        ("2025-12-30", 'h("auth.log.1")'),
        ("2025-12-31", 'h("auth.log.1")'),
        ("2026-01-01", 'h("auth.log")'),
        ("2026-01-02", 'h("auth.log")'),
    ]
    assert done.stderr.count("the times contain no year") == 2


def test_files_that_do_not_overlap_are_open_one_at_a_time(tmp_path: Path) -> None:
    days = {f"day-{day}": [*range(100 * day, 100 * day + 50)] for day in range(1, 30)}
    write(tmp_path, **days)
    with folder_at(tmp_path) as source:
        most = 0
        for block in source.blocks():
            assert isinstance(block, RecordColumns)
            most = max(most, descriptors(tmp_path))
        assert most == 1


def descriptors(folder: Path) -> int:
    """The number of files of a folder that this process has open."""
    found = 0
    for one in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found += one.readlink().is_relative_to(folder)
    return found


@pytest.mark.parametrize("way", [by_records, by_blocks])
def test_many_files_that_overlap_take_no_descriptors(
    tmp_path: Path, way: Ways, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_input, "MOST_OPEN", 4)
    write(tmp_path, **{f"s{one}": [*range(one, 600, 10)] for one in range(10)})
    with folder_at(tmp_path) as source:
        ticks = []
        for record in way(source):
            ticks.append(record.tick)
            if len(ticks) == 300:
                assert descriptors(tmp_path) == 0
    assert ticks == [*range(600)]


def test_a_file_whose_own_records_are_late_is_late_by_its_own_clock(tmp_path: Path) -> None:
    write(tmp_path, a=[10, 20, 12], b=[1, 2, 3, 40])
    rejected: list[Rejected] = []
    with folder_at(tmp_path) as source:
        order = Reordering(8, rejected.append)
        assert [one.tick for one in order.over(source.records())] == [1, 2, 3, 10, 12, 20, 40]
    with folder_at(tmp_path) as source:
        order = Reordering(7, rejected.append)
        assert [one.tick for one in order.over(source.records())] == [1, 2, 3, 10, 20, 40]
    assert len(rejected) == 1


def test_a_file_without_a_record_says_what_is_wrong_once(tmp_path: Path) -> None:
    write(tmp_path, a=[1])
    (tmp_path / "b.csv").write_text("t,s,v\nx,b,1\n")
    (tmp_path / "c.csv").write_text("t,s,v\n")
    rejected: list[Rejected] = []
    with folder_at(tmp_path, rejected.append) as source:
        assert [told(one) for one in source.records()] == [(1, "a", 0)]
    assert [str(one.origin) for one in rejected] == [f"{tmp_path}/b.csv:2"]


TICKS = st.lists(st.integers(0, 30), max_size=12).map(sorted)


@given(files=st.dictionaries(st.sampled_from("abcd"), TICKS, min_size=1), data=st.data())
def test_a_folder_is_merged_and_goes_on_from_any_record(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, list[int]], data: Any
) -> None:
    folder = tmp_path_factory.mktemp("in")
    write(folder, **files)
    expected = sorted(
        ((tick, name, place) for name, ticks in files.items() for place, tick in enumerate(ticks)),
    )
    assert read(folder) == expected
    assert read(folder, by_blocks) == expected
    number = data.draw(st.integers(0, len(expected)))
    with folder_at(folder) as source:
        records = source.records()
        begun = [told(next(records)) for _ in range(number)]
        state = source.state()
    with folder_at(folder) as source:
        source.restore(state)
        assert begun + [told(one) for one in source.records()] == expected


def test_a_checkpoint_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    write(tmp_path, a=[1, 2], b=[3, 4, 7], c=[5, 6])
    old = {"name": str(tmp_path), "file": f"{tmp_path}/b.csv", "line": 2, "number": 1, "before": 1}
    old["place"] = {"line": 2, "offset": 6, "rest": "", "head": "t,s,v\n"}
    with folder_at(tmp_path) as source:
        source.restore(old)
        assert [told(one)[:2] for one in source.records()] == [(4, "b"), (5, "c"), (6, "c"), (7, "b")]


def test_a_file_that_came_later_is_read_when_the_run_goes_on(tmp_path: Path) -> None:
    write(tmp_path, b=[1, 2, 9])
    with folder_at(tmp_path) as source:
        records = source.records()
        next(records)
        state = source.state()
    write(tmp_path, a=[4, 5])
    with folder_at(tmp_path) as source:
        source.restore(state)
        assert [told(one)[:2] for one in source.records()] == [(2, "b"), (4, "a"), (5, "a"), (9, "b")]
