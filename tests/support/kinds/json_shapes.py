"""JSON in unusual shapes."""

import json
from collections.abc import Sequence
from typing import Any

from tests.support.kinds.records import RecordKind, epoch, iso, lines, moment, pairs, records, tenths


def _plain(n: int) -> dict[str, Any]:
    return {"ts": iso(n), "room": f"r{n % 3}", "temp": tenths(n)}


def _columns(found: Sequence[Any]) -> str:
    return json.dumps({name: [one[name] for one in found] for name in found[0]})


def _rows(found: Sequence[Any]) -> str:
    return json.dumps([[*found[0]], *([*one.values()] for one in found)])


def _row_lines(found: Sequence[Any]) -> str:
    return lines([[*found[0]], *([*one.values()] for one in found)])


def _repeated(file: str, text: str) -> RecordKind:
    return RecordKind(
        file,
        (text * 20).encode(),
    )


KINDS = [
    records("columns.json", _plain, _columns),
    records("rows.json", _plain, _rows),
    records("row_lines.jsonl", _plain, _row_lines, said="jq -s"),
    records(
        "klines.json",
        lambda n: {"1": epoch(n, 1000), "2": f"0.0163{n:02}00", "3": n},
        lambda found: json.dumps([[*one.values()] for one in found]),
        said="these arrays lack field names",
    ),
    records("pretty.json", _plain, lambda found: "\n".join(json.dumps(one, indent=4) for one in found)),
    records("adjacent.json", _plain, lambda found: "".join(map(json.dumps, found))),
    records(
        "wrapped.json",
        _plain,
        lambda found: json.dumps({"status": "ok", "response": {"page": 1, "data": {"rows": found}}}),
    ),
    records("sequence.json", _plain, lambda found: "".join(f"\x1e{json.dumps(one)}\n" for one in found)),
    records(
        "trailing_comma.json",
        _plain,
        lambda found: "[" + ",\n".join(map(json.dumps, found)) + ",\n]",
    ),
    records("comma_lines.json", _plain, lambda found: ",\n".join(map(json.dumps, found))),
    records(
        "mixed_numbers.jsonl",
        lambda n: {
            "ts": epoch(n),
            "x": n if n % 2 else n + 0.5,
            "big": 10**17 + n,
            "huge": 2**60 + n,
            "note": "a" * (n % 3),
        },
    ),
    records(
        "odd_keys.jsonl",
        lambda n: {
            "ts": iso(n),
            "Room Name": f"r{n % 3}",
            "temp.\u00b0C": tenths(n),
            "\u6e7f\u5ea6": n,
            "a-b": n,
            "not": f"x{n}",
            "at": f"y{n}",
        },
    ),
    records(
        "deep.jsonl",
        lambda n: {
            "meta": {"when": {"utc": iso(n)}},
            "site": {"hall": {"sensor": {"id": f"s{n % 3}", "value": tenths(n)}}},
        },
    ),
    records("scalars.jsonl", lambda n: {"ts": iso(n), "id": f"d{n % 3}", "values": [n, n + 1, n + 2]}),
    records("only_scalars.jsonl", lambda n: {"ts": iso(n), "values": [n, n + 1]}),
    records(
        "keys_are_data.jsonl",
        lambda n: {
            "ts": iso(n),
            "rooms": {f"room-{n % 3}": {"temp": tenths(n)}, f"room-{n % 3 + 1}": {"temp": 20}},
        },
    ),
    records(
        "many_keys.jsonl",
        lambda n: {"ts": iso(n), "sensors": {f"id{37 * n + k}": tenths(n + k) for k in range(6)}},
    ),
    records(
        "two_times.jsonl",
        lambda n: (
            {"kind": "login", "login_at": iso(n), "user": f"u{n % 3}"}
            if n % 2
            else {"kind": "sale", "sold_at": iso(n), "price": tenths(n)}
        ),
    ),
    records(
        "json_in_text.jsonl",
        lambda n: {"ts": iso(n), "host": f"h{n % 2}", "msg": json.dumps({"n": n, "at": iso(n)})},
    ),
    records(
        "sparse.jsonl",
        lambda n: {"ts": iso(n), "id": n} | {k: n for k, m in (("a", 2), ("b", 3), ("c", 5)) if n % m == 0},
    ),
    records(
        "empty_texts.jsonl",
        lambda n: {"ts": iso(n), "id": n, "note": "" if n % 3 else "ok", "x": "" if n % 4 else str(n)},
    ),
    records(
        "booleans.jsonl",
        lambda n: {"ts": iso(n), "id": f"d{n % 3}", "on": n % 2 == 0, "level": None if n % 5 else n},
    ),
    RecordKind(
        "twice.jsonl",
        "".join(f'{{"ts": "{iso(n)}", "x": {n}, "x": {n + 1}}}\n' for n in range(40)).encode(),
        [(moment(n), [{"ts": iso(n), "x": n + 1}]) for n in range(40)],
    ),
    RecordKind(
        "one_time.jsonl",
        lines([{"made": iso(0), "room": f"r{n}", "temp": tenths(n)} for n in range(9)]).encode(),
        said="share one time",
    ),
    RecordKind(
        "no_time.jsonl",
        lines([{"room": f"r{n}", "temp": tenths(n)} for n in range(9)]).encode(),
        said="no column has times",
    ),
    RecordKind(
        "snapshot.json",
        json.dumps({"dt": epoch(0), "temp": 20.5, "name": "Graz"}).encode(),
        said="no column has times",
    ),
    # numbers that are not what they look like
    records(
        "identifiers.jsonl",
        lambda n: {
            "created_at": iso(n),
            "id": epoch(n, 10**9) + 77 * n,
            "in_reply_to_user_id": epoch(n, 10**9) - n,
            "order_no": epoch(n, 1000) + n,
            "code": f"{n:02}d",
        },
    ),
    records(
        "senml_after.json",
        lambda n: (
            {"n": f"s{n % 2}", "t": 60 * n, "v": tenths(n)}
            | ({"bn": "urn:dev:ow:1:", "bt": epoch(0)} if n == 0 else {})
        ),
        json.dumps,
        said="SenML",
    ),
    records(
        "uptime.jsonl", lambda n: {"uptime_ms": 1000 * n + 17, "temp": tenths(n)}, said="no column has times"
    ),
    records("relative.jsonl", lambda n: {"time": 0.5 * n, "temp": tenths(n)}, said="no column has times"),
    records(
        "sometimes_object.jsonl",
        lambda n: {"ts": iso(n), "id": n, "error": f"e{n}" if n % 2 else {"code": n}},
    ),
    records(
        "time_sometimes.jsonl",
        lambda n: {"id": n} | ({"ts": iso(n)} if n % 4 else {}),
        said="rejected",
    ),
    records("truncated.jsonl", _plain, lambda found: lines(found)[:-20], said="rejected"),
    records("bom_crlf.jsonl", _plain, lambda found: "\ufeff" + lines(found).replace("\n", "\r\n")),
    records(
        "mixed_times.jsonl",
        lambda n: {"ts": iso(n) if n % 2 else epoch(n), "x": n},
        said="rejected",
    ),
    records(
        "two_documents.json",
        _plain,
        lambda found: json.dumps(found[:20]) + "\n" + json.dumps(found[20:]) + "\n",
    ),
    records("a_value.jsonl", lambda n: {"ts": iso(n), "value": {"a": n} if n else None}),
    records("local_time.jsonl", lambda n: {"time": iso(n, ""), "v": n}),
    records(
        "offsets.jsonl",
        lambda n: {"time": f"{moment(n + 60 * (n % 2)):%Y-%m-%dT%H:%M:%S}+0{n % 2}:00", "v": n},
    ),
    # lists that are sometimes empty
    records(
        "empty_lists.jsonl",
        lambda n: {"now": epoch(n), "planes": [{"hex": f"4ca{k}1f", "alt": n} for k in range(n % 3)]},
        each="planes",
    ),
    records(
        "absent_lists.jsonl",
        lambda n: {"ts": epoch(n), "id": n} | ({"planes": [{"hex": "4ca01f", "alt": n}]} if n % 2 else {}),
        each="planes",
    ),
    records(
        "null_elements.jsonl",
        lambda n: {
            "ts": epoch(n),
            "planes": [{"hex": f"4ca{k}1f", "alt": None if n % 3 else n} for k in (0, 1)],
        },
        each="planes",
    ),
    records(
        "two_lists.jsonl",
        lambda n: {"ts": epoch(n), "a": [{"x": n}, {"x": n + 1}], "b": [{"y": n}]},
        each="a",
    ),
    # places of lists
    pairs(
        "query_range.json",
        {
            "status": "success",
            "data": {
                "resultType": "matrix",
                "result": [
                    {
                        "metric": {"job": f"j{k}"},
                        "values": [[epoch(n), str(tenths(n + k))] for n in range(40)],
                    }
                    for k in range(2)
                ],
            },
        },
        "values",
        lambda k: {"metric.job": f"j{k}"},
        2,
    ),
    pairs(
        "influx_v1.json",
        {
            "results": [
                {
                    "statement_id": 0,
                    "series": [
                        {
                            "name": "cpu",
                            "columns": ["time", "value"],
                            "values": [[epoch(n), tenths(n)] for n in range(40)],
                        }
                    ],
                }
            ]
        },
        "values",
        lambda _: {"name": "cpu", "statement_id": 0},
        1,
        lists=["columns"],
    ),
    pairs(
        "split.json",
        {"columns": ["ts", "v"], "data": [[epoch(n), tenths(n)] for n in range(40)]},
        "data",
        lambda _: {},
        1,
        lists=["columns"],
    ),
    # keys that are data
    records(
        "by_number.json",
        _plain,
        lambda found: json.dumps({str(n): one for n, one in enumerate(found)}),
        said="make a list of them with jq '[. | to_entries[]",
    ),
    records(
        "by_time.json",
        lambda n: {"1. open": str(n), "2. close": str(n + 1)},
        lambda found: json.dumps(
            {"Meta": {"x": 1}, "Series (1min)": {iso(n): one for n, one in enumerate(found)}}
        ),
        said="""jq '[."Series (1min)" | to_entries[]""",
    ),
    records(
        "values_by_time.json",
        lambda n: {iso(n): n},
        lambda found: json.dumps({name: value for one in found for name, value in one.items()}),
        said="no column has times",
    ),
    # times and numbers
    records("tiny.jsonl", lambda n: {"ts": iso(n), "v": n * 1e-9}),
    records("never_set.jsonl", lambda n: {"ts": epoch(n) if n % 9 else 0, "v": n}, said="never set"),
    records("utc.jsonl", lambda n: {"time_local": iso(n + 60, ""), "time_utc": iso(n, ""), "v": n}),
    records("mail.jsonl", lambda n: {"date": f"{moment(n):%a, %d %b %Y %H:%M:%S} +0000", "v": n}),
    records(
        "dotnet.jsonl", lambda n: {"Date": f"/Date({epoch(n, 1000)})/", "v": n}, said="no column has times"
    ),
    records("filetime.jsonl", lambda n: {"TimeCreated": 134129304000000000 + n * 10**9}, said="before 1990"),
    records("serial.jsonl", lambda n: {"time": 46037.25 + n / 1440, "v": n}, said="no column has times"),
    records("floats.jsonl", lambda n: {"t": epoch(n, 1000) + 0.0, "v": n}),
    records("basic.jsonl", lambda n: {"time": f"{moment(n):%Y%m%dT%H%M%SZ}", "v": n}),
    records("went_on.jsonl", lambda n: {"@timestamp": iso(n), "time": 12.5 + n, "duration": n}),
    records("due.jsonl", lambda n: {"due": iso(n + 5), "start": iso(n), "birthdate": f"19{50 + n}-01-02"}),
    records("versions.jsonl", lambda n: {"ts": iso(n), "fw": f"1.{n}", "version": f"2.{n}0", "x": n}),
]
