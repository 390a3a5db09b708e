"""What users of other systems reported as wrong or missing, with programs and answers worked out by hand."""

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest

from lars2asp.compiler import compile_program
from lars2asp.externals.events import Events
from lars2asp.runtime.answer import Answer
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.facts.atoms import to_rows
from lars2asp.runtime.sources.input_watermarks import FromInput, InputWatermarks
from lars2asp.runtime.sources.records import Record, refuse
from lars2asp.runtime.sources.reordering import Reordering
from lars2asp.syntax.source import Source
from tests.support.evaluating import serving

Time = int | str
Answers = list[tuple[int, str]]
"""The ticks at which the answer changes, and what holds then, atoms joined by blanks."""


@dataclass(frozen=True)
class Report:
    """A report, the program for what its author wanted, a stream, and the answers.

    Attributes:
        name: the system and the number of the report.
        stream: the atoms of each record by its time, in the order of time.
        until: the last tick.
        answers: what holds from each tick at which that changes.
        lateness: the number of ticks by which records come late, besides coming in order.
    """

    name: str
    program: str
    stream: Mapping[Time, str | Iterable[str]]
    until: int
    answers: Mapping[int, str]
    lateness: int = field(default=3, kw_only=True)

    @property
    def lines(self) -> list[tuple[Time, list[str]]]:
        return [(time, [one] if isinstance(one, str) else [*one]) for time, one in self.stream.items()]

    @property
    def records(self) -> list[tuple[int | datetime, list[str]]]:
        return [
            (time if isinstance(time, int) else datetime.fromisoformat(time), told)
            for time, told in self.lines
        ]


# A value each half hour, which is the hour of the local day, over two days (hours 0 to 23, each twice):
# 48 values, their sum 2 * (0 + ... + 23) = 552, the first 0, the last 23. Ticks 0 to 47 are the first day, 48
# to 95 the second; the third has no value, and there is no day before the first. By days of UTC the first
# value would be 1, and a day would appear that has no data.
CET_DAYS = Report(
    "streampipes 1292",
    """
    #tick 30 min. #timezone "Europe/Berlin". #origin "2023-02-13T00:00".
    day(N,S,F,L) :- N = #count{ T : value(_) at T in [every 1 day] },
        S = #sum{ V,T : value(V) at T in [every 1 day] },
        value(F) at A in [every 1 day], A = #min{ T : value(_) at T in [every 1 day] },
        value(L) at B in [every 1 day], B = #max{ T : value(_) at T in [every 1 day] }.
    """,
    {
        f"2023-02-{day}T{hour:02}:{minute:02}": f"value({hour})"
        for day in (13, 14)
        for hour in range(24)
        for minute in (0, 30)
    },
    150,
    {47: "day(48,552,0,23)", 143: ""},
)

#   tick (from 2024-01-24 00:00 +02)     0 ... 23         24         ...  47        ...  71
#   order                                       1 (21:59Z) 2 (22:00Z)      3 (21:30Z)
#   the day of +02                       |------ 24th ---|------- 25th -----------|---- 26th
ZONED_TUMBLE = Report(
    "risingwave 14772",
    """
    #tick 1 hour. #timezone "Etc/GMT-2". #origin "2024-01-24T00:00".
    orders(N) :- N = #count{ I : order(I) in [every 1 day] }, N > 0.
    """,
    {"2024-01-24T21:59Z": "order(1)", "2024-01-24T22:00Z": "order(2)", "2024-01-25T21:30Z": "order(3)"},
    80,
    {23: "orders(1)", 47: "orders(2)", 71: ""},
)

#   second     12:00:41 | 12:00:42 ... 12:01:41 | 12:01:42 ... 12:02:41 | ... 12:03:41
#   hit               1 |        2            3 |        4              |
#   tick          43199 | 43200           43259 | 43260           43319 |        43379
OFFSET_TUMBLE = Report(
    "ksql 4460",
    """
    #tick 1 sec. #origin "2020-02-06T00:00:42Z".
    hits(N) :- N = #count{ I : hit(I) in [every 1 min] }, N > 0.
    """,
    {
        "2020-02-06T12:00:41Z": "hit(1)",
        "2020-02-06T12:00:42Z": "hit(2)",
        "2020-02-06T12:01:41Z": "hit(3)",
        "2020-02-06T12:01:42Z": "hit(4)",
    },
    43400,
    {43199: "hits(1)", 43259: "hits(2)", 43319: "hits(1)", 43379: ""},
)

