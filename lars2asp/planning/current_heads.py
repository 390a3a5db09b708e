"""Rewrites heads at a past tick as heads for the current tick, where that derives the same.

A rule such as

    steam(V) at T :- temp(V) at T in [80], V >= 100.

derives steam(V) at each tick T of the window again and again, as it did when T was the current tick. Where
that cannot have changed since, the rule

    steam(V) :- temp(V), V >= 100.

with steam kept in the stream derives the same atoms, each once. That is right while the atoms of background
data in the body come from the program alone: input of their predicates would count for past ticks of the
window too, and then the program must be evaluated as it was written.
"""

from collections.abc import Mapping
from typing import NamedTuple

from lars2asp.analysis.arithmetic.constants import has_call
from lars2asp.analysis.predicates import window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.windows import LastArrivals, Sliding, TickWindow, Unbounded
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import NOW, Program, Rule, Semantics, Sign, Signature, StreamingAtom, Variable
from lars2asp.syntax.traversal import every, rewrite, walk

"""More ticks than any window looks back."""


class CurrentHeads(NamedTuple):
    """A program with heads for the current tick where that derives the same.

    Attributes:
        program: the program.
        settled: the predicates of these heads: once derived, their atoms stay in the stream with either
            semantics.
        assumed: the predicates of background data of which the input must not have atoms.
    """

    program: Program
    settled: frozenset[Signature] = frozenset()
    assumed: frozenset[Signature] = frozenset()


def with_current_heads(analysis: ProgramAnalysis, semantics: Semantics) -> CurrentHeads:
    """The program rewritten so; every tick must have an answer stream."""
    return _CurrentHeadRewriter(analysis, semantics).rewritten()


class _CurrentHeadRewriter:
    def __init__(self, analysis: ProgramAnalysis, semantics: Semantics) -> None:
        self._analysis = analysis
        self._program = analysis.program
        self._is_strict = semantics is Semantics.STRICT
        self._derived = frozenset(analysis.derived)
        self._background = analysis.facts.keys() - self._derived
        self._rules: dict[Signature, list[Rule]] = {}
        for rule, head in analysis.heads:
            self._rules.setdefault(head.atom.signature, []).append(rule)

    def rewritten(self) -> CurrentHeads:
        depths = self._depths()
        if not depths:
            return CurrentHeads(self._program)
        changed = {
            id(rule): rewrite(rule, lambda node: node.atom if isinstance(node, nodes.AtTick) else node)
            for signature in depths
            for rule in self._rules[signature]
            if isinstance(rule.head, nodes.AtTick)
        }
        statements = tuple(changed.get(id(s), s) for s in self._program.statements)
        assumed = {
            atom.signature
            for rule in changed.values()
            for atom in every(nodes.Atom, *rule.body)
            if atom.signature in self._background
        }
        program = Program(statements, self._program.sources)
        return CurrentHeads(program, frozenset(depths), frozenset(assumed))

    def _depths(self) -> dict[Signature, int]:
        """The settled predicates, and how many ticks back their atoms are placed."""
        candidates = {
            signature
            for signature, rules in self._rules.items()
            if any(isinstance(rule.head, nodes.AtTick) for rule in rules)
            and all(map(self._is_candidate, rules))
        }
        depths: dict[Signature, int] = {}
        while True:
            found = {
                signature: min(self._depth(rule, depths) for rule in self._rules[signature])
                for signature in candidates
                if all(self._rests_on(rule, depths) for rule in self._rules[signature])
            }
            if found == depths:
                break
            depths = found
        while True:
            # predicates that windows look at further back than heads place them stay, and those above
            seen = {s: depth for s, depth in depths.items() if self._is_seen_whole(s, depths)}
            kept = {
                s: depth
                for s, depth in seen.items()
                if all(self._rests_on(rule, seen) for rule in self._rules[s])
            }
            if kept == depths:
                return depths
            depths = kept

    def _is_candidate(self, rule: Rule) -> bool:
        """Whether a rule, taken alone, can be about the current tick."""
        if rule.is_temporary:
            return False
        if isinstance(rule.head, nodes.Atom):
            return not self._is_strict  # there it would stay in the stream, which it must not
        if not isinstance(rule.head, nodes.AtTick) or not isinstance(rule.head.tick, Variable):
            return False
        tick, ticked = rule.head.tick, 0
        for literal in rule.body:
            if not isinstance(literal, nodes.Literal):
                return False
            match literal.atom:
                case nodes.AtTick(atom, at) if at == tick and literal.sign is Sign.POSITIVE:
                    if not isinstance(self._window(literal.atom), Sliding | Unbounded):
                        return False
                    ticked += 1
                    if tick in set(walk(atom)):
                        return False
                case nodes.Comparison() | nodes.Atom():
                    if (
                        isinstance(literal.atom, nodes.Atom)
                        and literal.atom.signature not in self._background
                    ):
                        return False
                    parts = set(walk(literal.atom))
                    if tick in parts or NOW in parts:
                        return False
                    if has_call(literal.atom):
                        return False
                case _:
                    return False
        return ticked > 0 and tick not in set(walk(rule.head.atom))

    def _ticked(self, rule: Rule) -> list[nodes.AtTick]:
        return list(every(nodes.AtTick, *rule.body)) if isinstance(rule.head, nodes.AtTick) else []

    def _rests_on(self, rule: Rule, settled: Mapping[Signature, int]) -> bool:
        """Whether the predicates under `at` in the body are input, or settled as well."""
        return all(
            ticked.atom.signature not in self._derived or ticked.atom.signature in settled
            for ticked in self._ticked(rule)
        )

    def _depth(self, rule: Rule, depths: Mapping[Signature, int]) -> int:
        depth = FOR_EVER
        for ticked in self._ticked(rule):
            window = self._window(ticked)
            own = window.size if isinstance(window, Sliding) else FOR_EVER
            depth = min(depth, own, depths.get(ticked.atom.signature, FOR_EVER))
        return depth

    def _is_seen_whole(self, signature: Signature, depths: Mapping[Signature, int]) -> bool:
        """Whether no window looks further back than the predicate's atoms are placed."""
        if not self._is_strict:
            return True  # what was placed once stays
        of_settled = {
            id(ticked) for other in depths for rule in self._rules[other] for ticked in self._ticked(rule)
        }
        for streaming in self._analysis.streaming_atoms:
            if streaming.atom.signature != signature or id(streaming) in of_settled:
                continue
            window = self._window(streaming)
            if isinstance(window, LastArrivals):
                continue
            reach = window.reach
            if depths[signature] < (FOR_EVER if reach is None else reach):
                return False
        return True

    def _window(self, streaming: StreamingAtom) -> TickWindow:
        return window_of(streaming, self._analysis.constants)
