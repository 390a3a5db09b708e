"""The analysis of a program, as one value that is handed to passes, translation and splitting."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property

from lars2asp.analysis.argument_types.function_types import FunctionType, FunctionTypes, script_functions
from lars2asp.analysis.argument_types.type_table import ArgumentTypes
from lars2asp.analysis.arithmetic.constants import constant_terms, constant_values
from lars2asp.analysis.predicates import (
    HeadAtom,
    all_predicates,
    head_atoms,
    is_fact,
    merge_windows,
    streaming_atoms,
    window_of,
)
from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.syntax.nodes import (
    Atom,
    External,
    FormulaAtom,
    Node,
    Program,
    Rule,
    Show,
    Signature,
    StreamingAtom,
    Term,
)
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import every
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class ProgramAnalysis:
    """A program, and what follows from it; each is computed when it is first read, and never again.

    Attributes:
        program: the program.
        given: the functions that are given besides those of its scripts, before which they go, with their
            types, where they have some.
    """

    program: Program
    given: Mapping[str, FunctionType | None] = field(default_factory=dict)

    @cached_property
    def functions(self) -> FunctionTypes:
        """The types of the user's functions that are annotated."""
        found = {**script_functions(self.program), **self.given}
        return {name: one for name, one in found.items() if one is not None}

    @cached_property
    def constants(self) -> Mapping[str, int]:
        """The integers that its constants stand for."""
        return constant_values(self.program)

    @cached_property
    def constant_terms(self) -> Mapping[str, Term]:
        """The terms that its constants stand for."""
        return constant_terms(self.program)

    @cached_property
    def types(self) -> ArgumentTypes:
        """The types of the arguments of its predicates."""
        return ArgumentTypes(self.program, self.constant_terms, self.functions, lambda: self.predicates)

    @cached_property
    def predicates(self) -> Mapping[Signature, Location]:
        """Every predicate that it names; see all_predicates."""
        return all_predicates(self.program)

    @cached_property
    def kinds(self) -> frozenset[type[Node]]:
        """The kinds of nodes in its statements but for plain facts."""
        return frozenset(map(type, every(Node, *self.program.but_plain_facts)))

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules and constraints: all but the background data."""
        found = (s for s in self.program.but_plain_facts if isinstance(s, Rule))
        return tuple(rule for rule in found if not is_fact(rule))

    @cached_property
    def facts(self) -> Mapping[Signature, Sequence[Rule]]:
        """The background data, by predicate."""
        found: dict[Signature, list[Rule]] = {}
        for rule in self.program.rules():
            if isinstance(rule.head, Atom) and is_fact(rule):
                found.setdefault(rule.head.signature, []).append(rule)
        return found

    @cached_property
    def heads(self) -> tuple[tuple[Rule, HeadAtom], ...]:
        """Each atom that a rule may derive, with the rule, in the order of the program."""
        return tuple((rule, head) for rule in self.rules for head in head_atoms(rule))

    @cached_property
    def streaming_atoms(self) -> tuple[StreamingAtom, ...]:
        """The streaming atoms of bodies and conditions."""
        return tuple(streaming_atoms(self.program))

    @cached_property
    def derived(self) -> tuple[Signature, ...]:
        """The predicates that rules derive, in the order of the program."""
        return tuple(dict.fromkeys(head.atom.signature for _, head in self.heads))

    @cached_property
    def placed(self) -> frozenset[Signature]:
        """The predicates of heads `a at T`."""
        return frozenset(head.atom.signature for _, head in self.heads if head.tick is not None)

    @cached_property
    def externals(self) -> frozenset[Signature]:
        """The predicates of `#external`: they may hold now without a rule or the input."""
        return frozenset(external.atom.signature for external in self.program.every(External))

    @cached_property
    def shown(self) -> frozenset[Signature]:
        """The predicates of the output: those that `#show` names, without any `#show` the derived ones."""
        shows = list(self.program.every(Show))
        return (
            frozenset(show.signature for show in shows if show.signature)
            if shows
            else frozenset(self.derived) - {h.atom.signature for rule, h in self.heads if rule.is_of_formula}
        )

    @cached_property
    def formulas(self) -> Mapping[Signature, FormulaAtom]:
        """The atoms that stand for formulas in brackets, by their predicates."""
        atoms = (one.atom for one in self.streaming_atoms)
        return {atom.signature: atom for atom in atoms if isinstance(atom, FormulaAtom)}

    @cached_property
    def reach(self) -> Mapping[Signature, int | None]:
        """How many ticks back each predicate under a streaming atom is ever looked at; None is without end.

        Fixed ticks are looked at however long ago they were, and not counted.
        """
        found: dict[Signature, int | None] = {}
        windows = [(s.atom.signature, window_of(s, self.constants)) for s in self.streaming_atoms]
        for signature, merged in merge_windows(self.program, self.constants).items():
            windows += [(signature, window) for window in merged]
        windows += [(window.signature, window) for _, window in windows if isinstance(window, Since)]
        for signature, window in windows:
            if isinstance(window, LastArrivals):  # arrivals are kept apart
                continue
            known = found.get(signature, 0)
            own = window.reach
            found[signature] = None if own is None or known is None else max(known, own)
        return found
