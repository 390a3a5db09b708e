"""Settings after the address of an output, and of an input of Spark, are the options of their names."""

from pathlib import Path
from typing import Any

import click
import pytest

from lars2asp.runtime.command_line.address_settings import take_settings
from tests.support.command_line import run


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    (tmp_path / "p.lars").write_text("#tick 1 min.\nhot(R) :- temp(R,T), T > 25.\n")
    (tmp_path / "in").write_text('{"time": 0, "facts": ["temp(hall,26)"]}\n{"time": 1}\n')
    return tmp_path


@pytest.mark.parametrize(
    ("own", "options"),
    [
        ("?changes=yes&times=yes", ("--changes", "--times")),
        ("?format=csv", ("--output-format", "csv")),
        ("?format=csv&intervals=yes", ("--output-format", "csv", "--intervals")),
        ("?changes=no", ()),
        ("?format=csv&spreadsheet=yes", ("--output-format", "csv")),
    ],
)
def test_settings_of_an_output_are_options(rooms: Path, own: str, options: tuple[str, ...]) -> None:
    run(rooms, "run", "p.lars", "--input", "in", "--output", f"out{own}")
    run(rooms, "run", "p.lars", "--input", "in", "--output", "other", *options)
    assert (rooms / "out").read_text() == (rooms / "other").read_text()


def test_settings_of_an_output_override_options(rooms: Path) -> None:
    run(rooms, "run", "p.lars", "--input", "in", "--output", "out?changes=no", "--changes")
    assert "began" not in (rooms / "out").read_text()


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("?changes=maybe", "out?...: changes: write yes or no, not 'maybe'"),
        ("?times=yes&times=no", "out?...: times needs one value"),
        ("?format=xml", "out?...: format: 'xml' is not one of"),
        ("?retry-for=soon", "out?...: retry-for: 'soon' is not a duration such as '2 sec'"),
    ],
)
def test_wrong_settings_are_named(rooms: Path, own: str, said: str) -> None:
    assert said in run(rooms, "run", "p.lars", "--input", "in", "--output", f"out{own}", status=2).stderr


def test_a_file_with_such_a_name_and_a_server_have_no_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out?changes=yes").touch()
    options: dict[str, Any] = {}
    for address in ("out?changes=yes", "https://host/path?format=csv", "out", "nats://host/a?core"):
        assert take_settings(options, "output", address, "run") == address
    assert options == {}
    assert take_settings(options, "output", "amqp://host/v?queue=q&retry-for=1 min", "run") == (
        "amqp://host/v?queue=q"
    )
    assert options == {"retry_for": 60_000_000}


def test_spark_has_the_settings_of_its_options() -> None:
    options: dict[str, Any] = {"input_format": "jsonl", "lateness": None}
    assert take_settings(options, "input", "in?format=csv&lateness=5 min", "spark") == "in"
    assert options == {"input_format": "csv", "lateness": "5 min"}
    with pytest.raises(click.UsageError, match="lars2asp spark has no setting missing"):
        take_settings(options, "input", "in?missing=NULL", "spark")
    with pytest.raises(click.UsageError, match="lars2asp spark has no setting times"):
        take_settings(options, "output", "out?times=yes", "spark")
