"""From program text to plan: parse, check and rewrite in passes, translate."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from difflib import get_close_matches
from functools import partial
from math import isfinite
from typing import Any, Self, TypedDict, Unpack

from lars2asp.analysis.argument_types.function_types import given_types
from lars2asp.analysis.argument_types.required import required_types, typed_inputs
from lars2asp.analysis.argument_types.type_table import Types
from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.analysis.called_functions import check_functions
from lars2asp.analysis.declared_time import has_open_origin
from lars2asp.analysis.line_patterns import with_kinds
from lars2asp.analysis.passes.argument_types import check_types
from lars2asp.analysis.passes.contradictions import check_contradictions
from lars2asp.analysis.passes.cycles import check_cycles
from lars2asp.analysis.passes.decimals import write_decimals
from lars2asp.analysis.passes.declarations import (
    check_constants,
    check_declarations,
    check_type_declarations,
)
from lars2asp.analysis.passes.durations import write_durations
from lars2asp.analysis.passes.foreign_terms import check_terms
from lars2asp.analysis.passes.formulas import check_formulas
from lars2asp.analysis.passes.growth import check_growth
from lars2asp.analysis.passes.intervals import check_intervals
from lars2asp.analysis.passes.other_meanings import check_meanings
from lars2asp.analysis.passes.remarks import inform, remark
from lars2asp.analysis.passes.rewriting.at_most import write_at_most
from lars2asp.analysis.passes.rewriting.local_variables import write_local_variables
from lars2asp.analysis.passes.rewriting.pools import MOST_WRITTEN, is_multiplied_too_much, write_out
from lars2asp.analysis.passes.rewriting.projection import write_projections
from lars2asp.analysis.passes.rewriting.set_members import write_set_members
from lars2asp.analysis.passes.safety import check_pools, check_safety
from lars2asp.analysis.passes.structure import check_numbers, check_structure
from lars2asp.analysis.passes.texts_of_digits import check_texts_of_digits
from lars2asp.analysis.passes.unknown_predicates import check_predicates
from lars2asp.analysis.passes.window_sizes import resolve_windows
from lars2asp.analysis.predicates import all_predicates
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.plan import Explained, Plan
from lars2asp.planning.translation import effective_semantics, translate
from lars2asp.splitting.parts import Part
from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import Diagnostic, Diagnostics, Severity
from lars2asp.syntax.garbage import collector_paused
from lars2asp.syntax.nodes import (
    CompleteWindows,
    Constant,
    External,
    Function,
    Input,
    Origin,
    Program,
    Rule,
    Semantics,
    Show,
    ShowTerm,
    Signature,
    Statement,
    Table,
    Tick,
    TimeZone,
)
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source
from lars2asp.syntax.traversal import walk

Pass = Callable[[ProgramAnalysis, Diagnostics], Program | None]
"""Reports mistakes of a program; a rewriting pass returns the new program."""

PASSES: tuple[Pass, ...] = (
    check_constants,
    check_type_declarations,
    write_durations,
    write_decimals,
    check_structure,
    check_declarations,
    resolve_windows,
    check_numbers,
    check_safety,
    check_cycles,
    check_growth,
    check_types,
)
"""The passes after the parser, in this order."""

WARNING: tuple[Pass, ...] = (check_predicates, check_terms, check_meanings, check_texts_of_digits)
"""Those that only warn, of a program without errors as it was read."""

REWRITING: tuple[Pass, ...] = (write_at_most, write_set_members, write_projections, write_local_variables)
"""The last passes before the translation: they rewrite the user's text."""


class ProgramOptions(TypedDict, total=False):
    """Settings from outside the program; `help(Reasoner)` explains the keywords."""

    const: Mapping[str, str | float | Decimal] | None
    semantics: Semantics | str | None
    tick: str | timedelta | None
    timezone: str | None
    origin: datetime | str | None
    complete_windows: bool
    show: Sequence[str]
    largest_interval: int | None


def _constants(given: Any) -> dict[str, str]:
    """The values of constants, by their names, as programs write them. Raises TypeError and ValueError."""
    pairs = given.items() if isinstance(given, Mapping) else given
    if (
        isinstance(pairs, str)
        or not isinstance(pairs, Iterable)
        or any(isinstance(one, str) for one in pairs)
    ):
        raise TypeError(f"const maps names to values, such as {{'limit': 5}}, not {given!r}")
    return {name: _term(name, value) for name, value in pairs}


