"""Weather stations, meters, grids."""

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from tests.support.kinds.kind import day, german, hour, minute, quarter, refused, table, tenths

VIENNA = ZoneInfo("Europe/Vienna")
SUNDAY = datetime(2026, 10, 25, 0, tzinfo=VIENNA)


def on_sunday(n: int) -> datetime:
    return datetime.fromtimestamp(SUNDAY.timestamp() + 900 * n, VIENNA)


def monday(n: int) -> datetime:
    return day(7 * n + 3)


def ending_quarter(n: int) -> str:
    at = quarter(n + 57)
    end = f"{at:%d.%m.%Y %H:%M}" if at.hour or at.minute else f"{quarter(n + 56):%d.%m.%Y} 24:00"
    return f"{end};{german(tenths(n))};W"


WEATHER_AND_ENERGY = [
    table(
        "ghcn.csv",
        "",
        lambda n: f"USW000947{28 + n % 2},{day(n // 2):%Y%m%d},TMAX,{n - 5},,,W,{600 + n % 2 * 100:04}",
        "column1|column3|column4|column7|column8",
        lambda n: (f"USW000947{28 + n % 2}", "TMAX", n - 5, "W", f"{600 + n % 2 * 100:04}"),
        at=lambda n: day(n // 2),
        held="column1",
    ),
    table(
        "isd_lite.txt",
        "",
        lambda n: f"{hour(n):%Y %m %d %H}  {n - 12:4} {-9999 if n % 9 == 4 else 10132 + n:5}   270    36",
        "column5|column6|column7|column8",
        lambda n: (n - 12, None if n % 9 == 4 else 10132 + n, 270, 36),
        at=hour,
        held="all",
    ),
    table(
        "dwd.txt",
        "STATIONS_ID;MESS_DATUM;QN_9;TT_TU;RF_TU;eor",
        lambda n: (
            f"       1048;{hour(n):%Y%m%d%H};    3;{-999 if n % 10 == 3 else tenths(n):6};  "
            f"{60 + n % 9}.0;eor"
        ),
        "STATIONS_ID|QN_9|TT_TU|RF_TU|eor",
        lambda n: (1048, 3, None if n % 10 == 3 else tenths(n), 60 + n % 9, "eor"),
        at=hour,
        held="eor",
    ),
    table(
        "metar.csv",
        "station,valid,tmpc,drct,metar",
        lambda n: (
            f"LOWW,{hour(n):%Y-%m-%d %H:%M},{'M' if n % 9 == 2 else tenths(n)},{10 * (n % 36)},LOWW "
            f"{hour(n):%d%H%M}Z"
        ),
        "station|tmpc|drct|metar",
        lambda n: ("LOWW", None if n % 9 == 2 else tenths(n), 10 * (n % 36), f"LOWW {hour(n):%d%H%M}Z"),
        at=hour,
        held="all",
    ),
    table(
        "open_meteo.csv",
        "latitude,longitude,elevation,utc_offset_seconds,timezone,timezone_abbreviation\n"
        "48.2,16.4,171.0,0,GMT,GMT\n\ntime,temperature_2m (\u00b0C),relative_humidity_2m (%)",
        "{at:%Y-%m-%dT%H:%M},{},{}",
        "temperature_2m (\u00b0C)|relative_humidity_2m (%)",
        lambda n: (tenths(n), 60 + n),
        at=hour,
        held="all",
    ),
    table(
        "meteostat.csv",
        "",
        lambda n: f"{hour(n):%Y-%m-%d},{hour(n).hour},{tenths(n)},{50 + n % 30},,270",
        "column3|column4|column6",
        lambda n: (tenths(n), 50 + n % 30, 270),
        at=hour,
        held="all",
    ),
    table(
        "weatherlink.txt",
        "\t\tTemp\tHi\tOut\nDate\tTime\tOut\tTemp\tHum",
        lambda n: f"{hour(n):%d.%m.%y}\t{hour(n).hour}:00\t{tenths(n)}\t{tenths(n + 1)}\t{60 + n % 20}",
        "Out|Temp|Hum",
        lambda n: (tenths(n), tenths(n + 1), 60 + n % 20),
        at=hour,
        held="all",
    ),
    table(
        "smart_meter.csv",
        "Datum;Zeit von;Zeit bis;Verbrauch (kWh)",
        lambda n: f"{quarter(n):%d.%m.%Y;%H:%M};{quarter(n + 1):%H:%M};0,{100 + n}",
        "Zeit bis|Verbrauch (kWh)",
        lambda n: (f"{quarter(n + 1):%H:%M}", Decimal(100 + n) / 1000),
        at=quarter,
        held="all",
    ),
    table(
        "entsoe.csv",
        '"MTU (UTC)","Area","Day-ahead Price [EUR/MWh]","Currency"',
        '"{at:%d.%m.%Y %H:%M}","{}","{}","{}"',
        "Area|Day-ahead Price [EUR/MWh]|Currency",
        lambda n: ("AT", tenths(n), "EUR"),
        at=hour,
        held="all",
        zone="Europe/Vienna",
    ),
    refused(
        "entsoe_spans.csv",
        '"MTU (CET/CEST)","Day-ahead Price [EUR/MWh]"',
        lambda n: f'"{hour(n):%d.%m.%Y %H:%M} - {hour(n + 1):%d.%m.%Y %H:%M}","{tenths(n)}"',
        "no column has times",
    ),
    table(
        "load_profile.csv",
        "Zeitstempel;Wert (kW);Status",
        ending_quarter,
        "Wert (kW)|Status",
        lambda n: (tenths(n), "W"),
        at=lambda n: quarter(n + 57),
        held="all",
    ),
    refused(
        "nem12.csv",
        "100,NEM12,202601150600,MDP1,RET1\n200,NMI1,E1,E1,E1,N1,01009,kWh,30,",
        lambda n: f"300,{day(n):%Y%m%d}," + ",".join(f"{k}.5" for k in range(48)) + ",A,,,20260115120000,",
        "rejected",
        end="900\n",
    ),
    table(
        "sunny.csv",
        "sep=;\nVersion CSV1|Tool SE|Linebreaks CR/LF|Delimiter semicolon|Decimalpoint comma|Precision 3\n\n"
        ";SN: 2001234567;SN: 2001234567\n;SB 3000;SB 3000\n;Total yield;Power\n;Counter;Analog\n"
        "dd.MM.yyyy HH:mm;kWh;kW",
        lambda n: f"{minute(5 * n):%d.%m.%Y %H:%M};{german(1234 + tenths(n))};{german(tenths(n))}",
        "Counter|Analog",
        lambda n: (1234 + tenths(n), tenths(n)),
        at=lambda n: minute(5 * n),
        held="all",
    ),
    table(
        "fronius.csv",
        '"Datum und Uhrzeit","Energie Primo","Eigenverbrauch"\n"[dd.MM.yyyy HH:mm]","[Wh]","[Wh]"',
        '"{at:%d.%m.%Y %H:%M}","{}","{}"',
        "Energie Primo|Eigenverbrauch",
        lambda n: (tenths(n), tenths(n + 1)),
        at=lambda n: minute(5 * n),
        held="all",
    ),
    table(
        "green_button.csv",
        'Name,ANN SMITH\nAddress,"1 Main St, SF CA"\nAccount Number,0123456789\n\n'
        "TYPE,DATE,START TIME,END TIME,USAGE,UNITS,COST,NOTES",
        lambda n: (
            f"Electric usage,{hour(n):%Y-%m-%d},{hour(n):%H}:00,{hour(n):%H}:59,{tenths(n)},kWh,"
            f"${tenths(n + 2)},"
        ),
        "TYPE|END TIME|USAGE|UNITS|COST",
        lambda n: ("Electric usage", f"{hour(n):%H}:59", tenths(n), "kWh", tenths(n + 2)),
        at=hour,
        held="all",
    ),
    table(
        "octopus.csv",
        "Consumption (kWh), Start, End",
        lambda n: (
            f"{tenths(n)}, {quarter(2 * n):%Y-%m-%dT%H:%M:%S}+00:00, "
            f"{quarter(2 * n + 2):%Y-%m-%dT%H:%M:%S}+00:00"
        ),
        "Consumption (kWh)|End",
        lambda n: (tenths(n), quarter(2 * n + 2)),
        at=lambda n: quarter(2 * n),
        held="all",
    ),
    table(
        "degree_days.csv",
        "Datum;Max;Min;Niederschlag",
        lambda n: (
            f"{day(n):%d.%m.%Y};{german(tenths(n))};{german(tenths(n) - 9)};{'k.A.' if n % 11 == 3 else n}"
        ),
        "Max|Min|Niederschlag",
        lambda n: (tenths(n), tenths(n) - 9, None if n % 11 == 3 else n),
        at=day,
        held="all",
    ),
    table(
        "autumn.csv",
        "Zeit;kWh",
        lambda n: f"{on_sunday(n):%d.%m.%Y %H:%M};{german(tenths(n))}",
        "kWh",
        lambda n: (tenths(n),),
        at=on_sunday,
        held="all",
        zone="Europe/Vienna",
    ),
    table(
        "offsets.csv",
        "time,kwh",
        lambda n: f"{on_sunday(n).isoformat()},{tenths(n)}",
        "kwh",
        lambda n: (tenths(n),),
        at=on_sunday,
        held="all",
    ),
    refused(
        "monthly.csv",
        "Month,MWh",
        lambda n: f"{2001 + n // 12}-{n % 12 + 1:02},{tenths(n)}",
        "no column has times",
    ),
    table(
        "weekly.csv",
        "Week,MWh",
        lambda n: f"{monday(n):%G-W%V},{tenths(n)}",
        "MWh",
        lambda n: (tenths(n),),
        at=monday,
        held="all",
    ),
    table(
        "iso_weeks.csv",
        "day,x",
        lambda n: f"{day(n):%G-W%V-%u},{tenths(n)}",
        "x",
        lambda n: (tenths(n),),
        at=day,
        held="all",
    ),
    table(
        "day_of_year.csv",
        "date;x",
        "{at:%Y-%j};{}",
        "x",
        lambda n: (tenths(n),),
        at=day,
        held="all",
    ),
    table(
        "river.txt",
        "station|date|level cm|flow m3/s",
        lambda n: f"{n % 2 + 7:04}|{hour(n // 2):%Y/%m/%d %H:%M}|{100 + n}|{tenths(n)}",
        "station|level cm|flow m3/s",
        lambda n: (f"{n % 2 + 7:04}", 100 + n, tenths(n)),
        at=lambda n: hour(n // 2),
        held="station",
    ),
    table(
        "one_hour_deltas.csv",
        "read_at;counter",
        lambda n: f"{hour(n):%Y-%m-%dT%H:%M:%SZ};{n * 1_000_003}",
        "counter",
        lambda n: (n * 1_000_003,),
        at=hour,
        held="all",
    ),
]
