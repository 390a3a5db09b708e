"""The parts of the measurement."""

from collections.abc import Mapping

from experiments.jobs import asp, between, compiling, early, held, output, reading, rules, statistics, whole
from experiments.jobs.nexmark import measure as nexmark
from experiments.jobs.part import Part

PARTS: Mapping[str, Part] = {
    "whole": whole.tables,
    "asp": asp.tables,
    "nexmark": nexmark.tables,
    "held": held.tables,
    "rules": rules.tables,
    "reading": reading.tables,
    "output": output.tables,
    "compiling": compiling.tables,
    "statistics": statistics.tables,
    "early": early.tables,
    "between": between.tables,
}
"""By their names."""
