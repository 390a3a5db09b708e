"""Splits a program into parts that several reasoners can run."""

from collections.abc import Iterable, Iterator

from lars2asp.analysis.predicates import all_predicates, shown_predicates
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.splitting.meeting import input_components, meetings
from lars2asp.splitting.overview import Overview
from lars2asp.splitting.parts import Part, Remark, Split
from lars2asp.splitting.units import Unit, groups, layers, lower
from lars2asp.splitting.wholeness import why_whole
from lars2asp.syntax.nodes import Program, Semantics, Signature


def split(program: Program, semantics: Semantics, *, by_key: bool = True, pipelined: bool = False) -> Split:
    """The parts of a checked program.

    What the parts give, each told what it reads and listens to, is together the output of the program at
    every tick, if all of them start at the same tick (see Part for what counts of a bucket's answer). A
    program that may have several answer streams, or none, is one part.

    Args:
        program: as the compiler's passes leave it.
        semantics: how windows over derived predicates are read.
        by_key: whether parts are for buckets of keys, where that is possible.
        pipelined: whether parts may listen to others; else each reads the input alone.
    """
    analysis = ProgramAnalysis(program)
    reasons = why_whole(analysis, semantics)
    if reasons:
        return Split((whole(program),), reasons)
    overview = Overview(analysis, semantics)
    units = (layers if pipelined else groups)(overview, by_key=by_key)
    units = _find_homes(overview, units, by_key=by_key)
    levels = _levels(units)
    units = sorted(units, key=lambda unit: (levels[unit], not unit.keys, unit.place))
    if not units:
        return Split((whole(program),), (Remark("nothing is shown"),))
    return Split(tuple(_parts(overview, units)), tuple(_remarks(overview, units, pipelined=pipelined)))


def whole(program: Program) -> Part:
    """A program as one part."""
    named = frozenset(all_predicates(program))
    return Part(0, 0, program, named, True, frozenset(), {}, shown_predicates(program), frozenset())


def _find_homes(overview: Overview, units: list[Unit], *, by_key: bool) -> list[Unit]:
    """Each predicate that is shown without a rule for it is shown by a unit that looks at it, or alone."""
    depth = _levels(units)
    for signature in sorted(overview.shown - set(overview.derived)):
        readers = [unit for unit in units if signature in unit.named]
        if readers:
            home = min(readers, key=lambda unit: (signature not in unit.keys.of, depth[unit]))
            home.homes.append(signature)
        else:
            units = [*units, alone := Unit(overview, (), by_key, [signature])]
            depth[alone] = 0
    return units


def _levels(units: Iterable[Unit]) -> dict[Unit, int]:
    """How many units lie below each, one below the other."""
    below = lower(units)
    levels: dict[Unit, int] = {}
    waiting = list(below)
    while waiting:
        unit = waiting[-1]
        missing = [other for other in below[unit] if other not in levels]
        waiting += missing
        if not missing:
            levels[waiting.pop()] = max((levels[other] + 1 for other in below[unit]), default=0)
    return levels


def _parts(overview: Overview, units: list[Unit]) -> Iterator[Part]:
    levels = _levels(units)
    given: set[Signature] = set()  # where rules are in several units, one of them gives what they derive
    heard = frozenset(signature for unit in units for signature in unit.listens)
    for number, unit in enumerate(units):
        members = frozenset(unit.members)
        outputs = (members & overview.shown | frozenset(unit.homes)) - given
        given |= outputs
        hands_on = members & heard
        reads = frozenset(unit.named) - unit.listens | members
        program = overview.part_of(unit.rules, reads, outputs | hands_on)
        keys = {s: position for s, position in unit.keys.of.items() if s in reads or s in unit.listens}
        yield Part(
            number, levels[unit], program, reads, unit.counts_all, unit.listens, keys, outputs, hands_on
        )


def _remarks(overview: Overview, units: list[Unit], *, pipelined: bool) -> Iterator[Remark]:
    edges = list(meetings(overview))
    for edge in edges:
        yield Remark(f"{edge.one} meets {edge.other}", edge.rule.location)
    for members in input_components(overview, edges):
        if len(members) > 1:
            yield Remark(f"connected by that: {', '.join(map(str, sorted(members)))}")
    if pipelined and overview.is_strict and any(len(unit.members) > 1 for unit in units):
        yield Remark("with strict semantics what is derived is not handed on, so that groups stay whole")
    for number, unit in enumerate(units):
        for reason in unit.keys.reasons:
            yield Remark(f"part {number}: {reason.text}", reason.location)
    for rule in overview.idle:
        yield Remark("nothing that is shown depends on this rule", rule.location)
