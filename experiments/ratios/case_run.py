"""A run of a random program by one evaluator, in a process of its own that may take no more than so much."""

import logging
import os
import pickle
import resource
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from experiments.ratios.random_program import RandomCase
from lars2asp.runtime.reasoner import Reasoner


@dataclass(frozen=True)
class CaseRun:
    """What came of a run.

    Attributes:
        ticks: the number of ticks.
        seconds: the processor time of their evaluation.
        peak: the most memory of the process, in MiB.
        answers: what is compared, tick by tick.
        evaluators: the evaluators of components.
    """

    ticks: int
    seconds: float
    peak: float
    answers: Sequence[object]
    evaluators: tuple[str, ...]


def run_of(
    case: RandomCase, evaluator: str, *, ticks: int, enough: float, seconds: int, memory: int
) -> CaseRun | str:
    """What comes of a run, or how it ended before.

    Args:
        case: the program.
        evaluator: the evaluator.
        ticks: how many ticks at most.
        enough: after so many seconds of the processor there are no more ticks.
        seconds: what it may take at all.
        memory: the bytes of its address space.
    """
    read_end, write_end = os.pipe()
    child = os.fork()
    if not child:
        os.close(read_end)
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            logging.disable(logging.WARNING)
            found = _run(case, evaluator, ticks, enough)
            with os.fdopen(write_end, "wb") as out:
                pickle.dump(found, out)
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as given:
        data = given.read()
    _, status = os.waitpid(child, 0)
    if data:
        found = pickle.loads(data)
        assert isinstance(found, CaseRun | str)
        return found
    return f"signal {signal.Signals(status & 127).name}" if status & 127 else "no answer"


def _run(case: RandomCase, evaluator: str, ticks: int, enough: float) -> CaseRun | str:
    try:
        reasoner = Reasoner.from_text(case.program, evaluator=evaluator)
        answers: list[object] = []
        taken = 0.0
        for tick, facts in enumerate(islice(case.stream(), ticks)):
            began = time.thread_time()
            answer = reasoner.step(tick, facts)
            taken += time.thread_time() - began
            seen = sorted(map(str, answer.holds.texts)) if case.is_certain else None
            answers.append((answer.satisfiable, answer.cost, seen))
            if taken > enough:
                break
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    names = tuple(str(one.evaluator) for one in reasoner.statistics.components)
    return CaseRun(len(answers), taken, peak, answers, names)
