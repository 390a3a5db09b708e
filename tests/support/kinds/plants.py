"""Plants: historians, alarms, machines."""

from datetime import timedelta
from decimal import Decimal

from tests.support.kinds.kind import german, hour, minute, refused, second, some, table, tenths

HALF = Decimal("0.5")

PLANTS = [
    table(
        "ignition.csv",
        '"#NAMES"\n"t_stamp","Tank/Level","Tank/State"\n"#TYPES"\n"date","D","str"\n"#ROWS","40"',
        '"{at:%Y-%m-%d %H:%M:%S}","{}","{}"',
        "Tank/Level|Tank/State",
        lambda n: (tenths(n), f"s{some(n, 3)}"),
        held="all",
    ),
    table(
        "wincc.csv",
        '"VarName";"TimeString";"VarValue";"Validity";"Time_ms"',
        lambda n: f'"P{n % 2}";"{minute(n):%d.%m.%Y %H:%M:%S}";{german(tenths(n))};1;{46037000 + n},5',
        "VarName|VarValue|Validity|Time_ms",
        lambda n: (f"P{n % 2}", tenths(n), 1, 46037000 + n + HALF),
        held="VarName",
    ),
    table(
        "aveva.csv",
        "TagName,DateTime,Value,QualityDetail",
        "{},{at:%Y-%m-%d %H:%M:%S}.0000000,{},{}",
        "TagName|Value|QualityDetail",
        lambda n: (f"Reactor{n % 3}.Level", tenths(n), 192),
        at=lambda n: minute(n // 3),
        held="TagName",
    ),
    table(
        "alarms.txt",
        "EventTime|Area|Tag|State|Priority|Value",
        "{at:%Y-%m-%d %H:%M:%S}|{}|{}|{}|{}|{}",
        "Area|Tag|State|Priority|Value",
        lambda n: (
            f"A{n % 2}",
            f"LI{n % 7:03}",
            ("ACT_UNACK", "ACT_ACK", "RTN")[n % 3],
            1 + n % 4,
            None if n % 3 == 1 else tenths(n),
        ),
        at=lambda n: second(n * n * 7),
    ),
    table(
        "shifts.csv",
        "Maschine;Schicht;Beginn;Ende;Gut;Ausschuss;OEE",
        lambda n: (
            f"M{n % 2};{'FSN'[n // 2 % 3]};{hour(8 * (n // 2)):%d.%m.%Y %H:%M};"
            f"{hour(8 * (n // 2) + 8):%d.%m.%Y %H:%M};{100 + n};{n % 5};{german(tenths(n))} %"
        ),
        "Maschine|Schicht|Ende|Gut|Ausschuss|OEE",
        lambda n: (
            f"M{n % 2}",
            "FSN"[n // 2 % 3],
            hour(8 * (n // 2) + 8),
            100 + n,
            n % 5,
            tenths(n),
        ),
        at=lambda n: hour(8 * (n // 2)),
        held="Maschine",
    ),
    table(
        "downtime.csv",
        "Line,Start Time,End Time,Duration,Reason Code",
        lambda n: (
            f"L{n % 3},{minute(17 * n):%m/%d/%Y %H:%M},{minute(17 * n + n % 9 + 1):%m/%d/%Y %H:%M},"
            f"0:{n % 9 + 1:02}:00,{n % 12:03}"
        ),
        "Line|End Time|Duration|Reason Code",
        lambda n: (f"L{n % 3}", minute(17 * n + n % 9 + 1), timedelta(minutes=n % 9 + 1), f"{n % 12:03}"),
        at=lambda n: minute(17 * n),
    ),
    table(
        "opc_quality.csv",
        "Time,Tag,Value,Quality",
        lambda n: (
            f"{minute(n // 2):%Y-%m-%dT%H:%M:%S}Z,T{n % 2},{'NaN' if n % 8 == 5 else tenths(n)},"
            f"{'Bad' if n % 8 == 5 else 'Good'}"
        ),
        "Tag|Value|Quality",
        lambda n: (f"T{n % 2}", None if n % 8 == 5 else tenths(n), "Bad" if n % 8 == 5 else "Good"),
        at=lambda n: minute(n // 2),
        held="Tag",
    ),
    table(
        "wide.csv",
        "Timestamp," + ",".join(f"TI{100 + k}" for k in range(12)),
        "{at:%Y-%m-%d %H:%M:%S}," + ",".join("{}" for _ in range(12)),
        "|".join(f"TI{100 + k}" for k in range(12)),
        lambda n: tuple(tenths(n + k) for k in range(12)),
        held="*",
    ),
    table(
        "ifix.csv",
        "Date,Time,FIX.TI-100.F_CV,FIX.PI-200.F_CV",
        "{at:%m/%d/%y},{at:%H:%M:%S},{},{}",
        "FIX.TI-100.F_CV|FIX.PI-200.F_CV",
        lambda n: (tenths(n), 900 + n),
        held="all",
    ),
    table(
        "cnc.tsv",
        "stamp\tprogram\tspindle\toverride",
        "{at:%Y%m%d%H%M%S}\t{}\t{}\t{}%",
        "program|spindle|override",
        lambda n: (f"O{n // 14:04}", 1200 + 10 * n, 80 + some(n, 30)),
        held="all",
    ),
    table(
        "with_units.csv",
        "time;temp;pressure",
        "{at:%Y-%m-%d %H:%M:%S};{} \u00b0C;{} bar",
        "temp|pressure",
        lambda n: (tenths(n), 3 + some(n, 40)),
        held="all",
    ),
    table(
        "machine_states.tsv",
        "machine\tsince\tstate",
        "{}\t{at:%Y-%m-%dT%H:%M:%S}+00:00\t{}",
        "machine|state",
        lambda n: (f"m{n % 4}", ("run", "idle", "fault")[n % 3]),
        at=lambda n: minute(n * n),
    ),
    table(
        "lab.csv",
        "Sample ID,Sampled,Result,Unit",
        lambda n: f"{n:06},{hour(n):%d %b %Y %H:%M},{'<0.5' if n % 21 == 3 else tenths(n)},mg/l",
        "Sample ID|Result|Unit",
        lambda n: (f"{n:06}", None if n % 21 == 3 else tenths(n), "mg/l"),
        at=hour,
        held="all",
    ),
    refused("batches.csv", "Batch,Product,Amount", "B{n},p{n},{n}", "no column has times"),
]
