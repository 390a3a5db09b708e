"""`check --input` knows forms of logs: what it proposes reads them, whatever others put into lines."""

import csv
import os
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lars2asp import Reading, Timeline
from lars2asp.compiler import check, compile_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.command_line.input_check import Proposal, proposals
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import PassedOver, Record, Rejected
from lars2asp.syntax.source import Source
from tests.support.command_line import lines, run
from tests.support.examples import number_of_examples
from tests.support.kinds.logs import MORE_LOGS
from tests.support.known_logs import LOGS, START, Fact, at_of

ALL = LOGS | MORE_LOGS

NUMBER = 30
HOSTILE = (
    'x [01/Feb/2026:14:05:07 +0000] "GET /forged HTTP/1.1" 500 1 "-" "y"',
    'x] 192.0.2.99 - "GET / HTTP/1.1" 500',
    "app[1]: Failed password for root from 192.0.2.99 port 1 ssh2",
    ">, relay=evil[192.0.2.99]:25, delay=1, delays=1/1/1/1, dsn=5.0.0, status=bounced (x)",
    'haproxy[1]: 192.0.2.99:1 [x] a b/c 1/1/1/1/1 500 1 - - ---- 1/1/1/1/1 0/0 "GET /"',
    'x" level=error msg="forged',
    'x", "amount": 999, "note": "',
    "x|10|src=192.0.2.99",
    "x} 5 1000",
    "] ERROR org.x.Evil - ",
    "2026-02-01T14:05:07Z ERROR [main] org.x.Evil - forged",
    "\\",
    '\\"',
    '"',
)


def _proposal(folder: Path, name: str, text: Iterable[str]) -> tuple[Path, Proposal]:
    path = folder / f"{name}.log"
    path.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    when = (START + timedelta(days=9)).timestamp()
    os.utime(path, (when, when))
    return path, proposals([str(path)], Reading())


def _facts(plan: Plan, record: Record) -> list[tuple[int, Fact]]:
    length = plan.tick_length
    assert length is not None
    return [
        (record.tick * length, (one.signature.name, row)) for one in record.events.facts for row in one.rows
    ]


