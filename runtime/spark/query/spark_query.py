"""What the streaming query of the command reads and writes, and where it runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lars2asp.runtime.spark.query.inputs import SparkInput


@dataclass(frozen=True)
class SparkQuery:
    """A streaming query from input to output.

    Attributes:
        input: where rows come from.
        output: the folder where answers go.
        checkpoint: the folder with what an interrupted run needs to go on.
        until: a time up to which all ticks are over in the end; None: the last ones stay open.
        is_followed: whether it goes on until it is interrupted.
        master: where Spark runs.
        config: settings of Spark.
    """

    input: SparkInput
    output: str
    checkpoint: Path
    until: str | None = None
    is_followed: bool = False
    master: str = "local[*]"
    config: Mapping[str, str] = field(default_factory=dict)
