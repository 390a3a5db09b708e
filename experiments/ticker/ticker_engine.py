"""Ticker's repeated one-shot solving as an engine."""

from collections.abc import Collection, Mapping, Sequence

from clingo import Function, Number, Symbol

from experiments.engine import AnswerChanges, Fact
from experiments.ticker.encoding import encode
from experiments.ticker.solver_calls import answers
from experiments.ticker.stream import SeenStream, TickerFact
from lars2asp.compiler import CheckedProgram


class TickerEngine:
    """Grounds and solves the encoding of a program anew at every tick; its atoms are clingo's symbols.

    Where there are several answer streams, the answer is the first (or an optimal) one that clingo finds;
    where there is none, it is empty.

    Args:
        checked: a program with strict semantics.

    Raises:
        ProgramError: if the program has what Ticker has not.
    """

    lag = 0

    def __init__(self, checked: CheckedProgram) -> None:
        self._encoding = encode(checked)
        self._stream = SeenStream(self._encoding)
        self._start: int | None = None
        self._answer: set[Symbol] = set()
        self._calls = 0
        self._atoms = 0

    @property
    def counts(self) -> Mapping[str, int]:
        """Solver calls, and atoms of the stream that they got."""
        return {"solver calls": self._calls, "atoms passed to clingo": self._atoms}

    def facts(self, facts: Sequence[Fact]) -> Sequence[TickerFact]:
        """Facts as predicates and arguments."""
        return [(f"{name}/{len(arguments)}", _tuple(arguments)) for name, *arguments in facts]

    def step(self, tick: int, facts: Sequence[TickerFact]) -> AnswerChanges:
        """Moves on to a tick."""
        if self._start is None:
            self._start = tick
        self._stream.take(tick, facts)
        found = list(answers(self._encoding, self._stream, start=self._start))
        answer = found[-1] if found else set()  # the last one is the best
        self._calls += 1
        self._atoms += self._stream.size
        changed = answer ^ self._answer  # symbols are slow to compare: once is enough
        self._answer = answer
        began = changed & answer
        return AnswerChanges(began, changed - began)

    def texts(self, atoms: Collection[Symbol]) -> Sequence[str]:
        """Atoms as clingo writes them."""
        return [*map(str, atoms)]


def _tuple(arguments: Sequence[int | str]) -> Symbol:
    return Function("", [Number(one) if isinstance(one, int) else Function(one) for one in arguments])
