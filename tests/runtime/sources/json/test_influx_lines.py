"""The line protocol of InfluxDB: lines are records with fields of their own."""

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lars2asp import Reading
from lars2asp.runtime.command_line.input_check import proposals
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import PassedOver, Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.command_line import lines, run

AT = 1_769_954_707
DECLARED = 'w(tags.place, text(fields.said) or "", int(fields.n)) at time "%n" where measurement = "w"'
READING = Reading(Format.INFLUX, Timeline(1_000_000), declarations=[parse_input_declaration(DECLARED)])


def told(records: list[Record]) -> list[tuple[int, tuple[object, ...]]]:
    return [(one.tick, row) for one in records for atoms in one.events.facts for row in atoms.rows]


def escaped(text: str, signs: str) -> str:
    return "".join(f"\\{sign}" if sign in signs else sign for sign in text)


def line(place: str, said: str, n: int, at: int) -> str:
    said = escaped(said, '"\\')
    return f'w,place={escaped(place, ", =")} said="{said}",n={n}i {at}000000000'


NAMES = st.text(st.sampled_from("ab ,=ü-"), min_size=1, max_size=6)
TEXTS = st.text(st.sampled_from('ab ,="\\ü '), max_size=8)


@given(st.lists(st.tuples(NAMES, TEXTS, st.integers(-(2**60), 2**60)), max_size=6))
def test_lines_give_what_was_written(written: list[tuple[str, str, int]]) -> None:
    text = [line(place, said, n, AT + k) for k, (place, said, n) in enumerate(written)]
    rejected: list[Any] = []
    records = [*READING.records([f"{one}\n" for one in text], "x", rejected.append)]
    assert not rejected
    assert told(records) == [(AT + k, one) for k, one in enumerate(written)]


def test_other_lines_are_passed_over_or_rejected(tmp_path: Path) -> None:
    text = [
        "# a comment",
        "w f=1 1769954707000000000",
        "other f=1 1769954707000000000",
        "w,place=a n=1i",
        "w n",
        line("a", "b", 2, AT),
    ]
    path = tmp_path / "w.txt"
    path.write_text("".join(f"{one}\n" for one in text))
    rejected: list[Rejected] = []
    assert told([*read_file(path, READING, rejected.append)]) == [(AT, ("a", "b", 2))]
    assert [type(one) is PassedOver for one in rejected] == [True, False, False]
    assert "no field 'time'" in rejected[1].reason
    assert "does not follow the line protocol" in rejected[2].reason


def test_check_proposes_and_run_reads(tmp_path: Path) -> None:
    text = [f"room,name=hall temp={20 + n}.5 {AT + 60 * n}000000000" for n in range(20)]
    (tmp_path / "r.txt").write_text("".join(f"{one}\n" for one in text))
    found = proposals([str(tmp_path / "r.txt")], Reading())
    assert "(line protocol of InfluxDB)" in found.text
    assert "?format=influx" in found.text
    assert not found.is_whole
    proposed = run(tmp_path, "check", "--input", "r.txt?format=influx").stdout
    assert 'at time "%n".' in proposed
    assert "fields.temp" in proposed
    [declared] = [one for one in proposed.splitlines() if one.startswith("#input")]
    names = ",".join("ABCDEF"[: declared.partition(" at ")[0].count(",") + 1])
    rule = f"n(N) :- N = #count {{ {names} : reading({names}) in [1 hour] }}.\n#show n/1.\n"
    (tmp_path / "p.lars").write_text(f"{proposed}{rule}")
    answers = lines(run(tmp_path, "run", "p.lars", "--input", "r.txt?format=influx").stdout)
    assert answers[-1]["atoms"] == ["n(20)"]
