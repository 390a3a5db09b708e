"""Programs of runs on Spark that are killed are of the kinds that they stand for."""

import random

from experiments.endurance.spark_programs import RUNS, random_run
from lars2asp import Reasoner
from tests.support.splits import split_of


def test_random_programs_split_by_their_rooms() -> None:
    choose = random.Random(1)
    for number in range(12):
        run = random_run(choose, number)
        split = split_of(run.program, pipelined=run.partition == "pipelined")
        assert any(part.keys for part in split.parts), run.program


def test_blocks_are_had_by_all_parts() -> None:
    run = RUNS["blocks"]
    Reasoner.from_text(run.program, evaluator=run.evaluator)  # else it is refused
    assert any(part.keys for part in split_of(run.program).parts)
