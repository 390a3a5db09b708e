"""Splits a program into parts that several reasoners can run."""

from collections.abc import Iterator

from lars2asp.analysis.predicates import all_predicates
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.splitting.input_graph import input_components, input_dependencies
from lars2asp.splitting.parts import Part, Remark, Split
from lars2asp.splitting.rule_groups import (
    RuleGroup,
    independent_groups,
    joined_by_input,
    layered_groups,
    levels_of,
)
from lars2asp.splitting.splittable_program import SplittableProgram
from lars2asp.splitting.wholeness import why_whole
from lars2asp.syntax.nodes import Program, Semantics, Signature


def split(program: Program, semantics: Semantics, *, by_key: bool = True, pipelined: bool = False) -> Split:
    """The parts of a checked program.

    The parts together, each with the input that it reads and listens to, give the output of the program at
    every tick, if all of them start at the same tick (see Part for which atoms of a bucket's answer count). A
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
    splittable = SplittableProgram(analysis, semantics)
    groups = (layered_groups if pipelined else independent_groups)(splittable, by_key=by_key)
    groups = _show_underived(splittable, joined_by_input(groups), by_key=by_key)
    levels = levels_of(groups)
    groups = sorted(groups, key=lambda group: (levels[group], not group.keys, group.place))
    if not groups:
        return Split((whole(program),), (Remark("nothing is shown"),))
    return Split(tuple(_parts(splittable, groups)), tuple(_remarks(splittable, groups, pipelined=pipelined)))


def whole(program: Program) -> Part:
    """A program as one part."""
    named = frozenset(all_predicates(program))
    return Part(0, 0, program, named, True, frozenset(), {}, ProgramAnalysis(program).shown, frozenset())


def _show_underived(
    splittable: SplittableProgram, groups: list[RuleGroup], *, by_key: bool
) -> list[RuleGroup]:
    """Each predicate that is shown without a rule for it is shown by a group that looks at it, or alone."""
    depth = levels_of(groups)
    for signature in sorted(splittable.shown - set(splittable.derived)):
        readers = [group for group in groups if signature in group.named]
        if readers:
            reader = min(readers, key=lambda group: (signature not in group.keys.of, depth[group]))
            reader.shown_only.append(signature)
        else:
            groups = [*groups, alone := RuleGroup(splittable, (), by_key, [signature])]
            depth[alone] = 0
    return groups


def _parts(splittable: SplittableProgram, groups: list[RuleGroup]) -> Iterator[Part]:
    levels = levels_of(groups)
    output: set[Signature] = set()  # of several groups with the same rules one outputs what they derive
    heard = frozenset(signature for group in groups for signature in group.listens)
    for number, group in enumerate(groups):
        members = frozenset(group.members)
        outputs = (members & splittable.shown | frozenset(group.shown_only)) - output
        output |= outputs
        hands_on = members & heard
        reads = frozenset(group.named) - group.listens | members
        program = splittable.part_of(group.rules, reads, outputs | hands_on)
        keys = {s: position for s, position in group.keys.of.items() if s in reads or s in group.listens}
        yield Part(
            number, levels[group], program, reads, group.counts_all, group.listens, keys, outputs, hands_on
        )


def _remarks(splittable: SplittableProgram, groups: list[RuleGroup], *, pipelined: bool) -> Iterator[Remark]:
    edges = list(input_dependencies(splittable))
    for edge in edges:
        yield Remark(f"{edge.one} meets {edge.other}", edge.rule.location)
    for members in input_components(splittable, edges):
        if len(members) > 1:
            yield Remark(f"connected by that: {', '.join(map(str, sorted(members)))}")
    if pipelined and splittable.is_strict and any(len(group.members) > 1 for group in groups):
        yield Remark("with strict semantics what is derived is not handed on, so that groups stay whole")
    for number, group in enumerate(groups):
        for reason in group.keys.reasons:
            yield Remark(f"part {number}: {reason.text}", reason.location)
    for rule in splittable.idle:
        yield Remark("nothing that is shown depends on this rule", rule.location)
