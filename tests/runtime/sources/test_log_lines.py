"""The format `log`: lines of text, of which patterns tell facts."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.live_reader import LiveReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, PassedOver, Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.command_line import run
from tests.support.records import in_short

DOCS = (Path(__file__).parents[3] / "docs" / "how-to" / "read-your-data" / "logs.md").read_text()
NGINX = (
    '#input hit(ip, request, status) from "^{ip:ip} {:word} {:text} [{time:text}] \\"{request:quoted}\\" '
    '{status:int} {:word} \\"{:quoted}\\" \\"{:quoted}\\"$" at time "%d/%b/%Y:%H:%M:%S %z".'
)
SYSLOG = (
    '#input said(host, program, text(pid)) from "^{host:word} {program:word}[{pid:int}]: " at '
    '"%b %d %H:%M:%S".'
)
NEW_SYSLOG = '#input event(host, app) from "^<{:int}>1 {time:word} {host:word} {app:word} " at time.'
JOURNAL = '#input said(_SYSTEMD_UNIT, int(PRIORITY)) at __REALTIME_TIMESTAMP "%u".'
BEGIN = 1_769_954_707
"""2026-02-01T14:05:07Z."""


def read(path: Path, lines: list[str], *declared: str, **how: Any) -> tuple[list[str], list[str]]:
    """The records of a file with lines, and what is said of others; a live source says the same."""
    path.write_text("".join(f"{line}\n" for line in lines), errors="surrogateescape")
    declarations = [*map(parse_input_declaration, declared)]
    timeline = Timeline(1_000_000, zone=ZoneInfo("UTC"), dates_from=datetime(2026, 1, 1, tzinfo=UTC))
    reading = Reading(timeline=timeline, declarations=declarations, **how)
    told, live = list[Rejected](), list[Rejected]()
    found = in_short([*read_file(path, reading, told.append)])
    if not path.suffix:
        reader, again = LiveReader(reading, live.append), list[Record]()
        for number, line in enumerate(lines, start=1):
            again += reader.records(Line(str(path), number, line))
        assert (in_short(again), live) == (found, told)
    return found, [("-" if isinstance(one, PassedOver) else "") + one.reason for one in told]


def test_a_carriage_return_that_others_wrote_into_a_line_begins_no_line(tmp_path: Path) -> None:
    """A file is read as a live source: nobody adds lines to it."""
    forged = "Feb  1 14:05:08 h app[9]: x\rFeb  1 14:05:07 h sshd[8]: x"
    for name in ("log", "auth.log"):
        found, told = read(tmp_path / name, [forged, forged + "\r"], SYSLOG)
        assert found == [f'{BEGIN + 1}: said("h","app","9")'] * 2
        assert told == []


@pytest.mark.parametrize(
    ("declared", "line", "expected"),
    [
        (
            NGINX,
            '192.0.2.7 - bob [01/Feb/2026:15:05:07 +0100] "GET /a b HTTP/1.1" 404 153 "-" "curl"',
            'hit("192.0.2.7","GET /a b HTTP/1.1",404)',
        ),
        (
            NEW_SYSLOG,
            "<34>1 2026-02-01T14:05:07.003Z host.example su - ID47 - 'su root' failed",
            'event("host.example","su")',
        ),
        (
            JOURNAL,
            '{"__REALTIME_TIMESTAMP": "1769954707123456", "PRIORITY": "4", "_SYSTEMD_UNIT": "ssh.service", '
            '"MESSAGE": "x", "_PID": "8"}',
            'said("ssh.service",4)',
        ),
    ],
)
def test_logs_as_the_docs_read_them(tmp_path: Path, declared: str, line: str, expected: str) -> None:
    assert declared in DOCS
    path = tmp_path / ("x.json" if line.startswith("{") else "x")
    assert read(path, [line], declared) == ([f"{BEGIN}: {expected}"], [])


def test_times_without_a_year(tmp_path: Path) -> None:
    """What fits no pattern ends what waits for something else."""
    program = (
        '#tick 1 sec. #timezone "UTC". #input failed(user, ip) from "^{:word} sshd[{:int}]: Failed password '
        'for (invalid user )?{user:text} from {ip:ip} port {:int} ssh2$" at "%b %d %H:%M:%S".'
    )
    path = tmp_path / "auth.log"
    path.write_text(
        "Feb  1 14:05:07 host sshd[812]: Failed password for root from 192.0.2.7 port 4711 ssh2\n"
        "Feb  1 14:05:09 host sshd[812]: Failed password for invalid user a b from 192.0.2.7 port 4 ssh2\n"
        "Feb  1 14:05:10 host CRON[99]: session opened\n"
    )
    reasoner = Reasoner.from_text(
        program + '#origin "2026-01-01T00:00:00Z". alone(U) :- failed(U,_) in {2}, not failed(_,_) in [1].'
    )
    with pytest.warns(
        UserWarning, match="no pattern of #input matches the line: lars2asp skips such records"
    ):
        answers = [*reasoner.run(path, emit="every")]
    assert reasoner.now is not None
    assert [answer.tick - answers[0].tick for answer in answers] == [0, 1, 2, 3]


def test_syslog(tmp_path: Path) -> None:
    assert SYSLOG in DOCS
    path = tmp_path / "x.log"
    path.write_text("Feb  1 14:05:07 my-host CRON[7]: (root) CMD\n")
    program = f'#tick 1 sec. #timezone "UTC". #origin "2026-01-01T00:00:00Z". {SYSLOG} #show said/3.'
    answers = [one.holds.texts for one in Reasoner.from_text(program).run(path)]
    assert ('said("my-host","CRON","7")',) in answers


def test_what_is_passed_over_and_what_is_rejected(tmp_path: Path) -> None:
    declared = (
        'failed(user, int(n)) from "failed {user:word} {n:word} times"',
        'up(host) from "{host:text} is up,"',
    )
    lines = [
        "2026-02-01T14:05:07Z failed eve 3 times",
        "2026-02-01 14:05:08,250 nothing",
        "2026-02-01T14:05:09Z failed root x times",
        "failed root 3 times",
        "no time",
        "",
        "2026-02-01T14:05:10+00:00 h is up, it failed bob 7 times",
    ]
    assert read(tmp_path / "x", lines, *declared) == (
        [
            f'{BEGIN}: failed("eve",3)',
            f"{BEGIN + 1}: ",
            f'{BEGIN + 3}: failed("bob",7) up("2026-02-01T14:05:10+00:00 h")',
        ],
        [
            "-no pattern of #input matches the line",
            "column n: 'x' is not an integer",
            "the line contains no time such as 2026-01-31T14:05:00Z",
            "-no pattern of #input matches the line",
        ],
    )


def test_tables_and_records_beside_logs_go_by_other_declarations(tmp_path: Path) -> None:
    declared = 'failed(user, row()) from "^failed {user:word}$"', "reading(room) at ts"
    assert read(tmp_path / "x.jsonl", ['{"ts": 7, "room": "k"}'], *declared) == (['7: reading("k")'], [])
    assert read(tmp_path / "x.csv", ["room,ts", "k,7"], *declared) == (['7: reading("k")'], [])
    lines = ["2026-02-01T14:05:07Z failed eve"]
    assert read(tmp_path / "x.log", lines, *declared) == ([f'{BEGIN}: failed("eve",1)'], [])
    assert read(tmp_path / "x.txt", lines, declared[0], format=Format.LOG)[0] == [f'{BEGIN}: failed("eve",1)']


def test_a_log_needs_a_pattern_with_its_time(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the program does not declare how lines of text become facts"):
        read(tmp_path / "x.log", ["a"], "p(a) at ts", format=Format.LOG)
    with pytest.raises(InputError, match=r"#input p: the pattern has no place \{ts\}"):
        read(tmp_path / "x.log", ["a"], 'p(a) from "a {a}" at ts')


FAILED = (
    'failed(user, ip) from "^{:word} sshd(-session)?[{:int}]: Failed password for (invalid user )?'
    '{user:text} from {ip:ip} port {:int} ssh2$" at "%b %d %H:%M:%S"'
)
WEB = (
    'hit(ip, request, status, agent) from "^{ip:ip} {:word} {:text} [{time:text}] \\"{request:quoted}\\" '
    '{status:int} {:word} \\"{:quoted}\\" \\"{agent:quoted}\\"$" at time "%d/%b/%Y:%H:%M:%S %z"'
)


def test_the_line_begins_with_its_time(tmp_path: Path) -> None:
    """`^` is the first character after it, and `<N>` may be in front of it."""
    rest = "h sshd[8]: Failed password for root from 192.0.2.7 port 1 ssh2"
    lines = [
        f"Feb  1 14:05:07 {rest}",
        f"<38>Feb  1 14:05:08   {rest}",
        f"x Feb  1 14:05:09 {rest}",
        f"Feb  1 14:05:10 h app: Feb  1 14:05:00 {rest}",
        f"Feb  1 14:05:11 sshd[8]: {rest}",
    ]
    found, told = read(tmp_path / "x", lines, FAILED)
    fact = 'failed("root","192.0.2.7")'
    assert found == [f"{BEGIN}: {fact}", f"{BEGIN + 1}: {fact}", f"{BEGIN + 3}: ", f"{BEGIN + 4}: "]
    assert told == ["-no pattern of #input matches the line"] * 3
    plain = 'p(user) from "^failed {user:text}$"'
    lines = [
        "2026-02-01T14:05:07Z failed a b",
        "2026-02-01 14:05:08,5  failed ",
        "in 2026-02-01T14:05:09Z failed c",
    ]
    found, told = read(tmp_path / "y", lines, plain)
    assert found == [f'{BEGIN}: p("a b")', f'{BEGIN + 1}: p("")']
    timed = 'p(user) from "^{time:word} failed {user:text}$" at time'
    assert read(tmp_path / "z", ["7 failed a", "a 7 failed b"], timed)[0] == ['7: p("a")']


def test_kinds_say_how_places_are_read(tmp_path: Path) -> None:
    declared = 'p(a, b, c, text(d)) from "{a:int} {b:number} {c:ip} {d:int} {e:word}$" at e'
    lines = ["-7 12.0 ::1 007 5", "007 1 1.2.3.4 7 6", "1 0.5 1.2.3.4 7 7", "a 1 1.2.3.4 7 8"]
    assert read(tmp_path / "x", lines, declared) == (
        ['5: p(-7,12,"::1","007")'],
        [
            "column a: '007' is not an integer: to read it, write number(a)",
            "column b: 0.5 is a decimal, but this argument is an integer: declare its #decimals, "
            "scale it (b*10), or read it as text(...)",
            "-no pattern of #input matches the line",
        ],
    )


def test_places_that_are_empty_and_those_that_are_missing(tmp_path: Path) -> None:
    declared = 'p(a, text(b)) from "^{time:word} a=\\"{a:quoted}\\"( b={b:text})?$" at time'
    lines = ['1 a="" b=', '2 a="x"', '3 a=" y " b= z ']
    assert read(tmp_path / "x", lines, declared) == (['1: p("","")', "2: ", '3: p(" y "," z ")'], [])
    number = 'p(int(a), any(b)) from "^{time:word} {a:text};{b:text}$" at time'
    assert read(tmp_path / "y", ["1 ;x", "2 7;"], number) == (["1: ", '2: p(7,"")'], [])


def test_bytes_that_are_not_utf_8_stay_apart(tmp_path: Path) -> None:
    line = "Feb  1 14:05:07 h sshd[8]: Failed password for x\udcff\u00fc\udc80 from 192.0.2.7 port 1 ssh2"
    expected = f'{BEGIN}: failed("x\\\\xff\u00fc\\\\x80","192.0.2.7")'
    assert read(tmp_path / "x", [line], FAILED) == ([expected], [])
    told = read(tmp_path / "x.jsonl", ['{"ts": 7, "room": "\udcff"}'], "p(room) at ts")[1]
    assert told == ["the line is not UTF-8 text"]


def test_whole_lines_are_seen(tmp_path: Path) -> None:
    name = "a" * 100_000
    line = f"Feb  1 14:05:07 h sshd[8]: Failed password for {name} from 192.0.2.7 port 1 ssh2"
    assert read(tmp_path / "x", [line], FAILED) == ([f'{BEGIN}: failed("{name}","192.0.2.7")'], [])


def test_a_browser_does_not_change_the_status(tmp_path: Path) -> None:
    lines = [
        '192.0.2.7 - x [01/Jan/2030:00:00:00 +0000] [01/Feb/2026:14:05:07 +0000] "GET /" 401 1 "-" "-"',
        r'192.0.2.7 - - [01/Feb/2026:14:05:08 +0000] "GET /x\" 200 5 HTTP/1.1" 404 153 "-" "-"',
        r'192.0.2.7 - a b [01/Feb/2026:14:05:09 +0000] "" 400 0 "[x] " " 200 5 \"-\" \"-"',
    ]
    assert read(tmp_path / "x", lines, WEB) == (
        [
            f'{BEGIN}: hit("192.0.2.7","GET /",401,"-")',
            f'{BEGIN + 1}: hit("192.0.2.7","GET /x\\\\\\" 200 5 HTTP/1.1",404,"-")',
            f'{BEGIN + 2}: hit("192.0.2.7","",400," 200 5 \\\\\\"-\\\\\\" \\\\\\"-")',
        ],
        [],
    )


def test_check_warns_of_what_the_writer_of_a_line_decides(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(
        '#tick 1 sec.\n#input p(u, v, n) from "^{u} from {v:text} {:text} port {n:int}".\n'
        '#input q(u, n) from "^{:word} {u:text} port {n:int}$".\nr(N+1) :- p(_,_,N). s(U) :- q(U,_).\n'
    )
    done = run(tmp_path, "check", "p.lars")
    said = [line for line in done.stderr.splitlines() if "warning" in line]
    assert len(said) == 3
    assert "{u} ends early" in said[0]
    assert "{v:text} takes too much" in said[1]
    assert "no fixed text separates two places" in said[2]
