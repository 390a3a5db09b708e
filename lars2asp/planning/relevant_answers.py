"""Which answers to lookups matter, as far as background data says.

In a component with the rules

    reachable(0,R) :- reachable(0,Q), link(Q,R), working(R).

where `link` is background data, the only atoms of `working` that matter are those with an R that is linked.
All of them are known before any comes, so that the evaluator `external` need not ground again when one does.
"""

from collections.abc import Collection, Mapping

from lars2asp.analysis.predicates import is_fact, outer_atoms, window_of
from lars2asp.planning.lookups import Lookup, LookupKind, RelevantAnswers
from lars2asp.syntax.nodes import Atom, Box, Diamond, Literal, Program, Rule, Sign, Signature, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every


def relevant_answers(
    program: Program,
    derived: Collection[Signature],
    plain: Mapping[Signature, Lookup],
    hidden: Collection[Signature],
    constants: Mapping[str, int],
) -> dict[Lookup, tuple[RelevantAnswers, ...]]:
    """The answers that matter, where background data says so.

    Args:
        program: the rules of a component, and the facts that they look at.
        derived: the predicates that rules of the whole program derive.
        plain: for the predicates whose plain atoms are answers to a lookup, the lookup.
        hidden: the predicates whose windows are not answered by one lookup.
        constants: the values of integer constants.
    """
    facts = {rule.head.signature for rule in program.rules() if isinstance(rule.head, Atom) and is_fact(rule)}
    found: dict[Lookup, dict[RelevantAnswers, None] | None] = {}
    for statement in program.but_plain_facts:
        if isinstance(statement, Rule) and is_fact(statement):
            continue
        body = statement.body if isinstance(statement, Rule) else ()
        guards = [
            literal
            for literal in body
            if isinstance(literal, Literal)
            and literal.sign is Sign.POSITIVE
            and isinstance(literal.atom, Atom)
            and literal.atom.signature in facts
            and literal.atom.signature not in derived
        ]
        bound = set(every(Variable, *guards))
        condition = ", ".join(map(to_text, guards))
        direct = {id(literal.atom) for literal in body if isinstance(literal, Literal)}
        for node in outer_atoms(statement):
            atom = node if isinstance(node, Atom) else node.atom
            if isinstance(node, Atom):
                lookup = plain.get(node.signature)
                if lookup is None or node.signature in facts:
                    continue
            else:
                kind = LookupKind.ALWAYS if isinstance(node, Box) else LookupKind.IN
                lookup = Lookup(kind, atom.signature, window_of(node, constants))
            variables = set(every(Variable, atom))
            is_bounded = (
                id(node) in direct
                and isinstance(node, Atom | Diamond | Box)
                and atom.signature not in hidden
                and bool(atom.arguments)
                and bool(guards)
                and variables <= bound
                and not any(variable.is_anonymous for variable in variables)
            )
            if not is_bounded:
                found[lookup] = None
                continue
            known = found.setdefault(lookup, {})
            if known is not None:
                known[RelevantAnswers(to_text(atom), condition)] = None
    return {lookup: tuple(elements) for lookup, elements in found.items() if elements is not None}
