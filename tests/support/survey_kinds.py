"""Small files after published formats, with what plain Python reads in them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

START = datetime(2026, 1, 15, 6, tzinfo=UTC)
NUMBER = 40

Value = str | int | Decimal | None


@dataclass(frozen=True)
class SurveyKind:
    """A file, and what a person reads in it.

    Attributes:
        file: its name.
        text: what it says.
        names: the columns that are not of the time.
        rows: their values, None for a missing one, and the time.
        is_refused: whether the status is 1.
    """

    file: str
    text: str
    names: tuple[str, ...] = ()
    rows: Sequence[tuple[datetime | int, tuple[Value, ...]]] = field(default=(), repr=False)
    is_refused: bool = False


def moment(n: int, step: timedelta = timedelta(minutes=1)) -> datetime:
    return START + n * step


def tenths(n: int) -> Decimal:
    return Decimal(200 + 7 * n % 53) / 10


def table(
    file: str,
    header: str,
    line: Callable[[int], str],
    names: str = "",
    row: Callable[[int], tuple[Value, ...]] = lambda _: (),
    *,
    at: Callable[[int], datetime | int] = moment,
    number: int = NUMBER,
) -> SurveyKind:
    """A table with a header of one line or several; refused if nothing is said of its columns."""
    lines = [*([header] if header else []), *map(line, range(number))]
    text = "".join(f"{one}\n" for one in lines)
    rows = [(at(n), row(n)) for n in range(number)]
    return SurveyKind(file, text, tuple(names.split("|")) if names else (), rows, is_refused=not names)


def iso(n: int) -> str:
    return f"{moment(n):%Y-%m-%dT%H:%M:%SZ}"


def day(n: int) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=n)


def hour(n: int) -> datetime:
    return datetime(2026, 1, 15, tzinfo=UTC) + timedelta(hours=n)


def tag_and_value(n: int) -> tuple[Value, ...]:
    return f"S{n % 2}", tenths(n)


def historian(file: str, form: str, word: str) -> SurveyKind:
    def line(n: int) -> str:
        return f"S{n % 2},{moment(n):{form}},{word if n == 0 else tenths(n)}"

    def row(n: int) -> tuple[Value, ...]:
        return f"S{n % 2}", None if n == 0 else tenths(n)

    return table(file, "Tag,Timestamp,Value", line, "Tag|Value", row)


KINDS = [
    historian("pi_no_data.csv", "%d-%b-%y %H:%M:%S", "No Data"),
    historian("pi_below.csv", "%d-%b-%Y %H:%M", "<0.5"),
    historian("pi_american.csv", "%m/%d/%Y %I:%M:%S %p", "Bad"),
    historian("pi_german.csv", "%d.%m.%Y %H:%M:%S", "kaputt"),
    # units and types under the names
    table(
        "units.csv",
        "Time,Temp,Hum\n,\u00b0C,%",
        lambda n: f"{moment(n):%Y-%m-%d %H:%M},{tenths(n)},{40 + n}",
        "Temp|Hum",
        lambda n: (tenths(n), 40 + n),
    ),
    table(
        "types.csv",
        "time;room;temp\ndatetime;string;float",
        lambda n: f"{moment(n):%Y-%m-%d %H:%M};r{n % 3};{tenths(n)}",
        "room|temp",
        lambda n: (f"r{n % 3}", tenths(n)),
    ),
    table(
        "brackets.csv",
        "Date,P,Q\n[UTC],[kW],[m3/h]",
        lambda n: f"{moment(n):%Y/%m/%d %H:%M:%S},{tenths(n)},{n}",
        "P|Q",
        lambda n: (tenths(n), n),
    ),
    table(
        "toa5.csv",
        '"TIMESTAMP","RECORD","AirTC_Avg"\n"TS","RN","Deg C"\n"","","Avg"',
        lambda n: f'"{moment(n):%Y-%m-%d %H:%M:%S}",{n},{tenths(n)}',
        "RECORD|AirTC_Avg",
        lambda n: (n, tenths(n)),
    ),
    # merged cells over names that several columns have
    table(
        "merged.csv",
        ",Hall,,Bath,\nTime,Temp,Hum,Temp,Hum",
        lambda n: f"{moment(n):%Y-%m-%d %H:%M},{tenths(n)},{40 + n},{tenths(n + 1)},{50 + n}",
        "Hall Temp|Hall Hum|Bath Temp|Bath Hum",
        lambda n: (tenths(n), 40 + n, tenths(n + 1), 50 + n),
    ),
    # no header
    table(
        "postgres.csv",
        "",
        lambda n: f"{moment(n).astimezone(ZoneInfo('Europe/Vienna')):%Y-%m-%d %H:%M:%S}.000 CET,u{n % 3},{n}",
        "column2|column3",
        lambda n: (f"u{n % 3}", n),
    ),
    table("bare.csv", "", lambda n: f"{iso(n)},u{n % 3},{n}", "column2|column3", lambda n: (f"u{n % 3}", n)),
    table(
        "lines.csv",
        "",
        lambda n: f'{iso(n)},"a\n {n}"',
        "column2",
        lambda n: (f"a\n {n}",),
    ),
    # times
    table(
        "two_digits.csv",
        "datum;betrag",
        lambda n: f"{day(n):%d.%m.%y};{n},50",
        "betrag",
        lambda n: (Decimal(n) + Decimal("0.5"),),
        at=day,
    ),
    table("year_first.csv", "d;n", lambda n: f"{day(n):%y.%m.%d};{n}", "n", lambda n: (n,), at=day),
    table("american.csv", "d;n", lambda n: f"{day(n):%m.%d.%y};{n}", "n", lambda n: (n,), at=day),
    table(
        "ends_at_24.csv",
        "d;t;v",
        lambda n: f"{hour(n):%d.%m.%Y};{n % 24 + 1:02}:00;{n}",
        "v",
        lambda n: (n,),
        at=lambda n: hour(n + 1),
    ),
    table(
        "hours_ending.csv",
        "Date,Hour,MW",
        lambda n: f"{hour(n):%Y-%m-%d},{n % 24 + 1},{tenths(n)}",
        "MW",
        lambda n: (tenths(n),),
        at=lambda n: hour(n + 1),
    ),
    table(
        "beijing.csv",
        "No,year,month,day,hour,pm25,cbwd",
        lambda n: (
            f"{n + 1},{hour(n):%Y},{hour(n).month},{hour(n).day},{hour(n).hour},{'NA' if n < 3 else n},NW"
        ),
        "No|pm25|cbwd",
        lambda n: (n + 1, None if n < 3 else n, "NW"),
        at=hour,
    ),
    table(
        "newest_first.csv",
        "created,user",
        lambda n: f"{int(moment(-n).timestamp())},u{n % 3}",
        "user",
        lambda n: (f"u{n % 3}",),
        at=lambda n: moment(-n),
    ),
    table(
        "scientific.csv",
        "ts,x",
        lambda n: f"{int(moment(0).timestamp()) + 100 * n:.7E},{n}",
        "x",
        lambda n: (n,),
        at=lambda n: datetime.fromtimestamp(
            int(f"{Decimal(f'{int(START.timestamp()) + 100 * n:.7E}'):f}"), UTC
        ),
    ),
    table(
        "card.csv",
        "card,expiry_date,used_at,sum",
        lambda n: f"c{n % 4},2029-0{n % 9 + 1}-01,{iso(n)},{n}",
        "card|expiry_date|sum",
        lambda n: (f"c{n % 4}", f"2029-0{n % 9 + 1}-01", n),
    ),
    # optional cells
    table(
        "optional.csv",
        "ts,device,temp,rssi,note",
        lambda n: f"{iso(n)},d{n % 3},{tenths(n)},{'' if n % 5 else -n},{'' if n % 7 else 'ok'}",
        "device|temp|rssi|note",
        lambda n: (f"d{n % 3}", tenths(n), None if n % 5 else -n, None if n % 7 else "ok"),
    ),
    table(
        "kinds.jsonl",
        "",
        lambda n: (
            f'{{"ts":"{iso(n)}","type":"login","user":"u{n % 3}","code":{n}}}'
            if n % 2
            else f'{{"ts":"{iso(n)}","type":"sale","price":{tenths(n)},"shop":"s{n % 5}"}}'
        ),
        "type|user|code|price|shop",
        lambda n: (
            ("login", f"u{n % 3}", n, None, None) if n % 2 else ("sale", None, None, tenths(n), f"s{n % 5}")
        ),
    ),
    table(
        "nulls.jsonl",
        "",
        lambda n: f'{{"ts":{int(moment(n).timestamp())},"id":{n},"x":{"null" if n % 4 else tenths(n)}}}',
        "id|x",
        lambda n: (n, None if n % 4 else tenths(n)),
    ),
    # nothing that can be right
    table("no_time.csv", "name,x", lambda n: f"a{n},{n}"),
    table("one_time.csv", "ts,x", lambda n: f"{iso(0)},{n}"),
    table("old_numbers.csv", "ts,x", lambda n: f"{100_000_000 + n},{n}"),
    table("words.csv", "ts,x", lambda n: f"{iso(n)},{n}" if n % 9 else "soon,7"),
    table("widths.csv", "ts,x", lambda n: f"{iso(n)},{n}" if n % 9 else f"{iso(n)},{n},9"),
    table("lateness.csv", "ts,x", lambda n: f"{iso(-n)},{n}", number=1100),
    table("clock.csv", "start,x", lambda n: f"{moment(n):%H:%M:%S},{n}"),
]
