"""Translates a checked program to ASP with `@`-calls: streaming atoms become plain atoms.

With `q(X) :- p(X).` in the program,

    a(X) :- q(X) in [5].

becomes (the tests have every case; `streaming` has the definitions of streaming atoms)

    a(X) :- lars_in_sliding_5_q(X).
    lars_in_sliding_5_q(X1) :- q(X1) = @lars_in("q",1,"sliding(5)",lars_now).
    lars_in_sliding_5_q(X1) :- q(X1).

A head `p(X) at T` derives `lars_placed_p(X,T)`: p(X) holds at T by this evaluation. Where derived atoms must
be distinguished from others, rules derive atoms of a generated predicate `lars_derived_p`, which then make p
true: with strict semantics for the output, with `#temp` for recording.
"""

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.calendar_atoms import calendar_of
from lars2asp.analysis.called_functions import called_functions
from lars2asp.analysis.decimals import declared_forms
from lars2asp.analysis.declared_time import (
    counts_days,
    declared_gap,
    declared_lateness,
    declared_origin,
    declared_zone,
    needs_whole_windows,
    tick_length,
)
from lars2asp.analysis.held_facts import held_facts
from lars2asp.analysis.number_forms import NumberForm
from lars2asp.analysis.predicates import is_fact, named_plainly
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.asp.asp_program import AspProgram, WideText, wide_facts
from lars2asp.planning.asp.safe_arithmetic import made_safe
from lars2asp.planning.asp.statement_translation import StatementTranslator
from lars2asp.planning.asp.streaming import plain_atom, variables_of
from lars2asp.planning.components import ComponentRules, Components, components_of, has_contraries
from lars2asp.planning.head_predicates import HeadPredicates
from lars2asp.planning.left_out import left_out, without
from lars2asp.planning.lookups import Lookup, LookupKind, RelevantAnswers
from lars2asp.planning.names import Names
from lars2asp.planning.noted_times import with_noted_times
from lars2asp.planning.plan import Component, Destinations, Plan, Published, Translated
from lars2asp.planning.regular_ticks import RegularTicks, with_regular_ticks
from lars2asp.planning.relevant_answers import relevant_answers
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.planning.whole_windows import with_whole_windows
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Rule, Semantics, Signature, Statement, Term, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.values import dataclass

_TICK = Variable("T")


def translate(program: Program, semantics: Semantics | None = None, *, with_all: bool = False) -> Plan:
    """The plan of a checked program; `semantics` goes before the program's own choice.

    Rules that no answer depends on are left out, but `with_all`. Raises nothing for a program that passed the
    checks.
    """
    effective = effective_semantics(program, semantics)
    demanded, regular = _demanded(program, effective)
    analysis = ProgramAnalysis(demanded)
    gone = () if with_all else left_out(analysis, effective)
    if gone:
        analysis = ProgramAnalysis(without(analysis.program, gone))
    found = components_of(analysis, effective)
    called = called_functions(program)
    differs = called or not all(one.is_certain for one in found.rules)
    forgets = effective is Semantics.STRICT or any(rule.is_temporary for rule, _ in analysis.heads)
    differs = differs or bool(analysis.placed) or forgets
    derived = frozenset(analysis.derived)
    whole = _Translation(analysis, effective)
    return Plan(
        semantics=effective,
        whole=Component(
            partial(_translated, analysis, effective), derived, DeltaRules("it is the whole program")
        ),
        components=_components(analysis, effective, found),
        batched=partial(_batched, analysis, effective) if differs else None,
        published=found.published,
        facts=whole.facts,
        wide_facts=whole.wide_facts,
        lasting=whole.lasting,
        assumed=found.assumed,
        shown_input=analysis.shown - analysis.externals - derived,
        reach=analysis.reach,
        scripts=tuple(program.every(nodes.Script)),
        called=called,
        tick_length=tick_length(program),
        counts_days=counts_days(program),
        zone=declared_zone(program),
        origin=declared_origin(program),
        lateness=declared_lateness(program),
        largest_gap=declared_gap(program),
        complete_windows=needs_whole_windows(program),
        held=held_facts(program),
        calendar=calendar_of(program),
        regular=regular,
        tables=tuple(program.every(nodes.Table)),
        inputs=tuple(program.every(nodes.Input)),
        decimals=declared_forms(program),
        declarations=tuple(program.every(nodes.Declaration)),
        program=program,
        left_out=gone,
    )


