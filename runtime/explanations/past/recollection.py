"""What the input told last of atoms, long before what a history keeps, and what comes nearest to them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lars2asp.analysis.held_facts import held_facts
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.terms import Row, Value, turns_of
from lars2asp.runtime.explanations.past.history import History
from lars2asp.runtime.explanations.past.holding import Interval, Turns
from lars2asp.runtime.explanations.past.terms import Binding, Terms
from lars2asp.runtime.sources.records import Record
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Signature

MOST_LOOKED_AT = 10_000
"""The number of the last arrivals of a predicate among which the nearest is looked for: some milliseconds."""


class Sought(NamedTuple):
    """The arguments of an atom whose values are known, by their places."""

    arguments: Sequence[tuple[int, Value]]

    @classmethod
    def of(cls, atom: nodes.Atom, binding: Binding, now: int, terms: Terms) -> "Sought":
        """Those of an atom with the values of variables."""
        values = (
            (place, terms.value(argument, binding, now))
            for place, argument in enumerate(atom.arguments)
            if terms.is_bound(argument, binding)
        )
        return cls([(place, value) for place, value in values if value is not None])

    @property
    def may_be_near(self) -> bool:
        """Whether another atom may come near: with one argument alone nothing would be the same."""
        return len(self.arguments) > 1

    def distance(self, row: Row) -> int | None:
        """In how many of them an atom differs; None where less than half are the same, or all."""
        differing = sum(1 for place, value in self.arguments if row[place] != value)
        return differing if 0 < 2 * differing <= len(self.arguments) else None


def recall(
    history: History, program: Program, atoms: Sequence[nodes.Atom], records: Iterable[Record]
) -> None:
    """Gives a history what the input told last of atoms before that which it keeps.

    Args:
        history: the history.
        program: the program that is explained.
        atoms: the atoms; they may have variables.
        records: the input from its first tick on; of what it tells only the last of each atom is held, and
            what comes nearest to it.
    """
    by_signature: dict[Signature, list[nodes.Atom]] = {}
    for atom in atoms:
        by_signature.setdefault(atom.signature, []).append(atom)
    analysis = ProgramAnalysis(program)
    terms = Terms(analysis.constant_terms, analysis.constants, {})
    last: dict[nodes.Atom, tuple[Signature, Interval]] = {}
    sought = {atom: Sought.of(atom, {}, 0, terms) for atom in atoms}
    nearest: dict[nodes.Atom, tuple[int, Signature, Interval]] = {}
    is_open: dict[tuple[Signature, Row], Interval] = {}
    turns = {signature: Turns(by) for signature, by in held_facts(program).items()}

    def matching(signature: Signature, row: Row) -> list[nodes.Atom]:
        wanted = by_signature.get(signature, ())
        return [atom for atom in wanted if terms.match_all(atom.arguments, row, {}, 0) is not None]

    def take(signature: Signature, interval: Interval) -> None:
        for atom in by_signature.get(signature, ()):
            distance = sought[atom].distance(interval.row)
            if distance is not None and distance <= nearest.get(atom, (distance,))[0]:
                nearest[atom] = distance, signature, interval
        for atom in matching(signature, interval.row):
            known = last.get(atom)
            if known is None or (known[1].last or 0) <= (interval.last or 0):
                last[atom] = signature, interval

    for tick, (facts, begin, end, until), origin, *_ in records:
        if tick >= history.kept_from:
            break
        for signature, rows in turns_of(end):
            for row in rows:
                interval = is_open.pop((signature, row), None)
                if interval is not None and interval.first < tick:
                    interval.last = tick - 1
                    take(signature, interval)
        for signature, rows in turns_of(begin):
            for row in rows if signature in by_signature else ():
                if matching(signature, row) or any(
                    sought[atom].distance(row) is not None for atom in by_signature[signature]
                ):
                    is_open.setdefault((signature, row), Interval(row, tick, None, str(origin), 0))
        for signature, rows in turns_of(facts):
            held = turns.get(signature)
            for row in rows if signature in by_signature else ():
                if held is not None:
                    over = held.take(held.fact(row, tick, until, str(origin), 0))
                    if over is not None and (over.last is None or over.last >= over.first):
                        take(signature, over)
                    continue
                take(signature, Interval(row, tick, tick if until is None else until, str(origin), 0))
    for signature, held in turns.items():
        for interval in held.current():
            if not history.is_kept(interval):
                take(signature, interval)
    near = ((signature, interval) for _, signature, interval in nearest.values())
    history.recalled([*near, *last.values()])
