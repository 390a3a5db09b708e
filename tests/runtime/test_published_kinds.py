"""What `check --input` proposes for files as people publish them reads every row that a person would."""

import json
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.command_line.input_check import proposal
from lars2asp.runtime.sources.records import Rejected
from tests.support.published_kinds import KINDS, Kind

_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|[^,]+')


def test_there_are_forty_kinds() -> None:
    assert len(KINDS) >= 40


@pytest.mark.parametrize("file", KINDS)
def test_what_is_proposed_reads_what_a_person_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    kind = KINDS[file]
    path = tmp_path / kind.file
    path.write_bytes(kind.content)
    said = proposal(str(path))
    told = re.sub(r"(?m)^#held.*\n", "", said)  # at the ticks of readings alone
    arities = {len(one.columns) for one in Reasoner.from_text(told).plan.inputs}
    reasoner = Reasoner.from_text(told + "".join(f"#show reading/{arity}.\n" for arity in arities))
    rejected: list[Rejected] = []
    answers = reasoner.run(path, every=1, on_reject=rejected.append)
    read = {(answer.tick, _values(atom)) for answer in answers for atom in answer.holds.texts}
    assert not rejected, said
    declared = [[str(one.name) for one in each.columns] for each in reasoner.plan.inputs]
    assert {*kind.columns} == {name for names in declared for name in names}, said
    assert read == {fact for names in declared for fact in _facts(kind, names, reasoner)}, said


def _facts(kind: Kind, names: list[str], reasoner: Reasoner) -> set[tuple[int, tuple[object, ...]]]:
    """What rows tell of columns, where they have them all, at ticks."""
    length = reasoner.plan.tick_length
    places = [kind.columns.index(name) for name in names]
    found = set[tuple[int, tuple[object, ...]]]()
    for at, values in kind.rows:
        told = tuple(values[place] for place in places)
        if isinstance(at, datetime):
            assert length is not None
            tick = (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=length)
        else:
            tick = at
        if None not in told:
            found.add((tick, told))
    return found


def _values(atom: str) -> tuple[object, ...]:
    """The arguments of an atom: texts, and numbers."""
    inner = atom[atom.index("(") + 1 : -1]
    cells = [match[0] for match in _VALUE.finditer(inner)]
    return tuple(json.loads(cell) if cell.startswith('"') else Decimal(cell) for cell in cells)