def _predicates(given: Any) -> tuple[str, ...]:
    """The predicates of `show` as texts. Raises TypeError and ValueError."""
    if isinstance(given, str):
        raise TypeError(f"show is a list of predicates, such as ['alarm/1'], not {given!r}")
    for one in given:
        if not isinstance(one, str | Signature) or "/" not in str(one):
            raise ValueError(f"show lists predicates and their arities, such as 'alarm/1', not {one!r}")
    return tuple(map(str, given))


def _term(name: str, value: object) -> str:
    """The value of a constant as a program writes it. Raises ValueError for infinity and NaN."""
    if value is None or isinstance(value, bool | Mapping | list | set):
        raise TypeError(
            f"the constant {name} is an integer, a decimal, or text as in programs, not {value!r}"
        )
    if not isinstance(value, float | Decimal):
        return str(value)
    if not isfinite(value):
        raise ValueError(f"the constant {name} is {value}, which is not a number")
    return format(Decimal(str(value)), "f")


@dataclass(frozen=True)
class Overrides:
    """Values from outside that go before the program's own.

    Attributes:
        const: Terms for constants, by name.
        tick: The length of a tick, such as `1 sec`.
        semantics: The meaning of windows over derived atoms.
        functions: The names of further `@`-functions that the program may call; a mapping also gives their
            annotated types.
        timezone: The zone of timestamps without offset, such as `Europe/Vienna`.
        origin: When tick 0 begins, such as `2026-01-01T00:00:00Z`.
        is_found: Whether the origin comes from the input; see `nodes.Origin`.
        complete_windows: Whether windows must lie wholly on the timeline, as with `#complete_windows`.
        show: The predicates in answers, such as `alarm/1`; overrides `#show`. lars2asp skips the rules that
            they do not need.
        largest_interval: The largest number of values of an interval in a fact.
    """

    const: Mapping[str, str] = field(default_factory=dict)
    tick: str | None = None
    semantics: Semantics | None = None
    functions: Collection[str] = frozenset()
    timezone: str | None = None
    origin: str | None = None
    complete_windows: bool = False
    show: tuple[str, ...] = ()
    largest_interval: int = LARGEST_INTERVAL
    is_found: bool = False

    @classmethod
    def of(cls, options: Mapping[str, Any], functions: Collection[str] = frozenset()) -> Self:
        """Those among keyword arguments, constants as pairs or by name. Raises ValueError."""
        semantics, origin, tick = (options.get(name) for name in ("semantics", "origin", "tick"))
        if isinstance(tick, timedelta):
            tick = f"{tick // timedelta(microseconds=1)} usec"
        return cls(
            _constants(options.get("const") or {}),
            tick,
            None if semantics is None else Semantics(semantics),
            functions,
            options.get("timezone"),
            None if origin is None else str(origin),
            bool(options.get("complete_windows")),
            _predicates(options.get("show") or ()),
            options.get("largest_interval") or LARGEST_INTERVAL,
        )

    def sources(self) -> Iterator[Source]:
        """The overrides as program text."""
        for name, value in self.const.items():
            yield Source(f"-c {name}={value}", f"#const {name} = {value}.")
        if self.tick is not None:
            yield Source("--tick", f"#tick {self.tick}.")
        if self.timezone is not None:
            yield Source("--timezone", f'#timezone "{self.timezone}".')
        if self.origin is not None:
            yield Source("--origin", f'#origin "{self.origin}".')
        if self.complete_windows:
            yield Source("--complete-windows", "#complete_windows.")
        for predicate in dict.fromkeys(self.show):
            yield Source(f"--show {predicate}", f"#show {predicate}.")


@dataclass(frozen=True)
class CheckedProgram:
    """A program without mistakes.

    Attributes:
        program: As the passes leave it.
        written: The program before `at most` and `not -p(_)` are rewritten, with pools written out and
            windows in ticks.
        semantics: How windows over derived atoms are read.
        types: The types of the arguments of predicates.
        warnings: The diagnostics; none is an error.
        tables: The tables that were read; their facts are in the program.
        largest_interval: The largest number of values of an interval at a tick.
        at_origin: Returns the program for an origin, if the first record decides it.
    """

    program: Program
    written: Program
    semantics: Semantics
    types: Types
    warnings: tuple[Diagnostic, ...] = ()
    tables: tuple[Table, ...] = ()
    largest_interval: int = LARGEST_INTERVAL
    at_origin: "Callable[[str], CheckedProgram] | None" = field(default=None, compare=False)

    @property
    def with_told_tables(self) -> Self:
        """The plan of a program whose tables a run reads again, so that rows begin and end."""
        told = {table.location for table in self.tables}

        def without_rows(program: Program) -> Program:
            kept = (one for one in program.statements if not (type(one) is Rule and one.location in told))
            return Program((*kept, *self.tables), program.sources)

        return replace(self, program=without_rows(self.program), written=without_rows(self.written))


