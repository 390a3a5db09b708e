"""Reasoners held to the naive definition of the semantics (tests.oracle)."""

from collections import Counter
from collections.abc import Callable, Iterator

from lars2asp.runtime.answer import Answer, Atoms
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.sources.records import Record
from tests.oracle import AnswerStream, Item, Pair, TooManyError, atom_text
from tests.strategies import Case
from tests.support.records import events

MOST_STATES = 16
"""More states than these that all fit what was seen so far are too many to go on with."""


def record(told: Item) -> Record:
    """The record that the product reads for a record of the oracle."""
    facts, begin, end = (list(map(atom_text, atoms)) for atoms in (told.facts, told.begin, told.end))
    return Record(told.tick, events(facts, begin=begin, end=end, until=told.until))


def follow(
    case: Case,
    start: int,
    answers: Iterator[Answer],
    by_definition: Callable[[int, frozenset[Pair]], list[AnswerStream]],
) -> Counter[str]:
    """Goes along with the answers of a reasoner, tick by tick. Raises EvaluationError if one has none."""
    seen: Counter[str] = Counter()
    states: set[frozenset[Pair]] = {frozenset()}
    before = frozenset[str]()

    def texts(atoms: Atoms) -> frozenset[str]:
        return frozenset(map(str, atoms.symbols) if case.by_ticks else atoms.texts)

    for tick in range(start, case.last + 1):
        streams = {state: by_definition(tick, state) for state in states}
        answer = next(answers)
        assert answer.tick == tick
        if answer.failure:
            raise EvaluationError(answer.failure)
        got = {frozenset(map(str, model.symbols)) for model in answer.models}
        expected = {state: {stream.output for stream in found} for state, found in streams.items()}
        assert got in expected.values(), f"at tick {tick}"
        assert answer.satisfiable == bool(got)
        now = texts(answer.holds)
        assert (texts(answer.began), texts(answer.ended)) == (
            now - before,
            before - now,
        )
        before = now
        states = {
            stream.recorded
            for state, found in streams.items()
            if expected[state] == got
            for stream in found
            if stream.output == now
        } or {state for state in states if expected[state] == got}
        if len(states) > MOST_STATES:
            raise TooManyError
        seen["ticks"] += 1
        seen["atoms"] += len(answer.holds.symbols)
        seen["none" if not got else "one" if len(got) == 1 else "several"] += 1
        seen["ambiguous"] += len(states) > 1
    assert next(answers, None) is None
    return seen
