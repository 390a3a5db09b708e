"""Boards of queens completed one after another (Eiter, Ogris, Schekotihin 2019, figure 6).

The paper chains problems of n-queens completion, and compares one solver for all with a solver for each. Of
its set-up this takes the chains of 2, 4 and 6. The rest is chosen here: each stage completes a board, and
hands on the queens of the first rows, mirrored. So every stage has an answer whatever the one below it
chooses (the mirror image of that board is one), and stages may be closed one by one.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from experiments.benchmark import Benchmark, EngineName, Expectation, Measured, Per, Setting
from experiments.benchmarks.expectations import keeps_up, saturates
from experiments.benchmarks.streams import Stream
from experiments.clock_counts import LAST
from experiments.engine import Fact

STAGES = (2, 4, 6)
SIZE = 16
"""Rows and columns of a board."""
GIVEN = (1, 4)
"""Queens given to the first stage, at random rows, and handed on from each stage to the next."""

PERIODS = {2: (10, 15, 20, 25, 30, 40), 4: (15, 20, 30, 50, 60, 80), 6: (20, 30, 40, 80, 100, 120)}
"""For each number of stages the milliseconds from tick to tick, by the clock."""
CLOCKED = 50
"""The ticks of a run by the clock."""

_STAGE = """
{queen}(R,C) :- {given}(R,C).
1 {{ {queen}(R,C) : column(C) }} 1 :- row(R).
:- {queen}(R,C), {queen}(S,C), R < S.
:- {queen}(R,C), {queen}(S,D), R < S, D-C = S-R.
:- {queen}(R,C), {queen}(S,D), R < S, C-D = S-R.
"""
_NEXT = "{given}(R,{size}+1-C) :- {below}(R,C), R <= {handed}.\n"


def program(stages: int, size: int, handed: int) -> str:
    """Stages that complete boards, each but the first one with some queens of the one below it."""
    text = f"row(1..{size}). column(1..{size}).\n"
    for stage in range(1, stages + 1):
        queen, given = f"queen{stage}", f"given{stage}" if stage > 1 else "given"
        if stage > 1:
            text += _NEXT.format(given=given, size=size, below=f"queen{stage - 1}", handed=handed)
        text += _STAGE.format(queen=queen, given=given)
    return text


def boards(size: int, random: Random) -> Iterator[Sequence[int]]:
    """Completed boards without end, each the columns of the queens by row, from 1.

    Each is found by backtracking over columns in random order.
    """
    while True:
        board: list[int] = []
        left = [random.sample(range(1, size + 1), size)]
        steps = 0
        while len(board) < size and steps < 50 * size:  # else begun anew: some first rows take very long
            steps += 1
            if not left[-1]:
                left.pop()
                board.pop()
                continue
            column = left[-1].pop()
            if not is_attacked(board, column):
                board.append(column)
                left.append(random.sample(range(1, size + 1), size))
        if len(board) == size:
            yield board


def is_attacked(board: Sequence[int], column: int) -> bool:
    """Whether a queen in the row after those of a board is attacked by one of them."""
    row = len(board)
    return any(column == other or abs(column - other) == row - at for at, other in enumerate(board))


def given_queens(size: int, count: int) -> Stream:
    """Some queens of another completed board at each tick."""
    random = Random(size * 100 + count)
    for board in boards(size, random):
        yield [("given", row + 1, board[row]) for row in sorted(random.sample(range(size), count))]


def faults(
    answer: Collection[str], given: Collection[Fact], *, stages: int, size: int, handed: int
) -> list[str]:
    """The faults of an answer, atoms as text: every stage completes the board that it gets."""
    found: list[str] = []
    must = {(row, column) for _, row, column in given}
    for stage in range(1, stages + 1):
        head = f"queen{stage}("
        squares = [
            tuple(map(int, atom.removeprefix(head).removesuffix(")").split(",")))
            for atom in answer
            if atom.startswith(head)
        ]
        board = [column for _, column in sorted(squares)]
        if sorted(row for row, _ in squares) != list(range(1, size + 1)):
            found.append(f"stage {stage} has not a queen in each row")
        if any(is_attacked(board[:row], column) for row, column in enumerate(board)):
            found.append(f"queens of stage {stage} attack each other")
        if not must <= set(squares):
            found.append(f"stage {stage} leaves out queens that it was given")
        must = {(row, size + 1 - column) for row, column in squares if row <= handed}
    return found


def _name(stages: int, given: int) -> str:
    return f"{stages} stages, {given} given"


def _settings(is_quick: bool) -> Sequence[Setting]:
    return [
        Setting(
            name=_name(stages, given),
            x=stages,
            program=program(stages, SIZE, given),
            stream=partial(given_queens, SIZE, given),
            warm_up=2 if is_quick else 10,
            ticks=5 if is_quick else 40,
            window=0,
            series=f"{given} given",
            semantics="recorded",
            is_certain=False,
        )
        for given in (GIVEN[-1:] if is_quick else GIVEN)
        for stages in (STAGES[:1] if is_quick else STAGES)
    ]


def at_period(stages: int, period: int) -> str:
    """The name of a setting by the clock."""
    return f"{stages} stages, a tick each {period} ms"


def _by_the_clock(is_quick: bool) -> Sequence[Setting]:
    one = {setting.name: setting for setting in _settings(False)}
    return [
        replace(
            one[_name(stages, GIVEN[0])],
            name=at_period(stages, period),
            x=period,
            series=f"{stages} stages",
            ticks=10 if is_quick else CLOCKED,
            warm_up=2 if is_quick else 10,
            period=period / 1000,
        )
        for stages in (STAGES[:1] if is_quick else STAGES)
        for period in (PERIODS[stages][-1:] if is_quick else PERIODS[stages])
    ]


def _is_faster(given: int, times: float) -> Expectation:
    def holds(measured: Measured) -> bool:
        name = _name(STAGES[-1], given)
        return measured[name, EngineName.AUTO].time >= times * measured[name, EngineName.PIPELINED].time

    text = f"`pipelined` is faster than `auto` by {times} x with {STAGES[-1]} stages and {given} given"
    return Expectation(text, holds)


def _lengthens(given: int) -> Expectation:
    """The advantage of the pipeline is greater the longer it is."""

    def holds(measured: Measured) -> bool:
        short, long = (
            measured[_name(stages, given), EngineName.AUTO].time
            / measured[_name(stages, given), EngineName.PIPELINED].time
            for stages in (STAGES[0], STAGES[-1])
        )
        return long > short

    text = f"`pipelined` is further ahead with {STAGES[-1]} stages than with {STAGES[0]}, {given} given"
    return Expectation(text, holds)


QUEENS = Benchmark(
    name="queens",
    title="Boards of queens completed one after another",
    source="Eiter, Ogris, Schekotihin 2019, figure 6",
    x_label="stages",
    engines=(EngineName.AUTO, EngineName.PIPELINED, EngineName.ONESHOT),
    settings=_settings,
    per=Per.TICK,
    paper="""With 2, 4 and 6 stages a pipeline of reasoners keeps up with faster input than one
