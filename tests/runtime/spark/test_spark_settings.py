"""The settings of Spark, and the keyword arguments that are made into them."""

from dataclasses import fields

import pytest

from lars2asp.compiler import Overrides
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.sources.times.timeline import TimeUnit
from lars2asp.runtime.spark.spark_settings import Partitioning, RowForm, SparkOptions, SparkSettings


def test_keyword_arguments_are_settings_and_overrides_of_the_program() -> None:
    settings = {field.name for field in fields(SparkSettings)}
    overrides = {field.name for field in fields(Overrides)} - {"functions", "is_found"}
    assert {*SparkOptions.__annotations__} == settings | overrides | {"tables", "trusted", "dialect"}


def test_settings_of_keyword_arguments() -> None:
    """Texts stand for names; what overrides the program is not a setting."""
    options = SparkOptions(
        split="pipelined",
        input_format="facts",
        evaluator="delta",
        time_unit="tick",
        lateness="3 sec",
        tick="1 sec",
    )
    assert SparkSettings.of(options) == SparkSettings(
        Partitioning.PIPELINED,
        input_format=RowForm.FACTS,
        evaluator=EvaluatorName.DELTA,
        time_unit=TimeUnit.TICK,
        lateness="3 sec",
    )
    assert SparkSettings.of({}) == SparkSettings()
    with pytest.raises(ValueError, match="fastest"):
        SparkSettings.of({"evaluator": "fastest"})
