"""The settings of a run."""

import pytest

from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.command.run_settings import RunSettings


def test_figures_of_inputs_have_no_passwords() -> None:
    """Other inputs are called as they are given."""
    pytest.importorskip("redis")
    pytest.importorskip("paho.mqtt")
    addresses = ("redis://me:s3cret@a/s", "mqtt://me:s3cret@a/t", "-", "in.jsonl")
    settings = RunSettings(Session, addresses)
    assert settings.names == ("redis://a:6379/s", "mqtt://a:1883/t", "-", "in.jsonl")