def _components(analysis: ProgramAnalysis, semantics: Semantics, found: Components) -> tuple[Component, ...]:
    components: list[Component] = []
    below: frozenset[Signature] = frozenset()
    for rules in found.rules:
        part = _ComponentContext(analysis, rules, found.published, below)
        components.append(_Translation(ProgramAnalysis(rules.program), semantics, part).component())
        below |= components[-1].derives
    return tuple(components)


def _batched(analysis: ProgramAnalysis, semantics: Semantics) -> tuple[Component, ...]:
    """The components for batches of ticks."""
    return _components(analysis, semantics, components_of(analysis, semantics, in_batches=True))


def _demanded(program: Program, semantics: Semantics) -> tuple[Program, tuple[RegularTicks, ...]]:
    """The program with what its whole windows demand, if it has such, and with what is noted of the clock.

    Also with atoms that hold at every n-th tick, whose predicates it gives.
    """
    names = Names(program)
    if needs_whole_windows(program):
        program = with_whole_windows(program, names.whole)
    if semantics is Semantics.RECORDED:
        program = with_noted_times(program, names.noted)
    return with_regular_ticks(program, names.regular)


def demanding_whole_windows(plan: Plan) -> Plan:
    """The plan of the same program, as one that demands whole windows."""
    whole = Program((*plan.program.statements, nodes.CompleteWindows()), plan.program.sources)
    return replace(
        translate(whole, plan.semantics),
        inputs=plan.inputs,
        types=plan.types,
        required=plan.required,
        warnings=plan.warnings,
        explained=plan.explained,
    )


def identity_of(plan: Plan) -> list[str]:
    """The texts by which programs are distinguished; rules that are left out are in them."""
    program = plan.whole.program
    if plan.left_out:
        program = _Translation(
            ProgramAnalysis(_demanded(plan.program, plan.semantics)[0]), plan.semantics
        ).asp_program()
    decimals = [f"{one}: {tuple(map(_form_identity, forms))}" for one, forms in sorted(plan.decimals.items())]
    held = [f"#held {one}: {by}" for one, by in sorted(plan.held.items())]
    calendar = [f"#calendar {one}" for one in plan.calendar]
    texts = [program.text, program.facts, program.names.part, *map(str, plan.scripts)]
    tables = [f"#table {to_text(one)}" for one in plan.tables]
    return [*texts, *decimals, *held, *calendar, *tables]


def _form_identity(form: NumberForm) -> int | str:
    """A form in which numbers are written, for the identity of programs."""
    return form if isinstance(form, int) else type(form).__name__


def effective_semantics(program: Program, given: Semantics | None) -> Semantics:
    """The semantics given from outside, else that of the program, else the default."""
    chosen = [choice.semantics for choice in program.every(nodes.SemanticsChoice)]
    return given or (chosen[0] if chosen else Semantics.RECORDED)


@dataclass(frozen=True)
class _ComponentContext:
    """A component and its place in the program.

    Attributes:
        whole: the program.
        rules: the rules of the component.
        published: the derived predicates that components hand on.
        below: the predicates that components below derive.
    """

    whole: ProgramAnalysis
    rules: ComponentRules
    published: Published
    below: frozenset[Signature]

    @property
    def publishes(self) -> frozenset[Signature]:
        """The predicates that the component hands on."""
        own = self.rules.derives
        return (own & self.published.at_once) | (own & self.published.apart)


def _destinations(
    signatures: Iterable[Signature], ways: Sequence[Mapping[Signature, Signature]]
) -> dict[Signature, Destinations]:
    """Where the atoms of predicates go, by the ways to each destination."""
    return {one: Destinations(*(way.get(one) for way in ways)) for one in signatures}


def _translated(
    analysis: ProgramAnalysis, semantics: Semantics, part: _ComponentContext | None = None
) -> Translated:
    """The translation of the whole program, or of one component."""
    return _Translation(analysis, semantics, part).translated()


