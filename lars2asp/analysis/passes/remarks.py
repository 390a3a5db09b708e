"""Warnings: what is odd about a program that can run, and most likely is not what was meant."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import chain

from lars2asp.analysis.predicates import head_atoms, offset_from_now
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Program, Rule, Semantics, Signature, Variable
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import walk

MOST_GUESSED = 20
"""The number of unknown names for which a similar one is looked for, which takes time in a long program."""


def remark(analysis: ProgramAnalysis, semantics: Semantics, diagnostics: Diagnostics) -> None:
    """Notes warnings about a program without errors."""
    _singletons(analysis.program, diagnostics)
    _predicates(analysis, diagnostics)
    _windows(analysis, diagnostics)
    _future(analysis, semantics, diagnostics)


# --- variables ------------------------------------------------------------------------------------


def _singletons(program: Program, diagnostics: Diagnostics) -> None:
    """Variables that stand once in their statement."""
    places: dict[Location, dict[str, set[Location]]] = {}  # pools made several statements of one
    ticks: set[Location] = set()
    for statement in program.but_plain_facts:
        if isinstance(statement, nodes.Constant):
            continue
        for node in walk(statement):
            if isinstance(node, Variable) and not node.name.startswith("_"):
                found = places.setdefault(statement.location, {})
                found.setdefault(node.name, set()).add(node.location)
            elif isinstance(node, nodes.AtTick) and node.window is not None:
                ticks.add(node.tick.location)
    for variables in places.values():
        for name, locations in variables.items():
            if len(locations) == 1:
                (location,) = locations
                diagnostics.warning(
                    location,
                    f"the variable {name} stands only once",
                    "write `in` in place of `at` and the variable"
                    if location in ticks
                    else f"write _ where the value does not matter, or _{name}",
                )


# --- predicates -----------------------------------------------------------------------------------


def _predicates(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Predicates that no rule, fact or declaration can make true."""
    program = analysis.program
    inputs = list(program.every(nodes.Input))
    known = {*analysis.derived, *analysis.facts, *analysis.externals}
    known.update(defined.signature for defined in program.every(nodes.Defined))
    known.update(Signature(s.predicate, len(s.columns)) for s in inputs)
    by_name: dict[str, set[Signature]] = {}
    for signature in known:
        by_name.setdefault(signature.name, set()).add(signature)
    used = dict(_used(program))
    spelling = _Spelling()
    for signature, location in used.items():
        if signature in known:
            continue
        others = {o for o in by_name.get(signature.name, ()) if o.arity != signature.arity}
        if others:
            verb = "is" if len(others) == 1 else "are"
            diagnostics.warning(
                location,
                f"{signature} is used, but only {' and '.join(map(str, sorted(others)))} {verb} defined",
                f"if the input has {signature}, declare it: #defined {signature}.",
            )
        elif inputs:
            near = spelling.near(signature.name, by_name, 0.6)
            diagnostics.warning(
                location,
                f"{signature} is used, but no rule derives it and no #input declares it",
                f"is {near} meant?" if near else f"if the input has it, declare it: #defined {signature}.",
            )
    for show in program.every(nodes.Show):
        shown = show.signature
        if shown and shown not in known and shown not in used:
            near = spelling.near(str(shown), map(str, chain(known, used)), 0.7)
            diagnostics.warning(
                show.location,
                f"{shown} is shown, but does not occur in the program",
                f"is {near} meant?" if near else "is the name misspelt?",
            )


class _Spelling:
    """Finds names like those that are not known, for the first of these."""

    def __init__(self) -> None:
        self._left = MOST_GUESSED

    def near(self, name: str, known: Iterable[str], cutoff: float) -> str | None:
        """The known name that is most like a name; None where none is, and when enough were looked for."""
        self._left -= 1
        found = get_close_matches(name, sorted(set(known)), 1, cutoff) if self._left >= 0 else []
        return found[0] if found else None


def _used(program: Program) -> Iterator[tuple[Signature, Location]]:
    """The predicates of bodies and conditions, and where they stand first."""
    seen = set()
    for statement in program.but_plain_facts:
        heads = set()
        if isinstance(statement, Rule):
            heads = {id(head.atom) for head in head_atoms(statement)}
        for node in walk(statement):
            if isinstance(node, nodes.Atom) and id(node) not in heads and node.signature not in seen:
                seen.add(node.signature)
                yield node.signature, node.location


# --- windows and ticks ----------------------------------------------------------------------------


def _windows(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    derived = set(analysis.derived)
    for streaming in analysis.streaming_atoms:
        if isinstance(streaming.window, nodes.TupleWindow) and streaming.atom.signature in derived:
            diagnostics.warning(
                streaming.location,
                f"what rules derive of {streaming.atom.signature} is in no tuple window",
                "a tuple window holds arrivals of the input; use a window of ticks for what is derived",
            )


def _future(analysis: ProgramAnalysis, semantics: Semantics, diagnostics: Diagnostics) -> None:
    """Atoms placed at later ticks that nothing keeps until then."""
    for rule in analysis.rules:
        if semantics is not Semantics.STRICT and not rule.is_temporary:
            continue
        for head in head_atoms(rule):
            offset = None if head.tick is None else offset_from_now(head.tick, analysis.constants)
            if head.tick is not None and offset is not None and offset < 0:
                reason = "strict semantics" if semantics is Semantics.STRICT else "#temp"
                diagnostics.warning(
                    head.tick.location,
                    f"with {reason} nothing is kept for a later tick",
                    "the future log belongs to recorded semantics: #semantics recorded."
                    if semantics is Semantics.STRICT
                    else "leave #temp out to have it in the future log",
                )
