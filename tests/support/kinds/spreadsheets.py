"""Spreadsheets, and tables that people write."""

from decimal import Decimal

from tests.support.kinds.kind import day, german, hour, minute, quarter, refused, some, table, tenths

HALF = Decimal("0.5")
MONTHS = ("Jan.", "Feb.", "M\u00e4rz")


SPREADSHEETS = [
    table(
        "title.csv",
        "Messprotokoll;;\nErstellt am 16.01.2026;;\n;;\nZeit;Raum;Temperatur",
        lambda n: f"{minute(n // 2):%d.%m.%Y %H:%M};R{n % 2};{german(tenths(n))}",
        "Raum|Temperatur",
        lambda n: (f"R{n % 2}", tenths(n)),
        at=lambda n: minute(n // 2),
        held="Raum",
    ),
    table(
        "long_dates.csv",
        "Date,Visitors,Note",
        lambda n: f'"{day(n):%A, %B} {day(n).day}, {day(n):%Y}",{100 + n},',
        "Visitors",
        lambda n: (100 + n,),
        at=day,
        held="all",
    ),
    table(
        "german_months.csv",
        "Datum;Besucher",
        lambda n: f"{day(n).day}. {MONTHS[day(n).month - 1]} {day(n):%Y};{100 + n}",
        "Besucher",
        lambda n: (100 + n,),
        at=day,
        held="all",
    ),
    table(
        "american_am.csv",
        "Date,Time,Sales,Share",
        lambda n: (
            f"{hour(n).month}/{hour(n).day}/{hour(n):%y},{hour(n).hour % 12 or 12}:{hour(n):%M %p},"
            f'"${1000 + n:,}.50",{tenths(n)}%'
        ),
        "Sales|Share",
        lambda n: (1000 + n + HALF, tenths(n)),
        at=hour,
        held="all",
    ),
    table(
        "three_heads.csv",
        ";Hall;Hall;Bath\n;Temp;Hum;Temp\nZeit;\u00b0C;%;\u00b0C",
        lambda n: f"{minute(n):%Y-%m-%d %H:%M};{german(tenths(n))};{40 + n};{german(tenths(n + 1))}",
        "Hall Temp|Hum|Bath Temp",
        lambda n: (tenths(n), 40 + n, tenths(n + 1)),
        held="all",
    ),
    table(
        "doubled.csv",
        "time,temp,temp",
        "{at:%Y-%m-%d %H:%M},{},{}",
        "column(2)|column(3)",
        lambda n: (tenths(n), tenths(n + 1)),
        held="all",
    ),
    table(
        "utf16.csv",
        "Zeit\tGer\u00e4t\tWert",
        lambda n: f"{minute(n // 2):%d.%m.%Y %H:%M}\tG{n % 2}\t{german(tenths(n))}",
        "Ger\u00e4t|Wert",
        lambda n: (f"G{n % 2}", tenths(n)),
        at=lambda n: minute(n // 2),
        encoding="utf-16",
        held="Ger\u00e4t",
    ),
    table(
        "sep.csv",
        "\ufeffsep=;\nZeit;Geschwindigkeit;Stra\u00dfe",
        lambda n: f"{minute(n):%d.%m.%Y %H:%M:%S};{german(tenths(n))};A{some(n, 3)}",
        "Geschwindigkeit|Stra\u00dfe",
        lambda n: (tenths(n), f"A{some(n, 3)}"),
        held="all",
    ),
    table(
        "trailing.csv",
        "time;room;temp;",
        "{at:%Y-%m-%d %H:%M};{};{};",
        "room|temp",
        lambda n: (f"r{n % 2}", tenths(n)),
        at=lambda n: minute(n // 2),
        held="room",
    ),
    table(
        "single_quotes.csv",
        "'time','who','said'",
        "'{at:%Y-%m-%d %H:%M}','{}','{}'",
        "who|said",
        lambda n: (f"u{n % 3}", f"a, {n}"),
        at=lambda n: minute(n * n),
    ),
    table(
        "blanks.txt",
        "DATE       TIME     ROOM   TEMP",
        "{at:%Y-%m-%d %H:%M:%S} {:6} {:5}",
        "ROOM|TEMP",
        lambda n: (f"r{n % 2}", tenths(n)),
        at=lambda n: minute(n // 2),
        held="ROOM",
    ),
    table(
        "fixed_width.txt",
        "STATION   DATE              TEMP   NAME",
        "{:9} {at:%Y-%m-%dT%H:%M} {:6}   {}",
        "STATION|TEMP|NAME",
        lambda n: (f"S{n % 2}", tenths(n), f"Name {n % 2}"),
        refusal="this is no table",
    ),
    table(
        "markdown.md",
        "| time | room | temp |\n|---|---|---:|",
        "| {at:%Y-%m-%d %H:%M} | {} | {} |",
        "room|temp",
        lambda n: (f"r{n % 2}", tenths(n)),
        at=lambda n: minute(n // 2),
        held="room",
    ),
    table(
        "comments.csv",
        "# made by logger 7\n# zone: UTC\ntime,room,temp",
        lambda n: (
            f"{minute(n // 2):%Y-%m-%d %H:%M},r{n % 2},{tenths(n)}" + ("\n# restarted" if n == 20 else "")
        ),
        "room|temp",
        lambda n: (f"r{n % 2}", tenths(n)),
        at=lambda n: minute(n // 2),
        held="room",
    ),
    table(
        "empty_rows.csv",
        "time,room,temp",
        lambda n: f"{minute(n // 2):%Y-%m-%d %H:%M},r{n % 2},{tenths(n)}" + ("\n,,\n" if n % 10 == 9 else ""),
        "room|temp",
        lambda n: (f"r{n % 2}", tenths(n)),
        at=lambda n: minute(n // 2),
        held="room",
    ),
    table(
        "padded.csv",
        "time , room , temp",
        "{at:%Y-%m-%d %H:%M} , {} , {}",
        "room|temp",
        lambda n: (f"r{n % 2}", tenths(n)),
        at=lambda n: minute(n // 2),
        held="room",
    ),
    table(
        "names.csv",
        "Datum;Vorname;Nachname;PLZ;Telefon;Betrag",
        lambda n: (
            f"{day(n):%d.%m.%Y};Eva;M\u00fcller;{some(n, 7) + 1010:05};0660 {1234567 + n};{german(tenths(n))}"
        ),
        "Vorname|Nachname|PLZ|Telefon|Betrag",
        lambda n: ("Eva", "M\u00fcller", f"{some(n, 7) + 1010:05}", f"0660 {1234567 + n}", tenths(n)),
        at=day,
        encoding="latin-1",
        held="all",
    ),
    table(
        "percent.csv",
        "week ending,share,ok,grade",
        lambda n: (
            f"{day(7 * n):%m/%d/%Y},{tenths(n)} %,{'TRUE' if some(n, 4) else 'FALSE'},{'ABC'[some(n, 3)]}"
        ),
        "share|ok|grade",
        lambda n: (tenths(n), "TRUE" if some(n, 4) else "FALSE", "ABC"[some(n, 3)]),
        at=lambda n: day(7 * n),
        held="all",
    ),
    table(
        "summe.csv",
        "Datum;Filiale;Umsatz",
        lambda n: f"{day(n // 2):%d.%m.%Y};F{n % 2};{german(tenths(n))}",
        "Filiale|Umsatz",
        lambda n: (f"F{n % 2}", tenths(n)),
        at=lambda n: day(n // 2),
        end=";;\nSumme;;1.234,50\n",
        held="Filiale",
    ),
    table(
        "transposed_hours.csv",
        "Date," + ",".join(f"H{k:02}" for k in range(1, 25)),
        "{at:%Y-%m-%d}," + ",".join("{}" for _ in range(24)),
        "|".join(f"H{k:02}" for k in range(1, 25)),
        lambda n: tuple(tenths(n + k) for k in range(24)),
        at=day,
        held="*",
    ),
    refused(
        "agenda.csv",
        "Weekday,From,To,What",
        lambda n: f"{day(n):%A},{n % 12}:00,{n % 12 + 1}:00,w{n}",
        "no column has times",
    ),
    refused(
        "two_tables.csv",
        "time,temp",
        lambda n: f"{minute(n):%Y-%m-%d %H:%M},{n}" if n < 20 else f"{n},x,{n}",
        "rejected",
    ),
    refused(
        "mixed_orders.csv",
        "date,x",
        lambda n: f"{day(n):%d/%m/%Y},{n}" if n % 2 else f"{day(n):%m/%d/%Y},{n}",
        "%d/%m/%Y",
    ),
    table(
        "quarters.csv",
        "Zeit von;Zeit bis;Wert",
        lambda n: f"{quarter(n):%d.%m.%Y %H:%M};{quarter(n + 1):%d.%m.%Y %H:%M};{german(tenths(n))}",
        "Zeit bis|Wert",
        lambda n: (quarter(n + 1), tenths(n)),
        at=quarter,
        held="all",
    ),
]