@pytest.mark.parametrize("name", ALL)
def test_a_proposal_reads_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    kind = ALL[name]
    texts = [f"ok {n}" for n in range(NUMBER)]
    path, found = _proposal(tmp_path, name, (kind.line(at_of(n), one, n) for n, one in enumerate(texts)))
    assert f"({kind.form})" in found.text
    assert found.is_whole, found.text
    plan = compile_program(Source("p.lars", found.text))
    rejected: list[Rejected] = []
    reading = Reading(timeline=Timeline.of(plan), declarations=plan.inputs, decimals=plan.decimals)
    read = [fact for record in read_file(path, reading, rejected.append) for fact in _facts(plan, record)]
    assert not rejected
    assert plan.tick_length is not None
    expected = [
        (int(at_of(n).timestamp()) * 1_000_000, fact)
        for n in range(NUMBER)
        for fact in kind.facts(texts[n], n)
    ]
    assert sorted((at // 1_000_000 * 1_000_000, fact) for at, fact in read) == sorted(expected)


@pytest.mark.parametrize("name", ALL)
def test_a_program_with_the_proposal_gets_no_warning(tmp_path: Path, name: str) -> None:
    kind = ALL[name]
    _, found = _proposal(tmp_path, name, (kind.line(at_of(n), f"ok {n}", n) for n in range(NUMBER)))
    rules = "".join(
        f"seen :- {one}({','.join('_' * arity)}).\n" for one, arity in _signatures(kind.facts("ok", 0))
    )
    told = [str(one) for one in check(Source("p.lars", found.text + rules))]
    is_told = name.startswith("prometheus")  # its name ends at the first {
    assert is_told or not [one for one in told if "place" in one or "text" in one], told


def _signatures(facts: Iterable[Fact]) -> set[tuple[str, int]]:
    return {(name, len(row)) for name, row in facts}


@pytest.mark.parametrize("name", ALL)
def test_what_others_write_changes_no_other_field(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    kind = ALL[name]
    folder = tmp_path_factory.mktemp(name)
    _, found = _proposal(folder, name, (kind.line(at_of(n), f"ok {n}", n) for n in range(NUMBER)))
    plan = compile_program(Source("p.lars", found.text))
    how = Format.LOG, Timeline.of(plan), plan.inputs
    reading = Reading(*how, decimals=plan.decimals).marked

    def holds(text: str, number: int) -> None:
        rejected: list[Rejected] = []
        line = kind.line(at_of(number), text, number)
        records = [*reading.records([f"{line}\n"], "x", rejected.append)]
        read = [fact for record in records for _, fact in _facts(plan, record)]
        assert sorted(read) == sorted(kind.facts(text, number)), line
        assert not [one for one in rejected if not isinstance(one, PassedOver)]

    for number, text in enumerate(HOSTILE):
        holds(text, number)
    signs = st.sampled_from([*'ab1 "[]|\\:={}<>,.-()/;', ": ", "] ", '" ', " - ", "[1]: ", ">, ", "\t"])

    @settings(max_examples=number_of_examples(8), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(signs, max_size=12).map("".join), st.integers(0, NUMBER))
    def any_text(text: str, number: int) -> None:
        holds(text, number)

    any_text()


def test_equal_lines_of_a_second_each_count(tmp_path: Path) -> None:
    line = LOGS["syslog"].line(START, "Failed password", 1)
    path, found = _proposal(tmp_path, "auth", [line, line, line])
    assert "2 facts repeat another fact of the same tick" in found.text
    rule = "many :- 3 <= #count { N : message(_,_,_,_,N) }.\n"
    (tmp_path / "p.lars").write_text(found.text + rule)
    [answer] = lines(run(tmp_path, "run", "p.lars", "--input", path.name).stdout)
    assert answer["atoms"] == ["many"]


def test_lines_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    text = [LOGS["nginx"].line(at_of(n), "x", n) for n in range(19)]
    _, found = _proposal(tmp_path, "access", [*text, "not a request"])
    assert "20 records: 19 gave facts, 1 passed over" in found.text
    assert found.is_whole


def test_samples_without_times_get_advice(tmp_path: Path) -> None:
    text = ["# HELP up x", "# TYPE up gauge", 'up{job="a b"} 1', "load 0.5", "x NaN"]
    _, found = _proposal(tmp_path, "metrics", text)
    assert not found.is_whole
    assert "no time of their own" in found.text
    done = run(tmp_path, "check", "--input", "metrics.log", status=1)
    assert "query_range" in done.stdout


def test_flows_are_read_by_the_header(tmp_path: Path) -> None:
    header = "version vpc-id srcaddr dstaddr bytes start end action"
    rows = [
        f"5 vpc-1 192.0.2.{n} 198.51.100.1 {n} {1769954700 + n} {1769954760 + n} ACCEPT" for n in range(30)
    ]
    _, found = _proposal(tmp_path, "flows", [header, *rows])
    assert "text(vpc_id), text(srcaddr), text(dstaddr), int(bytes) or missing or 0, start" in found.text


def test_stack_traces_follow_lines_of_log4j(tmp_path: Path) -> None:
    trace = ["java.lang.IllegalStateException: 2 - x", "\tat org.x.Shop.sell(Shop.java:7)", "Caused by: y"]
    text = [line for n in range(9) for line in (LOGS["log4j"].line(at_of(n), "x", n), *trace)]
    _, found = _proposal(tmp_path, "app", text)
    assert "(log of log4j)" in found.text
    assert "36 records: 9 gave facts, 27 passed over" in found.text


def test_several_logs_are_named_by_their_files(tmp_path: Path) -> None:
    for name in ("nginx", "syslog_iso", "postfix"):
        _proposal(tmp_path, name, (LOGS[name].line(at_of(n), f"x{n}", n) for n in range(9)))
    found = run(tmp_path, "check", "--input", "nginx.log", "--input", "syslog_iso.log").stdout
    assert "#input nginx(" in found
    assert "#input syslog_iso(" in found
    found = run(tmp_path, "check", "--input", "nginx.log", "--input", "postfix.log").stdout
    assert "#input postfix_delivery(" in found
    assert "#decimals postfix_delivery(" in found


def test_a_table_of_text_is_no_log(tmp_path: Path) -> None:
    rows = [f"2026-02-01T14:05:{n:02}Z,hall,{n}" for n in range(30)]
    _, found = _proposal(tmp_path, "rooms", ["time,room,temp", *rows])
    assert "#input reading(room, temp) at time." in found.text


def _postgres_row(number: int, text: str) -> list[str]:
    row = [
        f"{at_of(number):%Y-%m-%d %H:%M:%S}.000 UTC",
        f"u{text}",
        "shop",
        str(100 + number),
        "192.0.2.1:5432",
    ]
    row += ["65c0a", "1", "SELECT", "2026-02-01 13:00:00 UTC", "3/7", "0", "ERROR", "42P01", f"no {text}"]
    return [*row, *[""] * 5, text, "15", "", "psql", "client backend", "", "0"]


@pytest.mark.parametrize("name", ["postgresql.csv", "postgresql.log"])
def test_the_csv_log_of_postgres(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TZ", "UTC")
    hostile = [
        *HOSTILE,
        'x","shop",1,"","","","","","","","FATAL"',
        "a\nb",
        "a\n2026-02-01 14:05:07.000 UTC,,,1,",
    ]
    texts = [*hostile, *(f"ok {n}" for n in range(2 * NUMBER))]
    path = tmp_path / name
    with path.open("w", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_MINIMAL, lineterminator="\n").writerows(
            _postgres_row(number, text) for number, text in enumerate(texts)
        )
    found = proposals([str(path)], Reading())
    assert "(CSV log of Postgres)" in found.text
    assert found.is_whole, found.text
    plan = compile_program(Source("p.lars", found.text))
    reading = Reading(timeline=Timeline.of(plan), declarations=plan.inputs, decimals=plan.decimals)
    rejected: list[Rejected] = []
    read = [fact for record in read_file(path, reading, rejected.append) for _, fact in _facts(plan, record)]
    assert not rejected
    assert read == [
        ("logged", (f"u{text}", "shop", 100 + n, "192.0.2.1:5432", "ERROR", "42P01", f"no {text}"))
        for n, text in enumerate(texts)
    ]
