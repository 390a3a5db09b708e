"""Laser: incremental evaluation of LARS programs by annotated formulae, in plain Python.

After Bazoobandi, Beck and Urbani, "Expressive Stream Reasoning with Laser" (ISWC 2017, algorithms 1 and 2).
Every instance of a formula bears a consideration time c and a horizon time h; a rule is looked at at tick t
only if a formula of its body has an annotation with c = t, and heads get [max c, min h]. What runs out of its
horizon is found in a bucket of that tick, so that it costs nothing until then.

The answers are those of the strict reading: see experiments.native.formulae for what differs from the paper.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from experiments.engine import AnswerChanges, Fact, text_of
from experiments.native.book import Book
from experiments.native.conclusions import Instance
from experiments.native.native_program import Predicate, native_program
from experiments.native.rule_at_work import ANNOTATIONS, DISABLED, FORMULAE, RULES, RuleAtWork
from experiments.native.strata import strata
from experiments.native.stratum import Attention, Stratum
from lars2asp.syntax.nodes import Program

NOTHING: list[Instance] = []


class Laser:
    """Evaluates a checked program of the fragment (experiments.native.native_program), tick by tick.

    Args:
        program: a checked program.
        is_semi_naive: whether a join needs something new of the tick. Without, a rule joins all that holds at
            each tick: the same answers, with horizons all the same (the "normal join" below figure 3 of the
            paper).

    Raises:
        UnsupportedError: if the program lies outside of the fragment.
    """

    lag = 0

    def __init__(self, program: Program, *, is_semi_naive: bool = True) -> None:
        native = native_program(program)
        book = Book(native)
        levels = strata(native.rules)
        derived = frozenset[Predicate]().union(*levels)
        base = frozenset(book.states) - derived
        self._book = book
        self._strata = [
            Stratum(level, native.rules, book, is_semi_naive=is_semi_naive) for level in (base, *levels)
        ]
        self._states = [
            ((state.predicate.name, state.predicate.arity + 1), state) for state in book.states.values()
        ]
        self._kept = book.kept(book.states)
        self._start: int | None = None
        self._counts = Counter({FORMULAE: 0, RULES: 0, DISABLED: 0, ANNOTATIONS: 0})
        self._attention = self._strategy([rule for stratum in self._strata for rule in stratum.rules], book)

    def _strategy(self, rules: Sequence[RuleAtWork], book: Book) -> Attention:
        return Attention()

    @property
    def counts(self) -> Mapping[str, int]:
        """The counts (experiments.native.rule_at_work), summed over ticks."""
        return self._counts

    def facts(self, facts: Sequence[Fact]) -> Sequence[Fact]:
        """The facts as they are: tuples."""
        return facts

    def texts(self, atoms: Collection[Fact]) -> Sequence[str]:
        """Atoms as clingo writes them."""
        return [*map(text_of, atoms)]

    def horizon(self, atom: Fact) -> int | None:
        """Until when a derived atom that holds now is sure to hold; None where it does not hold."""
        state = self._book.states[Predicate(atom[0], len(atom) - 1)]
        return None if state.present is None else state.present.horizons.get(atom)

    def step(self, tick: int, facts: Sequence[Fact]) -> AnswerChanges:
        """Moves on to a tick: the first of the timeline, or the one after the last."""
        is_first, counts = self._start is None, self._counts
        if self._start is None:
            self._start = tick
        for formula in self._kept:
            formula.expire(tick)
        self._attention.begin(tick)
        self._take(tick, facts)
        for stratum in self._strata:
            stratum.evaluate(tick, self._start, self._attention, counts, is_first=is_first)
        began: list[Instance] = []
        ended: list[Instance] = []
        for _, state in self._states:
            if state.placed is not None:
                counts[ANNOTATIONS] += state.placed.number_of_new
                state.placed.end_tick(tick)
            if state.present is not None:
                counts[ANNOTATIONS] += state.present.number_of_new
                some_began, some_ended = state.present.end_tick(tick)
                began += some_began
                ended += some_ended
        return AnswerChanges(began, ended)

    def _take(self, tick: int, facts: Sequence[Fact]) -> None:
        if self._book.logs:
            facts = list(dict.fromkeys(facts))
            for log in self._book.logs.values():
                log.record(tick, facts)
        arrived: defaultdict[tuple[str, int], list[Instance]] = defaultdict(list)
        for fact in facts:
            arrived[fact[0], len(fact)].append(fact)
        for key, state in self._states:
            state.arrived = arrived.get(key, NOTHING)
            if state.arrived:
                self._attention.arrived(state)
