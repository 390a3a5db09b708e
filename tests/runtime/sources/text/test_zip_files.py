"""A zip file is the folder of the files in it; of one file it is that file."""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest

from lars2asp import Reading
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import input_at, read_file
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.command_line import lines, run

READING = Reading(timeline=Timeline(1_000_000), declarations=[parse_input_declaration("r(s, int(v)) at t")])
DAYS = {f"day-{day}.csv": f"t,s,v\n{day}0,a,{day}\n{day}5,b,{day}\n" for day in (2, 10, 1)}


def refuse(rejected: Rejected) -> None:
    raise AssertionError(str(rejected))


def zipped(path: Path, files: Mapping[str, str | bytes], packing: int = zipfile.ZIP_DEFLATED) -> str:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return str(path)


def told(records: list[Record]) -> list[tuple[int, object]]:
    return [(one.tick, row) for one in records for atoms in one.events.facts for row in atoms.rows]


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_several_files_are_those_of_a_folder(tmp_path: Path, packing: int) -> None:
    more = {".hidden": "x", "__MACOSX/day-1.csv": "x"}
    path = zipped(tmp_path / "days.zip", DAYS | more, packing)
    folder = tmp_path / "days"
    folder.mkdir()
    for name, text in DAYS.items():
        (folder / name).write_text(text)
    found = [*read_file(path, READING, refuse)]
    assert len(found) == 6
    assert told(found) == told([*read_file(folder, READING, refuse)])
    assert found[0].origin is not None
    assert found[0].origin.source == f"{path}/day-1.csv"


def test_one_file_is_that_file(tmp_path: Path) -> None:
    path = zipped(tmp_path / "one.ZIP", {"sub/readings.jsonl": '{"t":3,"s":"a","v":7}\n'})
    assert told([*read_file(path, READING, refuse)]) == [(3, ("a", 7))]
    assert told([*read_file(f"{path}/sub/readings.jsonl", READING, refuse)]) == [(3, ("a", 7))]


def test_typed_and_packed_files_in_it(tmp_path: Path) -> None:
    frame = pd.DataFrame({"t": [1, 2], "s": ["a", "b"], "v": [5, 6]})
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv.xz", index=False)
    for name in ("t.parquet", "t.csv.xz"):
        path = zipped(tmp_path / "t.zip", {name: (tmp_path / name).read_bytes()})
        assert told([*read_file(path, READING, refuse)]) == [(1, ("a", 5)), (2, ("b", 6))]


def test_it_goes_on_in_the_middle(tmp_path: Path) -> None:
    path = zipped(tmp_path / "days.zip", DAYS)
    expected = told([*read_file(path, READING, refuse)])
    for number in range(1, 6):
        with input_at(path, READING, refuse) as first:
            records = first.records()
            for _ in range(number):
                next(records)
            state = json.loads(json.dumps(first.state()))
        with input_at(path, READING, refuse) as again:
            again.restore(state)
            assert told([*again.records()]) == expected[number:]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_bytes(b"PK\3\4 no")
    with pytest.raises(InputError, match=r"no\.zip: this is not a zip file"):
        input_at(str(tmp_path / "no.zip"), READING, refuse)
    path = zipped(tmp_path / "empty.zip", {})
    with pytest.raises(InputError, match="this folder is empty: add files, or name another folder"):
        input_at(path, READING, refuse)
    with pytest.raises(InputError, match=r"this archive does not contain x\.csv"):
        [*read_file(f"{path}/x.csv", READING, refuse)]
    path = zipped(tmp_path / "cut.zip", {"a.csv": "t,s,v\n" + "1,a,2\n" * 9999})
    data = bytearray(Path(path).read_bytes())
    data[60:70] = b"\xff" * 10
    Path(path).write_bytes(data)
    with pytest.raises(InputError, match=r"cut\.zip/a\.csv: the compressed file is damaged"):
        [*read_file(path, READING, refuse)]


def test_check_and_run_take_it(tmp_path: Path) -> None:
    rows = "".join(f"2026-02-01T14:{n:02}:00Z,hall,{n}\n" for n in range(30))
    zipped(tmp_path / "r.zip", {"readings.csv": f"time,room,temp\n{rows}"})
    proposed = run(tmp_path, "check", "--input", "r.zip").stdout
    assert "#input reading(room, temp) at time." in proposed
    (tmp_path / "p.lars").write_text(f"{proposed}hot(R) :- reading(R,T), T > 28.\n#show hot/1.\n")
    assert len(lines(run(tmp_path, "run", "p.lars", "--input", "r.zip").stdout)) > 0
    done = run(tmp_path, "run", "p.lars", "--input", "r.zip", "--follow", status=2)
    assert "lars2asp cannot follow a compressed file" in done.stderr
