"""The findings about the heads of a program by which its rules are translated."""

from lars2asp.analysis.predicates import merge_windows
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.names import Names
from lars2asp.syntax.nodes import Rule, Semantics, Show, Signature


class HeadPredicates:
    """The predicates of a program by the kinds of heads that derive them.

    Args:
        analysis: the program.
        semantics: how windows over derived atoms are read.
        names: the generated names.
    """

    def __init__(self, analysis: ProgramAnalysis, semantics: Semantics, names: Names) -> None:
        self._names = names
        self.is_strict = semantics is Semantics.STRICT
        has_show = any(analysis.program.every(Show))
        self.separates_input = self.is_strict and not has_show
        """Whether the output leaves out atoms that are only input.

        That is what Laser and Ticker report: the answer stream without the data stream.
        """
        self.derived = frozenset(analysis.derived)
        self.placed = analysis.placed
        self.merged = merge_windows(analysis.program, analysis.constants)
        """The predicates whose placed atoms are merged with those that hold at a tick anyway, and the ticks.

        So choosing an atom that holds already makes no other answer stream.
        """
        kept = [head for rule, head in analysis.heads if not rule.is_temporary]
        self.kept = frozenset(head.atom.signature for head in kept)
        """The predicates with a rule whose atoms are recorded."""
        self.kept_at = frozenset(head.atom.signature for head in kept if head.tick is not None)
        """The predicates of heads `a at T` in such rules."""
        if self.is_strict:
            self.marked = self.derived if self.separates_input else frozenset()
        else:
            fleeting = {head.atom.signature for rule, head in analysis.heads if rule.is_temporary}
            self.marked = self.kept & fleeting

    def is_marked(self, rule: Rule, signature: Signature) -> bool:
        """Whether the rule derives atoms of `lars_derived_p` in place of atoms of the predicate."""
        return signature in self.marked and (self.is_strict or not rule.is_temporary)

    def shown_as(self, signature: Signature) -> Signature:
        """The predicate in the text whose atoms are output for a predicate."""
        return self._derived(signature) if self.separates_input else signature

    def recorded_as(self, signature: Signature) -> Signature:
        """The predicate in the text whose atoms are recorded for a predicate."""
        return self._derived(signature) if signature in self.marked else signature

    def placed_as(self, signature: Signature) -> Signature:
        """The predicate in the text whose atoms are placed at ticks for a predicate."""
        is_marked = signature in self.marked
        name = self._names.derived_at(signature) if is_marked else self._names.placed(signature)
        return Signature(name, signature.arity + 1)

    def _derived(self, signature: Signature) -> Signature:
        return Signature(self._names.derived(signature), signature.arity)
