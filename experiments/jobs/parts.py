"""The parts of the measurement."""

from collections.abc import Mapping

from experiments.jobs import rules, whole
from experiments.jobs.part import Part

PARTS: Mapping[str, Part] = {
    "whole": whole.tables,
    "rules": rules.tables,
}
"""By their names."""
