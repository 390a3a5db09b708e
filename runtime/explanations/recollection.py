"""What the input told last of atoms, long before that which a history keeps."""

from collections.abc import Iterable, Sequence

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.terms import Row, turns_of
from lars2asp.runtime.explanations.claims import Absent, Claim
from lars2asp.runtime.explanations.history import History
from lars2asp.runtime.explanations.holding import Interval
from lars2asp.runtime.explanations.nearest import Sought
from lars2asp.runtime.explanations.terms import Terms
from lars2asp.runtime.sources.records import Record
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Signature


def unknown_atoms(claims: Iterable[Claim]) -> list[nodes.Atom]:
    """The atoms of which it is not known when the input told them last, if it ever did."""
    found = {
        one.of
        for claim in claims
        for one in claim.claims()
        if isinstance(one.reason, Absent) and one.reason.known_from is not None
    }
    return [atom.node for atom in sorted(found, key=str)]


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
            for row in rows if signature in by_signature else ():
                take(signature, Interval(row, tick, tick if until is None else until, str(origin), 0))
    near = ((signature, interval) for _, signature, interval in nearest.values())
    history.recalled([*near, *last.values()])
