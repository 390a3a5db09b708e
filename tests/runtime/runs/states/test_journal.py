"""What came of a source that cannot be read again is there again after an interruption."""

from pathlib import Path
from typing import Any

import pytest

from lars2asp.__main__ import main
from lars2asp.runtime.connectors.inbox import ArrivedLine
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.reasoning.snapshot import unpacked
from lars2asp.runtime.runs.states.checkpoints import KEPT, open_checkpoints
from lars2asp.runtime.runs.states.journal import Journal, read_journal
from lars2asp.runtime.sources.records import Line


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The state of a run that has just begun."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "program.lars").write_text("a :- p.")
    (folder / "input.jsonl").write_text("")
    files = ("--input", str(folder / "input.jsonl"), "--output", str(folder / "out"))
    assert main(["run", str(folder / "program.lars"), *files, "--checkpoint", str(folder / "state")]) == 0
    return unpacked(next((folder / "state").glob("*.checkpoint")).read_bytes())


def arrived(*numbers: int) -> list[ArrivedLine]:
    return [ArrivedLine(1000 + number, Line("tcp:x", number, f"p({number}) \udcff é")) for number in numbers]


def test_lines_come_back_as_they_were(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.add(arrived(1, 2))
    journal.add([ArrivedLine(7, None)])
    journal.close()
    assert read_journal(tmp_path / "j") == [*arrived(1, 2), ArrivedLine(7, None)]


@pytest.mark.parametrize("tail", [b"00000000 [[1", b"12345678 []\n", b"\n", b"x"])
def test_what_is_not_whole_is_cut_off(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "j"
    journal = Journal(path)
    journal.add(arrived(1))
    journal.close()
    path.write_bytes(path.read_bytes() + tail)
    assert read_journal(path) == arrived(1)
    journal = Journal(path)
    journal.add(arrived(2))
    journal.close()
    assert read_journal(path) == arrived(1, 2)


def test_a_journal_follows_its_checkpoint(tmp_path: Path, state: dict[str, Any]) -> None:
    with open_checkpoints(str(tmp_path)) as checkpoints:
        checkpoints.note(arrived(1))
        for number in range(1, 5):
            checkpoints.save(state)
            checkpoints.note(arrived(10 * number))
            checkpoints.note(arrived(10 * number + 1))
    assert len([*tmp_path.glob("*.journal")]) == KEPT
    with open_checkpoints(str(tmp_path)) as checkpoints:
        checkpoints.load()
        assert checkpoints.noted() == arrived(40, 41)
        checkpoints.note(arrived(42))
    with open_checkpoints(str(tmp_path)) as checkpoints:
        checkpoints.load()
        assert checkpoints.noted() == arrived(40, 41, 42)


def test_journals_of_a_damaged_checkpoint_and_the_one_before(tmp_path: Path, state: dict[str, Any]) -> None:
    with open_checkpoints(str(tmp_path)) as checkpoints:
        for number in (1, 2):
            checkpoints.save(state)
            checkpoints.note(arrived(number))
    max(tmp_path.glob("*.checkpoint")).write_bytes(b"damaged")
    with open_checkpoints(str(tmp_path)) as checkpoints:
        checkpoints.load()
        assert checkpoints.noted() == arrived(1, 2)


def test_a_journal_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("")
    (tmp_path / "000000000000.journal").symlink_to("elsewhere")
    with (
        open_checkpoints(str(tmp_path)) as checkpoints,
        pytest.raises(SnapshotError, match="cannot write the journal of the input"),
    ):
        checkpoints.note(arrived(1))
