"""The parts of the measurement."""

from collections.abc import Mapping

from experiments.jobs import compiling, early, fraud, held, output, reading, rules, statistics, whole
from experiments.jobs.part import Part

PARTS: Mapping[str, Part] = {
    "whole": whole.tables,
    "held": held.tables,
    "rules": rules.tables,
    "fraud": fraud.tables,
    "reading": reading.tables,
    "output": output.tables,
    "compiling": compiling.tables,
    "statistics": statistics.tables,
    "early": early.tables,
}
"""By their names."""
