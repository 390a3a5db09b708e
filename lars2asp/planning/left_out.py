"""Rules that are not evaluated: no answer depends on what they derive.

What is shown needs rules, and so does all that may remove answer streams or add some: constraints, weak
constraints, choices, disjunctions, loops, `#external`, classical negation. What depends on these is evaluated
as well, since with other rules in its text clingo could give another answer stream to follow. So is what may
fail: a rule that calls a function of the user's, whoever reads what it derives. What these rules look at is
needed with them, now or in the past, and nothing else is.
"""

from lars2asp.analysis.called_functions import called_functions
from lars2asp.analysis.graphs import reachable
from lars2asp.analysis.predicates import head_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.components import uncertain_predicates
from lars2asp.planning.strata import named_in, statements_without_head
from lars2asp.syntax.nodes import Program, ProjectSignature, Rule, Semantics, Signature


def left_out(analysis: ProgramAnalysis, semantics: Semantics) -> tuple[Rule, ...]:
    """The rules of a checked program that need not be evaluated, in the order of the program."""
    if analysis.shown.issuperset(analysis.derived):
        return ()
    looks_at: dict[Signature, set[Signature]] = {signature: set() for signature in analysis.derived}
    of_rules = [({head.atom.signature for head in head_atoms(rule)}, rule) for rule in analysis.rules]
    roots = {*analysis.shown, *_named_without_head(analysis)}
    calls = bool(called_functions(analysis.program))
    contrary = {one for one in analysis.predicates if not one.is_positive}
    contrary |= {one._replace(is_positive=True) for one in contrary}
    for heads, rule in of_rules:
        named = named_in([rule])
        for head in heads:
            looks_at[head] |= named
        if contrary & named or (calls and called_functions(Program((rule,)))):
            roots |= heads
    if looks_at.keys() <= {*reachable(looks_at, roots)}:
        return ()
    needed = {*reachable(looks_at, roots | uncertain_predicates(analysis, semantics))}
    return tuple(rule for heads, rule in of_rules if heads and heads.isdisjoint(needed))


def without(program: Program, rules: tuple[Rule, ...]) -> Program:
    """A program without some of its rules."""
    gone = {id(rule) for rule in rules}
    return Program(tuple(s for s in program.statements if id(s) not in gone), program.sources)


def _named_without_head(analysis: ProgramAnalysis) -> set[Signature]:
    """The predicates of the statements that derive nothing."""
    statements = statements_without_head(analysis)
    projected = {one.signature for one in statements if isinstance(one, ProjectSignature)}
    return named_in(statements) | projected
