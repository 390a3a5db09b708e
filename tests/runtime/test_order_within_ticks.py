"""The order of the records of a tick: by time, then by arrival, in every way in which records come in."""

import json
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pandas
import pyarrow
import pytest
from hypothesis import given
from hypothesis.strategies import integers

from lars2asp.compiler import compile_program
from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.reasoning import state_shape
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.sources.fine_ticks import FineMoment, FineTick, moment_of
from lars2asp.runtime.sources.records import Record
from lars2asp.runtime.sources.reordering import record_state, restored_record
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.source import Source
from tests.support.command_line import lines, run, run_watched

BEGIN = datetime(2026, 11, 2, 6, tzinfo=UTC)

HELD = """#tick 1 min. #timezone "UTC".
#input r(tag, value) at ts. #held r(T, _) by T.
v(T, V) :- r(T, V)."""

LAST = """#tick 1 min. #timezone "UTC".
#input r(tag, value) at ts.
v(T, V) :- r(T, V) in [1 # by T]."""

LAST_TWO = """#tick 1 min. #timezone "UTC".
#input r(tag, value) at ts.
bar(T, O, C) :- r(T, O) in [2 # by T], r(T, C) in [1 # by T], O != C."""

PROGRAMS = [HELD, LAST, LAST_TWO]

Row = tuple[int, str, int]
"""Seconds since the beginning, the tag, and the value."""


def text_of(seconds: int) -> str:
    return f"{BEGIN + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}"


def json_lines(rows: Sequence[Row]) -> str:
    records = ({"ts": text_of(at), "tag": tag, "value": value} for at, tag, value in rows)
    return "".join(f"{json.dumps(record)}\n" for record in records)


def own_lines(rows: Sequence[Row]) -> str:
    records = ({"time": text_of(at), "facts": [f'r("{tag}",{value})']} for at, tag, value in rows)
    return "".join(f"{json.dumps(record)}\n" for record in records)


def csv(rows: Sequence[Row]) -> str:
    return "ts,tag,value\n" + "".join(f"{text_of(at)},{tag},{value}\n" for at, tag, value in rows)


def seconds_csv(rows: Sequence[Row]) -> str:
    since = int(BEGIN.timestamp())
    return "ts,tag,value\n" + "".join(f"{since + at},{tag},{value}\n" for at, tag, value in rows)


FILES: dict[str, Callable[[Sequence[Row]], str]] = {
    "a.jsonl": json_lines,
    "own.jsonl": own_lines,
    "a.csv": csv,
}

ROWS: list[Row] = [(50, "a", 2), (10, "a", 1), (20, "b", 5), (15, "b", 4), (300, "b", 5)]


def held(program: str, rows: Sequence[Row], tmp_path: Path, *options: str) -> list[dict[str, Any]]:
    """What `run` answers to rows that are in order."""
    (tmp_path / "p.lars").write_text(program)
    (tmp_path / "sorted.jsonl").write_text(json_lines(sorted(rows, key=lambda row: row[0])))
    return lines(run(tmp_path, "run", "p.lars", "--input", "sorted.jsonl", "--changes", *options).stdout)


