"""The ten jobs: the five, eight rules about fraud, the four."""

from collections.abc import Mapping

from experiments.jobs.five import FIVE
from experiments.jobs.four import FOUR
from experiments.jobs.fraud import FRAUD
from experiments.jobs.job import Job

TEN: Mapping[str, Job] = {**FIVE, "fraud": FRAUD, **FOUR}
"""By their names."""
