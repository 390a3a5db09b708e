"""Which arguments of derived atoms are ticks: people read their times besides."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from lars2asp.analysis.predicates import head_atoms
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import NOW, Body, LiteralAtom, Program, Rule, Sign, Signature, Term
from lars2asp.syntax.traversal import body_of

TickPlaces = Mapping[Signature, Collection[int]]
"""Of predicates the places of arguments, counted from 0, that are ticks."""

_Derivations = Sequence[tuple[Sequence[Term], Body]]


def tick_places(program: Program) -> TickPlaces:
    """The places that each rule for a predicate fills with a tick, such as `@now`, or a variable that is one.

    Those of predicates of the input are none, as records say what stands there.
    """
    given = {(one.predicate, len(one.columns)) for one in program.every(nodes.Input)}
    rules = dict[Signature, list[tuple[Sequence[Term], Body]]]()
    for rule in program.every(Rule):
        for head in head_atoms(rule):
            signature = head.atom.signature
            if (signature.name, signature.arity) not in given:
                body = (*body_of(rule), *head.condition)
                rules.setdefault(signature, []).append((head.atom.arguments, body))
    found, more = dict[Signature, Collection[int]](), _filled(rules, {})
    while more != found:  # ever more: one rule is enough
        found, more = more, _filled(rules, more)
    while (fewer := _filled(rules, found, found)) != found:  # and of these those that all rules fill so
        found = fewer
    return found


def _filled(
    rules: Mapping[Signature, _Derivations], known: TickPlaces, among: TickPlaces | None = None
) -> dict[Signature, Collection[int]]:
    """The places that some rule fills with ticks; of given ones those that all rules fill so."""
    found = dict[Signature, Collection[int]]()
    for signature, derivations in rules.items():
        by_rule = [_places(arguments, body, known) for arguments, body in derivations]
        if among is None:
            kept = set[int]().union(*by_rule)
        else:
            kept = set(among.get(signature, ())).intersection(*by_rule)
        if kept:
            found[signature] = kept
    return found


def _places(arguments: Sequence[Term], body: Body, known: TickPlaces) -> set[int]:
    """The places of the arguments of a head that are ticks in a rule."""
    literals = [one for one in body if isinstance(one, nodes.Literal) and one.sign is Sign.POSITIVE]
    ticks = tick_variables((one.atom for one in literals), known)
    return {place for place, term in enumerate(arguments) if _is_tick(term, ticks)}


def tick_variables(atoms: Iterable[LiteralAtom | None], known: TickPlaces) -> set[str]:
    """The variables of a body that are ticks: of `at T`, of `T = @now`, and at places that are ticks."""
    found, sides = set[str](), list[tuple[Term, Term]]()
    for one in atoms:
        match one:
            case nodes.Comparison(term, (nodes.Guard("=", other),)):
                sides += [(term, other), (other, term)]
            case nodes.Atom() | nodes.Diamond() | nodes.Box() | nodes.AtTick():
                atom = one if isinstance(one, nodes.Atom) else one.atom
                places = known.get(atom.signature, ())
                found |= {
                    term.name
                    for place, term in enumerate(atom.arguments)
                    if place in places and isinstance(term, nodes.Variable)
                }
                if isinstance(one, nodes.AtTick) and isinstance(one.tick, nodes.Variable):
                    found.add(one.tick.name)
    for _ in sides:  # each may say what one more variable is
        found |= {
            one.name for one, other in sides if isinstance(one, nodes.Variable) and _is_tick(other, found)
        }
    return found


def _is_tick(term: Term, ticks: Collection[str]) -> bool:
    """Whether a term is a tick: the current one, a variable that is one, or some ticks from these."""
    match term:
        case nodes.Variable(name):
            return name in ticks
        case nodes.BinaryOperation("+" | "-", left, nodes.Number()):
            return _is_tick(left, ticks)
        case _:
            return term == NOW