# An event in each of the seconds 0 to 59. At t the last thirty seconds are t-29 to t, so that there are t+1
# up to 27, 30 from 30 to 57, 89-t from 60 to 87 (59 - (t-29) + 1), and none at 90; never the 3 of a step
# alone.
FINAL_HOPS = Report(
    "faust 514",
    """
    #tick 1 sec.
    full(N) :- N = #count{ T : event at T in [29 sec step 3 sec] }, N > 0.
    """,
    dict.fromkeys(range(60), "event"),
    95,
    {t: f"full({t + 1})" for t in range(0, 28, 3)}
    | {30: "full(30)"}
    | {t: f"full({89 - t})" for t in range(60, 88, 3)}
    | {90: ""},
)

# The time 1709315512577 (ms since 1970) is 425 days, 64312.577 seconds after the origin: tick 367843125,
# the sixth after a multiple of 7. Windows have 16 ticks: those of 126 (111 to 126), 133 (118 to 133) and
# 140 (125 to 140) have it, that of 147 (132 to 147) has not. It is the fifth after a multiple of 8: 128
# (113 to 128) and 136 (121 to 136) have it, 144 (129 to 144) has not.
AGO = 367_843_000
ALIGNED_LONG_AGO = [
    Report(
        f"bytewax 413, a window each {step} ms",
        f"""
        #tick 100 msec. #origin "2023-01-01T00:00Z".
        seen(M) :- badge(M) in [1500 msec step {step} msec].
        """,
        {"2024-03-01T17:51:52.577Z": "badge(gateway1)"},
        AGO + 160,
        {AGO + begin: "seen(gateway1)", AGO + end: ""},
    )
    for step, begin, end in ((700, 126, 147), (800, 128, 144))
]

# Within 10 seconds, and 60 for all of it:
#   second   0    3    5    12   20   30   31   40   41   60
#   told          b    a    b    a         c    b    c    c
#   ab                                x              the a at 5 has b at 12, that at 20 has none up to 30
#   nab           -         -                   x    at 3 ten seconds have not been; at 12 there is a at 5
#   anbc                                   x    -    after the a at 20 there is b at 40
#   nanbc                                  x    -    x    in 31 to 40 there is b, in 50 to 59 nothing
ABSENT = Report(
    "siddhi 483",
    """
    #tick 1 sec. #complete_windows.
    ab :- a in {10}, not b in [9 sec].
    nab :- b, not a in [1 sec .. 10 sec].
    anbc :- c, a at T in [1 sec .. 60 sec], #count{ U : b at U in [60 sec], U > T } = 0.
    nanbc :- c, not a in [1 sec .. 10 sec], not b in [1 sec .. 10 sec].
    """,
    {0: [], 3: "b", 5: "a", 12: "b", 20: "a", 31: "c", 40: "b", 41: "c", 60: "c"},
    65,
    {30: "ab", 31: "anbc nanbc", 32: "", 40: "nab", 41: "", 60: "nanbc", 61: ""},
)

# Two or more within a minute are one signal, as long as there are two: from 15 to 90, when those at 30 and
# 35 are there, and from 270 to 321. Two each time, which are consumed, are a signal each: at 15, 25, 35;
# those at 200 and 261 are more than a minute apart, so that 261 begins anew and goes with 270.
#   second   10  15  20  25  30  35      90 91     200   261   270    321 322
#   a        a   a   a   a   a   a                 a     a     a
#   pair         x       x       x                             x
COUNTED = Report(
    "siddhi 1405",
    """
    #tick 1 sec. #show many/0. #show pair/0.
    many :- a at least 2 in [1 min].
    pair :- a, half in {1}, a in [1 sec .. 60 sec].
    half :- a, not pair.
    half :- half in {1}, not a, a in [60 sec].
    """,
    dict.fromkeys((10, 15, 20, 25, 30, 35, 200, 261, 270), "a"),
    330,
    {
        **{15: "many pair", 16: "many", 25: "many pair", 26: "many", 35: "many pair", 36: "many", 91: ""},
        **{270: "many pair", 271: "many", 322: ""},
    },
)

# Nine failures and more of the same address and user within 10 seconds, and then a login that succeeds; those
# of others in between count for others.
#   second     1 2 3 4 5 6 7 8 9 10 11 12
#   s1, ann    x x x x x x x x x ok    ok     9 failures in 0 to 9, 8 in 2 to 11
#   s2, bob        x   x   x     ok           3
#   s2, ann                x     ok           1
GUESSED = Report(
    "siddhi 211",
    """
    #tick 1 sec. #show guessed/2.
    guessed(S,U) :- ok(S,U), failed(S,U) at least 9 in [1 sec .. 10 sec].
    """,
    {
        **dict.fromkeys(range(1, 10), "failed(s1,ann)"),
        **{3: ["failed(s1,ann)", "failed(s2,bob)"], 5: ["failed(s1,ann)", "failed(s2,bob)"]},
        7: ["failed(s1,ann)", "failed(s2,bob)", "failed(s2,ann)"],
        10: ["ok(s1,ann)", "ok(s2,bob)", "ok(s2,ann)"],
        12: "ok(s1,ann)",
    },
    20,
    {10: "guessed(s1,ann)", 11: ""},
)