class _Translation:
    """Translates the whole program, or the rules of one component."""

    def __init__(
        self, analysis: ProgramAnalysis, semantics: Semantics, part: _ComponentContext | None = None
    ) -> None:
        self._analysis = analysis
        self._program = analysis.program
        self._semantics = semantics
        self._part = part
        self._whole = analysis if part is None else part.whole
        self._places = analysis.predicates
        self._names = Names(self._whole.program)
        self._heads = HeadPredicates(analysis, semantics, self._names)
        apart = frozenset[Signature]() if part is None else part.published.apart
        derived = self._heads.derived | analysis.externals | apart
        self._statements = StatementTranslator(self._names, self._heads, analysis.constants, derived)
        self._streaming = self._statements.streaming
        self._add = self._statements.add

    def asp_program(self) -> AspProgram:
        program, heads, statements = self._program, self._heads, self._statements
        for constant in self._constants:
            self._add(constant, constant.location)
        for statement in program.statements:
            if not isinstance(statement, nodes.Declaration):
                statements.translate(statement)
        self._bridges()
        self._input_rules()
        reach = self._whole.reach
        recorded = {heads.recorded_as(signature): signature for signature in self._recorded}
        placed = {heads.placed_as(s): s for s in heads.kept_at} if not heads.is_strict else {}
        self._show(recorded, placed)
        return AspProgram(
            drafts=tuple(statements.drafts),
            constants=self._analysis.constants,
            values=self._analysis.constant_terms,
            facts=self.facts,
            wide_facts=self.wide_facts,
            names=self._names,
            lookups=tuple(self._streaming.lookups),
            relevant_answers=self._relevant_answers(),
            shown_as=statements.shown_as,
            recorded=recorded,
            placed=placed,
            longest_reach=max((ticks for ticks in reach.values() if ticks is not None), default=0),
            depends_on_now=bool(heads.placed) or statements.depends_on_now or self._streaming.depends_on_now,
            optimizes=any(program.every(nodes.WeakConstraint)),
            priorities=self._priorities(),
            has_externals=any(
                external.value != nodes.Function("false") for external in program.every(nodes.External)
            ),
            shows_terms=any(program.every(nodes.ShowTerm)),
            guides_solver=any(program.every(nodes.Heuristic)),
            projects=any(
                any(self._whole.program.every(kind)) for kind in (nodes.ProjectSignature, nodes.ProjectAtom)
            ),
        )

    @cached_property
    def facts(self) -> str:
        """ASP text of the background data."""
        background: list[Statement] = [*self._constants, *filter(is_fact, self._program.rules())]
        return "".join(map(self._safe_text, background))

    @cached_property
    def wide_facts(self) -> WideText | None:
        """The same where numbers may have any size, if they need it."""
        analysis = self._analysis
        facts = filter(is_fact, self._program.rules())
        return wide_facts(facts, analysis.constants, analysis.constant_terms, self._names)

    @property
    def lasting(self) -> frozenset[Signature]:
        """The predicates whose derived atoms are all recorded when a tick is over."""
        return self._recorded - self._heads.marked

    @cached_property
    def _constants(self) -> list[nodes.Constant]:
        constants = self._program.every(nodes.Constant)
        return [dataclasses.replace(constant, is_override=False) for constant in constants]

    @cached_property
    def _recorded(self) -> frozenset[Signature]:
        """The predicates whose atoms are recorded when the tick is over."""
        if self._heads.is_strict:
            return frozenset()
        at_once = self._part.published.at_once if self._part is not None else frozenset[Signature]()
        return (self._heads.kept & frozenset(self._whole.reach)) - at_once

    def _safe_text(self, statement: Statement) -> str:
        return f"{to_text(made_safe(statement, self._analysis.constants, self._names).statement)}\n"

    def _priorities(self) -> tuple[int, ...]:
        """The priorities of weak constraints that are known before there is input, the highest first."""
        constants = self._analysis.constants
        found = {integer_value(one.priority, constants) for one in self._program.every(nodes.WeakConstraint)}
        return tuple(sorted((one for one in found if one is not None), reverse=True))

    def translated(self) -> Translated:
        """The ASP program, and where the atoms that it derives go."""
        program, part = self.asp_program(), self._part
        if part is None or not part.rules.is_certain:
            return Translated(program)
        ways = (
            {self._heads.shown_as(signature): signature for signature in self._shown()},
            {signature: signature for signature in part.publishes},
            program.recorded,
            program.placed,
        )
        return Translated(program, _destinations(chain(*ways), ways))

    def component(self) -> Component:
        """The component, and where the atoms that `delta` derives go."""
        part = self._part
        if part is None:
            raise TypeError("the whole program is not a component")
        rules = part.rules
        heads, published, recorded = rules.heads, part.publishes, {s: s for s in self._recorded}
        if heads is not None:
            keeping = heads.keeping(rules.derives)
            published = published.union(keeping)
            recorded = {one: other for one, other in recorded.items() if one not in heads.fading} | keeping
        ways_by_delta = ({s: s for s in self._shown()}, {s: s for s in published}, recorded)
        return Component(
            partial(_translated, self._analysis, self._semantics, part),
            rules.derives,
            rules.delta_rules,
            is_certain=rules.is_certain,
            delta_destinations=_destinations(rules.derives, ways_by_delta),
            has_contraries=has_contraries(self._places),
            output_has_input=not self._heads.separates_input,
            fails=rules.fails,
            placings={} if heads is None else heads.placings(rules.derives),
            fading=frozenset() if heads is None else heads.fading & rules.derives,
            late=frozenset() if heads is None else heads.late & rules.derives,
            settled=rules.settled & rules.derives,
        )

    def _relevant_answers(self) -> dict[Lookup, tuple[RelevantAnswers, ...]]:
        """The lookups of a component of which only some answers matter."""
        part = self._part
        if part is None:
            return {}
        derived = frozenset(self._whole.derived)
        plain = {
            signature: Lookup(LookupKind.NOW if signature in part.below else LookupKind.INPUT, signature)
            for signature in self._places
            if signature not in self._heads.derived
        }
        hidden = self._heads.derived | self._heads.placed | self._streaming.named
        return relevant_answers(self._program, derived, plain, hidden, self._analysis.constants)

    def _shown(self) -> frozenset[Signature]:
        """The predicates of the output that this text shows."""
        shown = self._whole.shown
        return shown if self._part is None else shown & self._part.rules.derives

    # --- rules that connect predicates ----------------------------------------------------------------

    def _bridges(self) -> None:
        """Adds the rules from derived and placed atoms to atoms that hold now."""
        heads, names = self._heads, self._names
        now = nodes.Function(names.now)
        for signature in self._analysis.derived:
            origin = self._places[signature]
            variables = variables_of(signature)
            plain = plain_atom(signature, variables)
            derived = nodes.Atom(names.derived(signature), variables)
            is_marked = signature in heads.marked
            if is_marked:
                self._bridge(plain, derived, origin)
            if signature not in heads.placed:
                continue
            placed = names.placed(signature)
            if is_marked:
                derived_at = names.derived_at(signature)
                self._bridge(
                    nodes.Atom(placed, (*variables, _TICK)),
                    nodes.Atom(derived_at, (*variables, _TICK)),
                    origin,
                )
                self._bridge(derived, nodes.Atom(derived_at, (*variables, now)), origin)
            self._bridge(plain, nodes.Atom(placed, (*variables, now)), origin)
            if signature in heads.merged:
                self._merge(signature, variables, origin)

    def _bridge(self, head: nodes.Atom, body: nodes.Atom, origin: Location) -> None:
        self._add(Rule(head, (nodes.Literal(body),)), origin)

    def _merge(self, signature: Signature, variables: Sequence[Term], origin: Location) -> None:
        """Adds the rules that merge atoms that hold at a tick anyway with those that heads place there."""
        name = self._names.placed(signature)
        ticked = (*variables, _TICK)
        lookups = [
            self._streaming.lookup(LookupKind.AT, ticked, signature, window)
            for window in self._heads.merged[signature]
        ]
        if not self._heads.is_strict:
            lookups.append(self._streaming.lookup(LookupKind.SCHEDULED, ticked, signature))
        for lookup in lookups:
            self._streaming.rule(nodes.Atom(name, ticked), [lookup], origin)
        now = nodes.Atom(name, (*variables, nodes.Function(self._names.now)))
        self._bridge(now, plain_atom(signature, variables), origin)

    def _input_rules(self) -> None:
        """Adds a rule for the input atoms of each predicate, or for those that components below derive."""
        derived_elsewhere = frozenset(self._whole.derived)
        named = self._heads.derived | self._streaming.named | named_plainly(self._program)
        for signature, location in self._places.items():
            variables = variables_of(signature)
            kind = LookupKind.INPUT
            if self._part is not None and signature in self._part.below:
                kind = LookupKind.NOW
            elif signature not in self._heads.derived and signature in derived_elsewhere:
                continue  # it is looked at in the past alone
            if self._part is not None and signature not in named:
                continue  # it is looked at in windows alone
            lookup = self._streaming.lookup(kind, variables, signature)
            self._streaming.rule(plain_atom(signature, variables), [lookup], location)

    def _show(self, recorded: Collection[Signature], placed: Collection[Signature]) -> None:
        self._add(nodes.Show(), NOWHERE)
        shown_as = self._statements.shown_as
        shown = dict.fromkeys(map(self._heads.shown_as, sorted(self._shown())))
        if self._heads.separates_input:
            shown_as |= {self._names.derived(s): s for s in sorted(self._shown())}
        shown |= dict.fromkeys(Signature(name, s.arity) for name, s in shown_as.items())
        if self._part is not None and self._part.rules.is_certain:
            shown |= dict.fromkeys((*self._part.publishes, *recorded, *placed))
        for signature in shown:
            self._add(nodes.Show(signature), NOWHERE)