def _overrides_of(options: ProgramOptions) -> Overrides:
    """The values from outside. Raises TypeError for keywords that do not exist."""
    for name in options:
        if name not in ProgramOptions.__annotations__:
            raise TypeError(f"there is no keyword {name!r}: use {', '.join(ProgramOptions.__annotations__)}")
    return Overrides.of(options)


def check(
    *sources: Source,
    overrides: Overrides | None = None,
    trusted: bool = True,
    informs: bool = False,
    **options: Unpack[ProgramOptions],
) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics of a program: errors, warnings and, with `informs`, infos. It runs no script.

    >>> from lars2asp import Source, check
    >>> [finding] = check(Source("rooms.lars", "alarm(R) :- not hot(R)."))
    >>> print(finding.severity, finding.message)
    error unsafe variable R: nothing gives it a value

    Args:
        sources: The texts of the program.
        overrides: For internal use; give keywords.
        trusted: See Reasoner.
        informs: Whether to include infos.
        options: Keywords such as `const`, `tick` and `show`; see Reasoner.

    Raises:
        TypeError: For unknown keywords and for programs that are not Sources.
    """
    given = overrides or _overrides_of(options)
    return examine(*sources, overrides=given, trusted=trusted, informs=informs)[0]


def examine(
    *sources: Source, overrides: Overrides, trusted: bool = True, informs: bool = False
) -> tuple[tuple[Diagnostic, ...], Program]:
    """What `check` returns, and the program, with its windows in ticks."""
    diagnostics = Diagnostics()
    _, written = _checked(sources, overrides, diagnostics, trusted, [])
    if informs and not diagnostics.has_errors:
        with diagnostics.about("remarks"):
            inform(written, diagnostics)
    return diagnostics.found, written.program


def compile_program(
    *sources: Source,
    overrides: Overrides | None = None,
    trusted: bool = True,
    explained: bool = False,
    **options: Unpack[ProgramOptions],
) -> Plan:
    """Compiles a program to a plan, for `Reasoner(plan)`.

    >>> from lars2asp import Reasoner, Source, compile_program
    >>> plan = compile_program(Source("rooms.lars", "alarm(R) :- hot(R)."))
    >>> Reasoner(plan).step(0, ["hot(hall)"]).holds.texts
    ('alarm(hall)',)

    Args:
        sources: The texts of the program.
        overrides: For internal use; give keywords.
        trusted: See Reasoner.
        explained: Whether a reasoner can explain its answers (`explain_last`).
        options: Keywords such as `const`, `tick` and `show`; see Reasoner.

    Raises:
        ProgramError: Lists every mistake in the program.
        TypeError: For unknown keywords and for programs that are not Sources.
    """
    given = overrides or _overrides_of(options)
    return compile_plan(checked_program(*sources, overrides=given, trusted=trusted), explained=explained)


def checked_program(
    *sources: Source, overrides: Overrides | None = None, trusted: bool = True
) -> CheckedProgram:
    """The program that the sources say together, before it is translated.

    Args:
        sources: The program's texts; `read_sources` reads files.
        overrides: Values from outside.
        trusted: Whether the program may have scripts, and include any file. If not, it includes only files
            that lie in the folders of the sources that were read from files.

    Raises:
        ProgramError: Lists every diagnostic, if the program contains an error.
    """
    diagnostics = Diagnostics()
    given = overrides or Overrides()
    tables: list[Table] = []
    program, written = _checked(sources, given, diagnostics, trusted, tables)
    diagnostics.raise_errors()
    semantics = effective_semantics(program, given.semantics)
    types = {one: places for one, places in written.types.table.items() if one not in written.formulas}
    found = diagnostics.found
    at_origin = partial(_checked_at, sources, given, trusted=trusted) if has_open_origin(program) else None
    most = given.largest_interval
    return CheckedProgram(program, written.program, semantics, types, found, tuple(tables), most, at_origin)


def _checked_at(
    sources: tuple[Source, ...], overrides: Overrides, origin: str, *, trusted: bool
) -> CheckedProgram:
    """The program with an origin that the input gave."""
    found = replace(overrides, origin=origin, is_found=True)
    return checked_program(*sources, overrides=found, trusted=trusted)


def read_program(
    *sources: Source,
    diagnostics: Diagnostics | None = None,
    trusted: bool = True,
    tables: list[Table] | None = None,
) -> Program:
    """The program that the sources say together, its pools written out; it is not checked. See `parse`."""
    return parse(*sources, diagnostics=diagnostics, trusted=trusted, rewriting=_without_pools, tables=tables)


@collector_paused()
def compile_plan(checked: CheckedProgram, *, explained: bool = False) -> Plan:
    """The plan of a checked program; `explained` says whether its answers are to be explained."""
    at_origin = None if checked.at_origin is None else partial(_plan_at, checked, explained=explained)
    if not explained:
        plan = translate(checked.program, checked.semantics)
        return _with_types(replace(plan, warnings=checked.warnings, at_origin=at_origin), checked)
    program, analysis = checked.program, ProgramAnalysis(checked.program)
    set_here = {one.atom.signature for one in program.every(External) if one.value != Function("false")}
    hidden = frozenset(set_here | {*analysis.derived}) - analysis.shown
    shown = [*map(Show, sorted(hidden))]
    if hidden and not any(program.every(Show)):
        shown += map(Show, sorted(analysis.derived))  # as it was while nothing was said of the output
    program = Program((*program.statements, *shown), program.sources)
    plan = translate(program, checked.semantics)
    explanation = Explained(checked.written, hidden)
    more: dict[str, Any] = {"explained": explanation, "at_origin": at_origin}
    return _with_types(replace(plan, warnings=checked.warnings, **more), checked)


def _plan_at(checked: CheckedProgram, origin: str, *, explained: bool) -> Plan:
    """The plan of a program with an origin that the input gave."""
    assert checked.at_origin is not None
    found, tells = checked.at_origin(origin), any(checked.program.every(Table))
    return compile_plan(found.with_told_tables if tells else found, explained=explained)


def _with_types(plan: Plan, checked: CheckedProgram) -> Plan:
    """The plan of a program with its types, which decide how its input is read."""
    required = required_types(checked.types)
    inputs = typed_inputs(plan.inputs, required)
    most = checked.largest_interval
    return replace(plan, types=checked.types, required=required, inputs=inputs, largest_interval=most)


@collector_paused()
def compile_part(part: Part, semantics: Semantics) -> Plan:
    """The plan of a part of a checked program with that semantics."""
    return translate(part.program, semantics)


@collector_paused()
def _checked(
    sources: tuple[Source, ...],
    overrides: Overrides,
    diagnostics: Diagnostics,
    trusted: bool,
    tables: list[Table],
) -> tuple[Program, ProgramAnalysis]:
    """The program after the passes, and the facts about it before it was rewritten.

    The tables that are read go to `tables`.
    """
    for source in sources:
        if not isinstance(source, Source):
            raise TypeError(f"a program is a Source, such as Source('rooms.lars', text), not {source!r}")
    program = read_program(*sources, diagnostics=diagnostics, trusted=trusted, tables=tables)
    given = read_program(*overrides.sources(), diagnostics=diagnostics, trusted=False)
    for source in given.sources:
        statements = [s for s in given.statements if s.location.source is source]
        if len(statements) > 1:
            diagnostics.error(statements[1].location, "give one value only", code=codes.UNKNOWN_OPTION_VALUE)
    _check_given_constants(program, given, diagnostics)
    _check_only(program, given, diagnostics)
    program = _with_kinds(_override(program, given))
    if overrides.is_found:
        found = (
            replace(one, is_found=True) if isinstance(one, Origin) else one for one in program.statements
        )
        program = Program(tuple(found), program.sources)
    with diagnostics.about("functions"):
        check_functions(program, overrides.functions, diagnostics, trusted=trusted)
    read = ProgramAnalysis(program, given_types(overrides.functions))
    semantics = effective_semantics(program, overrides.semantics)
    with diagnostics.about("formulas"):
        check_formulas(read, semantics, diagnostics)
    written = _passed(read, PASSES, diagnostics)
    with diagnostics.about("intervals"):
        check_intervals(written, overrides.largest_interval, diagnostics)
    analysis = _passed(written, REWRITING, diagnostics)
    if not diagnostics.has_errors:
        for warn in WARNING:
            with diagnostics.about(_subject(warn)):
                warn(read, diagnostics)
        with diagnostics.about("contradictions"):
            check_contradictions(written, diagnostics)
        with diagnostics.about("remarks"):
            remark(read, semantics, diagnostics)
    elif {one.subject for one in diagnostics.found if one.severity is Severity.ERROR} <= {
        "decimals",
        "safety",
    }:
        with diagnostics.about("predicates"):  # a misspelt one has no decimals, and a short one no variable
            check_predicates(read, diagnostics)
    return analysis.program, written


def _with_kinds(program: Program) -> Program:
    """The program, with a kind for each place of its patterns."""
    if not any(one.pattern for one in program.every(Input)):
        return program
    statements = (with_kinds(one) if isinstance(one, Input) else one for one in program.statements)
    return Program(tuple(statements), program.sources)


def _passed(analysis: ProgramAnalysis, passes: Iterable[Pass], diagnostics: Diagnostics) -> ProgramAnalysis:
    """The program as passes leave it."""
    for one in passes:
        with diagnostics.about(_subject(one)):
            rewritten = one(analysis, diagnostics)
        if rewritten is not None:
            analysis = ProgramAnalysis(rewritten, analysis.given)
    return analysis


def _subject(one: Pass) -> str:
    """The subject of a pass, from its name: `check_safety`, `resolve_windows`."""
    return one.__name__.partition("_")[2].replace("_", "-")


def _without_pools(statements: Sequence[Statement], diagnostics: Diagnostics) -> Sequence[Statement]:
    """The statements of a text, with pools written out; none if they are too many."""
    for statement in statements:
        if is_multiplied_too_much(statement):
            diagnostics.error(
                statement.location,
                f"the pools in this statement expand it to more than {MOST_WRITTEN} parts",
                "move the alternatives to facts: q(1;2). p(X,Y) :- q(X), q(Y).",
                code=codes.TOO_LARGE,
            )
            return ()
    written = [write_out(statement) for statement in statements]
    for statement, alternatives in zip(statements, written, strict=True):
        if len(alternatives) > 1:
            check_pools(statement, alternatives, diagnostics)
    return [alternative for alternatives in written for alternative in alternatives]


def _check_given_constants(program: Program, given: Program, diagnostics: Diagnostics) -> None:
    """Warns of constants from outside that the program does not know: most likely a name is misspelt."""
    constants = [*given.every(Constant)]
    if not constants:
        return
    known = {
        part.name for s in program.statements for part in walk(s) if isinstance(part, Constant | Function)
    }
    for constant in constants:
        if constant.name not in known:
            diagnostics.warning(
                constant.location, f"the program has no constant {constant.name}", code=codes.UNKNOWN_CONSTANT
            )


def _check_only(program: Program, given: Program, diagnostics: Diagnostics) -> None:
    """Reports shown predicates that the program does not contain: the output would be empty."""
    shows = [*given.every(Show)]
    known = all_predicates(program) if shows else {}
    for show in shows:
        if show.signature not in known:
            near = get_close_matches(str(show.signature), map(str, known), 1)
            hint = f"did you mean {near[0]}?" if near else ""
            diagnostics.error(
                show.location,
                f"the program has no predicate {show.signature}",
                hint,
                code=codes.UNKNOWN_OPTION_VALUE,
            )


def _override(program: Program, given: Program) -> Program:
    """The program with the given statements in place of its own of the same kind (and name)."""
    fixed = {s.name for s in program.every(Constant) if s.is_override}
    added = [s for s in given.statements if not (isinstance(s, Constant) and s.name in fixed)]
    names = {s.name for s in added if isinstance(s, Constant)}
    kinds = {type(s) for s in added if isinstance(s, Tick | TimeZone | Origin | CompleteWindows | Show)}
    gone: set[type[Statement]] = {*kinds, *([ShowTerm] if Show in kinds else [])}
    kept = (
        s
        for s in program.statements
        if not (isinstance(s, Constant) and s.name in names) and type(s) not in gone
    )
    return Program((*kept, *added), program.sources)