# More than ten failures of a user from one address at another within a minute, and no alarm of the three for
# half an hour (180 ticks) after one; then with what came since (ticks 7 to 186).
#   tick           1  2  3  4  5  6  100 101 ... 104   183 184 185 186 187 188
#   ann, s1, d1    3  3  3  3  3  3    3   3 ...   3     3   3   3   3   3   3
#   alarm                  12          (lately)                     27 = 5 * 3 + 4 * 3
#   bob, s2, d1       10                                      10 are not more
#   ann, s3, d1                           11                  which no alarm of s1 keeps back
LIMITED = Report(
    "siddhi 1116",
    """
    #tick 10 sec. #show alarm/4.
    many(U,S,D) :- failed(U,S,D,_), #count{ I : failed(U,S,D,I) in [50 sec] } > 10.
    alarm(U,S,D,N) :- many(U,S,D), not lately(U,S,D), N = #count{ I : failed(U,S,D,I) in [1790 sec] }.
    lately(U,S,D) :- alarm(U,S,D,_) in [10 sec .. 1790 sec].
    """,
    {
        tick: [f"failed(ann,s1,d1,{3 * tick + number})" for number in range(3)]
        + [f"failed(bob,s2,d1,{number})" for number in range(10) if tick == 2]
        + [f"failed(ann,s3,d1,{number})" for number in range(11) if tick == 101]
        for tick in (*range(1, 7), *range(100, 105), *range(183, 189))
    },
    200,
    {
        **{4: "alarm(ann,s1,d1,12)", 5: "", 101: "alarm(ann,s3,d1,11)", 102: ""},
        **{186: "alarm(ann,s1,d1,27)", 187: ""},
    },
)

# The largest value of a minute (six ticks) of each sensor, whose minutes begin with its own first value.
#   tick   0 1 2 3 4 5 6 7 8 9    11    14       minutes of all together would be 0 to 5, 6 to 11, ...
#   a      3   9     4|1 2        |              and have 5 and 8 for b
#   b            5         7|8          |
KEYED_WINDOWS = Report(
    "redpanda-connect 1447",
    """
    #tick 10 sec. #show largest/2.
    first(S) :- reading(S,_), not busy(S).
    busy(S) :- first(S) in [10 sec .. 50 sec].
    largest(S,M) :- first(S) in {5}, M = #max{ V : reading(S,V) in [50 sec] }.
    """,
    {
        **{0: "reading(a,3)", 2: "reading(a,9)", 3: "reading(b,5)", 5: "reading(a,4)", 6: "reading(a,1)"},
        **{7: "reading(a,2)", 8: "reading(b,7)", 9: "reading(b,8)"},
    },
    20,
    {
        **{5: "largest(a,9)", 6: "", 8: "largest(b,7)", 9: "", 11: "largest(a,2)", 12: ""},
        **{14: "largest(b,8)", 15: ""},
    },
)

#   minute   1  5  19 | 20  30  39 | ... 59      the windows have equal counts, and each says which it is
#   trip     1  2  3  | 4   5   6  |
BOUNDARIES = Report(
    "arroyo 961",
    """
    #tick 1 min.
    window(E-20,E,N) :- N = #count{ I : trip(I) in [every 20 min] }, N > 0, E = (@now+1)/20*20.
    """,
    {1: "trip(1)", 5: "trip(2)", 19: "trip(3)", 20: "trip(4)", 30: "trip(5)", 39: "trip(6)"},
    65,
    {19: "window(0,20,3)", 39: "window(20,40,3)", 59: ""},
)

#   local (Vienna)   02:00 02:30 | 02:00 02:30 | 03:00 03:30      the clock is put back at 03:00
#   UTC              00:00 00:30 | 01:00 01:30 | 02:00 02:30
#   tick             0     1     | 2     3     | 4     5
#   row              a     b     | c     d     |
REPEATED_HOUR = Report(
    "logstash-input-jdbc 121",
    """
    #tick 30 min. #timezone "Europe/Vienna". #origin "2026-10-25T00:00Z".
    row(R,T) :- row(R) at T in [every 1 hour].
    """,
    {
        "2026-10-25T02:00+02:00": "row(a)",
        "2026-10-25T02:30+02:00": "row(b)",
        "2026-10-25T02:00+01:00": "row(c)",
        "2026-10-25T02:30+01:00": "row(d)",
    },
    8,
    {1: "row(a,0) row(b,1)", 3: "row(c,2) row(d,3)", 5: ""},
)

