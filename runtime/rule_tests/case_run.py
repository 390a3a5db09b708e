"""Cases of tests of rules: they are run, and what they claim is held against the answers."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from heapq import merge
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from typing import Any

from rich.cells import cell_len

from lars2asp.analysis.late_moments import LateMoments
from lars2asp.analysis.predicates import all_predicates
from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.compiler import checked_program, compile_plan
from lars2asp.externals.terms.order import atom_key
from lars2asp.externals.terms.terms import GroundAtom, turns_of
from lars2asp.externals.terms.text import atom_text
from lars2asp.planning.plan import Plan
from lars2asp.runtime.command_line.input_options import find_origin, lateness_of, reading_of, tick_of
from lars2asp.runtime.command_line.program_options import context_of, overrides_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.explanations.past.terms import Terms
from lars2asp.runtime.explanations.words.claims import Witness
from lars2asp.runtime.explanations.words.entries import Cell, Lane, lane_of
from lars2asp.runtime.explanations.words.question import asked_atom, parsed_atom, prefixes_of
from lars2asp.runtime.explanations.words.text import CHARACTERS, lane_text
from lars2asp.runtime.explanations.words.tick_texts import tick_texts
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.rule_tests.case_options import case_options
from lars2asp.runtime.rule_tests.notation import Claim, Expected, Given, Never, RuleCase, RuleFile, Why
from lars2asp.runtime.runs.held_answers import HeldAnswers, Ticks, within, without
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.runtime.sources.facts.plain_facts import COMMENT, is_facts_line
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.first_time import first_moment, scanning
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import OnReject, Origin, PassedOver, Record, Rejected
from lars2asp.runtime.sources.times.late_origin import with_own_moments
from lars2asp.runtime.tuning import DEFAULT
from lars2asp.syntax.parser import read_sources, text_source
from lars2asp.syntax.parsing.prefixed_names import with_iris
from lars2asp.syntax.source import Source, shown
from lars2asp.syntax.values import dataclass

MOST_SHOWN = 10
"""The number of atoms that a failure shows lanes of."""

CONTEXT = 10
"""The ticks on each side of a difference that its lanes have, at least."""

_MORE = "..."

_NO_STREAM = "none"


@dataclass(frozen=True)
class Failure:
    """What is not as a case claims it.

    Attributes:
        line: the line of the claim in the file.
        text: the claim, or what is wrong with the case.
        details: what was in its place, in lines.
    """

    line: int
    text: str
    details: tuple[str, ...] = ()


class CaseRun:
    """A run of a case.

    Args:
        file: the file of the case.
        case: the case.
        options: more options, which go before those of the case.
    """

    def __init__(self, file: RuleFile, case: RuleCase, options: Sequence[str] = ()) -> None:
        self._file = file
        self._case = case
        self._words = (*case.options, *options)
        self._moments: LateMoments | None = None
        """The moments of ticks, where the input decides when tick 0 begins."""

    def failures(self) -> list[Failure]:
        """What is not as it is claimed. Raises Lars2aspError where the case cannot be run."""
        claims = self._case.claims
        spans = {one: self._span(one) for one in claims if not isinstance(one, Why)}
        reasoner = self._reasoner()
        held = self.held(reasoner)
        found: list[Failure] = []
        for claim in claims:
            match claim:
                case Why():
                    found += self._of_why(claim, reasoner)
                case _ if fault := self._outside(spans[claim], held):
                    found.append(Failure(claim.line, claim.text, (fault,)))
                case Never():
                    found += self._of_never(claim, _clipped(spans[claim], held), held)
                case Expected():
                    found += self._of_expected(claim, _clipped(spans[claim], held), held)
        if found:
            found[0] = replace(found[0], details=(*found[0].details, *self._unknown()))
        return found

    def _unknown(self) -> Iterator[str]:
        """What is said of given facts whose predicates the program does not have."""
        known = sorted(map(str, all_predicates(self.plan.program)))
        given = {str(one) for record in self.records for one, _ in turns_of(record.events.facts)}
        for name in sorted(given.difference(known)):
            near = get_close_matches(name, known, 1)
            yield f"the program does not contain {shown(name)}, which is given" + (
                f": did you mean {near[0]}?" if near else ""
            )

    # --- the run --------------------------------------------------------------------------------------

    @cached_property
    def options(self) -> dict[str, Any]:
        """The options of the case. Raises InputError."""
        options = case_options(self._words, self._place(self._case.line))
        folder = self._file.path.parent
        options["functions"] = tuple(str(folder / name) for name in options["functions"])
        options["input"] = tuple(str(folder / one.path) for one in self._case.given if one.path is not None)
        options["context"] = context_of(options)
        return options

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The text of the program. Raises Lars2aspError."""
        written = self._file.program
        dialect = self.options["dialect"]
        inside = (text_source(written, dialect, str(self._file.path)),) if written else ()
        return (*(read_sources(self._file.programs, dialect) if self._file.programs else ()), *inside)

    @cached_property
    def plan(self) -> Plan:
        """The program. Raises ProgramError."""
        return self.plan_of(self.sources, explained=any(isinstance(one, Why) for one in self._case.claims))

    def plan_of(self, sources: Sequence[Source], *, explained: bool = False) -> Plan:
        """A program with the options of the case. Raises ProgramError."""
        trusted = self.options["trusted"]
        checked = checked_program(*sources, overrides=overrides_of(self.options), trusted=trusted)
        plan = with_own_moments(compile_plan(checked, explained=explained), self._moments)
        self._moments = plan.moments
        return plan

    @cached_property
    def _prefixes(self) -> dict[str, str]:
        """Those of the program, whose names what is given and expected may have."""
        return prefixes_of(self.plan.program)

    @cached_property
    def reading(self) -> Reading:
        """How the input is read. Raises Lars2aspError."""
        return reading_of(self.plan, self.options)

    @property
    def has_times(self) -> bool:
        """Whether the input seems to have times: ticks that lie more than a year behind the origin."""
        timeline = self.reading.timeline
        if timeline.late is not None and self.records:
            return timeline.late.is_known
        origin = timeline.local(0)
        first = timeline.local(self.records[0].tick) if self.records else None
        return origin is not None and first is not None and (first - origin).days > 366

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """The input. Raises InputError."""
        self._find_origin()
        given = [self._read(one, self.reading, self._refuse) for one in self._case.given]
        return tuple(given[0] if len(given) == 1 else merge(*given, key=lambda record: record.tick))

    def _find_origin(self) -> None:
        """The first record decides when tick 0 begins, if the program leaves that open. Raises InputError."""
        late = self.reading.timeline.late
        if late is None or late.is_known:
            return
        how = scanning(self.reading)
        records = (iter(self._read(one, how, lambda _: None)) for one in self._case.given)
        first = [moment for some in records for moment in first_moment(some, self.lateness)]
        find_origin(self.reading, self.options, (), first)

    def reasoner_of(self, plan: Plan, *, explained: bool = False, models: int = 1) -> Reasoner:
        """A reasoner for a program with the options of the case."""
        options = self.options
        self._find_origin()
        return Reasoner(
            plan,
            start=tick_of(self.reading, options["start"]),
            complete_windows=options["complete_windows"],
            models=models,
            consequences=options["consequences"],
            functions=options["context"],
            evaluator=options["evaluator"],
            clingo=options["clingo"],
            largest_gap=self.reading.largest_gap,
            explain_last=LARGEST_TICK if explained else None,
            tuning=DEFAULT,
        )

    @property
    def lateness(self) -> int:
        """In ticks."""
        return lateness_of(self.reading, self.options["input"])

    @cached_property
    def last(self) -> int:
        """The last tick: that of `--until`, or the last one that the case names. Raises InputError."""
        until = tick_of(self.reading, self.options["until"], "--until")
        if until is not None:
            for claim in self._case.claims:
                if any(tick > until for tick in self._ticks(claim)):
                    place, end = self._place(claim.line), self.options["until"]
                    raise InputError(f"{place}: error: this tick is after --until {end}")
            return until
        asked = [tick for one in self._case.claims for tick in self._ticks(one)]
        return max((*(record.tick for record in self.records), *asked), default=0)

    def _reasoner(self) -> Reasoner:
        claims = self._case.claims
        has_models = any(isinstance(one, Expected) and one.atoms.startswith("{") for one in claims)
        explained = self.plan.explained is not None
        return self.reasoner_of(self.plan, explained=explained, models=0 if has_models else 1)

    def held(self, reasoner: Reasoner | None = None) -> HeldAnswers:
        """What held when. Raises what a run raises."""
        reasoner = reasoner or self._reasoner()
        answers = reasoner.run(self.records, until=self.last, lateness=self.lateness, on_reject=self._refuse)
        first = self.records[0].tick if reasoner.start is None and self.records else reasoner.start or 0
        held = HeldAnswers(with_models=reasoner.session.gives_models)
        for answer in answers:
            held.take(answer)
        held.close(first, self.last)
        return held

    def _read(self, given: Given, reading: Reading, on_reject: OnReject) -> list[Record]:
        if given.path is not None:
            return [*read_file(self._file.path.parent / given.path, reading, on_reject)]
        text = given.text
        lines = text.splitlines()
        reading = replace(reading, format=reading.format or _form_of(lines, reading))
        if reading.format is Format.FACTS:
            text = with_iris(text, self._prefixes)
        sample = dedent(text).encode()
        delimiter = reading.form_of(sample, "").delimiter
        reading = replace(reading, delimiter=delimiter, encoding="utf-8")
        with TemporaryDirectory() as folder:
            file = Path(folder) / "given"
            file.write_bytes(sample + b"\n")

            def named(origin: Origin) -> Origin:
                return origin._replace(source=str(self._file.path), line=given.line + origin.line)

            def refuse(rejected: Rejected) -> None:
                on_reject(replace(rejected, origin=named(rejected.origin)))

            read = read_file(file, reading, refuse)
            return [one if one.origin is None else one._replace(origin=named(one.origin)) for one in read]

    def _refuse(self, rejected: Rejected) -> None:
        if self.options["on_reject"] == "stop" or not isinstance(rejected, PassedOver):
            raise InputError(str(rejected))

    # --- claims ---------------------------------------------------------------------------------------

    def _ticks(self, claim: Claim) -> Iterator[int]:
        for text in _times(claim):
            if text is not None:
                yield self._tick(text, claim.line)

    def _tick(self, text: str, line: int) -> int:
        self._find_origin()
        try:
            tick = tick_of(self.reading, int(text) if text.isdecimal() else text)
        except InputError as error:
            raise InputError(f"{self._place(line)}: error: {error}") from error
        assert tick is not None
        return tick

    def _span(self, claim: Expected | Never) -> tuple[int | None, int | None]:
        first, last = (
            None if one is None else self._tick(one, claim.line) for one in (claim.first, claim.last)
        )
        if isinstance(claim, Expected) and claim.before and last is not None:
            return first, last - 1
        if first is not None and last is not None and first > last:
            raise InputError(
                f"{self._place(claim.line)}: error: {claim.first} is after {claim.last}: swap them"
            )
        return first, last

    def _outside(self, span: tuple[int | None, int | None], held: HeldAnswers) -> str:
        """What is said of ticks at which there is no answer; empty where there are answers at all."""
        first = span[0]
        if first is None or first >= held.first:
            return ""
        return f"the stream begins at {self._shown(held.first)}: there is no answer before"

    def _of_expected(self, claim: Expected, ticks: Ticks, held: HeldAnswers) -> Iterator[Failure]:
        if ticks[0] > ticks[1]:
            return
        gaps = within(held.gaps, ticks)
        if claim.atoms == _NO_STREAM:
            if answered := without(ticks, gaps):
                yield Failure(claim.line, claim.text, (f"there is an answer {self._named(answered)}",))
            return
        if gaps:
            yield Failure(claim.line, claim.text, (f"there is no answer {self._named(gaps)}",))
            return
        if claim.atoms.startswith("{"):
            yield from self._of_models(claim, ticks, held)
            return
        listed = claim.atoms.removesuffix(_MORE).rstrip().removesuffix(",")
        expected = self._atoms(listed, claim.line)
        wrong: dict[GroundAtom, list[Ticks]] = {}
        for atom in expected:
            missing = without(ticks, held.intervals.get(atom, ()))
            if missing:
                wrong[atom] = missing
        if not claim.atoms.endswith(_MORE):
            wrong |= {atom: found for atom, found in held.during(ticks) if atom not in expected}
        if wrong:
            yield Failure(claim.line, claim.text, (*self._lanes(wrong, expected, ticks, held),))

    def _of_models(self, claim: Expected, ticks: Ticks, held: HeldAnswers) -> Iterator[Failure]:
        texts = [one.strip().removeprefix("{").removesuffix("}") for one in claim.atoms.split("|")]
        expected = frozenset(frozenset(self._atoms(text, claim.line)) for text in texts)
        for found, models in held.models_during(ticks):
            if models != expected:
                said = " | ".join(sorted(f"{{{self._text(model)}}}" for model in models))
                yield Failure(claim.line, claim.text, (f"{self._named([found])} it is {said}",))
                return

    def _of_never(self, claim: Never, ticks: Ticks, held: HeldAnswers) -> Iterator[Failure]:
        try:
            atom = asked_atom(parsed_atom(claim.atom, self.plan.program), self.plan.decimals)
        except InputError as error:
            raise InputError(f"{self._place(claim.line)}: error: {error}") from error
        terms = Terms({}, {}, {})
        wrong = {
            one: found
            for one, found in held.during(ticks)
            if one.signature == atom.signature and terms.match_all(atom.arguments, one.row, {}, 0) is not None
        }
        if wrong:
            yield Failure(claim.line, claim.text, (*self._lanes(wrong, set(), ticks, held),))

    def _of_why(self, claim: Why, reasoner: Reasoner) -> Iterator[Failure]:
        tick = self._tick(claim.at, claim.line)
        timeline = None if self._shown is str else self.reading.timeline
        explanation = reasoner.why(claim.atom, tick, timeline=timeline)
        lines = explanation.to_text(100).splitlines()
        plain = " ".join(" ".join(lines).split())
        lacking = [one for one in claim.words if " ".join(one.split()) not in plain]
        if explanation.holds != claim.holds:
            yield Failure(claim.line, claim.text, tuple(lines))
        elif lacking:
            said = (f"the explanation does not have: {one}" for one in lacking)
            yield Failure(claim.line, claim.text, (*said, *lines))

    def _atoms(self, text: str, line: int) -> set[GroundAtom]:
        text = with_iris(text, self._prefixes)
        try:
            found = FactReader(self.plan.decimals).parse_list(text) if text.strip() else ()
        except InputError as error:
            raise InputError(f"{self._place(line)}: error: {error}") from error
        return {GroundAtom(signature, row) for signature, rows in found for row in rows}

    # --- words ----------------------------------------------------------------------------------------

    def _lanes(
        self, wrong: dict[GroundAtom, list[Ticks]], expected: set[GroundAtom], ticks: Ticks, held: HeldAnswers
    ) -> Iterator[str]:
        """Of each atom that is not as it should be two lanes: when it should hold, and when it did."""
        atoms = sorted(wrong, key=atom_key)
        for atom in atoms[:MOST_SHOWN]:
            intervals = held.intervals.get(atom, [])
            window = _around(ticks, intervals, held)
            claimed, was = (self._lane(window, one) for one in ([ticks], within(intervals, window)))
            sign = CHARACTERS[Cell.ALL if atom in expected else Cell.NONE]
            cells = "".join(sign if cell is not Cell.NONE else " " for cell in claimed.cells)
            what = "missing" if atom in expected else "unexpected"
            yield f"{what}: {self._text([atom])} {self._named(wrong[atom])}"
            yield f"   expected  {' ' * cell_len(was.begin)} {cells}".rstrip()
            yield f"   was       {lane_text(was)}"
        if len(atoms) > MOST_SHOWN:
            yield f"and {len(atoms) - MOST_SHOWN} more atoms"

    def _lane(self, window: Ticks, intervals: Sequence[Ticks]) -> Lane:
        lane = lane_of(Witness((window,), tuple(intervals)), self._shown)
        assert lane is not None  # windows have a tick at least
        return lane

    @cached_property
    def _shown(self) -> Callable[[int], str]:
        """Ticks as the case writes them."""
        claims = self._case.claims
        texts = [text for one in claims for text in _times(one) if text is not None]
        return str if all(map(str.isdecimal, texts)) else tick_texts(self.reading.timeline)

    def _named(self, ticks: Sequence[Ticks]) -> str:
        """Ticks in words, such as `at 3, from 5 to 7`."""
        words = (
            f"at {self._shown(begin)}" if begin == end else f"from {self._shown(begin)} to {self._shown(end)}"
            for begin, end in ticks[:MOST_SHOWN]
        )
        return ", ".join(words) + (", ..." if len(ticks) > MOST_SHOWN else "")

    def _text(self, atoms: Iterable[GroundAtom]) -> str:
        return ", ".join(atom_text(*atom, self.plan.decimals) for atom in sorted(atoms, key=atom_key))

    def _place(self, line: int) -> str:
        return f"{self._file.path}:{line}"