@pytest.mark.parametrize("options", [(), ("--lateness", "2 min"), ("--evaluator", "flow")])
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_later_time_is_a_later_record(
    program: str, name: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    expected = held(program, ROWS, tmp_path)
    (tmp_path / name).write_text(FILES[name](ROWS))
    done = run(tmp_path, "run", "p.lars", "--input", name, "--changes", *options)
    assert lines(done.stdout) == expected


def test_merged_inputs(tmp_path: Path) -> None:
    expected = held(LAST, ROWS, tmp_path)
    for number, row in enumerate(ROWS):
        (tmp_path / f"{number}.csv").write_text(csv([row]))
    inputs = [part for number in range(len(ROWS)) for part in ("--input", f"{number}.csv")]
    assert lines(run(tmp_path, "run", "p.lars", *inputs, "--changes").stdout) == expected


@pytest.mark.parametrize("name", FILES)
def test_live_input(name: str, tmp_path: Path) -> None:
    expected = held(LAST, ROWS, tmp_path)
    form = "csv" if name.endswith("csv") else "jsonl"
    done = run(tmp_path, "run", "p.lars", "--changes", "--input-format", form, stdin=FILES[name](ROWS))
    assert lines(done.stdout) == expected


def test_times_as_numbers_and_patterns(tmp_path: Path) -> None:
    expected = held(LAST, ROWS, tmp_path)
    (tmp_path / "n.csv").write_text(seconds_csv(ROWS))
    done = run(tmp_path, "run", "p.lars", "--input", "n.csv", "--time-unit", "sec", "--changes")
    assert lines(done.stdout) == expected
    text = LAST.replace("at ts", 'from "^tag {tag:word} value {value:number}$" at "%Y-%m-%dT%H:%M:%S"')
    (tmp_path / "p.lars").write_text(text)
    (tmp_path / "a.log").write_text("".join(f"{text_of(at)} tag {t} value {v}\n" for at, t, v in ROWS))
    assert lines(run(tmp_path, "run", "p.lars", "--input", "a.log", "--changes").stdout) == expected


def frame(rows: Sequence[Row]) -> pandas.DataFrame:
    times = [BEGIN + timedelta(seconds=at) for at, _, _ in rows]
    return pandas.DataFrame({"ts": times, "tag": [row[1] for row in rows], "value": [row[2] for row in rows]})


def answered(program: str, source: Any, **options: Any) -> list[tuple[int, tuple[str, ...]]]:
    reasoner = Reasoner(compile_program(Source("p.lars", program)), **options)
    return [(answer.tick, tuple(sorted(answer.holds.texts))) for answer in reasoner.run(source)]


TUNINGS = [Tuning(), Tuning(block_facts=1, block_bytes=0), Tuning(block_bytes=0, between_blocks=2)]


@pytest.mark.parametrize("tuning", TUNINGS)
@given(integers(0, 2**32))
def test_frames_and_pairs_answer_as_sorted_ones(tuning: Tuning, seed: int) -> None:
    choose = Random(seed)
    rows: list[Row] = []
    for minute in range(choose.randint(1, 6)):
        for _ in range(choose.randint(0, 5)):
            at = 60 * minute + choose.randint(0, 59)
            rows.append((at, choose.choice("ab"), choose.randint(1, 3)))
    if not rows:
        return
    in_order = sorted(rows, key=lambda row: row[0])
    program = choose.choice(PROGRAMS)
    expected = answered(program, frame(in_order), evaluator="oneshot")
    pairs = [(BEGIN + timedelta(seconds=at), [f'r("{tag}",{value})']) for at, tag, value in rows]
    for evaluator in ("auto", "delta"):
        options = {"evaluator": evaluator, "tuning": tuning}
        assert answered(program, frame(rows), **options) == expected
        assert answered(program, pyarrow.Table.from_pandas(frame(rows)), **options) == expected
        assert answered(program, pairs, **options) == expected


@pytest.mark.parametrize("tuning", TUNINGS)
@given(integers(0, 2**32))
def test_frames_are_ordered_to_the_nanosecond(tuning: Tuning, seed: int) -> None:
    """Records of a tick may be some nanoseconds apart; of equal times the last one counts."""
    choose = Random(seed)
    begin, minute = int(BEGIN.timestamp()) * 10**9, 60 * 10**9
    times = [begin + number // 4 * minute + choose.randrange(3000) for number in range(8)]
    rows = [(at, choose.choice("ab"), choose.randint(1, 9)) for at in times]
    program = choose.choice(PROGRAMS)

    def nanoseconds(some: Sequence[Row]) -> pandas.DataFrame:
        found = frame([(0, tag, value) for _, tag, value in some])
        found["ts"] = pandas.to_datetime(
            [at for at, _, _ in some], unit="ns", utc=choose.choice((True, False))
        )
        return found

    in_order = sorted(rows, key=lambda row: row[0])
    expected = answered(program, nanoseconds(in_order), evaluator="oneshot")
    for one in (nanoseconds(rows), pyarrow.Table.from_pandas(nanoseconds(rows))):
        assert answered(program, one, tuning=tuning) == expected


NANOSECOND_ROWS = [(500, "a", 2), (100, "a", 1), (999, "b", 5), (998, "b", 4), (0, "a", 7)]
"""Nanoseconds behind a microsecond, the tag, and the value."""


def nanosecond_text(at: int, zone: str = "Z") -> str:
    return f"2026-11-02T06:00:00.123456{at:03}{zone}"


def nanosecond_files() -> dict[str, str]:
    times = [nanosecond_text(at) for at, _, _ in NANOSECOND_ROWS]
    rows = [(time, tag, value) for time, (_, tag, value) in zip(times, NANOSECOND_ROWS, strict=True)]
    since = int(BEGIN.timestamp()) * 10**9 + 123_456_000
    return {
        "a.jsonl": "".join(f'{{"ts":"{time}","tag":"{tag}","value":{value}}}\n' for time, tag, value in rows),
        "own.jsonl": "".join(
            f'{{"time":"{time}","facts":["r(\\"{tag}\\",{value})"]}}\n' for time, tag, value in rows
        ),
        "a.csv": "ts,tag,value\n" + "".join(f"{time},{tag},{value}\n" for time, tag, value in rows),
        "mixed.csv": "ts,tag,value\n2026-11-02T06:00:00Z,c,1\n"
        + "".join(f"{time},{tag},{value}\n" for time, tag, value in rows),
        "a.log": "".join(f"{time} tag {tag} value {value}\n" for time, tag, value in rows),
        "n.csv": "ts,tag,value\n" + "".join(f"{since + at},{tag},{v}\n" for at, tag, v in NANOSECOND_ROWS),
        "n.jsonl": "".join(
            f'{{"ts":{since + at},"tag":"{tag}","value":{v}}}\n' for at, tag, v in NANOSECOND_ROWS
        ),
    }


@pytest.mark.parametrize("is_live", [False, True])
@pytest.mark.parametrize("name", nanosecond_files())
def test_texts_are_ordered_to_the_nanosecond(name: str, is_live: bool, tmp_path: Path) -> None:
    text = LAST
    if name.endswith(".log"):
        text = text.replace("at ts", 'from "^tag {tag:word} value {value:number}$"')
    (tmp_path / "p.lars").write_text(text)
    written = nanosecond_files()[name]
    (tmp_path / name).write_text(written)
    options = ["--time-unit", "nsec"] if name.startswith("n.") else []
    source = ["--input-format", "csv" if name.endswith("csv") else "jsonl"] if is_live else ["--input", name]
    if is_live and name.endswith(".log"):
        source = ["--input-format", "log"]
    for more in ([], ["--lateness", "2 min"], ["--evaluator", "flow"]):
        done = run(tmp_path, "run", "p.lars", *source, *options, *more, stdin=written if is_live else "")
        assert {*lines(done.stdout)[-1]["atoms"]} - {'v("c",1)'} == {'v("a",2)', 'v("b",5)'}


REPEATED = LAST.replace('"UTC"', '"Europe/Vienna"')


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.log", "folded.csv"])
def test_the_hour_that_comes_twice_is_ordered_to_the_nanosecond(name: str, tmp_path: Path) -> None:
    """02:30 comes at 00:30 and at 01:30 of UTC: the order of the records tells which, or a column does."""
    rows = [
        (f"2026-10-25T{minute}:00.123456{at:03}", fold, tag, value + more)
        for minute, fold, more in (("02:30", 0, 0), ("02:50", 0, 10), ("02:30", 1, 20))
        for at, tag, value in NANOSECOND_ROWS
    ]
    rows = [("2026-10-25T01:50:00", 0, "c", 1), *rows]
    written = {
        "a.jsonl": "".join(
            f'{{"ts":"{time}","tag":"{tag}","value":{value}}}\n' for time, _, tag, value in rows
        ),
        "a.csv": "ts,tag,value\n" + "".join(f"{time},{tag},{value}\n" for time, _, tag, value in rows),
        "a.log": "".join(f"{time} tag {tag} value {value}\n" for time, _, tag, value in rows),
        "folded.csv": "ts,fold,tag,value\n"
        + "".join(f"{time},{fold},{tag},{value}\n" for time, fold, tag, value in rows),
    }
    text = REPEATED
    if name.endswith(".log"):
        text = text.replace("at ts", 'from "^tag {tag:word} value {value:number}$"')
    elif name == "folded.csv":
        text = text.replace("at ts", "at ts + fold")
    (tmp_path / "p.lars").write_text(text)
    (tmp_path / name).write_text(written[name])
    done = run(tmp_path, "run", "p.lars", "--input", name)
    answers = [sorted({*one["atoms"]} - {'v("c",1)'}) for one in lines(done.stdout)]
    assert [one for one in answers if one] == [
        [f'v("a",{2 + more})', f'v("b",{5 + more})'] for more in (0, 10, 20)
    ]


def test_frames_of_the_hour_that_comes_twice_are_ordered_to_the_nanosecond() -> None:
    moments = [pandas.Timestamp(f"2026-10-25T02:30:00.123456{at:03}") for at, _, _ in NANOSECOND_ROWS]
    rows = [(at, tag, value) for at, (_, tag, value) in zip(moments, NANOSECOND_ROWS, strict=True)]
    first = (pandas.Timestamp("2026-10-25T01:50:00"), "a", 1)
    frame = pandas.DataFrame([first, *rows], columns=["ts", "tag", "value"])
    for source in (frame, pyarrow.Table.from_pandas(frame)):
        assert answered(REPEATED, source)[-1][1] == ('v("a",2)', 'v("b",5)')


def test_frames_of_texts_and_moments_given_are_ordered_to_the_nanosecond() -> None:
    rows = [(nanosecond_text(at), tag, value) for at, tag, value in NANOSECOND_ROWS]
    of_texts = pandas.DataFrame(rows, columns=["ts", "tag", "value"])
    moments = [pandas.Timestamp(time) for time, _, _ in rows]
    pairs = [(at, [f'r("{tag}",{value})']) for at, (_, tag, value) in zip(moments, rows, strict=True)]
    numpy_pairs = [(at.to_datetime64(), facts) for at, facts in pairs]
    for source in (of_texts, pyarrow.Table.from_pandas(of_texts), pairs, numpy_pairs):
        assert answered(LAST, source)[-1][1] == ('v("a",2)', 'v("b",5)')


def test_a_state_keeps_records_that_wait_with_their_nanoseconds(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(LAST)
    before = '{"ts":"2026-11-02T05:00:00Z","tag":"a","value":3}\n'
    (tmp_path / "a.jsonl").write_text(before + nanosecond_files()["a.jsonl"])
    arguments = [str(tmp_path / "p.lars"), "--input", str(tmp_path / "a.jsonl"), "--lateness", "1 min"]
    arguments += ["--checkpoint", str(tmp_path / "state"), "--output", str(tmp_path / "out.jsonl")]
    with suppress(KeyboardInterrupt):
        run_watched([*arguments], lambda number: os.kill(os.getpid(), signal.SIGINT) if number == 4 else None)
    run(tmp_path, "run", *arguments)
    assert lines((tmp_path / "out.jsonl").read_text())[-1]["atoms"] == ['v("a",2)', 'v("b",5)']


@given(integers(-(2**62), 2**62), integers(-(2**62), 2**62))
def test_moments_compare_by_all_that_is_known(one: int, other: int) -> None:
    first, second = FineMoment.of(one), FineMoment.of(other)
    assert (first < second, first <= second, first > second) == (one < other, one <= other, one > other)
    assert (first == second, first != second, first >= second) == (one == other, one != other, one >= other)
    micro = other // 1000
    assert (first < micro, micro < first) == (one < micro * 1000, micro * 1000 < one)
    assert (first == micro, micro == first) == (one == micro * 1000,) * 2


def test_equal_times_stay_in_the_order_of_arrival(tmp_path: Path) -> None:
    rows: list[Row] = [(10, "a", 3), (10, "a", 1), (10, "a", 2)]
    (tmp_path / "p.lars").write_text(LAST)
    (tmp_path / "a.jsonl").write_text(json_lines(rows))
    done = run(tmp_path, "run", "p.lars", "--input", "a.jsonl")
    assert lines(done.stdout)[-1]["atoms"] == ['v("a",2)']


def test_ticks_stay_in_the_order_of_arrival(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(LAST)
    (tmp_path / "a.jsonl").write_text('{"ts":5,"tag":"a","value":2}\n{"ts":5,"tag":"a","value":1}\n')
    done = run(tmp_path, "run", "p.lars", "--input", "a.jsonl")
    assert lines(done.stdout)[-1]["atoms"] == ['v("a",1)']


def test_early_answers_stand_as_those_of_the_sorted_stream() -> None:
    for program in PROGRAMS:
        rows: list[Row] = [*ROWS, (270, "a", 7), (250, "a", 8), (30, "a", 9)]
        reasoner = Reasoner(compile_program(Source("p.lars", program)))
        for _ in reasoner.run(frame(rows), revise=10):
            pass
        now = reasoner.session.now
        assert now is not None
        atoms = {*reasoner.step(now + 1).holds.texts}
        in_order = answered(program, frame(sorted(rows, key=lambda row: row[0])))
        assert atoms == set(in_order[-1][1])


def test_what_begins_and_ends_within_a_tick(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text('#tick 1 min. #timezone "UTC". on(X) :- open(X).')
    told = [(50, "end"), (10, "begin"), (70, "begin"), (65, "end"), (200, "facts")]
    records = ({"time": text_of(at), key: ["open(1)"] if key != "facts" else []} for at, key in told)
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    for options in ((), ("--lateness", "5 min")):
        done = run(tmp_path, "run", "p.lars", "--input", "a.jsonl", "--changes", *options, status=1)
        began = [one["began"] for one in lines(done.stdout)]
        assert began[-1] == ["on(1)"]
        assert done.stderr.count("open(1) ends but was not begun") == 1  # that at 65, before 70
        assert "a.jsonl:4" in done.stderr


def test_a_run_that_is_interrupted_goes_on_in_this_order(tmp_path: Path) -> None:
    rows: list[Row] = [*ROWS, (290, "a", 7), (250, "a", 8)]
    expected = held(LAST, rows, tmp_path)
    (tmp_path / "a.jsonl").write_text(json_lines(rows))
    for stopped in range(1, len(rows) + 1):
        folder = tmp_path / f"state-{stopped}"
        arguments = ["run", str(tmp_path / "p.lars"), "--input", str(tmp_path / "a.jsonl"), "--changes"]
        arguments += ["--lateness", "1 min", "--checkpoint", str(folder), "--output", f"{folder}.jsonl"]

        def stop(number: int, at: int = stopped) -> None:
            if number == at:
                os.kill(os.getpid(), signal.SIGINT)

        with suppress(KeyboardInterrupt):
            run_watched(arguments[1:], stop)
        run(tmp_path, *arguments)
        assert lines(Path(f"{folder}.jsonl").read_text()) == expected


def test_a_state_has_the_times_of_records() -> None:
    session = Session(compile_program(Source("p.lars", LAST)))
    tick = session.timeline.tick_of_record(BEGIN + timedelta(seconds=50))
    record = Record(tick, Events())
    terms = TermTable()
    state = json.loads(json.dumps(record_state(record, terms.write)))
    kept = restored_record(state, TermReader(terms.table).read)
    assert moment_of(kept.tick) == moment_of(record.tick) == int(BEGIN.timestamp() + 50) * 1_000_000
    assert restored_record(state[:3], TermReader(terms.table).read).tick == record.tick
    fine = FineMoment.of(1_762_063_250_000_000_123)
    record = Record(FineTick.at(tick, fine), Events())
    state = json.loads(json.dumps(record_state(record, terms.write)))
    assert state_shape._fits(state, state_shape._RECORD)
    assert moment_of(restored_record(state, TermReader(terms.table).read).tick) == fine


def test_no_order_is_kept_where_none_matters() -> None:
    plan = compile_program(Source("p.lars", LAST.replace("[1 # by T]", "[5 min]")))
    tick = Session(plan).timeline.tick_of_record(BEGIN)
    assert type(tick) is int
