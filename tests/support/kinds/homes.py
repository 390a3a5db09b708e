"""Homes, phones and watches."""

from datetime import timedelta
from decimal import Decimal

from tests.support.kinds.kind import hour, minute, second, some, table, tenths
from tests.support.kinds.money import epoch


def half(n: int) -> timedelta:
    return timedelta(minutes=30 + n % 20, seconds=n % 60)


HOMES = [
    table(
        "home_assistant.csv",
        "entity_id,state,last_changed",
        lambda n: (
            f"sensor.t{n % 2},{'unavailable' if n % 20 == 9 else tenths(n)},"
            f"{minute(n // 2):%Y-%m-%dT%H:%M:%S}.123Z"
        ),
        "entity_id|state",
        lambda n: (f"sensor.t{n % 2}", None if n % 20 == 9 else tenths(n)),
        at=lambda n: minute(n // 2) + timedelta(milliseconds=123),
        held="entity_id",
    ),
    table(
        "home_assistant_mixed.csv",
        "entity_id,state,last_changed",
        lambda n: (
            f"{('sensor.t', 'light.hall')[n % 2]},"
            f"{('on' if n % 4 > 1 else 'off') if n % 2 else tenths(n)},{minute(n):%Y-%m-%dT%H:%M:%S}+00:00"
        ),
        "entity_id|state",
        lambda n: (
            ("sensor.t", "light.hall")[n % 2],
            ("on" if n % 4 > 1 else "off") if n % 2 else str(tenths(n)),
        ),
    ),
    table(
        "influx.csv",
        "#group,false,false,true,true,false,false,true,true\n"
        "#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string,string\n"
        "#default,_result,,,,,,,\n"
        ",result,table,_start,_stop,_time,_value,_field,room",
        ",,{},{:%Y-%m-%dT%H:%M:%SZ},{:%Y-%m-%dT%H:%M:%SZ},{at:%Y-%m-%dT%H:%M:%SZ},{},{},{}",
        "table|_start|_stop|_value|_field|room",
        lambda n: (n % 2, hour(-6), hour(18), tenths(n), "temp", f"r{n % 2}"),
        at=lambda n: minute(n // 2),
        held="room",
    ),
    table(
        "grafana.csv",
        '"Time","temp {{room=""hall""}}","temp {{room=""bath""}}"'.replace("{{", "{").replace("}}", "}"),
        "{at:%Y-%m-%d %H:%M:%S},{} \u00b0C,{} \u00b0C",
        'temp {room="hall"}|temp {room="bath"}',
        lambda n: (tenths(n), tenths(n + 3)),
        held="all",
    ),
    table(
        "grafana_series.csv",
        "sep=;\nSeries;Time;Value",
        "{};{at:%Y-%m-%dT%H:%M:%S}+00:00;{}",
        "Series|Value",
        lambda n: (f"cpu{n % 2}", None if n % 9 == 4 else tenths(n)),
        at=lambda n: minute(n // 2),
        held="Series",
    ),
    table(
        "samsung_health.csv",
        "com.samsung.health.heart_rate,5123,7\n"
        "com.samsung.health.heart_rate.create_time,com.samsung.health.heart_rate.heart_rate,source,"
        "time_offset",
        lambda n: f"{minute(n * n):%Y-%m-%d %H:%M:%S}.000,{60 + n % 50},,UTC+0000,",
        "com.samsung.health.heart_rate.heart_rate|time_offset",
        lambda n: (60 + n % 50, "UTC+0000"),
        at=lambda n: minute(n * n),
    ),
    table(
        "garmin.csv",
        "Activity Type,Date,Favorite,Title,Distance,Calories,Time,Avg HR",
        lambda n: (
            f'Running,{hour(25 * n):%Y-%m-%d %H:%M:%S},false,"Run, {n}","{tenths(n)}","1,{200 + n}",'
            f"{str(half(n)).zfill(8)},{'--' if n % 11 == 5 else 120 + n}"
        ),
        "Activity Type|Favorite|Title|Distance|Calories|Time|Avg HR",
        lambda n: (
            "Running",
            "false",
            f"Run, {n}",
            tenths(n),
            1200 + n,
            str(half(n)).zfill(8),
            None if n % 11 == 5 else 120 + n,
        ),
        at=lambda n: hour(25 * n),
        held="all",
    ),
    table(
        "fitbit_sleep.csv",
        "Sleep\nStart Time,End Time,Minutes Asleep,Number of Awakenings",
        lambda n: (
            f'"{hour(24 * n):%Y-%m-%d} {hour(24 * n).hour % 12 or 12}:{hour(24 * n):%M%p}",'
            f'"{hour(24 * n + 8):%Y-%m-%d} '
            f'{hour(24 * n + 8).hour % 12 or 12}:{hour(24 * n + 8):%M%p}","{400 + n}","{some(n, 7)}"'
        ),
        "End Time|Minutes Asleep|Number of Awakenings",
        lambda n: (hour(24 * n + 8), 400 + n, some(n, 7)),
        at=lambda n: hour(24 * n),
        held="all",
    ),
    table(
        "gateway.csv",
        "device,ts,payload,battery",
        lambda n: (
            f'"d{n % 3:04}",{epoch(second(n * n), 1000)},"{{""t"": {tenths(n)}, ""ok"": true}}",{100 - n}%'
        ),
        "device|payload|battery",
        lambda n: (f"d{n % 3:04}", f'{{"t": {tenths(n)}, "ok": true}}', 100 - n),
        at=lambda n: second(n * n),
    ),
    table(
        "calls.csv",
        "Date,Time,Number,Type,Duration",
        lambda n: (
            f"{minute(n * n):%Y-%m-%d},{minute(n * n):%H:%M:%S},+43660{1234567 + n % 5},"
            f"{'IN' if n % 2 else 'OUT'},0:0{n % 9}:30"
        ),
        "Number|Type|Duration",
        lambda n: (
            f"+43660{1234567 + n % 5}",
            "IN" if n % 2 else "OUT",
            timedelta(minutes=n % 9, seconds=30),
        ),
        at=lambda n: minute(n * n),
    ),
    table(
        "apple_health.csv",
        "type,sourceName,unit,creationDate,startDate,endDate,value",
        lambda n: (
            f"{('HeartRate', 'StepCount')[n % 2]},Watch,{('count/min', 'count')[n % 2]},"
            f"{minute(3 * n + 2):%Y-%m-%d %H:%M:%S} +0000,"
            f"{minute(3 * n):%Y-%m-%d %H:%M:%S} +0000,{minute(3 * n + 1):%Y-%m-%d %H:%M:%S} +0000,{60 + n}"
        ),
        "type|sourceName|unit|creationDate|endDate|value",
        lambda n: (
            ("HeartRate", "StepCount")[n % 2],
            "Watch",
            ("count/min", "count")[n % 2],
            minute(3 * n + 2),
            minute(3 * n + 1),
            60 + n,
        ),
        at=lambda n: minute(3 * n),
        held="unit",
    ),
    table(
        "doors.csv",
        "ts,door,open,by",
        "{at:%Y-%m-%dT%H:%M:%SZ},{},{},{}",
        "door|open|by",
        lambda n: (f"d{n % 3}", ("yes", "no")[n % 2], None if n % 4 else "anna"),
        at=lambda n: minute(n * n),
    ),
    table(
        "scientific_values.csv",
        "time,dose,volts",
        lambda n: f"{minute(n):%Y-%m-%dT%H:%M:%SZ},{n + 1}.5E-3,{tenths(n)}e0",
        "dose|volts",
        lambda n: ((n + Decimal("1.5")) / 1000, tenths(n)),
        held="all",
    ),
    table(
        "wearable.csv",
        "Timestamp;Steps;Pulse;Stress",
        lambda n: f"{epoch(minute(n))}.0;{n * 3};{-1 if n % 9 == 2 else 60 + n};{tenths(n)}",
        "Steps|Pulse|Stress",
        lambda n: (n * 3, -1 if n % 9 == 2 else 60 + n, tenths(n)),
        held="all",
    ),
    table(
        "snapshot.csv",
        "room,temp,read_at",
        "{},{},{at:%Y-%m-%dT%H:%M:%SZ}",
        "room|temp",
        lambda n: ("hall", tenths(n)),
        number=1,
    ),
]
