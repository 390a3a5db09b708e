"""The settings of a run."""

from pathlib import Path

import pytest

from lars2asp.runtime.command_line.run_command import run_command, settings_of
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.command.run_settings import (
    AT_ADDRESSES,
    BODY,
    CONSTANTS,
    FUNCTIONS,
    PROGRAM,
    RunSettings,
)
from lars2asp.runtime.settings.table import SETTINGS
from lars2asp.runtime.tuning import DEFAULT

SAID_BY = {
    "const": CONSTANTS,
    "functions": FUNCTIONS,
    "multiline": AT_ADDRESSES,
    "output_body": BODY,
    "show": PROGRAM,
}
"""The settings that a checkpoint keeps under other names than their own."""


def test_figures_of_inputs_have_no_passwords() -> None:
    """Other inputs are called as they are given."""
    pytest.importorskip("redis")
    pytest.importorskip("paho.mqtt")
    addresses = ("redis://me:s3cret@a/s", "mqtt://me:s3cret@a/t", "-", "in.jsonl")
    settings = RunSettings(Session, addresses)
    assert settings.names == ("redis://a:6379/s", "mqtt://a:1883/t", "-", "in.jsonl")


def test_checkpoints_keep_the_settings_that_the_table_says(tmp_path: Path) -> None:
    """Each that must stay as it is when a run resumes, and no other one."""
    (tmp_path / "p.lars").write_text("a :- p.\n")
    options = run_command.make_context("run", [str(tmp_path / "p.lars")]).params
    must_stay = [one for one in SETTINGS.values() if one.is_state]
    assert {one.name for one in must_stay} >= SAID_BY.keys()
    assert settings_of(options, DEFAULT).fixed.keys() == {
        *SAID_BY.values(),
        *(one.label for one in must_stay if one.name not in SAID_BY),
    }
