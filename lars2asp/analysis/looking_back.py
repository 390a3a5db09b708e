"""How far back the answers of a program look: over all windows that lie on one another."""

from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import head_atoms, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import Fixed, LastArrivals, Since
from lars2asp.syntax.nodes import Atom, Rule, Signature, StreamingAtom
from lars2asp.syntax.traversal import walk

Needs = dict[Signature, int | None]
"""The predicates that others rest on, and how many ticks back (None: without end)."""


def looks_back(analysis: ProgramAnalysis) -> int | None:
    """How many ticks before a tick the stream may lie on which its answer rests; None is without end.

    What holds on from before is not counted: a fact that is held, an interval that has not ended. Without end
    are windows over arrivals and since an atom, what rules place at ticks, and rules that look back at what
    they derive.
    """
    needs = _needs(analysis)
    found: Needs = {}
    for group in strongly_connected({one: [*others] for one, others in needs.items()}):
        most: int | None = 0
        for signature in group:
            for needed, ticks in needs.get(signature, {}).items():
                before = 0 if needed in group else found.get(needed, 0)
                is_endless = ticks is None or before is None or (needed in group and ticks > 0)
                most = None if most is None or is_endless else max(most, (ticks or 0) + (before or 0))
        for signature in group:
            found[signature] = most
    depths = [found.get(one, 0) for one in analysis.predicates]
    return None if None in depths or analysis.placed else max((one or 0 for one in depths), default=0)


def _needs(analysis: ProgramAnalysis) -> dict[Signature, Needs]:
    """What each predicate that rules derive rests on."""
    found: dict[Signature, Needs] = {}
    for rule in analysis.rules:
        looked_at = _looked_at(rule, analysis)
        for head in head_atoms(rule):
            needs = found.setdefault(head.atom.signature, {})
            for signature, ticks in looked_at:
                known = needs.get(signature, 0)
                needs[signature] = None if ticks is None or known is None else max(ticks, known)
    return found


def _looked_at(rule: Rule, analysis: ProgramAnalysis) -> list[tuple[Signature, int | None]]:
    """The predicates that a rule looks at, each with the ticks back."""
    found: list[tuple[Signature, int | None]] = []
    for node in walk(rule):
        if isinstance(node, StreamingAtom):
            window = window_of(node, analysis.constants)
            reach = None if isinstance(window, LastArrivals | Since | Fixed) else window.reach
            found.append((node.atom.signature, reach))
        elif isinstance(node, Atom):
            found.append((node.signature, 0))
    return found
