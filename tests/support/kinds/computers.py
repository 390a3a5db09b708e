"""Computers: what servers, databases and services export as tables."""

from datetime import timedelta

from tests.support.kinds.kind import START, Kind, hour, minute, refused, second, some, table, tenths
from tests.support.kinds.money import epoch

ROOMS = ("hall", "bath")
NOTHING = r"\N"


def psql(end: str) -> Kind:
    return table(
        "psql.txt" if end else "sqlite.txt",
        "         ts          | room | temp  \n---------------------+------+-------" if end else "",
        " {at:%Y-%m-%d %H:%M:%S} | {0} |  {1} " if end else "{at:%Y-%m-%d %H:%M:%S}|{0}|{1}",
        "room|temp" if end else "column2|column3",
        lambda n: (ROOMS[n % 2], tenths(n)),
        at=lambda n: minute(n // 2),
        end=end,
        held="room" if end else "column2",
    )


COMPUTERS = [
    table(
        "events.csv",
        "Level,Date and Time,Source,Event ID,Task Category",
        lambda n: (
            f'Information,{minute(n * n):%m/%d/%Y %I:%M:%S %p},EventLog,{6000 + n % 9},None,"Line '
            f'{n}\nmore, {n}"'
        ),
        "Level|Source|Event ID|column(6)",
        lambda n: ("Information", "EventLog", 6000 + n % 9, f"Line {n}\nmore, {n}"),
        at=lambda n: minute(n * n),
    ),
    table(
        "firewall.csv",
        "Domain,Receive Time,Serial #,Type,Source address,Destination address,Bytes,Action",
        "{},{at:%Y/%m/%d %H:%M:%S},{},{},{},{},{},{}",
        "Domain|Serial #|Type|Source address|Destination address|Bytes|Action",
        lambda n: (
            1,
            f"00180100000{n % 3}",
            "TRAFFIC",
            f"10.0.0.{n}",
            "192.0.2.1",
            60 + n * 977,
            "allow" if n % 5 else "deny",
        ),
        at=lambda n: second(n * n),
    ),
    table(
        "conn.log",
        "#separator \\x09\n#set_separator\t,\n#empty_field\t(empty)\n#unset_field\t-\n#path\tconn\n"
        "#open\t2026-01-15-06-00-00\n"
        "#fields\tts\tuid\tid.orig_h\tproto\tduration\torig_bytes\n"
        "#types\ttime\tstring\taddr\tenum\tinterval\tcount",
        lambda n: (
            f"{epoch(second(n * n))}.123456\tC{n}\t10.0.0.{n % 5}\ttcp\t"
            f"{'-' if n % 8 == 5 else tenths(n)}\t{n}"
        ),
        "uid|id.orig_h|proto|duration|orig_bytes",
        lambda n: (f"C{n}", f"10.0.0.{n % 5}", "tcp", None if n % 8 == 5 else tenths(n), n),
        at=lambda n: second(n * n) + timedelta(microseconds=123456),
        end="#close\t2026-01-15-07-00-00\n",
    ),
    table(
        "exchange.log",
        "#Software: Microsoft Exchange Server\n#Version: 15.0\n#Log-type: Message Tracking "
        "Log\n"
        "#Date: 2026-01-15T06:00:00.000Z\n"
        "#Fields: date-time,client-ip,event-id,recipients,total-bytes",
        "{at:%Y-%m-%dT%H:%M:%S}.000Z,{},{},{},{}",
        "client-ip|event-id|recipients|total-bytes",
        lambda n: (f"10.0.0.{n % 7}", ("RECEIVE", "SEND")[n % 2], f"u{n}@example.org", 1000 + n * 77),
        at=lambda n: second(n * n),
    ),
    psql("(40 rows)\n\n"),
    psql(""),
    table(
        "mysql_batch.tsv",
        "id\tcreated\troom\ttemp\tnote",
        lambda n: (
            f"{n}\t{minute(n * n):%Y-%m-%d %H:%M:%S}\t{ROOMS[n % 2]}\t"
            f"{'NULL' if n % 6 == 4 else tenths(n)}\t{'NULL' if n % 3 else f'ok {n}'}"
        ),
        "id|room|temp|note",
        lambda n: (n, ROOMS[n % 2], None if n % 6 == 4 else tenths(n), "NULL" if n % 3 else f"ok {n}"),
        at=lambda n: minute(n * n),
    ),
    table(
        "mysql_table.txt",
        "+---------------------+------+------+\n| ts                  | room | temp |"
        "\n+---------------------+------+------+",
        "| {at:%Y-%m-%d %H:%M:%S} | {} | {} |",
        "room|temp",
        lambda n: (ROOMS[n % 2], tenths(n)),
        at=lambda n: minute(n // 2),
        end="+---------------------+------+------+\n",
        held="room",
    ),
    table(
        "copy.txt",
        "",
        lambda n: (
            f"{n}\t{minute(n * n):%Y-%m-%d %H:%M:%S}+00\t{ROOMS[n % 2]}\t"
            f"{NOTHING if n % 6 == 4 else tenths(n)}"
        ),
        "column1|column3|column4",
        lambda n: (n, ROOMS[n % 2], None if n % 6 == 4 else tenths(n)),
        at=lambda n: minute(n * n),
    ),
    table(
        "jira.csv",
        "Issue key,Summary,Status,Created,Updated,Resolved,Labels,Labels",
        lambda n: (
            f'AB-{n},"Fix ""{n}""",{("Open", "Done")[n % 2]},{hour(7 * n):%d/%b/%y} '
            f"{hour(7 * n).hour % 12 or 12}:{hour(7 * n):%M %p},"
            f"{hour(7 * n + 3):%d/%b/%y %I:%M %p},"
            f"{f'{hour(7 * n + 3):%d/%b/%y %I:%M %p}' if n % 2 else ''},ui,"
        ),
        "Issue key|Summary|Status|Updated|Resolved|column(7)",
        lambda n: (
            f"AB-{n}",
            f'Fix "{n}"',
            ("Open", "Done")[n % 2],
            hour(7 * n + 3),
            hour(7 * n + 3) if n % 2 else None,
            "ui",
        ),
        at=lambda n: hour(7 * n),
    ),
    table(
        "discord.csv",
        "AuthorID,Author,Date,Content,Attachments,Reactions",
        lambda n: (
            f'"{100000000000000000 + n % 3}","a{n % 3}",'
            f'"{second(n * n):%Y-%m-%dT%H:%M:%S}.1230000+00:00","hi\n{n} \u2764","",""'
        ),
        "AuthorID|Author|Content",
        lambda n: (100000000000000000 + n % 3, f"a{n % 3}", f"hi\n{n} \u2764"),
        at=lambda n: second(n * n) + timedelta(milliseconds=123),
    ),
    table(
        "sadf.csv",
        "# hostname;interval;timestamp;CPU;%user;%idle",
        "{};{};{at:%Y-%m-%d %H:%M:%S} UTC;{};{};{}",
        "# hostname|interval|CPU|%user|%idle",
        lambda n: ("web1", 600, -1, tenths(n), 100 - tenths(n)),
        at=lambda n: minute(10 * n),
        held="# hostname",
        zone="Europe/Vienna",
    ),
    table(
        "typeperf.csv",
        '"(PDH-CSV 4.0) (GMT Standard Time)(0)","\\\\HOST\\Processor(_Total)\\% Processor Time",'
        '"\\\\HOST\\Memory\\Available MBytes"',
        lambda n: f'"{second(n):%m/%d/%Y %H:%M:%S}.123","{" " if n == 0 else tenths(n)}","{4000 + n}"',
        "\\\\HOST\\Processor(_Total)\\% Processor Time|\\\\HOST\\Memory\\Available MBytes",
        lambda n: (None if n == 0 else tenths(n), 4000 + n),
        at=lambda n: second(n) + timedelta(milliseconds=123),
        held="all",
    ),
    table(
        "jmeter.jtl",
        "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,failureMessage,bytes",
        lambda n: (
            f"{epoch(START, 1000) + 137 * n},{n * 3},GET /,{200 if n % 7 else 503},"
            f"{'OK' if n % 7 else 'Busy'},T 1-{some(n, 3)},{'true' if n % 7 else 'false'},,{500 + n}"
        ),
        "elapsed|label|responseCode|responseMessage|threadName|success|bytes",
        lambda n: (
            n * 3,
            "GET /",
            200 if n % 7 else 503,
            "OK" if n % 7 else "Busy",
            f"T 1-{some(n, 3)}",
            "true" if n % 7 else "false",
            500 + n,
        ),
        at=lambda n: START + timedelta(milliseconds=137 * n),
        held="all",
    ),
    table(
        "k6.csv",
        "metric_name,timestamp,metric_value,check,error,status,url",
        lambda n: (
            f"{('http_reqs', 'http_req_duration')[n % 2]},{epoch(second(n // 8))},"
            f"{'1.000000' if n % 2 == 0 else f'{tenths(n)}00000'},,,{200 if n % 5 else ''},http://x/"
        ),
        "metric_name|metric_value|status|url",
        lambda n: (
            ("http_reqs", "http_req_duration")[n % 2],
            1 if n % 2 == 0 else tenths(n),
            200 if n % 5 else None,
            "http://x/",
        ),
        at=lambda n: second(n // 8),
    ),
    table(
        "cloudwatch.csv",
        "Label,CPUUtilization,NetworkIn\nId,m1,m2",
        "{at:%Y/%m/%d %H:%M:%S},{},{}",
        "m1|m2",
        lambda n: (tenths(n), 1000 + n * 31),
        at=lambda n: minute(5 * n),
        held="all",
    ),
    table(
        "pandas.csv",
        ",ts,user,amount",
        "{n},{at:%Y-%m-%d %H:%M:%S},{},{}",
        "user|amount",
        lambda n: (f"u{n % 3}", tenths(n)),
        at=lambda n: minute(n * n),
    ),
    table(
        "types_of_rows.csv",
        "ts,kind,user,amount,from,to",
        lambda n: (
            f"{second(n * n):%Y-%m-%dT%H:%M:%SZ},{('login', 'pay', 'move')[n % 3]},u{n % 5},"
            + (",,", f"{tenths(n)},,", f",a{n % 4},b{n % 2}")[n % 3]
        ),
        "kind|user|amount|from|to",
        lambda n: (
            ("login", "pay", "move")[n % 3],
            f"u{n % 5}",
            tenths(n) if n % 3 == 1 else None,
            f"a{n % 4}" if n % 3 == 2 else None,
            f"b{n % 2}" if n % 3 == 2 else None,
        ),
        at=lambda n: second(n * n),
    ),
    table(
        "equal_rows.csv",
        "time,page",
        "{at:%Y-%m-%dT%H:%M:%SZ},{}",
        "page",
        lambda n: (f"/p{n // 4 % 2}",),
        at=lambda n: second(n // 8),
    ),
    table(
        "basic_iso.csv",
        "ts;event",
        "{at:%Y%m%dT%H%M%SZ};{}",
        "event",
        lambda n: (f"e{n % 4}",),
        at=lambda n: second(n * n),
    ),
    table(
        "fractions.csv",
        "ts;event;host",
        "{at:%Y-%m-%d %H:%M:%S},250;{};{}",
        "event|host",
        lambda n: (f"e{n % 4}", "h1"),
        at=lambda n: second(n * n) + timedelta(milliseconds=250),
    ),
    table(
        "nanoseconds.csv",
        "ts,event",
        "{at:%Y-%m-%dT%H:%M:%S}.123456000Z,{}",
        "event",
        lambda n: (f"e{n % 4}",),
        at=lambda n: second(n * n) + timedelta(microseconds=123456),
    ),
    table(
        "offset_behind.csv",
        "When,Who",
        lambda n: f"{second(n * n) + timedelta(hours=1):%d/%m/%Y %H:%M:%S} +0100,u{n % 4}",
        "Who",
        lambda n: (f"u{n % 4}",),
        at=lambda n: second(n * n),
    ),
    table(
        "cet.csv",
        "When,Who",
        lambda n: f"{second(n * n) + timedelta(hours=1):%Y-%m-%d %H:%M:%S} CET,u{n % 4}",
        "Who",
        lambda n: (f"u{n % 4}",),
        at=lambda n: second(n * n),
    ),
    table(
        "mail_dates.csv",
        '"Date","From","Size"',
        '"{at:%a, %d %b %Y %H:%M:%S} +0000","{}",{}',
        "From|Size",
        lambda n: (f"u{n % 4}@x.org", 100 + n * 7),
        at=lambda n: second(n * n),
    ),
    table(
        "ctime.csv",
        "Date;Job",
        "{at:%a %b %d %H:%M:%S %Y};{}",
        "Job",
        lambda n: (f"j{n % 4}",),
        at=lambda n: second(n * n),
    ),
    refused("dead_letters.csv", "id,body", lambda n: f'{n},"{{""t"": {n}}}"', "no column has times"),
]
