"""Small tables, logs and documents, written as people publish them, with what a person reads in them."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

Value = str | int | Decimal | None
Row = tuple[datetime | int, tuple[Value, ...]]

START = datetime(2026, 1, 15, 6, tzinfo=UTC)


@dataclass(frozen=True)
class Kind:
    """A file, and what a person reads in it.

    Attributes:
        file: its name.
        content: its bytes.
        columns: the names of the columns that are not of the time.
        rows: for each row, or element, its time (a moment or a tick) and its values, None for none.
    """

    file: str
    content: bytes
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def _kind(file: str, text: str | bytes, columns: str, rows: Iterable[Row]) -> Kind:
    content = text if isinstance(text, bytes) else text.encode()
    return Kind(file, content, tuple(columns.split()), tuple(rows))


def _moments(step: timedelta, number: int = 12) -> list[datetime]:
    return [START + n * step for n in range(number)]


MINUTE, HOUR, SECOND = timedelta(minutes=1), timedelta(hours=1), timedelta(seconds=1)
ROOMS = ("kitchen", "hall", "bath")


def _tenths(number: int) -> Decimal:
    return Decimal(number) / 10


def _comma(number: Decimal) -> str:
    """A German number, with points between thousands."""
    return f"{number:,}".translate({ord(","): ".", ord("."): ","})


def _lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def _readings(step: timedelta = MINUTE) -> list[tuple[datetime, str, Decimal]]:
    """Of rooms in turn, temperatures below and above zero."""
    return [(at, ROOMS[n % 3], _tenths((37 * n) % 150 - 40)) for n, at in enumerate(_moments(step, 12))]


def _rows(readings: Iterable[tuple[Any, ...]]) -> list[Row]:
    return [(at, values) for at, *some in readings for values in [tuple(some)]]


def _iso(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def _table(
    file: str, header: str, form: Callable[..., str], readings: Sequence[tuple[Any, ...]], names: str
) -> Kind:
    return _kind(file, _lines(header, *(form(*one) for one in readings)), names, _rows(readings))


def _smart_meter() -> Kind:
    used = [None if n in (3, 4, 9) else Decimal(137 * n % 900) / 1000 for n in range(12)]
    readings = [(at, "MAC000002", "Std", one) for at, one in zip(_moments(HOUR / 2), used, strict=True)]
    rows = (
        f"{meter},{kind},{at:%Y-%m-%d %H:%M:%S}.0000000, {'Null' if one is None else one} "
        for at, meter, kind, one in readings
    )
    header = "LCLid,stdorToU,DateTime,KWH/hh"
    return _kind("meter.csv", _lines(header, *rows), "LCLid stdorToU KWH/hh", _rows(readings))


def _weather() -> Kind:
    readings = [
        (at, "GRAZ", None if n == 4 else _tenths(5 * n - 30), None if n in (4, 7) else 60 + n)
        for n, at in enumerate(_moments(HOUR))
    ]
    return _table(
        "weather.csv",
        '"valid","station","temp","humidity"',
        lambda at, name, t, h: f'"{at:%Y-%m-%d %H:%M}","{name}",{"NA" if t is None else t},{h or "NA"}',
        readings,
        "station temp humidity",
    )


def _wide_preamble() -> Kind:
    readings = _readings()
    return _kind(
        "logger.csv",
        _lines(
            "Logger X200,Serial 4711,Firmware 2.1",
            "Exported,by,Anna",
            "Timestamp,Room,Temp",
            *(f"{at:%Y-%m-%d %H:%M:%S},{room},{value}" for at, room, value in readings),
        ),
        "Room Temp",
        _rows(readings),
    )


def _sensors() -> Kind:
    readings = [(at, f"sensor_{1 + n % 2}", 20 + n) for n, at in enumerate(_moments(MINUTE))]
    return _table(
        "sensors.csv", "ts,sensor,value", lambda at, s, v: f"{_iso(at)},{s},{v}", readings, "sensor value"
    )


def _years() -> Kind:
    """A header of numbers: the columns are those of years."""
    readings = [(at, 100 + n, 110 + n, 120 - n) for n, at in enumerate(_moments(timedelta(days=1)))]
    names = "2023 2024 2025"
    return _table(
        "years.csv",
        "day,2023,2024,2025",
        lambda at, *v: f"{at:%Y-%m-%d},{v[0]},{v[1]},{v[2]}",
        [(at.replace(hour=0), *values) for at, *values in readings],
        names,
    )


def _repeated() -> Kind:
    readings = [(at, 20 + n, 40 - n) for n, at in enumerate(_moments(MINUTE))]
    return _table(
        "repeated.csv",
        "time,value,value",
        lambda at, a, b: f"{_iso(at)},{a},{b}",
        readings,
        "column(2) column(3)",
    )


def _orders() -> Kind:
    readings = [
        (at, n, (at - (40 + 130 * (n % 3)) * MINUTE).isoformat(), 3 * n)
        for n, at in enumerate(_moments(HOUR))
    ]
    return _table(
        "orders.csv",
        "order_id,ordered,delivered,items",
        lambda at, n, before, items: f"{n},{before},{at.isoformat()},{items}",
        readings,
        "order_id ordered items",
    )


def _watts() -> Kind:
    """`watts` has the letters of `ts`."""
    readings = [(n, 1000 + 7 * n % 40, f"m{n % 2}") for n in range(12)]
    return _kind(
        "watts.csv",
        _lines("watts,second,meter", *(f"{watts},{n},{meter}" for n, watts, meter in readings)),
        "watts meter",
        _rows(readings),
    )


def _timeless_names() -> Kind:
    """Milliseconds in a column whose name says nothing of time."""
    readings = [(at, f"d{n % 3}", 2**40 + n) for n, at in enumerate(_moments(SECOND))]
    return _table(
        "counters.csv", "k,a,b", lambda at, a, b: f"{int(at.timestamp() * 1000)},{a},{b}", readings, "a b"
    )


def _large() -> Kind:
    readings = [(at, f"eth{n % 2}", 9 * 10**12 + 7**n, -(2**33) - n) for n, at in enumerate(_moments(MINUTE))]
    return _table(
        "interfaces.csv",
        "timestamp,interface,rx,delta",
        lambda at, i, r, d: f"{at:%Y-%m-%dT%H:%M:%S}+00:00,{i},{r},{d}",
        readings,
        "interface rx delta",
    )


def _negatives() -> Kind:
    readings = [(at, ROOMS[n % 3], n - 6) for n, at in enumerate(_moments(MINUTE))]

    def signed(number: int) -> str:
        return f"\u2212{-number}" if number < 0 else f"+{number}"

    return _table(
        "signed.csv",
        "time,room,change",
        lambda at, r, c: f"{_iso(at)},{r},{signed(c)}",
        readings,
        "room change",
    )


def _bank() -> Kind:
    readings = [
        (
            START.replace(hour=0) + n * timedelta(days=1),
            f"Händler {n}",
            Decimal((-1) ** n * (123456 * n + 999)) / 100,
            "EUR",
        )
        for n in range(12)
    ]
    return _kind(
        "umsaetze.csv",
        _lines(
            '"Kontonummer:";"DE02 1203 0000 0000 2020 51"',
            "",
            '"Zeitraum:";"01.01.2026 - 31.01.2026"',
            "",
            '"Buchungstag";"Empfänger";"Betrag";"Währung"',
            *(f'"{at:%d.%m.%Y}";"{who}";"{_comma(amount)}";"{unit}"' for at, who, amount, unit in readings),
        ).encode("cp1252"),
        "Empfänger Betrag Währung",
        _rows(readings),
    )


def _excel_bom() -> Kind:
    readings = _readings(HOUR)
    text = _lines(
        "sep=;",
        "Zeit;Raum;Temperatur",
        *(f"{at:%d.%m.%Y %H:%M};{room};{_comma(value)}" for at, room, value in readings),
    )
    return _kind("excel.csv", ("\ufeff" + text).encode(), "Raum Temperatur", _rows(readings))


def _excel_utf16() -> Kind:
    readings = _readings(HOUR)
    text = _lines(
        "Date\tRoom\tTemp", *(f"{at:%m/%d/%Y %I:%M %p}\t{room}\t{value}" for at, room, value in readings)
    )
    return _kind("unicode.txt", text.replace("\n", "\r\n").encode("utf-16"), "Room Temp", _rows(readings))


def _influx() -> Kind:
    readings = [(at, value, room) for at, room, value in _readings()]
    return _kind(
        "influx.csv",
        _lines(
            "#group,false,false,false,false,true",
            "#datatype,string,long,dateTime:RFC3339,double,string",
            "#default,_result,,,,",
            ",result,table,_time,_value,room",
            *(f",,{n % 3},{_iso(at)},{value},{room}" for n, (at, value, room) in enumerate(readings)),
        ),
        "table _value room",
        [(at, (n % 3, value, room)) for n, (at, value, room) in enumerate(readings)],
    )


def _zeek() -> Kind:
    readings = [(at, f"C{n}x", f"10.0.0.{n}", 40000 + n, "tcp") for n, at in enumerate(_moments(SECOND))]
    return _kind(
        "conn.log",
        _lines(
            "#separator \\x09",
            "#set_separator\t,",
            "#empty_field\t(empty)",
            "#unset_field\t-",
            "#path\tconn",
            "#open\t2026-01-15-06-00-00",
            "#fields\tts\tuid\tid.orig_h\tid.orig_p\tproto",
            "#types\ttime\tstring\taddr\tport\tenum",
            *(f"{at.timestamp():.6f}\t{u}\t{h}\t{p}\t{k}" for at, u, h, p, k in readings),
            "#close\t2026-01-15-07-00-00",
        ),
        "uid id.orig_h id.orig_p proto",
        _rows(readings),
    )


def _home_assistant() -> Kind:
    """A list of lists of states, as the interface of the history gives it."""
    readings = _readings()
    states = [
        [
            {
                "entity_id": f"sensor.{room}",
                "state": str(value),
                "attributes": {"unit": "°C"},
                "last_changed": at.isoformat(),
            }
            for at, room, value in readings
            if room == name
        ]
        for name in ROOMS
    ]
    rows = [(at, (f"sensor.{room}", value, "°C")) for at, room, value in readings]
    return _kind("history.json", json.dumps(states), "entity_id state attributes.unit", rows)


def _prometheus() -> Kind:
    readings = [(at, f"host{n % 2}:9100", "node", str(n)) for n, at in enumerate(_moments(15 * SECOND))]
    results = [
        {
            "metric": {"instance": f"host{host}:9100", "job": "node"},
            "values": [
                [at.timestamp(), value] for at, name, _, value in readings if name.startswith(f"host{host}")
            ],
        }
        for host in (0, 1)
    ]
    rows = [(at, (name, job, int(value))) for at, name, job, value in readings]
    return _kind(
        "range.json",
        json.dumps({"status": "success", "data": {"resultType": "matrix", "result": results}}),
        "metric.instance metric.job values.2",
        rows,
    )


def _epochs(name: str, per_second: int) -> Kind:
    readings = [(at, f"d{n % 2}", n * n) for n, at in enumerate(_moments(SECOND))]
    return _table(
        f"{name}.csv",
        "ts,device,value",
        lambda at, d, v: f"{int(at.timestamp()) * per_second},{d},{v}",
        readings,
        "device value",
    )


def _journald() -> Kind:
    readings = [
        (at, f"unit{n % 2}.service", 3 + n % 4, f"message {n}") for n, at in enumerate(_moments(SECOND))
    ]
    lines = (
        json.dumps(
            {
                "__REALTIME_TIMESTAMP": str(int(at.timestamp()) * 10**6),
                "_SYSTEMD_UNIT": unit,
                "PRIORITY": str(level),
                "MESSAGE": said,
            }
        )
        for at, unit, level, said in readings
    )
    return _kind("journal.json", _lines(*lines), "_SYSTEMD_UNIT PRIORITY MESSAGE", _rows(readings))


def _geojson() -> Kind:
    readings = [(at, f"us{n}", _tenths(20 + n), f"{n} km of Graz") for n, at in enumerate(_moments(HOUR))]
    features = [
        {
            "type": "Feature",
            "id": name,
            "properties": {"mag": float(size), "place": place, "time": int(at.timestamp() * 1000)},
            "geometry": {"type": "Point", "coordinates": [15.4, 47.1, 10]},
        }
        for at, name, size, place in readings
    ]
    document = {"type": "FeatureCollection", "metadata": {"count": 12}, "features": features}
    return _kind(
        "quakes.geojson",
        json.dumps(document),
        "type id properties.mag properties.place geometry.type",
        [(at, ("Feature", name, size, place, "Point")) for at, name, size, place in readings],
    )


def _cloudtrail() -> Kind:
    readings = [(at, f"user{n % 3}", "ConsoleLogin", f"192.0.2.{n}") for n, at in enumerate(_moments(SECOND))]
    records = [
        {"userIdentity": {"userName": user}, "eventTime": _iso(at), "eventName": event, "sourceIPAddress": ip}
        for at, user, event, ip in readings
    ]
    return _kind(
        "trail.json",
        json.dumps({"Records": records}, indent=1),
        "userIdentity.userName eventName sourceIPAddress",
        _rows(readings),
    )


def _nested_lists() -> Kind:
    lines, rows = [], list[Row]()
    for n, at in enumerate(_moments(MINUTE)):
        values = [{"sensor": "t", "value": 20 + n}, {"sensor": "h", "value": 60 - n}]
        lines.append(json.dumps({"ts": _iso(at), "id": f"d{n % 2}", "values": values}))
        rows += [(at, (f"d{n % 2}", one["sensor"], one["value"])) for one in values]  # type: ignore[misc]
    return _kind("nested.jsonl", _lines(*lines), "id values.sensor values.value", rows)


def _parallel_lists() -> Kind:
    readings = [(at, _tenths(n * 7 - 20), 50 + n) for n, at in enumerate(_moments(HOUR))]
    times, temps, humid = zip(*readings, strict=True)
    document = {
        "latitude": 47.1,
        "timezone": "GMT",
        "hourly": {
            "time": [f"{at:%Y-%m-%dT%H:%M}" for at in times],
            "temperature": [*map(float, temps)],
            "humidity": humid,
        },
    }
    rows = [(at, (Decimal("47.1"), "GMT", t, h)) for at, t, h in readings]
    return _kind(
        "forecast.json", json.dumps(document), "latitude timezone hourly.temperature hourly.humidity", rows
    )


def _github() -> Kind:
    lines, rows = [], list[Row]()
    for n, at in enumerate(_moments(SECOND)):
        kind = ("PushEvent", "WatchEvent", "IssuesEvent")[n % 3]
        payload: dict[str, Any] = (
            {"size": n},
            {"action": "started"},
            {"action": "opened", "issue": {"number": n}},
        )[n % 3]
        actor = {"id": 4000000000 + n, "login": f"u{n}"}
        event = {
            "id": str(22249084947 + n),
            "type": kind,
            "actor": actor,
            "payload": payload,
            "public": True,
            "created_at": _iso(at),
        }
        lines.append(json.dumps(event))
        inner = payload.get("size"), payload.get("action"), payload.get("issue", {}).get("number")
        rows.append((at, (22249084947 + n, kind, 4000000000 + n, f"u{n}", "true", *inner)))
    names = "id type actor.id actor.login public payload.size payload.action payload.issue.number"
    return _kind("events.json", _lines(*lines), names, rows)


def _ships() -> Kind:
    readings = [
        (
            at,
            367000000 + n % 2,
            Decimal(4012345 + n) / 100000,
            Decimal(-7412345 - n) / 100000,
            _tenths(100 + n),
            f"SHIP {n % 2}",
        )
        for n, at in enumerate(_moments(10 * SECOND))
    ]
    return _table(
        "ships.csv",
        "MMSI,BaseDateTime,LAT,LON,SOG,VesselName,Cargo,Draft",
        lambda at, m, a, o, s, v: f"{m},{at:%Y-%m-%dT%H:%M:%S},{a},{o},{s},{v},,",
        readings,
        "MMSI LAT LON SOG VesselName",
    )


def _ticks() -> Kind:
    readings = [
        (at + timedelta(milliseconds=137 * n), "ACME", Decimal(10100 + n) / 100, 100 * n + 1)
        for n, at in enumerate(_moments(SECOND))
    ]
    return _table(
        "ticks.csv",
        "Date,Time,Symbol,Price,Volume",
        lambda at, s, p, v: f"{at:%m/%d/%Y},{at:%H:%M:%S}.{at.microsecond // 1000:03},{s},{p},{v}",
        readings,
        "Symbol Price Volume",
    )


def _stop_times() -> Kind:
    """Positions of vehicles, in a table whose name says nothing."""
    readings = [(at, f"trip{n // 4}", f"stop{n % 4}", n % 4) for n, at in enumerate(_moments(5 * MINUTE))]
    return _kind(
        "positions.txt",
        _lines(
            "trip_id,vehicle_timestamp,stop_id,stop_sequence",
            *(f"{trip},{int(at.timestamp())},{stop},{order}" for at, trip, stop, order in readings),
        ),
        "trip_id stop_id stop_sequence",
        _rows(readings),
    )


def _trailing() -> Kind:
    readings = _readings()
    return _table(
        "trailing.csv", "time;room;temp", lambda at, r, t: f"{_iso(at)};{r};{t};", readings, "room temp"
    )


def _commented() -> Kind:
    readings = _readings()
    return _kind(
        "commented.csv",
        _lines(
            "# station Graz, made by hand",
            "# values in degrees",
            "#",
            "time,room,temp",
            *(f"{_iso(at)},{r},{t}" for at, r, t in readings),
        ),
        "room temp",
        _rows(readings),
    )


def _no_ending() -> Kind:
    readings = _readings()
    return _table(
        "export", "time;room;temp", lambda at, r, t: f"{_iso(at)};{r};{_comma(t)}", readings, "room temp"
    )


def _headless() -> Kind:
    readings = _readings()
    return _kind(
        "headless.csv",
        _lines(*(f"{at:%Y-%m-%d %H:%M:%S},{r},{t}" for at, r, t in readings)),
        "column2 column3",
        _rows(readings),
    )


def _quoted_lines() -> Kind:
    readings = [(at, f'said "{n}",\nthen left', n) for n, at in enumerate(_moments(HOUR))]
    return _table(
        "tickets.csv",
        "opened,text,priority",
        lambda at, text, n: f'''{_iso(at)},"{text.replace('"', '""')}",{n}''',
        readings,
        "text priority",
    )


def _json_array() -> Kind:
    readings = _readings()
    records = [{"time": _iso(at), "room": room, "temp": float(value)} for at, room, value in readings]
    return _kind("array.txt", json.dumps(records, indent=2), "room temp", _rows(readings))


def _units() -> Kind:
    readings = _readings()
    return _table(
        "units.csv",
        "Zeitpunkt;Raum;Wert",
        lambda at, r, t: f"{at:%d.%m.%y %H:%M:%S};{r};{_comma(t)} °C",
        readings,
        "Raum Wert",
    )


def _leading_zeros() -> Kind:
    readings = [(at, f"00{n % 7}", 8000 + n) for n, at in enumerate(_moments(MINUTE))]
    return _table(
        "badges.tsv",
        "when\tbadge\tdoor",
        lambda at, b, d: f"{at.isoformat()}\t{b}\t{d}",
        readings,
        "badge door",
    )


def _rfc2822() -> Kind:
    readings = [(at, f"a{n}@example.org", 512 * n) for n, at in enumerate(_moments(HOUR))]
    return _table(
        "mails.csv",
        "from|date|bytes",
        lambda at, who, size: f"{who}|{at:%d %b %Y %H:%M:%S} +0000|{size}",
        readings,
        "from bytes",
    )


def _scientific() -> Kind:
    readings = [(at, f"p{n % 2}", Decimal(15 + n) / 10**4) for n, at in enumerate(_moments(SECOND))]
    return _table(
        "lab.csv", "time,probe,amps", lambda at, p, a: f"{_iso(at)},{p},{a:e}", readings, "probe amps"
    )


def _sparse_first() -> Kind:
    """An event log of which most rows have no second code."""
    readings = [(at, 100 + n, 7 if n == 5 else None) for n, at in enumerate(_moments(MINUTE))]
    return _table(
        "sparse.csv",
        "time,code,second",
        lambda at, c, s: f"{_iso(at)},{c},{s or ''}",
        readings,
        "code second",
    )


def _space_logger() -> Kind:
    readings = _readings()
    return _table(
        "pipes.txt", "time|room|temp", lambda at, r, t: f"{_iso(at)} | {r} | {t}", readings, "room temp"
    )


KINDS = {
    kind.file: kind
    for kind in (
        _smart_meter(),
        _weather(),
        _wide_preamble(),
        _sensors(),
        _years(),
        _repeated(),
        _orders(),
        _watts(),
        _timeless_names(),
        _large(),
        _negatives(),
        _bank(),
        _excel_bom(),
        _excel_utf16(),
        _influx(),
        _zeek(),
        _home_assistant(),
        _prometheus(),
        _epochs("seconds", 1),
        _epochs("millis", 10**3),
        _epochs("micros", 10**6),
        _epochs("nanos", 10**9),
        _journald(),
        _geojson(),
        _cloudtrail(),
        _nested_lists(),
        _parallel_lists(),
        _github(),
        _ships(),
        _ticks(),
        _stop_times(),
        _trailing(),
        _commented(),
        _no_ending(),
        _headless(),
        _quoted_lines(),
        _json_array(),
        _units(),
        _leading_zeros(),
        _rfc2822(),
        _scientific(),
        _sparse_first(),
        _space_logger(),
    )
}
"""By the names of their files."""