reasoner.""",
    why=f"""Boards have {SIZE} rows. `pipelined` uses a process for each processor, and its changes
arrive later by a tick for each further stage. Most of the time is grounding, 14 of 18 ms for a stage: new
squares make `auto` ground again. In one process a new square of any stage makes all stages ground. A stage
in its own process grounds only for its own squares. With {GIVEN[0]} given queen, later stages soon know
all their squares, and six stages spend less than half of the CPU time of one process; with {GIVEN[1]},
three quarters. The other gain is that processes work at the same time. The engine counts `longest`, the
CPU time of the busier process in microseconds.""",
    expected=[_is_faster(given, 1.3) for given in GIVEN] + [_lengthens(GIVEN[0])],
)

QUEENS_BY_THE_CLOCK = Benchmark(
    name="queens-clock",
    title="Boards of queens by the clock",
    source="Eiter, Ogris, Schekotihin 2019, figure 6",
    x_label="milliseconds from tick to tick",
    engines=(EngineName.AUTO, EngineName.PIPELINED),
    settings=_by_the_clock,
    per=Per.TICK,
    count=LAST,
    paper="""Ticks follow each other faster and faster until latency rises. With four stages it rises
between .2 and .1 s a tick in the pipeline, and between .8 and .7 s in one reasoner. With six stages the
pipeline performs about as with two. One reasoner is too slow for a tick a second then.""",
    why=f"""A tick is due by the clock, {CLOCKED} of them after the warm-up, and latency counts from
that time. If a reasoner takes longer than a period, each tick waits for all earlier ticks. There are two
processors for all stages, so six stages cannot keep the pace of two.""",
    expected=[
        *(saturates(EngineName.AUTO, at_period(stages, PERIODS[stages][0])) for stages in STAGES),
        *(keeps_up(EngineName.AUTO, at_period(stages, PERIODS[stages][-1])) for stages in STAGES),
        *(keeps_up(EngineName.PIPELINED, at_period(stages, PERIODS[stages][3])) for stages in STAGES),
    ],
)
