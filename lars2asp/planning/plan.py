"""The plan: what the compiler hands to the runtime."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from lars2asp.planning.instances import Instances
from lars2asp.planning.lookups import Bound, Lookup, LookupKind
from lars2asp.planning.names import Names
from lars2asp.syntax.diagnostics import Diagnostic
from lars2asp.syntax.nodes import Declaration, Input, Script, Semantics, Signature
from lars2asp.syntax.source import Location


@dataclass(frozen=True, slots=True)
class Ask:
    """A place in the body of a generated rule where a lookup is asked.

    Attributes:
        lookup: what is asked.
        pattern: a term for what is answered.
        call: the `@`-call that asks it.
    """

    lookup: Lookup
    pattern: str
    call: str

    @property
    def text(self) -> str:
        """The equation of the pattern and the call."""
        return f"{self.pattern} = {self.call}"


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One line of generated text.

    Attributes:
        pieces: the text.
        origin: the place in the user's text that it comes from.
        background: for a fact of the background data, its predicate.
    """

    pieces: tuple[str | Ask, ...]
    origin: Location
    background: Signature | None = None

    @property
    def text(self) -> str:
        """The text, with `@`-calls."""
        return "".join(piece if isinstance(piece, str) else piece.text for piece in self.pieces)


@dataclass(frozen=True)
class Published:
    """Derived predicates that are handed on before the tick is over.

    Attributes:
        at_once: those whose atoms enter the stream with that.
        apart: those whose atoms do not, or only when the tick is over.
    """

    at_once: frozenset[Signature] = frozenset()
    apart: frozenset[Signature] = frozenset()


@dataclass(frozen=True, slots=True)
class Role:
    """What becomes of the atoms of a predicate of the generated text.

    Attributes:
        shown: the predicate as which they are output.
        published: the predicate as which they are handed to components above.
        recorded: the predicate as which they are put into the stream when the tick is over.
        placed: the predicate as which they are put into the stream at the tick that is their last argument.
    """

    shown: Signature | None = None
    published: Signature | None = None
    recorded: Signature | None = None
    placed: Signature | None = None


@dataclass(frozen=True)
class Component:
    """Rules that are evaluated together.

    Attributes:
        plan: their plan, as if they were the program and what components below derive were told.
        derives: the predicates that they derive.
        is_certain: whether there is exactly one answer stream, whatever holds below.
        instances: their rules for the evaluator `delta`, or why that cannot serve them.
        roles: for a component that is certain, what becomes of the predicates of its text.
        instance_roles: the same for its instances.
        has_contraries: whether its text has a predicate together with its classical negation.
        output_has_input: whether what only the input tells of its predicates is output.
    """

    plan: "Plan"
    derives: frozenset[Signature]
    is_certain: bool
    instances: Instances | str
    roles: Mapping[Signature, Role]
    instance_roles: Mapping[Signature, Role]
    has_contraries: bool
    output_has_input: bool


@dataclass(frozen=True)
class Plan:
    """A checked and translated program.

    Attributes:
        semantics: how windows over derived atoms are read.
        facts: ASP text of the background data.
        lines: the ASP text of a tick, to be grounded as program part `part` with one parameter, the tick.
        part: the name of that part.
        bounds: for lookups of which only some answers matter, those.
        functions: the `@`-function that each kind of lookup is called by.
        lookups: what the text asks the database, each once.
        ask_names: for each lookup a predicate name that the program does not have.
        names: the generated names.
        shown_as: for generated predicates in the output, the predicates whose atoms they stand for.
        recorded: the predicates whose atoms are put into the stream, and the predicate that they are there;
            only such as later ticks look at.
        placed: the predicates whose atoms are put into the stream at the tick that is their last argument,
            and the predicate that they are there.
        reach: for each predicate under a streaming atom, how many ticks back it is ever looked at (None:
            without end).
        depends_on_now: whether the answer may change with the tick alone, all lookups being the same.
        optimizes: whether answer streams are compared by weak constraints.
        has_externals: whether atoms may be true that neither rules derive nor the input tells.
        shows_terms: whether terms are output that need not be atoms.
        guides_solver: whether the program has heuristics for the solver.
        scripts: the user's Python code, in the order of the text.
        called: the user's `@`-functions that the program calls, and where it does first.
        tick_length: the length of a tick in microseconds, if the program gives it.
        zone: the time zone of timestamps that name no offset, if the program declares it.
        inputs: the declarations of table input.
        declarations: all that the program declares, in the order of the text.
        components: the program in parts, lowest first; at most the last one is not certain.
        published: which of the predicates that components derive enter the stream at once, and which others
            are handed to components above.
        assumed: the predicates of background data of which the input must not tell atoms while components are
            evaluated: then only the whole program says what holds.
        shown_input: the predicates of the output that no rule derives.
        warnings: what is odd about the program and keeps it from nothing.
    """

    semantics: Semantics
    facts: str
    lines: tuple[PlanLine, ...]
    part: str
    parameter: str
    functions: Mapping[LookupKind, str]
    lookups: tuple[Lookup, ...]
    ask_names: tuple[str, ...]
    names: Names
    bounds: Mapping[Lookup, tuple[Bound, ...]]
    shown_as: Mapping[str, Signature]
    recorded: Mapping[Signature, Signature]
    placed: Mapping[Signature, Signature]
    reach: Mapping[Signature, int | None]
    depends_on_now: bool
    optimizes: bool
    has_externals: bool
    shows_terms: bool
    guides_solver: bool
    scripts: tuple[Script, ...]
    called: Mapping[str, Location]
    tick_length: int | None
    zone: ZoneInfo | None
    inputs: tuple[Input, ...]
    declarations: tuple[Declaration, ...]
    components: tuple[Component, ...] = ()
    published: Published = field(default_factory=Published)
    assumed: frozenset[Signature] = frozenset()
    shown_input: frozenset[Signature] = frozenset()
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def text(self) -> str:
        """The ASP text, one statement a line."""
        return "".join(f"{line.text}\n" for line in self.lines)

    @property
    def origins(self) -> tuple[Location, ...]:
        """Where each line of the text comes from."""
        return tuple(line.origin for line in self.lines)
