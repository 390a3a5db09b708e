"""What a run in blocks keeps does not grow with the stream."""

import gc
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import pytest

from lars2asp.compiler import compile_program
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.flow.evaluator import FlowEvaluator
from lars2asp.runtime.output import Version
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.data_time import DataTimeRun
from lars2asp.runtime.sources.record_columns import FactColumn, RecordColumns
from lars2asp.runtime.sources.records import Record, refuse
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import Source
from tests.support.processes import completed

P, Q = Signature("p", 1), Signature("q", 1)
TICKS, TIMES = 60, 60
COUNTED = (Version, RecordColumns, Record, Events, chain)


def told(tick: int) -> Record:
    """A fact; now and then an atom begins, and soon ends, which ends a block."""
    place = tick % TICKS
    if place in (55, 56):
        atoms = (AtomRows(Q, [(1,)]),)
        return Record(tick, Events(begin=atoms) if place == 55 else Events(end=atoms))
    return Record(tick, Events((AtomRows(P, [(tick,)]),)))


def in_columns(number: int) -> Iterator[Sequence[Record]]:
    """Facts alone, so many at once."""
    for first in range(0, TICKS * TIMES, number):
        ticks = [*range(first, first + number)]
        yield RecordColumns(ticks, [FactColumn(P, [(tick,) for tick in ticks])], [None] * number)


@dataclass(frozen=True)
class Kept:
    """What was seen at the blocks of a run.

    Attributes:
        objects: how many objects of the kinds that are counted there were at each block.
        frozen: how many of all kinds the garbage collector left aside, now and then.
        answers: how many there were.
    """

    objects: list[int]
    frozen: list[int]
    answers: int


def over_a_stream(columns: int) -> str:
    """What is seen of a run over all of it, as JSON. In a process of its own: what was there is frozen."""
    kept: list[int] = []
    frozen: list[int] = []
    block = FlowEvaluator.block

    def counted(self: FlowEvaluator, *args: object) -> object:
        if len(kept) % 40 == 0:  # Python counts them one by one
            frozen.append(gc.get_freeze_count())
        gc.collect()
        found = Counter(type(one) for one in gc.get_objects() if isinstance(one, COUNTED))
        kept.append(found.total())
        return block(self, *args)  # type: ignore[arg-type]

    FlowEvaluator.block = counted  # type: ignore[assignment, method-assign]
    plan = compile_program(Source("r.lars", "a(X) :- p(X) in [2]. b(X) :- q(X), p(X)."))
    tuning = Tuning(block_facts=20, between_blocks=1)
    session = Session(plan, tuning=tuning, evaluator="flow")
    answers = 0
    gc.freeze()  # what is there before is not looked through at each block

    def write_all(some: Iterator[object]) -> None:
        nonlocal answers
        answers += sum(1 for _ in some)

    run = DataTimeRun(session, None, lambda _: None, refuse, in_blocks=write_all)  # type: ignore[arg-type]
    if columns:
        run.over_blocks(in_columns(columns), None)
    else:
        run.over(map(told, range(TICKS * TIMES)), None)
    return json.dumps(vars(Kept(kept, frozen, answers)))


@pytest.mark.parametrize("columns", [0, 90])
def test_nothing_of_what_is_over_is_kept(columns: int) -> None:
    code = f"from {__name__} import over_a_stream; print(over_a_stream({columns}))"
    seen = Kept(**json.loads(completed([sys.executable, "-c", code]).stdout))
    quarter = len(seen.objects) // 4
    assert quarter > TIMES // 2
    assert seen.answers > TICKS * TIMES // 2
    assert max(seen.objects[-quarter:]) <= max(seen.objects[quarter : 2 * quarter])
    assert len(seen.frozen) > 2
    assert seen.frozen[-1] <= seen.frozen[0], "what is frozen and then replaced is never freed"