def _times(claim: Claim) -> tuple[str | None, ...]:
    """The times that a claim names."""
    return (claim.at,) if isinstance(claim, Why) else (claim.first, claim.last)


def _clipped(span: tuple[int | None, int | None], held: HeldAnswers) -> Ticks:
    """The ticks of a claim, those of the run where it names none."""
    first, last = span
    return held.first if first is None else first, held.last if last is None else last


def _around(ticks: Ticks, intervals: Sequence[Ticks], held: HeldAnswers) -> Ticks:
    """Ticks with those around them, up to the nearest at which an atom held, of a run."""
    begin = max((end for _, end in intervals if end < ticks[0]), default=ticks[0]) - 1
    end = min((begin for begin, _ in intervals if begin > ticks[1]), default=ticks[1]) + 1
    first, last = min(begin, ticks[0] - CONTEXT), max(end, ticks[1] + CONTEXT)
    return max(held.first, first), max(min(held.last, last), ticks[1])


_OF_OTHERS = {
    Format.TICKER: re.compile("@"),
    Format.LASER: re.compile(r"""(?:\w+\s*=\s*)?\{?\s*["']?[0-9]+["']?\s*:\s*\["""),
}
"""How streams of dialects begin that look like plain facts or JSON lines."""


def _form_of(lines: Sequence[str], reading: Reading) -> Format:
    """How text is written: JSON lines, facts, as in the program's dialect, a table, or lines of a log."""
    unnamed = reading.unnamed
    first = next((one for one in map(str.strip, lines) if one and not one.startswith(COMMENT)), "")
    if unnamed in _OF_OTHERS and _OF_OTHERS[unnamed].match(first):
        return unnamed
    if first.startswith("{"):
        return Format.JSONL
    if is_facts_line(first) or not first:
        return Format.FACTS
    if reading.of_lines:
        return reading.format_in(dedent("\n".join(lines)).encode())
    return unnamed if unnamed.is_of_others else Format.CSV
