"""The plan: the compiler's result for the runtime."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lars2asp.analysis.argument_types.required import RequiredTypes
from lars2asp.analysis.argument_types.type_table import Types
from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.analysis.calendar_atoms import CalendarPredicate
from lars2asp.analysis.held_facts import HeldBy
from lars2asp.analysis.number_forms import NumberForms
from lars2asp.analysis.predicates import head_atoms
from lars2asp.planning.asp.asp_program import AspProgram, WideText
from lars2asp.planning.heads_in_flow import Placing
from lars2asp.planning.regular_ticks import RegularTicks
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.syntax.diagnostics import Diagnostic
from lars2asp.syntax.nodes import (
    Declaration,
    Input,
    Program,
    Rule,
    Script,
    Semantics,
    Signature,
    Table,
    TupleWindow,
)
from lars2asp.syntax.source import Location
from lars2asp.syntax.summaries import counted, html_table, listed
from lars2asp.syntax.traversal import every

if TYPE_CHECKING:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from lars2asp.analysis.late_moments import LateMoments


@dataclass(frozen=True)
class Published:
    """Derived predicates that are handed on before the tick is over.

    Attributes:
        at_once: Those whose atoms enter the stream with that.
        apart: Those whose atoms do not, or only when the tick is over.
    """

    at_once: frozenset[Signature] = frozenset()
    apart: frozenset[Signature] = frozenset()


@dataclass(frozen=True, slots=True)
class Destinations:
    """The predicates as which atoms of a component go to output, stream and other components.

    Attributes:
        shown: In the output.
        published: In the components above.
        recorded: In the stream, after the tick.
        placed: In the stream, at the tick that is their last argument.
    """

    shown: Signature | None = None
    published: Signature | None = None
    recorded: Signature | None = None
    placed: Signature | None = None


class Translated(NamedTuple):
    """The translation of a component.

    Attributes:
        program: Its ASP program; atoms of components below are input.
        destinations: The destinations of its atoms by predicate, if the component is certain.
    """

    program: AspProgram
    destinations: Mapping[Signature, Destinations] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Component:
    """Rules that are evaluated together; equal only to itself.

    Attributes:
        translation: Makes their ASP program, as often as it is called.
        derives: The predicates that they derive.
        delta_rules: The rules for the evaluator `delta`.
        is_certain: Whether there is always exactly one answer stream.
        delta_destinations: The destinations of the atoms that `delta` derives, by predicate.
        has_contraries: Whether the rules contain a predicate and its classical negation.
        output_has_input: Whether input atoms of derived predicates are output if no rule derives them.
        fails: Whether it derives the ticks without an answer stream.
        placings: In batches of ticks, by predicates of atoms that it places at ticks: which they are.
        fading: Likewise the predicates of which later ticks forget atoms.
        late: Likewise those of which more may become known of ticks that are over.
        settled: The predicates of which windows remember atoms even with strict semantics.
    """

    translation: Callable[[], Translated]
    derives: frozenset[Signature]
    delta_rules: DeltaRules
    is_certain: bool = False
    delta_destinations: Mapping[Signature, Destinations] = field(default_factory=dict)
    has_contraries: bool = False
    output_has_input: bool = True
    fails: bool = False
    placings: Mapping[Signature, Placing] = field(default_factory=dict)
    fading: frozenset[Signature] = frozenset()
    late: frozenset[Signature] = frozenset()
    settled: frozenset[Signature] = frozenset()

    @cached_property
    def _translated(self) -> Translated:
        return self.translation()

    @property
    def program(self) -> AspProgram:
        """Their ASP program, made when it is first read; see Translated."""
        return self._translated.program

    @property
    def destinations(self) -> Mapping[Signature, Destinations]:
        """The destinations of the atoms of their ASP program; see Translated."""
        return self._translated.destinations


@dataclass(frozen=True)
class Explained:
    """What explanations of answers need.

    Attributes:
        program: The user's statements, with pools written out and windows in ticks.
        hidden: The derived predicates that only explanations need.
    """

    program: Program
    hidden: frozenset[Signature]


@dataclass(frozen=True)
class Plan:
    """A checked and compiled program, for `Reasoner(plan)`. `compile_program` makes one.

    Treat it as opaque. The fields are for internal use.

    Attributes:
        semantics: The meaning of windows over derived atoms.
        whole: The program as one component, without unused rules.
        components: The parts of the program, lowest first; only the last may have several answer streams.
        batched: Returns the parts for batches of ticks, if they differ: some ticks may have no answer stream,
            or heads place atoms at ticks, or later ticks forget atoms.
        published: The derived predicates that components pass on.
        facts: The background data, as ASP text.
        wide_facts: The same text for numbers of any size, if needed.
        lasting: The predicates with derived atoms that are all recorded after a tick.
        assumed: The predicates of background data that the input must not contain during an evaluation.
        shown_input: The output predicates that no rule derives.
        reach: How many ticks back windows look at a predicate; None without a limit.
        scripts: The Python code of the program.
        called: The called `@`-functions, each with its first place.
        tick_length: The length of a tick in microseconds, if declared.
        counts_days: Whether ticks are days in the zone.
        zone: The declared time zone.
        origin: The declared beginning of tick 0.
        at_origin: Returns the plan for another origin.
        moments: The moments of ticks, if the first record decides the origin.
        lateness: The declared lateness, in ticks.
        largest_gap: The declared largest gap, in ticks.
        complete_windows: Whether the program declares `#complete_windows`.
        largest_interval: The largest number of values of an interval at a tick.
        held: The predicates of `#held`.
        calendar: The predicates of the calendar.
        regular: The predicates that hold at every n-th tick.
        tables: The tables that a run reads again.
        inputs: The `#input` declarations.
        decimals: How to write the numbers of predicates: with decimals, as times, or as durations.
        types: The types of arguments.
        required: The types that the input needs.
        declarations: All declarations, in the order of the text.
        program: The checked program.
        left_out: The rules that no answer needs.
        warnings: The warnings of the program.
        explained: The data for explanations, if requested.
    """

    semantics: Semantics
    whole: Component
    components: tuple[Component, ...]
    published: Published
    facts: str
    wide_facts: WideText | None
    lasting: frozenset[Signature]
    assumed: frozenset[Signature]
    shown_input: frozenset[Signature]
    reach: Mapping[Signature, int | None]
    scripts: tuple[Script, ...]
    called: Mapping[str, Location]
    tick_length: int | None
    zone: "ZoneInfo | None"
    inputs: tuple[Input, ...]
    decimals: NumberForms
    declarations: tuple[Declaration, ...]
    program: Program
    left_out: tuple[Rule, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    explained: Explained | None = None
    origin: "datetime | None" = None
    at_origin: "Callable[[str], Plan] | None" = field(default=None, compare=False)
    moments: "LateMoments | None" = field(default=None, compare=False)
    counts_days: bool = False
    lateness: int | None = None
    largest_gap: int | None = None
    complete_windows: bool = False
    largest_interval: int = LARGEST_INTERVAL
    types: Types = field(default_factory=dict)
    held: Mapping[Signature, HeldBy] = field(default_factory=dict)
    required: RequiredTypes = field(default_factory=dict)
    calendar: tuple[CalendarPredicate, ...] = ()
    regular: tuple[RegularTicks, ...] = ()
    tables: tuple[Table, ...] = ()
    batched: Callable[[], tuple[Component, ...]] | None = field(default=None, compare=False)

    @cached_property
    def in_batches(self) -> tuple[Component, ...]:
        """The components for batches of ticks: derived atoms enter the stream at once."""
        return self.components if self.batched is None else self.batched()

    @property
    def foreknown(self) -> tuple[CalendarPredicate | RegularTicks, ...]:
        """The predicates whose atoms are known in advance."""
        return (*self.calendar, *self.regular)

    @cached_property
    def placings(self) -> Mapping[Signature, Placing]:
        """By predicates of atoms that heads place at ticks: which they are, in batches of ticks."""
        return {one: each for some in self.in_batches for one, each in some.placings.items()}

    @property
    def revises(self) -> bool:
        """Whether heads place atoms at ticks, or later ticks forget atoms, in batches of ticks."""
        return bool(self.placings) or any(one.fading for one in self.in_batches)

    @cached_property
    def forgotten(self) -> frozenset[Signature]:
        """The derived predicates of which windows do not remember all that rules derive."""
        if self.semantics is Semantics.STRICT:
            return frozenset(one for some in self.in_batches for one in some.derives - some.settled)
        rules = (one for one in self.program.but_plain_facts if isinstance(one, Rule))
        return frozenset(
            head.atom.signature for rule in rules if rule.is_temporary for head in head_atoms(rule)
        )

    @cached_property
    def is_ordered(self) -> bool:
        """Whether answers may depend on the order of the facts of a tick."""
        return bool(self.held) or any(every(TupleWindow, *self.program.but_plain_facts))

    def __repr__(self) -> str:
        derived = [str(one) for component in self.components for one in sorted(component.derives)]
        return f"<Plan: {counted(len(self.components), 'component')}: {listed(derived, len(derived))}>"

    def _repr_html_(self) -> str:
        parts = self.components
        rows = ([number, _derived(part)] for number, part in enumerate(parts, start=1))
        return html_table(f"Plan: {counted(len(parts), 'component')}", rows, len(parts))


def _derived(component: Component) -> str:
    return listed(sorted(component.derives), len(component.derives))
