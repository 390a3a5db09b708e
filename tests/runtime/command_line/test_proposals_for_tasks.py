"""Tasks of users: the proposal of `check --input`, unchanged, and the obvious rule give the right answer.

The files have fields that are sometimes absent, records of one time and equal records. Each answer is
computed a second time, in plain Python.
"""

import csv
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lars2asp.syntax.nodes import Input
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source
from tests.support.command_line import run

BEGIN = datetime(2026, 3, 2, 8, tzinfo=UTC)
MINUTE, HOUR = 60, 3600

FAIL, OK, ORDER, PAYMENT, STOP, NO, CART, PAY, GOOD = (
    f'"{word}"' for word in ("fail", "ok", "order", "payment", "stop", "no", "cart", "pay", "Good")
)

Row = Mapping[str, Any]
Rows = Sequence[Row]
Atom = Callable[..., str]
"""Gives an atom with some columns, as in `atom(user="U", result='"fail"')`; the others are `_`."""


def times(number: int, steps: Sequence[int], seed: int) -> Iterator[tuple[int, random.Random]]:
    """Seconds since the beginning, some of them equal, and what makes the other values."""
    chance, at = random.Random(seed), 0
    for _ in range(number):
        at += chance.choice(steps)
        yield at, chance


def iso(at: int) -> str:
    return (BEGIN + timedelta(seconds=at)).strftime("%Y-%m-%dT%H:%M:%SZ")


