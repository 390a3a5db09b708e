"""Files of typed columns: their first bytes say what they are."""

import shutil
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import feather, ipc, parquet

from lars2asp import Reading, read_file
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.reading import Format
from lars2asp.syntax.parser import parse_input_declaration

DECLARED = [parse_input_declaration("q(x) at time")]


@pytest.fixture(params=["parquet", "feather", "stream"])
def typed(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file that is written in a format, with a name that does not say it."""
    table, path = pa.table({"time": [1, 3], "x": [2, 4]}), tmp_path / "typed"
    match request.param:
        case "parquet":
            parquet.write_table(table, path)
        case "feather":
            feather.write_feather(table, str(path))
        case _:
            with pa.OSFile(str(path), "wb") as file, ipc.new_stream(file, table.schema) as written:
                written.write_table(table)
    return path


@pytest.mark.parametrize("form", [Format.PARQUET, Format.FEATHER])
@pytest.mark.parametrize(
    "name", ["data", "data.dat", "data.csv", "data.arrow", "data.parquet", "data.feather"]
)
def test_a_format_that_is_said_reads_files_of_every_ending(typed: Path, name: str, form: Format) -> None:
    shutil.copy(typed, path := typed.parent / name)
    found = [*read_file(path, Reading(form, declarations=DECLARED))]
    assert [(one.tick, atoms.rows) for one in found for atoms in one.events.facts] == [
        (1, [(2,)]),
        (3, [(4,)]),
    ]


@pytest.mark.parametrize("name", ["data.arrow", "data.parquet", "data.feather"])
def test_an_ending_reads_each_of_these_formats(typed: Path, name: str) -> None:
    shutil.copy(typed, path := typed.parent / name)
    assert [one.tick for one in read_file(path, Reading(declarations=DECLARED))] == [1, 3]


@pytest.mark.parametrize("name", ["data.arrow", "data.parquet"])
def test_other_files_are_none(tmp_path: Path, name: str) -> None:
    for text in ("", "PAR", "time,x\n1,2\n"):
        (tmp_path / name).write_text(text)
        with pytest.raises(InputError, match="this is no Parquet or Arrow file"):
            [*read_file(tmp_path / name, Reading(declarations=DECLARED))]
