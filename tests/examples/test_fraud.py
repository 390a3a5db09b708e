"""The rules about payments pass their tests, which see all of them, and find what plain Python finds."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

from examples.fraud.__main__ import PROGRAM, found, main, written
from examples.fraud.by_hand import Alerts, changes
from examples.fraud.payments import payments
from lars2asp.spark import answers_of
from tests.support.command_line import run
from tests.support.pages import ROOT

PAYMENTS = [*payments(200, seed=15)]
"""Few, among which there are alerts of all kinds."""


def test_the_rules_pass_their_tests() -> None:
    said = run(ROOT, "test", "examples/fraud", "--coverage", "--quiet").stdout
    assert said == ("16 of 16 rules fired, 30 of 30 literals made a difference\n8 cases passed, 0 failed\n")


@pytest.mark.parametrize(
    "options",
    [("--evaluator", "delta"), ("--evaluator", "flow"), ("-c", "most=3", "--evaluator", "flow")],
)
def test_alerts_are_those_of_plain_python(options: tuple[str, ...], tmp_path: Path) -> None:
    """Also with another threshold."""
    expected = dict(changes(PAYMENTS, 3 if options[0] == "-c" else 5))
    assert found(written(PAYMENTS, tmp_path / "payments.csv"), *options) == expected
    reasons = {reason for here in expected.values() for _, reason in here}
    assert {"amount", "blocked", "crowd", "travel", "tried", "velocity"} <= reasons


def test_the_command_compares() -> None:
    said = CliRunner().invoke(main, ["--number", "300"]).output
    assert said.startswith("300 payments: ")


def test_dormant_cards(tmp_path: Path) -> None:
    """They need more time than the payments above have."""
    few = [one._replace(time=one.time + (one.time - PAYMENTS[0].time) * 500) for one in PAYMENTS]
    reasons = {reason for _, here in changes(few) for _, reason in here}
    assert "dormant" in reasons
    assert found(written(few, tmp_path / "payments.csv"), "--evaluator", "delta") == dict(changes(few))


def test_alerts_on_spark(spark: SparkSession, tmp_path: Path) -> None:
    few = PAYMENTS[:120]
    path = written(few, tmp_path / "payments.csv")
    table = spark.read.csv(str(path), header=True)
    here: dict[int, Alerts] = {}
    for row in answers_of(table, PROGRAM, "alert/2", intervals=True).collect():
        for tick in range(row.begin, row.end):
            here.setdefault(tick, set()).add((row[-2], row[-1]))
    expected: dict[int, Alerts] = {}
    last, before = 0, Alerts()
    for tick, now in changes(few):
        if before:  # else it would count up from 1970
            expected |= dict.fromkeys(range(last, tick), before)
        last, before = tick, now
    assert here == expected
    assert expected