REPORTS = [
    *(CET_DAYS, ZONED_TUMBLE, OFFSET_TUMBLE, FINAL_HOPS, *ALIGNED_LONG_AGO, ABSENT, COUNTED, BOUNDARIES),
    *(REPEATED_HOUR, GUESSED, LIMITED, KEYED_WINDOWS),
]


def changes(answers: Iterable[Answer]) -> Answers:
    return [(one.tick, " ".join(one.holds.texts)) for one in answers]


@pytest.mark.parametrize("report", REPORTS, ids=lambda one: one.name)
def test_every_evaluator_answers_as_worked_out(report: Report, tmp_path: Path) -> None:
    """The file at once, in two pieces with a snapshot between, and with records that come late."""
    plan = compile_program(Source("report.lars", report.program))
    records, until = report.records, report.until
    path = tmp_path / "stream.jsonl"
    path.write_text("".join(json.dumps({"time": time, "facts": told}) + "\n" for time, told in report.lines))
    at = len(records) // 2
    timeline = Reasoner(plan).session.timeline
    choose = random.Random(report.name)
    late = sorted(records, key=lambda one: timeline.tick_of(one[0]) + choose.randint(0, report.lateness))
    assert {*serving(plan)} >= {"auto", "oneshot", "stamped"}
    for name in serving(plan):
        expected = [*report.answers.items()]
        assert changes(Reasoner(plan, evaluator=name).run(path, until=until)) == expected, name
        first, second = Reasoner(plan, evaluator=name), Reasoner(plan, evaluator=name)
        found = changes(first.run(records[:at]))
        second.resume(first.snapshot())
        assert found + changes(second.run(records[at:], until=until)) == expected, name
        start = timeline.tick_of(records[0][0])
        whole = Reasoner(plan, evaluator=name, start=start)
        assert changes(whole.run(late, until=until, lateness=report.lateness)) == expected, name


#   local (Vienna)   01:30 | 02:00 02:30 | 02:00 02:30 |      the clock is put back at 03:00
#   tick             1     | 2     3     | 4     5     | 7
#   row              z     | a     b     | c     d     |
def test_the_hour_that_comes_twice_is_read_in_order(tmp_path: Path) -> None:
    """The same without offsets, as the report has it: the second 02:00 is that after the change."""
    program = REPEATED_HOUR.program.replace("2026-10-25T00:00Z", "2026-10-24T23:00Z")
    plan = compile_program(Source("report.lars", program))
    path = tmp_path / "stream.jsonl"
    times = ("01:30", "02:00", "02:30", "02:00", "02:30")
    path.write_text(
        "".join(
            json.dumps({"time": f"2026-10-25T{time}", "facts": [f"row({row})"]}) + "\n"
            for time, row in zip(times, "zabcd", strict=True)
        )
    )
    for name in serving(plan):
        found = changes(Reasoner(plan, evaluator=name).run(path, until=10))
        expected = [(1, "row(z,1)"), (3, "row(a,2) row(b,3)"), (5, "row(c,4) row(d,5)"), (7, "")]
        assert found == expected, name


#   tick       0    1    4    9    12        silent is left out     14
#   steady     c1        c2        c3                               c4
#   slow            c5                                                      (nothing more)
#   over                 1 1  1    1         up to 11               up to 13
def test_an_idle_source_does_not_hold_windows_back() -> None:
    """Flink, without `withIdleness`: a window waits for a source that says nothing, until it is left out."""
    plan = compile_program(Source("idle.lars", "cars(N) :- N = #count{ C : car(C) in [every 5] }, N > 0."))
    for name in serving(plan):
        said: Answers = []

        def record(tick: int, car: int) -> list[Record]:
            return [Record(tick, Events(to_rows([f"car({car})"])))]

        def batches(said: Answers = said) -> Iterator[FromInput]:
            yield FromInput(0, record(0, 1))
            yield FromInput(1, record(1, 5))
            yield FromInput(0, record(4, 2))
            yield FromInput(0, record(12, 3))
            assert said == []
            yield FromInput(1, None)  # silent for as long as --idle-timeout says
            assert said == [(4, "cars(3)"), (9, "")]
            yield FromInput(0, record(14, 4))

        reasoner = Reasoner(plan, evaluator=name)
        items = Reordering(0, refuse, inputs=InputWatermarks([0, 1])).moving_inputs(batches())
        for answer in reasoner.session.answers(items, 20, None, refuse):
            text = " ".join(answer.holds.texts)
            if text != (said[-1][1] if said else ""):
                said.append((answer.tick, text))
        assert said == [(4, "cars(3)"), (9, ""), (14, "cars(2)"), (19, "")], name
