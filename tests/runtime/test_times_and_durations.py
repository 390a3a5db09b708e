"""Times and durations as arguments: read at every door, compared in rules, written out as what they are."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lars2asp import InputError, ProgramError, Reading, Reasoner, Timeline, read_file
from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError
from lars2asp.analysis.number_forms import DurationForm
from lars2asp.compiler import check
from lars2asp.syntax.diagnostics import Diagnostic, Severity
from lars2asp.syntax.source import Source
from tests.support.command_line import lines, run

PROGRAM = """
#tick 1 min. #timezone "Europe/Vienna".
#input order(text(id), time(ordered), time(delivered "%d.%m.%Y %H:%M")) at delivered "%d.%m.%Y %H:%M".
late(I,A,D) :- order(I,A,B), D = B-A, D > 2 hour.
"""
CSV = """id,ordered,delivered
x,2026-03-29T01:30:00+01:00,29.03.2026 04:00
y,2026-03-29T01:30:00+01:00,29.03.2026 06:05
z,1969-03-29T01:30:00+01:00,29.03.2026 06:05
"""
"""Of the first two orders clocks change before they are delivered; the last one lies before tick 0."""

LATE = (
    'late("y","2026-03-29T01:30:00+01:00","3 h 35 min")',
    'late("z","1969-03-29T01:30:00+01:00","20819 d 03 h 35 min")',
)
JSONL = "".join(
    json.dumps(dict(zip(("id", "ordered", "delivered"), line.split(","), strict=True))) + "\n"
    for line in CSV.splitlines()[1:]
)
PLAIN = """
#tick 1 min. #timezone "Europe/Vienna". #types order(text, time, time).
late(I,A,D) :- order(I,A,B), D = B-A, D > 2 hour.
"""
ORDERED = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
DELIVERED = datetime(2026, 3, 29, 4, 5, tzinfo=UTC)


def file(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def last(reasoner: Reasoner, source: object) -> tuple[str, ...]:
    *_, answer = reasoner.run(source)  # type: ignore[call-overload]
    return tuple(answer.holds.texts)


@pytest.mark.parametrize(
    ("name", "text"), [("a.csv", CSV), ("a.jsonl", JSONL), ("b.csv", CSV.replace(",", ";"))]
)
@pytest.mark.parametrize("evaluator", ["delta", "external", "oneshot", "stamped"])
def test_rows_of_times(name: str, text: str, evaluator: str, tmp_path: Path) -> None:
    reasoner = Reasoner.from_text(PROGRAM, evaluator=evaluator)
    assert last(reasoner, file(tmp_path, name, text)) == LATE


def test_columns_are_joined_and_numbers_count_since_1970(tmp_path: Path) -> None:
    text = """
        #tick 1 sec. #timezone "Europe/Vienna".
        #input p(time(day + clock "%d.%m.%Y %H:%M"), time(s "%s"), time(u "%u"), time(n "%n"), time(t)) at t.
        q(D,E,F,G) :- p(A,B,C,N,T), D = B-A, E = C-B, F = N-C, G = T-N.
    """
    moment = datetime(2026, 3, 29, 4, 5, tzinfo=UTC)
    seconds = int(moment.timestamp())
    row = {"day": "29.03.2026", "clock": "06:05", "s": seconds + 5, "u": seconds * 10**6 + 65 * 10**6}
    row |= {"n": (seconds + 60) * 10**9 + 999_999_999, "t": moment.isoformat()}
    found = ('q("5 s","1 min","-5 s","-1 min")',)
    assert last(Reasoner.from_text(text), file(tmp_path, "a.jsonl", json.dumps(row) + "\n")) == found
    table = f"{','.join(row)}\n{','.join(map(str, row.values()))}\n"
    assert last(Reasoner.from_text(text), file(tmp_path, "a.csv", table)) == found
    assert last(Reasoner.from_text(text), pd.DataFrame([row])) == found


def test_what_is_no_time_is_rejected_with_what_would_read_it(tmp_path: Path) -> None:
    rejected: list[str] = []
    text = (
        CSV
        + "v,noon,29.03.2026 06:06\nw,29.03.2026 06:05,29.03.2026 06:06\n"
        + "u,1774757100000000,29.03.2026 06:06\n"
    )
    reasoner = Reasoner.from_text(PROGRAM)
    list(reasoner.run(file(tmp_path, "a.csv", text), on_reject=lambda one: rejected.append(one.reason)))
    assert rejected == [
        "column ordered: the time 'noon' is not a timestamp such as 2026-01-31T14:05:00Z",
        "column ordered: the time '29.03.2026 06:05' is not a timestamp such as "
        "2026-01-31T14:05:00Z; to read it, write time(ordered "
        '"%d.%m.%Y %H:%M")',
        "column ordered: the time 1774757100000000 is tick 1774757100000000, which is after the year "
        '9999: microseconds since 1970 are read with --time-unit usec or time(ordered "%u")',
    ]


FACTS: dict[str, Callable[[], list[object]]] = {
    "text": lambda: ['order("y","2026-03-29T01:30:00+01:00","2026-03-29T06:05+02:00")'],
    "local": lambda: ['order("y","2026-03-29T01:30","2026-03-29T06:05")'],
    "ticks": lambda: [f'order("y",{int(ORDERED.timestamp()) // 60},{int(DELIVERED.timestamp()) // 60})'],
    "tuples": lambda: [("order", "y", ORDERED, DELIVERED)],
    "strings": lambda: [("order", "y", "2026-03-29T01:30:00+01:00", "2026-03-29T06:05+02:00")],
    "numpy": lambda: [("order", "y", np.datetime64("2026-03-29T01:30"), np.datetime64("2026-03-29T06:05"))],
    "pandas": lambda: [("order", "y", pd.Timestamp(ORDERED), pd.Timestamp(DELIVERED))],
    "arrow": lambda: [("order", "y", pa.scalar(ORDERED), pa.scalar(DELIVERED))],
}


@pytest.mark.parametrize(("term", "ticks"), [("1.5 hour", 90), ("-1.5 h+181.0 min", 91), ("0.0625 day", 90)])
def test_durations_with_a_point_are_whole_numbers_of_ticks(term: str, ticks: int) -> None:
    program = f"#tick 1 min. #const d = {term}. long(N) :- wait(N), N = {term}, N >= d."
    found = Reasoner.from_text(program).step(0, [f"wait({number})" for number in range(85, 95)]).holds.rows
    assert [row for rows in found.values() for row in rows] == [(ticks,)]


def test_a_duration_that_is_no_whole_number_of_ticks_is_refused() -> None:
    with pytest.raises(ProgramError, match=r"1\.51 hour is not a whole number of ticks"):
        Reasoner.from_text("#tick 1 min. a(N) :- p(N), N > 1.51 hour.")


@pytest.mark.parametrize("way", FACTS)
def test_facts_with_times(way: str) -> None:
    reasoner = Reasoner.from_text(PLAIN)
    assert reasoner.step(DELIVERED, FACTS[way]()).holds.texts == LATE[:1]  # type: ignore[arg-type]


def test_durations_are_read_at_places_of_the_type() -> None:
    reasoner = Reasoner.from_text(
        "#tick 1 min. #types wait(text, duration). long(X,D) :- wait(X,D), D >= 90 min."
    )
    facts = [
        'wait("a","1 h 30 min")',
        ("wait", "b", timedelta(minutes=95)),
        ("wait", "c", "2 hour"),
        ("wait", "d", 89),
        ("wait", "e", np.timedelta64(2, "h")),
    ]
    found = reasoner.step(0, facts).holds  # type: ignore[arg-type]
    assert found.texts == (
        'long("a","1 h 30 min")', 'long("b","1 h 35 min")', 'long("c","2 h")', 'long("e","2 h")',
    )  # fmt: skip
    assert {row for rows in found.rows.values() for row in rows} == {
        ("a", 90),
        ("b", 95),
        ("c", 120),
        ("e", 120),
    }
    for fact in (
        'wait("a","soon")',
        ("wait", "a", timedelta(seconds=90)),
        'wait("a","90 s")',
        'wait("a",1.5)',
    ):
        with pytest.raises(
            Exception, match=r"is not a duration|whole number of ticks|a number of ticks is an integer"
        ):
            reasoner.step(1, [fact])


TRIPS = """
    #tick 1 sec. #input trip(id, duration(took), duration(wait "min") or missing) at time.
    long(I,D,W) :- trip(I,D,W), D > 2 hour.