def as_csv(rows: Rows) -> str:
    header = [*dict.fromkeys(name for row in rows for name in row if name != "at")]
    lines: list[str] = []

    class Lines:
        def write(self, text: str) -> None:
            lines.append(text)

    writer = csv.DictWriter(Lines(), ["time", *header], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({"time": iso(row["at"])} | {**row} for row in rows)
    return "".join(lines)


def as_json(rows: Rows) -> str:
    own = (
        {"ts": iso(row["at"])} | {name: value for name, value in row.items() if name != "at"} for row in rows
    )
    return "".join(f"{json.dumps(row)}\n" for row in own)


def twice(rows: Rows, chance: random.Random) -> Rows:
    """Some of the rows come twice, one after the other."""
    return [again for row in rows for again in [row] * (2 if chance.random() < 0.05 else 1)]


def sparse(chance: random.Random, share: float, **fields: Any) -> dict[str, Any]:
    """Fields that are absent now and then."""
    return {name: value for name, value in fields.items() if chance.random() < share}


# --- data -------------------------------------------------------------------------------------------


def logins() -> Rows:
    rows = [
        {
            "at": at,
            "user": f"u{chance.randrange(6)}",
            "result": chance.choice(["ok", "fail", "fail"]),
            **sparse(chance, 0.6, ip=f"10.0.0.{chance.randrange(4)}", latency=chance.randrange(500)),
        }
        for at, chance in times(300, (0, 1, 5, 40), 1)
    ]
    return twice(rows, random.Random(1))


def readings() -> Rows:
    return [
        {
            "at": at,
            "device": f"d{chance.randrange(4)}",
            "temp": round(chance.uniform(15, 35), 1),
            **sparse(chance, 0.5, rssi=-chance.randrange(40, 90), battery=chance.randrange(100)),
        }
        for at, chance in times(300, (10, 30, 90), 2)
    ]


def sales() -> Rows:
    rows = [
        {
            "at": at,
            "product": chance.choice(["tea", "milk", "bread", "salt"]),
            "qty": chance.randrange(1, 6),
            **sparse(chance, 0.3, coupon=chance.choice(["X5", "X9"])),
        }
        for at, chance in times(300, (0, 60, 400), 3)
    ]
    return twice(rows, random.Random(3))


def shop() -> Rows:
    """Orders, most of which are paid some time later."""
    found: list[Row] = []
    for number, (at, chance) in enumerate(times(80, (20, 100, 200), 4)):
        found.append({"at": at, "type": "order", "order": f"o{number}", "amount": chance.randrange(5, 90)})
        if chance.random() < 0.8:
            late = at + chance.choice([30, 300, 599, 900])
            found.append({"at": late, "type": "payment", "order": f"o{number}", "method": "card"})
    return sorted(found, key=lambda row: row["at"])


def machines() -> Rows:
    return [
        {
            "at": at,
            "machine": f"m{chance.randrange(3)}",
            "state": chance.choice(["run", "run", "stop", "idle"]),
        }
        | sparse(chance, 0.4, code=chance.randrange(100, 110), operator=chance.choice(["Ann", "Bo"]))
        for at, chance in times(200, (15, 60, 120), 5)
    ]


def pieces() -> Rows:
    rows = [
        {"at": at, "line": f"L{chance.randrange(2)}", "ok": chance.choice(["yes", "yes", "no"])}
        | sparse(chance, 0.2, defect=chance.choice(["scratch", "dent"]))
        for at, chance in times(300, (0, 60, 300), 6)
    ]
    return twice(rows, random.Random(6))


def visits() -> Rows:
    return [
        {"at": at, "visitor": f"v{chance.randrange(6)}", "page": chance.choice(["home", "cart", "pay"])}
        | sparse(chance, 0.5, referrer=chance.choice(["search", "mail"]))
        for at, chance in times(200, (0, 20, 200), 7)
    ]


TAGS = [f"TI{100 + number}" for number in range(8)]


def historian() -> Rows:
    """A column for each tag, which is sometimes empty."""
    return [
        {
            "at": at,
            **{tag: round(chance.uniform(10, 30), 1) if chance.random() < 0.8 else None for tag in TAGS},
        }
        for at, chance in times(200, (10, 30, 90), 8)
    ]


def meters() -> Rows:
    """A row for each meter and quarter of a day, with a column for each hour of it."""
    return [
        {"at": 6 * HOUR * n, "meter": f"m{meter}", **{f"h{hour}": chance.randrange(10) for hour in range(6)}}
        for n in range(40)
        for meter in range(3)
        for chance in [random.Random(10 * n + meter)]
    ]


def hubs() -> Rows:
    """An object for each sensor that a hub has heard."""
    return [
        {
            "at": at,
            "hub": chance.choice("ab"),
            "sensors": {
                f"s{n}": {"t": round(chance.uniform(10, 30), 1), "h": chance.randrange(100)}
                for n in sorted(chance.sample(range(9), 4))
            },
        }
        for at, chance in times(150, (10, 30, 90), 9)
    ]


def requests() -> Rows:
    """The requests of each user, some of them in records of one time."""
    return [
        {"at": at, "counts": {f"user-{chance.randrange(40)}": chance.randrange(1, 10) for _ in range(3)}}
        for at, chance in times(200, (5, 10, 60), 10)
    ]


def judged() -> Rows:
    """Readings, some of which are bad."""
    return [
        {
            "at": at,
            "tag": f"T{chance.randrange(5)}",
            "quality": (quality := chance.choice(["Good", "Good", "Good", "Bad", "Uncertain"])),
            "value": round(chance.uniform(10, 30 if quality == "Good" else 99), 1),
        }
        for at, chance in times(200, (10, 30, 90), 11)
    ]


def judged_tags() -> Rows:
    """Columns for the value and the quality of each tag."""
    return [
        {"at": row["at"]}
        | {
            name: value
            for tag in TAGS[:4]
            for good in [chance.random() < 0.8]
            for name, value in (
                (f"{tag}.value", round(chance.uniform(10, 30 if good else 99), 1)),
                (f"{tag}.quality", 192 if good else 0),
            )
        }
        for row in historian()
        for chance in [random.Random(row["at"])]
    ]


def sessions() -> Rows:
    """Logins, uploads and alarms, each with fields of its own."""
    found: list[Row] = []
    for at, chance in times(300, (0, 5, 20), 12):
        user = f"u{chance.randrange(8)}"
        found.append(
            chance.choice(
                [
                    {"at": at, "type": "login", "user": user, "ip": f"i{chance.randrange(5)}"},
                    {"at": at, "type": "upload", "user": user, "size": chance.randrange(100)},
                    {
                        "at": at,
                        "type": "alarm",
                        "level": chance.randrange(5),
                        "size": chance.randrange(900, 999),
                    },
                ]
            )
        )
    return found


def over(rows: Rows, limit: float) -> Iterator[object]:
    """The tags that were over a limit."""
    return (tag for row in rows for tag in TAGS if (row[tag] or 0) > limit)


def silent_tags(rows: Rows) -> Iterator[object]:
    last = max(row["at"] for row in rows)
    for tag in TAGS:
        own = [*(row["at"] for row in rows if row[tag] is not None), last + 1]
        if any(after - before > 180 for before, after in pairwise(own)):
            yield tag


# --- what is asked ----------------------------------------------------------------------------------


class Task(NamedTuple):
    """A question about some data.

    Attributes:
        rows: the data.
        written: the text of a file with them.
        ending: that of its name.
        rules: the rules, with `found` for those that are looked for.
        expected: who these are.
    """

    rows: Callable[[], Rows]
    written: Callable[[Rows], str]
    ending: str
    rules: Callable[[Atom], str]
    expected: Callable[[Rows], Iterable[object]]


def near(rows: Rows, row: Row, seconds: int) -> Rows:
    """The rows up to a time, and so many seconds before it."""
    return [one for one in rows if row["at"] - seconds <= one["at"] <= row["at"]]


def each(rows: Rows, seconds: int, holds: Callable[[Row, Rows], Iterable[object]]) -> Iterator[object]:
    """What holds at the time of some row, of the rows shortly before it."""
    for row in rows:
        yield from holds(row, near(rows, row, seconds))


def counted_by(rows: Rows, name: str, least: int) -> list[object]:
    """The values of a field that so many rows have."""
    return [value for value, number in Counter(row.get(name) for row in rows).items() if number >= least]


def distinct_by(rows: Rows, name: str, other: str, least: int) -> list[object]:
    """The values of a field that come with so many values of another one."""
    found = defaultdict[object, set[object]](set)
    for row in rows:
        if name in row and other in row:
            found[row[name]].add(row[other])
    return [value for value, others in found.items() if len(others) >= least]


def unpaid(rows: Rows) -> Iterator[object]:
    last = max(row["at"] for row in rows)
    for row in rows:
        if row["type"] == "order" and row["at"] + 600 <= last:
            paid = (one for one in rows if one["type"] == "payment" and one["order"] == row["order"])
            if not any(row["at"] <= one["at"] <= row["at"] + 600 for one in paid):
                yield row["order"]


def silent(rows: Rows) -> Iterator[object]:
    last = max(row["at"] for row in rows)
    for device in {row["device"] for row in rows}:
        own = [*sorted({row["at"] for row in rows if row["device"] == device}), last + 1]
        if any(after - before > 600 for before, after in pairwise(own)):
            yield device


def top_sellers(rows: Rows) -> Iterator[object]:
    for row in rows:
        sums: Counter[object] = Counter()
        for one in near(rows, row, HOUR):
            sums[one["product"]] += one["qty"]
        yield from (product for product, number in sums.items() if number > 40)


def scrap(rows: Rows) -> Iterator[object]:
    """The lines with much scrap in a shift that is over, from 0 to 8, 8 to 16 or 16 to 24."""
    shifts = {id(row): (BEGIN + timedelta(seconds=row["at"])).hour // 8 for row in rows}
    bad = Counter((shifts[id(row)], row["line"]) for row in rows if row["ok"] == "no")
    last = max(shifts.values())
    yield from (line for (shift, line), number in bad.items() if number >= 40 and shift < last)


TASKS = {
    "burst": Task(
        logins,
        as_csv,
        "csv",
        lambda atom: (
            f"found(U) :- {atom(user='U')}, "
            f"#count {{ R : {atom(user='U', result=FAIL, record='R')} in [2 min] }} >= 6."
        ),
        lambda rows: each(
            rows,
            2 * MINUTE,
            lambda row, some: {row["user"]}.intersection(
                counted_by([one for one in some if one["result"] == "fail"], "user", 6)
            ),
        ),
    ),
    "spray": Task(
        logins,
        as_csv,
        "csv",
        lambda atom: (
            f'found(I) :- {atom(ip="I")}, I != "", '
            f"#count {{ U : {atom(ip='I', user='U', result=FAIL)} in [3 min] }} >= 4."
        ),
        lambda rows: each(
            rows,
            3 * MINUTE,
            lambda row, some: {row.get("ip")}.intersection(
                distinct_by([one for one in some if one["result"] == "fail"], "ip", "user", 4)
            ),
        ),
    ),
    "failed-then-ok": Task(
        logins,
        as_json,
        "jsonl",
        lambda atom: f"found(U) :- {atom(user='U', result=OK)}, {atom(user='U', result=FAIL)} in [5 sec].",
        lambda rows: each(
            rows,
            5,
            lambda row, some: [
                one["user"]
                for one in some
                if row["result"] == "ok" and one["result"] == "fail" and one["user"] == row["user"]
            ],
        ),
    ),
    "addresses-of-a-user": Task(
        logins,
        as_json,
        "jsonl",
        lambda atom: (
            f"found(U) :- {atom(user='U')}, "
            f'#count {{ I : {atom(user="U", ip="I")} in [10 min], I != "" }} >= 4.'
        ),
        lambda rows: each(
            rows,
            10 * MINUTE,
            lambda row, some: {row["user"]}.intersection(distinct_by(some, "user", "ip", 4)),
        ),
    ),
    "slow": Task(
        logins,
        as_csv,
        "csv",
        lambda atom: f"found(U) :- {atom(user='U', latency='L')}, L > 480.",
        lambda rows: (row["user"] for row in rows if row.get("latency", 0) > 480),
    ),
    "silent-device": Task(
        readings,
        as_json,
        "jsonl",
        lambda atom: (
            f"seen(D) :- {atom(device='D')}. found(D) :- seen(D) in [1 day], not seen(D) in [10 min]."
        ),
        silent,
    ),
    "hottest": Task(
        readings,
        as_json,
        "jsonl",
        lambda atom: (
            f"found(D) :- {atom(device='D')}, "
            f"#count {{ T : {atom(device='D', temp='T')} in [5 min], T > 30.0 }} >= 3."
        ),
        lambda rows: each(
            rows,
            5 * MINUTE,
            lambda row, some: {row["device"]}.intersection(
                distinct_by([one for one in some if one["temp"] > 30], "device", "temp", 3)
            ),
        ),
    ),
    "weak-signal": Task(
        readings,
        as_csv,
        "csv",
        lambda atom: f"found(D) :- {atom(device='D', rssi='R')}, R < -85.",
        lambda rows: (row["device"] for row in rows if row.get("rssi", 0) < -85),
    ),
    "low-battery-and-hot": Task(
        readings,
        as_json,
        "jsonl",
        lambda atom: (
            f"found(D) :- {atom(device='D', battery='B')}, B < 20, "
            f"{atom(device='D', temp='T')} in [2 min], T > 33.0."
        ),
        lambda rows: each(
            rows,
            2 * MINUTE,
            lambda row, some: [
                one["device"]
                for one in some
                if row.get("battery", 99) < 20 and one["temp"] > 33 and one["device"] == row["device"]
            ],
        ),
    ),
    "top-seller": Task(
        sales,
        as_csv,
        "csv",
        lambda atom: (
            f"found(P) :- {atom(product='P')}, "
            f"#sum {{ Q,R : {atom(product='P', qty='Q', record='R')} in [1 hour] }} > 40."
        ),
        top_sellers,
    ),
    "coupons": Task(
        sales,
        as_csv,
        "csv",
        lambda atom: (
            f'found(C) :- {atom(coupon="C")}, C != "", '
            f"#count {{ R : {atom(coupon='C', record='R')} in [30 min] }} >= 5."
        ),
        lambda rows: each(
            rows,
            30 * MINUTE,
            lambda row, some: {row.get("coupon")}.intersection(
                counted_by([one for one in some if "coupon" in one], "coupon", 5)
            ),
        ),
    ),
    "unpaid": Task(
        shop,
        as_json,
        "jsonl",
        lambda atom: (
            f"ordered(O) :- {atom(order='O', type=ORDER)}. "
            f"paid(O) :- {atom(order='O', type=PAYMENT)}. "
            "found(O) :- ordered(O) in {10 min}, not paid(O) in [10 min]."
        ),
        unpaid,
    ),
    "code-of-a-stop": Task(
        machines,
        as_csv,
        "csv",
        lambda atom: f"found(M) :- {atom(machine='M', state=STOP, code='C')}, C >= 108.",
        lambda rows: (row["machine"] for row in rows if row["state"] == "stop" and row.get("code", 0) >= 108),
    ),
    "scrap-of-a-shift": Task(
        pieces,
        as_csv,
        "csv",
        lambda atom: (
            f"found(L) :- N = #count {{ R : {atom(line='L', ok=NO, record='R')} in [every 8 hour] }}, "
            f"N >= 40, {atom(line='L')}."
        ),
        scrap,
    ),
    "left-the-cart": Task(
        visits,
        as_csv,
        "csv",
        lambda atom: (
            f"cart(V) :- {atom(visitor='V', page=CART)}. "
            f"pay(V) :- {atom(visitor='V', page=PAY)}. "
            "found(V) :- cart(V) in {20 min}, not pay(V) in [20 min]."
        ),
        lambda rows: (
            row["visitor"]
            for row in rows
            if row["page"] == "cart"
            and row["at"] + 20 * MINUTE <= max(one["at"] for one in rows)
            and not any(
                one["page"] == "pay"
                and one["visitor"] == row["visitor"]
                and row["at"] <= one["at"] <= row["at"] + 20 * MINUTE
                for one in rows
            )
        ),
    ),
    "tag-over-a-limit": Task(
        historian,
        as_csv,
        "csv",
        lambda atom: f"found(T) :- {atom(tag='T', value='V')}, V > 29.8.",
        lambda rows: over(rows, 29.8),
    ),
    "two-tags-apart": Task(
        historian,
        as_csv,
        "csv",
        lambda atom: f"found(T) :- {atom(tag='T', value='V')}, {atom(tag='S', value='W')}, V - W > 19.0.",
        lambda rows: (
            tag
            for row in rows
            for tag in TAGS
            for other in TAGS
            if row[tag] is not None and row[other] is not None and row[tag] - row[other] > 19
        ),
    ),
    "silent-tag": Task(
        historian,
        as_json,
        "jsonl",
        lambda atom: (
            f"seen(T) :- {atom(tag='T', value='_')}. found(T) :- seen(T) in [1 day], not seen(T) in [3 min]."
        ),
        silent_tags,
    ),
    "meter-at-an-hour": Task(
        meters,
        as_csv,
        "csv",
        lambda atom: (
            f"found(M) :- {atom(meter='M', tag=chr(34) + 'h3' + chr(34), value='V')}, V = 9, "
            f"{atom(meter='M', tag=chr(34) + 'h5' + chr(34), value='W')}, W < 3."
        ),
        lambda rows: (row["meter"] for row in rows if row["h3"] == 9 and row["h5"] < 3),
    ),
    "hot-and-dry-sensor": Task(
        hubs,
        as_json,
        "jsonl",
        lambda atom: f"found(S) :- {atom(key='S', **{'value.t': 'T', 'value.h': 'H'})}, T > 28.5, H < 5.",
        lambda rows: (
            name for row in rows for name, one in row["sensors"].items() if one["t"] > 28.5 and one["h"] < 5
        ),
    ),
    "users-again": Task(
        requests,
        as_json,
        "jsonl",
        lambda atom: (
            f"found(U) :- {atom(key='U', value='N')}, N > 8, "
            f"{atom(key='U', value='M')} in [1 tick .. 5 min], M > 8."
        ),
        lambda rows: (
            user
            for row in rows
            for user, number in row["counts"].items()
            for one in near(rows, row, 5 * MINUTE)
            if number > 8 and one["at"] < row["at"] and one["counts"].get(user, 0) > 8
        ),
    ),
    "good-values": Task(
        judged,
        as_csv,
        "csv",
        lambda atom: f"found(T) :- {atom(tag='T', value='V', quality=GOOD)}, V > 29.0.",
        lambda rows: (row["tag"] for row in rows if row["quality"] == "Good" and row["value"] > 29),
    ),
    "good-values-of-columns": Task(
        judged_tags,
        as_csv,
        "csv",
        lambda atom: "found(T) :- reading(T,V,Q), Q >= 192, V > 29.8.",
        lambda rows: (
            tag
            for row in rows
            for tag in TAGS[:4]
            if row[f"{tag}.quality"] == 192 and row[f"{tag}.value"] > 29.8
        ),
    ),
    "login-then-a-large-upload": Task(
        sessions,
        as_csv,
        "csv",
        lambda atom: f"found(U) :- {atom(user='U', size='S')}, S > 95, {atom(user='U', ip='_')} in [30 sec].",
        lambda rows: (
            row["user"]
            for row in rows
            if row["type"] == "upload" and row["size"] > 95
            for one in near(rows, row, 30)
            if one["type"] == "login" and one["user"] == row["user"]
        ),
    ),
    "alarms-and-uploads": Task(
        sessions,
        as_json,
        "jsonl",
        lambda atom: (
            f"found(U) :- {atom(user='U', size='S')}, S > 60, {atom(level='L', size='_')} in [5 sec], L >= 4."
        ),
        lambda rows: (
            row["user"]
            for row in rows
            if row["type"] == "upload" and row["size"] > 60
            for one in near(rows, row, 5)
            if one["type"] == "alarm" and one["level"] >= 4
        ),
    ),
}


def atom_of(proposed: str) -> Atom:
    """Gives atoms of the first declaration that has all columns that are asked for."""
    declared = [*parse(Source("proposal", proposed)).every(Input)]

    def atom(**asked: str) -> str:
        for one in declared:
            names = [column.name for column in one.columns]
            if {*asked} <= {*names}:
                return f"{one.predicate}({','.join(asked.get(name, '_') for name in names)})"
        raise AssertionError(f"no #input has {sorted(asked)}")

    return atom


@pytest.mark.parametrize("name", TASKS)
def test_the_proposal_and_the_obvious_rule_answer(tmp_path: Path, name: str) -> None:
    task = TASKS[name]
    rows = task.rows()
    data = tmp_path / f"data.{task.ending}"
    data.write_text(task.written(rows))
    proposed = run(tmp_path, "check", "--input", data.name).stdout
    rules = task.rules(atom_of(proposed))
    (tmp_path / "program.lars").write_text(f"{proposed}{rules}\n#show found/1.\n")
    answers = run(tmp_path, "run", "program.lars", "--input", data.name)
    found = {
        argument.replace('"', "")
        for line in answers.stdout.splitlines()
        for atom in json.loads(line)["atoms"]
        for argument in re.findall(r"^found\((.*)\)$", atom)
    }
    expected = {str(one) for one in task.expected(rows)}
    assert expected
    assert found == expected, f"{proposed}\n{rules}\n{answers.stderr[-500:]}"
