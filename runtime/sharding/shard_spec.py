"""Which shard a reasoner evaluates, and how; the fingerprint of that, which checkpoints bear."""

from dataclasses import field
from functools import cached_property

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.sharding.layout import Routes, Shard
from lars2asp.runtime.tuning import DEFAULT, Tuning
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.values import dataclass

ANOTHER_RUN = (
    "the checkpoint is of another program, of other options or of another number of partitions: "
    "name another checkpoint folder"
)

_FORM = "columns-"
"""Fingerprints begin with it; those of versions whose packets had another form do not."""


@dataclass(frozen=True)
class ShardSettings:
    """How the program is run; the same for all shards.

    Attributes:
        semantics: how windows over derived atoms are read.
        start: the first tick of the timeline; None for that of the first record.
        complete_windows: whether `always`, `not` and `at most` need windows wholly on the timeline.
        evaluator: which evaluator to use.
        functions: an object with `@`-functions; others than before may be given to go on.
        clingo: options of clingo, which Controls are made with.
        tuning: thresholds. A new base comes after a work of `shard_journal` at least, counted in input atoms,
            batches and evaluated ticks. Where a program may have several answer streams it is
            `work_between_states`, without batches: evaluation begins anew at the places of a run in process,
            so that both follow the same ones.
        largest_interval: the number of values that one interval may have at a tick.
    """

    semantics: Semantics
    start: int | None = None
    complete_windows: bool = False
    evaluator: EvaluatorName = EvaluatorName.AUTO
    functions: object = field(default=None, repr=False)
    clingo: tuple[str, ...] = field(default=(), repr=False)
    tuning: Tuning = field(default=DEFAULT, repr=False)
    largest_interval: int = field(default=LARGEST_INTERVAL, repr=False)


@dataclass(frozen=True)
class ShardSpec:
    """A shard, and how its reasoner is made.

    Attributes:
        shard: which shard.
        settings: how it runs.
        routes: the shards above, to which derived atoms go.
        carrier: the carrier's own options that the state depends on, as text.
        told: the routes of the input to all shards; None where nobody counts what is rejected.
    """

    shard: Shard
    settings: ShardSettings
    routes: Routes
    carrier: str = ""
    told: Routes | None = field(default=None, repr=False)

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the program, the options and the place among the shards; kept in checkpoints."""
        shard = self.shard
        keys = sorted(shard.part.keys.items())
        settings = self.settings
        options = (shard.number, shard.bucket, shard.buckets, keys, settings, self.carrier, *settings.clingo)
        if settings.largest_interval != LARGEST_INTERVAL:
            options = (*options, settings.largest_interval)
        program = [to_text(statement) for statement in shard.part.program.statements]
        return _FORM + fingerprint((options, program))


def check_fingerprint(kept: str, spec: ShardSpec) -> None:
    """Raises SnapshotError for the fingerprint of other packets, another program, options or shards."""
    if not kept.startswith(_FORM):
        raise SnapshotError(
            "the checkpoint is of another version of lars2asp: go on with that version, "
            "or name another checkpoint folder"
        )
    if kept != spec.fingerprint:
        raise SnapshotError(ANOTHER_RUN)
