"""The pass that lets `_` mean any value under `not` for classical negation too.

clingo projects `not p(X,_)`, but calls `not -p(X,_)` unsafe. A window with the current tick alone says the
same as the atom, and the predicate that stands for it in the generated text has no classical negation:

    not -p(X,_)    ->    not -p(X,_) in [0]
"""

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Node, Program, Sign, Statement, Variable
from lars2asp.syntax.traversal import every, rewrite, walk

_NOW = nodes.SlidingWindow(nodes.Duration(nodes.Number(0)))


def write_projections(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> Program | None:
    """The program without `_` in atoms `-p(...)` under `not`; None for one without any `-p`."""
    if all(one.is_positive for one in analysis.predicates):
        return None
    return analysis.program.rewritten(lambda one: [rewrite(one, _projected) if _has_meant(one) else one])


def _has_meant(statement: Statement) -> bool:
    return any(map(_is_meant, walk(statement)))


def _is_meant(node: Node) -> bool:
    match node:
        case nodes.Literal(_, Sign.NOT | Sign.NOT_NOT):
            return any(map(_is_meant_atom, nodes.alternatives_of(node)))
        case _:
            return False


def _is_meant_atom(literal: nodes.Literal) -> bool:
    match literal.atom:
        case nodes.Atom(is_positive=False) as atom:
            return any(part.is_anonymous for part in every(Variable, atom))
        case _:
            return False


def _projected(node: Node) -> Node:
    if isinstance(node, nodes.Literal) and _is_meant(node):
        return nodes.pooled([*map(_within_now, nodes.alternatives_of(node))])
    return node


def _within_now(literal: nodes.Literal) -> nodes.Literal:
    if not isinstance(literal.atom, nodes.Atom):
        return literal
    window = nodes.Diamond(literal.atom, _NOW, location=literal.atom.location)
    return nodes.Literal(window, literal.sign, location=literal.location)
