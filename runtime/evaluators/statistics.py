"""What a reasoner has done and what it cost."""

from dataclasses import dataclass

from lars2asp.runtime.evaluators.choice import EvaluatorName
from lars2asp.runtime.evaluators.meter import Cost


@dataclass(frozen=True)
class ComponentStatistics:
    """A component of the program.

    Attributes:
        predicates: what it derives, as text.
        evaluator: what evaluates it now.
        cost: what it has cost since the reasoner was made; None where that is not measured.
    """

    predicates: str
    evaluator: EvaluatorName
    cost: Cost | None


@dataclass(frozen=True)
class Statistics:
    """What a reasoner has done so far, with what was done before the snapshot that it went on from.

    Attributes:
        ticks: how many ticks were evaluated.
        passed_over: how many others are over: nothing could change at them.
        facts: how many atoms were told, begun and ended ones too.
        intervals: how many intervals the database holds now, those of background data too.
        atoms: how many atoms these are of.
        memory: the bytes of main memory that the process has.
        components: the program's components, lowest first; before the first tick none. Where the input made
            the whole program take over, it comes after them.
    """

    ticks: int
    passed_over: int
    facts: int
    intervals: int
    atoms: int
    memory: int
    components: tuple[ComponentStatistics, ...]