"""
TOOK = {
    "a": ("1.5 hour", "5"),
    "b": ("PT2H5M", "1.5"),
    "c": ("02:05:00", "1e1"),
    "d": ("1 day, 2:05:00", "-5 sec"),
    "e": ("-1 day, 23:00:00", "1"),
    "f": ("7200", "1"),
    "g": ("02:05", "1"),
    "h": ("soon", "1"),
    "i": ("2:05:00.5", "1"),
    "j": ("3 h", "soon"),
}
LONG = (
    'long("b","2 h 05 min","1 min 30 s")',
    'long("c","2 h 05 min","10 min")',
    'long("d","1 d 02 h 05 min","-5 s")',
)
NO_LENGTHS = [
    'column took: 7200 lacks a unit of time: if numbers are seconds, write duration(took "sec")',
    "column took: '02:05' is not a duration: write 02:05:00, or 00:02:05",
    "column took: 'soon' is not a duration: write for example 2 h 05 min",
    "column took: 2:05:00.5 is not a whole number of ticks",
]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "frame", "log"])
def test_columns_of_durations(kind: str, tmp_path: Path) -> None:
    rows = [
        {"time": f"2026-01-01T00:00:0{n}Z", "id": one, "took": took, "wait": wait}
        for n, (one, (took, wait)) in enumerate(TOOK.items())
    ]
    frame = pd.DataFrame(rows)
    path, program = tmp_path / f"a.{kind}", TRIPS
    source: object = path
    match kind:
        case "csv":
            frame.to_csv(path, index=False)
        case "parquet":
            frame.to_parquet(path)
        case "frame":
            source = frame
        case "log":
            program = TRIPS.replace("at time", 'from "^{time};{id};{took};{wait};$" at time')
            path.write_text("".join(";".join(one.values()) + ";\n" for one in rows))
        case _:
            path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    rejected: list[str] = []
    answers = [*Reasoner.from_text(program).run(source, on_reject=lambda one: rejected.append(one.reason))]  # type: ignore[call-overload]
    assert tuple(text for one in answers for text in one.began.texts) == LONG
    assert rejected == NO_LENGTHS


def test_columns_of_durations_in_frames_and_json_numbers(tmp_path: Path) -> None:
    lengths = [timedelta(minutes=90), None, timedelta(hours=3)]
    frame = pd.DataFrame({"time": range(3), "id": ["x", "y", "z"], "took": lengths, "wait": [1.5, 2, 0.25]})
    assert last(Reasoner.from_text(TRIPS), frame) == ('long("z","3 h","15 s")',)
    line = '{"time": 4, "id": "x", "took": "PT3H", "wait": 2}\n'
    assert last(Reasoner.from_text(TRIPS), file(tmp_path, "a.jsonl", line)) == ('long("x","3 h","2 min")',)


def test_columns_of_durations_are_proposed(tmp_path: Path) -> None:
    """Where they are of whole seconds; what is written as clocks are may be a time of day."""
    file(
        tmp_path,
        "a.csv",
        "time,id,took,lag,open,slept,ping\n2026-01-01T00:00:00Z,a,01:30:00,5 min,08:00:00,PT1H,12 ms\n"
        "2026-01-01T00:01:00Z,b,2:05:00,90 s,09:30:00,PT2H5M,7 ms\n"
        "2026-01-01T00:02:00Z,c,NA,10 min,07:10:00,P1DT1H,9 ms\n",
    )
    said = run(tmp_path, "check", "--input", "a.csv", status=1).stdout
    assert "a.csv:4: column took: 'NA' is not a duration" in said
    proposed = run(tmp_path, "check", "--input", "a.csv", "--missing", "NA").stdout
    assert proposed.splitlines()[-3:] == [
        "#tick 30 sec.",
        "#input reading(id, duration(lag), text(open), duration(slept), number(ping)) at time.",
        "#input reading_took(id, duration(took)) at time.",
    ]
    rule = "long(I,D) :- reading_took(I,D), reading(I,L,_,S,_), D+L+S > 4 hour."
    file(tmp_path, "a.lars", f"{proposed}{rule}\n")
    found = run(tmp_path, "run", "a.lars", "--input", "a.csv", "--missing", "NA")
    assert lines(found.stdout)[0]["atoms"] == ['long("b","2 h 05 min")']


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_answers_are_input_again(kind: str, tmp_path: Path) -> None:
    file(tmp_path, "a.lars", PROGRAM)
    file(tmp_path, "a.csv", CSV)
    changes = ["--changes"] if kind == "jsonl" else []
    run(tmp_path, "run", "a.lars", "--input", "a.csv", "--output", f"out.{kind}", *changes)
    file(
        tmp_path,
        "b.lars",
        """
        #tick 1 min. #timezone "Europe/Vienna".
        #input late(text(I), time(A), D). #types late(_,_,duration).
        q(I,A,D) :- late(I,A,D), D > 3 hour.
    """,
    )
    form = "answers" if kind == "jsonl" else "changes"
    found = run(tmp_path, "run", "b.lars", "--input", f"out.{kind}", "--input-format", form)
    assert lines(found.stdout)[-1]["atoms"] == [one.replace("late", "q") for one in LATE]


def test_tables_have_columns_of_their_types(tmp_path: Path) -> None:
    frame = Reasoner.from_text(PROGRAM).intervals(file(tmp_path, "a.csv", CSV))["late"].to_arrow()
    assert frame.schema.field("A").type == pa.timestamp("us", "Europe/Vienna")
    assert frame.schema.field("D").type == pa.duration("us")
    assert frame.column("D").to_pylist()[0] == timedelta(hours=3, minutes=35)
    file(tmp_path, "a.lars", PROGRAM)
    run(tmp_path, "run", "a.lars", "--input", "a.csv", "--output", "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column("A").to_pylist()[0] == ORDERED
    assert table.column("D").type == pa.duration("us")


def test_arrow_has_times_and_durations() -> None:
    table = pa.table(
        {
            "t": pa.array([DELIVERED, DELIVERED], pa.timestamp("us", "UTC")),
            "a": pa.array([ORDERED, datetime(1950, 1, 1, tzinfo=UTC)], pa.timestamp("ns", "UTC")),
            "d": pa.array([timedelta(hours=2), None], pa.duration("s")),
        }
    )
    text = """
        #tick 1 sec. #input p(time(a), d) at t. #input q(time(a)) at t. #types p(_,duration).
        #show p/2. #show q/1.
    """
    assert last(Reasoner.from_text(text), table) == (
        'q("1950-01-01T00:00:00+00:00")',
        'q("2026-03-29T00:30:00+00:00")',
        'p("2026-03-29T00:30:00+00:00","2 h")',
    )


def test_programs_have_times_as_strings() -> None:
    """In facts, where `#types` says so, and in comparisons with times."""
    text = """
        #tick 1 min. #timezone "Europe/Vienna".
        #types due(text, time), wait(text, duration), seen(text, time).
        due("x","2026-03-29T06:00"). due("y","1969-12-31T23:59:00Z"). wait("x","1 h 30 min").
        late(I,B-A) :- due(I,A), seen(I,B), B > A, B <= "2026-03-29T04:05Z".
        long(I) :- wait(I,D), D > "80 min". old(I,A) :- due(I,A), not A > "1970-01-01T01:00".
    """
    reasoner = Reasoner.from_text(text)
    assert reasoner.step(DELIVERED, [("seen", "x", DELIVERED), ("seen", "y", ORDERED)]).holds.texts == (
        'long("x")',
        'late("x","5 min")',
        'late("y","20541 d 00 h 31 min")',
        'old("y","1970-01-01T00:59:00+01:00")',
    )
    for wrong, reason in (
        ('due("z","noon").', "'noon' is not a time"),
        ('q(I) :- due(I,A), A > "soon".', "'soon' is not a time"),
        ('wait("z","1 sec").', "is not a whole number of ticks"),
    ):
        with pytest.raises(ProgramError, match=reason):
            Reasoner.from_text(text + wrong)


def test_what_no_typed_column_has_is_refused() -> None:
    text = """
        #tick 1 day. #types p(time, duration). q(T,D) :- p(T,D).
    """
    for fact, reason in (
        (("p", 2**31 - 1, 5), "is too late for a timestamp column: write csv or JSON lines"),
        (("p", 5, 2**31 - 1), "is too long for a duration column: write csv or JSON lines"),
    ):
        assert Reasoner.from_text(text).step(0, [fact]).holds
        with pytest.raises(InputError, match=reason):
            Reasoner.from_text(text).intervals([(0, [fact])], on_reject="stop")["q"].to_arrow()


def test_ticks_alone_stay_integers() -> None:
    reasoner = Reasoner.from_text("#tick 1 sec. p(T,@now) :- a at T in [5]. q(T) :- p(T,_).")
    assert reasoner.step(7, ["a"]).holds.texts == ("q(7)", "p(7,7)")


def test_snapshots_go_on(tmp_path: Path) -> None:
    text = PROGRAM + "old(I,D) :- late(I,_,D) in [5]. #show old/2."
    reasoner, again = Reasoner.from_text(text), Reasoner.from_text(text)
    reasoner.step(DELIVERED, [("order", "y", ORDERED, DELIVERED)])
    again.resume(reasoner.snapshot())
    assert again.step(DELIVERED + timedelta(minutes=2)).holds.texts == ('old("y","3 h 35 min")',)


def test_readings_have_the_forms_of_the_program(tmp_path: Path) -> None:
    reasoner = Reasoner.from_text(PROGRAM)
    plan = reasoner.plan
    reading = Reading(declarations=plan.inputs, decimals=plan.decimals, timeline=Timeline.of(plan))
    assert last(reasoner, read_file(file(tmp_path, "a.csv", CSV), reading)) == LATE


def errors(program: str) -> list[Diagnostic]:
    """The errors of a program."""
    return [one for one in check(Source("x", program)) if one.severity is Severity.ERROR]


ORDERS = "#tick 1 sec. #input order(id, time(ordered), int(size)) at ordered. #types q(integer)."


@pytest.mark.parametrize(
    ("rule", "said", "hint"),
    [
        ("bad(O) :- order(O,A,N), A > N.", "A > N is meaningless", 'write time("size")'),
        ("bad(O) :- order(O,A,N), A = N.", "A = N is meaningless", 'write time("size")'),
        ("bad(O) :- order(O,A,A).", "A is a number here, and a time elsewhere", 'write time("size")'),
        ("bad(O) :- order(O,A,_), not q(A).", "they are never equal", "declare both as times"),
        (
            "s(N) :- order(_,_,N). bad :- s(N), order(_,A,_), N < A.",
            "N < A is meaningless",
            'write time("size")',
        ),
    ],
)
def test_times_are_not_compared_with_declared_integers(rule: str, said: str, hint: str) -> None:
    [one] = errors(f"{ORDERS} #defined q/1. {rule}")
    assert said in one.message and hint in one.hint and len(one.notes) >= 2


def test_numbers_that_are_written_or_calculated_count_ticks_beside_times() -> None:
    rules = "a(O) :- order(O,A,N), A > 5, A+N > A-N. b(N) :- order(_,A,N), N = @now-A, N > 2 hour."
    assert not errors(f"{ORDERS} #defined q/1. {rules}")


@pytest.mark.parametrize(
    ("text", "ticks"),
    [
        ("2 h 05 min", 7500),
        ("1.5 hour", 5400),
        ("-0.5 min", -30),
        ("1.5 h 0.25 min", 5415),
        ("PT2H5M", 7500),
        ("-P1DT0.000001S", None),
        ("PT1.5S", None),
        ("P1D", 86400),
    ],
)
def test_durations_as_people_write_them(text: str, ticks: int | None) -> None:
    form = DurationForm(1_000_000)
    if ticks is not None:
        assert form.read(text) == ticks
        return
    with pytest.raises(NotScaledError, match="not a whole number"):
        form.read(text)


@pytest.mark.parametrize("text", ["", "P", "PT", "1.5", "1. hour", "1.5.5 hour", "2 fort", "P1H", "PTM"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(NotScaledError, match="is not a duration"):
        DurationForm(1_000_000).read(text)
