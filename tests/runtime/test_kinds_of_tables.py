"""What `check --input` proposes for tables of many trades is right at once, or its status is 1."""

from pathlib import Path

import pytest

from tests.support.kinds.kind import Kind
from tests.support.kinds.outcomes import faults, proposal_of
from tests.support.kinds.tables import TABLES


@pytest.mark.parametrize("kind", TABLES, ids=lambda kind: kind.file)
def test_proposals_are_right_or_say_what_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    monkeypatch.setenv("TZ", kind.zone)
    found = proposal_of(kind, tmp_path)
    assert [*faults(kind, found, tmp_path)] == [], found.text


def test_most_are_right() -> None:
    assert sum(not kind.refusal for kind in TABLES) >= 130
